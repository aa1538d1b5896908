package score

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/ref/reference"
)

// The arguments of one tool may be written in two ways, such as order_id and orderId, or color and
// colour. The law of this file: an argument takes the name that the reference has for it only if
// both names have the same spelling (mutation.SpellingKey), the reference has no other such name, and the call does not use
// the reference's name itself. Values are not touched.

// argumentKeys are the names of the arguments that the steps with one tool have, at any depth.
type argumentKeys struct {
	exact map[string]bool
	forms map[string]string // by mutation.SpellingKey; "" for several names with one form
}

// keysByTool returns the names of the arguments in the steps of a reference, by mutation.NameKey of
// the tool's name.
func (e *evaluator) keysByTool(ref *reference.Reference) map[string]*argumentKeys {
	out := map[string]*argumentKeys{}
	add := func(s *reference.Step) {
		if s.Arguments.Kind() != jsonval.Object {
			return
		}
		form := e.nameKey(s.Name)
		k := out[form]
		if k == nil {
			k = &argumentKeys{exact: map[string]bool{}}
			out[form] = k
		}
		k.add(s.Arguments)
	}
	for i := range ref.Steps {
		add(&ref.Steps[i])
	}
	var visit func(n *reference.Node)
	visit = func(n *reference.Node) {
		if n.Kind == reference.Action {
			add(&n.Step)
		}
		for i := range n.Children {
			visit(&n.Children[i])
		}
	}
	if ref.Process != nil {
		visit(ref.Process)
	}
	return out
}

func (k *argumentKeys) add(v jsonval.Value) {
	if v.Kind() < jsonval.Array {
		return
	}
	object := v.Kind() == jsonval.Object
	v.Each(func(key string, m jsonval.Value) bool {
		if object {
			k.exact[key] = true
		}
		k.add(m)
		return true
	})
}

// form returns the name of the reference that has the spelling of key, or "".
func (k *argumentKeys) form(key string) string {
	if k.forms == nil {
		k.forms = map[string]string{}
		for name := range k.exact {
			form := mutation.SpellingKey(name)
			if _, known := k.forms[form]; known {
				k.forms[form] = ""
			} else {
				k.forms[form] = name
			}
		}
	}
	return k.forms[mutation.SpellingKey(key)]
}

// respell returns an object with the names of the reference for its members, and reports whether
// a name differs.
func (k *argumentKeys) respell(v jsonval.Value) (text string, differs bool) {
	switch v.Kind() {
	case jsonval.Object:
	case jsonval.Array:
		var parts []string
		for _, m := range v.Elements() {
			part, other := k.respell(m)
			parts, differs = append(parts, part), differs || other
		}
		return "[" + strings.Join(parts, ",") + "]", differs
	default:
		return v.Raw(), false
	}
	used := map[string]bool{}
	for _, key := range v.Keys() {
		used[key] = true
	}
	var b strings.Builder
	v.Each(func(key string, m jsonval.Value) bool {
		if !k.exact[key] {
			if name := k.form(key); name != "" && !used[name] {
				key, differs = name, true
				used[name] = true
			}
		}
		part, other := k.respell(m)
		differs = differs || other
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		b.WriteString(jsonval.Quoted(key) + ":" + part)
		return true
	})
	return "{" + b.String() + "}", differs
}

// unknown reports whether an object has a member whose name the reference does not have.
func (k *argumentKeys) unknown(v jsonval.Value) bool {
	found := false
	object := v.Kind() == jsonval.Object
	v.Each(func(key string, m jsonval.Value) bool {
		found = found || object && !k.exact[key] || m.Kind() >= jsonval.Array && k.unknown(m)
		return !found
	})
	return found
}

// respellArguments gives the arguments of the observed actions the names that the reference has
// for them.
func (e *evaluator) respellArguments(r *run, ref *reference.Reference) {
	var tools map[string]*argumentKeys
	for i := range r.Obs {
		a := &r.Actions[i]
		if a.Arguments.Kind() != jsonval.Object || a.Text != "" || a.Broken != "" || ref.Process == nil && !e.mayRespell(r, i) {
			continue
		}
		if tools == nil {
			tools = e.keysByTool(ref)
		}
		k := tools[e.nameKey(a.Name)]
		if k == nil || !k.unknown(a.Arguments) {
			continue
		}
		text, differs := k.respell(a.Arguments)
		if !differs {
			continue
		}
		if arguments, err := jsonval.Parse(text); err == nil {
			p := e.prepareCall(a.Name, "", arguments, "")
			r.Obs[i].Call, r.Obs[i].Memo = p.call, &p.memo
		}
	}
}

// mayRespell reports whether an observed action has an argument whose name no step with the same
// tool has, so that it is perhaps written in another way. It spares most actions the comparison.
func (e *evaluator) mayRespell(r *run, obs int) bool {
	a := &r.Obs[obs]
	same := func(s *boundary.Action) bool {
		if s.Name == a.Name {
			return true
		}
		d := len(s.Name) - len(a.Name) // the marks and the ending of a plural
		return d >= -4 && d <= 4 && s.Name != "" && a.Name != "" && (s.Name[0]^a.Name[0])&^' ' == 0 && e.nameKey(s.Name) == e.nameKey(a.Name)
	}
	known := func(s *boundary.Action, key string) bool {
		for i := range s.Leaves {
			if s.Leaves[i].Key == key {
				return true
			}
		}
		return false
	}
	for i := range a.Leaves {
		key, tool, found := a.Leaves[i].Key, false, false
		for j := range r.Ref {
			if s := &r.Ref[j]; same(s) {
				tool = true
				if found = known(s, key); found {
					break
				}
			}
		}
		if !tool {
			return false
		}
		if !found {
			return true
		}
	}
	return false
}

// nameKey returns mutation.NameKey of a tool's name.
func (e *evaluator) nameKey(name string) string {
	key, known := e.nameKeys[name]
	if !known {
		if e.nameKeys == nil {
			e.nameKeys = map[string]string{}
		}
		key = mutation.NameKey(name)
		e.nameKeys[name] = key
	}
	return key
}
