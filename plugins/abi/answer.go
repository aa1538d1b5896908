package abi

import "github.com/boundcheck/boundcheck/core/base/jsonval"

// Open decodes an answer to equivalence.check into c. b is the answer with its envelope,
// in UTF-8. Open stores the same values as encoding/json, but is much faster. The
// differences in c share the bytes of b.
//
// Open returns false if the answer is an error or has an unusual form. In this case c has
// no meaning, and the caller must use encoding/json.
func (c *Check) Open(b []byte) bool {
	d := &reader{}
	d.readUnique(d.readEnvelope(b), func(key string, m jsonval.Value) {
		switch key {
		case "excused":
			c.Excused = readList(d, m, d.readExcuse)
		case "blamed":
			c.Blamed = readList(d, m, d.readBlame)
		case "replay":
			c.Replay = d.readReplay(m)
		}
	})
	return d.ok
}

// Open decodes an answer to state.replay into p. b is the answer with its envelope, in
// UTF-8. The differences in p share the bytes of b.
//
// Open returns false if the answer is an error or has an unusual form. In this case p has
// no meaning, and the caller must use encoding/json.
func (p *Replay) Open(b []byte) bool {
	d := &reader{}
	*p = d.readReplay(d.readEnvelope(b))
	return d.ok
}

// readEnvelope parses an answer and returns its member "ok". It sets r.ok to false if the
// answer is not JSON or does not have exactly one member. If the only member has another
// name, the method Exists of the result returns false.
func (r *reader) readEnvelope(b []byte) (ok jsonval.Value) {
	v := r.parseText(b)
	if r.ok = r.ok && v.Len() == 1; r.ok {
		ok = v.Get("ok")
	}
	return ok
}

func (r *reader) readExcuse(v jsonval.Value) (e Excuse) {
	r.readObject(v, func(key string, m jsonval.Value) {
		switch key {
		case "row":
			e.Row = r.readInt(m)
		case "stage":
			e.Stage = r.readText(m)
		case "reason":
			e.Reason = r.readText(m)
		}
	})
	return e
}

func (r *reader) readBlame(v jsonval.Value) (b Blame) {
	r.readUnique(v, func(key string, m jsonval.Value) {
		switch key {
		case "row":
			b.Row = r.readInt(m)
		case "differences":
			b.Differences = readList(r, m, r.readInt)
		case "reason":
			b.Reason = r.readText(m)
		}
	})
	return b
}

func (r *reader) readReplay(v jsonval.Value) (p Replay) {
	r.readUnique(v, func(key string, m jsonval.Value) {
		switch key {
		case "benchmark":
			p.Benchmark = r.readText(m)
		case "domain":
			p.Domain = r.readText(m)
		case "basis":
			p.Basis = r.readText(m)
		case "success":
			p.Success = r.readBool(m)
		case "stateEqual":
			p.StateEqual = r.readBool(m)
		case "stateChanged":
			p.StateChanged = r.readBool(m)
		case "outputs":
			p.Outputs = map[string]bool{}
			r.readMembers(m, func(key string, m jsonval.Value) { p.Outputs[key] = r.readBool(m) })
		case "differences":
			p.Differences = readList(r, m, r.readDifference)
		case "calls":
			p.Calls = readList(r, m, r.readCall)
		case "contradicted":
			p.Contradicted = r.readBool(m)
		case "notes":
			p.Notes = readList(r, m, r.readText)
		case "assertions", "score":
			r.ok = false // rare
		}
	})
	return p
}

func (r *reader) readDifference(v jsonval.Value) (d Difference) {
	r.readObject(v, func(key string, m jsonval.Value) {
		switch key {
		case "table":
			d.Table = r.readText(m)
		case "key":
			d.Key = r.readText(m)
		case "field":
			d.Field = r.readText(m)
		case "observed":
			d.Observed = r.readRaw(m)
		case "reference":
			d.Reference = r.readRaw(m)
		}
	})
	return d
}

func (r *reader) readCall(v jsonval.Value) (c ReplayedCall) {
	r.readObject(v, func(key string, m jsonval.Value) {
		switch key {
		case "index":
			c.Index = r.readInt(m)
		case "changed":
			c.Changed = r.readBool(m)
		case "rewritten":
			c.Rewritten = r.readBool(m)
		case "error":
			c.Error = r.readBool(m)
		case "outputEqual":
			equal := r.readBool(m)
			c.OutputEqual = &equal
		case "output":
			said := r.readText(m)
			c.Output = &said
		}
	})
	return c
}
