package trajectory

import (
	"fmt"
	"strings"
	"unsafe"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// maxListed is the largest number of warnings with one code that are listed with their
// positions. One more warning contains the number of the remaining warnings. So the
// report on a broken file with a million lines is still readable.
const maxListed = 100

// tally is one warning that contains a number of runs or calls.
type tally struct {
	code, what string // what is the text after the number
	n          int
}

// warnAt adds a warning about the current run, with the position of a value in the text.
func (d *decoder) warnAt(code, message string, at jsonval.Value) {
	d.warn(code, message, d.offsetOf(at), len(d.Trajectories))
}

// warnOffset adds a warning about the whole text, with a position.
func (d *decoder) warnOffset(code, message string, offset int) { d.warn(code, message, offset, -1) }

// warn adds a warning. offset is the position in the text, or -1 if it is not known.
// trajectory is the index of the trajectory, or -1 for the whole text.
func (d *decoder) warn(code, message string, offset, trajectory int) {
	if d.counts == nil {
		d.counts = map[string]int{}
	}
	if d.counts[code]++; d.counts[code] > maxListed {
		return
	}
	w := Warning{Code: code, Message: message}
	if offset >= 0 {
		w.Line, w.Column = d.lineAndColumn(offset)
	}
	d.Warnings = append(d.Warnings, w)
	d.places = append(d.places, trajectory)
}

// appendWarnings adds the warnings of another decoder. before is the number of the
// trajectories of d to which those of p were appended.
func (d *decoder) appendWarnings(p *decoder, before int) {
	if len(p.counts) == 0 {
		return
	}
	if d.counts == nil {
		d.counts = map[string]int{}
	}
	for i, w := range p.Warnings {
		p.counts[w.Code]--
		if d.counts[w.Code]++; d.counts[w.Code] > maxListed {
			continue
		}
		d.Warnings = append(d.Warnings, w)
		d.places = append(d.places, ifElse(p.places[i] < 0, -1, p.places[i]+before))
	}
	for code, more := range p.counts { // warnings that p did not list
		d.counts[code] += more
	}
}

// addTally adds n to the tally with the given code. Each tally later becomes one warning:
// the number, followed by the text in the argument what.
func (d *decoder) addTally(code, what string, n int) {
	for i := range d.tallies {
		if d.tallies[i].code == code {
			d.tallies[i].n += n
			return
		}
	}
	d.tallies = append(d.tallies, tally{code, what, n})
}

// summarizeTallies adds one warning for each tally. If a code has more than maxListed
// warnings, it also adds a warning with the number of warnings that are not listed.
func (d *decoder) summarizeTallies() {
	listed := d.Warnings
	seen := map[string]bool{}
	for _, w := range listed {
		if more := d.counts[w.Code] - maxListed; more > 0 && !seen[w.Code] {
			d.Warnings = append(d.Warnings, Warning{Code: w.Code, Message: fmt.Sprintf("%d more warnings like the %d that are listed", more, maxListed)})
			d.places = append(d.places, -1)
		}
		seen[w.Code] = true
	}
	for _, t := range d.tallies {
		d.Warnings = append(d.Warnings, Warning{Code: t.code, Message: fmt.Sprintf("%d %s", t.n, t.what)})
		d.places = append(d.places, -1)
	}
	d.tallies = nil
}

// offsetOf returns the offset of a value in the text, or -1 if the value is from inside a
// JSON string. It compares memory addresses, because values share the memory of the text.
func (d *decoder) offsetOf(v jsonval.Value) int {
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

// lineAndColumn returns the line and the column of an offset. Both begin at 1. It is fast
// if the offsets come in ascending order.
func (d *decoder) lineAndColumn(offset int) (line, column int) {
	offset = min(max(offset, 0), len(d.text))
	if offset < d.mark.offset {
		d.mark.offset, d.mark.line = 0, 1
	}
	d.mark.line += strings.Count(d.text[d.mark.offset:offset], "\n")
	d.mark.offset = offset
	return d.mark.line, offset - strings.LastIndexByte(d.text[:offset], '\n')
}
