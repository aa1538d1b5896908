package theagentcompany

import (
	"math"

	"github.com/boundcheck/boundcheck/plugins/abi"
)

// setCheckpointOutcome sets the outcome from the checkpoints and the recorded score.
// Normally the score is the sum of the points. A recorded full score is also accepted if
// at least one checkpoint is passed, because some of the benchmark's evaluators then give
// all points.
func (o *replayed) setCheckpointOutcome(r *abi.ReplayRequest) {
	var points, total float64
	passed := 0
	for i := range r.Assertions {
		a := &r.Assertions[i]
		points, total = points+a.Result, total+a.Total
		if a.Passed() {
			passed++
		}
	}
	if total <= 0 {
		o.addNote("the checkpoints have no points, so they decide nothing")
		return
	}
	share := points / total
	o.Assertions, o.decided = r.Assertions, true
	o.Success = passed == len(r.Assertions)
	o.Score = &share
	last := &r.Assertions[len(r.Assertions)-1]
	switch {
	case r.Reward == nil || isNear(*r.Reward, share):
	case isNear(*r.Reward, 1) && last.Passed():
		o.giveFullScore("the last checkpoint is passed, and some evaluators of the benchmark then give all points. Passed checkpoints: %d of %d", passed, len(r.Assertions))
	case isNear(*r.Reward, 1) && passed > 0:
		o.giveFullScore("a checkpoint is passed, and a few evaluators of the benchmark then give all points. Passed checkpoints: %d of %d", passed, len(r.Assertions))
	default:
		o.Contradicted = true
		o.addNote("the recorded score (%.3f) is not the sum of the checkpoints (%.3f)", *r.Reward, share)
	}
}

// giveFullScore records a success with the full score, and adds a note that says why.
func (o *replayed) giveFullScore(format string, args ...any) {
	one := 1.0
	o.Success, o.Score = true, &one
	o.addNote(format, args...)
}

func isNear(a, b float64) bool { return math.Abs(a-b) < 1e-6 }
