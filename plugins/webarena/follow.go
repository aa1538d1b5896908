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

// followCalls reads the calls of one side and finds the page after each call. The
// parameter opening is the observation before the first call. If an observation does not
// show the page, the page is derived from the call if possible.
func followCalls(calls []abi.Action, opening string) *side {
	s := &side{fields: map[field]string{}, last: readPage(opening)}
	for i := range calls {
		m := move{before: s.last, failed: calls[i].Failed}
		m.acts, m.err = readActions(&calls[i])
		if m.err != nil {
			s.unread = append(s.unread, i)
		}
		m.resolveNames()
		m.after = m.pageAfter(&calls[i])
		if m.after.err != nil && s.broken == nil {
			s.broken = m.after.err
		}
		if m.err == nil && !m.failed {
			s.recordFields(&m)
		}
		s.last = m.after
		s.moves = append(s.moves, m)
	}
	return s
}

// resolveNames gives each element with a number the role and the name that it has on the
// page before the call. Elements that this page does not show stay unchanged.
func (m *move) resolveNames() {
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
			if n := names.findElement(t.id); n != nil {
				if t.role, t.name = n.roleAndName(); t.name == "" {
					t.name = "[" + t.id + "]"
				}
			}
		}
	}
}

// pageAfter returns the page after a call. If the observation does not show the page,
// pageAfter derives it from the call.
func (m *move) pageAfter(a *abi.Action) page {
	if a.Observation != nil {
		if p := readPage(*a.Observation); p.url != "" || p.tree != nil || p.err != nil {
			if p.url == "" {
				p.url = m.foreseenPage().url
			}
			return p
		}
	}
	if m.failed || m.err != nil {
		return m.before
	}
	return m.foreseenPage()
}

// foreseenPage returns the page after a call, as far as the actions alone show it. If an
// action opens an address, this is the page with that address. If no action may have left
// the page, it is the page before the call. Otherwise the result is an empty page.
func (m *move) foreseenPage() page {
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

// recordFields records the fields that a call sets, and the answer that it gives.
func (s *side) recordFields(m *move) {
	for i := range m.acts {
		a := &m.acts[i]
		if a.verb == answer {
			s.said, s.spoke = a.text, true
		}
		if f, ok := m.findField(a); ok {
			s.fields[f] = a.fieldValue()
		}
	}
}

// findField returns the field that an action sets. The result ok is false if the action
// sets no field, or if the field cannot be identified.
func (m *move) findField(a *action) (f field, ok bool) {
	named := a.target.name != "" || a.target.selector != ""
	if !a.verb.writesField() || a.target.isEmpty() || !named && m.before.url == "" {
		return f, false
	}
	where := stableURL(m.before.url)
	where, _, _ = strings.Cut(where, "?")
	return field{where, a.target.String()}, true
}

// fieldValue returns the field's value after an action.
func (a *action) fieldValue() string {
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

// readable holds the roles of elements on which a click only shows something. By the
// standards, it changes nothing: a link is followed by GET, and a field gets the focus.
const readable = " link tab textbox searchbox combobox heading image img statictext text treeitem "

// moving holds the keys that move around on a page.
const moving = " tab shift+tab arrowup arrowdown arrowleft arrowright pageup pagedown home end escape "

// isViewOnly reports whether an action only changes the view.
func (a *action) isViewOnly() bool {
	switch {
	case a.verb.isViewOnly():
		return true
	case a.verb == click:
		return a.target.role != "" && strings.Contains(readable, " "+a.target.role+" ")
	case a.verb == press:
		return strings.Contains(moving, " "+a.text+" ")
	}
	return false
}

// isViewOnly reports whether all of a call's actions only change the view.
func (m *move) isViewOnly() bool {
	for i := range m.acts {
		if !m.acts[i].isViewOnly() {
			return false
		}
	}
	return m.err == nil && len(m.acts) > 0
}

// mayHaveChanged reports whether a call may have changed anything. It returns false in
// these cases:
//
//   - the call failed or could not be read
//   - the call only changes the view
//   - the call only answers
//   - the page is unchanged
func (m *move) mayHaveChanged() bool {
	if m.failed || m.err != nil || m.isViewOnly() || m.isIdle() {
		return false
	}
	for i := range m.acts {
		if m.acts[i].verb != answer && !m.acts[i].isViewOnly() {
			return true
		}
	}
	return false
}

// isIdle reports whether the pages before and after a call were recorded and are equal.
func (m *move) isIdle() bool {
	for i := range m.acts {
		if m.acts[i].verb == answer {
			return false
		}
	}
	return m.before.tree != nil && m.after.tree != nil && m.before.tree.sum == m.after.tree.sum && stableURL(m.before.url) == stableURL(m.after.url)
}

// normalEffect returns a call's effect in normal form.
func (m *move) normalEffect() string {
	if m.err != nil {
		return ""
	}
	return strings.Join(composeActions(m.acts), "; ")
}
