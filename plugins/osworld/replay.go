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
// nil, Replay checks one rule of the evaluator itself: in a task that cannot be done the
// agent must say so, and in any other task saying so is a failure.
func Replay(t *task, r *abi.ReplayRequest) abi.Replay { return replay(t, r).Replay }

func replay(t *task, r *abi.ReplayRequest) *replayed {
	g := &gallery{seen: map[string]*screen{}}
	o := &replayed{obs: follow(r.Observed, r.Opening, g), ref: follow(r.Reference, r.Opening, g), Replay: abi.Replay{Benchmark: benchmark, Basis: abi.BasisWrites,
		Outputs: map[string]bool{}, Notes: []string{}, Differences: []abi.Difference{}, Calls: []abi.ReplayedCall{}, Score: r.Reward}}
	for i := range o.obs.steps {
		s := &o.obs.steps[i]
		o.Calls = append(o.Calls, abi.ReplayedCall{Index: i, Changed: s.changed(), Error: s.failed || s.err != nil})
		o.StateChanged = o.StateChanged || s.changed()
	}
	o.remark("observed", o.obs)
	o.remark("reference", o.ref)
	if n := len(g.errs); n > 0 {
		o.note("pictures that cannot be read: %d; the first: %v", n, g.errs[0])
	}
	o.compare()
	o.conclude(t, r)
	return o
}

func (o *replayed) remark(who string, s *run) {
	if n := len(s.unread); n > 0 {
		first := s.unread[0]
		o.note("%s actions that cannot be read: %d; the first is %d: %v", who, n, first, s.steps[first].err)
	}
}

func (o *replayed) note(format string, args ...any) {
	o.Notes = append(o.Notes, fmt.Sprintf(format, args...))
}

// compare compares the last screens, if both were recorded.
func (o *replayed) compare() {
	obs, ref := o.obs.last, o.ref.last
	if len(o.ref.steps) == 0 || obs == nil || ref == nil {
		return
	}
	o.note("the last screens have a similarity of %.3f; screens count as equal from %.2f on", similarity(obs.hash, ref.hash), similar)
	if o.differs = !obs.same(ref); o.differs {
		o.Differences = append(o.Differences, abi.Difference{Table: "screen", Key: "last", Field: "phash", Observed: hex(obs.hash), Reference: hex(ref.hash)})
	}
}

func hex(hash uint64) json.RawMessage { return fmt.Appendf(nil, `"%016x"`, hash) }

func (o *replayed) conclude(t *task, r *abi.ReplayRequest) {
	o.StateEqual = !o.differs
	refused := o.obs.final.kind == fail
	if t != nil {
		o.Domain = t.Evaluator.Func[0]
		o.decided = t.infeasible() || refused
	}
	switch {
	case o.decided:
		o.Basis, o.Success = abi.BasisFacts, t.infeasible() && refused
		o.StateEqual = o.StateEqual || o.Success
		switch {
		case o.Success:
			o.note("the task cannot be done, and the run says so")
		case refused:
			o.note("the run says that the task cannot be done, but it can be done")
		default:
			o.note("the task cannot be done, and the run does not say so")
		}
		if r.Recorded != nil && *r.Recorded != o.Success {
			o.Contradicted = true
			o.note("the run's last message contradicts the recorded outcome")
		}
	case r.Recorded != nil:
		o.Basis, o.Success = abi.BasisRecorded, *r.Recorded
	default:
		o.Success = o.StateEqual
	}
}
