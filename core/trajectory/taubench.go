package trajectory

import (
	"github.com/boundcheck/boundcheck/core/jsonval"
	"github.com/boundcheck/boundcheck/core/reference"
)

// isTauBench reports whether an object is a row with a "traj" and a task or a reward.
func isTauBench(o *object) bool {
	return o.isList("traj") && o.any("task_id reward")
}

func decodeTauBench(d *decoder, in batch) {
	for _, row := range in.values {
		d.tauRow(row)
	}
}

func (d *decoder) tauRow(row jsonval.Value) {
	if row.Kind() != jsonval.Object {
		d.warnAt("row-not-object", "a row is "+row.Kind().String()+", not a run", row)
		return
	}
	r := d.run()
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
			r.t.reward(v)
		case "traj":
			r.chat(v)
		case "info":
			r.t.Reference = d.gold(v.Get("task"))
		}
		return true
	})
	for i := range r.t.Messages { // the benchmark's user reads only turns without a call
		r.t.Messages[i].Unsaid = r.t.Messages[i].Calls
	}
	r.done()
}

// reward reads a reward in [0, 1]. A run succeeded if it is 1 (within 1e-6, the
// benchmark's own tolerance).
func (t *Trajectory) reward(v jsonval.Value) {
	r, ok := v.Float()
	if !ok {
		return
	}
	success := r >= 1-1e-6 && r <= 1+1e-6
	t.Reward, t.Success = &r, &success
}

// gold reads the reference of a benchmark's task. It returns nil if there is none and,
// with a warning, if it cannot be read. Trials repeat their task, which is read once.
func (d *decoder) gold(task jsonval.Value) *reference.Reference {
	text := task.Raw()
	if r, known := d.golds[text]; known {
		return r
	}
	if !reference.IsTask(task) {
		return nil
	}
	r, err := reference.FromTask(task)
	if err != nil {
		d.warnAt("invalid-reference", err.Error(), task)
		return nil
	}
	if d.golds == nil {
		d.golds = map[string]*reference.Reference{}
	}
	d.golds[text] = r
	return r
}
