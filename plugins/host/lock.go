package host

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"sync"
)

// LockFile is the name of the lock in a working directory.
const LockFile = "boundcheck-plugins.lock"

// Lock maps the name of each reviewed plugin to its module. A plugin that is not in the
// map is not pinned.
type Lock map[string]Locked

// Locked is one plugin of a Lock. Version is for people; the hash decides.
type Locked struct {
	SHA256  string `json:"sha256"` // lower-case hex
	Version string `json:"version"`
	ABI     int    `json:"abi,omitempty"`

	// Source is where an installed plugin came from, Key the minisign key that signed
	// it, Digest the registry's digest for a tag.
	Source string `json:"source,omitempty"`
	Digest string `json:"digest,omitempty"`
	Key    string `json:"key,omitempty"`
}

// ReadLock reads the lock at path. If path is "", it reads LockFile in the working
// directory. If LockFile is missing, the result is an empty lock.
func ReadLock(path string) (Lock, error) {
	named := path != ""
	path = cmp.Or(path, LockFile)
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) && !named {
		return Lock{}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", path, errorCause(err))
	}
	l, err := parseLock(b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return l, nil
}

var (
	hexSum     = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9a-f]{64}$`) })
	pluginName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z0-9-]+$`) })
)

// parseLock parses a lock file and returns an error for any unexpected form. For example,
// a misspelt key and a repeated name are errors. Otherwise the lock could pin another
// module than a person sees in the file.
func parseLock(b []byte) (Lock, error) {
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, errors.New("invalid lock: not a JSON object")
	}
	l := Lock{}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, fmt.Errorf("invalid lock: %w", err)
		}
		name := key.(string) // d returns only strings as keys
		var e Locked
		if err := d.Decode(&e); err != nil {
			return nil, fmt.Errorf("invalid lock: %q: %w", name, err)
		}
		if _, twice := l[name]; twice || !pluginName().MatchString(name) || !hexSum().MatchString(e.SHA256) {
			return nil, fmt.Errorf("invalid lock: entry %q is wrong. Each name must occur once, and its sha256 must have 64 lower-case hex digits", name)
		}
		l[name] = e
	}
	if _, err := d.Token(); err != nil || d.More() {
		return nil, errors.New("invalid lock: the JSON object is not complete, or more text follows it")
	}
	return l, nil
}

// Pin returns m with the hash that the lock has for m.Name. If the lock has no such
// entry, the hash is "", and m is not pinned.
func (l Lock) Pin(m Manifest) Manifest {
	m.SHA256 = l[m.Name].SHA256
	return m
}

// Add adds a loaded plugin to the lock. If the lock already has an entry for the plugin
// with the same hash, Add keeps the Source, Digest and Key of this entry.
func (l Lock) Add(p *Plugin) {
	e := l[p.name]
	if e.SHA256 != p.SHA256 {
		e = Locked{}
	}
	e.SHA256, e.Version, e.ABI = p.SHA256, p.Description.Version, p.Description.ABI
	l[p.name] = e
}

// Write stores the lock in a file, sorted by name. It writes a new file and renames it,
// so a reader never sees an incomplete lock.
func (l Lock) Write(path string) error {
	b, err := json.MarshalIndent(l, "", "  ")
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".lock-")
	if err != nil {
		return err
	}
	_, err = f.Write(append(b, '\n'))
	err = errors.Join(err, f.Chmod(0o644), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}
