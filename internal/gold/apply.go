package gold

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Applied lists the corrections that were written into a file, and those that were left
// out and why.
type Applied struct {
	Applied []string  `json:"applied"` // "A5 (task 23)"
	Left    []LeftOut `json:"left"`
}

// LeftOut is a correction that was not applied to a task.
type LeftOut struct {
	ID   string `json:"id"`
	Task string `json:"task"`
	Why  string `json:"why"`
}

// Apply returns the file with the sound corrections of a report. All other bytes of the
// file stay unchanged. If a correction accepts several lists of actions, Apply writes the
// first list to "actions" and all lists to "valid_action_paths".
//
// A correction that the environment refuses is never sound. Apply returns an error for a
// results file of τ-bench, because such a file contains runs and not tasks.
func (f *File) Apply(r *Report) ([]byte, *Applied, error) {
	if f.Benchmark != Tau2 {
		return nil, nil, errors.New("the input is a results file, but corrections can be written only into a list of tasks")
	}
	out := &Applied{Applied: []string{}, Left: []LeftOut{}}
	var cuts []cut
	for i := range f.Tasks {
		t := &f.Tasks[i]
		if !t.criteria.Get("actions").Exists() {
			continue
		}
		all := [][]Call{t.Actions}
		applied := false
		for j := range r.Verdicts {
			v := &r.Verdicts[j]
			if v.Task != t.ID || v.Stands == NoTask {
				continue
			}
			if !v.Sound {
				out.Left = append(out.Left, LeftOut{v.ID, t.ID, v.Why})
				continue
			}
			var next [][]Call
			for _, form := range all {
				made, _ := applyEdits(v.Edits, form)
				next = append(next, made...)
			}
			all, applied = distinctForms(next), true
			out.Applied = append(out.Applied, fmt.Sprintf("%s (task %s)", v.ID, t.ID))
		}
		if applied {
			cuts = append(cuts, t.actionCuts(all)...)
		}
	}
	text := f.text
	for _, c := range slices.Backward(cuts) {
		text = text[:c.from] + c.with + text[c.to:]
	}
	return []byte(text), out, nil
}

// cut is a part of the file's text and its replacement.
type cut struct {
	from, to int
	with     string
}

// actionCuts returns the changes to the file that replace the actions of one task. The
// changes are sorted by their position in the file.
func (t *Task) actionCuts(all [][]Call) []cut {
	actions := t.criteria.Get("actions")
	with := t.actionsJSON(all[0])
	if len(all) > 1 {
		var paths []string
		for _, form := range all {
			paths = append(paths, t.actionsJSON(form))
		}
		if old := t.criteria.Get("valid_action_paths"); old.Exists() {
			at := old.Offset()
			both := []cut{{actions.Offset(), actions.Offset() + len(actions.Raw()), with}, {at, at + len(old.Raw()), "[" + strings.Join(paths, ", ") + "]"}}
			slices.SortFunc(both, func(a, b cut) int { return a.from - b.from })
			return both
		}
		with += `, "valid_action_paths": [` + strings.Join(paths, ", ") + "]"
	}
	return []cut{{actions.Offset(), actions.Offset() + len(actions.Raw()), with}}
}

// actionsJSON returns actions as JSON. Actions that come from the file keep their bytes.
func (t *Task) actionsJSON(actions []Call) string {
	var parts []string
	for i, a := range actions {
		if a.raw != "" {
			parts = append(parts, a.raw)
			continue
		}
		name, _ := json.Marshal(a.Name)
		id, _ := json.Marshal(fmt.Sprintf("%s_corrected_%d", t.ID, i))
		parts = append(parts, fmt.Sprintf(`{"action_id": %s, "name": %s, "arguments": %s, "info": null}`, id, name, a.Arguments))
	}
	return "[" + strings.Join(parts, ", ") + "]"
}
