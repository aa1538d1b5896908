package trajectory

import (
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/ref/reference"
)

// isTauBench reports whether an object is a row of τ-bench: it has the member "traj", and
// the member "task_id" or "reward".
func isTauBench(o *object) bool {
	return o.isList("traj") && o.hasAny("task_id reward")
}

func decodeTauBench(d *decoder, in batch) {
	d.readEach(in.values, (*decoder).tauRow)
}

func (d *decoder) tauRow(row jsonval.Value) {
	if row.Kind() != jsonval.Object {
		d.warnAt("row-not-object", "a row is "+row.Kind().String()+", not a run", row)
		return
	}
	r, isRun := d.newRun(), false
	row.Each(func(key string, v jsonval.Value) bool {
		switch key {
		case "task_id":
			r.t.Task = v.Text()
		case "trial":
			if n, ok := v.Int(); ok {
				trial := int(n)
				r.t.Trial = &trial
			}
		case "reward":
			r.t.setReward(v)
		case "traj":
			isRun = true
			r.readChat(v)
		case "info":
			r.t.Reference = d.readGold(v.Get("task"))
		}
		return true
	})
	if !isRun {
		d.warnForeign(row)
		return
	}
	for i := range r.t.Messages { // the benchmark shows its user only turns without a call
		r.t.Messages[i].Unsaid = r.t.Messages[i].Calls
	}
	r.addToDocument()
}

// setReward sets the run's reward, and its success. The run succeeded if the reward is 1
// within 1e-6, as in the benchmark.
func (t *Trajectory) setReward(v jsonval.Value) {
	r, ok := v.Float()
	if !ok {
		return
	}
	success := r >= 1-1e-6 && r <= 1+1e-6
	t.Reward, t.Success = &r, &success
}

// readGold reads the reference in a benchmark's task. It returns nil if there is none. If
// the reference cannot be read, it adds a warning and returns nil, too.
func (d *decoder) readGold(task jsonval.Value) *reference.Reference {
	r, err := d.golds.read(task)
	if err != nil {
		d.warnAt("invalid-reference", err.Error(), task)
	}
	return r
}
