package mapping

import (
	"fmt"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/byshape"
)

// A mapping is held to the law of reading: what looks like a call in the text is read with
// the mapping, or it is said that it is not.

// Measured says what a mapping reads of a text, and what it leaves out.
type Measured struct {
	Runs, Calls int
	Unread      int      // objects that look like calls and are not read
	Names       []string // the names in the first of them
	Joined      int      // records of the text that become one run; 0 if each is one, or a part of one
}

// Fault says in words what a mapping leaves out, or "".
func (m *Measured) Fault() string {
	var parts []string
	if m.Unread > 0 {
		what := "1 object looks like a call but is not read with the mapping: "
		if m.Unread > 1 {
			what = fmt.Sprintf("%d objects look like calls but are not read with the mapping: ", m.Unread)
		}
		parts = append(parts, what+strings.Join(m.Names, ", "))
	}
	if m.Joined > 0 {
		parts = append(parts, fmt.Sprintf("the mapping reads %d records as one run; if each is a run, set runs", m.Joined))
	}
	return strings.Join(parts, "; ")
}

// Measure returns what the mapping reads of a text.
func (m *Map) Measure(data []byte) (Measured, error) {
	v, err := parseDocument(data)
	if err != nil {
		return Measured{}, err
	}
	c, err := m.compilePaths()
	if err != nil {
		return Measured{}, err
	}
	return m.measureRuns(v, c, m.runsOf(v, c)), nil
}

func (m *Map) runsOf(v jsonval.Value, c paths) []jsonval.Value {
	if m.Runs == "" {
		return []jsonval.Value{v}
	}
	return flattenObjects(c.findMember(v, "runs"))
}

func (m *Map) measureRuns(v jsonval.Value, c paths, runs []jsonval.Value) Measured {
	out := Measured{Runs: len(runs)}
	read := map[string]int{}
	for _, r := range runs {
		for _, call := range flattenObjects(c.findMember(r, "calls")) {
			out.Calls++
			read[call.Raw()]++
			call.Each(func(_ string, inside jsonval.Value) bool { // such as {"function": {"name", "arguments"}}
				if inside.Kind() == jsonval.Object {
					read[inside.Raw()]++
				}
				return true
			})
		}
	}
	rows := []jsonval.Value{v}
	if v.Kind() == jsonval.Array {
		rows = v.Elements()
	}
	records := 0
	for _, r := range byshape.Find(rows, true).Runs {
		called := false
		for _, item := range r.Items {
			if item.Call == nil {
				continue
			}
			called = true
			if raw := item.Call.Value.Raw(); read[raw] > 0 {
				read[raw]--
				continue
			}
			if out.Unread++; len(out.Names) < maxNamed {
				out.Names = append(out.Names, item.Call.Name)
			}
		}
		if called {
			records++
		}
	}
	if m.Runs == "" && records > 1 {
		out.Joined = records
	}
	return out
}

const maxNamed = 5

// isTaskName reports whether a text can be the name of a task: 1 to 128 bytes without white space.
func isTaskName(s string) bool { return s != "" && len(s) <= 128 && !strings.ContainsAny(s, " \n\t") }
