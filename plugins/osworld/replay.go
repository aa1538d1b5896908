package osworld

import (
	"encoding/json"
	"fmt"

	"github.com/boundcheck/boundcheck/plugins/abi"
)

// replayed is a Replay with the data that it was made from.
type replayed struct {
	abi.Replay
	obs, ref *run
	decided  bool // the outcome follows from the task's own rule
	differs  bool // the last screens differ
}

// Replay replays both runs. Success is the recorded result of the evaluator. If t is not
// nil, Replay checks one rule of the evaluator itself. The run must say that the task
// cannot be done if this is true, and only then.
func Replay(t *task, r *abi.ReplayRequest) abi.Replay { return replayRuns(t, r).Replay }

func replayRuns(t *task, r *abi.ReplayRequest) *replayed {
	g := &gallery{seen: map[string]*screen{}}
	o := &replayed{obs: followCalls(r.Observed, r.Opening, g), ref: followCalls(r.Reference, r.Opening, g), Replay: abi.Replay{Benchmark: benchmark, Basis: abi.BasisWrites,
		Outputs: map[string]bool{}, Notes: []string{}, Differences: []abi.Difference{}, Calls: []abi.ReplayedCall{}, Score: r.Reward}}
	for i := range o.obs.steps {
		s := &o.obs.steps[i]
		o.Calls = append(o.Calls, abi.ReplayedCall{Index: i, Changed: s.mayHaveChanged(), Error: s.failed || s.err != nil})
		o.StateChanged = o.StateChanged || s.mayHaveChanged()
	}
	o.noteUnread("observed", o.obs)
	o.noteUnread("reference", o.ref)
	if n := len(g.errs); n > 0 {
		o.addNote("unreadable pictures: %d. The first error is: %v", n, g.errs[0])
	}
	o.compareScreens()
	o.decideOutcome(t, r)
	return o
}

func (o *replayed) noteUnread(who string, s *run) {
	if n := len(s.unread); n > 0 {
		first := s.unread[0]
		o.addNote("unreadable %s actions: %d. The first is action %d: %v", who, n, first, s.steps[first].err)
	}
}

func (o *replayed) addNote(format string, args ...any) {
	o.Notes = append(o.Notes, fmt.Sprintf(format, args...))
}

// compareScreens compares the last screens, if both were recorded.
func (o *replayed) compareScreens() {
	obs, ref := o.obs.last, o.ref.last
	if len(o.ref.steps) == 0 || obs == nil || ref == nil {
		return
	}
	o.addNote("the last screens have a similarity of %.3f; equal screens need at least %.2f", hashSimilarity(obs.hash, ref.hash), similar)
	if o.differs = !obs.isSimilar(ref); o.differs {
		o.Differences = append(o.Differences, abi.Difference{Table: "screen", Key: "last", Field: "phash", Observed: hexJSON(obs.hash), Reference: hexJSON(ref.hash)})
	}
}

func hexJSON(hash uint64) json.RawMessage { return fmt.Appendf(nil, `"%016x"`, hash) }

func (o *replayed) decideOutcome(t *task, r *abi.ReplayRequest) {
	o.StateEqual = !o.differs
	refused := o.obs.final.kind == fail
	if t != nil {
		o.Domain = t.Evaluator.Func[0]
		o.decided = t.isInfeasible() || refused
	}
	switch {
	case o.decided:
		o.Basis, o.Success = abi.BasisFacts, t.isInfeasible() && refused
		o.StateEqual = o.StateEqual || o.Success
		switch {
		case o.Success:
			o.addNote("the task cannot be done, and the run reports this")
		case refused:
			o.addNote("the run reports that the task cannot be done, but the task can be done")
		default:
			o.addNote("the task cannot be done, but the run does not report this")
		}
		if r.Recorded != nil && *r.Recorded != o.Success {
			o.Contradicted = true
			o.addNote("the run's last message contradicts the recorded outcome")
		}
	case r.Recorded != nil:
		o.Basis, o.Success = abi.BasisRecorded, *r.Recorded
	default:
		o.Success = o.StateEqual
	}
}
