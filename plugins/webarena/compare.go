package webarena

import (
	"fmt"
	"strings"
)

// difference is one place where two pages differ.
type difference struct {
	path, field, obs, ref string
}

// maxDifferences is the largest number of listed differences. Two unrelated pages have
// thousands.
const maxDifferences = 20

// compareTrees returns the places where two pages differ, as XPaths. It returns at most
// maxDifferences places, and none if the pages are equal. The time is O(nodes).
func compareTrees(obs, ref *node) []difference {
	c := &comparison{}
	c.compareNodes(obs, ref, "")
	return c.out
}

type comparison struct{ out []difference }

func (c *comparison) isFull() bool { return len(c.out) == maxDifferences }

func (c *comparison) addDifference(path, field, obs, ref string) {
	if !c.isFull() {
		c.out = append(c.out, difference{path, field, obs, ref})
	}
}

func (c *comparison) compareNodes(obs, ref *node, above string) {
	if obs.sum == ref.sum || c.isFull() {
		return
	}
	path := above
	if path == "" {
		path = "/" + obs.role
	}
	if obs.role != ref.role {
		c.addDifference(path, "role", obs.role, ref.role)
		return
	}
	if obs.name != ref.name {
		c.addDifference(path, "name", obs.name, ref.name)
	}
	c.compareAttributes(obs, ref, path)
	c.compareChildren(obs, ref, path)
}

func (c *comparison) compareAttributes(obs, ref *node, path string) {
	i, j := 0, 0
	for i < len(obs.attrs) || j < len(ref.attrs) {
		switch {
		case j == len(ref.attrs) || i < len(obs.attrs) && obs.attrs[i].key < ref.attrs[j].key:
			c.addDifference(path, "@"+obs.attrs[i].key, obs.attrs[i].value, "")
			i++
		case i == len(obs.attrs) || ref.attrs[j].key < obs.attrs[i].key:
			c.addDifference(path, "@"+ref.attrs[j].key, "", ref.attrs[j].value)
			j++
		default:
			if obs.attrs[i].value != ref.attrs[j].value {
				c.addDifference(path, "@"+obs.attrs[i].key, obs.attrs[i].value, ref.attrs[j].value)
			}
			i, j = i+1, j+1
		}
	}
}

// compareChildren adds the differences between the children of two nodes. It skips equal
// children at the start and at the end of both lists. If equally many children remain on
// both sides, it compares them in order. Otherwise each remaining child is a difference.
func (c *comparison) compareChildren(obs, ref *node, path string) {
	a, b := obs.children, ref.children
	from := 0
	for from < len(a) && from < len(b) && a[from].sum == b[from].sum {
		from++
	}
	for len(a) > from && len(b) > from && a[len(a)-1].sum == b[len(b)-1].sum {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	if len(a) == len(b) {
		for i := from; i < len(a) && !c.isFull(); i++ {
			if a[i].sum != b[i].sum {
				c.compareNodes(a[i], b[i], path+"/"+xpathStep(obs, i))
			}
		}
		return
	}
	for i := from; i < len(a) && !c.isFull(); i++ {
		c.addDifference(path+"/"+xpathStep(obs, i), "", describeNode(a[i]), "")
	}
	for i := from; i < len(b) && !c.isFull(); i++ {
		c.addDifference(path+"/"+xpathStep(ref, i), "", "", describeNode(b[i]))
	}
}

// xpathStep returns the XPath step from parent to its i-th child, for example "li[2]". It
// omits [1].
func xpathStep(parent *node, i int) string {
	n := 1
	for _, sibling := range parent.children[:i] {
		if sibling.role == parent.children[i].role {
			n++
		}
	}
	if n == 1 {
		return parent.children[i].role
	}
	return fmt.Sprintf("%s[%d]", parent.children[i].role, n)
}

func describeNode(n *node) string { return strings.TrimSpace(n.role + " " + n.name) }
