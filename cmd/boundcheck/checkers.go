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

	"github.com/boundcheck/boundcheck/core/checker"
	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/host"
)

const checkerUsage = `
Benchmark knowledge, in plugins:
  --env-data DIR         the benchmark's database files: runs are replayed on them,
                         and final states compared (loads the checker that applies)
  --plugin NAME          load this checker, with or without --env-data; also a file,
                         NAME.wasm
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
}

func (f *checkerFlags) register(set *flag.FlagSet) {
	set.StringVar(&f.envData, "env-data", "", "")
	set.StringVar(&f.plugin, "plugin", "", "")
	set.StringVar(&f.dir, "plugins", "", "")
	set.StringVar(&f.lock, "plugins-lock", "", "")
	set.BoolVar(&f.none, "no-plugins", false, "")
}

func (f *checkerFlags) wanted() bool { return !f.none && (f.envData != "" || f.plugin != "") }

func (f *checkerFlags) check(stream bool) error {
	switch {
	case f.none && f.plugin != "":
		return errors.New("--plugin and --no-plugins contradict each other")
	case f.wanted() && stream:
		return errors.New("--stream takes no plugins yet; score without it, or without --env-data and --plugin")
	}
	return nil
}

// load starts the host and its checkers; stop ends them.
func (f *checkerFlags) load(ctx context.Context, stderr io.Writer) (all []checker.Checker, stop func(), err error) {
	if !f.wanted() {
		return nil, func() {}, nil
	}
	h, err := host.New(ctx, host.Options{})
	if err != nil {
		return nil, nil, err
	}
	stop = func() { h.Close(ctx) }
	names := []string{f.plugin}
	if f.plugin == "" {
		names = host.BundledPlugins()
	}
	var others []error
	for _, name := range names {
		c, err := f.open(ctx, h, name, stderr)
		var none *noEnvironment
		if errors.As(err, &none) && f.plugin == "" {
			others = append(others, err)
			continue
		}
		if err != nil {
			stop()
			return nil, nil, err
		}
		if c != nil {
			all = append(all, c)
		}
	}
	if len(all) == 0 {
		stop()
		return nil, nil, errors.Join(others...)
	}
	return all, stop, nil
}

// noEnvironment is a directory that holds nothing for one plugin; another may find its
// own there.
type noEnvironment struct{ error }

// open loads one plugin as a checker; nil where nobody asked for it by name and it
// takes no environment.
func (f *checkerFlags) open(ctx context.Context, h *host.Host, what string, stderr io.Writer) (checker.Checker, error) {
	name, wasm, err := findPlugin(ctx, what, host.Sources{Dir: f.dir, Log: stderr})
	if err != nil {
		return nil, err
	}
	p, err := loadPinned(ctx, h, wasm, host.Manifest{Name: name}, f.lock)
	if err != nil {
		var bad *host.Error
		if !errors.As(err, &bad) {
			return nil, err
		}
		fmt.Fprintf(stderr, "boundcheck: %v; scored without it\n", err)
		return brokenChecker{name, err}, nil
	}
	c := &pluginChecker{ctx: ctx, p: p, force: f.plugin != ""}
	if !c.force && p.Description.Environment == nil {
		return nil, nil
	}
	if err := c.usable(); err != nil || f.envData == "" {
		return c, err
	}
	e, err := p.EnvironmentDir(f.envData)
	if err != nil {
		return nil, &noEnvironment{err}
	}
	_, err = p.Use(ctx, e)
	return c, err
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
	slow  error // it ran into its deadline: it is not asked again
}

// usable tells a plugin that does nothing for score.
func (c *pluginChecker) usable() error {
	if d := &c.p.Description; !slices.Contains(d.Operations, abi.OpEquivalenceCheck) {
		return fmt.Errorf("plugin %q checks no runs: it has %s", d.Name, strings.Join(d.Operations, ", "))
	}
	return nil
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
	if c.slow != nil {
		return checker.Verdict{}, fmt.Errorf("not asked again: %w", c.slow)
	}
	answer, err := c.p.Check(c.ctx, request)
	if err != nil {
		var bad *host.Error
		if errors.As(err, &bad) && bad.Code == host.Deadline {
			c.slow = err
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
