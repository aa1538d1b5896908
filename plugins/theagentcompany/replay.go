package theagentcompany

import (
	"fmt"

	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/internal/effect"
	"github.com/boundcheck/boundcheck/plugins/internal/patch"
	"github.com/boundcheck/boundcheck/plugins/sdk"
)

// replayed is a Replay with the data that it was made from.
type replayed struct {
	effect.Run
	obs, ref *side
	decided  bool // the outcome comes from checkpoints
}

// Replay reads both runs as effects and compares the final states. The outcome comes from
// the checkpoints. Without checkpoints, it is the recorded success. Without both, the run
// is a success if the final states are equal.
func Replay(r *abi.ReplayRequest) (abi.Replay, error) { return effect.Replay(r, runReplay) }

// Check compares two runs and rules on each row of their alignment. The comment of
// effect.Case.Judge has the rules.
func Check(r *abi.CheckRequest) (abi.Check, error) {
	return effect.Check(r, runReplay, abi.StageEffect, map[string]string{effect.Directories: "directory", effect.History: "history of", effect.Requests: "request", chat: "messages to"})
}

func runReplay(r *abi.ReplayRequest) (*effect.Run, error) {
	if err := sdk.Plain(r, benchmark); err != nil {
		return nil, err
	}
	out := &replayed{obs: playActions(r.Observed), Run: effect.Run{Replay: abi.Replay{Benchmark: benchmark, Basis: abi.BasisRecorded, Outputs: map[string]bool{},
		Notes: []string{}, Differences: []abi.Difference{}, Calls: []abi.ReplayedCall{}}}}
	for i, d := range out.obs.done {
		out.Calls = append(out.Calls, abi.ReplayedCall{Index: i, Changed: len(d.Touched) > 0, Error: r.Observed[i].Failed})
		out.StateChanged = out.StateChanged || len(d.Touched) > 0
	}
	if n := out.obs.unread; n > 0 {
		out.addNote("unreadable actions: %d. Each action must be a command, a browser program or tool arguments of a known form", n)
	}
	if n := out.obs.opaque; n > 0 {
		out.addNote("actions whose text does not show the changes: %d of %d", n, len(out.obs.done))
	}
	if len(r.Reference) > 0 {
		out.ref = playActions(r.Reference)
		out.compareWorlds()
	}
	out.Observed, out.Reference = out.obs.actionResults(), out.ref.actionResults()
	return &out.Run, out.decideVerdict(r)
}

func (o *replayed) compareWorlds() {
	o.Compared = true
	o.Comparison = effect.Compare(o.obs.world, o.ref.world)
	for i := range o.Comparison.Differences {
		d := &o.Comparison.Differences[i]
		if d.Table == chat && (d.Observed == "" || d.Reference == "") {
			d.Verdict = patch.Unknown // one room may have several names
		}
	}
	o.Differences = o.Comparison.Listed()
	o.StateEqual = o.Comparison.Equal()
	if n := o.Comparison.Opaque; n > 0 {
		o.addNote("actions with unknown effect on only one side: %d. Therefore the two sides are not reported as equal", n)
	}
}

func (o *replayed) decideVerdict(r *abi.ReplayRequest) error {
	if len(r.Assertions) > 0 {
		o.setCheckpointOutcome(r)
	}
	switch {
	case o.decided:
	case r.Recorded != nil:
		o.Success = *r.Recorded
	case o.Compared:
		o.Success = o.StateEqual
	default:
		return sdk.Errorf(CodeNothingToTest, "cannot test this run: it has no reference, no checkpoints and no recorded outcome")
	}
	if o.Compared {
		o.Basis = abi.BasisWrites
	} else {
		o.StateEqual = o.Success
	}
	if r.Recorded != nil && *r.Recorded != o.Success {
		o.Contradicted = true
		o.addNote("recorded outcome contradicted by the checkpoints")
	}
	return nil
}

func (o *replayed) addNote(format string, args ...any) {
	o.Notes = append(o.Notes, fmt.Sprintf(format, args...))
}
