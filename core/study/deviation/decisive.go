package deviation

import (
	"fmt"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/similarity"
)

// Kind says in which way a failing run diverged from successful runs.
type Kind uint8

// The kinds of decisive deviation. Unknown means that there is nothing to compare with.
// Same means that the run made the same writes as a success, so its messages or reads are
// the reason. Wrong is a write that a success makes with other arguments. Extra is a
// write that no success makes at this point. Missing means that the run stopped before a
// write that every success makes and that it could still have reached.
const (
	Unknown Kind = iota
	Same
	Wrong
	Extra
	Missing
)

var kindNames = [...]string{"unknown", "same", "wrong", "extra", "missing"}

// String returns the kind's name in the JSON output.
func (k Kind) String() string { return kindNames[k] }

// Witness is one correct way to do the task: a successful run of the task, or its
// reference. The finding shows Name.
type Witness struct {
	Name    string
	Actions []boundary.Action
}

// Finding is the decisive deviation of one failing run.
type Finding struct {
	Kind    Kind
	Obs     int              // the step that it names, an index into the run; −1 for Missing, Same and Unknown
	Instead *boundary.Action // the witness's action that the run did not do; nil for Same, Unknown, and Extra if the witness has nothing left
	Witness string           // the last witness that agreed with the run
	Agreed  int              // number of witnesses that agreed just before the step
	Reason  string
}

// findDecisive returns the decisive deviation of a failing run. This is the write after
// which the run could no longer succeed. It compares the run with witnesses, which are
// successful runs of the task, or the reference. Only effective writes count, in any
// order.
//
// A witness agrees with the run as long as it contains every write that the run has made
// so far, each at least as often. The result is:
//
//   - the first write after which no witness agrees any more;
//   - a missing write, if all witnesses that agree until the end have further writes;
//   - no write, if a witness that agrees until the end has no further writes.
//
// The missing write is the first remaining write of the witness with the fewest remaining
// writes. Earlier witnesses are preferred, so pass observed successes before a written
// reference. If a witness contains a mistake, the result may be wrong.
//
// This definition is from this project. The function findDivergence computes SABER's
// equation 2, which is different. O(writes · witnesses · their writes).
func findDecisive(failed []boundary.Action, witnesses []Witness) Finding {
	if len(witnesses) == 0 {
		return Finding{Obs: -1, Reason: "no successful run of the task and no reference to compare with"}
	}
	agreeing := make([]path, len(witnesses))
	for i, w := range witnesses {
		agreeing[i] = path{w.Name, effectiveWrites(w.Actions)}
	}
	for i := range failed {
		if !failed[i].Writes() {
			continue
		}
		next := followWrite(agreeing, &failed[i])
		if len(next) == 0 {
			return departureFinding(&failed[i], i, agreeing)
		}
		agreeing = next
	}
	return shortfallFinding(agreeing)
}

// path holds the writes of a witness that the run has not made yet, in their order.
type path struct {
	name string
	left []*boundary.Action
}

func effectiveWrites(actions []boundary.Action) []*boundary.Action {
	var out []*boundary.Action
	for i := range actions {
		if actions[i].Writes() {
			out = append(out, &actions[i])
		}
	}
	return out
}

// followWrite returns the paths that contain the write a, each without one write that
// equals a.
func followWrite(paths []path, a *boundary.Action) []path {
	var out []path
	for _, p := range paths {
		if left, ok := withoutAction(p.left, a); ok {
			out = append(out, path{p.name, left})
		}
	}
	return out
}

// withoutAction returns a copy of the list without the first action that equals a. ok is
// false if the list has no such action.
func withoutAction(list []*boundary.Action, a *boundary.Action) (rest []*boundary.Action, ok bool) {
	for i, w := range list {
		if isSameAction(a, w) {
			return append(append([]*boundary.Action(nil), list[:i]...), list[i+1:]...), true
		}
	}
	return list, false
}

func isSameAction(obs, ref *boundary.Action) bool {
	if ref.Terms.Plain() {
		return obs.Key == ref.Key
	}
	d := similarity.Compare(&obs.Call, &ref.Call, ref.Terms)
	return obs.Name == ref.Name && d.Equal()
}

// departureFinding returns the finding about a write that no path contains. The kind is
// Wrong if a path has another write of the same name, and otherwise Extra.
func departureFinding(a *boundary.Action, i int, paths []path) Finding {
	for _, p := range paths {
		for _, w := range p.left {
			if w.Name == a.Name {
				return Finding{Kind: Wrong, Obs: i, Instead: w, Witness: p.name, Agreed: len(paths),
					Reason: fmt.Sprintf("%s was called with other arguments than in %s", a.Name, p.name)}
			}
		}
	}
	f := Finding{Kind: Extra, Obs: i, Witness: paths[0].name, Agreed: len(paths)}
	if left := paths[0].left; len(left) > 0 {
		f.Instead = left[0]
		f.Reason = fmt.Sprintf("at this point, the next change in %[2]s is %[3]s, but the agent called %[1]s", a.Name, f.Witness, f.Instead.Name)
		return f
	}
	f.Reason = fmt.Sprintf("after this point %[2]s makes no more changes, but %[1]s was called", a.Name, f.Witness)
	return f
}

// shortfallFinding returns the finding about a run if at least one witness agrees with
// all of its writes. paths contains the remaining writes of each such witness. The
// finding is the first write of the shortest path. If this path is empty, the run made
// the same changes as the witness.
func shortfallFinding(paths []path) Finding {
	nearest := paths[0]
	for _, p := range paths[1:] {
		if len(p.left) < len(nearest.left) {
			nearest = p
		}
	}
	f := Finding{Kind: Same, Obs: -1, Witness: nearest.name, Agreed: len(paths)}
	if len(nearest.left) == 0 {
		f.Reason = fmt.Sprintf("the run made the same changes as %s, so the changes are not the reason for the failure. The reason is in the answers or in the reads", f.Witness)
		return f
	}
	f.Kind, f.Instead = Missing, nearest.left[0]
	f.Reason = fmt.Sprintf("the run ended without the call %s, which is in %s", f.Instead.Name, f.Witness)
	return f
}
