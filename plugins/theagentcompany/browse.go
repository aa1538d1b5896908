package theagentcompany

import (
	"fmt"
	"strings"

	"github.com/boundcheck/boundcheck/plugins/internal/effect"
	"github.com/boundcheck/boundcheck/plugins/sdk/pycall"
)

// pages is the table of effects on pages.
const pages = "pages"

// browser is the state of a run's browser: its page, and text that was typed but not
// sent.
type browser struct {
	page  string            // address of the page; "" if it is not known
	typed map[string]string // text by element
}

// looks holds the steps that only read or move. quiet holds the keys that only move or
// select.
var (
	looks = map[string]bool{"noop": true, "wait": true, "scroll": true, "hover": true, "mouse_move": true, "focus": true, "go_back": true, "go_forward": true,
		"new_tab": true, "tab_close": true, "tab_focus": true, "send_msg_to_user": true, "report_infeasible": true, "screenshot": true}
	quiet = map[string]bool{"Tab": true, "PageDown": true, "PageUp": true, "Home": true, "End": true, "ArrowDown": true, "ArrowUp": true,
		"ArrowLeft": true, "ArrowRight": true, "Shift": true, "Control": true, "Control+a": true, "Meta+a": true, "Control+c": true}
)

// browseEffects returns the effects of a program of browser steps. The parameter after is
// the address of the page at the end of the program, or "" if it was not recorded. The
// second result is false if the text is not such a program.
func (b *browser) browseEffects(program, after string) (effects []effect.Effect, read bool) {
	steps, err := pycall.Parse(program)
	if err != nil {
		effects = []effect.Effect{{Opaque: true, Table: pages, Text: strings.TrimSpace(program)}}
		b.recordPage(after)
		return effects, false
	}
	moved := false
	read = true
	for i := range steps {
		_, call, ok := steps[i].Value.Call()
		if !ok {
			read = false
			effects = append(effects, b.unknownEffect(program))
			continue
		}
		effects = append(effects, b.stepEffects(call, nextCall(steps, i), &moved, after)...)
	}
	b.recordPage(after)
	return effects, read
}

func nextCall(steps []pycall.Statement, i int) *pycall.Link {
	for _, s := range steps[i+1:] {
		if _, call, ok := s.Value.Call(); ok && call.Name != "noop" {
			return call
		}
	}
	return nil
}

// recordPage records the page on which an action ended. If page is "", recordPage does
// nothing. If the page has changed, recordPage forgets the typed text, because the new
// page has other elements.
func (b *browser) recordPage(page string) {
	if page != "" && b.page != "" && page != b.page {
		b.typed = nil
	}
	if page != "" {
		b.page = page
	}
}

// stepEffects returns the effects of one step of a program. If this step may leave the
// page, stepEffects sets *moved to true. The parameters are:
//
//   - call: the step
//   - then: the next step of the program that is not noop, or nil
//   - moved: whether an earlier step of the program may have left the page
//   - after: the address of the page at the end of the program
func (b *browser) stepEffects(call *pycall.Link, then *pycall.Link, moved *bool, after string) []effect.Effect {
	element := argumentText(call.Argument(0, "bid"))
	switch name := call.Name; {
	case looks[name]:
		if strings.HasPrefix(name, "go_") || strings.HasPrefix(name, "tab") || strings.HasPrefix(name, "new") {
			b.page, b.typed, *moved = "", nil, true
		}
		return nil
	case name == "goto":
		b.page, b.typed = effect.URL(argumentText(call.Argument(0, "url"))), nil
		return nil
	case name == "fill" || name == "type" || name == "clear":
		if b.typed == nil {
			b.typed = map[string]string{}
		}
		b.typed[element] = argumentText(call.Argument(1, "value", "text"))
		return nil
	case name == "press" || name == "keyboard_press":
		key := argumentText(call.Argument(1, "key_comb"))
		if name == "keyboard_press" {
			element, key = "", argumentText(call.Argument(0, "key"))
		}
		if quiet[key] {
			return nil
		}
		if message, ok := b.typed[element]; ok && key == "Enter" && message != "" {
			if e, ok := roomEffect(b.stepPage(*moved, after), message); ok {
				delete(b.typed, element)
				return []effect.Effect{e}
			}
		}
	case (name == "click" || name == "dblclick") && then != nil && (then.Name == "fill" || then.Name == "type" || then.Name == "clear") && argumentText(then.Argument(0, "bid")) == element:
		return nil // it puts the cursor where the next step types
	}
	e := b.unknownEffect(callText(call))
	*moved, b.typed = true, nil
	return []effect.Effect{e}
}

// stepPage returns the page on which a step acts. Usually this is the browser's current
// page. If the current page is unknown, or moved is true, stepPage returns the page at
// the end of the program.
func (b *browser) stepPage(moved bool, after string) string {
	if moved || b.page == "" {
		return after
	}
	return b.page
}

// unknownEffect returns the effect of a step that may change any data of the services.
// The effect's text has the page, all text that was typed before the step, and the step.
func (b *browser) unknownEffect(step string) effect.Effect {
	return effect.Effect{Opaque: true, Table: pages, Text: fmt.Sprintf("%s %v %s", b.page, b.typed, step)}
}

// callText returns a call as text. Equal calls have equal texts.
func callText(call *pycall.Link) string {
	var out []string
	for i := range call.Args {
		out = append(out, valueText(&call.Args[i]))
	}
	for i := range call.Keywords {
		out = append(out, call.Keywords[i].Name+"="+valueText(&call.Keywords[i].Value))
	}
	return call.Name + "(" + strings.Join(out, ", ") + ")"
}

func valueText(v *pycall.Value) string {
	if len(v.Items) > 0 {
		var out []string
		for i := range v.Items {
			out = append(out, valueText(&v.Items[i]))
		}
		return "[" + strings.Join(out, ", ") + "]"
	}
	return fmt.Sprintf("%q", v.Text)
}

// argumentText returns the text of an argument that is a string or a number. For any
// other argument it returns "".
func argumentText(v *pycall.Value) string {
	if v == nil || v.Kind != pycall.String && v.Kind != pycall.Number {
		return ""
	}
	return v.Text
}

// visitedAddress returns the address in an observation of the form "Visited http://...".
// It returns "" for any other observation.
func visitedAddress(answer *string) string {
	if answer == nil {
		return ""
	}
	address, ok := strings.CutPrefix(strings.TrimSpace(*answer), "Visited ")
	if !ok || strings.ContainsAny(address, " \n") {
		return ""
	}
	return effect.URL(address)
}
