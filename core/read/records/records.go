// Package records counts what in a text may be records of their own. It knows no format and builds no run,
// and no reader imports it: the engine compares its counts with the runs that came out of a reading which had
// only the shape of a text. Its law: things of like shape at one place of a text that each hold calls, and the
// rows of a list that name several runs or begin again, are counted, whatever the members are called.
//
// A call is where the name of a tool stands that the reading found: as a text, as the name of a member, or at the
// head of a text such as pay(n=1).
package records

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/tongues"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
	"github.com/boundcheck/boundcheck/core/read/shape"
)

// maxDepth is the depth to which a text is searched.
const maxDepth = 24

// sureID is the length from which an id of a call is that of one call in all of a text, and no number in its record.
const sureID = 9

// Group is a list or map, or all those at one place of the records around them.
type Group struct {
	Name string          // of the list; "" if the text itself is the list
	At   []jsonval.Value // where each record begins: in the text, or the text that contains it
}

// Find returns the groups of values that may be records, in the order of the text. tools has the names of
// the tools that were called, and ids those of their calls. O(n).
func Find(values []jsonval.Value, tools, ids map[string]bool) (found []Group) {
	c := counter{tools: tools, ids: ids, at: map[string]*class{}, aside: map[string]bool{}}
	whole := c.openClass("", "", jsonval.Array)
	for _, v := range values {
		c.addThing(whole, v, jsonval.Value{}, 0)
	}
	whole.endList()
	for _, place := range c.places {
		if at := c.at[place].records(); len(at) > 1 {
			found = append(found, Group{Name: c.at[place].name, At: at})
		}
	}
	return found
}

// counter walks over one text.
type counter struct {
	tools  map[string]bool
	ids    map[string]bool
	at     map[string]*class
	aside  map[string]bool // by the names of members: see isAside
	places []string
}

// held says where in a value the names of tools stand.
type held struct {
	any  bool     // anywhere
	own  bool     // at the value's own level, or in an object that is its member: the value is a call
	list bool     // in a list inside
	ids  []string // the ids of calls
	bit  bool     // a piece of a stream, such as {"delta": …}
}

// thing is an element of a list, or an entry of a map.
type thing struct {
	o     *shape.Object // without members if it is a list
	at    jsonval.Value // in the text
	list  bool          // it is a list
	calls held
	first bool // of its list
}

// class is what stands at one place: the elements of one list, or of all lists with one name in records that
// stand at one place, too.
type class struct {
	name   string
	mapped bool
	things []thing
	from   int // the first of the list that is open
}

func (c *counter) openClass(place, name string, kind jsonval.Kind) *class {
	if c.at[place] == nil {
		c.at[place] = &class{name: name, mapped: kind == jsonval.Object}
		c.places = append(c.places, place)
	}
	c.at[place].from = len(c.at[place].things)
	return c.at[place]
}

func (k *class) endList() {
	if k.from < len(k.things) {
		k.things[k.from].first = true
	}
}

// addThing adds an element of a list, or an entry of a map. text is the text around it that contains JSON, or
// Missing.
func (c *counter) addThing(k *class, v, text jsonval.Value, depth int) held {
	i := len(k.things)
	inner := shape.EncodedValue(v)
	if v.Kind() == jsonval.String && !text.Exists() {
		text = v
	}
	k.things = append(k.things, thing{o: shape.OpenObject(inner), at: shape.IfElse(text.Exists(), text, v), list: inner.Kind() == jsonval.Array})
	calls := c.walk(v, text, k.name, shape.IfElse(k.name == "", "#", k.name+"#"), depth+1)
	k.things[i].calls = calls
	return calls
}

// walk visits a value at a place, and returns what it holds.
func (c *counter) walk(v, text jsonval.Value, name, place string, depth int) (all held) {
	if depth > maxDepth {
		return all
	}
	if v.Kind() == jsonval.String {
		if inner := shape.EncodedValue(v); inner.Kind() != jsonval.String {
			return c.walk(inner, shape.IfElse(text.Exists(), text, v), name, place, depth+1)
		}
		head, _, called := strings.Cut(v.Text(), "(")
		own := c.tools[v.Text()] || called && c.tools[strings.TrimSpace(head)]
		in := held{any: own, own: own}
		if len(v.Raw()) > sureID && c.ids[v.Text()] {
			in.ids = []string{v.Text()}
		}
		return in
	}
	o := shape.OpenObject(v)
	switch {
	case v.Kind() == jsonval.Array:
		return c.walkList(v.Elements(), nil, text, name, place, depth)
	case v.Kind() != jsonval.Object:
		return all
	case isMap(o):
		return c.walkList(o.Values, o.Keys, text, name, place, depth)
	}
	objects := 0
	for i, key := range o.Keys {
		m := o.Values[i]
		if c.isAside(key) {
			continue
		}
		in := c.walk(m, text, key, place+"."+key, depth+1)
		own := in.own && m.Kind() == jsonval.String || c.tools[key] && m.Kind() == jsonval.Object
		objects += shape.IfElse(in.own && m.Kind() == jsonval.Object, 1, 0)
		all.any, all.list, all.own, all.ids = all.any || in.any || own, all.list || in.list, all.own || own, append(all.ids, in.ids...)
		all.bit = all.bit || in.bit || key == "delta"
	}
	all.own = all.own || objects == 1 && !all.list
	all.list = all.list || objects > 1
	return all
}

// walkList visits the elements of a list, or the entries of a map.
func (c *counter) walkList(list []jsonval.Value, keys []string, text jsonval.Value, name, place string, depth int) (all held) {
	if len(list) > 1 && len(list) < 5 && keys == nil && list[0].Kind() == jsonval.String && c.tools[list[0].Text()] && list[1].Kind() == jsonval.Object {
		return held{any: true, own: true} // [name, {arguments}]
	}
	kind := shape.IfElse(keys == nil, jsonval.Array, jsonval.Object)
	k := c.openClass(place, name, kind)
	for i, e := range list {
		n := len(k.things)
		if e.Kind() != jsonval.Array && e.Kind() != jsonval.Object && shape.EncodedValue(e).Kind() == jsonval.String {
			in := c.walk(e, text, name, place, depth+1)
			all.any, all.list, all.ids = all.any || in.any, all.list || in.any, append(all.ids, in.ids...)
			continue
		}
		in := c.addThing(k, e, text, depth)
		if keys != nil && c.tools[keys[i]] {
			in = held{any: true, own: true, ids: in.ids}
			k.things[n].calls = in
		}
		all.any, all.list, all.ids = all.any || in.any, all.list || in.any, append(all.ids, in.ids...)
		all.bit = all.bit || in.bit
	}
	k.endList()
	return all
}

// isMap reports whether the members of an object are entries of one kind under their ids.
func isMap(o *shape.Object) bool {
	if len(o.Keys) < 2 || o.Values[0].Kind() < jsonval.Array && o.Values[0].Kind() != jsonval.Object {
		return false
	}
	first := shape.OpenObject(o.Values[0])
	if o.Values[0].Kind() == jsonval.Array {
		first = shape.OpenObject(shape.FirstElement(o.Values[0]))
	}
	for i, key := range o.Keys {
		v := o.Values[i]
		if k := v.Kind(); k != jsonval.Object && k != jsonval.Array || k != o.Values[0].Kind() || shape.IsExpected(key) || isExpected(key) || shape.SideOf(key) != shape.OtherSide || shape.IsRunSide(key) || shape.IsPartList(key) {
			return false
		}
		b := shape.OpenObject(v)
		if v.Kind() == jsonval.Array && v.Len() > 0 {
			if b = shape.OpenObject(shape.FirstElement(v)); len(b.Keys) == 0 {
				return false
			}
		}
		if len(b.Keys) > 0 && !(shape.LooksLike(first, b) && shape.LooksLike(b, first)) {
			return false
		}
	}
	return true
}

// isAside reports whether a member is none of the run.
func (c *counter) isAside(key string) bool {
	aside, known := c.aside[key]
	if !known {
		aside = shape.IsExpected(key) || shape.IsApart(key) || isExpected(key)
		c.aside[key] = aside
	}
	return aside
}

// isExpected reports whether a name says in a general word that it is what should have been done.
func isExpected(key string) bool {
	return hasWord(key, "expected expectation golden gold ideal target reference should truth oracle wanted desired correct intended required")
}

// hasWord reports whether a word of a name is in a list, also in another language.
func hasWord(name, list string) bool {
	if english := tongues.Member(name); english != "" {
		name = english
	}
	return wordlist.HasAny(list, shape.SplitWords(name))
}

// partLists are the names of lists of the parts of one run.
const partLists = "step turn event message span call action node history log content part child children observation round tool iteration invocation block generation llm interaction exchange trajectory trace plan output choice function history actions task"

// runWords are the words of members that name a run.
const runWords = "run invocation session sess trace conversation conv thread dialogue dialog episode case trial chat sample example scenario rollout attempt epoch ticket"

// records returns where the records of a class begin, or nil if its things are none.
func (k *class) records() []jsonval.Value {
	things := slices.DeleteFunc(slices.Clone(k.things), func(t thing) bool { return len(t.o.Keys) == 0 && !t.list })
	holding := slices.DeleteFunc(slices.Clone(things), func(t thing) bool { return !t.calls.any })
	alike := append(holding, emptyLike(holding, things)...)
	if len(holding) == 0 || len(things) < 2 {
		return nil
	}
	if !slices.ContainsFunc(things, func(t thing) bool { return !t.first }) {
		return nil // lists of one thing, which the things around them count
	}
	at, one := named(things)
	if len(at) > 1 || one {
		return at
	}
	part := k.namesParts() || areEvents(things) || areCounted(things) || slices.ContainsFunc(holding, func(t thing) bool {
		return t.calls.bit || shape.RoleOf(t.o) != "" || shape.IsExchange(t.o) || shape.IsAnswer(t.o)
	})
	lists := 0
	for _, t := range holding {
		lists += shape.IfElse(t.calls.list && !t.calls.own && !t.isPair(), 1, 0)
	}
	if len(alike) > 1 && 2*lists > len(holding) && areAlike(holding) && (!part || k.areBare(holding)) {
		return starts(alike)
	}
	if at := asked(holding); len(at) > 1 && !part {
		return at
	}
	if at := restarts(things); len(at) > 1 {
		return at
	}
	return nil
}

// namesParts reports whether the name of a list says that it has the parts of one run.
func (k *class) namesParts() bool {
	return hasWord(k.name, partLists) || hasWord(k.name, "response") && hasWord(k.name, "model raw")
}

// isPair reports whether a thing is a list of two unlike things, such as a call with its result, or a message with
// what is said of it.
func (t *thing) isPair() bool {
	list := t.o.Value.Elements()
	return t.list && len(list) == 2 && (list[0].Kind() != list[1].Kind() || list[0].Kind() == jsonval.Object && !shape.LooksLike(shape.OpenObject(list[0]), shape.OpenObject(list[1])))
}

// areEvents reports whether things say of which sort each is, and are of several sorts.
func areEvents(things []thing) bool {
	words := map[string]bool{}
	for _, t := range things {
		word := t.o.FirstString("type event kind event_type eventType ev")
		if word == "" {
			return false
		}
		words[word] = true
	}
	return len(words) > 1
}

// areCounted reports whether things have the numbers of the steps of one run.
func areCounted(things []thing) bool {
	for _, key := range firstKeys(things[len(things)-1].o) {
		if !hasWord(key, "step turn round iteration") {
			continue
		}
		last, counted := int64(-1), true
		for _, t := range things {
			if i, ok := t.o.MemberNamed(key).Int(); ok {
				counted, last = counted && i > last, i
			}
		}
		if counted && last > 0 {
			return true
		}
	}
	return false
}

// starts returns where things begin. A thing with the id of a call that another one had is a part of the same
// record, because it goes on with it or repeats it.
func starts(things []thing) (at []jsonval.Value) {
	seen := map[string]bool{}
	for _, t := range things {
		if !slices.ContainsFunc(t.calls.ids, func(id string) bool { return seen[id] }) {
			at = append(at, t.at)
		}
		for _, id := range t.calls.ids {
			seen[id] = true
		}
	}
	return at
}

// emptyLike returns the things that hold nothing, in a list where the first of those that hold calls has them.
func emptyLike(holding, things []thing) (empty []thing) {
	if len(holding) == 0 || holding[0].calls.own {
		return nil
	}
	for _, t := range things {
		if t.calls.any || !shape.LooksLike(holding[0].o, t.o) {
			continue
		}
		if t.list && holding[0].list || slices.ContainsFunc(t.o.Keys, func(key string) bool {
			return t.o.MemberNamed(key).Kind() == jsonval.Array && t.o.MemberNamed(key).Len() == 0 && holding[0].o.MemberNamed(key).Len() > 0
		}) {
			empty = append(empty, t)
		}
	}
	return empty
}

// areBare reports whether things are lists of calls in a list that is named as one of calls, which says nothing of
// turns.
func (k *class) areBare(things []thing) bool {
	return !k.mapped && !hasWord(k.name, "turn message round exchange interaction content part") && !slices.ContainsFunc(things, func(t thing) bool { return !t.list || t.isPair() })
}

func areAlike(things []thing) bool {
	n := 0
	for _, t := range things {
		n += shape.IfElse(t.list == things[0].list && shape.LooksLike(things[0].o, t.o), 1, 0)
	}
	return 2*n > len(things)
}

// firstKeys returns the names of an object's members, without those after the first 64.
func firstKeys(o *shape.Object) []string { return o.Keys[:min(len(o.Keys), 64)] }

// named returns the first things of each run that a member names, or nil if no member names several. one says
// that all things name one run.
func named(things []thing) (at []jsonval.Value, one bool) {
	if id := shape.ConversationOf(things[0].o); id != "" {
		one = !slices.ContainsFunc(things, func(t thing) bool { return shape.ConversationOf(t.o) != id })
	}
	for _, key := range firstKeys(things[0].o) {
		if strings.HasPrefix(things[0].o.FirstString("event"), "on_") { // a callback, with the id of its part
			break
		}
		if !hasWord(key, runWords) || hasWord(key, "type kind status state start end time timestamp at count total version parent number no") {
			continue
		}
		seen := map[string]bool{}
		at = at[:0]
		for _, t := range things {
			v := t.o.MemberNamed(key)
			if k := v.Kind(); k != jsonval.String && k != jsonval.Number {
				seen, at = nil, nil
				break
			}
			if !seen[v.Raw()] {
				seen[v.Raw()], at = true, append(at, t.at)
			}
		}
		if len(at) > 1 {
			return at, false
		}
		one = one || len(at) == 1
	}
	return nil, one
}

// asked returns the things if each has a question of its own.
func asked(things []thing) []jsonval.Value {
	for _, key := range firstKeys(things[0].o) {
		if !hasWord(key, "prompt query question goal utterance instruction request objective ask") {
			continue
		}
		seen := map[string]bool{}
		for _, t := range things {
			if v := t.o.MemberNamed(key); shape.IsSentence(v) {
				seen[v.Raw()] = true
			}
		}
		if len(seen) == len(things) {
			return starts(things)
		}
	}
	return nil
}

// restarts returns the things at which a list begins again: a member counts from its first number again, or the word of
// the first thing comes again after that of the last one.
func restarts(things []thing) []jsonval.Value {
	for _, key := range firstKeys(things[0].o) {
		if at := countsAgain(things, key); len(at) > 1 {
			return at
		}
		if at := opensAgain(things, key); len(at) > 1 {
			return at
		}
	}
	return nil
}

func countsAgain(things []thing, key string) (at []jsonval.Value) {
	first, is := things[0].o.MemberNamed(key).Int()
	last, longest, n := first-1, 0, 0
	for _, t := range things {
		i, ok := t.o.MemberNamed(key).Int()
		switch {
		case !is || !ok || t.first && len(at) > 0:
			return nil
		case i == last+1 && len(at) > 0:
			n++
		case i == first:
			at, n = append(at, t.at), 1
		default:
			return nil
		}
		last, longest = i, max(longest, n)
	}
	if longest < 2 {
		return nil
	}
	return at
}

func opensAgain(things []thing, key string) (at []jsonval.Value) {
	open, close := things[0].o.MemberNamed(key), things[len(things)-1].o.MemberNamed(key)
	if open.Kind() != jsonval.String || open.Raw() == close.Raw() || things[0].calls.any || hasWord(open.Text(), partLists) {
		return nil
	}
	last := close.Raw()
	for i, t := range things {
		word := t.o.MemberNamed(key).Raw()
		if word == open.Raw() {
			if last != close.Raw() || t.first && i > 0 {
				return nil
			}
			at = append(at, t.at)
		}
		last = word
	}
	return at
}
