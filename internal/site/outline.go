package main

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// heading is a heading of a page.
type heading struct {
	ID, Text string
	Level    int
}

// fewest is the number of sections from which a page has a list of its contents.
const fewest = 4

// contentsOf returns the sections of a page for the list of its contents; none for a short
// page.
func contentsOf(outline []heading) []heading {
	var sections []heading
	for _, h := range outline {
		if h.Level == 2 {
			sections = append(sections, h)
		}
	}
	if len(sections) < fewest {
		return nil
	}
	return sections
}

// searchIndex returns the module with the headings of all pages, in the order of the menu.
func (s *site) searchIndex() []byte {
	type entry struct {
		Address string `json:"address"`
		Title   string `json:"title"`
		Page    string `json:"page"`
	}
	entries := []entry{}
	for _, p := range s.pages {
		entries = append(entries, entry{p.Name + ".html", p.Title, p.Title})
		for _, h := range s.outlines[p.Name] {
			if h.Level > 1 {
				entries = append(entries, entry{p.Name + ".html#" + h.ID, h.Text, p.Title})
			}
		}
	}
	var b bytes.Buffer
	b.WriteString("export const headings = ")
	if err := json.NewEncoder(&b).Encode(entries); err != nil {
		panic(err) // never happens: the entries are strings
	}
	return b.Bytes()
}

// plainText returns the words of a node without its marks.
func plainText(n ast.Node, source []byte) string {
	var b strings.Builder
	ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if t, ok := n.(*ast.Text); ok && entering {
			b.Write(t.Segment.Value(source))
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}
