package patch

import (
	"slices"
	"strings"
)

// Verdict is the result of a comparison.
type Verdict int

// The verdicts. Unknown never counts as Equal: files that cannot be compared may
// differ.
const (
	Unknown Verdict = iota
	Equal
	Differs
)

// Compare reports whether two changes of one file have the same result. The time is
// linear in the number of lines of both changes. A change that only inserts or only
// removes lines may be tried in several places, at most maxSlides.
func Compare(a, b *File) Verdict {
	switch {
	case a.Path != b.Path || a.From != b.From || a.New != b.New || a.Deleted != b.Deleted || a.Copied != b.Copied || a.Mode != b.Mode || a.Binary != b.Binary:
		return Differs
	case a.Binary && (a.Blob == "" || b.Blob == ""):
		return Unknown
	case a.Binary && !strings.HasPrefix(a.Blob, b.Blob) && !strings.HasPrefix(b.Blob, a.Blob):
		return Differs
	case a.Binary || a.Deleted:
		return Equal
	}
	if slices.EqualFunc(a.Fragments, b.Fragments, func(g, h Fragment) bool { return g.Start == h.Start && slices.Equal(g.Lines, h.Lines) }) {
		return Equal
	}
	if isPlaced(a) && isPlaced(b) {
		if v := byPlace(a, b); v != Unknown {
			return v
		}
	}
	return byText(a, b)
}

// sameBase reports whether two diffs start from the same old content. It compares the
// hashes of the old content in the diffs. The result is false if a hash is missing.
func sameBase(a, b *File) bool {
	return a.Base != "" && b.Base != "" && (strings.HasPrefix(a.Base, b.Base) || strings.HasPrefix(b.Base, a.Base))
}

func isPlaced(f *File) bool {
	return !slices.ContainsFunc(f.Fragments, func(g Fragment) bool { return g.Start == 0 && !f.New })
}

// trimLine returns a line without the white space at its end. Lines are compared in this
// form.
func trimLine(line string) string { return strings.TrimRight(line, " \t\r") }

func sameLine(a, b string) bool { return a == b || trimLine(a) == trimLine(b) }

// sheet holds what a diff shows of a file, by the line numbers before the change.
type sheet struct {
	old  map[int]string
	gone map[int]bool
	put  map[int][]string // lines inserted before this line
}

func sheetOf(all []Fragment) (s sheet, ok bool) {
	s = sheet{map[int]string{}, map[int]bool{}, map[int][]string{}}
	for _, g := range all {
		at := g.Start
		for _, l := range g.Lines {
			if l.Op == Add {
				s.put[at] = append(s.put[at], l.Text)
				continue
			}
			if _, twice := s.old[at]; twice {
				return s, false
			}
			s.old[at], s.gone[at] = l.Text, l.Op == Delete
			at++
		}
	}
	return s, true
}

// byPlace compares two diffs by their line numbers. It applies both diffs to each range
// of changed lines and compares the results. It returns Unknown in three cases:
//
//   - The diffs show different text at the same line number.
//   - It is not clear that both diffs start from the same text.
//   - A range of changed lines has a line that neither diff shows.
func byPlace(a, b *File) Verdict {
	x, ok := sheetOf(a.Fragments)
	y, ok2 := sheetOf(b.Fragments)
	if !ok || !ok2 {
		return Unknown
	}
	based := a.New || sameBase(a, b)
	for n, line := range x.old {
		other, both := y.old[n]
		if both && !sameLine(line, other) {
			return Unknown
		}
		based = based || both && strings.TrimSpace(line) != ""
	}
	if !based {
		return Unknown
	}
	for _, stretch := range findStretches(x, y) {
		left, ok := x.changedLines(stretch, y)
		right, ok2 := y.changedLines(stretch, x)
		if !ok || !ok2 {
			return Unknown
		}
		if !slices.EqualFunc(left, right, sameLine) {
			return Differs
		}
	}
	return Equal
}

// findStretches returns the ranges of lines that at least one diff changes. A range is
// given by the number of its first line and the number after its last line. Two changes
// are in one range if the diffs show every line between them. If lines are only inserted,
// the range is empty.
func findStretches(x, y sheet) [][2]int {
	touched := map[int]bool{}
	for _, s := range []sheet{x, y} {
		for n := range s.put {
			touched[n] = true
		}
		for n, gone := range s.gone {
			if gone {
				touched[n], touched[n+1] = true, true
			}
		}
	}
	// One diff may insert in the lines between two touched lines what the other inserts
	// elsewhere. These lines belong to the stretch if all of them are shown.
	var at []int
	for n := range touched {
		at = append(at, n)
	}
	slices.Sort(at)
	var out [][2]int
	for _, n := range at {
		if k := len(out) - 1; k >= 0 && isBridged(x, y, out[k][1], n) {
			out[k][1] = n
		} else {
			out = append(out, [2]int{n, n})
		}
	}
	return out
}

// isBridged reports whether each line n with from ≤ n < to is shown by at least one of
// the two diffs.
func isBridged(x, y sheet, from, to int) bool {
	for n := from; n < to; n++ {
		if _, ok := x.old[n]; !ok {
			if _, ok := y.old[n]; !ok {
				return false
			}
		}
	}
	return true
}

// changedLines applies the change s to a range of lines and returns the new lines.
// stretch has the number of the first line and the number after the last line, both
// before the change. A line that s does not show comes from the sheet other. ok is false
// if neither sheet shows a line.
func (s sheet) changedLines(stretch [2]int, other sheet) (out []string, ok bool) {
	for n := stretch[0]; n <= stretch[1]; n++ {
		out = append(out, s.put[n]...)
		if n == stretch[1] {
			break
		}
		line, shown := s.old[n]
		if !shown {
			if line, shown = other.old[n]; !shown {
				return nil, false
			}
		}
		if !s.gone[n] {
			out = append(out, line)
		}
	}
	return out, true
}

// group is one change within a fragment, with the unchanged lines before and after it.
type group struct{ before, gone, put, after []string }

func groupsOf(all []Fragment) (out []group) {
	for _, f := range all {
		old := f.Old()
		at := 0
		for i := 0; i < len(f.Lines); {
			if f.Lines[i].Op == Keep {
				at, i = at+1, i+1
				continue
			}
			g := group{before: old[max(0, at-maxContext):at]}
			for ; i < len(f.Lines) && f.Lines[i].Op != Keep; i++ {
				if f.Lines[i].Op == Add {
					g.put = append(g.put, f.Lines[i].Text)
				} else {
					g.gone = append(g.gone, f.Lines[i].Text)
					at++
				}
			}
			g.after = old[at:min(len(old), at+maxContext)]
			out = append(out, g)
		}
	}
	return out
}

// byText compares two diffs change by change, without line numbers. It compares the
// removed lines, the added lines, and the surrounding lines that both diffs show.
func byText(a, b *File) Verdict {
	x, y := groupsOf(a.Fragments), groupsOf(b.Fragments)
	if a.New {
		return toVerdict(slices.EqualFunc(addedLines(x), addedLines(y), sameLine))
	}
	if len(x) != len(y) {
		return Differs
	}
	all := Equal
	for i := range x {
		switch x[i].compareChange(&y[i]) {
		case Differs:
			return Differs
		case Unknown:
			all = Unknown
		}
	}
	return all
}

func toVerdict(equal bool) Verdict {
	if equal {
		return Equal
	}
	return Differs
}

func addedLines(all []group) (out []string) {
	for _, g := range all {
		out = append(out, g.put...)
	}
	return out
}

// Limits of the comparison without numbers: lines around a change, places that are
// tried for one change, and lines of a change that is tried in several places.
const (
	maxContext = 32
	maxSlides  = 32
	maxSliding = 500
)

// compareChange compares two changes and returns Equal if they are the same. If equal
// lines in the file allow several places for a change, all places are tried. The result
// is Unknown if the changes are equal, but may be at different places.
func (g *group) compareChange(h *group) Verdict {
	v := Differs
	for _, x := range g.listPlaces() {
		for _, y := range h.listPlaces() {
			switch x.comparePlaced(&y) {
			case Equal:
				return Equal
			case Unknown:
				v = Unknown
			}
		}
	}
	return v
}

func (g *group) comparePlaced(h *group) Verdict {
	n, m := min(len(g.before), len(h.before)), min(len(g.after), len(h.after))
	before, after := g.before[len(g.before)-n:], g.after[:m]
	switch {
	case !slices.EqualFunc(g.gone, h.gone, sameLine) || !slices.EqualFunc(g.put, h.put, sameLine),
		!slices.EqualFunc(before, h.before[len(h.before)-n:], sameLine), !slices.EqualFunc(after, h.after[:m], sameLine):
		return Differs
	case hasText(g.gone) || hasText(before) || hasText(after):
		return Equal
	}
	return Unknown
}

// hasText reports whether at least one line is not empty.
func hasText(lines []string) bool {
	return slices.ContainsFunc(lines, func(l string) bool { return strings.TrimSpace(l) != "" })
}

// listPlaces returns the change at each place where it has the same result. A change that
// only adds or only removes lines can move up by one line if its last line equals the
// line before the change. Any other change has one place.
func (g *group) listPlaces() []group {
	out := []group{*g}
	if len(g.gone) > 0 && len(g.put) > 0 || len(g.gone)+len(g.put) > maxSliding {
		return out
	}
	for len(out) < maxSlides {
		last := out[len(out)-1]
		moved, ok := last.moveUp()
		if !ok {
			break
		}
		out = append(out, moved)
	}
	return out
}

func (g *group) moveUp() (group, bool) {
	lines := g.put
	if len(g.gone) > 0 {
		lines = g.gone
	}
	if len(g.before) == 0 || len(lines) == 0 || !sameLine(lines[len(lines)-1], g.before[len(g.before)-1]) {
		return group{}, false
	}
	k := len(g.before) - 1
	line := g.before[k]
	turned := append([]string{line}, lines[:len(lines)-1]...)
	out := group{before: g.before[:k], after: append([]string{line}, g.after...)}
	if len(g.gone) > 0 {
		out.gone = turned
	} else {
		out.put = turned
	}
	return out, true
}
