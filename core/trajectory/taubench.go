package trajectory

import (
	"github.com/boundcheck/boundcheck/core/jsonval"
	"github.com/boundcheck/boundcheck/core/reference"
)

// isTauBench tells a list of rows that hold a "traj" and a task or a reward.
func isTauBench(v jsonval.Value) bool {
	if v.Kind() == jsonval.Object {
		return isTauBenchRow(v)
	}
	found := false
	if v.Kind() == jsonval.Array {
		v.Each(func(_ string, row jsonval.Value) bool {
			found = isTauBenchRow(row)
			return false
		})
	}
	return found
}

func isTauBenchRow(v jsonval.Value) bool {
	return v.Kind() == jsonval.Object && v.Get("traj").Kind() == jsonval.Array &&
		(v.Get("task_id").Exists() || v.Get("reward").Exists())
}

func decodeTauBench(d *decoder, v jsonval.Value) {
	if v.Kind() == jsonval.Object {
		d.tauRow(v)
		return
	}
	v.Each(func(_ string, row jsonval.Value) bool {
		d.tauRow(row)
		return true
	})
}

func (d *decoder) tauRow(row jsonval.Value) {
	if row.Kind() != jsonval.Object {
		d.warnAt("row-not-object", "a row is "+row.Kind().String()+", not a run", row)
	}
	var t Trajectory
	row.Each(func(key string, v jsonval.Value) bool {
		switch key {
		case "task_id":
			t.Task = v.Text()
		case "trial":
			if n, ok := v.Int(); ok {
				trial := int(n)
				t.Trial = &trial
			}
		case "reward":
			t.reward(v)
		case "traj":
			d.chat(&t, v)
		case "info":
			t.Reference = d.tauReference(v)
		}
		return true
	})
	for i := range t.Messages { // the benchmark's user reads only turns without a call
		t.Messages[i].Unsaid = t.Messages[i].Calls
	}
	d.Trajectories = append(d.Trajectories, t)
}

// reward takes a reward in [0, 1]; a run succeeded when it is 1 (within 1e-6,
// the benchmark's own tolerance).
func (t *Trajectory) reward(v jsonval.Value) {
	r, ok := v.Float()
	if !ok {
		return
	}
	success := r >= 1-1e-6 && r <= 1+1e-6
	t.Reward, t.Success = &r, &success
}

// tauReference reads info.task: the gold actions and the required outputs.
func (d *decoder) tauReference(info jsonval.Value) *reference.Reference {
	task := info.Get("task")
	actions := task.Get("actions")
	if actions.Kind() != jsonval.Array {
		return nil
	}
	steps, err := reference.Steps(actions)
	if err != nil {
		d.warnAt("invalid-reference", err.Error(), actions)
		return nil
	}
	r := &reference.Reference{Steps: steps, Origin: reference.Benchmark}
	for _, o := range task.Get("outputs").Elements() {
		r.Says = append(r.Says, o.Text())
	}
	return r
}
