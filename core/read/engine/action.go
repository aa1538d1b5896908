package engine

import (
	"fmt"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/literal"
)

// readArguments reads a call's arguments. They may be an object, or a string that
// contains an object as JSON or as Python prints it. A missing or empty value means no
// arguments. For any other value, readArguments adds a warning and returns the value's
// text as broken.
func (d *Decoder) readArguments(name string, v jsonval.Value) (object jsonval.Value, broken string) {
	switch v.Kind() {
	case jsonval.Object:
		return v, ""
	case jsonval.Missing, jsonval.Null:
		return jsonval.Value{}, ""
	case jsonval.String:
		text := v.Text()
		if strings.TrimSpace(text) == "" {
			return jsonval.Value{}, ""
		}
		inner, err := jsonval.Parse(text)
		if err == nil && inner.Kind() == jsonval.Object {
			return inner, ""
		}
		if err == nil && inner.Kind() == jsonval.Null {
			return jsonval.Value{}, ""
		}
		if err != nil {
			if inner = literal.Python(text); inner.Kind() == jsonval.Object {
				d.python++
				return inner, ""
			}
		}
	}
	d.WarnAt("arguments-not-json", fmt.Sprintf("the arguments of %s are not a JSON object: %.60q", name, v.Text()), v)
	return jsonval.Value{}, v.Text()
}

// FreeTextCall returns a free-text action, with the first word of its text as its name.
func FreeTextCall(text string) Call {
	text = strings.TrimSpace(text)
	return Call{Name: ActionVerb(text), Text: text}
}

// ActionVerb returns the first word of an action's text, without the name of a module.
// For example, it returns click for "pyautogui.click(1, 2)".
func ActionVerb(text string) string {
	word := text
	if i := strings.IndexAny(word, " \t\r\n(:"); i >= 0 {
		word = word[:i]
	}
	if i := strings.LastIndexByte(word, '.'); i >= 0 && i < len(word)-1 && strings.HasPrefix(text[len(word):], "(") {
		word = word[i+1:]
	}
	return strings.Trim(word, "`'\"*[]")
}
