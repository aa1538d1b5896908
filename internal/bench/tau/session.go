package tau

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"

	"github.com/boundcheck/boundcheck/internal/bench/env"
	desk "github.com/boundcheck/boundcheck/plugins/taubench/env"
	"github.com/boundcheck/boundcheck/plugins/taubench/py"
)

// session is one run in an environment.
type session struct {
	desk  *desk.Session
	calls []env.Call
	err   error // the data could not be read
}

// Begin starts a run on the original data.
func (w *world) Begin() env.Session { return &session{desk: w.database.NewSession(w.dialect)} }

// Call executes a call. Arguments that are not an object are refused.
func (s *session) Call(name string, raw json.RawMessage) string {
	text := strings.TrimSpace(string(raw))
	if text == "" { // some servers send no arguments in this way
		text = "{}"
	}
	v, err := py.Parse(text)
	args, ok := v.(*py.Dict)
	if err != nil || !ok {
		return "Error: the arguments are not a JSON object"
	}
	c := env.Call{Name: name}
	if err := json.Unmarshal([]byte(text), &c.Arguments); err != nil {
		return "Error: " + err.Error()
	}
	s.calls = append(s.calls, c)
	res, err := s.desk.Call(name, args, "")
	if err != nil {
		s.err = errors.Join(s.err, err)
		return "Error: " + err.Error()
	}
	return res.Output
}

// State returns the differences between the present data and the original data.
func (s *session) State() string { return s.desk.State() }

// criteria determine a task's reward.
type criteria struct {
	gold    []action
	says    []string
	basis   []string // τ²'s basis; nil means DB and COMMUNICATE
	asserts []string // τ²'s assertions in natural language
}

// action is one of the gold's actions. Its arguments keep their original text, because the
// benchmark treats 5 and 5.0 as different.
type action struct {
	env.Call
	raw     json.RawMessage
	compare []string // τ²'s compare_args; nil for all
}

// Reward returns the benchmark's reward, which is 1 or 0. It is 0 for a run that was cut
// off. It is 1 if all of these conditions are true:
//
//   - the database equals the database after the actions of the gold
//   - each required text is in one of the agent's messages
//   - the run made all actions of the gold (only some tasks of τ²)
//
// A gold action that the environment refuses is skipped. For τ², only the conditions in
// the task's reward basis count. Reward ignores the part of the basis that needs a judge,
// which Assertions returns.
func (w *world) Reward(t *env.Task, o *env.Outcome) (float64, error) {
	s, ok := o.Session.(*session)
	if !ok {
		return 0, errors.New("the session belongs to another environment")
	}
	if s.err != nil {
		return 0, s.err
	}
	c, err := w.criteriaOf(t)
	if err != nil || !o.Done {
		return 0, err
	}
	gold := w.Begin().(*session)
	for _, a := range c.gold {
		if a.Name != handover {
			gold.Call(a.Name, a.raw)
		}
	}
	if gold.err != nil {
		return 0, gold.err
	}
	if c.includesPart("DB") && len(desk.Diff(s.desk, gold.desk)) > 0 ||
		c.includesPart("COMMUNICATE") && !allTextsSaid(c.says, o.Said) ||
		c.includesPart("ACTION") && !c.allActionsMade(s.calls) {
		return 0, nil
	}
	return 1, nil
}

// Assertions returns τ²'s assertions about a run of the task. It returns nil if they do
// not count for the task's reward.
func (w *world) Assertions(t *env.Task) []string {
	if c, err := w.criteriaOf(t); err == nil && c.basis != nil && c.includesPart("NL_ASSERTION") {
		return c.asserts
	}
	return nil
}

func (w *world) criteriaOf(t *env.Task) (*criteria, error) {
	for i := range w.tasks {
		if &w.tasks[i] == t {
			return &w.criteria[i], nil
		}
	}
	return nil, errors.New("the task belongs to another environment")
}

// includesPart reports whether the given part counts for the reward of a task. If a task
// does not list the parts of its reward, every part except the actions counts.
func (c *criteria) includesPart(part string) bool {
	if c.basis == nil {
		return part != "ACTION"
	}
	for _, b := range c.basis {
		if b == part {
			return true
		}
	}
	return false
}

// allTextsSaid reports whether each text is in one of the messages. It ignores commas in
// messages, and the difference between upper and lower case.
func allTextsSaid(texts, messages []string) bool {
	for _, want := range texts {
		found := false
		for _, m := range messages {
			found = found || strings.Contains(strings.ReplaceAll(strings.ToLower(m), ",", ""), strings.ToLower(want))
		}
		if !found {
			return false
		}
	}
	return true
}

// allActionsMade reports whether the calls contain each action of the gold with equal
// arguments. It compares only the arguments that the action names for comparison.
func (c *criteria) allActionsMade(calls []env.Call) bool {
	for _, want := range c.gold {
		found := false
		for _, got := range calls {
			found = found || want.Name == got.Name && sameArguments(&want.Call, &got, want.compare)
		}
		if !found {
			return false
		}
	}
	return true
}

func sameArguments(want, got *env.Call, names []string) bool {
	if names == nil { // like the benchmark, which compares the arguments of the call
		for name := range got.Arguments {
			names = append(names, name)
		}
	}
	for _, name := range names {
		a, inWant := want.Arguments[name]
		b, inGot := got.Arguments[name]
		if inWant != inGot || !reflect.DeepEqual(a, b) {
			return false
		}
	}
	return true
}
