package taubench

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/taubench/env"
)

// Contradiction is the note for a run whose recorded outcome differs from the result of
// its calls. In the benchmark's own results the cause is state that leaked between
// tasks.
const Contradiction = "the replay contradicts the recorded outcome"

// handover is the tool that transfers the user to a person. The benchmark ends a run with
// this call, which does not change the state. So the calls of the reference are carried
// out without it.
const handover = "transfer_to_human_agents"

// replayed is a Replay with the data that it was made from.
type replayed struct {
	abi.Replay
	observed, reference []env.Result      // nil if nothing was replayed
	differing           map[env.Row][]int // for each row, the indices of its differences
	alone               alone             // set if there is no database
}

// Replay carries out the calls of both runs again and compares their final states. If the
// world is nil or has no database of the domain, Replay compares the effects of the
// writing calls instead. Replay returns an error if the request cannot be used or a
// database cannot be read.
func Replay(world *env.World, r *abi.ReplayRequest) (abi.Replay, error) {
	out, err := replayCalls(world, r)
	if err != nil {
		return abi.Replay{}, err
	}
	return out.Replay, nil
}

func replayCalls(world *env.World, r *abi.ReplayRequest) (*replayed, error) {
	b, err := benchmarkOf(r)
	if err != nil {
		return nil, err
	}
	out := &replayed{Replay: abi.Replay{Benchmark: b.id, Domain: string(domainOf(r)), Notes: []string{},
		Differences: []abi.Difference{}, Calls: []abi.ReplayedCall{}}}
	if db := databaseOf(world, env.Domain(out.Domain), b.dialect); db != nil {
		err = out.onDatabase(db, b.dialect, r)
	} else {
		err = out.byEffects(world, r)
	}
	if err != nil {
		return nil, err
	}
	out.findOutputs(r)
	out.decideVerdict(b, r)
	return out, nil
}

func (o *replayed) onDatabase(db *env.Database, dialect env.Dialect, r *abi.ReplayRequest) error {
	o.Basis = abi.BasisDatabase
	obs := db.NewSession(dialect)
	for i := range r.Observed {
		res, err := runCall(obs, &r.Observed[i], "observed", i)
		if err != nil {
			return err
		}
		o.observed = append(o.observed, res)
		o.Calls = append(o.Calls, callReport(i, &r.Observed[i], res))
	}
	ref, results, err := db.Once(dialect, textOf(r.Reference), func(s *env.Session) ([]env.Result, error) {
		return playReference(s, r.Reference)
	})
	if err != nil {
		return err
	}
	o.reference = results
	for i, res := range results {
		if res.Error {
			o.addNote("reference action %d (%s) is refused by the environment: %s", i, r.Reference[i].Name, res.Output)
		}
	}
	o.StateChanged = obs.Changed()
	o.recordDifferences(env.Diff(obs, ref))
	return nil
}

// playReference carries out the calls of the reference, except transfers to a person.
func playReference(s *env.Session, actions []abi.Action) ([]env.Result, error) {
	out := make([]env.Result, len(actions))
	for i := range actions {
		if actions[i].Name == handover {
			continue
		}
		var err error
		if out[i], err = runCall(s, &actions[i], "reference", i); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// textOf returns the names and arguments of the actions as one text. Different lists of
// actions have different texts.
func textOf(actions []abi.Action) string {
	var b []byte
	for i := range actions {
		for _, part := range [...]string{actions[i].Name, string(actions[i].Arguments)} {
			b = append(strconv.AppendInt(b, int64(len(part)), 10), ' ')
			b = append(b, part...)
		}
	}
	return string(b)
}

func runCall(s *env.Session, a *abi.Action, side string, i int) (env.Result, error) {
	args, err := parseArguments(a, side, i)
	if err != nil {
		return env.Result{}, err
	}
	if args == nil {
		return env.Result{Output: "Error: the arguments are not a JSON object", Error: true}, nil
	}
	recorded := ""
	if a.Observation != nil {
		recorded = *a.Observation
	}
	return s.Call(a.Name, args, recorded)
}

func callReport(i int, a *abi.Action, res env.Result) abi.ReplayedCall {
	c := abi.ReplayedCall{Index: i, Changed: len(res.Rows) > 0, Error: res.Error,
		Rewritten: res.Rewritten && len(res.Rows) == 0}
	if a.Observation != nil {
		equal := *a.Observation == res.Output
		c.OutputEqual = &equal
		if !equal {
			c.Output = &res.Output
		}
	}
	return c
}

func (o *replayed) recordDifferences(differences []env.Difference) {
	o.StateEqual = len(differences) == 0
	o.differing = map[env.Row][]int{}
	for i, d := range differences {
		row := env.Row{Table: d.Table, Key: d.Key}
		o.differing[row] = append(o.differing[row], i)
		o.Differences = append(o.Differences, abi.Difference{Table: d.Table, Key: d.Key, Field: d.Field,
			Observed: rawMessage(d.Observed), Reference: rawMessage(d.Reference)})
	}
}

func rawMessage(s *string) json.RawMessage {
	if s == nil {
		return nil
	}
	return json.RawMessage(*s)
}

// findOutputs records in o.Outputs whether the agent's replies contain each required
// output. One reply must contain the whole output. Commas in the replies, and upper and
// lower case, make no difference.
func (o *replayed) findOutputs(r *abi.ReplayRequest) {
	o.Outputs = make(map[string]bool, len(r.Outputs))
	if len(r.Outputs) == 0 {
		return
	}
	said := make([]string, len(r.Replies))
	for i, reply := range r.Replies {
		said[i] = strings.ReplaceAll(strings.ToLower(reply), ",", "")
	}
	for _, want := range r.Outputs {
		o.Outputs[want] = false
		for _, reply := range said {
			if strings.Contains(reply, strings.ToLower(want)) {
				o.Outputs[want] = true
				break
			}
		}
	}
}

func (o *replayed) decideVerdict(b benchmark, r *abi.ReplayRequest) {
	o.Success = o.StateEqual
	for _, said := range o.Outputs {
		o.Success = o.Success && said
	}
	switch {
	case r.Recorded == nil || *r.Recorded == o.Success || o.Basis != abi.BasisDatabase:
	case o.Success && !b.whole:
		o.addNote("the state and the outputs are correct. A replay cannot show the cause of the recorded failure, such as an early end or another assertion")
	default:
		o.Contradicted = true
		o.addNote(Contradiction)
	}
}

func (o *replayed) addNote(format string, args ...any) {
	o.Notes = append(o.Notes, fmt.Sprintf(format, args...))
}
