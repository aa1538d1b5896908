package abi

// Read decodes a request as encoding/json does, but much faster. It returns false for a
// request in an unusual form, which only encoding/json can read; r is then meaningless.
// b must be UTF-8; arguments share its bytes.
func (r *CheckRequest) Read(b []byte) bool {
	return readRequest(b, &r.ReplayRequest, func(d *reader) {
		r.Alignment = all(d, d.row)
	})
}

// Read decodes a request for state.replay, in the same way as CheckRequest.Read.
func (r *ReplayRequest) Read(b []byte) bool { return readRequest(b, r, nil) }

// readRequest reads the members of both; alignment is nil where it is none of them.
func readRequest(b []byte, r *ReplayRequest, alignment func(*reader)) bool {
	d := newReader(b)
	d.once(func(key string) {
		switch key {
		case "op":
			r.Op = d.text()
		case "environment":
			r.Environment = d.text()
		case "benchmark":
			r.Benchmark = d.text()
		case "observed":
			r.Observed = all(d, d.action)
		case "reference":
			r.Reference = all(d, d.action)
		case "outputs":
			r.Outputs = all(d, d.text)
		case "replies":
			r.Replies = all(d, d.text)
		case "recorded":
			v := d.boolean()
			r.Recorded = &v
		case "task":
			r.Task = d.text()
		case "opening":
			r.Opening = d.text()
		case "submission":
			v := d.text()
			r.Submission = &v
		case "reward":
			v := d.float()
			r.Reward = &v
		case "alignment":
			if alignment == nil {
				d.skip(0)
				return
			}
			alignment(d)
		case "assertions":
			d.fail() // few, and rare
		default:
			d.skip(0)
		}
	})
	d.peek()
	return d.ok && d.i == len(b)
}

// all reads a list, or null, each element by one.
func all[T any](r *reader, one func() T) []T {
	out := []T{}
	if !r.list(func() { out = append(out, one()) }) {
		return nil
	}
	return out
}

func (r *reader) action() (a Action) {
	r.object(func(key string) {
		switch key {
		case "name":
			a.Name = r.text()
		case "arguments":
			a.Arguments = r.raw()
		case "text":
			a.Text = r.text()
		case "requestor":
			a.Requestor = r.text()
		case "observation":
			v := r.text()
			a.Observation = &v
		case "failed":
			a.Failed = r.boolean()
		default:
			r.skip(0)
		}
	})
	return a
}

func (r *reader) row() (w Row) {
	r.object(func(key string) {
		switch key {
		case "op":
			w.Op = r.text()
		case "obs":
			w.Obs = r.integer()
		case "ref":
			w.Ref = r.integer()
		default:
			r.skip(0)
		}
	})
	return w
}
