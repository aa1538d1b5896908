package abi

import "github.com/boundcheck/boundcheck/core/base/jsonval"

// Read decodes a request for equivalence.check into r. b is the request in UTF-8. Read
// stores the same values as encoding/json, but is much faster. The arguments in r share
// the bytes of b.
//
// Read returns false if the request has an unusual form. In this case r has no meaning,
// and the caller must use encoding/json.
func (r *CheckRequest) Read(b []byte) bool {
	return readRequest(b, &r.ReplayRequest, func(d *reader, v jsonval.Value) {
		r.Alignment = readList(d, v, d.readRow)
	})
}

// Read decodes a request for state.replay into r. b is the request in UTF-8. The
// arguments in r share the bytes of b.
//
// Read returns false if the request has an unusual form. In this case r has no meaning,
// and the caller must use encoding/json.
func (r *ReplayRequest) Read(b []byte) bool { return readRequest(b, r, nil) }

// readRequest reads the members that ReplayRequest and CheckRequest have in common. It
// calls the function alignment with the member "alignment". This function is nil for a
// ReplayRequest. readRequest returns false if the request has an unusual form.
func readRequest(b []byte, r *ReplayRequest, alignment func(*reader, jsonval.Value)) bool {
	d := &reader{}
	d.readUnique(d.parseText(b), func(key string, m jsonval.Value) {
		switch key {
		case "op":
			r.Op = d.readText(m)
		case "environment":
			r.Environment = d.readText(m)
		case "benchmark":
			r.Benchmark = d.readText(m)
		case "observed":
			r.Observed = readList(d, m, d.readAction)
		case "reference":
			r.Reference = readList(d, m, d.readAction)
		case "outputs":
			r.Outputs = readList(d, m, d.readText)
		case "replies":
			r.Replies = readList(d, m, d.readText)
		case "recorded":
			v := d.readBool(m)
			r.Recorded = &v
		case "task":
			r.Task = d.readText(m)
		case "opening":
			r.Opening = d.readText(m)
		case "submission":
			v := d.readText(m)
			r.Submission = &v
		case "reward":
			v := d.readFloat(m)
			r.Reward = &v
		case "alignment":
			if alignment != nil {
				alignment(d, m)
			}
		case "assertions":
			r.Assertions = readList(d, m, d.readAssertion)
		}
	})
	return d.ok
}

func (r *reader) readAction(v jsonval.Value) (a Action) {
	r.readObject(v, func(key string, m jsonval.Value) {
		switch key {
		case "name":
			a.Name = r.readText(m)
		case "arguments":
			a.Arguments = r.readRaw(m)
		case "text":
			a.Text = r.readText(m)
		case "requestor":
			a.Requestor = r.readText(m)
		case "observation":
			said := r.readText(m)
			a.Observation = &said
		case "failed":
			a.Failed = r.readBool(m)
		}
	})
	return a
}

func (r *reader) readAssertion(v jsonval.Value) (a Assertion) {
	r.readObject(v, func(key string, m jsonval.Value) {
		switch key {
		case "name":
			a.Name = r.readText(m)
		case "result":
			a.Result = r.readFloat(m)
		case "total":
			a.Total = r.readFloat(m)
		}
	})
	return a
}

func (r *reader) readRow(v jsonval.Value) (w Row) {
	r.readObject(v, func(key string, m jsonval.Value) {
		switch key {
		case "op":
			w.Op = r.readText(m)
		case "obs":
			w.Obs = r.readInt(m)
		case "ref":
			w.Ref = r.readInt(m)
		}
	})
	return w
}
