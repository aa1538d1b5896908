package plugin

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/internal/words"
	"github.com/boundcheck/boundcheck/plugins/host"
	"github.com/boundcheck/boundcheck/plugins/store"
)

// runAdd carries out "plugin add". It fetches a module, examines the module in the
// sandbox, installs it and writes the lock.
func (f *pluginFlags) runAdd(s pluginStreams) error {
	where := f.args[0]
	if !strings.Contains(where, "://") { // absolute, because the lock may be read in another folder
		var err error
		if where, err = filepath.Abs(where); err != nil {
			return err
		}
	}
	where, err := cmd.ResolveNewest(where, "")
	if err != nil {
		return err
	}
	return f.installEntry(s, "", host.Locked{Source: where, SHA256: f.sha256, Key: f.key})
}

// installEntry fetches the module of a lock entry, and installs it under the plugin's own
// name. If name is not "", the plugin must have that name.
func (f *pluginFlags) installEntry(s pluginStreams, name string, e host.Locked) error {
	ctx := context.Background()
	shelf, err := store.Default()
	if err != nil {
		return err
	}
	lock, err := f.oldLock()
	if err != nil {
		return err
	}
	accepts, err := cmd.LockOf{}.VersionChecker()
	if err != nil {
		return err
	}
	got, err := cmd.Fetcher.Fetch(ctx, e.Source, e.SHA256, e.Key)
	if err != nil {
		return err
	}
	h, err := host.New(ctx, host.Options{})
	if err != nil {
		return err
	}
	defer h.Close(ctx)
	p, err := h.Load(ctx, got.Wasm, host.Manifest{Name: name, Accepts: accepts})
	if err != nil {
		return err
	}
	defer p.Close(ctx)
	name = p.Description.Name
	if slices.Contains(host.BundledPlugins(), name) {
		return fmt.Errorf("plugin %q is part of boundcheck; no other plugin can have this name", name)
	}
	before, there := lock[name]
	if there && before.Source != "" && before.Source != e.Source && f.verb == "add" {
		return fmt.Errorf("plugin %q is installed from %s; remove it first", name, before.Source)
	}
	if err := shelf.Install(name, got.Wasm); err != nil {
		return fmt.Errorf("cannot install: %w", err)
	}
	e.SHA256, e.Version, e.ABI, e.Digest = p.SHA256, p.Description.Version, p.Description.ABI, got.Digest
	lock[name] = e
	if err := lock.Write(cmp.Or(f.lock, host.LockFile)); err != nil {
		return err
	}
	change := "added"
	switch {
	case there && before.SHA256 == p.SHA256:
		change = "unchanged"
	case there:
		change = fmt.Sprintf("was %s %.12s", before.Version, before.SHA256)
	}
	fmt.Fprintf(s.stdout, "%s %s %.12s, %s\n", name, words.Printable(e.Version), e.SHA256, change)
	return nil
}

// runInstall carries out "plugin install", which installs every plugin for which the lock
// has a source. The module must have the hash in the lock. The module comes from an
// earlier download if there is one, and otherwise from the source.
func (f *pluginFlags) runInstall(s pluginStreams) error {
	lock, err := host.ReadLock(cmp.Or(f.lock, host.LockFile))
	if err != nil {
		return err
	}
	shelf, err := store.Default()
	if err != nil {
		return err
	}
	bad := false
	for _, name := range slices.Sorted(maps.Keys(lock)) {
		e := lock[name]
		if e.Source == "" {
			continue // a plugin that comes with boundcheck, or a file of the user
		}
		how, err := f.installLocked(shelf, name, e)
		if err != nil {
			bad = true
			fmt.Fprintf(s.stderr, "boundcheck plugin: plugin %q: %s\n", name, words.Printable(err.Error()))
			continue
		}
		fmt.Fprintf(s.stdout, "%s %s %.12s, %s\n", name, words.Printable(e.Version), e.SHA256, how)
	}
	if bad {
		return errPluginSaid
	}
	return nil
}

// installLocked installs one plugin as the lock requires. The result how is one of:
//
//   - "unchanged" if the required module is already installed
//   - "restored" if the module comes from an earlier download
//   - "fetched" if the module was downloaded now
func (f *pluginFlags) installLocked(shelf store.Store, name string, e host.Locked) (how string, err error) {
	if b, err := shelf.Read(name); err == nil && store.Sum(b) == e.SHA256 {
		return "unchanged", nil
	}
	if b, ok := shelf.Cached(e.SHA256); ok {
		return "restored", shelf.Install(name, b)
	}
	if f.offline {
		return "", errors.New("the module was never downloaded, and --offline forbids a download")
	}
	source := e.Source
	if e.Digest != "" { // the tag may have moved, so use the locked digest
		source = source[:len("oci://")] + cmd.ReplaceTag(source[len("oci://"):], e.Digest)
	}
	got, err := cmd.Fetcher.Fetch(context.Background(), source, e.SHA256, e.Key)
	if err != nil {
		return "", err
	}
	return "fetched", shelf.Install(name, got.Wasm)
}

// runUpdate carries out "plugin update", which fetches a plugin again from its source.
func (f *pluginFlags) runUpdate(s pluginStreams) error {
	lock, err := host.ReadLock(cmp.Or(f.lock, host.LockFile))
	if err != nil {
		return err
	}
	e, there := lock[f.args[0]]
	switch {
	case !there || e.Source == "":
		return fmt.Errorf("plugin %q has no source in the lock file; to set a source, run boundcheck plugin add", f.args[0])
	case strings.HasPrefix(e.Source, "https://") && f.sha256 == "":
		return fmt.Errorf("plugin %q is from %s; to update the plugin, give the hash of the new module with --sha256 HEX", f.args[0], e.Source)
	}
	if e.Source, err = cmd.ResolveNewest(e.Source, f.args[0]); err != nil {
		return err
	}
	e.SHA256 = f.sha256
	if f.key != "" {
		e.Key = f.key
	}
	return f.installEntry(s, f.args[0], e)
}

// runRemove carries out "plugin remove".
func (f *pluginFlags) runRemove(s pluginStreams) error {
	name := f.args[0]
	lock, err := f.oldLock()
	if err != nil {
		return err
	}
	shelf, err := store.Default()
	if err != nil {
		return err
	}
	e, there := lock[name]
	err = shelf.Remove(name, e.SHA256)
	if errors.Is(err, fs.ErrNotExist) && !there {
		return fmt.Errorf("plugin %q is not installed", name)
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("cannot remove %q: %w", name, cmd.FileCause(err))
	}
	fmt.Fprintf(s.stdout, "%s removed\n", name)
	if !there {
		return nil
	}
	delete(lock, name)
	return lock.Write(cmp.Or(f.lock, host.LockFile))
}

// indexed is an entry of an index of plugins: index.json in a folder, {"plugins": […]}.
type indexed struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Summary string `json:"summary"`
	Source  string `json:"source"`
	SHA256  string `json:"sha256"`
	Key     string `json:"key,omitempty"`
}

// runSearch carries out "plugin search", which prints the entries of an index that
// contain a word.
func (f *pluginFlags) runSearch(s pluginStreams) error {
	file := f.args[0]
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		file = filepath.Join(file, "index.json")
	}
	b, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("cannot read %s: %w", file, cmd.FileCause(err))
	}
	var index struct {
		Plugins []indexed `json:"plugins"`
	}
	if err := json.Unmarshal(b, &index); err != nil {
		return fmt.Errorf("%s: invalid index: %w", file, err)
	}
	word := ""
	if len(f.args) > 1 {
		word = strings.ToLower(f.args[1])
	}
	found := []indexed{}
	for _, e := range index.Plugins {
		if strings.Contains(strings.ToLower(e.Name+" "+e.Summary), word) {
			found = append(found, e)
		}
	}
	if f.format == "json" {
		return promptJSON(s.stdout, map[string]any{"plugins": found})
	}
	return writeIndex(s.stdout, found)
}

func writeIndex(out io.Writer, found []indexed) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "PLUGIN\tVERSION\tSUMMARY\tADD BY")
	for _, e := range found {
		how := e.Source
		if e.SHA256 != "" {
			how += " --sha256 " + e.SHA256
		}
		if e.Key != "" {
			how += " --key " + e.Key
		}
		fmt.Fprintf(w, "%s\t%s\t%s\tplugin add %s\n", words.Printable(e.Name), words.Printable(e.Version), words.Printable(e.Summary), words.Printable(how))
	}
	return w.Flush()
}

// runPush carries out "plugin push", which uploads a module to a registry. If a file next
// to the module contains a signature, runPush uploads the signature, too.
func (f *pluginFlags) runPush(s pluginStreams) error {
	wasm, err := os.ReadFile(f.args[0])
	if err != nil {
		return fmt.Errorf("cannot read %s: %w", f.args[0], cmd.FileCause(err))
	}
	signature, err := os.ReadFile(f.args[0] + ".minisig")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("cannot read %s.minisig: %w", f.args[0], cmd.FileCause(err))
	}
	to, oci := strings.CutPrefix(f.args[1], "oci://")
	if !oci {
		return pluginMisuse{fmt.Sprintf("%q is not an address of a registry: want oci://REGISTRY/NAME:TAG", f.args[1])}
	}
	ctx := context.Background()
	h, err := host.New(ctx, host.Options{})
	if err != nil {
		return err
	}
	defer h.Close(ctx)
	p, err := h.Load(ctx, wasm, host.Manifest{}) // a module that hosts refuse must not be published
	if err != nil {
		return err
	}
	defer p.Close(ctx)
	digest, err := cmd.Fetcher.Push(ctx, to, wasm, signature)
	if err != nil {
		return err
	}
	fmt.Fprintf(s.stdout, "%s %s pushed to oci://%s, digest %s\nsha256 %s\n", p.Description.Name, words.Printable(p.Description.Version), to, digest, p.SHA256)
	return nil
}
