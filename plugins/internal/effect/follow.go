package effect

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/plugins/internal/patch"
)

// maxSteps is the limit of lines that are processed, counted once for each edit.
const maxSteps = 10_000_000

// segment is a known run of a file's lines. The field at is the current number of its
// first line, or 0 if this number is not known.
type segment struct {
	at    int
	lines []string
}

// compareEdits applies edits to the old lines of a diff, and compares the result with the
// new lines of the diff. It returns Unknown if an edit changes lines that the diff does
// not show, or if the edit could apply in more than one place.
func compareEdits(edits, diff []Op) patch.Verdict {
	segments := make([]segment, len(diff))
	lines := 0
	for i, d := range diff {
		segments[i] = segment{d.Part.Start, d.Part.Old()}
		lines += len(d.Part.Lines)
	}
	if lines*len(edits) > maxSteps {
		return patch.Unknown
	}
	for _, op := range edits {
		if !editSegments(segments, op) {
			return patch.Unknown
		}
	}
	for i, d := range diff {
		if !slices.EqualFunc(segments[i].lines, d.Part.New(), func(x, y string) bool { return trimLineEnd(x) == trimLineEnd(y) }) {
			return patch.Differs
		}
	}
	return patch.Equal
}

func editSegments(all []segment, op Op) bool {
	switch op.Verb {
	case Replace:
		return replaceInSegments(all, op)
	case Lines, Insert:
		from, to := op.From, op.To
		if op.Verb == Insert {
			from, to = op.From+1, op.From
		}
		return spliceLines(all, from, to, op.Strict, splitLines(op.New))
	}
	return false
}

// replaceInSegments replaces the text op.Old by op.New in the segments. The result is
// false if op.Old does not occur, or occurs in more than one place. If op.All is set,
// there must be exactly one segment, and op.Old may occur in several places of this
// segment.
func replaceInSegments(all []segment, op Op) bool {
	at := -1
	for i := range all {
		n := strings.Count(joinLines(all[i].lines), op.Old)
		if n > 1 && !op.All || n > 0 && at >= 0 {
			return false
		}
		if n > 0 {
			at = i
		}
	}
	if at < 0 || op.Old == "" || op.All && len(all) > 1 {
		return false
	}
	s := &all[at]
	before := len(s.lines)
	s.lines = splitLines(strings.ReplaceAll(joinLines(s.lines), op.Old, op.New))
	shiftSegments(all[at+1:], len(s.lines)-before)
	return true
}

// spliceLines replaces a range of lines by the given lines. The parameters from and to
// are the numbers of the first and the last line of the range. If to is from-1, the lines
// are inserted before the line with the number from. If needed is not 0, the segment must
// also have the line with this number. The result is false if no segment has all these
// lines.
func spliceLines(all []segment, from, to, needed int, lines []string) bool {
	for i := range all {
		s := &all[i]
		a, b := from-s.at, to-s.at+1
		if s.at == 0 || a < 0 || b < a || b > len(s.lines) || needed > 0 && (needed < s.at || needed >= s.at+len(s.lines)) {
			continue
		}
		s.lines = slices.Concat(s.lines[:a], lines, s.lines[b:])
		shiftSegments(all[i+1:], len(lines)-(to-from+1))
		return true
	}
	return false
}

func shiftSegments(all []segment, by int) {
	for i := range all {
		if all[i].at > 0 {
			all[i].at += by
		}
	}
}

// editText applies one edit to a text and returns the new text. The bool is false if the
// edit cannot be applied exactly.
func editText(text string, op Op) (string, bool) {
	if op.Verb == Fragment {
		return patchText(text, op.Part)
	}
	if op.Verb == Replace && !op.All && strings.Count(text, op.Old) == 1 {
		return strings.Replace(text, op.Old, op.New, 1), true // the last line keeps its end as it is
	}
	if op.Verb == Replace && op.All && op.Old != "" {
		return strings.ReplaceAll(text, op.Old, op.New), true
	}
	whole := []segment{{1, splitLines(text)}}
	if n := len(whole[0].lines); op.Strict > n && (op.Verb == Insert || op.From > n) {
		return text, true // there is no such line
	} else if op.Strict > n {
		op.To, op.Strict = n, n
		if op.New != "" {
			return "", false // the range reaches past the end: the result depends on the sed
		}
	} else if op.Verb == Lines && op.From == n+1 && op.To >= op.From { // after the last line: appended
		op.Verb, op.From = Insert, n
	} else if op.Verb == Lines && op.From <= n && op.To > n {
		op.To = n
	}
	if op.Verb == Replace || !editSegments(whole, op) {
		return "", false
	}
	return joinLines(whole[0].lines), true
}

// patchText applies a fragment of a patch to a text and returns the new text. The bool is
// false if the old lines of the fragment do not occur in exactly one place of the text.
func patchText(text string, part *patch.Fragment) (string, bool) {
	lines, old := splitLines(text), part.Old()
	at := -1
	if len(old) == 0 {
		return "", false
	}
	for i := 0; i+len(old) <= len(lines); i++ {
		if lines[i] != old[0] || !slices.Equal(lines[i:i+len(old)], old) {
			continue
		}
		if at >= 0 {
			return "", false
		}
		at = i
	}
	if at < 0 {
		return "", false
	}
	return joinLines(slices.Concat(lines[:at], part.New(), lines[at+len(old):])), true
}
