package webarena

import (
	"strings"

	"github.com/boundcheck/boundcheck/plugins/abi"
)

// move is one recorded call: what it did, and the pages about it.
type move struct {
	acts          []action // elements named as the page before names them, where it is known
	err           error    // why the call cannot be read
	failed        bool
	before, after page
}

// field is something on a page that holds a value.
type field struct{ page, target string }

// side is one side's run, followed.
type side struct {
	moves  []move
	fields map[field]string // as they ended
	last   page
	said   string // the last answer
	spoke  bool
	unread []int // calls that cannot be read
	broken error // of a page that cannot be read, the first
}

// follow goes through a side's calls. Where an observation does not tell the page,
// it is the one that was asked for, or the page before if nothing led away from it.
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

// resolve names elements as the page does, where it gives them a name.
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

// landing is the page after a call.
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

// foreseen is the page that follows from the actions alone.
func (m *move) foreseen() page {
	p := m.before
	for i := range m.acts {
		switch a := &m.acts[i]; {
		case a.verb == goTo, a.verb == newTab && a.text != "":
			p = page{url: normalURL(a.text)}
		case a.verb == answer, a.verb == noop, a.verb == hover, a.verb == focus, a.verb == scroll:
		case a.verb.writesField() && !a.enter:
			if p.tree != nil { // it still is that page, with another value on it
				p.names = p.tree
			}
			p = page{url: p.url, names: p.names}
		default:
			p = page{}
		}
	}
	return p
}

// write keeps what a call sets and says.
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

// field is the one that an action sets. ok is false where it cannot be told from
// others: a number names an element only on a page that is known.
func (m *move) field(a *action) (f field, ok bool) {
	named := a.target.name != "" || a.target.selector != ""
	if !a.verb.writesField() || a.target.empty() || !named && m.before.url == "" {
		return f, false
	}
	where := stableURL(m.before.url)
	where, _, _ = strings.Cut(where, "?")
	return field{where, a.target.String()}, true
}

// value is what a field holds after an action.
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

// readable are roles of which a click shows something and, by the standards, changes
// nothing: a link is followed by GET, a field is entered.
const readable = " link tab textbox searchbox combobox heading image img statictext text treeitem "

// moving are keys that go about on a page.
const moving = " tab shift+tab arrowup arrowdown arrowleft arrowright pageup pagedown home end escape "

// shows tells an action that only changes what is shown.
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

// shows tells a call whose actions all do.
func (m *move) shows() bool {
	for i := range m.acts {
		if !m.acts[i].shows() {
			return false
		}
	}
	return m.err == nil && len(m.acts) > 0
}

// changed reports whether a call may have changed anything: unless it only shows or
// says something, failed, or left the page as it was.
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

// idle tells a call before and after which the page was recorded, and is the same.
func (m *move) idle() bool {
	for i := range m.acts {
		if m.acts[i].verb == answer {
			return false
		}
	}
	return m.before.tree != nil && m.after.tree != nil && m.before.tree.sum == m.after.tree.sum && stableURL(m.before.url) == stableURL(m.after.url)
}

// effect is what a call does, in normal form.
func (m *move) effect() string {
	if m.err != nil {
		return ""
	}
	return strings.Join(compose(m.acts), "; ")
}
