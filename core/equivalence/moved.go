package equivalence

import (
	"fmt"

	"github.com/boundcheck/boundcheck/core/align"
	"github.com/boundcheck/boundcheck/core/boundary"
	"github.com/boundcheck/boundcheck/core/similarity"
)

// moves pairs observed actions with equal reference steps that the alignment
// left apart, because an alignment cannot cross itself.
//
// nearObs and nearRef pair what is left and shares a name and an entity: the
// step was taken elsewhere, with other arguments.
type moves struct{ obs, ref, nearObs, nearRef []int }

func (m moves) ofObs(i int) int { return m.obs[i] }
func (m moves) ofRef(i int) int { return m.ref[i] }

// pairMoved pairs each unmatched reference step with the first unmatched equal
// action. Failed actions did nothing, so they are never what a step became.
// O(n) lookups by key, O(n·m) only among steps that ignore arguments.
func pairMoved(c *boundary.Case) moves {
	m := moves{free(len(c.Obs)), free(len(c.Ref)), free(len(c.Obs)), free(len(c.Ref))}
	matchedObs, matchedRef := matched(c)
	waiting := map[string][]int{}
	for i := range c.Obs {
		if !matchedObs[i] && !c.Obs[i].Failed {
			waiting[c.Obs[i].Key] = append(waiting[c.Obs[i].Key], i)
		}
	}
	for r := range c.Ref {
		if matchedRef[r] {
			continue
		}
		if o := m.find(c, r, waiting); o >= 0 {
			m.obs[o], m.ref[r] = r, o
		}
	}
	m.pairNear(c)
	return m
}

// pairNear pairs extra with missing writes of one name on a common entity, each
// missing one with the extra that agrees in most arguments, the first on a tie.
// O(extra · missing).
func (m moves) pairNear(c *boundary.Case) {
	var extra []int
	for _, s := range c.Steps {
		if s.Op == align.Insertion && m.obs[s.Obs] < 0 && c.Obs[s.Obs].Writes() {
			extra = append(extra, s.Obs)
		}
	}
	for _, s := range c.Steps {
		if s.Op != align.Deletion || m.ref[s.Ref] >= 0 || len(extra) == 0 || !c.Ref[s.Ref].Writes() {
			continue
		}
		if o := m.nearest(c, &c.Ref[s.Ref], extra); o >= 0 {
			m.nearObs[o], m.nearRef[s.Ref] = s.Ref, o
		}
	}
}

func (m moves) nearest(c *boundary.Case, ref *boundary.Action, extra []int) int {
	best, most := -1, 0
	for _, o := range extra {
		a := &c.Obs[o]
		if m.nearObs[o] >= 0 || a.Name != ref.Name || !shares(a.Scope(), ref.Scope()) {
			continue
		}
		if d := similarity.Compare(&a.Call, &ref.Call, ref.Terms); d.Same > most {
			best, most = o, d.Same
		}
	}
	return best
}

func (m moves) find(c *boundary.Case, r int, waiting map[string][]int) int {
	ref := &c.Ref[r]
	if list := waiting[ref.Key]; ref.Terms.Plain() {
		if len(list) == 0 {
			return -1
		}
		waiting[ref.Key] = list[1:]
		return list[0]
	}
	for o := range c.Obs {
		a := &c.Obs[o]
		if m.obs[o] < 0 && !a.Failed && a.Name == ref.Name && unmatched(c, o) {
			if d := similarity.Compare(&a.Call, &ref.Call, ref.Terms); d.Equal() {
				return o
			}
		}
	}
	return -1
}

func free(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = -1
	}
	return out
}

func matched(c *boundary.Case) (obs, ref []bool) {
	obs, ref = make([]bool, len(c.Obs)), make([]bool, len(c.Ref))
	for _, s := range c.Steps {
		if s.Op == align.Match {
			obs[s.Obs], ref[s.Ref] = true, true
		}
	}
	return obs, ref
}

func unmatched(c *boundary.Case, obs int) bool {
	for _, s := range c.Steps {
		if s.Obs == obs {
			return s.Op != align.Match
		}
	}
	return false
}

// order looks at every moved action: being done elsewhere is excused only while
// no step changed sides with one that it had to precede.
func (j *judge) order() {
	rowOfObs, rowOfRef := rows(j.Case)
	for o, r := range j.moved.nearObs {
		if r >= 0 {
			j.out[rowOfObs[o]].Partner, j.out[rowOfRef[r]].Partner = rowOfRef[r], rowOfObs[o]
		}
	}
	for o, r := range j.moved.obs {
		if r < 0 {
			continue
		}
		j.out[rowOfObs[o]].Partner, j.out[rowOfRef[r]].Partner = rowOfRef[r], rowOfObs[o]
		for r2 := range j.Ref {
			o2 := j.doneAs(r2, rowOfRef)
			if o2 < 0 || o2 == o || (r < r2) == (o < o2) || !j.matters(r, r2) {
				continue
			}
			j.late(rowOfObs[o], o, r, r2, rowOfRef[r2])
			break
		}
	}
}

func (j *judge) late(row, o, r, r2, row2 int) {
	word := "after"
	if r2 < r {
		word = "before"
	}
	reason := fmt.Sprintf("%s was done %s %s, the reference has it the other way round", j.Obs[o].Name, word, j.Ref[r2].Name)
	j.out[row] = Ruling{Verdict: Violation, Kind: Late, Reason: reason, Partner: row2}
}

// doneAs gives the observed action that a reference step was done as, or -1.
func (j *judge) doneAs(ref int, rowOfRef []int) int {
	if o := j.moved.ofRef(ref); o >= 0 {
		return o
	}
	if s := j.Steps[rowOfRef[ref]]; s.Op == align.Match {
		return s.Obs
	}
	return -1
}

// matters tells whether two steps that changed sides had to stay in order: a
// check before the write that it guards, under sop or when it is marked as
// required; two writes on a common entity, or on none that can be named, under
// sop. Reads among each other never.
func (j *judge) matters(r, r2 int) bool {
	first, second := &j.Ref[min(r, r2)], &j.Ref[max(r, r2)]
	switch {
	case !second.Writes():
		return false
	case first.Writes():
		return j.Profile == boundary.SOP && overlap(first.Scope(), second.Scope())
	}
	return !j.lenient(first)
}

// overlap tells whether two sorted scopes share an entity; an unnamed scope may
// be anything.
func overlap(a, b []string) bool {
	return len(a) == 0 || len(b) == 0 || shares(a, b)
}

// shares tells whether two sorted scopes have an entity in common.
func shares(a, b []string) bool {
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] == b[0]:
			return true
		case a[0] < b[0]:
			a = a[1:]
		default:
			b = b[1:]
		}
	}
	return false
}

func rows(c *boundary.Case) (obs, ref []int) {
	obs, ref = make([]int, len(c.Obs)), make([]int, len(c.Ref))
	for row, s := range c.Steps {
		if s.Obs >= 0 {
			obs[s.Obs] = row
		}
		if s.Ref >= 0 {
			ref[s.Ref] = row
		}
	}
	return obs, ref
}
