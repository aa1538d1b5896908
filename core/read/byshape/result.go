package byshape

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/shape"
)

// A log may write the result of a call in an object of its own. The law of this file: such a result
// belongs to the call that it points at with the value of any member, or else to the earliest call of
// its tool without one, or else to the only call without one. A result of no call is counted.

// thing is an object beside the calls of a run that may be a result.
type thing struct {
	n      *node
	o      *shape.Object // its members, with those around it if it is one itself
	before int           // the calls of the run before it
	told   bool          // its type says that it is the result of a call
	ends   bool          // its type says that it is a result, perhaps of the run
	failed bool          // its type says that the call failed
}

// The words in the names of members that point at something. Those of noLinks never point at a call.
const (
	linkWords = "call ref for of to parent reply answer link cause about"
	noLinks   = "user agent host model level name time timestamp date ts duration latency version step turn attempt rollout " + runWords
)

// linker finds the calls of the results of one run.
type linker struct {
	r      *Run
	calls  []*Call
	things []thing
	at     map[string][]*Call // by the values of their members that may be ids
	around map[string]bool    // the members of calls with their values
	by     map[string]bool    // the members with which things point at calls
}

// linkResults gives the calls of the run the results that stand in objects of their own.
func (r *Run) linkResults() {
	l := linker{r: r, at: map[string][]*Call{}, around: map[string]bool{}, by: map[string]bool{}}
	r.node.visitAll(l.visitNode)
	var left []*thing
	for i := range l.things {
		if t := &l.things[i]; !l.linkThing(t) && (t.told || t.ends) {
			left = append(left, t)
		}
	}
	for _, t := range left { // such as one with the id of another call, in the member by which others point at theirs
		if slices.ContainsFunc(t.o.Keys, func(key string) bool { return l.by[key] && !l.around[key+"\x00"+t.o.MemberNamed(key).Raw()] }) {
			r.Lost = append(r.Lost, t.n.at)
		}
	}
}

func (l *linker) visitNode(n *node) bool {
	switch {
	case n.inside || n.expected:
		return false
	case len(n.calls) > 0:
		l.calls = append(l.calls, n.calls...)
		if len(n.calls) == 1 && n.v.Kind() == jsonval.Object {
			l.indexCall(n)
		}
	case n.holds == 0 && len(n.o.Keys) > 0:
		if t, ok := newThing(n); ok {
			t.before = len(l.calls)
			l.things = append(l.things, t)
			return false
		}
	}
	return true
}

func (l *linker) indexCall(n *node) {
	c, o := n.calls[0], n.withOuter()
	for i, key := range o.Keys {
		v := o.Values[i]
		l.around[key+"\x00"+v.Raw()] = true
		if text := v.Text(); mayLink(key, v) && text != c.Name && !slices.Contains(l.at[text], c) {
			l.at[text] = append(l.at[text], c)
		}
	}
}

// withOuter returns the members of a node, with those of the object around it if it is a member.
func (n *node) withOuter() *shape.Object {
	if n.listed || n.up == nil || n.up.o == nil || len(n.up.o.Keys) == 0 {
		return n.o
	}
	o := &shape.Object{Value: n.v, Keys: slices.Clone(n.o.Keys), Values: slices.Clone(n.o.Values)}
	for i, key := range n.up.o.Keys {
		if key != n.key {
			o.Keys, o.Values = append(o.Keys, key), append(o.Values, n.up.o.Values[i])
		}
	}
	return o
}

// mayLink reports whether the value of a member may be an id: it has a digit, or the name says so.
func mayLink(key string, v jsonval.Value) bool {
	k, text := v.Kind(), v.Text()
	if k != jsonval.String && k != jsonval.Number || text == "" || len(text) > 128 || strings.ContainsAny(text, " \n") || hasWord(key, noLinks) && !hasWord(key, "call") {
		return false
	}
	return hasWord(key, linkWords+" "+idWords) || k == jsonval.String && strings.ContainsAny(text, "0123456789")
}

// newThing returns a node as what may be a result, and reports whether it may.
func newThing(n *node) (t thing, ok bool) {
	t = thing{n: n, o: n.withOuter()}
	for i, key := range t.o.Keys {
		word, is := t.o.Values[i].Str()
		if !is || !shape.IsSort(word) && !endsIn(key, "type kind event role") {
			continue
		}
		if shape.IsOtherKind(strings.ToLower(word)) && !shape.IsToolKind(strings.ToLower(word)) {
			return t, false // such as what a model returned
		}
		called := hasWord(word, "tool function call action observation") || key == "role" && shape.RoleOf(t.o) == "tool"
		result := hasWord(word, "result output observation response return returned")
		t.told = t.told || called && (result || hasWord(word, shape.EndWords))
		t.ends = t.ends || result && len(shape.SplitWords(word)) == 1
		t.failed = t.failed || hasWord(word, errorWords)
	}
	points := t.told && slices.ContainsFunc(n.o.Keys, func(key string) bool { return mayLink(key, n.o.MemberNamed(key)) && hasWord(key, "call") })
	return t, !shape.HasCallList(t.o) && (points || resultIn(t.o, "").Exists() || hasFault(t.o) || !n.hasObjects())
}

func (n *node) hasObjects() bool {
	return slices.ContainsFunc(n.kids, func(k *node) bool { return k.v.Kind() == jsonval.Object || k.hasObjects() })
}

// resultIn returns the member of an object that is a result, or Missing. It leaves out the member
// that points at the call.
func resultIn(o *shape.Object, link string) (found jsonval.Value) {
	for i, key := range o.Keys {
		if v := o.Values[i]; v.Kind() != jsonval.Null && key != link && hasWord(key, resultWords) && !shape.IsSort(v.Text()) {
			return v
		}
	}
	return found
}

// linkThing gives the call of a thing its result and its state. It reports whether the thing has a call, or is
// known to have none.
func (l *linker) linkThing(t *thing) bool {
	c, key, foreign := l.pointedCall(t)
	result := resultIn(t.o, key)
	switch {
	case c != nil:
	case foreign:
	case result.Exists() || t.told || hasFault(t.o):
		c = l.namedCall(t)
	}
	if c == nil {
		if t.told && l.isOpen() || foreign && (t.told || t.ends) {
			l.r.Lost = append(l.r.Lost, t.n.at)
			return true
		}
		return false
	}
	l.by[key] = true
	for i, name := range t.o.Keys {
		c.State.NoteMember(name, t.o.Values[i])
	}
	if t.failed {
		c.State.AddState(shape.CallState{Flag: shape.Failed})
	}
	if c.Result.Exists() {
		return true
	}
	for i, name := range t.o.Keys {
		if v := t.o.Values[i]; shape.ErrorFlag(v) == shape.Failed && (hasWord(name, errorWords) || t.failed && name == "message") {
			c.Fault = v
		} else if (t.told || t.ends) && !result.Exists() && name != key && (inputWeight(name) >= 2 || shape.OneOf(name, "text content message body value")) {
			result = v
		}
	}
	if !result.Exists() && t.told && !c.Fault.Exists() {
		result = parseText(`""`)
	}
	c.Result = result
	return true
}

// isOpen reports whether a call of the run has no result.
func (l *linker) isOpen() bool { return slices.ContainsFunc(l.calls, (*Call).isOpen) }

func hasFault(o *shape.Object) bool {
	return slices.ContainsFunc(o.Keys, func(key string) bool {
		return hasWord(key, errorWords) && shape.ErrorFlag(o.MemberNamed(key)) == shape.Failed
	})
}

// pointedCall returns the call that a thing points at, or nil, with the member. foreign says that it points at
// a call which is not there. Members that say they point count more than others, such as the thing's
// own id, and its own members more than those inside.
func (l *linker) pointedCall(t *thing) (found *Call, by string, foreign bool) {
	inner := &shape.Object{}
	t.n.visitAll(func(k *node) bool {
		if k != t.n {
			inner.Keys, inner.Values = append(inner.Keys, k.o.Keys...), append(inner.Values, k.o.Values...)
		}
		return len(inner.Keys) < 64
	})
	for _, o := range [...]*shape.Object{t.o, inner} {
		for _, sure := range [...]bool{true, false} {
			var calls []*Call
			for i, key := range o.Keys {
				v := o.Values[i]
				if !mayLink(key, v) || hasWord(key, linkWords) != sure || o == t.o && hasWord(key, resultWords) && !resultIn(o, key).Exists() || o == inner && !sure && !endsIn(key, idWords) {
					continue
				}
				c := l.openOf(l.at[v.Text()], key)
				if c != nil && !slices.Contains(calls, c) {
					calls = append(calls, c)
					if o == t.o {
						by = key
					}
				}
				foreign = foreign || o == t.o && sure && c == nil && !l.around[key+"\x00"+v.Raw()]
			}
			if len(calls) == 1 {
				return calls[0], by, false
			}
			if len(calls) > 1 {
				return nil, "", true
			}
		}
	}
	return nil, "", foreign
}

// openOf returns the only call of a list, or the first without a result of several with one id.
func (l *linker) openOf(calls []*Call, key string) *Call {
	if len(calls) == 1 {
		return calls[0]
	}
	if hasWord(key, linkWords+" id uid uuid") {
		for _, c := range calls {
			if c.isOpen() {
				return c
			}
		}
	}
	return nil
}

func (c *Call) isOpen() bool { return !c.Result.Exists() && c.State.Flag != shape.Failed }

// namedCall returns the earliest call before a thing that has no result and the tool which the thing
// names, or else the only call without a result.
func (l *linker) namedCall(t *thing) *Call {
	var open []*Call
	names := map[string]bool{}
	for _, s := range nameSlots(t.o) {
		names[s.valueIn(t.o).Text()] = true
	}
	known := false
	for i, c := range l.calls {
		known = known || names[c.Name]
		if i < t.before && c.isOpen() {
			if names[c.Name] {
				return c
			}
			open = append(open, c)
		}
	}
	if !known && t.told && len(open) == 1 {
		return open[0]
	}
	return nil
}
