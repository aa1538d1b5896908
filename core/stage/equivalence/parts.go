package equivalence

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/stage/relation"
)

// This file splits gestures, motions of a robot's hand, and messages into their parts. It
// recognises the parts by the words in their names.

// inputMotion returns the motion of the mouse or keyboard that an action's name
// describes: move, down, up, click, key, type, drag or wait. It returns "" for any other
// name.
func inputMotion(a *boundary.Action) string {
	words := a.Words()
	if a.Text != "" {
		name, _, _ := strings.Cut(a.Text, "(")
		words = mutation.NameWords(name)
	}
	if words = withoutDevice(words); len(words) == 0 || len(words) > 3 {
		return ""
	}
	has := func(some string) bool { // some lists words with a space on each side
		for _, w := range words {
			if strings.Contains(some, w) && strings.Contains(some, " "+w+" ") {
				return true
			}
		}
		return false
	}
	joined := strings.Join(words, "")
	switch {
	case has(" drag "):
		return "drag"
	case has(" click tap dblclick doubleclick rightclick "):
		return "click"
	case has(" mouse button pointer finger touch left right press release ") && (has(" down ") || joined == "press" || joined == "mousepress" || joined == "pointerpress" || joined == "buttonpress" || joined == "touchstart"):
		return "down"
	case has(" mouse button pointer finger touch left right release ") && (has(" up ") || has(" release ") || joined == "touchend"):
		return "up"
	case strings.HasSuffix(joined, "mousedown"), strings.HasSuffix(joined, "pointerdown"), joined == "touchdown":
		return "down"
	case strings.HasSuffix(joined, "mouseup"), strings.HasSuffix(joined, "pointerup"), joined == "touchup":
		return "up"
	case has(" hover point ") || len(words) <= 2 && has(" move ") && (len(words) == 1 || has(" to mouse pointer cursor rel ")) || joined == "moveto" || joined == "mousemove" || joined == "movemouseto" || joined == "movecursorto":
		return "move"
	case has(" focus wait sleep pause scroll "):
		return "wait"
	case has(" keydown keyup keypress ") || has(" key ") || joined == "press" || joined == "presskey":
		return "key"
	case len(words) == 1 && has(" type typewrite write fill "), len(words) == 2 && has(" type write fill ") && has(" text key keys string input field box in into "):
		return "type"
	}
	return ""
}

// withoutDevice returns the words of a name without the first words that say where the
// motion is made. For example, browser_click has the words browser and click, and the
// result is click. The last word is always kept.
func withoutDevice(words []string) []string {
	for len(words) > 1 {
		switch words[0] {
		case "browser", "page", "computer", "desktop", "screen", "device", "ui", "gui", "web", "app", "playwright", "puppeteer", "selenium":
			words = words[1:]
		default:
			return words
		}
	}
	return words
}

// handMotion returns the motion of a robot's hand that an action's name describes: reach,
// grasp, lift, lower or release. If the name describes several motions at once, such as
// pick or place, it returns that word. It returns "" for any other name.
func handMotion(a *boundary.Action) string {
	words := a.Words()
	if a.Text != "" || len(words) == 0 || len(words) > 3 {
		return ""
	}
	object := ""
	if len(words) > 1 {
		object = words[1]
	}
	holder := object == "gripper" || object == "hand" || object == "finger" || object == "grip"
	switch words[0] {
	case "reach", "approach", "align", "extend":
		return "reach"
	case "grasp", "grip", "clench":
		return "grasp"
	case "lift", "raise":
		return "lift"
	case "lower":
		return "lower"
	case "ungrasp", "ungrip", "release":
		return "release"
	case "pick", "pickup", "grab", "take":
		return "pick"
	case "place", "put", "putdown":
		return "place"
	case "move":
		if holder || object == "arm" {
			return "reach"
		}
	case "close":
		if holder {
			return "grasp"
		}
	case "open":
		if holder {
			return "release"
		}
	}
	return ""
}

// findHandMotions finds the motions of a hand that together pick an object up or put it
// down. To pick the object up, the hand grasps and then lifts it. To put it down, the
// hand reaches a place or lowers the object, and then releases it.
func findHandMotions(whole *boundary.Action, side []boundary.Action, near []int) []int {
	kind := handMotion(whole)
	if kind != "pick" && kind != "place" {
		return nil
	}
	var parts []int
	has := map[string]bool{}
	for _, o := range near {
		m := handMotion(&side[o])
		switch {
		case len(parts) > 0 && o != parts[len(parts)-1]+1:
			return nil
		case m == "", m == "pick", m == "place", m == "release" && kind == "pick" && has["grasp"], m == "grasp" && kind == "place":
			continue
		}
		parts, has[m] = append(parts, o), true
		switch {
		case kind == "pick" && m == "lift" && has["grasp"], kind == "place" && m == "release" && (has["reach"] || has["lower"]):
			return parts
		}
	}
	return nil
}

// findFieldUpdates finds several actions that together set all values that the given
// action sets. Each of them sets some of the values on the same entities. For example,
// one action sets the title, and the next one sets the summary. If the deed does not set values
// (see setsValue), it is open whether they do the same.
func findFieldUpdates(whole *boundary.Action, side []boundary.Action, near []int) []int {
	if !whole.Writes() || !whole.Terms.Plain() {
		return nil
	}
	var parts []int
	set := map[string]bool{}
	for _, o := range near {
		a := &side[o]
		if len(a.Leaves) >= len(whole.Leaves) || !isPartWithin(a, whole) || a.Name != whole.Name && mutation.SpellingKey(a.Name) != mutation.SpellingKey(whole.Name) && !setsField(a, whole) {
			continue
		}
		fresh := false
		for _, l := range a.Leaves {
			fresh = fresh || !set[l.Path]
			set[l.Path] = true
		}
		if fresh {
			parts = append(parts, o)
		}
	}
	if len(parts) < 2 || len(set) < len(whole.Leaves) {
		return nil
	}
	return parts
}

// setsField reports whether an action is named after whole and one field that it sets, as in
// update_user_email for update_user.
func setsField(a, whole *boundary.Action) bool {
	d, e := a.Deed(), whole.Deed()
	return d.Class == "update" && len(d.Object) > len(e.Object) && slices.ContainsFunc(a.Leaves, func(l similarity.Leaf) bool {
		return sameThings(d.Object, slices.Concat(e.Object, mutation.NameWords(l.Key)))
	})
}

// isPartWithin reports whether every argument of a part is an argument of the whole, and
// the part has all identifying arguments of the whole.
func isPartWithin(part, whole *boundary.Action) bool {
	same := func(l similarity.Leaf, all []similarity.Leaf) bool {
		return slices.ContainsFunc(all, func(w similarity.Leaf) bool { return w.Path == l.Path && w.Value == l.Value })
	}
	for _, l := range part.Leaves {
		if !same(l, whole.Leaves) {
			return false
		}
	}
	for _, w := range whole.Leaves {
		if boundary.Identifies(w.Key, "") && !relation.IsField(w.Key) && !same(w, part.Leaves) {
			return false
		}
	}
	return true
}

// isDoubleClick reports whether a gesture is a double click.
func isDoubleClick(a *boundary.Action) bool {
	words := a.Words()
	return len(words) > 0 && (words[0] == "double" || words[0] == "dbl" || words[0] == "doubleclick" || words[0] == "dblclick")
}

// findGesture finds adjacent motions that together are the gesture of whole:
//
//   - a click is down and up, perhaps after moves;
//   - a double click is two equal clicks;
//   - a drag has moves between down and up;
//   - a typed text consists of keys.
//
// spelt reports whether the motions are keys that form the text.
func findGesture(whole *boundary.Action, side []boundary.Action, near []int) (found []int, spelt bool) {
	kind := inputMotion(whole)
	if kind != "click" && kind != "drag" && kind != "type" {
		return nil, false
	}
	if isDoubleClick(whole) {
		for i := 1; i < len(near); i++ {
			a, b := near[i-1], near[i]
			if b == a+1 && inputMotion(&side[a]) == "click" && !isDoubleClick(&side[a]) && side[a].Key == side[b].Key {
				return []int{a, b}, false
			}
		}
	}
	// seen holds the kind of each of the adjacent motions.
	for from := range near {
		var parts []int
		var seen []string
		for _, o := range near[from:] {
			m := inputMotion(&side[o])
			if m == "" || len(parts) > 0 && o != parts[len(parts)-1]+1 {
				break
			}
			parts, seen = append(parts, o), append(seen, m)
			if m == "up" && isCompleteGesture(kind, seen) {
				return parts, false
			}
		}
		if kind == "type" && len(parts) > 1 && spellsText(whole, side, parts, seen) {
			return parts, true
		}
	}
	return nil, false
}

// isCompleteGesture reports whether a sequence of motions is a complete click or drag.
func isCompleteGesture(kind string, seen []string) bool {
	downs, moved := 0, false
	for _, m := range seen {
		switch m {
		case "down":
			downs++
		case "move":
			moved = moved || downs > 0
		case "wait", "up":
		default:
			return false
		}
	}
	return kind == "click" && downs > 0 && !moved || kind == "drag" && downs == 1 && moved
}

// spellsText reports whether the keys that the parts press form a text that the action
// whole types at once.
func spellsText(whole *boundary.Action, side []boundary.Action, parts []int, seen []string) bool {
	var b strings.Builder
	for i, p := range parts {
		switch seen[i] {
		case "key", "type", "down":
			for _, l := range side[p].Leaves {
				b.WriteString(similarity.Plain(l.Raw))
			}
		case "move", "wait", "click":
		default:
			return false
		}
	}
	text := b.String()
	return text != "" && slices.ContainsFunc(whole.Leaves, func(l similarity.Leaf) bool { return similarity.Plain(l.Raw) == text })
}

// findPreparedAct finds preparations and the act that they prepare, which together do the
// same as whole. For example, compose, attach and send do the same as send_email.
func findPreparedAct(whole *boundary.Action, side []boundary.Action, near []int) []int {
	act := whole.Deed()
	if !act.Effectful() || isPreparatory(act.Class) && act.Class != "create" {
		return nil
	}
	end := -1
	for i, o := range near {
		d := side[o].Deed()
		if completesAct(act.Class, d.Class) && (relation.AreRelated(d.Object, act.Object) || slices.Contains(d.Object, "draft")) {
			end = i
		}
	}
	if end < 1 {
		return nil
	}
	parts := []int{near[end]}
	for i := end - 1; i >= 0; i-- {
		d := side[near[i]].Deed()
		if !isPreparatory(d.Class) {
			break
		}
		parts = append(parts, near[i])
	}
	if len(parts) < 2 {
		return nil
	}
	slices.Reverse(parts)
	return parts
}

// completesAct reports whether a verb of the class part can complete an action of the
// class act. For example, submit can complete create.
func completesAct(act, part string) bool {
	switch part {
	case act:
		return true
	case "submit", "commit", "save":
		return act == "create" || act == "update" || act == "book" || act == "order" || act == "register" || act == "publish" || act == "post"
	}
	return false
}

// isPreparatory reports whether verbs of a class prepare something that another verb
// completes.
func isPreparatory(class string) bool {
	switch class {
	case "compose", "draft", "attach", "upload", "update", "create", "open", "start", "init":
		return true
	}
	return false
}

// Constituent reports whether a step prepares what a later step carries out. For example,
// attach prepares send, and compose prepares submit.
func Constituent(step, act *boundary.Action) bool {
	d, e := step.Deed(), act.Deed()
	switch d.Class {
	case "attach", "compose", "draft", "upload":
		switch e.Class {
		case "send", "submit", "post", "publish", "reply", "forward", "share", "message", "notify":
			return true
		}
	}
	return false
}
