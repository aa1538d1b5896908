// Package checkers turns a plugin into a checker.Checker, which the core calls. The
// front end decides how to reach the plugin: the command runs it in wazero, the page
// and Node in the JavaScript engine that they run on.
package checkers

import (
	"encoding/json"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/stage/checker"
	"github.com/boundcheck/boundcheck/plugins/abi"
)

// Checker implements the core's interface checker.Checker with a plugin. It is safe for
// concurrent use if the function Ask is.
type Checker struct {
	Description abi.Description
	SHA256      string // of the module, lower-case hex
	Force       bool   // the user named the plugin: it also applies to documents that it would not recognise

	Ask  func(abi.CheckRequest) (abi.Check, error) // fills in Op and Environment
	Slow func(error) bool                          // reports whether an error of Ask is a deadline; the plugin is then not asked again

	late       atomic.Pointer[error]
	once       sync.Once
	vocabulary *boundary.Vocabulary
}

// About implements checker.Checker.
func (c *Checker) About() checker.About {
	return checker.About{Name: c.Description.Name, Version: c.Description.Version, SHA256: c.SHA256}
}

// Applies implements checker.Checker. If Force is set, the result is always true.
func (c *Checker) Applies(format string, names []string) (string, bool) {
	id, ok := abi.Detect(c.Description.Benchmarks, format, names)
	return id, ok || c.Force
}

// Vocabulary implements checker.Speaker. It computes the vocabulary at the first call,
// and returns nil if the description has neither aliases nor compositions.
func (c *Checker) Vocabulary() *boundary.Vocabulary {
	c.once.Do(func() {
		d := &c.Description
		if len(d.Aliases) == 0 && len(d.Compositions) == 0 {
			return
		}
		c.vocabulary = &boundary.Vocabulary{Aliases: d.Aliases}
		for _, x := range d.Compositions {
			c.vocabulary.Compositions = append(c.vocabulary.Compositions, boundary.Composition(x))
		}
	})
	return c.vocabulary
}

// Check implements checker.Checker.
func (c *Checker) Check(in *checker.Case) (checker.Verdict, error) {
	if late := c.late.Load(); late != nil {
		return checker.Verdict{}, fmt.Errorf("not asked again: %w", *late)
	}
	answer, err := c.Ask(toRequest(in))
	if err != nil {
		if c.Slow != nil && c.Slow(err) {
			c.late.Store(&err)
		}
		return checker.Verdict{}, err
	}
	return toVerdict(&answer), nil
}

// Broken takes the place of a plugin that was named and cannot be loaded. Each run is
// scored without the plugin, and the report gives the reason.
type Broken struct {
	Name string
	Err  error
}

// About implements checker.Checker.
func (b Broken) About() checker.About { return checker.About{Name: b.Name} }

// Applies implements checker.Checker. The result is always true, so that each run gets
// the error.
func (b Broken) Applies(string, []string) (string, bool) { return "", true }

// Check implements checker.Checker.
func (b Broken) Check(*checker.Case) (checker.Verdict, error) { return checker.Verdict{}, b.Err }

// Scout takes the place of a checker that is not loaded. It rules on no run. It calls
// Found with the benchmark's id for each document to which the checker would apply.
type Scout struct {
	Description abi.Description
	Found       func(benchmark string)
}

// About implements checker.Checker.
func (s Scout) About() checker.About {
	return checker.About{Name: s.Description.Name, Version: s.Description.Version}
}

// Applies implements checker.Checker.
func (s Scout) Applies(format string, names []string) (string, bool) {
	if id, ok := abi.Detect(s.Description.Benchmarks, format, names); ok {
		s.Found(id)
	}
	return "", false
}

// Check implements checker.Checker. The core never calls this method, because Applies
// returns false.
func (s Scout) Check(*checker.Case) (checker.Verdict, error) {
	return checker.Verdict{}, fmt.Errorf("%s is not loaded", s.Description.Name)
}

func toRequest(in *checker.Case) abi.CheckRequest {
	out := abi.CheckRequest{ReplayRequest: abi.ReplayRequest{Benchmark: in.Benchmark, Observed: toActions(in.Observed),
		Reference: toActions(in.Reference), Outputs: in.Outputs, Replies: in.Replies, Recorded: in.Recorded, Task: in.Task, Opening: in.Opening,
		Submission: in.Submission, Reward: in.Reward}}
	for _, a := range in.Assertions {
		out.Assertions = append(out.Assertions, abi.Assertion(a))
	}
	for _, r := range in.Rows {
		out.Alignment = append(out.Alignment, abi.Row{Op: r.Op, Obs: r.Obs, Ref: r.Ref})
	}
	return out
}

func toActions(in []checker.Call) []abi.Action {
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

func toVerdict(a *abi.Check) checker.Verdict {
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
