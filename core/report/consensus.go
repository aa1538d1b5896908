package report

import (
	"slices"
	"sort"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// Consensus shows which runs of one task made the same changes. Without a reference, this
// is evidence that the changes of most runs are right. It is not a proof, because all
// runs may be wrong in the same way.
type Consensus struct {
	Task     string    `json:"task"`
	Runs     int       `json:"runs"`     // at least two
	Clusters []Cluster `json:"clusters"` // runs with the same final effect; the largest first, then by the first run
}

// Cluster is a set of runs of one task that made the same changes.
type Cluster struct {
	Runs    []string `json:"runs"`              // ids, in input order
	Effects []string `json:"effects"`           // the changes of its first run that took effect, as name and arguments
	Parting *Parting `json:"parting,omitempty"` // where its first run differs from the first run of the largest cluster; nil for that cluster itself
}

// Parting is the first change of each of two runs that the other did not make. Own and
// Other are indices of observed actions, or -1 if a run has no such change. The texts show
// the change in short: of two calls with one name only the arguments that differ, and of
// long values only the part around the first difference.
type Parting struct {
	Own       int    `json:"own"`
	Other     int    `json:"other"`
	OwnText   string `json:"ownText"` // "" if there is no such change
	OtherText string `json:"otherText"`
}

// Support returns the share of runs in the largest cluster. majority reports whether the
// share is more than half.
func (c *Consensus) Support() (share float64, majority bool) {
	n := len(c.Clusters[0].Runs)
	return float64(n) / float64(c.Runs), 2*n > c.Runs
}

// change is one change that took effect.
type change struct {
	action int
	call   similarity.Call // its Key is equal for changes that stage two takes as equal
	shown  string          // in its original form
}

// Agree groups the runs of each task by their changes. The order of the changes does not
// matter. Agree leaves out tasks with only one run, runs without a task, and runs that
// could not be scored. These calls are not changes:
//
//   - calls that failed;
//   - calls that only read;
//   - calls that control the dialogue.
//
// The tasks are in input order. O(actions log actions).
func Agree(r *Report) []Consensus {
	var tasks []string
	runs := map[string][]int{}
	for i := range r.Trajectories {
		if task := r.Trajectories[i].Task; task != "" && r.Trajectories[i].Error == nil {
			if runs[task] == nil {
				tasks = append(tasks, task)
			}
			runs[task] = append(runs[task], i)
		}
	}
	var out []Consensus
	for _, task := range tasks {
		if len(runs[task]) > 1 {
			out = append(out, taskConsensus(r, task, runs[task]))
		}
	}
	return out
}

func taskConsensus(r *Report, task string, runs []int) Consensus {
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
			c.Clusters[i].Parting = findParting(first[i], first[best])
		}
	}
	slices.SortStableFunc(c.Clusters, func(a, b Cluster) int { return len(b.Runs) - len(a.Runs) })
	return c
}

// Effects returns a text for the changes that a run made. Two runs have the same text if
// and only if stage two takes each change of one for a change of the other. Agree puts such runs into one cluster.
func Effects(t *Trajectory) string { return strings.Join(sortedTexts(effectsOf(t)), "\n") }

// effectsOf returns the changes of a run that took effect, in order.
func effectsOf(t *Trajectory) []change {
	var out []change
	for i := range t.Observed {
		a := &t.Observed[i]
		if a.Control || a.Mutating == "no" || a.Error {
			continue
		}
		arguments, broken := jsonval.Value{}, ""
		if v, err := jsonval.Parse(a.Arguments); err == nil && v.Kind() == jsonval.Object {
			arguments = v
		} else if a.Text == "" {
			broken = a.Arguments
		}
		shown := a.Text
		if shown == "" {
			shown = strings.TrimSpace(a.Name + " " + jsonval.Compact(a.Arguments))
		}
		out = append(out, change{i, similarity.NewCall(a.Name, arguments, broken, a.Text), shown})
	}
	return out
}

func sortedTexts(done []change) []string {
	out := make([]string, len(done))
	for i := range done {
		out[i] = done[i].call.Key
	}
	sort.Strings(out)
	return out
}

// findParting returns the first changes in which two runs differ. own and other are the
// changes of the two runs, in order. If several changes of the other run have no equal,
// one with the name of the run's own change is preferred.
func findParting(own, other []change) *Parting {
	p := &Parting{Own: -1, Other: -1}
	mine, theirs := withoutEqual(own, other), withoutEqual(other, own)
	var a, b *change
	if len(mine) > 0 {
		a = &mine[0]
	}
	if len(theirs) > 0 {
		at := slices.IndexFunc(theirs, func(c change) bool { return a != nil && c.call.Name == a.call.Name })
		b = &theirs[max(at, 0)]
	}
	if a != nil {
		p.Own, p.OwnText = a.action, differingText(a, b)
	}
	if b != nil {
		p.Other, p.OtherText = b.action, differingText(b, a)
	}
	return p
}

// withoutEqual returns the changes that have no equal among the others, each of which can
// equal one change.
func withoutEqual(changes, others []change) (out []change) {
	left := map[string]int{}
	for i := range others {
		left[others[i].call.Key]++
	}
	for i := range changes {
		if left[changes[i].call.Key]--; left[changes[i].call.Key] < 0 {
			out = append(out, changes[i])
		}
	}
	return out
}

// longestPart is the largest number of characters of a value in the text of a difference.
const longestPart = 60

// differingText shows what is different in a change, compared with the change other of
// another run, which may be nil.
func differingText(c, other *change) string {
	if other == nil {
		return clipAround(c.shown, "")
	}
	if c.call.Text != "" || c.call.Name != other.call.Name {
		return clipAround(c.shown, other.shown)
	}
	d := similarity.Compare(&c.call, &other.call, nil)
	var parts []string
	if d.Same > 0 {
		parts = append(parts, "…")
	}
	for _, p := range d.Changed {
		parts = append(parts, jsonval.Quoted(p.Path)+":"+clipAround(p.Observed, p.Reference))
	}
	for _, l := range d.Extra {
		parts = append(parts, jsonval.Quoted(l.Path)+":"+clipAround(l.Raw, ""))
	}
	return c.call.Name + " {" + strings.Join(parts, ",") + "}"
}

// clipAround shortens a text to the part around the first character in which it differs
// from another text.
func clipAround(text, other string) string {
	all, rest := []rune(text), []rune(other)
	if len(all) <= longestPart {
		return text
	}
	same := 0
	for same < len(all) && same < len(rest) && all[same] == rest[same] {
		same++
	}
	from := max(0, min(same-longestPart/3, len(all)-longestPart))
	out := string(all[from:min(len(all), from+longestPart)])
	if from > 0 {
		out = "…" + out
	}
	if from+longestPart < len(all) {
		out += "…"
	}
	return out
}
