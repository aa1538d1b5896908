package plugin

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/host"
)

// writeLock carries out "plugin lock". It writes an entry for each plugin that the
// command line names. If the command line names none, it writes an entry for every
// plugin. All other entries of the lock stay unchanged.
func (f *pluginFlags) writeLock(s pluginStreams) error {
	lock, err := f.oldLock()
	if err != nil {
		return err
	}
	rows, err := f.namedRows()
	if err != nil {
		return err
	}
	accepts, err := cmd.LockOf{}.VersionChecker()
	if err != nil {
		return err
	}
	ctx := context.Background()
	h, err := host.New(ctx, host.Options{})
	if err != nil {
		return err
	}
	defer h.Close(ctx)
	for i := range rows {
		if err := rows[i].pinPlugin(ctx, h, lock, accepts, s); err != nil {
			return err // nothing is written, because an incomplete lock looks like a complete one
		}
	}
	return lock.Write(cmp.Or(f.lock, host.LockFile))
}

// oldLock returns the lock before the change. The lock is empty if its file does not
// exist yet.
func (f *pluginFlags) oldLock() (host.Lock, error) {
	lock, err := host.ReadLock(f.lock)
	if errors.Is(err, fs.ErrNotExist) {
		return host.Lock{}, nil
	}
	return lock, err
}

// namedRows returns a row for each plugin that the command line names, or for all plugins
// if it names none. It searches the same places as "plugin list".
func (f *pluginFlags) namedRows() ([]listedPlugin, error) {
	all, err := f.listCandidates()
	if err != nil || len(f.args) == 0 {
		return all, err
	}
	var rows []listedPlugin
	for _, name := range f.args {
		i := slices.IndexFunc(all, func(r listedPlugin) bool { return r.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("unknown plugin %q; give its folder with --plugins DIR, or run boundcheck plugin list", name)
		}
		rows = append(rows, all[i])
	}
	return rows, nil
}

// pinPlugin adds the plugin of a row with its current hash to the lock, and prints what
// has changed.
func (r *listedPlugin) pinPlugin(ctx context.Context, h *host.Host, lock host.Lock, accepts func(abi.Description) error, s pluginStreams) error {
	wasm, err := r.readModule(ctx, s.stderr)
	if err != nil {
		return err
	}
	p, err := h.Load(ctx, wasm, host.Manifest{Name: r.Name, Accepts: accepts})
	if err != nil {
		return err
	}
	defer p.Close(ctx)
	before, there := lock[r.Name]
	lock.Add(p)
	change := "new"
	switch {
	case there && before.SHA256 == p.SHA256:
		change = "unchanged"
	case there:
		change = fmt.Sprintf("was %s %.12s", before.Version, before.SHA256)
	}
	fmt.Fprintf(s.stdout, "%s %s %.12s, %s\n", r.Name, p.Description.Version, p.SHA256, change)
	return nil
}
