package format

import (
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/engine"
	"github.com/boundcheck/boundcheck/core/read/shape"
)

// isTauBench reports whether an object is a row of τ-bench: it has the member "traj", and
// the member "task_id" or "reward".
func isTauBench(o *shape.Object) bool {
	return o.IsList("traj") && o.HasAny("task_id reward")
}

// decodeTauBench reads rows of τ-bench, one run for each row.
func decodeTauBench(d *engine.Decoder, in engine.Batch) {
	d.ReadEach(in.Values, readTauRow)
}

func readTauRow(d *engine.Decoder, row jsonval.Value) {
	if row.Kind() != jsonval.Object {
		d.WarnAt("row-not-object", "a row is "+row.Kind().String()+", not a run", row)
		return
	}
	r, isRun := d.NewRun(), false
	row.Each(func(key string, v jsonval.Value) bool {
		switch key {
		case "task_id":
			r.Trajectory.Task = v.Text()
		case "trial":
			if n, ok := v.Int(); ok {
				trial := int(n)
				r.Trajectory.Trial = &trial
			}
		case "reward":
			engine.SetReward(&r.Trajectory, v)
		case "traj":
			isRun = true
			r.ReadChat(v)
		case "info":
			r.Trajectory.Reference = d.ReadGold(v.Get("task"))
		}
		return true
	})
	if !isRun {
		d.WarnForeign(row)
		return
	}
	for i := range r.Trajectory.Messages { // the benchmark shows its user only turns without a call
		r.Trajectory.Messages[i].Unsaid = r.Trajectory.Messages[i].Calls
	}
	r.AddToDocument()
}
