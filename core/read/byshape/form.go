package byshape

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/literal"
	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/ref/reference"
)

// Call is a call that was found.
type Call struct {
	ID, Name  string
	Arguments jsonval.Value // an object, or Missing if they are not recorded
	Result    jsonval.Value
	Fault     jsonval.Value // the words of an error
	State     shape.CallState
	At        jsonval.Value // the object of the call in the text, or the text around it
	Value     jsonval.Value // the object of the call
	spelling  string

	name, input                slot // of the form {name, arguments}
	idKey, resultKey, errorKey string
	kind                       string // the query for the type of the calls, if other things are beside them
}

// form says how the calls at one place are written: read returns the calls in a node, or nil.
type form struct {
	path   string
	weight int
	pair   bool // {name, arguments}
	read   func(n *node) []*Call
}

// enough is the weight from which a form is surely that of calls. A form with less is used only
// if no other is found.
const (
	alone  = 7 // of a thing in a member that says nothing of calls
	enough = 5
	little = 3
)

// findForms returns the form of the calls at each path that has one with at least the given weight.
// If some have enough, those with less are left out, unless they call the same tools.
func (t *tree) findForms(least int) []form {
	var all []form
	sure, made := map[string]bool{}, false
	for _, path := range t.paths {
		nodes := t.at[path]
		if path == "" || nodes[0].inside {
			continue
		}
		f := bestForm(nodes)
		if f.weight < min(least, little) {
			continue
		}
		f.path = path
		all = append(all, f)
		if f.weight >= enough {
			made = made || !nodes[0].expected
			for name := range f.toolNames(nodes) {
				sure[name] = true
			}
		}
	}
	all = slices.DeleteFunc(all, func(f form) bool {
		if f.weight >= enough || !made && f.weight >= least {
			return false
		}
		n, known := 0, 0
		for name := range f.toolNames(t.at[f.path]) {
			n++
			known += shape.IfElse(sure[name], 1, 0)
		}
		return 2*known <= n
	})
	return append(all, t.otherPlaces(all)...)
}

// toolNames returns the names of the tools that are called in nodes.
func (f *form) toolNames(nodes []*node) map[string]bool {
	names := map[string]bool{}
	for _, n := range nodes[:min(len(nodes), 512)] {
		for _, c := range f.read(n) {
			names[c.Name] = true
		}
	}
	return names
}

// otherPlaces returns the forms of the places that have no form of their own and are written like
// one that has, such as what was expected.
func (t *tree) otherPlaces(known []form) (all []form) {
	for _, path := range t.paths {
		nodes := t.at[path]
		if path == "" || slices.ContainsFunc(known, func(f form) bool { return f.path == path }) || !nodes[0].listed && !nodes[0].expected || len(nodes[0].o.Keys) == 0 || contextWeight(nodes[0]) < 0 {
			continue
		}
		for _, f := range known {
			if first := t.at[f.path][0]; f.pair && shape.LooksLike(nodes[0].o, first.o) && f.read(nodes[0]) != nil {
				all = append(all, form{path: path, weight: f.weight, read: f.read})
				break
			}
		}
	}
	return all
}

// bestForm returns the form with the greatest weight for the nodes at one path.
func bestForm(nodes []*node) form {
	var best form
	take := func(f form) {
		if f.weight > best.weight {
			best = f
		}
	}
	nodes = nodes[:min(len(nodes), 512)]
	around := contextWeight(nodes[0])
	if around < 0 {
		return best
	}
	if nodes[0].v.Kind() == jsonval.Array {
		take(tupleForm(nodes))
		take(textsForm(nodes))
		return best
	}
	take(parallelForm(nodes))
	take(textForm(nodes))
	pair := pairForm(nodes)
	if nodes[0].listed || around > 0 || pair.weight >= alone {
		take(pair)
	}
	if nodes[0].listed || around > 0 {
		take(keyedForm(nodes, around))
	}
	if nodes[0].listed && best.weight < enough {
		take(flatForm(nodes))
		take(bareForm(nodes))
	}
	return best
}

// contextWeight says whether the lists and members around the nodes at a path may hold calls:
// it is negative if not.
func contextWeight(n *node) int {
	key := n.key
	for up := n; up != nil && up.up != nil; up = up.up {
		within := key != "" && (hasWord(key, callLists) || isExpected(key)) // the checks of a suite, each with what was done
		if k := up.key; k != "" && !within && (endsIn(k, otherLists) && !hasWord(k, callLists) || shape.MemberRank(k, up.v) == 3 && !isExpected(k) && !isToolList(up)) {
			return -1
		}
		if key == "" {
			key = up.key
		}
	}
	if n.listed && n.up != nil && n.up.key != "" {
		key = n.up.key
	}
	return shape.IfElse(n.expected && n.listed || hasWord(key, shape.IfElse(n.listed, callLists+" "+toolWords, toolWords+" request req call use step")), 1, 0)
}

// isToolList reports whether a list under the name of tools has calls and no definitions.
func isToolList(n *node) bool {
	if hasWord(n.key, "definition definitions available declared") {
		return false
	}
	for _, kid := range n.kids {
		if kid.o.HasAny("description schema input_schema inputSchema") || definesArguments(kid.o.OpenMember("parameters")) || shape.IsDefinition(kid.o) || len(kid.kids) == 0 {
			return false
		}
	}
	return n.v.Kind() == jsonval.Array
}

// definesArguments reports whether the parameters of a tool say of what type its arguments are.
func definesArguments(parameters *shape.Object) bool {
	return parameters.HasAny("properties type") || slices.ContainsFunc(parameters.Values, func(v jsonval.Value) bool { return v.Get("type").Kind() == jsonval.String })
}

// slot is a member of an object, or a member of a member.
type slot struct{ key, inner string }

func (s slot) valueIn(o *shape.Object) jsonval.Value {
	v := o.MemberNamed(s.key)
	if s.inner != "" {
		return v.Get(s.inner)
	}
	return v
}

// nameSlots returns the members of an object that may hold the name of a tool.
func nameSlots(o *shape.Object) (all []slot) {
	for i, key := range o.Keys {
		switch v := o.Values[i]; {
		case v.Kind() == jsonval.String && isToolText(v) && nameWeight(key) > -9 && !(endsIn(key, "event") && shape.IsSort(v.Text())):
			all = append(all, slot{key: key})
		case v.Kind() == jsonval.Object && hasWord(key, toolWords) && v.Len() <= 4:
			v.Each(func(inner string, m jsonval.Value) bool {
				if m.Kind() == jsonval.String && isToolText(m) && shape.OneOf(strings.ToLower(inner), "name id key slug") {
					all = append(all, slot{key, inner})
				}
				return true
			})
		}
	}
	return all
}

func isToolText(v jsonval.Value) bool {
	s, ok := v.Str()
	return ok && len(s) <= 96 && shape.IsName(s)
}

// pairForm is the form {name, arguments, …}.
func pairForm(nodes []*node) form {
	best := form{}
	type pair struct{ name, input slot }
	tried := map[pair]bool{}
	kind := kindKey(nodes)
	nodes = slices.DeleteFunc(slices.Clone(nodes), func(n *node) bool { return !mayCall(n, kind) })
	for _, n := range nodes[:min(len(nodes), 64)] {
		for _, name := range toolSlots(n.o) {
			for i, key := range n.o.Keys {
				input := slot{key: key}
				if key == name.key || tried[pair{name, input}] || isAround(n, name, input) || inputWeight(key) < 0 || !input.holdsArguments(n.o.Values[i]) {
					continue
				}
				tried[pair{name, input}] = true
				if w := pairWeight(nodes, name, input, kind != ""); w > best.weight {
					best = form{weight: w, pair: true, read: func(n *node) []*Call { return readPair(n, name, input, kind) }}
				}
			}
		}
	}
	return best
}

// isAround reports whether a pair is that of an event around a call: its name is a word for a sort of event,
// and what would be the arguments names a tool.
func isAround(n *node, name, input slot) bool {
	inner := shape.OpenObject(input.valueIn(n.o))
	return name.key != "name" && !hasWord(name.key, "tool function fn func") && shape.IsSort(name.valueIn(n.o).Text()) &&
		(inputWeight(input.key) == 2 || slices.ContainsFunc(toolSlots(inner), func(s slot) bool { return nameWeight(s.key) >= 2 && !shape.IsSort(s.valueIn(inner).Text()) }))
}

// kindKey returns the member that says which of the nodes are calls, or "". It may stand in the objects
// around the nodes. A member with another name than that of a type must have words for sorts of events
// beside the names of tools.
func kindKey(nodes []*node) string {
	for _, key := range nodes[0].withOuter().Keys {
		for _, n := range nodes {
			word := n.kindWord(key)
			if namesCall(word) && (endsIn(key, "type kind event") || shape.IsSort(word) && slices.ContainsFunc(toolSlots(n.o), func(s slot) bool { return s.key != key && !shape.IsSort(s.valueIn(n.o).Text()) })) {
				return key
			}
		}
	}
	return ""
}

// kindWord returns the text of a member of a node, or of the object around it if the node is a member.
func (n *node) kindWord(key string) string {
	word, ok := n.o.MemberNamed(key).Str()
	if !ok && !n.listed && n.up != nil && n.up.o != nil {
		word, _ = n.up.o.MemberNamed(key).Str()
	}
	return word
}

// toolSlots returns the members of an object that may hold the name of a tool, without those with a word
// for a sort of event if there is another one.
func toolSlots(o *shape.Object) []slot {
	all := nameSlots(o)
	named := slices.DeleteFunc(slices.Clone(all), func(s slot) bool { return shape.IsSort(s.valueIn(o).Text()) })
	if len(named) > 0 {
		return named
	}
	return all
}

// mayCall reports whether a node may be a call: its type says so or nothing, and it holds no lists of
// a run.
func mayCall(n *node, kind string) bool {
	o := n.o
	if word := n.kindWord(kind); kind != "" && word != "" && !namesCall(word) {
		return false
	}
	if o.HasAny("description") && o.HasAny("parameters input_schema inputSchema schema") { // the definition of a tool
		return false
	}
	return !shape.IsOtherKind(shape.KindOf(o)) && !shape.IsDefinition(o) && !shape.HasRunSide(o) && !shape.HasSpanList(o.Value) && shape.RoleOf(o) == ""
}

func (s slot) holdsArguments(v jsonval.Value) bool { return argumentsIn(v).Kind() == jsonval.Object }

// argumentsIn returns the arguments that a value holds as an object: as it is, as JSON or in
// Python's notation in a text, or as a list of names and values. For any other value it returns
// Missing.
func argumentsIn(v jsonval.Value) jsonval.Value {
	inner := shape.EncodedValue(v)
	switch inner.Kind() {
	case jsonval.Object:
		if inner.Len() == 2 && inner.Get("kwargs").Kind() == jsonval.Object && inner.Get("args").Kind() == jsonval.Array && inner.Get("args").Len() == 0 {
			return inner.Get("kwargs")
		}
		return inner
	case jsonval.String:
		if s := strings.TrimSpace(inner.Text()); strings.HasPrefix(s, "{") {
			return literal.Python(s)
		}
	case jsonval.Array:
		return namedValues(inner)
	}
	return jsonval.Value{}
}

// namedValues returns the object that a list of {name, value} says, or Missing.
func namedValues(list jsonval.Value) jsonval.Value {
	var parts []string
	for _, e := range list.Elements() {
		o := shape.OpenObject(e)
		name, v := o.FirstString("name key param parameter field argument slot option"), o.Get("value val")
		if name == "" || !v.Exists() || len(o.Keys) > 3 {
			return jsonval.Value{}
		}
		parts = append(parts, jsonval.Quoted(name)+":"+v.Raw())
	}
	if len(parts) == 0 {
		return jsonval.Value{}
	}
	return parseText("{" + strings.Join(parts, ",") + "}")
}

func parseText(text string) jsonval.Value {
	v, _ := jsonval.Parse(text)
	return v
}

// pairWeight says how well two members fit the name and the arguments of calls, over all nodes:
// by their names, by how the names of tools are written, and by whether a tool always has the
// same arguments. typed says that their type says that they are calls.
func pairWeight(nodes []*node, name, input slot, typed bool) int {
	w := nameWeight(name.key) + inputWeight(input.key)
	typed = typed && nameWeight(name.key) > 1 && inputWeight(input.key) > 0
	keys, names, keySets := map[string]string{}, map[string]int{}, map[string]bool{}
	n, tools, numbered, texts, agree := 0, 0, 0, 0, true
	for _, at := range nodes {
		text, ok := name.valueIn(at.o).Str()
		v := argumentsIn(input.valueIn(at.o))
		if texts += shape.IfElse(ok && !shape.IsName(text) && v.Kind() == jsonval.Object, 1, 0); !ok || v.Kind() != jsonval.Object || !shape.IsName(text) {
			continue
		}
		n++
		names[text]++
		tools += shape.IfElse(looksLikeTool(text), 1, 0)
		numbered += shape.IfElse(isNumbered(text), 1, 0)
		set := strings.Join(v.Keys(), "\x00")
		keySets[set] = true
		if known, seen := keys[text]; seen && known != set {
			agree = false
		}
		keys[text] = set
	}
	if n == 0 || 4*texts > n {
		return 0 // such as the names of things in a shop
	}
	w += shape.IfElse(2*tools > n, 1, 0)
	w += shape.IfElse(typed, 2, shape.IfElse(2*numbered > n, -4, 0))
	switch {
	case len(names) == 1 && n > 3 && len(keySets) > 2:
		w -= 4 // a word for the sort of the thing
	case agree && len(names) > 1 && len(keySets) > 1:
		w += shape.IfElse(len(names) < n, 2, 1)
	}
	if nameWeight(name.key) < 2 && (2*tools <= n || w < enough+1) {
		return shape.IfElse(2*tools > n, min(w, enough-1), 0)
	}
	return w
}

// readPair reads a call of the form {name, arguments, …}.
func readPair(n *node, name, input slot, kind string) []*Call {
	text, ok := name.valueIn(n.o).Str()
	v := input.valueIn(n.o)
	if !ok || !shape.IsName(text) || !v.Exists() || !mayCall(n, kind) {
		return nil
	}
	c := &Call{Name: text, At: n.at, Arguments: argumentsIn(v)}
	if v.Kind() == jsonval.Object && !shape.MayBeArguments(v) {
		return nil
	}
	if c.Arguments.Kind() != jsonval.Object {
		if v.Kind() != jsonval.Null && !(v.Kind() == jsonval.String && strings.TrimSpace(v.Text()) == "") && v.Len() > 0 {
			return nil
		}
		c.Arguments = parseText("{}")
	}
	c.name, c.input, c.Value = name, input, n.v
	if word, ok := n.o.MemberNamed(kind).Str(); ok && kind != "" && !strings.ContainsAny(word, "\"\\") {
		c.kind = query(kind, word)
	}
	c.readBeside(n, name.key, input.key)
	return []*Call{c}
}

// readBeside reads what stands beside a call: its id, its result and its state.
func (c *Call) readBeside(n *node, taken ...string) {
	o := n.o
	if !n.listed && n.up != nil && n.up.o != nil { // such as {"request": {…}, "response": {…}}
		o = &shape.Object{Keys: slices.Concat(n.o.Keys, n.up.o.Keys), Values: slices.Concat(n.o.Values, n.up.o.Values)}
		taken = append(taken, n.key)
	}
	for i, key := range o.Keys {
		v := o.Values[i]
		if slices.Contains(taken, key) {
			continue
		}
		c.State.NoteMember(key, v)
		switch {
		case v.Kind() == jsonval.Null:
		case c.ID == "" && v.Kind() == jsonval.String && endsIn(key, "id uid uuid ref key") && !hasWord(key, "parent agent user "+runWords):
			c.ID, c.idKey = v.Text(), key
		case hasWord(key, resultWords) && !c.Result.Exists():
			c.Result, c.resultKey = v, key
		case hasWord(key, errorWords+" exit"), key == "status":
			c.Fault, c.errorKey = v, key
		}
	}
}

// keyedForm is the form {NAME: {arguments}}.
func keyedForm(nodes []*node, around int) form {
	names, tools, n := map[string]bool{}, 0, 0
	for _, at := range nodes {
		if len(at.o.Keys) == 1 && strings.Count(strings.Map(digitOnly, at.o.Keys[0]), "0") < 3 && at.o.Values[0].Kind() == jsonval.Object && shape.IsName(at.o.Keys[0]) && nameWeight(at.o.Keys[0]) <= 0 {
			n++
			names[at.o.Keys[0]] = true
			tools += shape.IfElse(looksLikeTool(at.o.Keys[0]), 1, 0)
		}
	}
	if n == 0 || 2*n < len(nodes) || tools < n && (len(names) < 2 || around == 0) || n > 8 && 2*len(names) > n {
		return form{}
	}
	w := 2 + 2*around + shape.IfElse(tools == n, 1, 0) + shape.IfElse(len(names) > 1, 1, 0)
	return form{weight: w, read: func(n *node) []*Call {
		if len(n.o.Keys) != 1 || n.o.Values[0].Kind() != jsonval.Object || !shape.IsName(n.o.Keys[0]) {
			return nil
		}
		c := &Call{Name: n.o.Keys[0], Arguments: n.o.Values[0], At: n.at}
		if !n.listed {
			c.readBeside(n, n.o.Keys[0])
		}
		return []*Call{c}
	}}
}

// digitOnly maps digits to 0 and drops other letters.
func digitOnly(c rune) rune { return shape.IfElse(c >= '0' && c <= '9', '0', -1) }

// flatForm is the form {name, argument, argument, …}: the arguments are beside the name. What
// several tools have, such as a time, is no argument if its name says so.
func flatForm(nodes []*node) form {
	for _, name := range nameSlots(nodes[0].o) {
		if nameWeight(name.key) < 3 || name.inner != "" {
			continue
		}
		n, tools, names, of := 0, 0, map[string]bool{}, map[string]map[string]bool{}
		for _, at := range nodes {
			text, ok := name.valueIn(at.o).Str()
			if !ok || !shape.IsName(text) {
				continue
			}
			n++
			names[text] = true
			tools += shape.IfElse(looksLikeTool(text), 1, 0)
			for _, key := range at.o.Keys {
				if of[key] == nil {
					of[key] = map[string]bool{}
				}
				of[key][text] = true
			}
		}
		isArgument := func(key string) bool {
			return key != name.key && !hasWord(key, resultWords+" "+errorWords) && (len(of[key]) == 1 && len(names) > 1 || !hasWord(key, otherWords) && !shape.OneOf(strings.ToLower(key), idWords+" step index turn status type kind description success ok"))
		}
		arguments := 0
		for key := range of {
			arguments += shape.IfElse(isArgument(key) && (len(names) == 1 || len(of[key]) < len(names)), 1, 0)
		}
		if n == 0 || 2*tools < n || arguments == 0 {
			continue
		}
		return form{weight: enough, read: func(n *node) []*Call {
			text, ok := name.valueIn(n.o).Str()
			if !ok || !shape.IsName(text) {
				return nil
			}
			var parts []string
			taken := []string{name.key}
			for i, key := range n.o.Keys {
				if isArgument(key) {
					parts, taken = append(parts, jsonval.Quoted(key)+":"+n.o.Values[i].Raw()), append(taken, key)
				}
			}
			c := &Call{Name: text, Arguments: parseText("{" + strings.Join(parts, ",") + "}"), At: n.at}
			c.readBeside(n, taken...)
			return []*Call{c}
		}}
	}
	return form{}
}

// bareForm is the form of calls of which only the name is recorded: the type of the thing says
// that it is one.
func bareForm(nodes []*node) form {
	for _, at := range nodes {
		if c := readBare(at); c != nil && len(at.kids) == 0 {
			return form{weight: enough, read: readBare}
		}
	}
	return form{}
}

func readBare(n *node) []*Call {
	word := strings.ToLower(n.o.FirstString("type kind event event_type eventType"))
	name := n.o.FirstString("name tool tool_name action")
	if !shape.OneOf(word, "action tool tool_call toolcall function function_call call execute_tool") || !shape.IsName(name) || len(n.kids) > 0 {
		return nil
	}
	c := &Call{Name: name, At: n.at}
	c.readBeside(n)
	return []*Call{c}
}

// tupleForm is the form [name, {arguments}, result].
func tupleForm(nodes []*node) form {
	n, tools := 0, 0
	for _, at := range nodes {
		if c := readTuple(at); c != nil {
			n++
			tools += shape.IfElse(looksLikeTool(c[0].Name), 1, 0)
		}
	}
	if n < len(nodes) || 2*tools < n || !nodes[0].listed {
		return form{}
	}
	return form{weight: enough, read: readTuple}
}

func readTuple(n *node) []*Call {
	list := n.v.Elements()
	if len(list) < 2 || len(list) > 4 {
		return nil
	}
	name, ok := list[0].Str()
	arguments := argumentsIn(list[1])
	if !ok || !shape.IsName(name) || arguments.Kind() != jsonval.Object {
		return nil
	}
	c := &Call{Name: name, Arguments: arguments, At: n.at}
	if len(list) > 2 {
		c.Result = list[2]
	}
	return []*Call{c}
}

// textCalls returns the calls that the lines of a text are, or nil if one is something else.
func textCalls(v jsonval.Value, at jsonval.Value) (calls []*Call) {
	text, ok := v.Str()
	if !ok || len(text) > 1<<14 {
		return nil
	}
	lines := []string{strings.TrimSpace(text)}
	if strings.HasSuffix(lines[0], "}") || strings.HasSuffix(lines[0], "})") {
		return lineCall(lines[0], at)
	}
	if !strings.Contains(text, "(") {
		return nil
	}
	if strings.Contains(lines[0], "\n") {
		lines = shape.MeaningfulLines(text)
	}
	for _, line := range lines {
		name, _, _ := strings.Cut(line, "(")
		if !shape.IsName(name) || !strings.HasSuffix(line, ")") {
			return nil
		}
		step, err := reference.ReadCall(line)
		if err != nil {
			return nil
		}
		calls = append(calls, &Call{Name: name, Arguments: step.Arguments, At: at})
	}
	return calls
}

// textsForm is the form of a list of calls as texts, such as ["f(x=1)"], or of the lines of a log.
func textsForm(nodes []*node) form {
	calls, others := 0, 0
	for _, at := range nodes {
		for _, e := range at.v.Elements() {
			switch {
			case textCalls(e, e) != nil:
				calls++
			case e.Kind() != jsonval.String || strings.Contains(e.Text(), "("):
				others++
			}
		}
	}
	if calls == 0 || others > 0 {
		return form{}
	}
	return form{weight: enough, read: func(n *node) (calls []*Call) {
		for _, e := range n.v.Elements() {
			found := textCalls(e, e)
			if word, rest, ok := strings.Cut(strings.TrimSpace(e.Text()), " "); ok && found == nil && len(calls) > 0 && hasWord(word, resultWords) {
				calls[len(calls)-1].Result = parseText(jsonval.Quoted(rest))
			}
			calls = append(calls, found...)
		}
		return calls
	}}
}

// callWords stand before the name of a tool in a line of a log.
const callWords = "call calling called tool action invoke invoking invoked run running execute executing executed use using -> =>"

// lineCall returns the call in a line of a log, such as "CALL find {…}", or nil.
func lineCall(line string, at jsonval.Value) []*Call {
	head, _, _ := strings.Cut(line, "{")
	words := strings.Fields(strings.TrimRight(head, " :("))
	if len(words) == 0 || len(words) > 3 || !looksLikeTool(words[len(words)-1]) {
		return nil
	}
	for _, word := range words[:len(words)-1] {
		if !shape.OneOf(strings.Trim(strings.ToLower(word), ":[]"), callWords) {
			return nil
		}
	}
	v, err := jsonval.Parse(strings.TrimSuffix(line[len(head):], ")"))
	if err != nil || v.Kind() != jsonval.Object {
		return nil
	}
	return []*Call{{Name: words[len(words)-1], Arguments: v, At: at}}
}

// textForm is the form of objects of which a member has a call as text, or several on lines.
func textForm(nodes []*node) form {
	count, texts := map[string]int{}, map[string]int{}
	for _, at := range nodes {
		for i, key := range at.o.Keys {
			if v := at.o.Values[i]; v.Kind() == jsonval.String && !hasWord(key, resultWords) {
				texts[key]++
				count[key] += shape.IfElse(textCalls(v, at.at) != nil, 1, 0)
			}
		}
	}
	var keys []string // a record may have both sides as texts
	for _, key := range nodes[0].o.Keys {
		if 2*count[key] > texts[key] {
			keys = append(keys, key)
		}
	}
	if len(keys) == 0 {
		return form{}
	}
	return form{weight: enough, read: func(n *node) (all []*Call) {
		for _, key := range keys {
			calls := textCalls(n.o.MemberNamed(key), n.at)
			if isExpected(key) && !n.expected {
				if calls == nil || slices.ContainsFunc(n.kids, func(k *node) bool { return k.key == key }) {
					continue
				}
				n.kids = append(n.kids, &node{o: &shape.Object{}, up: n, key: key, path: n.path + "." + key, expected: true, calls: calls, order: n.order})
				continue
			}
			if len(calls) == 1 {
				calls[0].readBeside(n, key)
			}
			all = append(all, calls...)
		}
		return all
	}}
}

// parallelForm is the form of lists beside each other: of names, of arguments and of results.
func parallelForm(nodes []*node) form {
	for _, at := range nodes {
		if names, _, _ := parallelLists(at.o); len(names) > 0 {
			return form{weight: alone + 2, read: readParallel}
		}
	}
	return form{}
}

// parallelLists returns the lists of an object with names, arguments and results. Members that
// differ only in a number, such as tool_0 and tool_1, are a list, too.
func parallelLists(o *shape.Object) (names, inputs, results []jsonval.Value) {
	lists, order := map[string][]jsonval.Value{}, []string{}
	for i, key := range o.Keys {
		list := shape.EncodedValue(o.Values[i])
		base := strings.TrimRight(strings.TrimRight(key, "0123456789"), "_-. ")
		if base != key && base != "" {
			if lists[base] == nil {
				order = append(order, base)
			}
			lists[base] = append(lists[base], o.Values[i])
		} else if list.Kind() == jsonval.Array && list.Len() > 0 {
			order, lists[key] = append(order, key), list.Elements()
		}
	}
	for _, key := range order {
		list := lists[key]
		all := func(is func(jsonval.Value) bool) bool {
			return !slices.ContainsFunc(list, func(e jsonval.Value) bool { return !is(e) })
		}
		switch {
		case names == nil && nameWeight(key) >= 2 && !isExpected(key) && all(isToolText):
			names = list
		case inputs == nil && inputWeight(key) > 0 && all(func(e jsonval.Value) bool { return argumentsIn(e).Kind() == jsonval.Object }):
			inputs = list
		case results == nil && hasWord(key, resultWords):
			results = list
		}
	}
	if len(names) != len(inputs) {
		return nil, nil, nil
	}
	return names, inputs, results
}

func readParallel(n *node) (calls []*Call) {
	names, inputs, results := parallelLists(n.o)
	for i, name := range names {
		c := &Call{Name: name.Text(), Arguments: argumentsIn(inputs[i]), At: n.at}
		if len(results) == len(names) {
			c.Result = results[i]
		}
		calls = append(calls, c)
	}
	return calls
}
