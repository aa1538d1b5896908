package cmd

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/plugins/host"
	"github.com/boundcheck/boundcheck/plugins/store"
)

// FindPlugin returns the name and the module of a plugin, which what names or which is in the file what.
func FindPlugin(ctx context.Context, what string, s host.Sources) (name string, wasm []byte, err error) {
	if !strings.ContainsAny(what, `/\.`) {
		s.Installed = InstalledModule
		wasm, err = host.Bundled(ctx, what, s)
		return what, wasm, err
	}
	wasm, err = os.ReadFile(what)
	if err != nil {
		return "", nil, fmt.Errorf("cannot read %s: %w", what, FileCause(err))
	}
	return strings.TrimSuffix(filepath.Base(what), ".wasm"), wasm, nil
}

// isBundled reports whether a plugin with this name is bundled with the program. A
// bundled plugin may keep its state between calls, because it is trusted not to carry
// data from one run to another.
func isBundled(what string, s host.Sources) bool {
	return s.Dir == "" && os.Getenv(host.EnvDir) == "" && slices.Contains(host.BundledPlugins(), what)
}

// LockOf holds the restrictions on plugins. file is the lock's file; if it is "", the
// lock in the working directory applies, if there is one. If locked is true, the lock
// must name each plugin. conf is the configuration with the permitted versions; if it is
// nil, the one in the working directory applies, if there is one.
type LockOf struct {
	File   string
	Locked bool
	conf   *ConfigFlags
}

// PinManifest returns the manifest m with the hash that the lock requires for the plugin.
// With --locked, it returns an error if the lock does not name the plugin.
func (o LockOf) PinManifest(m host.Manifest) (host.Manifest, error) {
	l, err := host.ReadLock(o.File)
	if err != nil {
		return m, err
	}
	if _, named := l[m.Name]; o.Locked && !named {
		return m, fmt.Errorf("plugin %q is not in the lock file, which --locked requires; to add the plugin, run boundcheck plugin lock %s", m.Name, m.Name)
	}
	if m.Accepts, err = o.VersionChecker(); err != nil {
		return m, err
	}
	return l.Pin(m), nil
}

// LoadPinned loads a module like Host.Load, and also checks the module against a lock. It
// returns an error if the lock requires another hash.
func LoadPinned(ctx context.Context, h *host.Host, wasm []byte, m host.Manifest, lock LockOf) (*host.Plugin, error) {
	m, err := lock.PinManifest(m)
	if err != nil {
		return nil, err
	}
	return h.Load(ctx, wasm, m)
}

// InstalledModule returns the module of the installed plugin with the given name.
func InstalledModule(name string) ([]byte, error) {
	s, err := store.Default()
	if err != nil {
		return nil, fs.ErrNotExist // without a home directory nothing is installed
	}
	return s.Read(name)
}

// Fetcher fetches modules; tests give it their own registry's certificates.
var Fetcher = store.Fetcher{}

// ReplaceTag returns the reference of a module in a registry, with a digest in place of
// the tag. For example, host/name:1.0 becomes host/name@sha256:….
func ReplaceTag(reference, digest string) string {
	name, _, _ := strings.Cut(reference, "@")
	if i := strings.LastIndexByte(name, ':'); i > strings.LastIndexByte(name, '/') {
		name = name[:i]
	}
	return name + "@" + digest
}
