package alfworld

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/sdk"
)

// BasisObservations is the basis of this checker's verdicts. The checker replays
// nothing; it reads the facts from the game's answers.
const BasisObservations = "observations"

// replayed is a Replay with the data that it was made from.
type replayed struct {
	abi.Replay
	goal         *goal // nil if no goal is known
	obs, ref     []outcome
	reachedByRef bool
	compared     bool            // the final facts of both sides were compared
	witnesses    map[string]bool // objects by which either side reached the goal
	differing    map[fact]int    // index into Differences
}

// CodeNothingToTest is the error code for a run that has neither a goal nor a reference
// that can be followed.
const CodeNothingToTest = "nothing-to-test"

// Replay tracks the facts of both sides and tests whether the observed run reached the
// goal. Without a reference it tests only the goal. Without a goal it compares only the
// final facts, and Success means that they are equal.
func Replay(r *abi.ReplayRequest) (abi.Replay, error) {
	out, err := replayRuns(r)
	if err != nil {
		return abi.Replay{}, err
	}
	return out.Replay, nil
}

func replayRuns(r *abi.ReplayRequest) (*replayed, error) {
	if err := sdk.OnlyBenchmark(r.Benchmark, benchmark); err != nil {
		return nil, err
	}
	if err := sdk.NoEnvironment(r.Environment); err != nil {
		return nil, err
	}
	out := &replayed{witnesses: map[string]bool{}, differing: map[fact]int{}, Replay: abi.Replay{Benchmark: benchmark,
		Basis: BasisObservations, Outputs: map[string]bool{}, Notes: []string{}, Differences: []abi.Difference{}, Calls: []abi.ReplayedCall{}}}
	out.findGoal(r)
	space := newRoom()
	obs := space.newGame()
	obs.readSentences(normalizeText(r.Opening))
	var reached bool
	out.obs, reached = out.followActions(obs, r.Observed)
	for i, o := range out.obs {
		out.Calls = append(out.Calls, abi.ReplayedCall{Index: i, Changed: len(o.touched) > 0, Error: o.refused})
	}
	out.StateChanged = obs.hasChanged()
	ref := space.newGame()
	out.ref, out.reachedByRef = out.followActions(ref, r.Reference)
	out.noteUnread(r)
	if err := out.decideTests(r, reached); err != nil {
		return nil, err
	}
	if out.compared {
		out.listDifferences(obs, ref)
	}
	out.setContradicted(r, obs)
	return out, nil
}

// findGoal sets the goal. If the task's name and the task's sentence give different
// goals, findGoal uses the goal of the name.
func (o *replayed) findGoal(r *abi.ReplayRequest) {
	byName, named := goalOfName(r.Task)
	byText, stated := goalOfText(r.Opening)
	switch {
	case named:
		o.goal = &byName
		if stated && !byName.equal(&byText) {
			o.addNote("the task's name and its sentence ask for different goals; the goal of the name was tested")
		}
	case stated:
		o.goal = &byText
	default:
		o.addNote("no goal could be read from the task's name or from the task's sentence")
	}
	if o.goal != nil {
		o.Domain = o.goal.taskType()
	}
}

// followActions applies the actions of one side and returns their outcomes. reached is
// true if the goal was reached after any of the actions, because the game ends at that
// moment.
func (o *replayed) followActions(g *game, actions []abi.Action) (out []outcome, reached bool) {
	for i := range actions {
		out = append(out, g.applyMove(toMove(&actions[i])))
		if o.goal == nil || reached || out[i].refused {
			continue
		}
		var by []string
		if by, reached = o.goal.findWitnesses(g); reached {
			for _, object := range by {
				o.witnesses[object] = true
			}
		}
	}
	return out, reached
}

// noteUnread adds notes about observations that could not be read and commands that could
// not be followed.
func (o *replayed) noteUnread(r *abi.ReplayRequest) {
	unread, foreseen := 0, 0
	for _, x := range o.obs {
		if x.unread {
			unread++
		}
		if x.foreseen {
			foreseen++
		}
	}
	if unread > 0 {
		o.addNote("observations that contain no sentence of the game and were ignored: %d", unread)
	}
	if foreseen > 0 {
		o.addNote("commands without an observation, assumed to have succeeded: %d", foreseen)
	}
	for i := range o.ref {
		if o.ref[i].refused {
			o.addNote("reference action %d (%s) cannot be carried out; the action is not a command, or the known facts do not allow the action", i, commandText(&r.Reference[i]))
		}
	}
}

// decideTests decides whether the goal, the final facts, or both can be tested. It
// returns an error if neither can be tested. The final facts are not compared in two
// cases:
//
//   - A command of the reference cannot be followed.
//   - The reference is empty and a goal is known.
//
// If the reference is empty and no goal is known, the reference counts as a run that does
// nothing.
func (o *replayed) decideTests(r *abi.ReplayRequest, reached bool) error {
	followed := !slices.ContainsFunc(o.ref, func(x outcome) bool { return x.refused })
	switch {
	case o.goal == nil && !followed:
		return sdk.Errorf(CodeNothingToTest, "cannot test this run: %s", strings.Join(o.Notes, "; "))
	case o.goal == nil:
		o.compared = true
	default:
		o.compared = followed && len(o.ref) > 0
		o.Success, o.StateEqual = reached, reached
	}
	if o.compared && o.goal != nil && !o.reachedByRef {
		o.addNote("the reference's own commands do not reach the goal")
	}
	return nil
}

// listDifferences fills the list Differences with the facts that end differently. It sets
// StateEqual if no difference counts.
func (o *replayed) listDifferences(obs, ref *game) {
	o.StateEqual = true
	left := 0
	for i, x := range differingFacts(obs.facts, ref.facts) {
		table := "objects"
		if x.is == opened {
			table = "receptacles"
		}
		o.differing[x] = i
		o.Differences = append(o.Differences, abi.Difference{Table: table, Key: x.of, Field: x.fieldName(),
			Observed: factJSON(x, obs), Reference: factJSON(x, ref)})
		if o.mayDiffer(x) {
			left++
		} else {
			o.StateEqual = false
		}
	}
	if left > 0 {
		o.addNote("differences that do not count: %d of %d", left, len(o.Differences))
	}
	if o.goal == nil {
		o.Success = o.StateEqual
	}
}

// mayDiffer reports whether a difference in the fact x does not count. There are three
// cases:
//
//   - x says whether a receptacle is open. No goal asks for this.
//   - The run reached the goal, and the reference did not.
//   - The run and the reference reached the goal, and x is about an object that fulfils
//     the goal.
func (o *replayed) mayDiffer(x fact) bool {
	done := o.goal != nil && o.Success
	return x.is == opened || done && (!o.reachedByRef || o.witnesses[x.of])
}

// setContradicted sets Contradicted if the tested goal and the recorded outcome disagree.
// There is one exception: the recorded outcome is a success, and the method ruledOut
// returns false. In this case an object may be in a place that the run did not look at.
func (o *replayed) setContradicted(r *abi.ReplayRequest, obs *game) {
	switch {
	case r.Recorded == nil || o.goal == nil || *r.Recorded == o.Success:
	case *r.Recorded && !o.goal.ruledOut(obs):
		o.addNote("the observations do not show the recorded success; an object may be in a receptacle that the run never looked at")
	default:
		o.Contradicted = true
		o.addNote("recorded outcome contradicted by the observations")
	}
}

// factJSON returns a fact's value as JSON.
func factJSON(x fact, g *game) json.RawMessage {
	if g.get(x) == "" {
		return json.RawMessage("false")
	}
	return json.RawMessage("true")
}

func (o *replayed) addNote(format string, args ...any) {
	o.Notes = append(o.Notes, fmt.Sprintf(format, args...))
}
