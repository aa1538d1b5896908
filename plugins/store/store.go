package store

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
)

// EnvDir is the environment variable that names the store's folder instead of the
// system's usual one.
const EnvDir = "BOUNDCHECK_PLUGIN_STORE"

// Store is a folder of installed plugins: NAME.wasm, and in "sha256" every fetched
// module, by its hash.
type Store struct{ Dir string }

// Default returns the user's store. If the environment variable EnvDir is set, its value
// is the folder of the store. Otherwise the folder is boundcheck/plugins in the user's
// data folder:
//
//   - $XDG_DATA_HOME or ~/.local/share
//   - ~/Library/Application Support on macOS
//   - %LocalAppData% on Windows
func Default() (Store, error) {
	if dir := os.Getenv(EnvDir); dir != "" {
		return Store{dir}, nil
	}
	data, err := dataDir(runtime.GOOS, os.Getenv, os.UserHomeDir)
	if err != nil {
		return Store{}, fmt.Errorf("no folder for installed plugins: %w. Set the folder with the variable %s", err, EnvDir)
	}
	return Store{filepath.Join(data, "boundcheck", "plugins")}, nil
}

func dataDir(system string, env func(string) string, home func() (string, error)) (string, error) {
	switch {
	case system == "windows" && env("LocalAppData") != "":
		return env("LocalAppData"), nil
	case system != "windows" && system != "darwin" && filepath.IsAbs(env("XDG_DATA_HOME")): // a relative path must be ignored
		return env("XDG_DATA_HOME"), nil
	}
	dir, err := home()
	switch {
	case err != nil:
		return "", err
	case system == "windows":
		return filepath.Join(dir, "AppData", "Local"), nil
	case system == "darwin":
		return filepath.Join(dir, "Library", "Application Support"), nil
	}
	return filepath.Join(dir, ".local", "share"), nil
}

var (
	nameForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z0-9-]+$`) })
	hashForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9a-f]{64}$`) })
)

// Sum returns the SHA-256 hash of a module in lower-case hex.
func Sum(wasm []byte) string {
	sum := sha256.Sum256(wasm)
	return hex.EncodeToString(sum[:])
}

// Read returns the installed module with that name. The error is fs.ErrNotExist if there
// is no such module.
func (s Store) Read(name string) ([]byte, error) {
	if !nameForm().MatchString(name) {
		return nil, fs.ErrNotExist
	}
	return os.ReadFile(s.modulePath(name))
}

func (s Store) modulePath(name string) string { return filepath.Join(s.Dir, name+".wasm") }

func (s Store) keptPath(sum string) string { return filepath.Join(s.Dir, "sha256", sum+".wasm") }

// Cached returns the module with this hash, if it was fetched before. The bool is false
// if there is no such file, or if the content of the file no longer has this hash.
func (s Store) Cached(sum string) ([]byte, bool) {
	if !hashForm().MatchString(sum) {
		return nil, false
	}
	b, err := os.ReadFile(s.keptPath(sum))
	return b, err == nil && Sum(b) == sum
}

// Names returns the names of the installed plugins, sorted. If the folder does not exist,
// the result is empty.
func (s Store) Names() ([]string, error) {
	files, err := os.ReadDir(s.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var names []string
	for _, f := range files {
		if name, ok := strings.CutSuffix(f.Name(), ".wasm"); ok && !f.IsDir() && nameForm().MatchString(name) {
			names = append(names, name)
		}
	}
	return names, err
}

// Install writes a module into two files. One file is named after the plugin, and the
// other file is named after the module's hash. No reader ever sees half of a module.
func (s Store) Install(name string, wasm []byte) error {
	if !nameForm().MatchString(name) {
		return fmt.Errorf("invalid plugin name %q: want lower-case letters, digits and -", name)
	}
	if err := writeFile(s.keptPath(Sum(wasm)), wasm); err != nil {
		return err
	}
	return writeFile(s.modulePath(name), wasm)
}

// Remove deletes the plugin with this name, and the fetched module with the hash sum. The
// error is fs.ErrNotExist if there is no such plugin.
func (s Store) Remove(name, sum string) error {
	if !nameForm().MatchString(name) {
		return fs.ErrNotExist
	}
	if hashForm().MatchString(sum) {
		os.Remove(s.keptPath(sum))
	}
	return os.Remove(s.modulePath(name))
}

func writeFile(path string, b []byte) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, ".new-")
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}
