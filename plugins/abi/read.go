package abi

import "github.com/boundcheck/boundcheck/core/jsonval"

// Read decodes b, a request for equivalence.check. The result is the same as with
// encoding/json, but Read is much faster. It returns false if the request has an
// unusual form: then r has no meaning, and the caller must use encoding/json. b must be
// UTF-8. The arguments in r share the bytes of b.
func (r *CheckRequest) Read(b []byte) bool {
	return readRequest(b, &r.ReplayRequest, func(d *reader, v jsonval.Value) {
		r.Alignment = all(d, v, d.row)
	})
}

// Read decodes a request for state.replay, in the same way as CheckRequest.Read.
func (r *ReplayRequest) Read(b []byte) bool { return readRequest(b, r, nil) }

// readRequest reads the members that a ReplayRequest and a CheckRequest have in common.
// It passes the member "alignment" of a CheckRequest to its last argument, which is a
// function. For a ReplayRequest, which has no such member, the last argument is nil.
func readRequest(b []byte, r *ReplayRequest, alignment func(*reader, jsonval.Value)) bool {
	d := &reader{}
	d.once(d.open(b), func(key string, m jsonval.Value) {
		switch key {
		case "op":
			r.Op = d.text(m)
		case "environment":
			r.Environment = d.text(m)
		case "benchmark":
			r.Benchmark = d.text(m)
		case "observed":
			r.Observed = all(d, m, d.action)
		case "reference":
			r.Reference = all(d, m, d.action)
		case "outputs":
			r.Outputs = all(d, m, d.text)
		case "replies":
			r.Replies = all(d, m, d.text)
		case "recorded":
			v := d.boolean(m)
			r.Recorded = &v
		case "task":
			r.Task = d.text(m)
		case "opening":
			r.Opening = d.text(m)
		case "submission":
			v := d.text(m)
			r.Submission = &v
		case "reward":
			v := d.float(m)
			r.Reward = &v
		case "alignment":
			if alignment != nil {
				alignment(d, m)
			}
		case "assertions":
			d.ok = false // such requests are few
		}
	})
	return d.ok
}

func (r *reader) action(v jsonval.Value) (a Action) {
	r.object(v, func(key string, m jsonval.Value) {
		switch key {
		case "name":
			a.Name = r.text(m)
		case "arguments":
			a.Arguments = r.raw(m)
		case "text":
			a.Text = r.text(m)
		case "requestor":
			a.Requestor = r.text(m)
		case "observation":
			said := r.text(m)
			a.Observation = &said
		case "failed":
			a.Failed = r.boolean(m)
		}
	})
	return a
}

func (r *reader) row(v jsonval.Value) (w Row) {
	r.object(v, func(key string, m jsonval.Value) {
		switch key {
		case "op":
			w.Op = r.text(m)
		case "obs":
			w.Obs = r.integer(m)
		case "ref":
			w.Ref = r.integer(m)
		}
	})
	return w
}
