package shape

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// A record may say beside the run what the user asked. The law of this file: a run without a word of the
// user has those that stand in its record, before its calls.

// askedNames are the members of a record with what the user asked, the surest first.
const askedNames = "question query user_input userInput user_query userQuery user_message userMessage user_prompt userPrompt user_request userRequest user input inputs prompt goal instruction utterance request ask task"

// AskedIn returns what a record says that the user asked, or "". It searches the objects that say what the
// case is, at most depth levels deep.
func AskedIn(o *Object, depth int) (text string) {
	for _, name := range strings.Fields(askedNames) {
		switch v := o.MemberNamed(name); {
		case IsSentence(v):
			return strings.TrimSpace(v.Text())
		case v.Kind() == jsonval.Array:
			if text = FirstAsked(v.Elements()); text != "" {
				return text
			}
		case v.Kind() == jsonval.Object && depth > 0:
			inner := OpenObject(v)
			if text = FirstAsked(inner.FirstList("messages")); text == "" {
				text = AskedIn(inner, depth-1)
			}
			if text != "" {
				return text
			}
		}
	}
	if depth > 0 {
		for _, inner := range CaseObjects(o, 1) {
			if text = AskedIn(inner, 0); text != "" {
				return text
			}
		}
		return AskedIn(OpenObject(FirstElement(o.Get("turns"))), 0)
	}
	return ""
}

// IsSentence reports whether a value is a text of several words.
func IsSentence(v jsonval.Value) bool {
	s, ok := v.Str()
	s = strings.TrimSpace(s)
	return ok && strings.Contains(s, " ") && s[0] != '{' && s[0] != '['
}

// FirstAsked returns the text of the first message of the user in a list of messages, or "".
func FirstAsked(talk []jsonval.Value) string {
	for _, m := range talk {
		if o := OpenObject(m); RoleOf(o) == "user" {
			return ContentText(o.FirstNonNull("content parts value"))
		}
	}
	return ""
}
