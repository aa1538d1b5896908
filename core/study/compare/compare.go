// Package compare compares two groups of scored runs: a baseline and a treatment, such as
// a prompt, a gate or another model. Runs are paired by task and trial. Each figure is
// compared over tasks, because the trials of one task are similar.
package compare

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/report"
)

// Schema is the version of a comparison's JSON form.
const Schema = "boundcheck.comparison/1"

// Comparison compares a baseline A with a treatment B.
type Comparison struct {
	Schema  string   `json:"schema"`
	A       Side     `json:"a"` // the baseline
	B       Side     `json:"b"` // the treatment
	Tasks   int      `json:"tasks"`
	Runs    int      `json:"runs"`    // pairs of runs
	OnlyA   []string `json:"onlyA"`   // tasks that B does not have
	OnlyB   []string `json:"onlyB"`   // tasks that A does not have
	Figures []Figure `json:"figures"` // paired, task by task
	Success *Success `json:"success"` // null if the outcomes are not known
	Changes []Change `json:"violations"`
	Counts  string   `json:"counts"` // how many tasks broke, were fixed and so on, in words
	Rows    []Row    `json:"rows"`   // one for each task, those that changed first
	Flips   []Flip   `json:"flips"`  // pairs of runs of which exactly one succeeded, or was flagged
	Verdict Verdict  `json:"verdict"`
	Notes   []string `json:"notes"`
}

// Side describes one of the two groups.
type Side struct {
	Files   []string       `json:"files"`
	Runs    int            `json:"runs"`
	Tasks   int            `json:"tasks"`
	Profile string         `json:"profile"`
	Metrics report.Metrics `json:"metrics"`
}

// Success counts the outcomes of paired runs.
type Success struct {
	Both    int     `json:"both"`   // succeeded under A and B
	Gained  int     `json:"gained"` // only under B
	Lost    int     `json:"lost"`   // only under A
	Neither int     `json:"neither"`
	P       float64 `json:"p"`    // McNemar's exact test, two-sided; it treats the pairs as independent
	Text    string  `json:"text"` // the same in words
}

// Change counts the violations of one type in paired runs, and how many of them
// disappeared or appeared.
type Change struct {
	Type   string `json:"type"`
	A      int    `json:"a"`
	B      int    `json:"b"`
	Gained int    `json:"gained"` // that B's run has and A's has not
	Lost   int    `json:"lost"`   // that A's run has and B's has not
}

// Flip is a pair of runs with different outcomes.
type Flip struct {
	Task   string   `json:"task"`
	A      string   `json:"a"`      // the run's id
	B      string   `json:"b"`      // the run's id
	What   string   `json:"what"`   // success gained, success lost; if an outcome is not known: flag gained, flag lost
	Parted *Parting `json:"parted"` // null if both did the same
	Rules  []string `json:"rules"`  // of the violations of the flagged run
}

// Parting is the first action in which two runs differ.
type Parting struct {
	Action int    `json:"action"` // from 0
	A      string `json:"a"`      // "" if the run had ended
	B      string `json:"b"`
}

// pair is a run under A and its counterpart under B.
type pair struct{ a, b *report.Trajectory }

// task holds all runs of one task on both sides.
type task struct {
	name string
	a, b []*report.Trajectory
}

// Reports compares two reports. seed is the seed of the bootstrap. A success counts as
// boundary-aware if its ABS is above theta. Reports returns an error if the two reports
// have no task in common, or have figures by different definitions. O(runs + Resamples ×
// tasks).
func Reports(a, b *report.Report, seed uint64, theta float64) (Comparison, error) {
	if err := sameDefinitions([]string{"the baseline", "the treatment"}, a, b); err != nil {
		return Comparison{}, err
	}
	c := Comparison{Schema: Schema, A: newSide(a), B: newSide(b), OnlyA: []string{}, OnlyB: []string{}, Changes: []Change{}, Rows: []Row{}, Flips: []Flip{}, Notes: []string{}}
	var tasks []task
	for _, t := range matchTasks(a, b) {
		switch {
		case len(t.b) == 0:
			c.OnlyA = append(c.OnlyA, t.name)
		case len(t.a) == 0:
			c.OnlyB = append(c.OnlyB, t.name)
		default:
			tasks = append(tasks, t)
		}
	}
	if len(tasks) == 0 {
		return c, fmt.Errorf("the baseline and the treatment have no task in common. The baseline has the tasks %s; the treatment has the tasks %s", firstNames(c.OnlyA), firstNames(c.OnlyB))
	}
	if c.Tasks = len(tasks); c.A.Profile != c.B.Profile {
		c.Notes = append(c.Notes, fmt.Sprintf("the baseline has the profile %s, but the treatment has %s", c.A.Profile, c.B.Profile))
	}
	if n := len(c.OnlyA) + len(c.OnlyB); n > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%s omitted, because each is only in the baseline or only in the treatment", countNoun(n, "task was", "tasks were")))
	}
	if n := countStrangers(tasks); n > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("the references of %s have no tool in common. They may be other tasks with the same names, and then nothing here compares", countNoun(n, "task", "tasks")))
	}
	pairs := pairUp(tasks, &c)
	c.Runs = len(pairs)
	c.Figures = compareFigures(tasks, seed, theta)
	c.Success = countOutcomes(pairs)
	c.Changes = countChanges(pairs)
	c.Rows = listRows(tasks)
	c.Flips = findFlips(pairs)
	c.Verdict = newVerdict(c.Figures)
	c.Counts = countRows(c.Rows)
	c.noteFewTasks()
	return c, nil
}

// countStrangers counts the tasks whose references have steps on both sides, and no tool in common. O(steps).
func countStrangers(tasks []task) (n int) {
	for i := range tasks {
		a, b := toolsOf(tasks[i].a), toolsOf(tasks[i].b)
		shared := len(a) == 0 || len(b) == 0
		for name := range b {
			shared = shared || a[name]
		}
		if !shared {
			n++
		}
	}
	return n
}

// toolsOf returns the names of the tools in the references of some runs.
func toolsOf(runs []*report.Trajectory) map[string]bool {
	names := map[string]bool{}
	for _, run := range runs {
		for i := range run.Reference {
			names[run.Reference[i].Name] = true
		}
	}
	return names
}

func countNoun(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

func newSide(r *report.Report) Side {
	s := Side{Files: []string{}, Runs: r.Corpus.N, Tasks: r.Corpus.Tasks, Profile: r.Profile, Metrics: r.Corpus.Metrics}
	for _, f := range r.Input.Files {
		s.Files = append(s.Files, f.Name)
	}
	return s
}

// firstNames returns the first few names as text.
func firstNames(names []string) string {
	const most = 5
	if len(names) == 0 {
		return "none"
	}
	s := strings.Join(names[:min(most, len(names))], ", ")
	if len(names) > most {
		s += fmt.Sprintf(" and %d more", len(names)-most)
	}
	return s
}

// matchTasks collects the runs of each task that were scored. A task is identified by its id. If both
// reports have the same number of files, and more than one, the index of the file also
// identifies the task.
func matchTasks(a, b *report.Report) []task {
	byFile := len(a.Input.Files) > 1 && len(a.Input.Files) == len(b.Input.Files)
	at := map[string]int{}
	var all []task
	gather := func(r *report.Report, put func(*task, *report.Trajectory)) {
		file, left := -1, 0
		for i := range r.Trajectories {
			for left == 0 && file+1 < len(r.Input.Files) {
				file++
				left = r.Input.Files[file].Trajectories
			}
			left--
			t := &r.Trajectories[i]
			if t.Error != nil {
				continue
			}
			name := t.Task
			if name == "" {
				name = t.ID
			}
			key := name
			if byFile {
				key = fmt.Sprintf("%d\x00%s", file, name)
				name = fmt.Sprintf("%d:%s", file+1, name)
			}
			k, known := at[key]
			if !known {
				k = len(all)
				at[key] = k
				all = append(all, task{name: name})
			}
			put(&all[k], t)
		}
	}
	gather(a, func(t *task, run *report.Trajectory) { t.a = append(t.a, run) })
	gather(b, func(t *task, run *report.Trajectory) { t.b = append(t.b, run) })
	return all
}

// pairUp pairs the runs of each task by trial number. If a run of the task has no number,
// or if a number appears twice on a side, the runs are paired in their order. Runs
// without a counterpart count only in the means of their task.
func pairUp(tasks []task, c *Comparison) (pairs []pair) {
	single := 0
	for i := range tasks {
		t := &tasks[i]
		a, b := byTrial(t.a), byTrial(t.b)
		if a == nil || b == nil {
			n := min(len(t.a), len(t.b))
			for k := range n {
				pairs = append(pairs, pair{t.a[k], t.b[k]})
			}
			single += len(t.a) + len(t.b) - 2*n
			continue
		}
		for _, run := range t.a {
			if other := b[*run.Trial]; other != nil {
				pairs = append(pairs, pair{run, other})
			} else {
				single++
			}
		}
		for trial := range b {
			if a[trial] == nil {
				single++
			}
		}
	}
	if single > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("for %s, the other report has no run of the same trial. They count only in the means of their tasks", countNoun(single, "run", "runs")))
	}
	return pairs
}

func byTrial(runs []*report.Trajectory) map[int]*report.Trajectory {
	out := make(map[int]*report.Trajectory, len(runs))
	for _, r := range runs {
		if r.Trial == nil || out[*r.Trial] != nil {
			return nil
		}
		out[*r.Trial] = r
	}
	return out
}

// countChanges counts how many violations of each type disappeared and how many appeared.
// The type with the most changes comes first.
func countChanges(pairs []pair) []Change {
	byType := map[string]*Change{}
	for _, p := range pairs {
		a, b := countTypes(p.a), countTypes(p.b)
		for _, of := range []map[string]int{a, b} {
			for typ := range of {
				if byType[typ] == nil {
					byType[typ] = &Change{Type: typ}
				}
			}
		}
		for typ, c := range byType {
			c.A += a[typ]
			c.B += b[typ]
			c.Gained += max(0, b[typ]-a[typ])
			c.Lost += max(0, a[typ]-b[typ])
		}
	}
	out := make([]Change, 0, len(byType))
	for _, c := range byType {
		out = append(out, *c)
	}
	slices.SortFunc(out, func(x, y Change) int {
		return cmp.Or(cmp.Compare(y.Gained+y.Lost, x.Gained+x.Lost), cmp.Compare(x.Type, y.Type))
	})
	return out
}

func countTypes(t *report.Trajectory) map[string]int {
	out := map[string]int{}
	for i := range t.Violations {
		if !t.Violations[i].Hint {
			out[string(t.Violations[i].Type)]++
		}
	}
	return out
}

// sameDefinitions returns an error if two of the reports have figures by different
// definitions. The reports may all be by old definitions. names has the names of the
// reports for the error.
func sameDefinitions(names []string, reports ...*report.Report) error {
	first := max(reports[0].Definitions, 1)
	for i, r := range reports {
		if n := max(r.Definitions, 1); n != first {
			return fmt.Errorf("%s has figures by version %d of their definitions, but %s by version %d. They cannot be compared, so score the traces of both again", names[0], first, names[i], n)
		}
	}
	return nil
}
