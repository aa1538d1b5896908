package swebench

import (
	"fmt"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/internal/effect"
	"github.com/boundcheck/boundcheck/plugins/internal/patch"
	"github.com/boundcheck/boundcheck/plugins/sdk"
)

// replayed is a Replay with the data that it was made from.
type replayed struct {
	effect.Run
	obs, ref *side
	handed   []patch.File // the files of the run's submission, if it could be read
}

// Replay reads both runs and compares the final states of the files. The outcome comes
// from the recorded test results, or else from the recorded success. Without a reference,
// Replay reports only the outcome. A run with an empty submission is never a success.
func Replay(r *abi.ReplayRequest) (abi.Replay, error) { return effect.Replay(r, runReplay) }

// Check compares two runs and rules on each row of their alignment. The comment of
// effect.Case.Judge has the rules.
func Check(r *abi.CheckRequest) (abi.Check, error) {
	return effect.Check(r, runReplay, abi.StageState, map[string]string{effect.History: "history of", effect.Requests: "request"})
}

func runReplay(r *abi.ReplayRequest) (*effect.Run, error) {
	if err := sdk.Plain(r, benchmark); err != nil {
		return nil, err
	}
	out := &replayed{Run: effect.Run{Replay: abi.Replay{Benchmark: benchmark, Outputs: map[string]bool{}, Notes: []string{},
		Differences: []abi.Difference{}, Calls: []abi.ReplayedCall{}}}}
	out.readSubmission(r)
	reference, whole := patchOf(r.Reference)
	out.obs, out.ref = playActions(r.Observed, ""), playActions(r.Reference, "")
	if root := rootOf(r.Observed, out.obs.world, relativeNames(out.ref.world, append(slices.Clone(reference), out.handed...))); root != "" {
		out.obs = playActions(r.Observed, root)
	}
	if root := rootOf(r.Reference, out.ref.world, relativeNames(out.obs.world, out.handed)); root != "" {
		out.ref = playActions(r.Reference, root)
	}
	for i, d := range out.obs.done {
		out.Calls = append(out.Calls, abi.ReplayedCall{Index: i, Changed: len(d.Touched) > 0, Error: r.Observed[i].Failed})
		out.StateChanged = out.StateChanged || len(d.Touched) > 0
	}
	out.addRemarks()
	final := out.obs.world
	if out.handed != nil {
		final = effect.Final(out.handed)
		out.StateChanged = out.StateChanged || len(out.handed) > 0
		out.noteFollowed(final)
	}
	if len(r.Reference) > 0 {
		if whole {
			out.ref.world = effect.Final(reference)
		}
		out.compareWorlds(final)
	}
	out.Observed, out.Reference = out.obs.actionResults(), out.ref.actionResults()
	return &out.Run, out.decideVerdict(r)
}

// readSubmission reads the run's submission as a diff. An empty submission is a diff
// without files.
func (o *replayed) readSubmission(r *abi.ReplayRequest) {
	if r.Submission == nil {
		return
	}
	if strings.TrimSpace(*r.Submission) == "" {
		o.handed = []patch.File{}
		return
	}
	files, err := effect.Diff(*r.Submission)
	if err != nil {
		o.addNote("the submission cannot be read as a diff (%v); the run's own edits are used instead", err)
		return
	}
	o.handed = files
}

// patchOf returns the files of the diff that the reference submits. ok is false if the
// reference does not submit exactly one diff. ok is also false if another action may
// change files.
func patchOf(actions []abi.Action) (files []patch.File, ok bool) {
	for i := range actions {
		s := effect.NewSession(&effect.World{})
		if found, is := s.Patch(actions[i].Arguments); is && !ok {
			files, ok = found, true
		} else if effects, read := s.Tool(actions[i].Name, actions[i].Arguments); is || actions[i].Text != "" || !read || len(effects) > 0 {
			return nil, false
		}
	}
	return files, ok
}

func (o *replayed) addRemarks() {
	if o.obs.unread > 0 {
		o.addNote("unreadable actions: %d. Each action must be a command or tool arguments of a known form", o.obs.unread)
	}
	if o.obs.opaque > 0 {
		o.addNote("actions whose text does not show the changes: %d of %d", o.obs.opaque, len(o.obs.done))
	}
}

// noteFollowed adds a note that compares the submitted files with the result of the run's
// own edits. The note says how many files are equal and how many files differ.
func (o *replayed) noteFollowed(final *effect.World) {
	equal, differ := 0, 0
	for i := range o.handed {
		name := o.handed[i].Path
		switch v := effect.Agree(o.obs.world, final, name); {
		case v == patch.Equal:
			equal++
		case v == patch.Differs && (o.obs.opaque == 0 || o.obs.world.Touched(name)):
			differ++
		}
	}
	if n := len(o.handed); n > 0 {
		o.addNote("submitted files that equal the result of the run's own edits: %d of %d; different files: %d", equal, n, differ)
	}
}

func (o *replayed) compareWorlds(final *effect.World) {
	o.Compared = true
	o.Comparison = effect.Compare(final, o.ref.world, effect.Directories)
	o.Differences = o.Comparison.Listed()
	o.StateEqual = o.Comparison.Equal()
	if n := o.Comparison.Opaque; n > 0 {
		o.addNote("actions with unknown effect on only one side: %d. Therefore the final states are not reported as equal", n)
	}
	if o.ref.opaque > 0 {
		o.addNote("reference actions whose effect is not known: %d of %d", o.ref.opaque, len(o.ref.done))
	}
}

// canResolve reports whether the submission may resolve the task. The result is false for
// an empty submission. The result is true if the submission is not recorded or cannot be
// read.
func (o *replayed) canResolve() bool { return o.handed == nil || len(o.handed) > 0 }

// decideVerdict decides whether the run is a success. It uses the first of these that
// exists:
//
//   - the results of the tests
//   - the recorded outcome
//   - the comparison with the reference
//
// If none of them exists and the submission is not empty, it returns an error. A run with
// an empty submission is never a success.
func (o *replayed) decideVerdict(r *abi.ReplayRequest) error {
	o.Basis = abi.BasisRecorded
	switch {
	case len(r.Assertions) > 0:
		o.setTestOutcome(r.Assertions)
	case r.Recorded != nil:
		o.Success = *r.Recorded
	case o.Compared:
		o.Success = o.StateEqual
	case o.canResolve():
		return sdk.Errorf(CodeNothingToTest, "cannot test this run: it has no reference, no recorded outcome and no test results")
	}
	if !o.canResolve() {
		o.addNote("the submission is empty, so the issue is not resolved")
		o.Success = false
	}
	if o.Success && o.handed != nil && !slices.ContainsFunc(o.handed, func(f patch.File) bool { return !f.New }) && o.canResolve() {
		o.addNote("the run counts as resolved, although the submission only adds new files")
	}
	if o.Compared {
		o.Basis = abi.BasisWrites
		if o.StateEqual && !o.Success {
			o.addNote("the final diff equals the diff of the reference, but the run does not count as resolved")
		}
	} else {
		o.StateEqual = o.Success
	}
	if r.Recorded != nil && *r.Recorded != o.Success {
		o.Contradicted = true
		o.addNote("recorded outcome contradicted by %s", o.emptyReason())
	}
	return nil
}

func (o *replayed) emptyReason() string {
	if o.canResolve() {
		return "the tests' results"
	}
	return "an empty hand-in"
}

// setTestOutcome sets the outcome from the results of the tests. The run is a success if
// all required tests pass.
func (o *replayed) setTestOutcome(all []abi.Assertion) {
	passed := 0
	for i := range all {
		if all[i].Passed() {
			passed++
		}
	}
	share := float64(passed) / float64(len(all))
	o.Assertions, o.Score, o.Success = all, &share, passed == len(all)
}

func (o *replayed) addNote(format string, args ...any) {
	o.Notes = append(o.Notes, fmt.Sprintf(format, args...))
}
