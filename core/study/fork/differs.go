package fork

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/report"
)

const (
	mostNamed = 3  // differing values that a row names
	mostShown = 40 // letters of a value that it shows
)

// whatDiffers says in what two calls differ, such as "flights[1].flight_number HAT172, HAT132";
// "" if the tool, the canonical arguments and whether the call was done are equal. O(n log n).
func whatDiffers(a, b *report.Action) string {
	if a.Text != b.Text || a.Name != b.Name {
		return "another call"
	}
	var d differences
	x, errX := jsonval.Parse(cmp.Or(a.Arguments, "{}"))
	y, errY := jsonval.Parse(cmp.Or(b.Arguments, "{}"))
	switch {
	case errX != nil || errY != nil:
		if a.Arguments != b.Arguments {
			d.parts = append(d.parts, "the arguments, which are not all JSON")
		}
	default:
		d.compare("", x, y)
	}
	for _, state := range []struct {
		left, right bool
		word        string
	}{{a.Error, b.Error, "refused"}, {a.Proposed, b.Proposed, "not executed"}} {
		if state.left != state.right {
			d.parts = append(d.parts, state.word+" only "+map[bool]string{true: "left", false: "right"}[state.left])
		}
	}
	if d.more {
		d.parts = append(d.parts, "and more")
	}
	return strings.Join(d.parts, "; ")
}

// differences collects the places in which two values differ.
type differences struct {
	parts []string
	more  bool // than the parts name
}

func (d *differences) compare(at string, a, b jsonval.Value) {
	if d.more || jsonval.Equal(a, b) {
		return
	}
	before := len(d.parts)
	switch {
	case a.Kind() == jsonval.Object && b.Kind() == jsonval.Object:
		for _, key := range bothKeys(a, b) {
			d.compare(strings.TrimPrefix(at+"."+key, "."), a.Get(key), b.Get(key))
		}
	case a.Kind() == jsonval.Array && b.Kind() == jsonval.Array && a.Len() == b.Len():
		others := b.Elements()
		for i, e := range a.Elements() {
			d.compare(at+"["+strconv.Itoa(i)+"]", e, others[i])
		}
	}
	switch {
	case len(d.parts) > before || d.more:
	case before == mostNamed:
		d.more = true
	default:
		d.parts = append(d.parts, strings.TrimSpace(at+" "+shownSides(a, b)))
	}
}

// bothKeys returns the names of the members of two objects, sorted.
func bothKeys(a, b jsonval.Value) []string {
	keys := a.Keys()
	for _, key := range b.Keys() {
		if !a.Get(key).Exists() {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// shownSides shows two values that differ, and the place where they do if they are long.
func shownSides(a, b jsonval.Value) string {
	x, y := []rune(shown(a)), []rune(shown(b))
	from := 0
	if max(len(x), len(y)) > mostShown {
		for from < min(len(x), len(y)) && x[from] == y[from] {
			from++
		}
		from = max(0, from-mostShown/4)
	}
	return clip(x, from) + ", " + clip(y, from)
}

func shown(v jsonval.Value) string {
	if !v.Exists() {
		return "none"
	}
	var b bytes.Buffer
	if json.Compact(&b, []byte(v.Raw())) != nil {
		return v.Raw()
	}
	return b.String()
}

// clip cuts a text to mostShown letters from a place on.
func clip(text []rune, from int) string {
	from = min(from, len(text))
	end := min(len(text), from+mostShown)
	s := string(text[from:end])
	if from > 0 {
		s = "…" + s
	}
	if end < len(text) {
		s += "…"
	}
	return s
}
