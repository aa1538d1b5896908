// Package byshape finds the runs and calls in JSON of a form that nobody described. It looks at
// the whole text: which member of the objects at one place holds names of tools, which one
// beside it their arguments, and which objects around them are records of runs. The names of
// members are hints and never needed. Its laws: a thing that holds calls is no call, what should
// have been done is not what was done, and a list that repeats the calls of another adds none.
package byshape

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/literal"
	"github.com/boundcheck/boundcheck/core/read/shape"
)

// maxDepth and maxNodes limit what is searched of a text. If a text has more, nothing is found
// in it.
const (
	maxDepth = 32
	maxNodes = 1 << 18
)

// node is an object or a list of the text, or a text that contains one.
type node struct {
	v        jsonval.Value // of a text that contains JSON: what it contains
	at       jsonval.Value // the value in the text
	o        *shape.Object // without members if v is a list
	up       *node
	key      string // the name of the member, or of the entry of a map
	path     string // the names of the members down to here, with # for the elements of lists and the entries of maps
	kids     []*node
	order    int
	listed   bool // an element of a list, or an entry of a map
	expected bool // a part of what should have been done
	inside   bool // in the arguments or the result of a call
	calls    []*Call
	holds    int           // the calls that were made in it
	all      *shape.Object // see ownMembers
	wanted   []*node       // see wantedKids; nil until it is needed
	lists    []besideList  // see listsBeside; nil until it is needed
}

// besideList is a list with one element for each element of another.
type besideList struct {
	key    string
	values []jsonval.Value
}

// tree is all nodes of a text.
type tree struct {
	root  *node
	nodes []*node            // in the order of the text
	at    map[string][]*node // by their path
	paths []string           // in the order of the text
	names map[string]bool    // of the tools that are called
}

func newTree(values []jsonval.Value) *tree {
	t := &tree{at: map[string][]*node{}, names: map[string]bool{}}
	t.root = &node{o: &shape.Object{}}
	t.addNode(t.root)
	for _, v := range values {
		if k := v.Kind(); k == jsonval.Object || k == jsonval.Array {
			t.growNode(v, jsonval.Value{}, t.root, "", "#", true, 0)
		}
	}
	if len(t.nodes) > maxNodes {
		return &tree{root: t.root, at: map[string][]*node{}}
	}
	return t
}

func (t *tree) addNode(n *node) {
	n.order = len(t.nodes)
	t.nodes = append(t.nodes, n)
	if t.at[n.path] == nil {
		t.paths = append(t.paths, n.path)
	}
	t.at[n.path] = append(t.at[n.path], n)
}

// growNode adds the node of a value. text is the text around it that contains JSON, or Missing.
func (t *tree) growNode(v, text jsonval.Value, up *node, key, path string, listed bool, depth int) {
	if depth > maxDepth || len(t.nodes) > maxNodes {
		return
	}
	n := &node{v: v, at: shape.IfElse(text.Exists(), text, v), o: shape.OpenObject(v), up: up, key: key, path: path, listed: listed}
	n.expected = up.expected || !listed && isExpected(key)
	up.kids = append(up.kids, n)
	t.addNode(n)
	if v.Kind() == jsonval.Array {
		for _, e := range v.Elements() {
			t.growValue(e, text, n, "", path+".#", true, depth)
		}
		return
	}
	mapped := isMap(n.o)
	for i, name := range n.o.Keys {
		if !mapped && shape.IsApart(name) {
			continue
		}
		t.growValue(n.o.Values[i], text, n, name, path+"."+shape.IfElse(mapped, "#", name), mapped, depth)
	}
}

func (t *tree) growValue(v, text jsonval.Value, up *node, key, path string, listed bool, depth int) {
	inner := v
	if v.Kind() == jsonval.String {
		raw := v.Raw()
		if len(raw) < 4 || raw[1] != '{' && raw[1] != '[' || key == "content" && shape.OneOf(shape.RoleOf(up.o), "user system tool") {
			return
		}
		if inner = shape.EncodedValue(v); inner.Kind() == jsonval.String {
			inner = literal.Python(v.Text())
		}
		text = shape.IfElse(text.Exists(), text, v)
	}
	if k := inner.Kind(); k == jsonval.Object || k == jsonval.Array {
		t.growNode(inner, text, up, key, path, listed, depth+1)
	}
}

// isMap reports whether the members of an object are entries of one kind under their ids.
func isMap(o *shape.Object) bool {
	if len(o.Keys) == 0 {
		return false
	}
	first, numbered := o.Values[0], true
	a := shape.OpenObject(first)
	for i, key := range o.Keys {
		v := o.Values[i]
		if v.Kind() != first.Kind() || v.Kind() != jsonval.Object && v.Kind() != jsonval.Array || v.Len() == 0 && len(o.Keys) == 1 {
			return false
		}
		numbered = numbered && strings.ContainsAny(key, "0123456789")
		if b := shape.OpenObject(v); v.Kind() == jsonval.Object && !(shape.LooksLike(a, b) && shape.LooksLike(b, a)) && !(isMap(a) && isMap(b)) || isExpected(key) {
			return false
		}
	}
	if numbered || len(o.Keys) > 1 && isMap(a) && !slices.ContainsFunc(o.Values, func(v jsonval.Value) bool {
		return !isMap(shape.OpenObject(v)) || !alikeEntries(a, shape.OpenObject(v))
	}) {
		return true
	}
	return len(o.Keys) > 2 && !slices.ContainsFunc(o.Values, func(v jsonval.Value) bool {
		return v.Kind() == jsonval.Array || !slices.Equal(shape.OpenObject(v).Keys, a.Keys)
	})
}

// alikeEntries reports whether the entries of two maps look alike.
func alikeEntries(a, b *shape.Object) bool {
	return a.Values[0].Kind() == jsonval.Object && shape.LooksLike(shape.OpenObject(a.Values[0]), shape.OpenObject(b.Values[0]))
}

// visitAll visits a node and those in it, until visit returns false for one: then it leaves out
// what is in it.
func (n *node) visitAll(visit func(*node) bool) {
	if visit(n) {
		for _, kid := range n.kids {
			kid.visitAll(visit)
		}
	}
}

// memberNode returns the node of a member, or nil.
func (n *node) memberNode(key string) *node {
	for _, k := range n.kids {
		if k.key == key && !k.listed {
			return k
		}
	}
	return nil
}
