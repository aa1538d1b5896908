// Package equivalence is stage two: it rules on every row of the alignment. A row is
// correct, excused as a functional equivalent, a note, or a violation that stage three
// classifies.
//
// This package contains the effect stage, which needs no benchmark. Calls are equal if
// their normalised arguments are equal. Actions that only read, and actions that failed,
// changed nothing. An action that was done at another position counts as done, unless it
// had to come before or after a step and did not. Plugins provide the state stage and the
// outcome stage.
package equivalence

import (
	"slices"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/kind"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/pairing"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/math/align"
	"github.com/boundcheck/boundcheck/core/stage/relation"
	"github.com/boundcheck/boundcheck/core/stage/sentences"
)

// Verdict is the ruling on one row.
type Verdict uint8

// The verdicts. A note is shown in the report, but it is not a violation.
const (
	Correct Verdict = iota
	Excused
	Note
	Violation
)

var verdictNames = [...]string{"correct", "excused", "note", "violation"}

// String returns the verdict's name in the JSON output.
func (v Verdict) String() string { return verdictNames[v] }

// Kind says what a violation consists of, before stage three gives it a type.
type Kind uint8

// The kinds of violation that stage two finds.
const (
	None     Kind = iota
	Extra         // an action with an effect that the reference does not have
	Missing       // a reference step that no action did
	Wrong         // the right action with different arguments
	State         // correct arguments, but the benchmark's replay ends in a different state
	Late          // done, but before a step that had to come first
	Granular      // one action on one side, several on the other
	Uneven        // one action with a list on one side, parts of the list on the other
	Unmet         // its precondition did not hold when it began: a step before it is missing or failed
)

// Effect is the name of the stage that this package applies.
const Effect = "effect"

// Ruling is the result of stage two for one row of Case.Steps.
type Ruling struct {
	Verdict Verdict
	Kind    Kind
	Stage   string // the stage that excused the row
	Reason  string
	Diff    similarity.Difference // for Wrong: what no kind of value excuses
	Certain kind.Outcome          // for Wrong: how certain it is that an argument differs: Unsure, Likely or Differs
	Kinds   map[string]kind.Name  // for Wrong: what the different arguments hold, by path
	Group   *Group                // for Granular: all rows that belong together
	Beyond  []string              // for Uneven: the entities of the list that no part names, sorted
	Undone  bool                  // for Missing: the step was done, and its effect was gone in the end
	Hint    bool                  // for Extra: only a judge can say whether it counts
	Also    *Ruling               // a second violation in the row: Reason and Kind are about its step, this one about its action; nil for none

	about    *Pair // what the ruling is about, if not the pair of the row (see About); nil for that pair
	same     bool  // the two calls of the row are equal, in different notations
	neededBy int   // for a note about a missing step: 1 + the row of the action that needed the step; 0 for none
}

// Judge returns a ruling for every row of the alignment, and sets c.Done. O(rows + moved ·
// rows).
func Judge(c *boundary.Case) []Ruling {
	return judgeWithoutGone(c, judgeOnce(c, nil, nil)).out
}

// judgeOnce judges all rows. gone is what became of the actions, and later of the steps; nil if the effect of each counts.
func judgeOnce(c *boundary.Case, gone, later relation.Fates) *judge {
	j := &judge{Case: c, Run: relation.New(c), Fates: gone, later: later, out: make([]Ruling, len(c.Steps))}
	j.moved = j.pairMoved()
	j.pairDetours()
	j.rowOfObs, j.rowOfRef = rowIndices(c)
	for row, s := range c.Steps {
		switch s.Op {
		case align.Match, align.Substitution:
			j.judgePair(row, s)
		case align.Insertion:
			j.judgeInsertion(row, s.Obs)
		case align.Deletion:
			j.judgeDeletion(row, s.Ref)
		}
	}
	j.checkOrder()
	j.checkTurns()
	groups := j.composeGroups()
	for i := range groups {
		j.judgeGroup(&groups[i])
	}
	j.checkPreconditions()
	c.Done = j.linkDone(groups)
	j.withoutStages()
	return j
}

// withoutStages turns excuses into violations if their stage is disabled. The excuses for
// actions that change no state (a read, a failed call) belong to the stage State. All
// other excuses belong to the stage Effect.
func (j *judge) withoutStages() {
	if !j.Without.State && !j.Without.Effect {
		return
	}
	for row := range j.out {
		r, s := &j.out[row], j.Steps[row]
		if r.Verdict != Excused || s.Obs >= 0 && j.Obs[s.Obs].ByUser {
			continue
		}
		idle := (s.Obs < 0 || !j.Obs[s.Obs].Writes()) && (s.Ref < 0 || !j.Ref[s.Ref].Writes())
		if idle && !j.Without.State || !idle && !j.Without.Effect {
			continue
		}
		v := Ruling{Verdict: Violation, Kind: Wrong, Reason: sentences.StageDisabled.With(r.Reason)}
		switch s.Op {
		case align.Insertion:
			v.Kind = Extra
		case align.Deletion:
			v.Kind = Missing
		default:
			v.Diff = similarity.Compare(&j.Obs[s.Obs].Call, &j.Ref[s.Ref].Call, j.Ref[s.Ref].Terms)
		}
		*r = v
	}
}

type judge struct {
	*boundary.Case
	*relation.Run
	relation.Fates                // of the actions
	later          relation.Fates // of the steps
	out            []Ruling
	moved          moves
	detours        detours        // steps that were done by another tool
	scopes         [][]string     // of reference steps, see stepScope
	lastWrite      map[string]int // by entity of stepScope: the last step that has an effect on it
	persons        []int          // of reference steps, see personOf
	noes           map[int]string // by action: see memberOfNo
	noNotice       int            // see takesNoNotice: 1 for yes, -1 for no, 0 if not asked
	inVain         int            // pairs of a step and an action that is gone, see missingReason
	compared       int            // reads that were compared with steps, see readOtherwise
	apart          map[int]*halves
	uneven         []Group // an action that did too much, or the actions that did a step in part

	rowOfObs, rowOfRef []int
}

func (j *judge) judgePair(row int, s align.Step) {
	obsAway, refAway := j.moved.ofObs(s.Obs) >= 0, j.moved.ofRef(s.Ref) >= 0
	switch {
	case j.IsGone(s.Obs):
		j.judgeGonePair(row, s)
	case j.detourOf(s.Ref) == s.Obs:
		j.judgeDetour(row, s.Obs)
	case obsAway && j.moved.ofObs(s.Obs) == s.Ref: // equal, but no match by the parameters
		j.out[row].Verdict = Correct
	case obsAway && refAway:
		j.excuseRow(row, sentences.BothElsewhere.With())
	case obsAway:
		j.judgeDeletion(row, s.Ref)
	case refAway:
		j.judgeInsertion(row, s.Obs)
	default:
		j.compareActions(row, &j.Obs[s.Obs], &j.Ref[s.Ref], s)
	}
}

// compareActions judges an observed action and a reference step. Either the alignment
// pairs them, or they have a common name and a common entity.
func (j *judge) compareActions(row int, obs, ref *boundary.Action, s align.Step) {
	d := similarity.Compare(&obs.Call, &ref.Call, ref.Terms)
	reads := !obs.Writes() && !ref.Writes()
	switch {
	case obs.Text == "" && ref.Text == "" && obs.Name != ref.Name && !obs.ByUser:
		j.judgeAlias(row, obs, ref)
	case obs.ByUser && !d.Equal() && !isSame(obs, ref): // the user's action is not an error of the agent, but the step is still open
		j.judgeDeletion(row, s.Ref)
	case d.Equal() && s.Op == align.Match:
		j.out[row].Verdict = Correct
	case reads && ref.Mutation.Control && !computesFacts(ref) && !j.answersOtherwise(obs, ref):
		j.excuseRow(row, sentences.FreeWording.With())
	case reads && obs.Text == "" && ref.Text == "" && len(d.Missing) == 0 && len(d.Changed) == 0:
		j.excuseRow(row, sentences.WiderRead.With())
	case reads && j.mayLeaveOut(ref) && !(computesFacts(ref) && ref.Mutation.Control):
		j.excuseRow(row, sentences.OtherRead.With())
	default:
		j.compareKinds(row, obs, ref, s.Obs)
	}
}

// longestAnswer is the largest number of words of an answer that is no free wording.
const longestAnswer = 3

// answersOtherwise reports whether two calls of a tool that talks or ends the run give different
// answers. Only the profile sop asks for it, which compares each step. The arguments must be the
// same but for short answers, and these must differ with certainty or say the opposite. The wording of
// longer texts and of thoughts is free.
func (j *judge) answersOtherwise(obs, ref *boundary.Action) bool {
	if j.Profile != boundary.SOP || !areCalls(obs, ref) || !mutation.Answers(ref.Name) {
		return false
	}
	k := settleCalls(obs, ref)
	if len(k.Rest.Extra)+len(k.Rest.Missing) > 0 {
		return false
	}
	opposite := false
	for _, p := range k.Rest.Changed {
		x, y := similarity.Plain(p.Observed), similarity.Plain(p.Reference)
		if len(strings.Fields(x)) > longestAnswer || len(strings.Fields(y)) > longestAnswer {
			return false
		}
		opposite = opposite || kind.Opposite(x, y)
	}
	return opposite || len(k.Rest.Changed) > 0 && k.Certainty == kind.Differs
}

// computesFacts reports whether an action computes something about the task from named
// arguments, such as a payment from a loan and a rate. Arithmetic on one expression does
// not: its wording is free.
func computesFacts(a *boundary.Action) bool {
	return (a.Deed().Class == "compute" || a.Deed().Verb == "convert") && slices.ContainsFunc(a.Leaves, func(l similarity.Leaf) bool {
		switch strings.ToLower(l.Key) {
		case "expression", "expr", "formula", "equation", "input", "query", "text", "calculation", "operation":
			return false
		}
		return true
	})
}

// compareKinds judges two calls whose arguments differ, by what the arguments hold.
func (j *judge) compareKinds(row int, obs, ref *boundary.Action, at int) {
	k := settleCalls(obs, ref)
	if k.AsWritten {
		j.Bounds.Kinds++
	}
	var taken []string
	if j.Profile == boundary.Outcome && len(k.Rest.Missing) > 0 && areCalls(obs, ref) && ref.Terms.Plain() {
		if k.Rest.Missing, taken = j.TookAnyway(at, k.Rest.Missing); len(taken) > 0 {
			k.Recount()
		}
	}
	switch {
	case k.Equal() && len(taken) > 0:
		j.excuseRow(row, sentences.TookAnyway.With(strings.Join(taken, ", ")))
		j.out[row].same = true
	case k.Equal() && areCalls(obs, ref):
		j.excuseRow(row, sameNotation(k.Same))
		j.out[row].same = true
	case len(k.Rest.Missing) == 0 && len(k.Rest.Changed) == 0 && j.isRestatement(k.Rest.Extra, ref, at):
		j.excuseRow(row, sentences.Restated.With())
	default:
		if j.AreOneRecord(at, &k.Rest) {
			k.Certainty = kind.Unsure
		}
		j.markWrong(row, obs, k)
	}
}

// settleCalls compares the arguments of two calls by their kinds. Calls of different tools and
// free texts are compared as they are written.
func settleCalls(obs, ref *boundary.Action) pairing.Ruling {
	d := similarity.Compare(&obs.Call, &ref.Call, ref.Terms)
	if !areCalls(obs, ref) {
		return pairing.Ruling{Rest: d}
	}
	return pairing.Settle(&obs.Call, &ref.Call, ref.Terms, &d)
}

// sameNotation says which arguments have the same value in another notation.
func sameNotation(same []pairing.Excuse) string {
	var out []string
	for _, e := range same {
		out = append(out, sameValue()[e.Kind].With(e.Path))
	}
	return strings.Join(out, "; ")
}

// isRestatement reports whether extra arguments only repeat facts about an entity that
// the reference describes more briefly. Under the profile sop the result is false,
// because sop requires the exact arguments of the reference. Each extra argument must
// meet these conditions:
//
//   - it is a member of an object that the reference also has, and not an element of a list;
//   - the environment had returned its value.
func (j *judge) isRestatement(extra []similarity.Leaf, ref *boundary.Action, obs int) bool {
	if j.Profile != boundary.Outcome || j.Seen == nil {
		return false
	}
	seen := ""
	for _, l := range extra {
		dot := strings.LastIndexByte(l.Path, '.')
		if dot < 0 || strings.ContainsRune(l.Path[dot:], '[') || !ref.Has(l.Path[:dot]) {
			return false
		}
		if seen == "" {
			seen = j.Seen(obs)
		}
		if value := similarity.Plain(l.Raw); value == "" || !strings.Contains(seen, value) {
			return false
		}
	}
	return len(extra) > 0
}

// markWrong reports that an action has other arguments than its step. k is the result of
// settleCalls for the two.
func (j *judge) markWrong(row int, obs *boundary.Action, k pairing.Ruling) {
	j.out[row] = Ruling{Verdict: Violation, Kind: Wrong, Diff: k.Rest, Certain: k.Certainty, Kinds: k.Kinds,
		Reason: sentences.ArgumentsDiffer.With(obs.Name)}
}

// mayLeaveOut reports whether a step that changes nothing may be left out. The profile
// outcome allows it for all steps that are not marked as required.
func (j *judge) mayLeaveOut(ref *boundary.Action) bool {
	return j.Profile == boundary.Outcome && !ref.Required
}

func (j *judge) judgeInsertion(row, obs int) {
	a := &j.Obs[obs]
	if j.IsGone(obs) {
		j.out[row] = j.goneRuling(obs)
		return
	}
	if _, ok := j.detours.ofObs[obs]; ok {
		j.judgeDetour(row, obs)
		return
	}
	if r := j.moved.nearObs[obs]; r >= 0 {
		j.compareActions(row, a, &j.Ref[r], align.Step{Op: align.Substitution, Obs: obs, Ref: r})
		j.out[row].about = &Pair{obs, r} // the row has no step
		return
	}
	switch {
	case j.moved.ofObs(obs) >= 0:
		j.excuseRow(row, sentences.OtherPosition.With(strconv.Itoa(j.moved.ofObs(obs)+1)))
	case a.ByUser:
		j.excuseRow(row, sentences.ByUser.With())
	case a.Proposed:
		j.excuseRow(row, sentences.NotExecuted.With())
	case a.Failed:
		j.excuseRow(row, sentences.Failed.With())
	case a.Mutation.Control, a.OnlyWaits():
		j.excuseRow(row, sentences.OnlyControl.With())
	case !a.Mutation.Counts():
		j.excuseRow(row, sentences.OnlyRead.With())
	case j.InTransaction(obs):
		j.excuseRow(row, sentences.Transaction.With())
	case j.Profile == boundary.Outcome && j.SaysNoChange(obs):
		j.out[row] = Ruling{Verdict: Note, Reason: sentences.NoChange.With(a.Name)}
	case j.DidAfter(obs) >= 0:
		j.out[row] = Ruling{Verdict: Note, Reason: sentences.TriedOut.With(a.Name, strconv.Itoa(j.DidAfter(obs)+1))}
	case j.Profile == boundary.Outcome && relation.IsSession(a):
		j.out[row] = Ruling{Verdict: Note, Reason: sentences.OwnSession.With(a.Name)}
	case relation.Completes(j.Case, obs) >= 0:
		j.out[row] = Ruling{Verdict: Note, Reason: sentences.Completes.With(a.Name, strconv.Itoa(relation.Completes(j.Case, obs)+1))}
	case j.FilledBy(obs, j.stepOf) >= 0:
		j.out[row] = Ruling{Verdict: Note, Reason: sentences.Filled.With(a.Name, strconv.Itoa(j.FilledBy(obs, j.stepOf)+1))}
	case j.Profile == boundary.Outcome && relation.ChoosesPlace(a):
		j.out[row] = Ruling{Verdict: Violation, Kind: Extra, Hint: true, Reason: sentences.ChoosesPlace.With(a.Name)}
	case j.ScratchOf(obs) >= 0:
		j.out[row] = Ruling{Verdict: Note, Reason: sentences.Scratch.With(a.Name, strconv.Itoa(j.ScratchOf(obs)+1))}
	case relation.SaysLook(a):
		j.out[row] = Ruling{Verdict: Violation, Kind: Extra, Hint: true, Reason: sentences.SaysLook.With(a.Name)}
	case j.MayOnlyLook(obs):
		j.out[row] = Ruling{Verdict: Violation, Kind: Extra, Hint: true, Reason: sentences.MayOnlyLook.With(a.Name)}
	default:
		j.out[row] = Ruling{Verdict: Violation, Kind: Extra,
			Reason: sentences.ExtraAction.With(a.Name, a.Mutation.Mutating.String())}
	}
}

func (j *judge) judgeDeletion(row, ref int) {
	r := &j.Ref[ref]
	if o := j.detourOf(ref); o >= 0 {
		if j.detours.ofObs[o].sure {
			j.excuseRow(row, sentences.DoneByTool.With(strconv.Itoa(o+1), j.Obs[o].Name))
		} else {
			j.out[row] = Ruling{Verdict: Note, Reason: sentences.MayBeDoneByTool.With(strconv.Itoa(o+1), j.Obs[o].Name)}
		}
		return
	}
	if o := j.moved.nearRef[ref]; o >= 0 {
		j.out[row] = Ruling{Verdict: Note, Reason: sentences.DoneOtherwise.With(r.Name, strconv.Itoa(o+1))}
		return
	}
	switch {
	case j.moved.ofRef(ref) >= 0:
		j.excuseRow(row, sentences.DoneElsewhere.With(strconv.Itoa(j.moved.ofRef(ref)+1)))
	case r.Failed && j.mayLeaveOut(r):
		j.out[row] = Ruling{Verdict: Note, Reason: sentences.NotTried.With(r.Name)}
	case !r.Writes() && j.mayLeaveOut(r):
		j.out[row] = Ruling{Verdict: Note, Reason: sentences.StepNotNeeded.With(r.Name)}
	case j.setAgainLater(ref) >= 0 && !r.Required:
		j.out[row] = Ruling{Verdict: Note, Reason: sentences.StepSetAgain.With(r.Name, strconv.Itoa(j.setAgainLater(ref)+1))}
	default:
		if o := j.readOtherwise(row, ref); o >= 0 {
			j.excuseRow(row, sentences.ReadOtherwise.With(r.Name, j.Obs[o].Name, strconv.Itoa(o+1)))
			return
		}
		why, gone := j.missingReason(r)
		j.out[row] = Ruling{Verdict: Violation, Kind: Missing, Undone: gone, Reason: why}
	}
}

// isSame reports whether two calls have the same arguments, perhaps in another notation.
func isSame(obs, ref *boundary.Action) bool {
	if !areCalls(obs, ref) {
		return false
	}
	d := similarity.Compare(&obs.Call, &ref.Call, ref.Terms)
	return pairing.AreEqual(&obs.Call, &ref.Call, ref.Terms, &d)
}

// areCalls reports whether two actions are calls of one tool, and no free texts.
func areCalls(obs, ref *boundary.Action) bool {
	return obs.Text == "" && ref.Text == "" && obs.Name == ref.Name
}

func (j *judge) excuseRow(row int, reason string) {
	j.out[row] = Ruling{Verdict: Excused, Stage: Effect, Reason: reason}
}
