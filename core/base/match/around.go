package match

import (
	"slices"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/path"
)

// Found is what a program may find at a path: the values that are surely there, and those
// that it finds if it reads carelessly.
type Found struct {
	Sure  []Place
	Maybe []jsonval.Value
	// Missing says that an element of a list has no value at the path.
	Missing bool
	// Unread says that a text looks like a list or an object but is none.
	Unread bool
	names  []string // of members that the path's * matches, or inside the values
}

// Find returns what is at a path. Careless programs ignore the letter case and the signs
// between the words of a member's name, take one value for a list of it or a list for its
// elements, and read JSON inside a text. O(size of v × steps of the path).
func Find(v jsonval.Value, p *path.Path) *Found {
	f := &Found{}
	f.walkSteps("", v, p.Steps(), true, 0)
	return f
}

// One returns the only value at the path. ok is false if there may be another one.
func (f *Found) One() (p Place, ok bool) {
	if len(f.Sure) != 1 || len(f.Maybe) > 0 || f.Unread {
		return p, false
	}
	return f.Sure[0], true
}

// Holds answers whether one of the values fits the matcher of a policy. A value that is
// absent fits if it is optional, or if Absent says so.
func (f *Found) Holds(m *Matcher) Answer {
	out := No
	if len(f.Sure) == 0 || f.Missing {
		if out = m.Absent(); m.Optional && len(f.Sure) == 0 {
			out = Yes
		}
	}
	for _, p := range f.Sure {
		out = max(out, m.Is(p.Value, Context{Doubts: true}))
	}
	doubt := f.Unread || m.looksForText() && slices.ContainsFunc(f.names, func(name string) bool { return m.Is(textValue(name), Context{Doubts: true}) != No })
	for _, v := range f.Maybe {
		doubt = doubt || m.Is(v, Context{Doubts: true}) != No
	}
	if doubt {
		out = max(out, Unknown)
	}
	return out
}

// looksForText reports whether the matcher searches a text, which may also stand in the
// name of a member.
func (m *Matcher) looksForText() bool {
	return slices.ContainsFunc(m.tests, func(t test) bool { return t.word == "matches" || t.word == "contains" || t.word == "prefix" })
}

func textValue(s string) jsonval.Value {
	v, _ := jsonval.Parse(jsonval.Quoted(s))
	return v
}

// walkSteps follows the steps of a path from v, and reports whether they lead to a value.
func (f *Found) walkSteps(at string, v jsonval.Value, steps []path.Step, sure bool, depth int) (found bool) {
	const deepest = 64
	if depth > deepest {
		f.Unread = true
		return true
	}
	if len(steps) == 0 {
		f.addValue(at, v, sure)
		return true
	}
	switch v.Kind() {
	case jsonval.Object:
		return f.walkObject(at, v, steps, sure, depth)
	case jsonval.Array:
		return f.walkList(at, v, steps, sure, depth)
	case jsonval.String:
		return f.walkText(v, steps, depth)
	}
	if s := steps[0]; v.Kind() != jsonval.Null && (s.IsEach() || s.IsIndex()) {
		f.walkSteps(at, v, steps[1:], false, depth+1)
	}
	return false
}

func (f *Found) addValue(at string, v jsonval.Value, sure bool) {
	if sure {
		f.Sure = append(f.Sure, Place{at, v})
	} else {
		f.Maybe = append(f.Maybe, v)
	}
	f.addNames(v)
}

// addNames adds the names of all members inside a value, also inside JSON in its texts.
func (f *Found) addNames(v jsonval.Value) {
	switch v.Kind() {
	case jsonval.Object:
		v.Each(func(key string, m jsonval.Value) bool {
			f.names = append(f.names, key)
			f.addNames(m)
			return true
		})
	case jsonval.Array:
		for _, e := range v.Elements() {
			f.addNames(e)
		}
	case jsonval.String:
		if inner, ok := insideText(v); ok {
			f.addNames(inner)
		}
	}
}

func (f *Found) walkObject(at string, v jsonval.Value, steps []path.Step, sure bool, depth int) (found bool) {
	s, rest := steps[0], steps[1:]
	if s.IsEach() || s.IsIndex() { // an object in place of a list: its only element, or the elements by their names
		f.walkSteps(at, v, rest, false, depth+1)
		v.Each(func(_ string, m jsonval.Value) bool {
			f.walkSteps(at, m, rest, false, depth+1)
			return true
		})
		return false
	}
	v.Each(func(key string, m jsonval.Value) bool {
		switch {
		case s.MatchesMember(key):
			if s.IsWild() {
				f.names = append(f.names, key)
			}
			found = f.walkSteps(jsonval.Join(at, key), m, rest, sure, depth+1) && sure || found
		case FoldName(key) == FoldName(s.Name()), s.IsWild() && s.MatchesMember(FoldName(key)):
			f.walkSteps(at, m, rest, false, depth+1)
		}
		return true
	})
	return found
}

func (f *Found) walkList(at string, v jsonval.Value, steps []path.Step, sure bool, depth int) (found bool) {
	s, rest := steps[0], steps[1:]
	for i, e := range v.Elements() {
		index := strconv.Itoa(i)
		switch {
		case s.MatchesElement(index):
			one := f.walkSteps(at+"["+index+"]", e, rest, sure, depth+1)
			f.Missing = f.Missing || s.IsEach() && !one
			found = found || one
		case !s.IsEach() && !s.IsIndex(): // a list in place of an object
			f.walkSteps(at, e, steps, false, depth+1)
		}
	}
	return found
}

// walkText follows steps into a text, which may be JSON, or a list with commas.
func (f *Found) walkText(v jsonval.Value, steps []path.Step, depth int) (found bool) {
	text := foldText(v.Text())
	if inner, ok := insideText(v); ok {
		f.walkSteps("", inner, steps, false, depth+1)
		return false
	}
	if text != "" && strings.IndexByte("[{", text[0]) >= 0 {
		f.Unread = true
	}
	if s := steps[0]; len(steps) == 1 && (s.IsEach() || s.IsIndex()) {
		f.Maybe = append(f.Maybe, v)
		for _, part := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ';' || r == '\n' }) {
			f.Maybe = append(f.Maybe, textValue(strings.TrimSpace(part)))
		}
	}
	return false
}

// FoldName returns a name as careless programs compare names: without letter case, signs, an
// index in brackets, and what does not show. $url, url[] and url[0] are url.
func FoldName(name string) string {
	name = strings.ToLower(foldText(name))
	if at := strings.IndexByte(name, '['); at > 0 && strings.HasSuffix(name, "]") && strings.Trim(name[at+1:len(name)-1], "0123456789") == "" {
		name = name[:at]
	}
	return strings.Map(func(r rune) rune {
		if r < 0x80 && !isWord(r) || r == '_' || r == ' ' {
			return -1
		}
		return r
	}, name)
}

// Ambiguous reports whether an object inside v has two members whose names differ only in
// what FoldName leaves out.
func Ambiguous(v jsonval.Value) (twice bool) {
	names := map[string]bool{}
	switch v.Kind() {
	case jsonval.Object:
		v.Each(func(key string, m jsonval.Value) bool {
			name := FoldName(key)
			twice = names[name] || Ambiguous(m)
			names[name] = true
			return !twice
		})
	case jsonval.Array:
		return slices.ContainsFunc(v.Elements(), Ambiguous)
	}
	return twice
}
