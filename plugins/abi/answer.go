package abi

// Open decodes an answer to equivalence.check with its envelope, as encoding/json does,
// but much faster. It returns false for an answer in an unusual form, or with an error,
// which only encoding/json can read; c is then meaningless. b must be UTF-8;
// differences share its bytes.
func (c *Check) Open(b []byte) bool {
	return open(b, func(d *reader) {
		d.once(func(key string) {
			switch key {
			case "excused":
				c.Excused = all(d, d.excuse)
			case "blamed":
				c.Blamed = all(d, d.blame)
			case "replay":
				c.Replay = d.replay()
			default:
				d.skip(0)
			}
		})
	})
}

// Open decodes an answer to state.replay, in the same way as Check.Open.
func (p *Replay) Open(b []byte) bool { return open(b, func(d *reader) { *p = d.replay() }) }

// open reads an envelope that holds ok and nothing else.
func open(b []byte, ok func(*reader)) bool {
	d, members := newReader(b), 0
	d.object(func(key string) {
		if members++; key != "ok" || members > 1 {
			d.fail()
			return
		}
		ok(d)
	})
	d.peek()
	return d.ok && d.i == len(b) && members == 1
}

func (r *reader) excuse() (e Excuse) {
	r.object(func(key string) {
		switch key {
		case "row":
			e.Row = r.integer()
		case "stage":
			e.Stage = r.text()
		case "reason":
			e.Reason = r.text()
		default:
			r.skip(0)
		}
	})
	return e
}

func (r *reader) blame() (b Blame) {
	r.once(func(key string) {
		switch key {
		case "row":
			b.Row = r.integer()
		case "differences":
			b.Differences = all(r, r.integer)
		case "reason":
			b.Reason = r.text()
		default:
			r.skip(0)
		}
	})
	return b
}

func (r *reader) replay() (p Replay) {
	r.once(func(key string) {
		switch key {
		case "benchmark":
			p.Benchmark = r.text()
		case "domain":
			p.Domain = r.text()
		case "basis":
			p.Basis = r.text()
		case "success":
			p.Success = r.boolean()
		case "stateEqual":
			p.StateEqual = r.boolean()
		case "stateChanged":
			p.StateChanged = r.boolean()
		case "outputs":
			p.Outputs = map[string]bool{}
			r.members(func(key string) { p.Outputs[key] = r.boolean() })
		case "differences":
			p.Differences = all(r, r.difference)
		case "calls":
			p.Calls = all(r, r.call)
		case "contradicted":
			p.Contradicted = r.boolean()
		case "notes":
			p.Notes = all(r, r.text)
		case "assertions", "score":
			r.fail() // rare
		default:
			r.skip(0)
		}
	})
	return p
}

func (r *reader) difference() (d Difference) {
	r.object(func(key string) {
		switch key {
		case "table":
			d.Table = r.text()
		case "key":
			d.Key = r.text()
		case "field":
			d.Field = r.text()
		case "observed":
			d.Observed = r.raw()
		case "reference":
			d.Reference = r.raw()
		default:
			r.skip(0)
		}
	})
	return d
}

func (r *reader) call() (c ReplayedCall) {
	r.object(func(key string) {
		switch key {
		case "index":
			c.Index = r.integer()
		case "changed":
			c.Changed = r.boolean()
		case "rewritten":
			c.Rewritten = r.boolean()
		case "error":
			c.Error = r.boolean()
		case "outputEqual":
			v := r.boolean()
			c.OutputEqual = &v
		case "output":
			v := r.text()
			c.Output = &v
		default:
			r.skip(0)
		}
	})
	return c
}
