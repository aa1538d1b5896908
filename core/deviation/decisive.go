package deviation

import (
	"fmt"

	"github.com/boundcheck/boundcheck/core/boundary"
	"github.com/boundcheck/boundcheck/core/similarity"
)

// Kind says how a failing run diverged from the runs that succeed.
type Kind uint8

// The kinds of decisive deviation. Unknown: there is nothing to compare with.
// Same: the run wrote what a success wrote, so it failed by what it said or
// read. Wrong: a write that a success does with other arguments. Extra: a write
// that no success does there. Missing: it stopped before a write that every
// success still to be reached does.
const (
	Unknown Kind = iota
	Same
	Wrong
	Extra
	Missing
)

var kindNames = [...]string{"unknown", "same", "wrong", "extra", "missing"}

// String returns the kind's name on the wire.
func (k Kind) String() string { return kindNames[k] }

// Witness is one way the task can be done: a successful run of it, or its
// reference. Name is in the finding.
type Witness struct {
	Name    string
	Actions []boundary.Action
}

// Finding is the decisive deviation of one failing run.
type Finding struct {
	Kind    Kind
	Obs     int              // the step that it names, an index into the run; −1 for Missing, Same and Unknown
	Instead *boundary.Action // what the witness does and the run did not; nil for Same, Unknown, and Extra when it has nothing left
	Witness string           // the witness that the run was last in agreement with
	Agreed  int              // witnesses in agreement just before the step
	Reason  string
}

// decisive finds the write that ended the last way to success, as far as other runs of
// the task can tell. It is ours: SABER's equation 2 is the earliest divergence of
// actions, reads among them, and is Diverge. A witness agrees with a failing run while
// every write that the run has made with effect is also one of the witness's,
// each as often. As long as one witness agrees, the run could still have ended
// as it did; the first write with which the last of them disagrees is decisive.
// A run that never makes one, but stops short of every witness that it agrees
// with, misses the first write that the nearest of them still has.
//
// Order among writes is not held against a run, reads and failed calls are not
// looked at, and a witness that is itself mistaken misleads; earlier witnesses
// are preferred, so give observed successes before a written reference.
// O(writes · witnesses · their writes).
func decisive(failed []boundary.Action, witnesses []Witness) Finding {
	if len(witnesses) == 0 {
		return Finding{Obs: -1, Reason: "no successful run of the task and no reference to compare with"}
	}
	agreeing := make([]path, len(witnesses))
	for i, w := range witnesses {
		agreeing[i] = path{w.Name, writes(w.Actions)}
	}
	for i := range failed {
		if !failed[i].Writes() {
			continue
		}
		next := follow(agreeing, &failed[i])
		if len(next) == 0 {
			return departure(&failed[i], i, agreeing)
		}
		agreeing = next
	}
	return shortfall(agreeing)
}

// path is a witness's writes that a run has not made yet, in their order.
type path struct {
	name string
	left []*boundary.Action
}

func writes(actions []boundary.Action) []*boundary.Action {
	var out []*boundary.Action
	for i := range actions {
		if actions[i].Writes() {
			out = append(out, &actions[i])
		}
	}
	return out
}

// follow keeps the paths that still have a write ahead of them, and removes it from
// them.
func follow(paths []path, a *boundary.Action) []path {
	var out []path
	for _, p := range paths {
		if left, ok := take(p.left, a); ok {
			out = append(out, path{p.name, left})
		}
	}
	return out
}

// take returns the list without its first action that equals a. The list itself is not
// changed.
func take(list []*boundary.Action, a *boundary.Action) (rest []*boundary.Action, ok bool) {
	for i, w := range list {
		if same(a, w) {
			return append(append([]*boundary.Action(nil), list[:i]...), list[i+1:]...), true
		}
	}
	return list, false
}

func same(obs, ref *boundary.Action) bool {
	if ref.Terms.Plain() {
		return obs.Key == ref.Key
	}
	d := similarity.Compare(&obs.Call, &ref.Call, ref.Terms)
	return obs.Name == ref.Name && d.Equal()
}

// departure classifies a write that no path has: wrong when a path has another write of
// that name, else extra.
func departure(a *boundary.Action, i int, paths []path) Finding {
	for _, p := range paths {
		for _, w := range p.left {
			if w.Name == a.Name {
				return Finding{Kind: Wrong, Obs: i, Instead: w, Witness: p.name, Agreed: len(paths),
					Reason: fmt.Sprintf("%s with other arguments than %s has", a.Name, p.name)}
			}
		}
	}
	f := Finding{Kind: Extra, Obs: i, Witness: paths[0].name, Agreed: len(paths)}
	if left := paths[0].left; len(left) > 0 {
		f.Instead = left[0]
		f.Reason = fmt.Sprintf("%s, where %s goes on with %s", a.Name, f.Witness, f.Instead.Name)
		return f
	}
	f.Reason = fmt.Sprintf("%s, where %s writes nothing more", a.Name, f.Witness)
	return f
}

// shortfall is about a run that made no write too many: the nearest path tells
// what it lacks, if anything.
func shortfall(paths []path) Finding {
	nearest := paths[0]
	for _, p := range paths[1:] {
		if len(p.left) < len(nearest.left) {
			nearest = p
		}
	}
	f := Finding{Kind: Same, Obs: -1, Witness: nearest.name, Agreed: len(paths)}
	if len(nearest.left) == 0 {
		f.Reason = fmt.Sprintf("it wrote what %s wrote: it failed by what it said or read", f.Witness)
		return f
	}
	f.Kind, f.Instead = Missing, nearest.left[0]
	f.Reason = fmt.Sprintf("it stopped before %s, which %s does", f.Instead.Name, f.Witness)
	return f
}
