package respell

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/repair"
	"github.com/boundcheck/boundcheck/core/ref/reference"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// Lists replaces arguments of calls that contain a list or an object as text. For example, the
// text "['a', 'b']" becomes the list ["a","b"]. It returns the calls and the number of replaced
// texts. O(arguments).
//
// An argument must meet two conditions. The call has a result that is not an error, so
// the tool understood the text. The reference has steps with this name and argument, and
// the argument is always a list or an object there.
//
// If a text is replaced, the result is a new list, because other runs may use the same calls.
func Lists(actions []trajectory.Action, ref *reference.Reference) ([]trajectory.Action, int) {
	var taken map[string]bool // by name and argument; read once there is a text
	out, texts := actions, 0
	for i := range actions {
		a := &actions[i]
		if raw := a.Arguments.Raw(); a.Observation == nil || a.Failed() || !strings.Contains(raw, `"[`) && !strings.Contains(raw, `"{`) {
			continue
		}
		if taken == nil {
			taken = listArguments(ref)
		}
		arguments, n := withLists(a, taken)
		if n == 0 {
			continue
		}
		if texts == 0 {
			out = slices.Clone(actions)
		}
		out[i].Arguments = arguments
		texts += n
	}
	return out, texts
}

// withLists replaces texts in the arguments of an action by the lists or objects that the
// texts contain. It changes only the arguments in taken, which is the result of
// listArguments. It returns the new arguments and the number of replaced texts.
func withLists(a *trajectory.Action, taken map[string]bool) (jsonval.Value, int) {
	var b strings.Builder
	n := 0
	a.Arguments.Each(func(key string, v jsonval.Value) bool {
		b.WriteByte("{,"[min(b.Len(), 1)])
		raw := v.Raw()
		if taken[a.Name+"\x00"+key] {
			if list := containerJSON(v.Text()); list != "" {
				raw = list
				n++
			}
		}
		b.WriteString(jsonval.Quoted(key) + ":" + raw)
		return true
	})
	if n == 0 {
		return a.Arguments, 0
	}
	v, err := jsonval.Parse(b.String() + "}")
	if err != nil {
		return a.Arguments, 0
	}
	return v, n
}

// containerJSON returns the JSON of a text that is a list or an object, in JSON or in
// Python's notation. It returns "" for any other text.
func containerJSON(text string) string {
	text = strings.TrimSpace(text)
	if text == "" || text[0] != '[' && text[0] != '{' {
		return ""
	}
	r, err := repair.JSON(text)
	if err != nil {
		return ""
	}
	v, err := jsonval.Parse(r.Text)
	if err != nil {
		return "" // several values, one after another
	}
	return v.Raw()
}

// listArguments reports for each argument of a reference whether it is a list or an
// object in all steps that have it. Each key of the result is the name of a step and the
// name of an argument, separated by a NUL byte.
func listArguments(ref *reference.Reference) map[string]bool {
	out := map[string]bool{}
	for i := range ref.Steps {
		ref.Steps[i].Arguments.Each(func(key string, v jsonval.Value) bool {
			k, name := v.Kind(), ref.Steps[i].Name+"\x00"+key
			is, known := out[name]
			out[name] = (k == jsonval.Array || k == jsonval.Object) && (is || !known)
			return true
		})
	}
	return out
}
