package abi

// Read decodes a request as encoding/json does, and much faster, where it is written
// as hosts write it. false is a request that only encoding/json can read or refuse; what
// r holds then has no meaning. b is UTF-8; arguments share its bytes.
func (r *CheckRequest) Read(b []byte) bool {
	return readRequest(b, &r.ReplayRequest, func(d *reader) {
		d.list(func() { r.Alignment = append(r.Alignment, d.row()) })
		if r.Alignment == nil {
			r.Alignment = []Row{}
		}
	})
}

// Read is the same for a request of state.replay.
func (r *ReplayRequest) Read(b []byte) bool { return readRequest(b, r, nil) }

// readRequest reads the members of both; alignment is nil where it is none of them.
func readRequest(b []byte, r *ReplayRequest, alignment func(*reader)) bool {
	d := &reader{b: b, ok: true}
	seen := map[string]bool{}
	d.object(func(key string) {
		if seen[key] || !plain(key) { // encoding/json also takes OBSERVED
			d.fail()
			return
		}
		seen[key] = true
		switch key {
		case "op":
			r.Op = d.text()
		case "environment":
			r.Environment = d.text()
		case "benchmark":
			r.Benchmark = d.text()
		case "observed":
			r.Observed = d.actions()
		case "reference":
			r.Reference = d.actions()
		case "outputs":
			r.Outputs = d.texts()
		case "replies":
			r.Replies = d.texts()
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

// plain tells a key that no other spelling of a member could be.
func plain(key string) bool {
	for i := range len(key) {
		if c := key[i]; c >= 0x80 || c >= 'A' && c <= 'Z' {
			return false
		}
	}
	return true
}

func (r *reader) texts() []string {
	out := []string{}
	r.list(func() { out = append(out, r.text()) })
	return out
}

func (r *reader) actions() []Action {
	out := []Action{}
	r.list(func() { out = append(out, r.action()) })
	return out
}

func (r *reader) action() (a Action) {
	r.object(func(key string) {
		if !plain(key) {
			r.fail()
			return
		}
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
		if !plain(key) {
			r.fail()
			return
		}
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
