package main

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// heading is a heading of a page.
type heading struct {
	ID, Text string
	Level    int
	from     int      // where it begins in the source
	words    []string // of its section, each once
}

var word = regexp.MustCompile(`[\pL\pN_][\pL\pN_.-]*[\pL\pN_]`)

// withWords adds the words of each section, up to the next heading, in the order in which
// they come. The words of the heading itself are not among them.
func withWords(outline []heading, source []byte) []heading {
	for i := range outline {
		end := len(source)
		if i+1 < len(outline) {
			end = outline[i+1].from
		}
		seen := map[string]bool{}
		for _, w := range word.FindAllString(strings.ToLower(outline[i].Text), -1) {
			seen[w] = true
		}
		for _, w := range word.FindAllString(strings.ToLower(string(source[outline[i].from:end])), -1) {
			if len(w) > 2 && !seen[w] {
				seen[w] = true
				outline[i].words = append(outline[i].words, w)
			}
		}
	}
	return outline
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

// searchIndex returns the module with the headings of all pages and the words of their
// sections, in the order of the menu.
func (s *site) searchIndex() []byte {
	type entry struct {
		Address string `json:"address"`
		Title   string `json:"title"`
		Page    string `json:"page"`
		Words   string `json:"words,omitempty"`
	}
	entries := []entry{}
	for _, p := range s.pages {
		first := entry{p.Name + ".html", p.Title, p.Title, ""}
		var inside []entry
		for _, h := range s.outlines[p.Name] {
			if said := strings.Join(h.words, " "); h.Level > 1 {
				inside = append(inside, entry{p.Name + ".html#" + h.ID, h.Text, p.Title, said})
			} else {
				first.Words = said
			}
		}
		entries = append(append(entries, first), inside...)
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
