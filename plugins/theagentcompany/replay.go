package theagentcompany

import (
	"fmt"

	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/internal/effect"
	"github.com/boundcheck/boundcheck/plugins/internal/patch"
	"github.com/boundcheck/boundcheck/plugins/sdk"
)

// replayed is a Replay and what it was made from.
type replayed struct {
	abi.Replay
	obs, ref   *side
	comparison effect.Comparison
	compared   bool
	decided    bool // by checkpoints
}

// Replay reads both runs as effects and compares what they come to. The outcome is the
// checkpoints', else the recorded one, else whether the effects are equal.
func Replay(r *abi.ReplayRequest) (abi.Replay, error) {
	out, err := replay(r)
	if err != nil {
		return abi.Replay{}, err
	}
	return out.Replay, nil
}

func replay(r *abi.ReplayRequest) (*replayed, error) {
	if err := checkRequest(r); err != nil {
		return nil, err
	}
	out := &replayed{obs: play(r.Observed), Replay: abi.Replay{Benchmark: benchmark, Basis: abi.BasisRecorded, Outputs: map[string]bool{},
		Notes: []string{}, Differences: []abi.Difference{}, Calls: []abi.ReplayedCall{}}}
	for i, d := range out.obs.done {
		out.Calls = append(out.Calls, abi.ReplayedCall{Index: i, Changed: len(d.Touched) > 0, Error: r.Observed[i].Failed})
		out.StateChanged = out.StateChanged || len(d.Touched) > 0
	}
	if n := out.obs.unread; n > 0 {
		out.note("actions that are no command, no browser program and no known shape of a tool's arguments: %d", n)
	}
	if n := out.obs.opaque; n > 0 {
		out.note("actions whose effect is not known, as far as their words tell: %d of %d", n, len(out.obs.done))
	}
	if len(r.Reference) > 0 {
		out.ref = play(r.Reference)
		out.compare()
	}
	return out, out.verdict(r)
}

func (o *replayed) compare() {
	o.compared = true
	o.comparison = effect.Compare(o.obs.world, o.ref.world)
	for i := range o.comparison.Differences {
		d := &o.comparison.Differences[i]
		if d.Table == chat && (d.Observed == "" || d.Reference == "") {
			d.Verdict = patch.Unknown // one room may be named in several ways
		}
	}
	o.Differences = o.comparison.Listed()
	o.StateEqual = o.comparison.Equal()
	if n := o.comparison.Opaque; n > 0 {
		o.note("actions on one side alone whose effect is not known, so that the two are not called equal: %d", n)
	}
}

func (o *replayed) verdict(r *abi.ReplayRequest) error {
	if len(r.Assertions) > 0 {
		o.checkpoints(r)
	}
	switch {
	case o.decided:
	case r.Recorded != nil:
		o.Success = *r.Recorded
	case o.compared:
		o.Success = o.StateEqual
	default:
		return sdk.Errorf(CodeNothingToTest, "cannot test this run: there is no reference, and neither checkpoints nor a recorded outcome")
	}
	if o.compared {
		o.Basis = abi.BasisWrites
	} else {
		o.StateEqual = o.Success
	}
	if r.Recorded != nil && *r.Recorded != o.Success {
		o.Contradicted = true
		o.note("recorded outcome contradicted by the checkpoints")
	}
	return nil
}

func (o *replayed) note(format string, args ...any) {
	o.Notes = append(o.Notes, fmt.Sprintf(format, args...))
}
