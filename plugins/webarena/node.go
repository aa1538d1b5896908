package webarena

import (
	"cmp"
	"errors"
	"hash/fnv"
	"slices"
	"strings"
)

// node is an element of a page: of an accessibility tree, or of its source. Properties
// that change at every visit are dropped when it is read.
type node struct {
	role     string // or the tag
	name     string // accessible name, or text
	id       string // the agent's identifier for the element; not compared
	attrs    []pair // sorted
	children []*node
	sum      uint64 // hash of everything that is compared, including the children
}

// Limits of a tree: real pages are smaller.
const (
	maxDepth = 400
	maxNodes = 200_000
)

var (
	errDeep  = errors.New("nested too deeply: more than 400 levels")
	errLarge = errors.New("too large: more than 200000 elements")
)

// volatile holds the attributes that say where the focus or the mouse is, where an
// element is drawn, or how the recording names it. HTML defines nonce to be new at
// every visit.
const volatile = " focused active ref bid bbox box center clickable visible hovered nonce busy cursor "

// linking holds the attributes that name other elements by their identifiers.
const linking = " id for name headers list form controls describedby labelledby owns details errormessage flowto activedescendant " +
	"aria-controls aria-describedby aria-labelledby aria-owns aria-details aria-activedescendant aria-errormessage aria-flowto "

// addressing holds the attributes that contain a URL.
const addressing = " url href src action formaction poster data cite "

// addAttribute adds an attribute in normal form. It drops a volatile attribute, and an
// attribute whose value is new at every visit.
func (n *node) addAttribute(key, value string) {
	key = strings.ToLower(key)
	word := " " + key + " "
	switch {
	case strings.Contains(volatile, word), isTransient(value):
		return
	case strings.Contains(linking, word):
		value = stableIdentifier(value)
	case strings.Contains(addressing, word):
		value = stableURL(value)
	case key == "class":
		words := strings.Fields(stableIdentifier(value))
		slices.Sort(words)
		value = strings.Join(words, " ")
	default:
		value = stableText(value)
	}
	n.attrs = append(n.attrs, pair{key, value})
}

// hashTree computes the hash of each node of a tree from its attributes and children,
// leaves first.
func (n *node) hashTree() {
	slices.SortFunc(n.attrs, func(a, b pair) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.value, b.value)) })
	h := fnv.New64a()
	put := func(s string) { h.Write([]byte(s)); h.Write([]byte{0}) }
	put(n.role)
	put(n.name)
	for _, a := range n.attrs {
		put(a.key)
		put(a.value)
	}
	for _, c := range n.children {
		c.hashTree()
		var b [8]byte
		for i := range b {
			b[i] = byte(c.sum >> (8 * i))
		}
		h.Write(b[:])
	}
	n.sum = h.Sum64()
}

// allNames returns all names on a page, one on each line.
func (n *node) allNames() string {
	var b strings.Builder
	n.each(func(x *node) bool {
		if x.name != "" {
			b.WriteString(x.name + "\n")
		}
		return true
	})
	return b.String()
}

// findElement returns the first element with the given identifier, such as "12". It
// returns nil if there is none.
func (n *node) findElement(id string) (found *node) {
	n.each(func(x *node) bool {
		if x.id == id {
			found = x
		}
		return found == nil
	})
	return found
}

// each calls f with every node of a tree, parents before children. It stops as soon as f
// returns false.
func (n *node) each(f func(*node) bool) bool {
	if !f(n) {
		return false
	}
	for _, c := range n.children {
		if !c.each(f) {
			return false
		}
	}
	return true
}

// growing is a tree under construction, with the elements that are still open.
type growing struct {
	root  *node
	open  []*node
	count int
}

// addNode adds an element to the tree at the given depth, which begins at 0. The parent
// is the last element that was added one level above. addNode returns an error if the
// tree becomes too deep or too large.
func (g *growing) addNode(n *node, depth int) error {
	g.count++
	switch {
	case g.count > maxNodes:
		return errLarge
	case depth >= maxDepth:
		return errDeep
	case g.root == nil:
		g.root = &node{}
		g.open = []*node{g.root}
	}
	g.open = g.open[:min(depth+1, len(g.open))]
	parent := g.open[len(g.open)-1]
	parent.children = append(parent.children, n)
	g.open = append(g.open, n)
	return nil
}

// finishTree returns the tree. It returns nil if nothing was added.
func (g *growing) finishTree() *node {
	if g.root == nil {
		return nil
	}
	root := g.root
	if len(root.children) == 1 {
		root = root.children[0]
	}
	root.hashTree()
	return root
}
