package byshape

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/shape"
)

// Sure is the weight from which records say that each is a run, and VerySure that from which they
// say it in several ways.
const (
	Sure     = 5
	VerySure = 9
	someSign = 2
)

// Run is a run that was found.
type Run struct {
	Name    string          // of its entry in a map; "" if it has none
	Records []*shape.Object // the objects that may say something of the run, the innermost first
	At      jsonval.Value   // the value in the text that is the run, or the first of several
	Items   []Item
	Expects bool // a part of the record says what should have been done
	Wanted  []*Call
	Lost    []jsonval.Value // results of calls that are not in the text
	node    *node
	wanted  *node // what should have been done, in a list beside that of the records
	from    *node // the case that says it, in a list of cases
}

// Item is a message of a run or a call.
type Item struct {
	Role, Text string
	Call       *Call // nil for a message
}

// Reading is what was found in a text.
type Reading struct {
	Runs   []*Run // in the order of the text
	Sure   int    // how surely each record is a run: from Sure on the records say so
	Unused int    // cases that say what should have been done, and are of no run
}

// Find returns the runs in the values of a text. There is none if the text has no call. If loose
// is set, calls are also found that only their place shows, which is wrong for a text that may
// have none. O(n).
func Find(values []jsonval.Value, loose bool) (found Reading) {
	t := newTree(values)
	t.readCalls(t.findForms(shape.IfElse(loose, little, enough)))
	if t.root.holds == 0 {
		return found
	}
	found.Runs, found.Sure = t.findRuns()
	for _, r := range found.Runs {
		r.readItems()
	}
	dropRepeated(found.Runs, t)
	found.Unused = t.joinCases(found.Runs)
	for _, r := range found.Runs {
		r.wantNames(t)
	}
	return found
}

// readCalls reads the calls of all forms. A thing that holds calls is none, and what is in the
// arguments or the result of a call holds none.
func (t *tree) readCalls(forms []form) {
	for _, f := range forms {
		for _, n := range t.at[f.path] {
			n.calls = f.read(n)
			for _, c := range n.calls {
				t.names[c.Name] = true
			}
		}
	}
	for _, n := range t.nodes {
		n.markProposed()
	}
	t.root.settleCalls()
}

// markProposed marks the calls of a member with what was proposed as not executed, if a member beside
// it has what was executed. A call that is in both counts once, as executed.
func (n *node) markProposed() {
	was, is := n.kidNamed(proposedWords), n.kidNamed(executedWords)
	if was == nil || is == nil || was == is {
		return
	}
	done := map[string]int{}
	is.visitAll(func(k *node) bool {
		for _, c := range k.calls {
			done[c.spellCall()]++
		}
		return true
	})
	was.visitAll(func(k *node) bool {
		k.calls = slices.DeleteFunc(k.calls, func(c *Call) bool {
			done[c.spellCall()]--
			c.State.Waiting = true
			return done[c.spellCall()] >= 0
		})
		if len(k.calls) == 0 {
			k.calls = nil
		}
		return true
	})
}

// kidNamed returns the member of an object whose name has one of the words, or nil.
func (n *node) kidNamed(words string) *node {
	for _, kid := range n.kids {
		if !kid.listed && hasWord(kid.key, words) {
			return kid
		}
	}
	return nil
}

// settleCalls counts the calls in a node, and takes the node's own away if it holds others beside its
// arguments and results.
func (n *node) settleCalls() (held, wanted int) {
	outer := 0
	for _, kid := range n.kids {
		held, wanted := kid.settleCalls()
		if n.calls == nil || !(kid.inCall() || hasWord(kid.key, resultWords) || inputWeight(kid.key) > 0) {
			outer += held + wanted
		}
	}
	if n.calls != nil && outer > 0 && !n.tellsText() {
		n.calls = nil
	}
	if n.calls != nil && !n.tellsText() {
		for _, kid := range n.kids {
			kid.visitAll(func(k *node) bool { k.calls, k.holds, k.inside = nil, 0, true; return true })
		}
		outer = 0
	}
	n.holds = 0
	own := len(n.calls)
	if n.expected {
		wanted, own = own, 0
	}
	held = own
	for _, kid := range n.kids {
		if kid.expected {
			wanted++
		}
		held += kid.holds
	}
	n.holds = held
	return held, wanted
}

func (n *node) inCall() bool { return n.listed && n.up.calls != nil && n.up.v.Kind() == jsonval.Array }

// tellsText reports whether the calls of a node are in its lists or texts, so that it may be a
// record.
func (n *node) tellsText() bool {
	return len(n.calls) > 1 || len(n.calls) == 1 && n.v.Kind() == jsonval.Object && slices.ContainsFunc(n.kids, func(k *node) bool { return k.expected && !n.expected && k.calls != nil })
}

// findRuns returns the records that are runs: the objects or lists of the level that says most
// of its own, or the rows with one id of a run, or all of the text.
func (t *tree) findRuns() (runs []*Run, sure int) {
	level, weight := t.findLevel()
	if groups := t.findThreads(level, weight); groups != nil {
		return groups, Sure
	}
	nodes := t.addAlike(level, weight)
	if weight < someSign && t.areOwn(t.root.kids) {
		nodes, weight = t.root.kids, Sure
	}
	if weight < someSign || len(nodes) == 0 {
		nodes = []*node{t.root}
		if len(t.root.kids) == 1 {
			nodes = t.root.kids
		}
	}
	first := nodes[slices.IndexFunc(nodes, func(n *node) bool { return n.holds > 0 })]
	for _, n := range nodes {
		if n.holds > 0 || n.v.Kind() == first.v.Kind() && shape.LooksLike(n.o, first.o) && !n.expected {
			runs = append(runs, newRun(n))
		}
	}
	return runs, weight
}

// areOwn reports whether each row of a text has an id of its own and lists of calls, perhaps empty ones: then each
// is a run, and none is a part of one.
func (t *tree) areOwn(rows []*node) bool {
	lists := 0
	for _, n := range rows {
		if n.v.Kind() != jsonval.Object || len(n.calls) == 1 && !n.tellsText() || shape.RoleOf(n.o) != "" || shape.IsExchange(n.o) || !shape.LooksLike(n.o, rows[0].o) {
			return false
		}
		lists += shape.IfElse(n.listsCalls(), 1, 0)
	}
	scalar := func(v jsonval.Value) bool { return v.Kind() == jsonval.String || v.Kind() == jsonval.Number }
	return len(rows) > 1 && 2*lists > len(rows) && !areGrowing(rows) && !partCalls(asGroups(rows)) &&
		areDistinct(rows, scalar, func(key string) bool {
			return (endsIn(key, idWords) || shape.OneOf(key, shape.CaseNames)) && !hasWord(key, partLists)
		})
}

// addAlike returns the nodes of a level, and those of other ones that are records of the same
// kind, such as passed and failed runs.
func (t *tree) addAlike(level string, weight int) []*node {
	nodes := slices.Clone(t.at[level])
	if len(nodes) == 0 || sumCalls(nodes) == t.root.holds {
		return nodes
	}
	for _, p := range t.paths {
		others := t.at[p]
		if p != level && others[0].listed && !others[0].expected && sumCalls(others) > 0 && strings.Count(p, "#") == strings.Count(level, "#") &&
			shape.LooksLike(others[0].o, nodes[0].o) && shape.LooksLike(nodes[0].o, others[0].o) && levelWeight(others) >= weight-2 {
			nodes = append(nodes, others...)
		}
	}
	slices.SortStableFunc(nodes, func(a, b *node) int { return a.order - b.order })
	return nodes
}

func newRun(nodes ...*node) *Run {
	n := nodes[0]
	r := &Run{At: n.at, node: n}
	if n.listed && n.up.o != nil && len(n.up.o.Keys) > 0 {
		r.Name = n.key
	}
	if len(nodes) > 1 {
		r.node = &node{o: &shape.Object{}, kids: nodes}
		for _, row := range nodes {
			if len(row.calls) == 0 && !endsCall(row) {
				r.Records = append(r.Records, row.o)
			}
		}
		return r
	}
	for up := n; up.up != nil && (up == n || !up.listed); up = up.up {
		r.Records = append(r.Records, up.o)
	}
	for only := n.onlyKid(); only != nil && !only.wrapsCall(); only = only.onlyKid() {
		r.Records = append(r.Records, only.o)
	}
	for _, kid := range n.kids {
		if kid.holds == 0 && !kid.expected && hasWord(kid.key, runWords+" info") {
			r.Records = append(r.Records, kid.o)
		}
	}
	r.readBeside()
	return r
}

// onlyKid returns the node in a node that holds all of its calls and is none, or nil.
func (n *node) onlyKid() *node {
	for _, kid := range n.kids {
		if n.holds > 0 && kid.holds == n.holds && len(kid.calls) == 0 {
			return kid
		}
	}
	return nil
}

// wrapsCall reports whether an element of a list has a call as a member, such as {"function": {…}, "status": …}. What
// it says is said of the call, and not of the run.
func (n *node) wrapsCall() bool {
	return n.listed && slices.ContainsFunc(n.kids, func(kid *node) bool { return !kid.listed && kid.calls != nil })
}

// readBeside reads what the lists beside that of the records say of this one.
func (r *Run) readBeside() {
	list := r.node.up
	if list == nil || list.up == nil || list.v.Kind() != jsonval.Array {
		return
	}
	all := list.listsBeside()
	if len(all) == 0 {
		return
	}
	beside, at := &shape.Object{}, slices.Index(list.kids, r.node)
	for _, l := range all {
		if kid := list.up.memberNode(l.key); kid != nil && kid.expected && len(kid.kids) == len(list.kids) && !endsIn(list.key, trialLists) {
			r.wanted = kid.kids[at]
			continue
		}
		beside.Keys, beside.Values = append(beside.Keys, shape.SingularName(l.key)), append(beside.Values, l.values[at])
	}
	if len(beside.Keys) > 0 && len(list.kids) > 1 {
		r.Records = append(r.Records, beside)
	}
}

// listsBeside returns the lists beside that of n which have as many elements, each for one of
// n's. They are found once for all records of the list, because each search reads all lists.
func (n *node) listsBeside() []besideList {
	if n.lists != nil {
		return n.lists
	}
	n.lists = []besideList{}
	for i, key := range n.up.o.Keys {
		v := n.up.o.Values[i]
		if v.Kind() != jsonval.Array || key == n.key || v.Len() != len(n.kids) || shape.OpenObject(shape.FirstElement(v)).HasAny("id case case_id task_id name") {
			continue // a thing with an id is of the run with that id
		}
		n.lists = append(n.lists, besideList{key, v.Elements()})
	}
	return n.lists
}

// findLevel returns the path whose nodes are most likely the records of runs, with its weight.
func (t *tree) findLevel() (path string, weight int) {
	for _, p := range t.paths {
		nodes := slices.DeleteFunc(slices.Clone(t.at[p]), func(n *node) bool { return !n.listed })
		if sumCalls(nodes) == 0 {
			continue
		}
		if w := levelWeight(nodes); w > weight && (len(t.at[p]) > 1 || weight == 0 || sumCalls(nodes) < t.root.holds) {
			path, weight = p, w
		}
	}
	return path, weight
}

// levelWeight says how likely the nodes at one path are records of runs.
func levelWeight(all []*node) int {
	all = all[:min(len(all), 256)]
	nodes := slices.DeleteFunc(slices.Clone(all), func(n *node) bool { return n.holds == 0 })
	if len(nodes) == 0 {
		return 0
	}
	w, n := 0, len(nodes)
	most := func(is func(*node) bool, weight int) {
		k := 0
		for _, at := range nodes {
			k += shape.IfElse(is(at), 1, 0)
		}
		w += shape.IfElse(2*k > n, weight, 0)
	}
	most(hasExpected, 5)
	most(func(at *node) bool { return saysOutcome(at.ownMembers()) }, 3)
	most(hasOpening, 3)
	most(func(at *node) bool {
		return at.v.Kind() == jsonval.Array && len(at.kids) > 0 && at.kids[0].calls != nil || at.v.Kind() == jsonval.Array && len(at.calls) > 0
	}, 3)
	most(func(at *node) bool {
		return len(at.calls) == 0 && slices.ContainsFunc(at.kids, (*node).listsCalls) || at.tellsText()
	}, 2)
	most(func(at *node) bool { return len(at.calls) == 1 && !at.tellsText() }, -3)
	most(func(at *node) bool {
		return shape.RoleOf(at.o) != "" || at.o.IsText("user") && at.o.IsText("assistant") || shape.IsExchange(at.o)
	}, -6)
	most(isPart, -3)
	most(func(at *node) bool { return len(at.up.o.Keys) > 0 }, 2) // an entry of a map
	most(func(at *node) bool { return at.v.Kind() == jsonval.Array }, 1)
	scalar := func(v jsonval.Value) bool { return v.Kind() == jsonval.String || v.Kind() == jsonval.Number }
	w += shape.IfElse(areDistinct(all, scalar, func(key string) bool { return hasWord(key, runWords) }), 2, 0)
	w += shape.IfElse(areDistinct(all, scalar, func(key string) bool { return endsIn(key, idWords+" name") }), 1, 0)
	w += shape.IfElse(areDistinct(all, shape.IsSentence, func(string) bool { return true }), 3, 0)
	if areGrowing(nodes) && !areDistinct(all, scalar, func(key string) bool { return endsIn(key, idWords) }) {
		w -= 6
	}
	if w > 0 && len(all) > 1 && partCalls(asGroups(all)) {
		w -= 12
	}
	switch list := nodes[0].up.key; {
	case list == "":
	case endsIn(list, trialLists):
		w += 6
	case endsIn(list, "turn interaction exchange round"):
		w -= 12
	case endsIn(list, partLists):
		w -= 4
	case endsIn(list, runLists):
		w += 2
	}
	return w
}

// listsCalls reports whether a node is a list of which some elements are calls, or an object
// around one.
func (n *node) listsCalls() bool {
	return n.holds > 1 || len(n.calls) > 0 && n.v.Kind() == jsonval.Array || slices.ContainsFunc(n.kids, func(k *node) bool { return k.listed && k.holds > 0 || !k.listed && k.listsCalls() })
}

func hasExpected(n *node) bool {
	return !isPair(n) && (shape.OwnsSettings(n.o) || slices.ContainsFunc(n.kids, func(k *node) bool { return k.expected && !n.expected && k.wantsCalls() })) || holdsPairs(n)
}

// isPair reports whether a node is one step of a comparison: a call that was made beside the one
// that was expected.
func isPair(n *node) bool {
	return n.holds < 2 && !hasOpening(n) && !slices.ContainsFunc(n.kids, func(k *node) bool { return k.v.Kind() == jsonval.Array && k.holds > 0 }) &&
		slices.ContainsFunc(n.kids, func(k *node) bool { return k.expected && len(k.calls) == 1 && k.v.Kind() == jsonval.Object })
}

func holdsPairs(n *node) bool {
	return slices.ContainsFunc(n.kids, func(k *node) bool { return k.listed && isPair(k) || !k.listed && k.up != nil && holdsPairs(k) })
}

// wantsCalls reports whether a node of an expected side has calls in it.
func (n *node) wantsCalls() bool {
	return len(n.calls) > 0 || slices.ContainsFunc(n.kids, (*node).wantsCalls)
}

func hasOpening(n *node) bool {
	o := n.ownMembers()
	for i, key := range o.Keys {
		if v := o.Values[i]; shape.IsSentence(v) && hasWord(key, openingWords+" input user") && !hasWord(key, resultWords) {
			return true
		}
	}
	return slices.ContainsFunc(n.kids, func(k *node) bool {
		return k.v.Kind() == jsonval.Array && len(k.kids) > 0 && shape.OneOf(shape.RoleOf(k.kids[0].o), "user system")
	})
}

// isPart reports whether a node can only be a part of a run, such as a step.
func isPart(n *node) bool {
	for _, key := range n.o.Keys {
		if shape.OneOf(strings.ToLower(key), "step step_number stepnumber step_index turn thought observation parent_id parentid parent type kind event ev say agent speaker") {
			return true
		}
	}
	return false
}

// ownMembers returns the members of a node and of the objects in it that may say what it is.
func (n *node) ownMembers() *shape.Object {
	if n.all != nil {
		return n.all
	}
	n.all = &shape.Object{Value: n.v, Keys: slices.Clone(n.o.Keys), Values: slices.Clone(n.o.Values)}
	for _, k := range n.kids {
		if !k.listed && !k.expected && len(k.calls) == 0 && (k.holds > 0 || hasWord(k.key, runWords+" meta metadata info")) {
			inner := k.ownMembers()
			n.all.Keys, n.all.Values = append(n.all.Keys, inner.Keys...), append(n.all.Values, inner.Values...)
		}
	}
	return n.all
}

// areDistinct reports whether the nodes have a member of which name and values are accepted, with
// another value in each.
func areDistinct(nodes []*node, value func(jsonval.Value) bool, name func(key string) bool) bool {
	first := nodes[0].ownMembers()
	for i, key := range first.Keys {
		if len(nodes) < 2 || !value(first.Values[i]) || !name(key) {
			continue
		}
		seen := map[string]bool{}
		for _, n := range nodes {
			seen[n.ownMembers().MemberNamed(key).Raw()] = true
		}
		if len(seen) == len(nodes) && !seen[""] {
			return true
		}
	}
	return false
}

// areGrowing reports whether each node has the calls of the one before, and some have more.
func areGrowing(nodes []*node) bool {
	var last []string
	more := false
	for i, n := range nodes {
		var calls []string
		n.visitAll(func(k *node) bool {
			for _, c := range k.calls {
				calls = append(calls, c.spellCall())
			}
			return !k.expected
		})
		if i > 0 && (len(calls) < len(last) || !slices.Equal(calls[:len(last)], last)) {
			return false
		}
		more, last = more || i > 0 && len(calls) > len(last), calls
	}
	return more
}

// findThreads groups rows by the id of their run, or by the row that is their parent. It returns
// nil if the level of records says more, or if there is no such id.
func (t *tree) findThreads(level string, weight int) []*Run {
	for _, p := range t.paths {
		rows := t.at[p]
		if !rows[0].listed || rows[0].expected {
			continue
		}
		if p == level && weight > 5 || len(p) > len(level) && weight > 3 {
			return nil
		}
		calls := 0
		for _, n := range rows {
			calls += shape.IfElse(len(n.calls) > 0 || n.holds == 1, 1, 0)
		}
		if len(rows) < 2 || calls == 0 || sumCalls(rows) != t.root.holds || slices.ContainsFunc(rows, func(n *node) bool { return n.holds > 1 && len(n.calls) == 0 }) {
			continue
		}
		of := threadOf(rows)
		if of == nil {
			of = parentOf(rows)
		}
		if of == nil {
			continue
		}
		var groups [][]*node
		index := map[string]int{}
		for _, n := range rows {
			id := of(n)
			i, known := index[id]
			if !known {
				i, groups = len(groups), append(groups, nil)
				index[id] = i
			}
			groups[i] = append(groups[i], n)
		}
		var runs []*Run
		if partCalls(groups) {
			continue
		}
		for _, g := range groups {
			if sumCalls(g) > 0 || slices.ContainsFunc(g, saysWords) || slices.ContainsFunc(g, boundsRun) {
				r := newRun(g...)
				if r.Name == "" {
					r.Name = of(g[0])
				}
				runs = append(runs, r)
			}
		}
		return runs
	}
	return nil
}

// partCalls reports whether a row points at a call of another group that its own group has not. Then the groups
// are no runs, because the result of a call is in its run.
func partCalls(groups [][]*node) bool {
	of, own := map[string]bool{}, make([]map[string]bool, len(groups))
	for i, g := range groups {
		own[i] = map[string]bool{}
		for _, n := range g {
			n.visitAll(func(k *node) bool {
				for _, c := range k.calls {
					of[c.ID], own[i][c.ID] = c.ID != "", true
				}
				return !k.expected
			})
		}
	}
	for i, g := range groups {
		for _, n := range g {
			points := false
			n.visitAll(func(k *node) bool {
				for j, key := range k.o.Keys {
					if text := k.o.Values[j].Text(); of[text] && !own[i][text] && hasWord(key, "call") && endsIn(key, idWords) {
						points = true
					}
				}
				return !points && !k.inside && !k.expected
			})
			if points {
				return true
			}
		}
	}
	return false
}

func asGroups(nodes []*node) (groups [][]*node) {
	for i := range nodes {
		groups = append(groups, nodes[i:i+1])
	}
	return groups
}

// eventWord returns the word that says of which sort the event in a row is, or "".
func eventWord(n *node) string {
	for i, key := range n.o.Keys {
		if word, ok := n.o.Values[i].Str(); ok && endsIn(key, "event ev kind type") && len(word) < 48 {
			return word
		}
	}
	return ""
}

// endsCall reports whether a row is the event at the end of a call. What it says of success is said of the call.
func endsCall(n *node) bool {
	word := eventWord(n)
	return hasWord(word, "tool function action observation") && hasWord(word, shape.EndWords+" "+resultWords)
}

// boundsRun reports whether a row is a run itself, or the event at its begin or its end, so that the run is one also
// if it has no call.
func boundsRun(n *node) bool {
	word := eventWord(n)
	return hasWord(word, runWords) && (len(shape.SplitWords(word)) == 1 || hasWord(word, "start started begin begun open opened create created "+shape.EndWords))
}

// saysWords reports whether a row has words of a conversation, so that it is a part of a run also if the run
// has no call.
func saysWords(n *node) bool {
	for i, key := range n.o.Keys {
		if shape.IsSentence(n.o.Values[i]) && endsIn(key, "text message content query input prompt utterance") {
			return true
		}
	}
	return false
}

func sumCalls(nodes []*node) (calls int) {
	for _, n := range nodes {
		calls += n.holds
	}
	return calls
}

// threadOf returns the function that returns the id of the run of a row, or nil.
func threadOf(rows []*node) func(*node) string {
	for i, key := range rows[0].o.Keys {
		if k := rows[0].o.Values[i].Kind(); k != jsonval.String && k != jsonval.Number || !hasWord(key, runWords) {
			continue
		}
		seen, all := map[string]bool{}, true
		for _, n := range rows {
			id := n.o.MemberNamed(key).Raw()
			seen[id], all = true, all && id != "" && id != "null"
		}
		if all {
			return func(n *node) string { return n.o.MemberNamed(key).Text() }
		}
	}
	return nil
}

// parentOf returns the function that returns the id of the outermost row around a row, or nil if
// the rows are no tree.
func parentOf(rows []*node) func(*node) string {
	parentKey := ""
	for _, n := range rows {
		for _, key := range n.o.Keys {
			if hasWord(key, "parent") && parentKey == "" && n.o.MemberNamed(key).Kind() != jsonval.Null {
				parentKey = key
			}
		}
	}
	if parentKey == "" {
		return nil
	}
	for _, key := range rows[0].o.Keys {
		if !endsIn(key, "id uuid") || key == parentKey {
			continue
		}
		byID, known := map[string]*node{}, false
		for _, n := range rows {
			if id := n.o.MemberNamed(key).Text(); id != "" {
				byID[id] = n
			}
		}
		for _, n := range rows { // what points at a call is its result
			parent := byID[n.o.MemberNamed(parentKey).Text()]
			known = known || parent != nil && len(parent.calls) == 0
		}
		if known {
			return func(n *node) string {
				id := n.o.MemberNamed(key).Text()
				for range maxDepth {
					parent := byID[n.o.MemberNamed(parentKey).Text()]
					if parent == nil {
						break
					}
					n, id = parent, parent.o.MemberNamed(key).Text()
				}
				return id
			}
		}
	}
	return nil
}

// readItems reads the messages and calls of a run in their order, and what should have been done.
func (r *Run) readItems() {
	if r.wanted != nil {
		r.addWanted(r.wanted)
	}
	defer r.wantAround()
	for _, o := range r.Records {
		for i, key := range o.Keys {
			if v := o.Values[i]; len(r.Items) == 0 && shape.IsSentence(v) && hasWord(key, openingWords+" input user") && !hasWord(key, resultWords+" "+sideWords) {
				r.Items = append(r.Items, Item{Role: "user", Text: v.Text()})
			}
		}
	}
	r.node.visitAll(func(n *node) bool {
		switch role := shape.RoleOf(n.o); {
		case n.inside:
			return false
		case n.expected:
			if n.wantsCalls() {
				r.addWanted(n)
			}
			return false
		case role != "":
			if text := shape.ContentText(n.o.FirstNonNull("content parts text value")); text != "" && n.calls == nil {
				r.Items = append(r.Items, Item{Role: role, Text: text})
			}
		}
		if n.calls == nil {
			r.addWords(n.o, slices.Contains(r.Records, n.o))
		}
		for _, c := range n.calls {
			r.Items = append(r.Items, Item{Call: c})
		}
		return true
	})
	r.joinWrapped()
	r.linkResults()
}

// joinWrapped takes away each call whose span stands in the span of an equal call: they are one call, as its wrapper
// and its function tell it. The outer one gets the result of the inner one if it has none.
func (r *Run) joinWrapped() {
	type span struct {
		call   *Call
		parent string
	}
	spans, own := map[string]span{}, map[*Call]string{}
	r.node.visitAll(func(n *node) bool {
		if n.inside || n.expected {
			return false
		}
		if i := slices.IndexFunc(n.o.Keys, func(key string) bool { return hasWord(key, "parent") && n.o.MemberNamed(key).Text() != "" }); i >= 0 || len(n.calls) == 1 {
			id, at := n.o.FirstText("span_id spanId spanID id uuid uid"), span{}
			if i >= 0 {
				at.parent = n.o.Values[i].Text()
			}
			if len(n.calls) == 1 && id != "" {
				at.call = n.calls[0]
				own[at.call] = at.parent
			}
			spans[id] = at
		}
		return true
	})
	gone := map[*Call]bool{}
	for c, parent := range own {
		for range maxDepth {
			outer, known := spans[parent]
			if !known || outer.call == c {
				break
			}
			if o := outer.call; o != nil && o.spellCall() == c.spellCall() {
				if gone[c] = true; !o.Result.Exists() {
					o.Result = c.Result
				}
				break
			}
			parent = outer.parent
		}
	}
	if len(gone) > 0 {
		r.Items = slices.DeleteFunc(r.Items, func(item Item) bool { return gone[item.Call] })
	}
}

// addWords adds the words of the user that an object inside a run has: in a member with the name of the
// user if it is no record, or as the text of an event of the user.
func (r *Run) addWords(o *shape.Object, record bool) {
	const users = "user human customer client"
	said := false
	for i, key := range o.Keys {
		v := o.Values[i]
		if !record && shape.IsSentence(v) && hasWord(key, users) && endsIn(key, users+" message text input query request utterance") && !hasWord(key, resultWords) {
			r.Items = append(r.Items, Item{Role: "user", Text: v.Text()})
			return
		}
		said = said || v.Kind() == jsonval.String && endsIn(key, "type kind event from speaker who actor sender source author") && hasWord(v.Text(), users) && len(v.Text()) < 24
	}
	if text := o.FirstString("text content message value utterance said body data query input"); said && text != "" && shape.RoleOf(o) == "" {
		r.Items = append(r.Items, Item{Role: "user", Text: text})
	}
}

// wantAround takes what should have been done from the object around a list of trials, if the run
// itself says nothing.
func (r *Run) wantAround() {
	for up := r.node.up; up != nil && up.up != nil && !r.Expects; up = up.up {
		for _, kid := range up.wantedKids() {
			r.addWanted(kid)
		}
	}
}

// wantedKids returns the members of an object that say what should have been done. It looks for them once.
func (n *node) wantedKids() []*node {
	if n.wanted == nil {
		n.wanted = []*node{}
		for _, kid := range n.kids {
			if kid.expected && kid.v.Kind() != jsonval.Missing && kid.wantsCalls() && !kid.listed && kid.holds == 0 {
				n.wanted = append(n.wanted, kid)
			}
		}
	}
	return n.wanted
}

// addWanted adds the calls in a node to what should have been done.
func (r *Run) addWanted(n *node) {
	r.Expects = true
	n.visitAll(func(k *node) bool { r.Wanted = append(r.Wanted, k.calls...); return true })
}

// wantNames reads a list of names of tools as what should have been done, if the text has a call
// of one of them.
func (r *Run) wantNames(t *tree) {
	for _, k := range r.node.kids {
		if !k.expected || r.Expects || k.v.Kind() != jsonval.Array || k.v.Len() == 0 || len(k.kids) > 0 {
			continue
		}
		known := false
		for _, e := range k.v.Elements() {
			if !isToolText(e) {
				known = false
				break
			}
			known = known || t.names[e.Text()]
		}
		if !known {
			continue
		}
		r.Expects = true
		for _, e := range k.v.Elements() {
			r.Wanted = append(r.Wanted, &Call{Name: e.Text(), At: k.at})
		}
	}
}

// spellCall returns the name and the arguments of a call as one text.
func (c *Call) spellCall() string {
	if c.spelling == "" {
		c.spelling = c.Name + "\x00" + c.Arguments.Canonical()
	}
	return c.spelling
}

// joinCases gives a run what a case says that stands elsewhere in the text and has an id of the
// run. It returns the number of cases that are of no run.
func (t *tree) joinCases(runs []*Run) (unused int) {
	roots := make(map[*node]bool, len(runs))
	for _, r := range runs {
		roots[r.node] = true
	}
	var byID map[string][]*Run
	for _, n := range t.nodes {
		if n.expected || roots[n] || !slices.ContainsFunc(n.kids, func(k *node) bool { return k.expected && k.wantsCalls() }) || n.holds > 0 || n.inside {
			continue
		}
		if byID == nil {
			byID = indexIDs(runs)
		}
		var found []*Run
		for _, id := range idsOf(n.o) {
			for _, r := range byID[id] {
				if len(found) == 0 || found[0] != r {
					found = append(found, r)
				}
			}
		}
		if len(found) != 1 {
			unused++
			continue
		}
		for _, k := range n.kids {
			if k.expected && (!found[0].Expects || found[0].from == n) {
				found[0].from = n
				found[0].addWanted(k)
			}
		}
	}
	return unused
}

// indexIDs returns runs by the ids of their first records.
func indexIDs(runs []*Run) map[string][]*Run {
	byID := map[string][]*Run{}
	for _, r := range runs {
		if len(r.Records) > 0 {
			for _, id := range idsOf(r.Records[0]) {
				byID[id] = append(byID[id], r)
			}
		}
	}
	return byID
}

// idsOf returns the values of an object's members for an id or a case.
func idsOf(o *shape.Object) (ids []string) {
	for i, key := range o.Keys {
		if k := o.Values[i].Kind(); (k == jsonval.String || k == jsonval.Number) && endsIn(key, idWords+" name "+runWords+" task") {
			ids = append(ids, o.Values[i].Raw())
		}
	}
	return ids
}

// saysOutcome reports whether the members of a record say how the run ended.
func saysOutcome(o *shape.Object) bool {
	e := shape.OutcomeOf(o)
	return e.Yes || e.No || e.Unclear || len(e.Scores) == 1 || o.HasAny("ok okay") || o.SaysFailed(false)
}
