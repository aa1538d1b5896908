package gold

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/plugins/abi"
)

// The state of a correction in a file.
const (
	Absent    = "absent"    // the file has the actions that the correction changes
	Partly    = "partly"    // the file has some of the correction's changes
	Present   = "present"   // the file has all of the correction's changes
	Moot      = "moot"      // the benchmark's first release does not have the error
	Otherwise = "otherwise" // the file has neither the old action nor the new one
	NoTask    = "no task"   // the file has no such task
)

// Replayer replays the calls of both sides on copies of the benchmark's database.
type Replayer func(abi.ReplayRequest) (abi.Replay, error)

// Report contains the state of each correction in a file.
type Report struct {
	Benchmark string    `json:"benchmark"`
	Tasks     int       `json:"tasks"`
	Verdicts  []Verdict `json:"verdicts"` // for each correction of the file's domains, in order
}

// Verdict is the state of a correction in one task and the result of its replay.
type Verdict struct {
	Correction
	Task    string `json:"task"` // "" if there is none
	Stands  string `json:"stands"`
	Forms   []Form `json:"forms"`   // the lists of actions that the correction accepts
	Refused bool   `json:"refused"` // the environment refuses one of the forms
	Neutral bool   `json:"neutral"` // every form that runs ends in the same state as the file's own gold
	Sound   bool   `json:"sound"`   // absent or partly present, not disputed, and every form runs
	Why     string `json:"why"`     // why it is not sound; "" if it is sound
}

// Form is one list of actions that a correction accepts.
type Form struct {
	Actions   []Call   `json:"actions"`
	Refused   []string `json:"refused"`   // for each call that the environment refuses, its name and the error message
	StateSame bool     `json:"stateSame"` // ends in the same state as the file's own gold
	Unknown   []string `json:"unknown,omitempty"`
}

// Verify reports for each correction whether the file already has it. It also replays the
// corrected actions and reports the result. tools are the names of the tools in the
// benchmark's environment. Corrections of domains that the file does not have are left
// out.
func (f *File) Verify(replay Replayer, tools []string) (*Report, error) {
	out := &Report{Benchmark: f.Benchmark, Tasks: len(f.Tasks), Verdicts: []Verdict{}}
	domains := map[string]bool{}
	for _, c := range Corrections() {
		for _, at := range f.findTasks(&c) {
			v, err := f.taskVerdict(&c, &f.Tasks[at], replay, tools)
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

func (f *File) taskVerdict(c *Correction, t *Task, replay Replayer, tools []string) (Verdict, error) {
	v := Verdict{Correction: *c, Task: t.ID, Forms: []Form{}}
	all, found := applyEdits(c.Edits, t.Actions)
	v.Stands = correctionState(c, t, all, found, f.Benchmark)
	ran, same := 0, 0
	for _, actions := range all {
		form, err := f.replayForm(t, actions, replay, tools)
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
	v.Why = v.unsoundReason()
	v.Sound = v.Why == ""
	return v, nil
}

// correctionState compares a task with the result of a correction. It returns the state
// of the correction: Absent, Partly, Present, Moot or Otherwise.
func correctionState(c *Correction, t *Task, all [][]Call, found []bool, benchmark string) string {
	paths := append([][]Call{t.Actions}, t.Paths...)
	done := !slices.ContainsFunc(all, func(form []Call) bool { return !containsForm(paths, form) })
	if done {
		switch {
		case slices.Contains(c.Moot, benchmark):
			return Moot
		case c.isOtherwise(t):
			return Otherwise
		}
		return Present
	}
	if some := slices.Contains(found, false); some && len(found) > 1 && c.changedBefore(t, found) {
		return Partly
	}
	return Absent
}

// isOtherwise reports whether the task contains neither the old nor the new call of at
// least one edit. If so, a task that has the result of the correction gets the state
// Otherwise instead of Present.
func (c *Correction) isOtherwise(t *Task) bool {
	return slices.ContainsFunc(c.Edits, func(e Edit) bool { return !e.matchesOld(t.Actions) && !e.matchesNew(t.Actions) })
}

// changedBefore reports whether at least one edit has nothing to change because the task
// already contains the edit's result. The slice found says for each edit whether there
// was an action to change.
func (c *Correction) changedBefore(t *Task, found []bool) bool {
	for i := range c.Edits {
		if !found[i] && c.Edits[i].matchesNew(t.Actions) {
			return true
		}
	}
	return false
}

// matchesOld reports whether actions contain the call that an edit changes. If the edit
// changes no single call, the result is true. For example, an edit may remove, add or
// order calls.
func (e *Edit) matchesOld(actions []Call) bool {
	if e.Set == nil && e.Replace == nil {
		return true
	}
	p := e.Set
	if p == nil {
		p = e.Replace
	}
	return slices.ContainsFunc(actions, p.matchesCall)
}

// matchesNew reports whether the actions contain the result of an edit.
func (e *Edit) matchesNew(actions []Call) bool {
	switch {
	case e.Set != nil:
		return slices.ContainsFunc(actions, func(a Call) bool {
			return a.Name == e.Set.Name && slices.ContainsFunc(e.To, func(to map[string]json.RawMessage) bool {
				want, _ := json.Marshal(to)
				return coversPattern(parseValue(a.Arguments), parseValue(e.Set.keptArguments(to))) && coversPattern(parseValue(a.Arguments), parseValue(want))
			})
		})
	case e.Replace != nil:
		// A replaced call is recognised by the name of the new call.
		return slices.ContainsFunc(actions, func(a Call) bool { return a.Name == e.By.Name })
	case e.Remove != nil:
		return !slices.ContainsFunc(actions, e.Remove.matchesCall)
	case e.Add != nil:
		return !slices.ContainsFunc(e.Add, func(c Call) bool {
			p := Pattern{c.Name, c.Arguments}
			return !slices.ContainsFunc(actions, p.matchesCall)
		})
	}
	return false
}

// keptArguments returns the pattern's arguments without those that an edit overwrites.
// The keys of the map are the names of the overwritten arguments.
func (p *Pattern) keptArguments(to map[string]json.RawMessage) json.RawMessage {
	members := map[string]json.RawMessage{}
	_ = json.Unmarshal(p.Where, &members) // a value that is not an object has no members
	for name := range to {
		delete(members, name)
	}
	out, _ := json.Marshal(members)
	return out
}

func (f *File) replayForm(t *Task, actions []Call, replay Replayer, tools []string) (Form, error) {
	out := Form{Actions: actions, Refused: []string{}}
	r, err := replay(abi.ReplayRequest{Benchmark: f.Benchmark, Observed: replayActions(actions), Reference: replayActions(t.Actions)})
	if err != nil {
		return out, err
	}
	out.StateSame = r.StateEqual
	for _, c := range r.Calls {
		a := actions[c.Index]
		switch {
		case !slices.Contains(tools, a.Name):
			out.Unknown = append(out.Unknown, a.Name)
		case c.Error && !isGoldRead(t.Actions, a):
			out.Refused = append(out.Refused, a.Name+": "+outputText(c.Output))
		}
	}
	return out, nil
}

// isGoldRead reports whether a call only reads, and is also in the task's gold. If the
// environment refuses such a call, the correction is not the cause.
func isGoldRead(actions []Call, a Call) bool {
	return strings.HasPrefix(a.Name, "get_") && slices.ContainsFunc(actions, func(b Call) bool { return sameCalls([]Call{a}, []Call{b}) })
}

func outputText(output *string) string {
	if output == nil {
		return "refused"
	}
	return strings.TrimPrefix(*output, "Error: ")
}

// replayActions converts actions for a replay. It gives each action an empty observation,
// so that the replay returns the action's output.
func replayActions(actions []Call) []abi.Action {
	nothing := ""
	out := make([]abi.Action, len(actions))
	for i, a := range actions {
		out[i] = abi.Action{Name: a.Name, Arguments: a.Arguments, Observation: &nothing}
	}
	return out
}

func (v *Verdict) unsoundReason() string {
	switch {
	case v.Stands != Absent && v.Stands != Partly:
		return map[string]string{Present: "the file already has the correction", Moot: "the benchmark's first release does not have the error", Otherwise: "the value in the file differs from the old value and from the new value"}[v.Stands]
	case v.Refused:
		for _, f := range v.Forms {
			if len(f.Refused) > 0 {
				return "the environment refuses the correction: " + f.Refused[0]
			}
		}
	case v.Disputed:
		return "the task contradicts the correction: " + v.Doubts[len(v.Doubts)-1]
	}
	for _, f := range v.Forms {
		if len(f.Unknown) > 0 {
			return "the environment has no tool " + f.Unknown[0]
		}
	}
	return ""
}
