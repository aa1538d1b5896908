package gold

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/plugins/abi"
)

// Where a correction stands in a file.
const (
	Absent    = "absent"    // what it changes is there as it was
	Partly    = "partly"    // some of it was done
	Present   = "present"   // all of it was done
	Moot      = "moot"      // the benchmark's first release does not have the fault
	Otherwise = "otherwise" // neither what was there nor what should be
	NoTask    = "no task"   // the file has no such task
)

// Replayer makes the calls of both sides on copies of the benchmark's database.
type Replayer func(abi.ReplayRequest) (abi.Replay, error)

// Report is what a file has of the corrections.
type Report struct {
	Benchmark string    `json:"benchmark"`
	Tasks     int       `json:"tasks"`
	Verdicts  []Verdict `json:"verdicts"` // one for each correction that is of the file's domains, in order
}

// Verdict is a correction, where it stands in one task, and what a replay says of it.
type Verdict struct {
	Correction
	Task    string `json:"task"` // "" where there is none
	Stands  string `json:"stands"`
	Forms   []Form `json:"forms"`   // the lists of actions that the correction accepts
	Refused bool   `json:"refused"` // the environment refuses one of the forms
	Neutral bool   `json:"neutral"` // every form that runs ends in the state of the file's own gold
	Sound   bool   `json:"sound"`   // absent or partly there, not disputed, and every form runs
	Why     string `json:"why"`     // why it is not sound; "" for a sound one
}

// Form is one list of actions that a correction accepts.
type Form struct {
	Actions   []Call   `json:"actions"`
	Refused   []string `json:"refused"`   // each call that the environment refuses, and its words
	StateSame bool     `json:"stateSame"` // ends in the state of the file's own gold
	Unknown   []string `json:"unknown,omitempty"`
}

// Verify says of each correction whether the file has it, and what a replay gives.
// tools are the names that the benchmark's environment knows. Corrections of a domain
// that the file does not have are left out.
func (f *File) Verify(replay Replayer, tools []string) (*Report, error) {
	out := &Report{Benchmark: f.Benchmark, Tasks: len(f.Tasks), Verdicts: []Verdict{}}
	domains := map[string]bool{}
	for _, c := range Corrections() {
		for _, at := range f.find(&c) {
			v, err := f.verdict(&c, &f.Tasks[at], replay, tools)
			if err != nil {
				return nil, err
			}
			out.Verdicts = append(out.Verdicts, v)
			domains[c.Domain] = true
		}
		if n := len(out.Verdicts); n == 0 || out.Verdicts[n-1].ID != c.ID {
			out.Verdicts = append(out.Verdicts, Verdict{Correction: c, Stands: NoTask, Forms: []Form{}, Why: "the file has no such task"})
		}
	}
	out.Verdicts = slices.DeleteFunc(out.Verdicts, func(v Verdict) bool { return v.Stands == NoTask && !domains[v.Domain] })
	return out, nil
}

func (f *File) verdict(c *Correction, t *Task, replay Replayer, tools []string) (Verdict, error) {
	v := Verdict{Correction: *c, Task: t.ID, Forms: []Form{}}
	all, found := forms(c.Edits, t.Actions)
	v.Stands = stands(c, t, all, found, f.Benchmark)
	ran, same := 0, 0
	for _, actions := range all {
		form, err := f.form(t, actions, replay, tools)
		if err != nil {
			return v, fmt.Errorf("correction %s, task %s: %w", c.ID, t.ID, err)
		}
		v.Forms = append(v.Forms, form)
		if len(form.Refused) > 0 {
			v.Refused = true
			continue
		}
		if ran++; form.StateSame {
			same++
		}
	}
	v.Neutral = ran > 0 && same == ran
	v.Why = v.unsound()
	v.Sound = v.Why == ""
	return v, nil
}

// stands compares what a task has with what the correction makes of it.
func stands(c *Correction, t *Task, all [][]Call, found []bool, benchmark string) string {
	paths := append([][]Call{t.Actions}, t.Paths...)
	done := !slices.ContainsFunc(all, func(form []Call) bool { return !contains(paths, form) })
	if done {
		switch {
		case slices.Contains(c.Moot, benchmark):
			return Moot
		case c.otherwise(t):
			return Otherwise
		}
		return Present
	}
	if some := slices.Contains(found, false); some && len(found) > 1 && c.changedBefore(t, found) {
		return Partly
	}
	return Absent
}

// otherwise reports whether an edit that lays arguments over a call finds neither the
// old call nor the new one.
func (c *Correction) otherwise(t *Task) bool {
	return slices.ContainsFunc(c.Edits, func(e Edit) bool { return !e.stood(t.Actions) && !e.made(t.Actions) })
}

// changedBefore reports whether an edit that finds nothing to do left its result.
func (c *Correction) changedBefore(t *Task, found []bool) bool {
	for i := range c.Edits {
		if !found[i] && c.Edits[i].made(t.Actions) {
			return true
		}
	}
	return false
}

// stood reports whether the file has the action that an edit changes. It is true for an
// edit that only removes, adds or orders actions.
func (e *Edit) stood(actions []Call) bool {
	if e.Set == nil && e.Replace == nil {
		return true
	}
	p := e.Set
	if p == nil {
		p = e.Replace
	}
	return slices.ContainsFunc(actions, p.matches)
}

// made reports whether the result of an edit is there.
func (e *Edit) made(actions []Call) bool {
	switch {
	case e.Set != nil:
		return slices.ContainsFunc(actions, func(a Call) bool {
			return a.Name == e.Set.Name && slices.ContainsFunc(e.To, func(to map[string]json.RawMessage) bool {
				want, _ := json.Marshal(to)
				return covers(parsed(a.Arguments), parsed(e.Set.rest(to))) && covers(parsed(a.Arguments), parsed(want))
			})
		})
	case e.Replace != nil:
		// A call that takes the place of another is known by its name and by one value.
		return slices.ContainsFunc(actions, func(a Call) bool { return a.Name == e.By.Name })
	case e.Remove != nil:
		return !slices.ContainsFunc(actions, e.Remove.matches)
	case e.Add != nil:
		return !slices.ContainsFunc(e.Add, func(c Call) bool {
			p := Pattern{c.Name, c.Arguments}
			return !slices.ContainsFunc(actions, p.matches)
		})
	}
	return false
}

// rest is a pattern without the arguments that an alternative lays over.
func (p *Pattern) rest(to map[string]json.RawMessage) json.RawMessage {
	members := map[string]json.RawMessage{}
	_ = json.Unmarshal(p.Where, &members) // one that is no object has no members
	for name := range to {
		delete(members, name)
	}
	out, _ := json.Marshal(members)
	return out
}

func (f *File) form(t *Task, actions []Call, replay Replayer, tools []string) (Form, error) {
	out := Form{Actions: actions, Refused: []string{}}
	r, err := replay(abi.ReplayRequest{Benchmark: f.Benchmark, Observed: asked(actions), Reference: asked(t.Actions)})
	if err != nil {
		return out, err
	}
	out.StateSame = r.StateEqual
	for _, c := range r.Calls {
		a := actions[c.Index]
		switch {
		case !slices.Contains(tools, a.Name):
			out.Unknown = append(out.Unknown, a.Name)
		case c.Error && !stood(t.Actions, a):
			out.Refused = append(out.Refused, a.Name+": "+said(c.Output))
		}
	}
	return out, nil
}

// stood reports whether the file's own gold has a call that only reads and the
// environment refuses it there too: the correction has nothing to do with it.
func stood(actions []Call, a Call) bool {
	return strings.HasPrefix(a.Name, "get_") && slices.ContainsFunc(actions, func(b Call) bool { return same([]Call{a}, []Call{b}) })
}

func said(output *string) string {
	if output == nil {
		return "refused"
	}
	return strings.TrimPrefix(*output, "Error: ")
}

// asked are actions as a replay takes them; each has an empty observation, so that its
// output is told.
func asked(actions []Call) []abi.Action {
	nothing := ""
	out := make([]abi.Action, len(actions))
	for i, a := range actions {
		out[i] = abi.Action{Name: a.Name, Arguments: a.Arguments, Observation: &nothing}
	}
	return out
}

func (v *Verdict) unsound() string {
	switch {
	case v.Stands != Absent && v.Stands != Partly:
		return map[string]string{Present: "the file has it", Moot: "the file never had the fault", Otherwise: "the file says a third thing"}[v.Stands]
	case v.Refused:
		for _, f := range v.Forms {
			if len(f.Refused) > 0 {
				return "the environment refuses it: " + f.Refused[0]
			}
		}
	case v.Disputed:
		return "the task says otherwise: " + v.Doubts[len(v.Doubts)-1]
	}
	for _, f := range v.Forms {
		if len(f.Unknown) > 0 {
			return "the environment has no tool " + f.Unknown[0]
		}
	}
	return ""
}
