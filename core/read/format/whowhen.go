package format

import (
	"github.com/boundcheck/boundcheck/core/read/engine"
	"github.com/boundcheck/boundcheck/core/read/shape"
)

// isWhoWhen reports whether an object is a log of the Who&When dataset.
func isWhoWhen(o *shape.Object) bool {
	return o.IsList("history") && o.HasAny("mistake_agent mistake_step")
}

// decodeWhoWhen reads logs of conversations of several agents. Each entry of the history
// is one message.
func decodeWhoWhen(d *engine.Decoder, in engine.Batch) {
	for _, v := range in.Values {
		o := shape.OpenObject(v)
		r := d.NewRun()
		r.Trajectory.Task = o.FirstText("question_ID question_id")
		if b, ok := o.Get("is_correct").Bool(); ok {
			r.Trajectory.Success = &b
		}
		r.Trajectory.RightAnswer = o.FirstText("ground_truth")
		r.ReadTalk(o.Get("history").Elements())
		r.AddToDocument()
	}
}
