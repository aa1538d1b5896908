package osworld

import (
	"math"
	"strconv"
	"strings"
)

// kind is what a gesture does to mouse, keyboard or clipboard.
type kind uint8

const (
	pause kind = iota // waiting, looking
	move
	click // count times
	down
	up
	drag // from from to at
	scroll
	typing
	chord // keys together; one key alone is a chord of one
	keyDown
	keyUp
	copyText // into the clipboard, without a key
	done
	fail
)

var kindNames = [...]string{"wait", "move", "click", "mouse down", "mouse up", "drag", "scroll", "type", "press", "key down", "key up", "copy", "done", "fail"}

// point is a place on the screen, in whole pixels. Where it is not known it may have
// words instead: an image, or what a person calls it.
type point struct {
	known bool
	x, y  int
	words string
}

func at(x, y float64) point {
	return point{known: true, x: int(math.Round(x)), y: int(math.Round(y))}
}

func (p point) empty() bool { return p == point{} }

func (p point) String() string {
	if p.known {
		return strconv.Itoa(p.x) + "," + strconv.Itoa(p.y)
	}
	return p.words
}

// gesture is one thing done to the machine.
type gesture struct {
	kind     kind
	at, from point
	button   string // left, right or middle
	count    int    // of clicks, or steps of the wheel: down and left are negative
	sideways bool   // of the wheel
	text     string // what is typed or copied; keys with + between
	relative bool   // at is a distance
}

// String returns the effect in normal form, which is equal for two gestures that do the
// same.
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
		if !g.from.empty() {
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
	if !g.at.empty() {
		add(g.at.String())
	}
	if g.relative {
		add("from there")
	}
	return strings.Join(parts, " ")
}

// views tells a gesture that changes nothing but what is seen: the machine is waited
// for, the pointer moved, the view scrolled.
func (g *gesture) views() bool {
	return g.kind == pause || g.kind == move || g.kind == scroll
}

// ends tells the agent's last word.
func (g *gesture) ends() bool { return g.kind == done || g.kind == fail }

// keyNames are the spellings of keys that differ from library to library.
var keyNames = map[string]string{"control": "ctrl", "ctrlleft": "ctrl", "ctrlright": "ctrl", "controlleft": "ctrl", "control_l": "ctrl", "return": "enter", "kp_enter": "enter",
	"esc": "escape", "del": "delete", "altleft": "alt", "altright": "alt", "option": "alt", "alt_l": "alt", "shiftleft": "shift", "shiftright": "shift", "shift_l": "shift",
	"cmd": "win", "command": "win", "super": "win", "super_l": "win", "winleft": "win", "winright": "win", "meta": "win", "windows": "win", "pgup": "pageup", "page_up": "pageup",
	"prior": "pageup", "pgdn": "pagedown", "page_down": "pagedown", "next": "pagedown", "arrowup": "up", "arrowdown": "down", "arrowleft": "left", "arrowright": "right",
	"spacebar": "space", " ": "space", "\n": "enter", "\r": "enter", "\t": "tab", "back_space": "backspace", "plus": "+", "minus": "-"}

// keyName is one spelling of a key.
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

// modifiers are held by others, in this order.
var modifiers = [...]string{"ctrl", "alt", "shift", "win"}

// keysTogether is one spelling of keys that are held together: modifiers first.
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

// splitKeys takes "ctrl+shift+t" and "ctrl shift t" apart; a + may be a key itself.
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
