package equivalence

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/math/align"
	"github.com/boundcheck/boundcheck/core/stage/relation"
	"github.com/boundcheck/boundcheck/internal/drawn"
)

// drawnCase returns a run, a reference and an alignment that need not be the best one.
func drawnCase(t *testing.T, random *rand.Rand) *boundary.Case {
	draw := func() (out []boundary.Action) {
		for range random.IntN(7) {
			one := []string{`w{"id":"a","n":%d}`, `w{"ids":["a","b","c%d"]}`, `w{"ids":["a1","b"]}`, `w{"ids":["a1"]}`, `w{"ids":["b"]}`, `w{"ids":["c%d"]}`, `r{"n":%d}`, `w{"n":%d}`}[random.IntN(8)]
			if strings.Contains(one, "%") {
				one = fmt.Sprintf(one, random.IntN(3))
			}
			out = append(out, parseCalls(t, one)...)
		}
		return out
	}
	c := &boundary.Case{Profile: boundary.SOP, Obs: draw(), Ref: draw()}
	for o, r := 0, 0; o < len(c.Obs) || r < len(c.Ref); {
		s := align.Step{Op: align.Insertion, Obs: o, Ref: -1}
		switch kind := random.IntN(4); {
		case o < len(c.Obs) && r < len(c.Ref) && kind > 0:
			if s = (align.Step{Op: align.Substitution, Obs: o, Ref: r}); c.Obs[o].Key == c.Ref[r].Key {
				s.Op = align.Match
			}
			o, r = o+1, r+1
		case o < len(c.Obs):
			o++
		default:
			s = align.Step{Op: align.Deletion, Obs: -1, Ref: r}
			r++
		}
		c.Steps = append(c.Steps, s)
	}
	return c
}

// anyViolation reports whether a row has a violation with a property, beside others or alone.
func anyViolation(r *Ruling, is func(*Ruling) bool) bool {
	for ; r != nil; r = r.Also {
		if r.Verdict == Violation && is(r) {
			return true
		}
	}
	return false
}

// TestNoRulingHidesAnother checks over drawn cases that of two actions in the wrong order one has
// a violation in its own row, the early one unless it has another such violation, that each group that is a violation is one in all of its rows, and that each
// ruling is about an action and a step that exist, as About says.
func TestNoRulingHidesAnother(t *testing.T) {
	random := rand.New(rand.NewPCG(42, 3))
	late, grouped, beside := 0, 0, 0
	for range drawn.Cases(5000) {
		c := drawnCase(t, random)
		out := Judge(c)
		order := judge{Case: c, Run: relation.New(c), out: make([]Ruling, len(c.Steps))}
		order.moved = order.pairMoved()
		order.rowOfObs, order.rowOfRef = rowIndices(c)
		for o, r := range order.moved.obs {
			for r2 := range c.Ref {
				if o2 := order.doneAs(r2); r < 0 || o2 < 0 || o2 == o || (r < r2) == (o < o2) || order.haveNoOrder(o, o2) || !order.orderMatters(r, r2) {
					continue
				}
				late++
				o2 := order.doneAs(r2)
				early, needed := o, r2
				if o2 < o {
					early, needed = o2, r
				}
				says := func(obs, ref int) bool {
					return anyViolation(&out[order.rowOfObs[obs]], func(x *Ruling) bool { return x.Kind == Late && (ref < 0 || *x.about == Pair{obs, ref}) })
				}
				if !says(early, needed) && !(says(early, -1) && (o == early || says(o, r2))) {
					t.Fatalf("%+v: action %d came before step %d, but its row says %+v", c.Steps, early, needed, out[order.rowOfObs[early]])
				}
				break
			}
		}
		for row := range out {
			for r := &out[row]; r != nil; r = r.Also {
				if about := r.About(c.Steps[row]); about.Obs >= len(c.Obs) || about.Ref >= len(c.Ref) || r.Verdict == Violation &&
					(about.Obs < 0 && (r.Kind == Extra || r.Kind == Wrong || r.Kind == Late || r.Kind == Unmet) || about.Ref < 0 && (r.Kind == Missing || r.Kind == Wrong || r.Kind == Late)) {
					t.Fatalf("row %d: a ruling of kind %d is about %+v", row, r.Kind, about)
				}
				if r.Also != nil {
					beside++
				}
				if r.Group == nil {
					continue
				}
				grouped++
				for _, other := range r.Group.Rows {
					if !anyViolation(&out[other], func(x *Ruling) bool { return x.Group == r.Group }) {
						t.Fatalf("row %d belongs to a group (%s), but row %d of the group says %+v", row, r.Group.Reason, other, out[other])
					}
				}
			}
		}
	}
	if late == 0 || grouped == 0 || beside == 0 {
		t.Errorf("%d late actions, %d rows of groups, %d rows with two violations", late, grouped, beside)
	}
	t.Logf("%d late actions, %d rows of groups, %d rows with two violations", late, grouped, beside)
}

// TestGroupsExcuseOnlyTheirOwn checks that a group or a list takes its own actions and steps
// out of their rows, and that what remains of the rows is judged alone.
func TestGroupsExcuseOnlyTheirOwn(t *testing.T) {
	check := func(name, obs, ref, ops, want string) {
		t.Helper()
		c := boundary.Case{Profile: boundary.Outcome, Obs: parseCalls(t, strings.Fields(obs)...), Ref: parseCalls(t, strings.Fields(ref)...), Steps: parseAlignment(ops)}
		var got []string
		for row, r := range Judge(&c) {
			word := r.Verdict.String()
			if r.Verdict == Violation {
				word = fmt.Sprint(map[Kind]string{Extra: "extra", Missing: "missing", Wrong: "wrong", Uneven: "uneven"}[r.Kind], r.About(c.Steps[row]), r.Beyond)
			}
			got = append(got, word)
		}
		if got := strings.Join(got, "; "); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	check("a missing step beside a part", `w{"ids":["a1"]} w{"ids":["b2"]}`, `w{"ids":["a1","b2"]} w{"ids":["z9"]}`, "~~", "excused; missing{-1 1} []")
	check("an extra action beside a part", `w{"ids":["a1","b2"]} w{"ids":["z9"]}`, `w{"ids":["a1"]} w{"ids":["b2"]}`, "~~", "excused; extra{1 -1} []")
	check("a list in the row of a part", `w{"ids":["a1","b2","c3"]}`, `w{"ids":["a1"]} w{"ids":["b2"]}`, "~-", `uneven{0 0} ["c3"]; excused`)
	check("a step with a list in the row of a part", `w{"ids":["a1"]} w{"ids":["b2"]}`, `w{"ids":["a1","b2","c3"]}`, "~+", `uneven{-1 0} ["c3"]; excused`)
	check("a missing step beside a part of a list", `w{"ids":["a1"]} w{"ids":["b2"]}`, `w{"ids":["a1","b2","c3"]} w{"ids":["z8"]}`, "~~", `uneven{-1 0} ["c3"]; missing{-1 1} []`)
	check("a step on the entity of a part", `w{"ids":["a1"]} w{"ids":["b2"]}`, `w{"ids":["a1"],"n":1} w{"ids":["a1","b2"]}`, "++--", "excused; excused; missing{-1 0} []; excused")
}
