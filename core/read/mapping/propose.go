package mapping

import (
	"errors"
	"fmt"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/byshape"
)

// The names that producers use for the outcome and the task of a run, the likeliest first.
var (
	successKeys = []string{"success", "passed", "succeeded", "resolved", "outcome", "status", "ok", "correct", "verdict"}
	taskKeys    = []string{"task_id", "taskId", "task", "case", "scenario"}
)

// Propose finds the place of the calls in a text, and returns a mapping for it. calls is the
// number of calls that the mapping finds in data. Measure says what such a mapping leaves out.
func Propose(data []byte) (m *Map, calls int, err error) {
	v, err := parseDocument(data)
	if err != nil {
		return nil, 0, err
	}
	p, found := byshape.FindPlace(v)
	switch {
	case found == 0:
		return nil, 0, errors.New("found no list of calls. Each call needs a name and arguments beside it")
	case p.Name == "":
		return nil, 0, fmt.Errorf("found %d calls, but in a form that no mapping can say, such as texts or lists beside each other. Boundcheck reads them without one", found)
	}
	m = &Map{Runs: p.Runs, Calls: p.Calls, Name: p.Name, Arguments: p.Arguments, Result: p.Result, Error: p.Error, ID: p.ID}
	m.aboutRun(p.Run)
	if again, err := Parse(m.String()); err != nil || *again != *m {
		return nil, 0, fmt.Errorf("found %d calls, but a member around them has a name that no mapping can say", found)
	}
	_, calls, err = m.Apply(data)
	return m, calls, err
}

// aboutRun sets Success and Task from the members of a run.
func (m *Map) aboutRun(run jsonval.Value) {
	for _, k := range successKeys {
		if _, known := interpretSuccess(run.Get(k)); known {
			m.Success = k
			break
		}
	}
	for _, k := range taskKeys {
		if s, ok := run.Get(k).Str(); ok && isTaskName(s) {
			m.Task = k
			break
		}
	}
}
