package core

import (
	"slices"
	"sort"
	"strings"

	"github.com/boundcheck/boundcheck/core/jsonval"
	"github.com/boundcheck/boundcheck/core/violation"
)

// Consensus is what several runs of one task have in common. It serves as evidence if
// there is no reference. It is not a proof, because all runs may be wrong in the same
// way.
type Consensus struct {
	Task     string    `json:"task"`
	Runs     int       `json:"runs"`     // at least two
	Clusters []Cluster `json:"clusters"` // runs with the same final effect; the largest first, then by the first run
}

// Cluster is a set of runs of a task with the same changes.
type Cluster struct {
	Runs    []string `json:"runs"`              // ids, in input order
	Effects []string `json:"effects"`           // the changes of its first run that took effect, as name and arguments
	Parting *Parting `json:"parting,omitempty"` // where its first run differs from the first run of the largest cluster; nil for that cluster itself
}

// Parting is the first change in which two runs differ. The indices are those of the
// observed actions; -1 if a run had no further change.
type Parting struct {
	Own       int    `json:"own"`
	Other     int    `json:"other"`
	OwnText   string `json:"ownText"` // "" if there is no further change
	OtherText string `json:"otherText"`
}

// Support returns the share of runs in the largest cluster, and reports whether that is
// more than half of all runs.
func (c *Consensus) Support() (share float64, majority bool) {
	n := len(c.Clusters[0].Runs)
	return float64(n) / float64(c.Runs), 2*n > c.Runs
}

// change is one change that took effect.
type change struct {
	action int
	text   string // equal for equal changes
	shown  string // in its original form
}

// Agree groups the runs of each task by their changes. It leaves out tasks with one run
// and runs without a task; tasks are in input order. Calls that failed, only read, or
// control the dialogue count as no change. The order of changes does not matter.
// O(actions log actions).
func Agree(r *Report) []Consensus {
	var tasks []string
	runs := map[string][]int{}
	for i := range r.Trajectories {
		if task := r.Trajectories[i].Task; task != "" {
			if runs[task] == nil {
				tasks = append(tasks, task)
			}
			runs[task] = append(runs[task], i)
		}
	}
	var out []Consensus
	for _, task := range tasks {
		if len(runs[task]) > 1 {
			out = append(out, agree(r, task, runs[task]))
		}
	}
	return out
}

func agree(r *Report, task string, runs []int) Consensus {
	c := Consensus{Task: task, Runs: len(runs)}
	at := map[string]int{}
	var first [][]change // of the first run of each cluster
	for _, i := range runs {
		t := &r.Trajectories[i]
		done := effectsOf(t)
		key := strings.Join(sortedTexts(done), "\n")
		n, known := at[key]
		if !known {
			n = len(c.Clusters)
			at[key] = n
			effects := make([]string, len(done))
			for k := range done {
				effects[k] = done[k].shown
			}
			c.Clusters, first = append(c.Clusters, Cluster{Effects: effects}), append(first, done)
		}
		c.Clusters[n].Runs = append(c.Clusters[n].Runs, t.ID)
	}
	best := 0
	for i := range c.Clusters {
		if len(c.Clusters[i].Runs) > len(c.Clusters[best].Runs) {
			best = i
		}
	}
	for i := range c.Clusters {
		if i != best {
			c.Clusters[i].Parting = part(first[i], first[best])
		}
	}
	slices.SortStableFunc(c.Clusters, func(a, b Cluster) int { return len(b.Runs) - len(a.Runs) })
	return c
}

// Effects returns a text that is equal for two runs with the same changes: Agree puts
// them into one cluster.
func Effects(t *Trajectory) string { return strings.Join(sortedTexts(effectsOf(t)), "\n") }

// effectsOf returns the changes of a run that took effect, in order.
func effectsOf(t *Trajectory) []change {
	var out []change
	for i := range t.Observed {
		a := &t.Observed[i]
		if a.Control || a.Mutating == "no" || a.Error {
			continue
		}
		text := a.Text
		if text == "" {
			arguments := a.Arguments
			if v, err := jsonval.Parse(arguments); err == nil {
				arguments = v.Canonical()
			}
			text = a.Name + " " + arguments
		}
		shown := a.Text
		if shown == "" {
			shown = strings.TrimSpace(a.Name + " " + a.Arguments)
		}
		out = append(out, change{i, text, shown})
	}
	return out
}

func sortedTexts(done []change) []string {
	out := make([]string, len(done))
	for i := range done {
		out[i] = done[i].text
	}
	sort.Strings(out)
	return out
}

// part returns the first change of a run that differs from the other's change at the same
// index.
func part(own, other []change) *Parting {
	i := 0
	for i < len(own) && i < len(other) && own[i].text == other[i].text {
		i++
	}
	p := &Parting{Own: -1, Other: -1}
	if i < len(own) {
		p.Own, p.OwnText = own[i].action, own[i].shown
	}
	if i < len(other) {
		p.Other, p.OtherText = other[i].action, other[i].shown
	}
	return p
}

// trials adds findings about runs without a reference that stand apart from their other
// trials: the task has at least three runs, and more than half of the others made the
// same changes, which this run did not. Without another finding this is a hint, because
// most runs may be wrong.
func (e *evaluator) trials() {
	type task struct {
		file int
		name string
	}
	groups := map[task][]int{}
	keys := make([]string, len(e.runs))
	for i := range e.runs {
		r := &e.runs[i]
		if r.referenced || r.Task == "" {
			continue
		}
		groups[task{r.file, r.Task}] = append(groups[task{r.file, r.Task}], i)
	}
	for _, runs := range groups {
		if len(runs) < 3 {
			continue
		}
		count := map[string]int{}
		for _, i := range runs {
			keys[i] = e.runs[i].effectKey()
			count[keys[i]]++
		}
		for _, i := range runs {
			for key, n := range count {
				if key != keys[i] && 2*n > len(runs)-1 {
					r := &e.runs[i]
					r.findings = append(r.findings, violation.Apart(len(r.findings) > 0, n, len(runs)-1))
				}
			}
		}
	}
}

// effectKey returns a text that is equal for two runs with the same changes.
func (r *run) effectKey() string {
	var keys []string
	for i := range r.Obs {
		if a := &r.Obs[i]; a.Writes() {
			keys = append(keys, a.Key)
		}
	}
	sort.Strings(keys)
	return strings.Join(keys, "\n")
}
