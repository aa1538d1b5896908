package abi

import (
	"maps"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/boundcheck/boundcheck/plugins/internal/plain"
)

// Append writes an answer to equivalence.check for which Appends returns true. It
// writes the same bytes as encoding/json without HTML escapes, but is much faster.
func (c *Check) Append(b []byte) []byte {
	b = append(b, `{"excused":`...)
	b = list(b, c.Excused, func(e *Excuse, b []byte) []byte {
		b = strconv.AppendInt(append(b, `{"row":`...), int64(e.Row), 10)
		b = text(append(b, `,"stage":`...), e.Stage)
		return append(text(append(b, `,"reason":`...), e.Reason), '}')
	})
	b = list(append(b, `,"blamed":`...), c.Blamed, func(e *Blame, b []byte) []byte {
		b = strconv.AppendInt(append(b, `{"row":`...), int64(e.Row), 10)
		b = list(append(b, `,"differences":`...), e.Differences, func(n *int, b []byte) []byte { return strconv.AppendInt(b, int64(*n), 10) })
		return append(text(append(b, `,"reason":`...), e.Reason), '}')
	})
	return append(c.Replay.Append(append(b, `,"replay":`...)), '}')
}

// Append writes an answer to state.replay for which Appends returns true.
func (p *Replay) Append(b []byte) []byte {
	b = text(append(b, `{"benchmark":`...), p.Benchmark)
	b = text(append(b, `,"domain":`...), p.Domain)
	b = text(append(b, `,"basis":`...), p.Basis)
	b = strconv.AppendBool(append(b, `,"success":`...), p.Success)
	b = strconv.AppendBool(append(b, `,"stateEqual":`...), p.StateEqual)
	b = strconv.AppendBool(append(b, `,"stateChanged":`...), p.StateChanged)
	b = append(b, `,"outputs":`...)
	if p.Outputs == nil {
		b = append(b, "null"...)
	} else {
		b = append(b, '{')
		for i, k := range slices.Sorted(maps.Keys(p.Outputs)) {
			if i > 0 {
				b = append(b, ',')
			}
			b = strconv.AppendBool(append(text(b, k), ':'), p.Outputs[k])
		}
		b = append(b, '}')
	}
	b = list(append(b, `,"differences":`...), p.Differences, (*Difference).append)
	b = list(append(b, `,"calls":`...), p.Calls, (*ReplayedCall).append)
	b = strconv.AppendBool(append(b, `,"contradicted":`...), p.Contradicted)
	b = list(append(b, `,"notes":`...), p.Notes, func(s *string, b []byte) []byte { return text(b, *s) })
	return append(b, '}')
}

// Appends reports whether Append can write the answer. It checks the JSON of
// differences, which comes from the plugin, and returns false for assertions and
// scores, which are rare.
func (c *Check) Appends() bool { return c.Replay.Appends() }

// Appends reports whether Append can write the replay.
func (p *Replay) Appends() bool {
	for i := range p.Differences {
		if d := &p.Differences[i]; !valid(d.Observed) || !valid(d.Reference) {
			return false
		}
	}
	return p.Assertions == nil && p.Score == nil
}

// valid reports whether raw is left out, or is a value of JSON that nests no deeper than reader goes.
func valid(raw []byte) bool {
	if len(raw) == 0 {
		return true
	}
	r := newReader(raw)
	r.skip(0)
	r.peek()
	return r.ok && r.i == len(raw)
}

func (d *Difference) append(b []byte) []byte {
	b = text(append(b, `{"table":`...), d.Table)
	b = text(append(b, `,"key":`...), d.Key)
	b = text(append(b, `,"field":`...), d.Field)
	if len(d.Observed) > 0 {
		b = compact(append(b, `,"observed":`...), d.Observed)
	}
	if len(d.Reference) > 0 {
		b = compact(append(b, `,"reference":`...), d.Reference)
	}
	return append(b, '}')
}

// compact writes a value of JSON without the blanks between its parts.
func compact(b, raw []byte) []byte {
	quoted := false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case quoted && c == '\\':
			b = append(b, c)
			i++
		case c == '"':
			quoted = !quoted
		case !quoted && (c == ' ' || c == '\t' || c == '\r' || c == '\n'):
			continue
		}
		b = append(b, raw[i])
	}
	return b
}

func (c *ReplayedCall) append(b []byte) []byte {
	b = strconv.AppendInt(append(b, `{"index":`...), int64(c.Index), 10)
	b = strconv.AppendBool(append(b, `,"changed":`...), c.Changed)
	if c.Rewritten {
		b = append(b, `,"rewritten":true`...)
	}
	b = strconv.AppendBool(append(b, `,"error":`...), c.Error)
	if c.OutputEqual != nil {
		b = strconv.AppendBool(append(b, `,"outputEqual":`...), *c.OutputEqual)
	}
	if c.Output != nil {
		b = text(append(b, `,"output":`...), *c.Output)
	}
	return append(b, '}')
}

// Append writes a request for equivalence.check for which Appends returns true.
func (r *CheckRequest) Append(b []byte) []byte {
	b = r.ReplayRequest.Append(b)
	b = list(append(b[:len(b)-1], `,"alignment":`...), r.Alignment, func(w *Row, b []byte) []byte {
		b = text(append(b, `{"op":`...), w.Op)
		b = strconv.AppendInt(append(b, `,"obs":`...), int64(w.Obs), 10)
		return append(strconv.AppendInt(append(b, `,"ref":`...), int64(w.Ref), 10), '}')
	})
	return append(b, '}')
}

// Append writes a request for state.replay for which Appends returns true.
func (r *ReplayRequest) Append(b []byte) []byte {
	each := func(s *string, b []byte) []byte { return text(b, *s) }
	b = text(append(b, `{"op":`...), r.Op)
	b = unlessEmpty(b, `,"environment":`, r.Environment)
	b = unlessEmpty(b, `,"benchmark":`, r.Benchmark)
	b = list(append(b, `,"observed":`...), r.Observed, (*Action).append)
	b = list(append(b, `,"reference":`...), r.Reference, (*Action).append)
	if len(r.Outputs) > 0 {
		b = list(append(b, `,"outputs":`...), r.Outputs, each)
	}
	if len(r.Replies) > 0 {
		b = list(append(b, `,"replies":`...), r.Replies, each)
	}
	if r.Recorded != nil {
		b = strconv.AppendBool(append(b, `,"recorded":`...), *r.Recorded)
	}
	b = unlessEmpty(b, `,"task":`, r.Task)
	b = unlessEmpty(b, `,"opening":`, r.Opening)
	if r.Submission != nil {
		b = text(append(b, `,"submission":`...), *r.Submission)
	}
	return append(b, '}')
}

// Appends reports whether Append can write the request: its arguments are JSON, and it
// has no rare members.
func (r *ReplayRequest) Appends() bool {
	for _, side := range [2][]Action{r.Observed, r.Reference} {
		for i := range side {
			if !valid(side[i].Arguments) {
				return false
			}
		}
	}
	return len(r.Assertions) == 0 && r.Reward == nil
}

func (a *Action) append(b []byte) []byte {
	b = text(append(b, `{"name":`...), a.Name)
	if len(a.Arguments) > 0 {
		b = compact(append(b, `,"arguments":`...), a.Arguments)
	}
	b = unlessEmpty(b, `,"text":`, a.Text)
	b = unlessEmpty(b, `,"requestor":`, a.Requestor)
	if a.Observation != nil {
		b = text(append(b, `,"observation":`...), *a.Observation)
	}
	if a.Failed {
		b = append(b, `,"failed":true`...)
	}
	return append(b, '}')
}

func unlessEmpty(b []byte, key, s string) []byte {
	if s == "" {
		return b
	}
	return text(append(b, key...), s)
}

// list writes null for nil, as encoding/json does.
func list[T any](b []byte, all []T, item func(*T, []byte) []byte) []byte {
	if all == nil {
		return append(b, "null"...)
	}
	b = append(b, '[')
	for i := range all {
		if i > 0 {
			b = append(b, ',')
		}
		b = item(&all[i], b)
	}
	return append(b, ']')
}

func text(b []byte, s string) []byte {
	const digits = "0123456789abcdef"
	b = append(b, '"')
	start := 0
	for i := plain.ASCII(s, 0); i < len(s); i = plain.ASCII(s, i) {
		c := s[i]
		if c == 0x7f {
			i++
			continue
		}
		char, n := rune(c), 1
		if c >= utf8.RuneSelf {
			char, n = utf8.DecodeRuneInString(s[i:])
			if !(char == utf8.RuneError && n == 1) && char != '\u2028' && char != '\u2029' {
				i += n
				continue
			}
		}
		b = append(b, s[start:i]...)
		switch char {
		case '"', '\\':
			b = append(b, '\\', c)
		case '\b':
			b = append(b, `\b`...)
		case '\f':
			b = append(b, `\f`...)
		case '\n':
			b = append(b, `\n`...)
		case '\r':
			b = append(b, `\r`...)
		case '\t':
			b = append(b, `\t`...)
		default:
			b = append(b, '\\', 'u', digits[char>>12&15], digits[char>>8&15], digits[char>>4&15], digits[char&15])
		}
		i += n
		start = i
	}
	return append(append(b, s[start:]...), '"')
}
