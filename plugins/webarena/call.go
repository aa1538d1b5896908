package webarena

import (
	"errors"
	"fmt"
	"strings"

	"github.com/boundcheck/boundcheck/plugins/sdk/pycall"
)

// form says how a function's arguments are read.
type form uint8

const (
	plainForm   form = iota
	onTarget         // (element)
	textOn           // (element, text)
	textAlone        // (text)
	placed           // (x, y)
	twoTargets       // (from, to)
	scrolled         // (direction) or (dx, dy)
	onTargetKey      // (element, key)
)

// functions holds the names of the calls of browser tools.
var functions = map[string]struct {
	verb verb
	form form
}{
	"click": {click, onTarget}, "tap": {click, onTarget}, "dblclick": {doubleClick, onTarget}, "double_click": {doubleClick, onTarget},
	"fill": {fill, textOn}, "type": {fill, textOn}, "type_text": {fill, textOn}, "press_sequentially": {fill, textOn}, "clear": {clear, onTarget},
	"check": {check, onTarget}, "uncheck": {uncheck, onTarget}, "set_checked": {check, onTarget}, "select_option": {choose, textOn}, "select": {choose, textOn},
	"hover": {hover, onTarget}, "focus": {focus, onTarget}, "press": {press, onTargetKey}, "press_key": {press, onTargetKey}, "keyboard_press": {press, textAlone},
	"keyboard_type": {keys, textAlone}, "keyboard_insert_text": {keys, textAlone}, "insert_text": {keys, textAlone},
	"scroll": {scroll, scrolled}, "wheel": {scroll, scrolled}, "scroll_into_view_if_needed": {scroll, plainForm},
	"drag_and_drop": {drag, twoTargets}, "drag_to": {drag, twoTargets}, "drag": {drag, twoTargets}, "upload_file": {upload, textOn}, "set_input_files": {upload, textOn},
	"mouse_click": {click, placed}, "mouse_dblclick": {doubleClick, placed}, "mouse_move": {hover, placed},
	"goto": {goTo, textAlone}, "navigate": {goTo, textAlone}, "go_back": {back, plainForm}, "navigate_back": {back, plainForm}, "go_forward": {forward, plainForm},
	"navigate_forward": {forward, plainForm}, "reload": {reload, plainForm}, "new_tab": {newTab, textAlone}, "new_page": {newTab, textAlone}, "tab_close": {closeTab, plainForm},
	"close_tab": {closeTab, plainForm}, "close": {closeTab, plainForm}, "page_close": {closeTab, plainForm}, "tab_focus": {focusTab, textAlone},
	"page_focus": {focusTab, textAlone}, "bring_to_front": {focusTab, plainForm}, "switch_tab": {focusTab, textAlone},
	"noop": {noop, plainForm}, "wait": {noop, plainForm}, "wait_for": {noop, plainForm}, "wait_for_timeout": {noop, plainForm}, "wait_for_load_state": {noop, plainForm},
	"wait_for_selector": {noop, plainForm}, "wait_for_url": {noop, plainForm}, "snapshot": {noop, plainForm}, "screenshot": {noop, plainForm}, "sleep": {noop, plainForm},
	"stop": {answer, textAlone}, "send_msg_to_user": {answer, textAlone}, "report_infeasible": {answer, textAlone},
}

// Other names of arguments that are passed by name.
var (
	elementNames = []string{"bid", "element_id", "id", "ref", "uid", "index", "selector", "locator", "target"}
	textNames    = []string{"text", "value", "values", "options", "option", "label", "content", "url", "key", "key_comb", "answer", "message", "reason", "files", "file", "direction"}
)

// errNoCalls is the error for a text without any statement.
var errNoCalls = errors.New("no action was found")

// maxActions is the largest number of actions in one text. An agent makes only a few at
// a time.
const maxActions = 1000

var errTooMany = errors.New("more than 1000 actions in one text")

// parseCalls reads BrowserGym's functions, Playwright's methods and similar calls.
func parseCalls(text string) ([]action, error) {
	program, err := pycall.Parse(text)
	if err != nil {
		return nil, err
	}
	var out []action
	for i := range program {
		st := &program[i]
		if st.Import != "" {
			continue
		}
		if len(out) == maxActions {
			return nil, errTooMany
		}
		a, err := callAction(&st.Value)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", st.Line, err)
		}
		out = append(out, a)
	}
	if len(out) == 0 {
		return nil, errNoCalls
	}
	return out, nil
}

// callAction returns the action of one call.
func callAction(v *pycall.Value) (a action, err error) {
	_, call, ok := v.Call()
	if !ok {
		return a, errors.New("the statement is not a call")
	}
	links := v.Links[:len(v.Links)-1]
	name := strings.ToLower(call.Name)
	if n := len(links); n > 0 && !links[n-1].Called && (links[n-1].Name == "keyboard" || links[n-1].Name == "mouse") {
		if name = links[n-1].Name + "_" + name; name == "mouse_wheel" {
			name = "wheel"
		}
		links = nil
	}
	f, known := functions[name]
	if !known {
		return a, fmt.Errorf("unknown action %q", call.Name)
	}
	a.verb = f.verb
	if err = a.readLocator(links); err == nil {
		err = a.readArguments(f.form, call)
	}
	if name == "report_infeasible" {
		a.text = notAchievable
	}
	return a, err
}

// readArguments stores the arguments of a call, which have the form f, in the action. If
// a locator has already named the element, as in page.locator("#a").click(), the
// arguments do not name the element again.
func (a *action) readArguments(f form, call *pycall.Link) error {
	at := 0
	if (f == onTarget || f == textOn || f == onTargetKey) && a.target.isEmpty() {
		if f == onTargetKey && len(call.Args) < 2 && call.Argument(-1, elementNames...) == nil {
			f = textAlone // only the key is given
		} else if err := a.readElement(call.Argument(0, elementNames...), &a.target); err != nil {
			return err
		} else {
			at = 1
		}
	}
	switch f {
	case textOn, onTargetKey, textAlone, scrolled:
		v := call.Argument(at, textNames...)
		if v == nil && f == scrolled {
			v = call.Argument(0, textNames...)
		}
		if v == nil && f == textAlone && len(call.Keywords) == 1 {
			v = &call.Keywords[0].Value
		}
		if err := a.readText(v, call); err != nil {
			return err
		}
	case placed:
		x, y := call.Argument(0, "x", "from_x"), call.Argument(1, "y", "from_y")
		if x == nil || y == nil {
			return errors.New("missing coordinates")
		}
		a.target.place = x.Text + "," + y.Text
	case twoTargets:
		return a.readDrag(call)
	}
	return nil
}

func (a *action) readDrag(call *pycall.Link) error {
	if !a.target.isEmpty() {
		return a.readElement(call.Argument(0, "target"), &a.to)
	}
	if err := a.readElement(call.Argument(0, "from_bid", "source", "startRef"), &a.target); err != nil {
		return err
	}
	return a.readElement(call.Argument(1, "to_bid", "target", "endRef"), &a.to)
}

// readElement stores in t the element that the argument v names. The argument is an
// identifier, a selector or a locator.
func (a *action) readElement(v *pycall.Value, t *target) error {
	switch {
	case v == nil:
		return errors.New("missing the element")
	case v.Kind == pycall.Number:
		t.id = v.Text
	case v.Kind == pycall.String && isIdentifier(v.Text):
		t.id = v.Text
	case v.Kind == pycall.String && strings.TrimSpace(v.Text) != "":
		t.selector = normalSelector(v.Text)
	case v.Kind == pycall.Chain:
		other := action{}
		if err := other.readLocator(v.Links); err != nil || other.target.isEmpty() {
			return errors.New("cannot determine the element")
		}
		*t = other.target
	default:
		return errors.New("cannot determine the element")
	}
	return nil
}

// isIdentifier reports whether s identifies an element by its number. Letters before the
// number may give the frame or the kind, as in a12 or e7.
func isIdentifier(s string) bool {
	return s != "" && len(s) < 24 && strings.ContainsAny(s, "0123456789") && strings.Trim(s, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-") == ""
}

// readText stores the text argument v of a call in a.text. It returns an error if v is
// missing, although the action needs a text, or if v is not a literal.
func (a *action) readText(v *pycall.Value, call *pycall.Link) error {
	switch {
	case v == nil && (a.verb == answer || a.verb == newTab || a.verb == scroll):
	case v == nil:
		return fmt.Errorf("missing what to %s", verbNames[a.verb])
	case v.Kind == pycall.List || v.Kind == pycall.Tuple:
		var all []string
		for i := range v.Items {
			all = append(all, v.Items[i].Text)
		}
		a.text = strings.Join(all, "\n")
	case v.Kind == pycall.Chain || v.Kind == pycall.Other:
		return errors.New("a value must be a literal, not an expression")
	default:
		a.text = v.Text
	}
	switch a.verb {
	case press:
		a.text = normalChord(a.text)
	case scroll:
		a.text = scrollArgument(a.text, call)
	case fill:
		submit := call.Argument(-1, "submit", "press_enter", "press_enter_after")
		a.enter = submit != nil && (submit.Text == "True" || submit.Text == "1")
		a.lineEnd()
	}
	return nil
}

// scrollArgument returns the direction in which a call scrolls. If the call has a
// vertical distance, a negative distance means "up", and a positive one means "down". If
// the call has no distance, the parameter text names the direction.
func scrollArgument(text string, call *pycall.Link) string {
	if y := call.Argument(1, "delta_y", "dy"); y != nil && y.Kind == pycall.Number {
		if strings.HasPrefix(y.Text, "-") {
			return "up"
		}
		return "down"
	}
	return scrollDirection(text)
}
