package deviation

import (
	"fmt"

	"github.com/boundcheck/boundcheck/core/boundary"
	"github.com/boundcheck/boundcheck/core/similarity"
)

// Kind says how a failing run diverged from successful runs.
type Kind uint8

// The kinds of decisive deviation. Unknown: there is nothing to compare with. Same: the
// run wrote the same as a success, so it failed by its words or reads. Wrong: a write
// that a success does with other arguments. Extra: a write that no success does there.
// Missing: the run stopped before a write of every success that it could still have
// reached.
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

// Witness is one way to do the task: a successful run of it, or its reference. Name
// appears in the finding.
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

// decisive returns the write that ended the last way to success, as far as other runs of
// the task show it. This is a definition of this project: SABER's equation 2 defines the
// earliest divergence of actions, including reads, which diverge returns. A witness
// agrees with a failing run as long as every effective write of the run is also one of
// the witness's, with the same number of repetitions. As long as one witness agrees, the
// run could still have ended like it. The first write with which the last of them
// disagrees is decisive. If a run has no such write, but stops before the end of every
// witness that agrees with it, it misses the first write that the nearest of them still
// has.
//
// The order of writes does not matter, and reads and failed calls are ignored. A witness
// with a mistake misleads. Earlier witnesses are preferred, so pass observed successes
// before a written reference. O(writes · witnesses · their writes).
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

// path holds a witness's writes that the run has not done yet, in their order.
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

// follow returns the paths that still contain a write, without that write.
func follow(paths []path, a *boundary.Action) []path {
	var out []path
	for _, p := range paths {
		if left, ok := take(p.left, a); ok {
			out = append(out, path{p.name, left})
		}
	}
	return out
}

// take returns the list without its first action that equals a. It does not change the
// list.
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

// departure classifies a write that is in no path: wrong if a path has another write with
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
		f.Reason = fmt.Sprintf("%s, where %s continues with %s", a.Name, f.Witness, f.Instead.Name)
		return f
	}
	f.Reason = fmt.Sprintf("%s, where %s writes nothing more", a.Name, f.Witness)
	return f
}

// shortfall returns the finding about a run without a wrong write: the nearest path shows
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
		f.Reason = fmt.Sprintf("the run made the same changes as %s: its answers or its reads are the reason", f.Witness)
		return f
	}
	f.Kind, f.Instead = Missing, nearest.left[0]
	f.Reason = fmt.Sprintf("the run ended without %s; the successful run %s made this call", f.Instead.Name, f.Witness)
	return f
}
