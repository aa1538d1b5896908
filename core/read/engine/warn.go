package engine

import (
	"fmt"
	"slices"
	"strings"
	"unsafe"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// MaxListed is the largest number of warnings with one code that are listed with their
// positions. One more warning contains the number of the remaining warnings. So the
// report on a broken file with a million lines is still readable.
const MaxListed = 100

// tally is one warning that contains a number of runs or calls.
type tally struct {
	code, what string // what is the text after the number
	n          int
}

// WarnAt adds a warning about the current run, with the position of a value in the text.
func (d *Decoder) WarnAt(code, message string, at jsonval.Value) {
	d.Warn(code, message, d.offsetOf(at), len(d.Trajectories))
}

// WarnOffset adds a warning about the whole text, with a position.
func (d *Decoder) WarnOffset(code, message string, offset int) { d.Warn(code, message, offset, -1) }

// Warn adds a warning. offset is the position in the text, or -1 if it is not known.
// run is the index of the trajectory, or -1 for the whole text.
func (d *Decoder) Warn(code, message string, offset, run int) {
	if d.counts == nil {
		d.counts = map[string]int{}
	}
	if d.counts[code]++; d.counts[code] > MaxListed {
		return
	}
	w := trajectory.Warning{Code: code, Message: message}
	if offset >= 0 {
		w.Line, w.Column = d.lineAndColumn(offset)
	}
	d.Warnings = append(d.Warnings, w)
	d.places = append(d.places, run)
}

// appendWarnings adds the warnings of another decoder. before is the number of the
// trajectories of d to which those of p were appended.
func (d *Decoder) appendWarnings(p *Decoder, before int) {
	if len(p.counts) == 0 {
		return
	}
	if d.counts == nil {
		d.counts = map[string]int{}
	}
	for i, w := range p.Warnings {
		p.counts[w.Code]--
		if d.counts[w.Code]++; d.counts[w.Code] > MaxListed {
			continue
		}
		d.Warnings = append(d.Warnings, w)
		d.places = append(d.places, shape.IfElse(p.places[i] < 0, -1, p.places[i]+before))
	}
	for code, more := range p.counts { // warnings that p did not list
		d.counts[code] += more
	}
}

// AddTally adds n to the tally with the given code. Each tally later becomes one warning:
// the number, followed by the text in the argument what.
func (d *Decoder) AddTally(code, what string, n int) {
	for i := range d.tallies {
		if d.tallies[i].code == code {
			d.tallies[i].n += n
			return
		}
	}
	d.tallies = append(d.tallies, tally{code, what, n})
}

// dropTally takes one back that AddTally has counted.
func (d *Decoder) dropTally(code string) {
	d.tallies = slices.DeleteFunc(d.tallies, func(t tally) bool { return t.code == code && t.n == 1 })
	for i := range d.tallies {
		if d.tallies[i].code == code {
			d.tallies[i].n--
		}
	}
}

// summarizeTallies adds one warning for each tally. If a code has more than MaxListed
// warnings, it also adds a warning with the number of warnings that are not listed.
func (d *Decoder) summarizeTallies() {
	listed := d.Warnings
	seen := map[string]bool{}
	for _, w := range listed {
		if more := d.counts[w.Code] - MaxListed; more > 0 && !seen[w.Code] {
			d.Warnings = append(d.Warnings, trajectory.Warning{Code: w.Code, Message: fmt.Sprintf("%d more warnings like the %d that are listed", more, MaxListed)})
			d.places = append(d.places, -1)
		}
		seen[w.Code] = true
	}
	for _, t := range d.tallies {
		d.Warnings = append(d.Warnings, trajectory.Warning{Code: t.code, Message: fmt.Sprintf("%d %s", t.n, t.what)})
		d.places = append(d.places, -1)
	}
	d.tallies = nil
}

// offsetOf returns the offset of a value in the text, or -1 if the value is from inside a
// JSON string. It compares memory addresses, because values share the memory of the text.
func (d *Decoder) offsetOf(v jsonval.Value) int {
	raw := v.Raw()
	if raw == "" || d.text == "" {
		return -1
	}
	at := uintptr(unsafe.Pointer(unsafe.StringData(raw))) - uintptr(unsafe.Pointer(unsafe.StringData(d.text)))
	if at >= uintptr(len(d.text)) {
		return -1
	}
	return int(at)
}

// lineMark is a position in a text, with the number of its line and the offset at which the line begins.
type lineMark struct{ offset, line, begin int }

// firstLine is the beginning of a text.
var firstLine = lineMark{line: 1}

// lineAndColumn returns the line and the column of an offset. Both begin at 1. It is fast
// if the offsets come in ascending order.
func (d *Decoder) lineAndColumn(offset int) (line, column int) {
	offset = min(max(offset, 0), len(d.text))
	if offset < d.mark.offset {
		d.mark = firstLine
	}
	passed := d.text[d.mark.offset:offset]
	if end := strings.LastIndexByte(passed, '\n'); end >= 0 {
		d.mark.line += strings.Count(passed, "\n")
		d.mark.begin = d.mark.offset + end + 1
	}
	d.mark.offset = offset
	return d.mark.line, offset - d.mark.begin + 1
}
