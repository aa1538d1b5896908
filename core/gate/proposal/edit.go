package proposal

import (
	"slices"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// Edit says that an approver has changed the arguments of a held call, and what is known
// of the call before. With it, Check always holds the call.
type Edit struct {
	By      string   // the approver
	Was     string   // the arguments before the change
	Sources []Source // origins of the values of Was
	Asked   *Asker   // who asked for the call; nil if it is not known
}

// Change is one difference between two arguments.
type Change struct {
	Path  string `json:"path"`          // in the form of Confirmation's paths
	Was   string `json:"was,omitempty"` // raw JSON; "" if the value is new
	Is    string `json:"is,omitempty"`  // raw JSON; "" if the value was removed
	Place string `json:"-"`             // the path in the form of jsonval.Leaves
}

// Changes returns the differences between the values of two arguments, in text order.
// Spaces, the order of members and escapes in strings are no difference, but 1 and 1.0
// are. Two lists of different lengths are one difference. Both arguments must be readable
// (see Inspect). O(n).
func Changes(was, is string) (out []Change) {
	a, err := inspectArguments(was)
	b, err2 := inspectArguments(is)
	if err != nil || err2 != nil {
		return []Change{{Was: was, Is: is}}
	}
	addChanges(&out, "", "", a, b)
	return out
}

func addChanges(out *[]Change, path, place string, was, is jsonval.Value) {
	k := was.Kind()
	switch {
	case k == jsonval.Object && is.Kind() == k:
		was.Each(func(key string, m jsonval.Value) bool {
			addChanges(out, Step(path, key), jsonval.Join(place, key), m, is.Get(key))
			return true
		})
		is.Each(func(key string, m jsonval.Value) bool {
			if !was.Get(key).Exists() {
				*out = append(*out, Change{Step(path, key), "", m.Raw(), jsonval.Join(place, key)})
			}
			return true
		})
	case k == jsonval.Array && is.Kind() == k && was.Len() == is.Len():
		others := is.Elements()
		for i, m := range was.Elements() {
			n := "[" + strconv.Itoa(i) + "]"
			addChanges(out, path+n, place+n, m, others[i])
		}
	case !sameScalar(was, is):
		*out = append(*out, Change{path, was.Raw(), is.Raw(), place})
	}
}

// sameScalar reports whether two values have one meaning in every program.
func sameScalar(a, b jsonval.Value) bool {
	if a.Kind() == jsonval.String && b.Kind() == jsonval.String && !hasLoneSurrogate(a.Raw()) && !hasLoneSurrogate(b.Raw()) {
		return a.Text() == b.Text()
	}
	return a.Kind() == b.Kind() && a.Raw() == b.Raw()
}

// takeEdit gives an edited call what is known of it: who asked for it, and the origins of
// its values. The changed ones come from the approver.
func (c *call) takeEdit(e *Edit) {
	c.edit, c.asked, c.sources = e, e.Asked, nil
	c.changes = Changes(e.Was, c.arguments)
	changed := func(path string) bool {
		return slices.ContainsFunc(c.changes, func(d Change) bool {
			rest, below := strings.CutPrefix(path, d.Path)
			return below && (rest == "" || rest[0] == '.' || rest[0] == '[')
		})
	}
	for _, s := range e.Sources {
		if !changed(s.Path) {
			c.sources = append(c.sources, s)
		}
	}
	for i := range c.changes {
		d := &c.changes[i]
		if v, err := jsonval.Parse(d.Is); err == nil && v.Kind() != jsonval.Object && v.Kind() != jsonval.Array {
			c.sources = append(c.sources, Source{Path: d.Path, Kind: "approver", Text: "the approver " + Escape(e.By)})
		}
	}
}

// Limits of the list of changes in a prompt. All new values also stand in its fields.
const (
	mostChanges = 40
	mostValue   = 300 // bytes of a value
)

// writeEdit writes what an approver changed.
func (c *call) writeEdit(b *strings.Builder) {
	if c.edit == nil {
		return
	}
	writeTexts(b, "EDITED by the approver ", Escape(c.edit.By), ": ", pluralCount(len(c.changes), "change"), " of the call ", DigestIn(c.dir, c.tool, c.edit.Was), "\n")
	for i, d := range c.changes {
		if i == mostChanges {
			writeTexts(b, "  and ", pluralCount(len(c.changes)-i, "change"), " more\n")
			break
		}
		writeTexts(b, "  ", d.Text(), "\n")
	}
}

// Text returns the change as one line of escaped text. A long value is cut.
func (d *Change) Text() string {
	path := d.Path
	if path == "" {
		path = "the arguments"
	}
	switch {
	case d.Was == "":
		return path + ": new, " + cutValue(d.Is)
	case d.Is == "":
		return path + ": removed, was " + cutValue(d.Was)
	}
	return path + ": was " + cutValue(d.Was) + ", now " + cutValue(d.Is)
}

func cutValue(raw string) string {
	if len(raw) <= mostValue {
		return Escape(raw)
	}
	return Escape(strings.ToValidUTF8(raw[:mostValue], "")) + " ... " + pluralCount(len(raw)-mostValue, "byte") + " more"
}
