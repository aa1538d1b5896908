package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/checker"
	"github.com/boundcheck/boundcheck/core/trajectory"
	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/checkers"
	"github.com/boundcheck/boundcheck/plugins/host"
)

const checkerUsage = `
Benchmark knowledge, in plugins:
  --env-data DIR         the benchmark's database files: runs are replayed on them,
                         and final states compared (loads the checker that applies)
  --plugin NAME          load this checker, with or without --env-data; also a file,
                         NAME.wasm; one that decodes traces is asked for what no format
                         that Boundcheck knows fits
  --plugins DIR          take NAME.wasm from DIR
  --plugins-lock FILE    the hashes that plugins are held to (default:
                         boundcheck-plugins.lock here, if there)
  --no-plugins           load none
`

// checkerFlags say which benchmark knowledge to load. Without one of them none
// is: a report then has the same bytes from every door.
type checkerFlags struct {
	envData, plugin, dir, lock string
	none                       bool
	every                      bool // of those that come with boundcheck, where they apply
}

func (f *checkerFlags) register(set *flag.FlagSet) {
	set.StringVar(&f.envData, "env-data", "", "")
	set.StringVar(&f.plugin, "plugin", "", "")
	set.StringVar(&f.dir, "plugins", "", "")
	set.StringVar(&f.lock, "plugins-lock", "", "")
	set.BoolVar(&f.none, "no-plugins", false, "")
}

func (f *checkerFlags) wanted() bool {
	return !f.none && (f.envData != "" || f.plugin != "" || f.every)
}

func (f *checkerFlags) check() error {
	if f.none && f.plugin != "" {
		return errors.New("--plugin and --no-plugins contradict each other")
	}
	return nil
}

// plugins are what was loaded: checkers, and where one was named that decodes traces,
// that one.
type plugins struct {
	checkers []checker.Checker
	decoder  *host.Plugin
	decoded  bool // it was needed
	stop     func()
}

// load starts the host and its plugins; stop ends them.
func (f *checkerFlags) load(ctx context.Context, stderr io.Writer) (*plugins, error) {
	if !f.wanted() {
		return &plugins{stop: func() {}}, nil
	}
	h, err := host.New(ctx, host.Options{})
	if err != nil {
		return nil, err
	}
	all := &plugins{stop: func() { h.Close(ctx) }}
	if f.plugin != "" {
		err = f.named(ctx, h, all, stderr)
	} else {
		err = f.bundled(ctx, h, all, stderr)
	}
	if err != nil {
		all.stop()
		return nil, err
	}
	return all, nil
}

// named loads the plugin that was asked for. One that cannot be loaded stands there
// broken; a name that nothing is found under, or one that does nothing for score, is
// a mistake.
func (f *checkerFlags) named(ctx context.Context, h *host.Host, all *plugins, stderr io.Writer) error {
	p, err := f.find(ctx, h, f.plugin, stderr)
	var bad *host.Error
	if errors.As(err, &bad) && bad.Code != host.NotFound && bad.Code != host.BuildFailed {
		fmt.Fprintf(stderr, "boundcheck: %v; scored without it\n", err)
		all.checkers = []checker.Checker{checkers.Broken{Name: bad.Plugin, Err: err}}
		return nil
	}
	if err != nil {
		return err
	}
	d := &p.Description
	if slices.Contains(d.Operations, abi.OpTraceDecode) {
		all.decoder = p
	}
	switch {
	case slices.Contains(d.Operations, abi.OpEquivalenceCheck):
		all.checkers = []checker.Checker{asked(ctx, p, true)}
	case all.decoder == nil:
		return fmt.Errorf("plugin %q neither checks runs nor decodes traces: it has %s", d.Name, strings.Join(d.Operations, ", "))
	}
	if f.envData == "" {
		return nil
	}
	return f.give(ctx, p)
}

// bundled loads those that come with boundcheck and find an environment of theirs in
// the directory that was given.
func (f *checkerFlags) bundled(ctx context.Context, h *host.Host, all *plugins, stderr io.Writer) error {
	var none []error
	for _, name := range host.BundledPlugins() {
		p, err := f.find(ctx, h, name, stderr)
		if err != nil {
			return err
		}
		takes := p.Description.Environment != nil
		if !slices.Contains(p.Description.Operations, abi.OpEquivalenceCheck) || !takes && !f.every {
			continue
		}
		var missing *noEnvironment
		if takes && f.envData != "" {
			err = f.give(ctx, p)
		}
		if errors.As(err, &missing) && !f.every {
			none = append(none, err)
			continue
		} else if err != nil && missing == nil {
			return err
		}
		all.checkers = append(all.checkers, asked(ctx, p, false))
	}
	if len(all.checkers) == 0 {
		return errors.Join(none...)
	}
	return nil
}

// find loads a plugin by its name or file, held to the lock.
func (f *checkerFlags) find(ctx context.Context, h *host.Host, what string, stderr io.Writer) (*host.Plugin, error) {
	name, wasm, err := findPlugin(ctx, what, host.Sources{Dir: f.dir, Log: stderr})
	if err != nil {
		return nil, err
	}
	return loadPinned(ctx, h, wasm, host.Manifest{Name: name}, f.lock)
}

// noEnvironment is a directory that holds nothing for one plugin; another may find its
// own there.
type noEnvironment struct{ error }

func (f *checkerFlags) give(ctx context.Context, p *host.Plugin) error {
	e, err := p.EnvironmentDir(f.envData)
	if err != nil {
		return &noEnvironment{err}
	}
	_, err = p.Use(ctx, e)
	return err
}

// decode lets the plugin read what the core does not know. What the core knows stays
// as it is, and what neither knows is the core's to refuse.
func (l *plugins) decode(ctx context.Context, name string, data []byte) ([]byte, error) {
	if l.decoder == nil || known(data) {
		return data, nil
	}
	d, err := l.decoder.Decode(ctx, filepath.Base(name), data)
	var bad *host.Error
	if errors.As(err, &bad) && bad.Code == abi.CodeUnknownFormat {
		return data, nil
	}
	if err != nil {
		return nil, err
	}
	l.decoded = true
	return d.Trace, nil
}

// known tells whether the core knows the format. That a text may be a list of calls is
// a guess, which a plugin that knows better goes before.
func known(data []byte) bool {
	r, err := core.ReadRequest(data)
	if err != nil || len(r.Inputs) == 0 {
		return err == nil
	}
	doc, err := trajectory.Decode(r.Inputs[0].Data)
	return err == nil && !strings.HasPrefix(doc.Format, "plain-")
}

// credit names the plugin that decoded, beside those that checked.
func (l *plugins) credit(r *core.Report) {
	if !l.decoded {
		return
	}
	about := core.Plugin{Name: l.decoder.Description.Name, Version: l.decoder.Description.Version, SHA256: l.decoder.SHA256}
	if !slices.Contains(r.Plugins, about) {
		r.Plugins = append(r.Plugins, about)
	}
}

// asked is a plugin as the core sees it.
func asked(ctx context.Context, p *host.Plugin, force bool) *checkers.Checker {
	return &checkers.Checker{Description: p.Description, SHA256: p.SHA256, Force: force,
		Ask: func(r abi.CheckRequest) (abi.Check, error) { return p.Check(ctx, r) },
		Slow: func(err error) bool {
			var bad *host.Error
			return errors.As(err, &bad) && bad.Code == host.Deadline
		}}
}
