package abi

import "github.com/boundcheck/boundcheck/core/jsonval"

// Open decodes b, an answer to equivalence.check with its envelope. The result is the
// same as with encoding/json, but Open is much faster. It returns false if the answer
// is an error or has an unusual form: then c has no meaning, and the caller must use
// encoding/json. b must be UTF-8. The differences in c share the bytes of b.
func (c *Check) Open(b []byte) bool {
	d := &reader{}
	d.once(d.envelope(b), func(key string, m jsonval.Value) {
		switch key {
		case "excused":
			c.Excused = all(d, m, d.excuse)
		case "blamed":
			c.Blamed = all(d, m, d.blame)
		case "replay":
			c.Replay = d.replay(m)
		}
	})
	return d.ok
}

// Open decodes an answer to state.replay, in the same way as Check.Open.
func (p *Replay) Open(b []byte) bool {
	d := &reader{}
	*p = d.replay(d.envelope(b))
	return d.ok
}

// envelope parses an answer and returns its member "ok". It sets r.ok to false if this
// is not the answer's only member.
func (r *reader) envelope(b []byte) (ok jsonval.Value) {
	v := r.open(b)
	if r.ok = r.ok && v.Len() == 1; r.ok {
		ok = v.Get("ok")
	}
	return ok
}

func (r *reader) excuse(v jsonval.Value) (e Excuse) {
	r.object(v, func(key string, m jsonval.Value) {
		switch key {
		case "row":
			e.Row = r.integer(m)
		case "stage":
			e.Stage = r.text(m)
		case "reason":
			e.Reason = r.text(m)
		}
	})
	return e
}

func (r *reader) blame(v jsonval.Value) (b Blame) {
	r.once(v, func(key string, m jsonval.Value) {
		switch key {
		case "row":
			b.Row = r.integer(m)
		case "differences":
			b.Differences = all(r, m, r.integer)
		case "reason":
			b.Reason = r.text(m)
		}
	})
	return b
}

func (r *reader) replay(v jsonval.Value) (p Replay) {
	r.once(v, func(key string, m jsonval.Value) {
		switch key {
		case "benchmark":
			p.Benchmark = r.text(m)
		case "domain":
			p.Domain = r.text(m)
		case "basis":
			p.Basis = r.text(m)
		case "success":
			p.Success = r.boolean(m)
		case "stateEqual":
			p.StateEqual = r.boolean(m)
		case "stateChanged":
			p.StateChanged = r.boolean(m)
		case "outputs":
			p.Outputs = map[string]bool{}
			r.members(m, func(key string, m jsonval.Value) { p.Outputs[key] = r.boolean(m) })
		case "differences":
			p.Differences = all(r, m, r.difference)
		case "calls":
			p.Calls = all(r, m, r.call)
		case "contradicted":
			p.Contradicted = r.boolean(m)
		case "notes":
			p.Notes = all(r, m, r.text)
		case "assertions", "score":
			r.ok = false // rare
		}
	})
	return p
}

func (r *reader) difference(v jsonval.Value) (d Difference) {
	r.object(v, func(key string, m jsonval.Value) {
		switch key {
		case "table":
			d.Table = r.text(m)
		case "key":
			d.Key = r.text(m)
		case "field":
			d.Field = r.text(m)
		case "observed":
			d.Observed = r.raw(m)
		case "reference":
			d.Reference = r.raw(m)
		}
	})
	return d
}

func (r *reader) call(v jsonval.Value) (c ReplayedCall) {
	r.object(v, func(key string, m jsonval.Value) {
		switch key {
		case "index":
			c.Index = r.integer(m)
		case "changed":
			c.Changed = r.boolean(m)
		case "rewritten":
			c.Rewritten = r.boolean(m)
		case "error":
			c.Error = r.boolean(m)
		case "outputEqual":
			equal := r.boolean(m)
			c.OutputEqual = &equal
		case "output":
			said := r.text(m)
			c.Output = &said
		}
	})
	return c
}
