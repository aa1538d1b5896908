package engine

import (
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/ref/reference"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// IsTauBench reports whether an object is a row of τ-bench: it has the member "traj", and
// the member "task_id" or "reward".
func IsTauBench(o *shape.Object) bool {
	return o.IsList("traj") && o.HasAny("task_id reward")
}

// DecodeTauBench reads rows of τ-bench, one run for each row.
func DecodeTauBench(d *Decoder, in Batch) {
	d.ReadEach(in.Values, (*Decoder).tauRow)
}

func (d *Decoder) tauRow(row jsonval.Value) {
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
			SetReward(&r.Trajectory, v)
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

// SetReward sets the run's reward, and its success. The run succeeded if the reward is 1
// within 1e-6, as in the benchmark.
func SetReward(t *trajectory.Trajectory, v jsonval.Value) {
	r, ok := v.Float()
	if !ok {
		return
	}
	success := r >= 1-1e-6 && r <= 1+1e-6
	t.Reward, t.Success = &r, &success
}

// ReadGold reads the reference in a benchmark's task. It returns nil if there is none. If
// the reference cannot be read, it adds a warning and returns nil, too.
func (d *Decoder) ReadGold(task jsonval.Value) *reference.Reference {
	r, err := d.golds.Read(task)
	if err != nil {
		d.WarnAt("invalid-reference", err.Error(), task)
	}
	return r
}
