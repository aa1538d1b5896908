package osworld

import "strings"

// composeGestures joins the steps of each gesture and returns one text for each gesture,
// in normal form:
//
//   - Moving, pressing and releasing the pointer become a click or a drag.
//   - Two clicks become a double click.
//   - Keys that are held together become a chord.
//   - A text that is typed in pieces becomes one text. A text that is copied and pasted counts as typed.
//   - Waiting is dropped.
func composeGestures(all []gesture) []string {
	var out []gesture
	for _, g := range joinTypedText(all) {
		out = append(out, g)
		for n := len(out); n > 1; n = len(out) {
			joined, ok := joinLastGestures(out)
			if !ok {
				break
			}
			out = joined
		}
	}
	texts := make([]string, len(out))
	for i := range out {
		texts[i] = out[i].String()
	}
	return texts
}

// joinTypedText joins neighbouring gestures that enter text into one text, and removes
// gestures that only wait. Text is entered by typing, by pressing the key of a character,
// or by copying and pasting. Each line end at the end of the joined text becomes a press
// of the enter key.
func joinTypedText(all []gesture) (out []gesture) {
	var typed strings.Builder
	flush := func() {
		text := strings.TrimRight(typed.String(), "\n")
		enters := min(typed.Len()-len(text), maxRepeats)
		typed.Reset()
		if text != "" {
			out = append(out, gesture{kind: typing, text: text})
		}
		for range enters {
			out = append(out, gesture{kind: chord, text: "enter"})
		}
	}
	held := 0 // number of keys that are down: a key struck then is part of a chord
	for i := range all {
		switch g := all[i]; {
		case g.kind == pause:
		case g.kind == chord && g.text == "ctrl+v" && endsInCopy(all[:i]):
		case g.kind == copyText && beginsWithPaste(all[i+1:]):
			typed.WriteString(g.text)
		case g.kind == chord && held == 0 && keyText(g.text) != "":
			typed.WriteString(keyText(g.text))
		case g.kind == typing:
			typed.WriteString(g.text)
			if strings.HasSuffix(g.text, "\n") {
				flush()
			}
		default:
			flush()
			switch g.kind {
			case keyDown:
				held++
			case keyUp:
				held = max(held-1, 0)
			}
			out = append(out, g)
		}
	}
	flush()
	return out
}

// endsInCopy reports whether the last of the given gestures copies a text. Gestures that
// only wait do not count.
func endsInCopy(before []gesture) bool {
	for i := len(before) - 1; i >= max(0, len(before)-maxPauses); i-- {
		if before[i].kind != pause {
			return before[i].kind == copyText
		}
	}
	return false
}

// beginsWithPaste reports whether the first of the given gestures is ctrl+v. Gestures
// that wait do not count.
func beginsWithPaste(after []gesture) bool {
	for i := range after[:min(len(after), maxPauses)] {
		if after[i].kind != pause {
			return after[i].kind == chord && after[i].text == "ctrl+v"
		}
	}
	return false
}

// maxPauses is the largest number of waiting steps between two halves of one gesture.
const maxPauses = 8

// joinLastGestures replaces the last two or more gestures by one gesture. The bool is
// false if these gestures do not belong together.
func joinLastGestures(all []gesture) ([]gesture, bool) {
	n := len(all)
	a, b := &all[n-2], &all[n-1]
	replace := func(from int, g gesture) ([]gesture, bool) { return append(all[:from], g), true }
	there := b.at.isEmpty() || a.at == b.at
	switch {
	case a.kind == move && b.kind == move && !b.relative:
		return replace(n-2, *b)
	case a.kind == move && !a.relative && b.kind == drag && b.from.isEmpty() && !b.relative:
		b.from = a.at
		return replace(n-2, *b)
	case a.kind == move && !a.relative && (b.kind == click || b.kind == down || b.kind == scroll || b.kind == up && n < 3):
		if b.at.isEmpty() {
			b.at = a.at
		}
		return replace(n-2, *b)
	case a.kind == down && b.kind == up && a.button == b.button && !b.relative:
		if there {
			return replace(n-2, gesture{kind: click, at: a.at, button: a.button, count: 1})
		}
		return replace(n-2, gesture{kind: drag, from: a.at, at: b.at, button: a.button})
	case n > 2 && all[n-3].kind == down && a.kind == move && !a.relative && b.kind == up && there && all[n-3].button == b.button:
		return replace(n-3, gesture{kind: drag, from: all[n-3].at, at: a.at, button: b.button})
	case a.kind == click && b.kind == click && there && a.button == b.button && a.count+b.count <= 3:
		a.count += b.count
		return all[:n-1], true
	}
	return joinKeys(all)
}

// joinKeys joins the last key presses to a chord. It returns false if the last gesture
// does not release a key, or if the gestures are not a chord.
func joinKeys(all []gesture) ([]gesture, bool) {
	if all[len(all)-1].kind == keyUp {
		return joinChord(all)
	}
	return all, false
}

// keyText returns the text that a key types, or "" for a key that types no text.
func keyText(key string) string {
	switch {
	case key == "space":
		return " "
	case len(key) == 1:
		return key
	}
	return ""
}

// maxHeld is the largest number of steps in a chord.
const maxHeld = 24

// joinChord replaces the last gestures by one chord. These gestures hold keys down, press
// other keys, and release all held keys. The bool is false if the gestures are not a
// complete chord.
func joinChord(all []gesture) ([]gesture, bool) {
	from, open := len(all)-1, 0
	for ; from >= 0 && from > len(all)-maxHeld; from-- {
		switch g := &all[from]; g.kind {
		case keyUp:
			open++
			continue
		case keyDown:
			open--
		case chord:
			continue
		default:
			return all, false
		}
		if open == 0 {
			break
		}
	}
	if from < 0 || open != 0 || all[from].kind != keyDown {
		return all, false
	}
	var keys []string
	ups := map[string]int{}
	for _, g := range all[from:] {
		switch g.kind {
		case keyUp:
			ups[g.text]++
		case keyDown:
			ups[g.text]--
			keys = append(keys, g.text)
		default:
			keys = append(keys, strings.Split(g.text, "+")...)
		}
	}
	for _, n := range ups {
		if n != 0 {
			return all, false
		}
	}
	return append(all[:from], gesture{kind: chord, text: keysTogether(keys)}), true
}
