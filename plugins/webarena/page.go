package webarena

import (
	"encoding/json"
	"strings"
)

// page holds what is known of a page: its address in normal form and, if an observation
// showed it, its tree.
type page struct {
	url    string // "" if it is not known
	tree   *node
	names  *node  // an outdated tree, used only for the names of elements
	text   string // all text on it
	source bool   // text comes from the page's source, not only from an accessibility tree
	err    error  // the reason why a tree cannot be read
}

// observed holds the members of an observation that are read.
type observed struct {
	URL    any      `json:"url"` // a text, or the texts of several pages
	URLs   []string `json:"open_pages_urls"`
	Active any      `json:"active_page_index"`
	Tree   string   `json:"axtree_txt"`
	Text   string   `json:"text"`
	A11y   string   `json:"accessibility_tree"`
	HTML   string   `json:"html"`
	Pruned string   `json:"pruned_html"`
	DOM    string   `json:"dom"`
}

// readPage returns the page that an observation shows. The observation is an address, a
// tree in text, HTML, or an object with some of them. For any other text the page is
// empty.
func readPage(text string) (p page) {
	text = strings.TrimSpace(text)
	switch {
	case text == "":
	case isURL(text):
		p.url = normalURL(text)
	case text[0] == '{':
		p.readObject(text)
	case text[0] == '<':
		p.readHTML(text)
	default:
		p.readTreeText(text)
	}
	return p
}

func (p *page) readObject(text string) {
	var o observed
	if json.Unmarshal([]byte(text), &o) != nil {
		return
	}
	p.url = o.pageURL()
	if source := firstNonEmpty(o.HTML, o.DOM, o.Pruned); source != "" {
		p.readHTML(source)
	}
	if tree := firstNonEmpty(o.Tree, o.A11y, o.Text); tree != "" {
		url := p.url
		if p.readTreeText(tree); url != "" {
			p.url = url
		}
	}
}

func (o *observed) pageURL() string {
	switch v := o.URL.(type) {
	case string:
		return normalURL(v)
	case []any:
		if len(v) > 0 {
			if text, ok := v[0].(string); ok {
				return normalURL(text)
			}
		}
	}
	active := 0
	switch v := o.Active.(type) {
	case float64:
		active = int(v)
	case []any:
		if len(v) == 1 {
			if n, ok := v[0].(float64); ok {
				active = int(n)
			}
		}
	}
	if active >= 0 && active < len(o.URLs) {
		return normalURL(o.URLs[active])
	}
	return ""
}

func firstNonEmpty(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}

// readTreeText stores the tree and the address from a text. The address is on a line
// "URL: ...", which may be missing.
func (p *page) readTreeText(text string) {
	for line := range strings.Lines(text) {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(line), "URL:"); ok && isURL(rest) {
			p.url = normalURL(rest)
		}
	}
	tree, err := parseTree(text)
	if p.err = err; tree != nil {
		p.tree = tree
		if !p.source {
			p.text = tree.allNames()
		}
	}
}

func (p *page) readHTML(text string) {
	tree, err := parseHTML(text)
	p.tree, p.err, p.source = tree, err, true
	p.text = unescapeHTML(text)
}
