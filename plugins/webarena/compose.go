package webarena

// composeActions returns the effects of the actions in normal form. Steps that another
// agent can take as one step become one effect, for example opening a list and choosing
// an option. Actions that only move the view have no effect.
func composeActions(acts []action) []string {
	var out []action
	for _, a := range acts {
		if a.verb == noop || a.verb == hover || a.verb == focus || a.verb == scroll {
			continue
		}
		if a.verb == newTab && a.text != "" {
			out = append(out, action{verb: newTab})
			a = action{verb: goTo, text: a.text}
		}
		if n := len(out); n == 0 || !out[n-1].joinNext(&a) {
			out = append(out, a)
		}
	}
	texts := make([]string, len(out))
	for i := range out {
		texts[i] = out[i].String()
	}
	return texts
}

// joinNext joins the action next to a if both form one action, for example a click on a
// field and typing into it. It reports whether it did so.
func (a *action) joinNext(next *action) bool {
	there := next.target.isEmpty() || next.target == a.target
	switch {
	case a.enter:
		return false
	case a.verb == fill && next.verb == press && next.text == "enter" && there:
		a.enter = true
		return true
	case (a.verb == click || a.verb == clear) && next.verb == keys:
		*a = action{verb: fill, target: a.target, text: next.text}
		return true
	case a.verb == fill && next.verb == keys:
		a.text += next.text
		return true
	case (a.verb == click || a.verb == clear || a.verb == fill) && (next.verb == fill || next.verb == clear) && next.target == a.target:
		*a = *next
		return true
	case a.verb == click && next.verb == choose && next.target == a.target:
		*a = *next
		return true
	case a.verb == click && next.verb == click && next.target.role == "option" && (a.target.role == "combobox" || a.target.role == "listbox"):
		*a = action{verb: choose, target: a.target, text: next.target.name}
		return true
	}
	return false
}
