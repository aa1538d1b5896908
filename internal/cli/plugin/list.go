package plugin

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/internal/render"
	"github.com/boundcheck/boundcheck/internal/words"
	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/host"
	"github.com/boundcheck/boundcheck/plugins/store"
)

// listedPlugin is one row of "plugin list". Error is the reason why the plugin cannot
// be used; then only name and source are set.
type listedPlugin struct {
	Name       string   `json:"name"`
	Source     string   `json:"source"` // bundled, installed, or the file
	Version    string   `json:"version,omitempty"`
	Summary    string   `json:"summary,omitempty"`
	Operations []string `json:"operations,omitempty"`
	Benchmarks []string `json:"benchmarks,omitempty"`
	Templates  []string `json:"templates,omitempty"`
	Bytes      int      `json:"bytes,omitempty"`
	Gzip       int      `json:"gzip,omitempty"` // size at gzip's best level
	SHA256     string   `json:"sha256,omitempty"`
	Pinned     bool     `json:"pinned"`        // the lock names it, with this hash
	Key        string   `json:"key,omitempty"` // the key that signed it, by the lock
	Locked     string   `json:"lockedFrom,omitempty"`
	Error      string   `json:"error,omitempty"`
}

func (f *pluginFlags) runList(s pluginStreams) error {
	ctx := context.Background()
	rows, err := f.listCandidates()
	if err != nil {
		return err
	}
	lock, err := host.ReadLock(f.lock)
	if err != nil {
		return err
	}
	accepts, err := cmd.LockOf{}.VersionChecker()
	if err != nil {
		return err
	}
	h, err := host.New(ctx, host.Options{})
	if err != nil {
		return err
	}
	defer h.Close(ctx)
	broken := false
	for i := range rows {
		if err := rows[i].fillRow(ctx, h, lock, accepts, s.stderr); err != nil {
			rows[i].Error, broken = err.Error(), true
		}
	}
	if f.format == "json" {
		err = promptJSON(s.stdout, map[string]any{"plugins": rows})
	} else {
		err = writePluginTable(s.stdout, rows)
	}
	for _, r := range rows {
		if r.Error != "" {
			fmt.Fprintf(s.stderr, "boundcheck plugin: %s\n", r.Error)
		}
	}
	if broken && err == nil {
		err = errPluginSaid
	}
	return err
}

// listCandidates returns a row with the name and the source of each plugin, sorted by
// name. If several plugins have the same name, a file in the given directory has priority
// over a bundled plugin, and a bundled plugin over an installed one.
func (f *pluginFlags) listCandidates() (rows []listedPlugin, err error) {
	have := map[string]bool{}
	if dir := f.searchFolder(); dir != "" {
		files, err := os.ReadDir(dir)
		if err != nil {
			return nil, fmt.Errorf("cannot read %s: %w", dir, cmd.FileCause(err))
		}
		for _, file := range files {
			if name, ok := strings.CutSuffix(file.Name(), ".wasm"); ok && !file.IsDir() {
				rows, have[name] = append(rows, listedPlugin{Name: name, Source: filepath.Join(dir, file.Name())}), true
			}
		}
	}
	for _, name := range host.BundledPlugins() {
		if !have[name] {
			rows, have[name] = append(rows, listedPlugin{Name: name, Source: "bundled"}), true
		}
	}
	if shelf, err := store.Default(); err == nil {
		names, err := shelf.Names()
		if err != nil {
			return nil, fmt.Errorf("cannot read %s: %w", shelf.Dir, cmd.FileCause(err))
		}
		for _, name := range names {
			if !have[name] {
				rows = append(rows, listedPlugin{Name: name, Source: "installed"})
			}
		}
	}
	slices.SortFunc(rows, func(a, b listedPlugin) int { return cmp.Compare(a.Name, b.Name) })
	return rows, nil
}

// readModule returns a row's module.
func (r *listedPlugin) readModule(ctx context.Context, stderr io.Writer) ([]byte, error) {
	switch r.Source {
	case "installed":
		return cmd.InstalledModule(r.Name)
	case "bundled":
		return host.Bundled(ctx, r.Name, host.Sources{Log: stderr})
	}
	return os.ReadFile(r.Source)
}

// fillRow loads the plugin of a row and fills the row. A plugin that is not in the lock
// is accepted. If the lock requires another hash, fillRow returns an error.
func (r *listedPlugin) fillRow(ctx context.Context, h *host.Host, lock host.Lock, accepts func(abi.Description) error, stderr io.Writer) error {
	wasm, err := r.readModule(ctx, stderr)
	if err != nil {
		return err
	}
	p, err := h.Load(ctx, wasm, lock.Pin(host.Manifest{Name: r.Name, Accepts: accepts}))
	if err != nil {
		return err
	}
	defer p.Close(ctx)
	d := &p.Description
	r.Version, r.Summary, r.Operations, r.SHA256 = d.Version, d.Summary, d.Operations, p.SHA256
	r.Bytes, r.Gzip, r.Pinned = len(wasm), cmd.GzipSize(wasm), lock[r.Name].SHA256 == p.SHA256
	if r.Pinned {
		r.Key, r.Locked = lock[r.Name].Key, lock[r.Name].Source
	}
	for _, b := range d.Benchmarks {
		r.Benchmarks = append(r.Benchmarks, b.ID)
	}
	for _, t := range d.Templates {
		r.Templates = append(r.Templates, t.ID)
	}
	return nil
}

// pinnedText returns the text in the column "pinned":
//
//   - "signed" if the lock has the plugin's hash and a key
//   - "yes" if the lock has only the plugin's hash
//   - "no" in all other cases
func (r *listedPlugin) pinnedText() string {
	if r.Pinned && r.Key != "" {
		return "signed"
	}
	return render.YesNo(&r.Pinned)
}

func writePluginTable(out io.Writer, rows []listedPlugin) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "PLUGIN\tVERSION\tMB\tGZIP\tSHA256\tPINNED\tFROM\tOPERATIONS\tBENCHMARKS")
	list := func(names []string) string { return words.Printable(strings.Join(names, ", ")) }
	for _, r := range rows {
		r.Name, r.Source = words.Printable(r.Name), words.Printable(r.Source)
		if r.Error != "" {
			fmt.Fprintf(w, "%s\t-\t-\t-\t-\t-\t%s\tcannot be used\t-\n", r.Name, r.Source)
			continue
		}
		fmt.Fprintf(w, "%s\t%s\t%.2f\t%.2f\t%.12s\t%s\t%s\t%s\t%s\n", r.Name, words.Printable(r.Version), float64(r.Bytes)/1e6, float64(r.Gzip)/1e6,
			r.SHA256, r.pinnedText(), cmp.Or(words.Printable(r.Locked), r.Source), list(r.Operations), cmp.Or(list(r.Benchmarks), "-"))
	}
	return w.Flush()
}
