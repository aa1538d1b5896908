package similarity

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/match"
	"github.com/boundcheck/boundcheck/core/base/path"
)

// Expected says by a matcher what the values of an argument may be. It decides alone about
// the argument, whatever the step's own value and Accept are.
type Expected struct {
	Path    *path.Path
	Matcher *match.Matcher
}

// NoteSeen records that an earlier result, which the source names, holds a value of the
// call. Equal calls that know different results get different keys.
func (c *Call) NoteSeen(source string, v jsonval.Value) {
	note := source + "\x00" + v.Canonical()
	if !slices.Contains(c.seen, note) {
		c.seen = append(c.seen[:len(c.seen):len(c.seen)], note)
		c.Key += "\x04" + note
	}
}

// NoteHeld records in words what the earlier results of a source hold, where a value of the call is
// not among it. Equal calls that know different results get different keys.
func (c *Call) NoteHeld(source, words string) {
	if c.held == nil {
		c.held = map[string]string{}
	}
	if c.held[source] != words {
		c.held[source] = words
		c.Key += "\x05" + source + "\x00" + words
	}
}

// wanted says what a value may be, and what the results hold that it is compared with.
func (c *Call) wanted(m *match.Matcher) string {
	out := m.String()
	if c.held == nil {
		return out
	}
	for _, s := range m.Sources() {
		if words := c.held[s.Step+"."+s.Path]; words != "" {
			out += " (" + words + ")"
		}
	}
	return out
}

// settleExpected compares the arguments that have a matcher, and adds the result to d. It
// returns the places that it has compared.
func (t *Terms) settleExpected(obs, ref *Call, d *Difference) (settled []string) {
	if len(t.Expect) == 0 {
		return nil
	}
	v, err := jsonval.Parse(obs.Raw)
	if err != nil {
		v = jsonval.Value{}
	}
	own, _ := jsonval.Parse(ref.Raw)
	for i := range t.Expect {
		e := &t.Expect[i]
		places := match.Places(v, e.Path)
		places = slices.DeleteFunc(places, func(p match.Place) bool {
			return p.Value.Kind() == jsonval.Null && e.Matcher.Is(p.Value, match.Context{}) != match.Yes || t.Ignores(p.At)
		})
		if e.Path.One() && !slices.Contains(settled, e.Path.Place()) {
			settled = append(settled, e.Path.Place())
		}
		switch {
		case len(places) > 0:
		case e.Matcher.Optional:
			d.Same++
		case e.Path.One() && t.Ignores(e.Path.Place()):
		default:
			d.Missing = append(d.Missing, Leaf{e.Path.String(), lastName(e.Path.String()), e.Matcher.String(), e.Matcher.String()})
		}
		for _, p := range places {
			settled = append(settled, p.At)
			d.addExpected(obs, e, p, valueAt(own, p.At))
		}
	}
	return settled
}

// addExpected adds the result for one value.
func (d *Difference) addExpected(obs *Call, e *Expected, p match.Place, base jsonval.Value) {
	c := match.Context{Base: base, Seen: func(s match.Source, v jsonval.Value) match.Answer {
		if slices.Contains(obs.seen, s.Step+"."+s.Path+"\x00"+v.Canonical()) {
			return match.Yes
		}
		return match.No
	}}
	if e.Matcher.Is(p.Value, c) == match.Yes {
		d.Same += max(1, len(p.Value.Leaves()))
		return
	}
	d.Changed = append(d.Changed, Pair{Path: p.At, Key: lastName(p.At), Observed: p.Value.Raw(), Reference: obs.wanted(e.Matcher), Wanted: true})
}

// lastName returns the last name of a place, such as id for items[0].id.
func lastName(place string) string {
	if i := strings.LastIndexByte(place, '.'); i >= 0 {
		place = place[i+1:]
	}
	name, _, _ := strings.Cut(place, "[")
	return name
}

// valueAt returns the value at a place in the form of jsonval.Leaves, or Missing.
func valueAt(v jsonval.Value, place string) jsonval.Value {
	p, err := path.CompilePlaces(place)
	if err != nil {
		return jsonval.Value{}
	}
	return p.Get(v)
}
