package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/checker"
	"github.com/boundcheck/boundcheck/core/trajectory"
	"github.com/boundcheck/boundcheck/plugins/abi"
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
		all.checkers = []checker.Checker{brokenChecker{bad.Plugin, err}}
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
		all.checkers = []checker.Checker{&pluginChecker{ctx: ctx, p: p, force: true}}
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
		all.checkers = append(all.checkers, &pluginChecker{ctx: ctx, p: p})
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
	d, err := l.decoder.Decode(ctx, name, data)
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

// brokenChecker stands for a plugin that was asked for and cannot be loaded: each run
// is scored without it, and the report says why.
type brokenChecker struct {
	name string
	err  error
}

// About is part of checker.Checker.
func (c brokenChecker) About() checker.About { return checker.About{Name: c.name} }

// Applies is part of checker.Checker.
func (c brokenChecker) Applies(string, []string) (string, bool) { return "", true }

// Check is part of checker.Checker.
func (c brokenChecker) Check(*checker.Case) (checker.Verdict, error) { return checker.Verdict{}, c.err }

// pluginChecker is a plugin as the core sees it.
type pluginChecker struct {
	ctx   context.Context
	p     *host.Plugin
	force bool
	slow  atomic.Pointer[host.Error] // it ran into its deadline: it is not asked again
}

// About is part of checker.Checker.
func (c *pluginChecker) About() checker.About {
	return checker.About{Name: c.p.Description.Name, Version: c.p.Description.Version, SHA256: c.p.SHA256}
}

// Applies is part of checker.Checker. A checker that was asked for by name also
// takes what it would not have recognised.
func (c *pluginChecker) Applies(format string, names []string) (string, bool) {
	id, ok := abi.Detect(c.p.Description.Benchmarks, format, names)
	return id, ok || c.force
}

// Check is part of checker.Checker.
func (c *pluginChecker) Check(in *checker.Case) (checker.Verdict, error) {
	request := abi.CheckRequest{ReplayRequest: abi.ReplayRequest{Benchmark: in.Benchmark, Observed: abiCalls(in.Observed),
		Reference: abiCalls(in.Reference), Outputs: in.Outputs, Replies: in.Replies, Recorded: in.Recorded, Task: in.Task, Opening: in.Opening,
		Submission: in.Submission, Reward: in.Reward}}
	for _, a := range in.Assertions {
		request.Assertions = append(request.Assertions, abi.Assertion(a))
	}
	for _, r := range in.Rows {
		request.Alignment = append(request.Alignment, abi.Row{Op: r.Op, Obs: r.Obs, Ref: r.Ref})
	}
	if slow := c.slow.Load(); slow != nil {
		return checker.Verdict{}, fmt.Errorf("not asked again: %w", slow)
	}
	answer, err := c.p.Check(c.ctx, request)
	if err != nil {
		var bad *host.Error
		if errors.As(err, &bad) && bad.Code == host.Deadline {
			c.slow.Store(bad)
		}
		return checker.Verdict{}, err
	}
	return verdict(&answer), nil
}

func abiCalls(in []checker.Call) []abi.Action {
	out := make([]abi.Action, len(in))
	for i, c := range in {
		out[i] = abi.Action{Name: c.Name, Text: c.Text, Requestor: c.Requestor, Observation: c.Observation, Failed: c.Failed}
		switch {
		case c.Broken:
			out[i].Arguments, _ = json.Marshal(c.Arguments)
		case c.Arguments != "":
			out[i].Arguments = json.RawMessage(c.Arguments)
		}
	}
	return out
}

func verdict(a *abi.Check) checker.Verdict {
	var v checker.Verdict
	for _, x := range a.Excused {
		v.Excused = append(v.Excused, checker.Excuse(x))
	}
	for _, b := range a.Blamed {
		v.Blamed = append(v.Blamed, checker.Blame(b))
	}
	r := &checker.Replay{Benchmark: a.Replay.Benchmark, Basis: a.Replay.Basis, Success: a.Replay.Success, StateEqual: a.Replay.StateEqual,
		Outputs: a.Replay.Outputs, Contradicted: a.Replay.Contradicted, Notes: a.Replay.Notes}
	for _, d := range a.Replay.Differences {
		r.Differences = append(r.Differences, checker.Difference{Table: d.Table, Key: d.Key, Field: d.Field,
			Observed: string(d.Observed), Reference: string(d.Reference)})
	}
	r.Score = a.Replay.Score
	for _, x := range a.Replay.Assertions {
		r.Assertions = append(r.Assertions, checker.Assertion(x))
	}
	v.Replay = r
	return v
}
