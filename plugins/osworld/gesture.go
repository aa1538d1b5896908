package osworld

import (
	"math"
	"strconv"
	"strings"
)

// kind is the kind of a gesture's effect on mouse, keyboard or clipboard.
type kind uint8

const (
	pause kind = iota // waiting, looking
	move
	click // count clicks
	down
	up
	drag // drag from the point from to the point at
	scroll
	typing
	chord // keys together; a single key is a chord of one
	keyDown
	keyUp
	copyText // to the clipboard, without a key
	done
	fail
)

var kindNames = [...]string{"wait", "move", "click", "mouse down", "mouse up", "drag", "scroll", "type", "press", "key down", "key up", "copy", "done", "fail"}

// point is a place on the screen, in whole pixels. If the place is not known, words may
// hold the name of an image or a person's description.
type point struct {
	known bool
	x, y  int
	words string
}

func pointAt(x, y float64) point {
	return point{known: true, x: int(math.Round(x)), y: int(math.Round(y))}
}

func (p point) isEmpty() bool { return p == point{} }

func (p point) String() string {
	if p.known {
		return strconv.Itoa(p.x) + "," + strconv.Itoa(p.y)
	}
	return p.words
}

// gesture is one action on the machine.
type gesture struct {
	kind     kind
	at, from point
	button   string // left, right or middle
	count    int    // number of clicks, or of steps of the wheel: negative for down and left
	sideways bool   // of the wheel
	text     string // the text that is typed or copied, or keys joined by +
	relative bool   // at is a distance
}

// String returns the gesture in normal form. Two gestures that do the same have equal
// texts.
func (g *gesture) String() string {
	parts := []string{kindNames[g.kind]}
	add := func(s string) { parts = append(parts, s) }
	switch g.kind {
	case click:
		parts[0] = [...]string{"click", "click", "double click", "triple click"}[min(max(g.count, 1), 3)]
		add(g.button)
	case down, up:
		add(g.button)
	case drag:
		if g.button != "left" {
			add(g.button)
		}
		if !g.from.isEmpty() {
			add("from " + g.from.String() + " to")
		}
	case scroll:
		if g.sideways {
			add("sideways")
		}
		if g.count != 0 {
			add(strconv.Itoa(g.count))
		}
	case typing, copyText:
		add(strconv.Quote(g.text))
	case chord, keyDown, keyUp:
		add(g.text)
	}
	if !g.at.isEmpty() {
		add(g.at.String())
	}
	if g.relative {
		add("from there")
	}
	return strings.Join(parts, " ")
}

// isViewOnly reports whether a gesture changes only the view: it waits, moves the
// pointer, or scrolls.
func (g *gesture) isViewOnly() bool {
	return g.kind == pause || g.kind == move || g.kind == scroll
}

// endsRun reports whether a gesture says that the run is over, by DONE or FAIL.
func (g *gesture) endsRun() bool { return g.kind == done || g.kind == fail }

// keyNames maps the spellings of other libraries to this package's names of keys.
var keyNames = map[string]string{"control": "ctrl", "ctrlleft": "ctrl", "ctrlright": "ctrl", "controlleft": "ctrl", "control_l": "ctrl", "return": "enter", "kp_enter": "enter",
	"esc": "escape", "del": "delete", "altleft": "alt", "altright": "alt", "option": "alt", "alt_l": "alt", "shiftleft": "shift", "shiftright": "shift", "shift_l": "shift",
	"cmd": "win", "command": "win", "super": "win", "super_l": "win", "winleft": "win", "winright": "win", "meta": "win", "windows": "win", "pgup": "pageup", "page_up": "pageup",
	"prior": "pageup", "pgdn": "pagedown", "page_down": "pagedown", "next": "pagedown", "arrowup": "up", "arrowdown": "down", "arrowleft": "left", "arrowright": "right",
	"spacebar": "space", " ": "space", "\n": "enter", "\r": "enter", "\t": "tab", "back_space": "backspace", "plus": "+", "minus": "-"}

// keyName returns the normal spelling of a key.
func keyName(key string) string {
	key = strings.ToLower(key)
	if trimmed := strings.TrimSpace(key); trimmed != "" {
		key = trimmed
	}
	if name, ok := keyNames[key]; ok {
		return name
	}
	return key
}

// modifiers lists the modifier keys in the order in which they are written.
var modifiers = [...]string{"ctrl", "alt", "shift", "win"}

// keysTogether returns the normal spelling of keys that are held together, modifiers
// first.
func keysTogether(keys []string) string {
	var out []string
	held := map[string]bool{}
	for i, k := range keys {
		keys[i] = keyName(k)
		held[keys[i]] = true
	}
	for _, m := range modifiers {
		if held[m] {
			out = append(out, m)
		}
	}
	for _, k := range keys {
		if k != "ctrl" && k != "alt" && k != "shift" && k != "win" {
			out = append(out, k)
		}
	}
	return strings.Join(out, "+")
}

// splitKeys splits a text such as "ctrl+shift+t" or "ctrl shift t" into keys. The
// character + may also be a key, as in "ctrl++".
func splitKeys(text string) []string {
	text = strings.TrimSpace(text)
	if text == "+" || text == "" {
		return []string{text}
	}
	out := strings.FieldsFunc(text, func(r rune) bool { return r == '+' || r == ' ' })
	if strings.HasSuffix(text, "++") {
		out = append(out, "+")
	}
	if len(out) == 0 {
		return []string{text}
	}
	return out
}
