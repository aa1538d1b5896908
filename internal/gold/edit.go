package gold

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// mostForms is the largest number of alternatives that one correction may produce for one
// task.
const mostForms = 64

// applyEdits applies the edits of a correction to a list of actions. It returns the lists
// that the correction accepts, at most mostForms. The result found says for each edit
// whether a list has the action to change.
func applyEdits(edits []Edit, actions []Call) (all [][]Call, found []bool) {
	all = [][]Call{actions}
	for i := range edits {
		var next [][]Call
		hit := false
		for _, form := range all {
			made, ok := edits[i].applyToForm(form)
			hit = hit || ok
			next = append(next, made...)
		}
		found = append(found, hit)
		all = distinctForms(next)
		all = all[:min(len(all), mostForms)]
	}
	return all, found
}

func (e *Edit) applyToForm(form []Call) (made [][]Call, found bool) {
	switch {
	case e.Remove != nil:
		kept := slices.DeleteFunc(slices.Clone(form), e.Remove.matchesCall)
		return [][]Call{kept}, len(kept) < len(form)
	case e.Optional != nil:
		without := slices.DeleteFunc(slices.Clone(form), e.Optional.matchesCall)
		return [][]Call{form, without}, len(without) < len(form)
	case e.Replace != nil:
		out := slices.Clone(form)
		for i := range out {
			if e.Replace.matchesCall(out[i]) {
				out[i], found = *e.By, true
			}
		}
		return [][]Call{out}, found
	case e.Set != nil:
		return e.setArguments(form)
	case e.AnyOrder != nil:
		return e.reorderCalls(form)
	case e.ReplaceAll != nil:
		return [][]Call{e.ReplaceAll}, !sameCalls(form, e.ReplaceAll)
	}
	out := slices.Clone(form)
	for _, c := range e.Add {
		p := Pattern{c.Name, c.Arguments}
		if !slices.ContainsFunc(out, p.matchesCall) {
			out, found = append(out, c), true
		}
	}
	return [][]Call{out}, found
}

// setArguments overwrites arguments in the first call that the edit's pattern matches. It
// returns one list of calls for each alternative of the new values. A list that is equal
// to form comes first. If no call matches, found is false, and the only list is form.
func (e *Edit) setArguments(form []Call) (made [][]Call, found bool) {
	at := slices.IndexFunc(form, e.Set.matchesCall)
	if at < 0 {
		return [][]Call{form}, false
	}
	for _, to := range e.To {
		out := slices.Clone(form)
		out[at] = Call{Name: form[at].Name, Arguments: overlayMembers(form[at].Arguments, to)}
		if sameCalls(out, form) {
			made = slices.Insert(made, 0, form)
			continue
		}
		made = append(made, out)
	}
	return made, true
}

// reorderCalls returns one list of calls for each accepted order of the matching calls.
// All other calls keep their positions. If a call is missing, found is false, and the
// only list is form.
func (e *Edit) reorderCalls(form []Call) (made [][]Call, found bool) {
	at := make([]int, len(e.AnyOrder))
	for i := range e.AnyOrder {
		if at[i] = slices.IndexFunc(form, e.AnyOrder[i].matchesCall); at[i] < 0 {
			return [][]Call{form}, false
		}
	}
	orders := e.Orders
	if orders == nil {
		orders = permutations(len(at))
		made = append(made, form)
	}
	places := slices.Sorted(slices.Values(at))
	for _, order := range orders {
		out := slices.Clone(form)
		for i, which := range order {
			out[places[i]] = form[at[which]]
		}
		made = append(made, out)
	}
	return distinctForms(made), true
}

// permutations returns all permutations of the numbers 0 to n-1, sorted.
func permutations(n int) [][]int {
	if n == 0 {
		return [][]int{nil}
	}
	var out [][]int
	for _, p := range permutations(n - 1) {
		for i := len(p); i >= 0; i-- {
			out = append(out, slices.Insert(slices.Clone(p), i, n-1))
		}
	}
	slices.SortFunc(out, slices.Compare)
	return out
}

func distinctForms(all [][]Call) (out [][]Call) {
	for _, form := range all {
		if !containsForm(out, form) {
			out = append(out, form)
		}
	}
	return out
}

func containsForm(all [][]Call, form []Call) bool {
	return slices.ContainsFunc(all, func(other []Call) bool { return sameCalls(other, form) })
}

// sameCalls reports whether two lists have equal calls. Arguments are compared by value,
// not by text.
func sameCalls(a, b []Call) bool {
	return slices.EqualFunc(a, b, func(a, b Call) bool {
		return a.Name == b.Name && jsonval.Equal(parseValue(a.Arguments), parseValue(b.Arguments))
	})
}

// parseValue returns the value of a JSON text, or a missing value if the text is not
// JSON.
func parseValue(text json.RawMessage) jsonval.Value {
	v, _ := jsonval.Parse(string(text))
	return v
}

func (p *Pattern) matchesCall(c Call) bool {
	return p.Name == c.Name && (p.Where == nil || coversPattern(parseValue(c.Arguments), parseValue(p.Where)))
}

// coversPattern reports whether a value contains everything that a pattern contains.
func coversPattern(v, pattern jsonval.Value) bool {
	if v.Kind() != pattern.Kind() {
		return jsonval.Equal(v, pattern) // for example 2 and 2.0
	}
	switch pattern.Kind() {
	case jsonval.Object:
		all := true
		pattern.Each(func(key string, m jsonval.Value) bool {
			all = coversPattern(v.Get(key), m)
			return all
		})
		return all
	case jsonval.Array:
		return slices.EqualFunc(v.Elements(), pattern.Elements(), coversPattern)
	}
	return jsonval.Equal(v, pattern)
}

// overlayMembers returns a copy of an object to which the given members are added,
// recursively. Existing members are overwritten and keep their order. Two lists of the
// same length are merged element by element if their elements are objects.
func overlayMembers(object json.RawMessage, to map[string]json.RawMessage) json.RawMessage {
	over, _ := json.Marshal(to)
	return json.RawMessage(overlayValue(parseValue(object), parseValue(over)))
}

func overlayValue(v, over jsonval.Value) string {
	switch {
	case v.Kind() == jsonval.Object && over.Kind() == jsonval.Object:
		var parts []string
		v.Each(func(key string, m jsonval.Value) bool {
			if o := over.Get(key); o.Exists() {
				parts = append(parts, jsonval.Quoted(key)+": "+overlayValue(m, o))
			} else {
				parts = append(parts, jsonval.Quoted(key)+": "+m.Raw())
			}
			return true
		})
		over.Each(func(key string, m jsonval.Value) bool {
			if !v.Get(key).Exists() {
				parts = append(parts, jsonval.Quoted(key)+": "+m.Raw())
			}
			return true
		})
		return "{" + strings.Join(parts, ", ") + "}"
	case v.Kind() == jsonval.Array && over.Kind() == jsonval.Array && len(v.Elements()) == len(over.Elements()):
		var parts []string
		for i, o := range over.Elements() {
			parts = append(parts, overlayValue(v.Elements()[i], o))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return over.Raw()
}
