package osworld

import (
	"errors"
	"strings"

	"github.com/boundcheck/boundcheck/plugins/sdk/pycall"
)

// functions holds the functions of pyautogui and of the other libraries that scripts
// use with it, by their names in lower case.
var functions = map[string]func(*arguments) ([]gesture, error){
	"click":       func(a *arguments) ([]gesture, error) { return a.readClick("", 0) },
	"leftclick":   func(a *arguments) ([]gesture, error) { return a.readClick("left", 1) },
	"rightclick":  func(a *arguments) ([]gesture, error) { return a.readClick("right", 1) },
	"middleclick": func(a *arguments) ([]gesture, error) { return a.readClick("middle", 1) },
	"doubleclick": func(a *arguments) ([]gesture, error) { return a.readClick("", 2) },
	"tripleclick": func(a *arguments) ([]gesture, error) { return a.readClick("", 3) },

	"moveto":  func(a *arguments) ([]gesture, error) { return a.readMove(move, false) },
	"move":    func(a *arguments) ([]gesture, error) { return a.readMove(move, true) },
	"moverel": func(a *arguments) ([]gesture, error) { return a.readMove(move, true) },
	"dragto":  func(a *arguments) ([]gesture, error) { return a.readMove(drag, false) },
	"drag":    func(a *arguments) ([]gesture, error) { return a.readMove(drag, true) },
	"dragrel": func(a *arguments) ([]gesture, error) { return a.readMove(drag, true) },

	"mousedown": func(a *arguments) ([]gesture, error) { return a.readPress(down) },
	"mouseup":   func(a *arguments) ([]gesture, error) { return a.readPress(up) },

	"scroll":  func(a *arguments) ([]gesture, error) { return a.readScroll(false) },
	"vscroll": func(a *arguments) ([]gesture, error) { return a.readScroll(false) },
	"hscroll": func(a *arguments) ([]gesture, error) { return a.readScroll(true) },

	"typewrite": (*arguments).readTyping,
	"write":     (*arguments).readTyping,
	"press":     (*arguments).readKeys,
	"hotkey":    (*arguments).readHotkey,
	"keydown":   func(a *arguments) ([]gesture, error) { return a.readKey(keyDown) },
	"keyup":     func(a *arguments) ([]gesture, error) { return a.readKey(keyUp) },

	"copy": (*arguments).readCopy,

	"sleep": readPause, "print": readPause, "screenshot": readPause, "position": readPause, "size": readPause, "wait": readPause,
}

func readPause(*arguments) ([]gesture, error) { return []gesture{{kind: pause}}, nil }

// readClick reads the arguments of the function click(x, y, clicks, interval, button), or
// of a similar function such as doubleClick. If button is "", the button comes from the
// arguments. If count is 0, the number of clicks comes from the argument clicks.
// Otherwise the function has no argument clicks.
func (a *arguments) readClick(button string, count int) ([]gesture, error) {
	p, next, err := a.placeArgument(0)
	if err != nil {
		return nil, err
	}
	if count == 0 {
		if count, err = a.countArgument(1, next, "clicks"); err != nil {
			return nil, err
		}
		next++
	}
	if button == "" {
		if button, err = a.buttonArgument(next + 1); err != nil {
			return nil, err
		}
	}
	if count < 1 {
		return []gesture{{kind: pause}}, nil
	}
	var out []gesture
	for ; count > 3; count -= 3 {
		if len(out) > maxRepeats {
			return nil, errRepeats
		}
		out = append(out, gesture{kind: click, at: p, button: button, count: 3})
	}
	return append(out, gesture{kind: click, at: p, button: button, count: count}), nil
}

// maxRepeats is the largest number of repetitions in one call.
const maxRepeats = 1000

var errRepeats = errors.New("too many repetitions")

func (a *arguments) readMove(k kind, relative bool) ([]gesture, error) {
	if relative {
		x, ok, err := a.numberArgument(0, "xOffset", "x")
		if err != nil {
			return nil, err
		}
		y, ok2, err := a.numberArgument(1, "yOffset", "y")
		if err != nil || !ok && !ok2 {
			return nil, firstError(err, errors.New("missing a distance"))
		}
		b, err := a.buttonArgument(-1)
		return []gesture{{kind: k, at: pointAt(x, y), relative: true, button: b}}, err
	}
	p, _, err := a.placeArgument(0)
	if err == nil && p.isEmpty() {
		err = errors.New("missing coordinates")
	}
	if err != nil {
		return nil, err
	}
	b, err := a.buttonArgument(-1)
	return []gesture{{kind: k, at: p, button: b}}, err
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func (a *arguments) readPress(k kind) ([]gesture, error) {
	p, next, err := a.placeArgument(0)
	if err != nil {
		return nil, err
	}
	b, err := a.buttonArgument(next)
	return []gesture{{kind: k, at: p, button: b}}, err
}

func (a *arguments) readScroll(sideways bool) ([]gesture, error) {
	n, ok, err := a.numberArgument(0, "clicks", "amount")
	if err != nil || !ok {
		return nil, firstError(err, errors.New("missing the distance to scroll"))
	}
	p, _, err := a.placeArgument(1)
	return []gesture{{kind: scroll, count: int(n), at: p, sideways: sideways}}, err
}

// readTyping reads the argument of a function that types. This argument is a text or a
// list of keys.
func (a *arguments) readTyping() ([]gesture, error) {
	if v := a.call.Argument(0, "message"); v != nil && (v.Kind == pycall.List || v.Kind == pycall.Tuple) {
		return a.readKeys()
	}
	text, ok, err := a.textArgument(0, "message", "text")
	if err != nil || !ok {
		return nil, firstError(err, errors.New("missing the text to type"))
	}
	return []gesture{{kind: typing, text: text}}, nil
}

// readKeys reads the arguments of a call such as press('a') or press(['a', 'b']), with
// the number of presses.
func (a *arguments) readKeys() ([]gesture, error) {
	v := a.call.Argument(0, "keys", "key", "message")
	if v == nil {
		return nil, errors.New("missing the key")
	}
	items := []pycall.Value{*v}
	if v.Kind == pycall.List || v.Kind == pycall.Tuple {
		items = v.Items
	}
	times, err := a.countArgument(1, 1, "presses")
	if err != nil {
		return nil, err
	}
	if times*len(items) > maxRepeats {
		return nil, errRepeats
	}
	var out []gesture
	for range times {
		for i := range items {
			if items[i].Kind != pycall.String {
				return nil, errors.New("a key must be a literal, not an expression")
			}
			out = append(out, gesture{kind: chord, text: keyName(items[i].Text)})
		}
	}
	return out, nil
}

// readHotkey reads keys that are pressed together.
func (a *arguments) readHotkey() ([]gesture, error) {
	all := a.call.Spread()
	if v := a.call.Argument(-1, "key", "keys"); len(all) == 0 && v != nil {
		all = []pycall.Value{*v}
	}
	if len(all) == 1 && (all[0].Kind == pycall.List || all[0].Kind == pycall.Tuple) {
		all = all[0].Items
	}
	var keys []string
	for i := range all {
		if all[i].Kind != pycall.String {
			return nil, errors.New("a key must be a literal, not an expression")
		}
		keys = append(keys, all[i].Text)
	}
	if len(keys) == 1 && len(a.call.Args) == 0 {
		keys = splitKeys(keys[0])
	}
	if len(keys) == 0 {
		return nil, errors.New("missing the keys")
	}
	return []gesture{{kind: chord, text: keysTogether(keys)}}, nil
}

func (a *arguments) readKey(k kind) ([]gesture, error) {
	text, ok, err := a.textArgument(0, "key")
	if err != nil || !ok {
		return nil, firstError(err, errors.New("missing the key"))
	}
	return []gesture{{kind: k, text: keyName(text)}}, nil
}

func (a *arguments) readCopy() ([]gesture, error) {
	text, ok, err := a.textArgument(0, "text")
	if err != nil || !ok {
		return nil, firstError(err, errors.New("missing the text to copy"))
	}
	return []gesture{{kind: copyText, text: strings.ReplaceAll(text, "\r\n", "\n")}}, nil
}
