package webarena

import (
	"strings"

	"github.com/boundcheck/boundcheck/plugins/abi"
)

// move is one recorded call: its actions, and the pages before and after it.
type move struct {
	acts          []action // elements have the names on the page before, if it is known
	err           error    // why the call cannot be read
	failed        bool
	before, after page
}

// field is an element of a page that holds a value.
type field struct{ page, target string }

// side is one side's run, with the pages tracked.
type side struct {
	moves  []move
	fields map[field]string // their values at the end
	last   page
	said   string // the last answer
	spoke  bool
	unread []int // indices of the calls that cannot be read
	broken error // the first error of a page that cannot be read
}

// follow reads the calls of one side and tracks its pages. opening is the observation
// before the first call. If an observation does not show the page, the page is the one
// that the call opened, or the previous page if nothing led away from it. Otherwise the
// page is not known.
func follow(calls []abi.Action, opening string) *side {
	s := &side{fields: map[field]string{}, last: readPage(opening)}
	for i := range calls {
		m := move{before: s.last, failed: calls[i].Failed}
		m.acts, m.err = read(&calls[i])
		if m.err != nil {
			s.unread = append(s.unread, i)
		}
		m.resolve()
		m.after = m.landing(&calls[i])
		if m.after.err != nil && s.broken == nil {
			s.broken = m.after.err
		}
		if m.err == nil && !m.failed {
			s.write(&m)
		}
		s.last = m.after
		s.moves = append(s.moves, m)
	}
	return s
}

// resolve adds to each element that has a number the role and the name that the element
// has on the page before the call. It needs a page that shows the element.
func (m *move) resolve() {
	names := m.before.names
	if m.before.tree != nil {
		names = m.before.tree
	}
	if names == nil {
		return
	}
	for i := range m.acts {
		for _, t := range [...]*target{&m.acts[i].target, &m.acts[i].to} {
			if t.id == "" {
				continue
			}
			if n := names.find(t.id); n != nil {
				if t.role, t.name = n.known(); t.name == "" {
					t.name = "[" + t.id + "]"
				}
			}
		}
	}
}

// landing returns the page after a call.
func (m *move) landing(a *abi.Action) page {
	if a.Observation != nil {
		if p := readPage(*a.Observation); p.url != "" || p.tree != nil || p.err != nil {
			if p.url == "" {
				p.url = m.foreseen().url
			}
			return p
		}
	}
	if m.failed || m.err != nil {
		return m.before
	}
	return m.foreseen()
}

// foreseen returns the page that follows from the actions alone.
func (m *move) foreseen() page {
	p := m.before
	for i := range m.acts {
		switch a := &m.acts[i]; {
		case a.verb == goTo, a.verb == newTab && a.text != "":
			p = page{url: normalURL(a.text)}
		case a.verb == answer, a.verb == noop, a.verb == hover, a.verb == focus, a.verb == scroll:
		case a.verb.writesField() && !a.enter:
			if p.tree != nil { // still the same page, but with another value on it
				p.names = p.tree
			}
			p = page{url: p.url, names: p.names}
		default:
			p = page{}
		}
	}
	return p
}

// write records the fields that a call sets, and the answer that it gives.
func (s *side) write(m *move) {
	for i := range m.acts {
		a := &m.acts[i]
		if a.verb == answer {
			s.said, s.spoke = a.text, true
		}
		if f, ok := m.field(a); ok {
			s.fields[f] = a.value()
		}
	}
}

// field returns the field that an action sets. ok is false if the field cannot be
// identified: a number names an element only on a known page.
func (m *move) field(a *action) (f field, ok bool) {
	named := a.target.name != "" || a.target.selector != ""
	if !a.verb.writesField() || a.target.empty() || !named && m.before.url == "" {
		return f, false
	}
	where := stableURL(m.before.url)
	where, _, _ = strings.Cut(where, "?")
	return field{where, a.target.String()}, true
}

// value returns the field's value after an action.
func (a *action) value() string {
	switch a.verb {
	case check:
		return "checked"
	case uncheck:
		return "not checked"
	case clear:
		return ""
	}
	return a.text
}

// readable holds the roles of elements on which a click shows something and, by the
// standards, changes nothing: a link is followed by GET, a field gets the focus.
const readable = " link tab textbox searchbox combobox heading image img statictext text treeitem "

// moving holds the keys that move around on a page.
const moving = " tab shift+tab arrowup arrowdown arrowleft arrowright pageup pagedown home end escape "

// shows reports whether an action only changes the view.
func (a *action) shows() bool {
	switch {
	case a.verb.views():
		return true
	case a.verb == click:
		return a.target.role != "" && strings.Contains(readable, " "+a.target.role+" ")
	case a.verb == press:
		return strings.Contains(moving, " "+a.text+" ")
	}
	return false
}

// shows reports whether all of a call's actions only change the view.
func (m *move) shows() bool {
	for i := range m.acts {
		if !m.acts[i].shows() {
			return false
		}
	}
	return m.err == nil && len(m.acts) > 0
}

// changed reports whether a call may have changed anything. The result is false in four
// cases: the call failed or could not be read, it only changes the view, it only answers,
// or the page is unchanged.
func (m *move) changed() bool {
	if m.failed || m.err != nil || m.shows() || m.idle() {
		return false
	}
	for i := range m.acts {
		if m.acts[i].verb != answer && !m.acts[i].shows() {
			return true
		}
	}
	return false
}

// idle reports whether the pages before and after a call were recorded and are equal.
func (m *move) idle() bool {
	for i := range m.acts {
		if m.acts[i].verb == answer {
			return false
		}
	}
	return m.before.tree != nil && m.after.tree != nil && m.before.tree.sum == m.after.tree.sum && stableURL(m.before.url) == stableURL(m.after.url)
}

// effect returns a call's effect in normal form.
func (m *move) effect() string {
	if m.err != nil {
		return ""
	}
	return strings.Join(compose(m.acts), "; ")
}
