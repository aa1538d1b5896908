package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core"
)

// TestSite checks that the site has a page for every file in docs, and an example for
// every format. No page may have a script other than the search, or a style of its own,
// because the server's policy forbids scripts and styles in a page. TestSite does not check links, because writeSite does.
func TestSite(t *testing.T) {
	first, second := t.TempDir(), t.TempDir()
	for _, dir := range []string{first, second} {
		if err := writeSite("../..", dir); err != nil {
			t.Fatal(err)
		}
	}
	read := func(dir, name string) []byte {
		t.Helper()
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	made, _ := filepath.Glob(filepath.Join(first, "*"))
	for _, file := range made {
		name := filepath.Base(file)
		if name == "pictures" {
			continue
		}
		text := read(first, name)
		if !bytes.Equal(text, read(second, name)) {
			t.Errorf("%s differs from one run to the next", name)
		}
		if strings.HasSuffix(name, ".html") {
			text = bytes.Replace(text, []byte(`<script type="module" src="search.js"></script>`), nil, 1)
			for _, bad := range []string{"<script", "style=\"", "<!-- raw HTML omitted -->", "src=\"http"} {
				if bytes.Contains(text, []byte(bad)) {
					t.Errorf("%s holds %s", name, bad)
				}
			}
		}
	}
	sources, _ := filepath.Glob("../../docs/*.md")
	for _, s := range sources {
		read(first, strings.TrimSuffix(filepath.Base(s), ".md")+".html")
	}
	formats := string(read(first, "formats.html"))
	for _, f := range core.Formats() {
		if !strings.Contains(formats, ">"+f+"</h2>") {
			t.Errorf("format %s is not on the page", f)
		}
	}
	if metrics := read(first, "metrics.html"); !bytes.Contains(metrics, []byte(`src="pictures/abs.svg"`)) {
		t.Error("the metrics have no picture")
	}
	if faq := read(first, "faq.html"); !bytes.Contains(faq, []byte(`href="metrics.html"`)) {
		t.Error("links between pages are not those of the site")
	}
	if gate := read(first, "gate.html"); !bytes.Contains(gate, []byte(`<details class="contents"`)) {
		t.Error("a long page has no list of its contents")
	}
	checkIndex(t, first, read(first, "search-index.js"))
	read(first, "pictures/abs.svg")
	read(first, "report.schema.json")
}

// checkIndex checks that the index of the search has each heading with an id that the pages
// have, at its address, and nothing else.
func checkIndex(t *testing.T, dir string, index []byte) {
	t.Helper()
	var entries []struct{ Address, Title, Page string }
	if err := json.Unmarshal(bytes.TrimPrefix(index, []byte("export const headings = ")), &entries); err != nil {
		t.Fatal(err)
	}
	indexed := map[string]bool{}
	for _, e := range entries {
		if e.Title == "" || e.Page == "" || indexed[e.Address] {
			t.Errorf("entry %+v", e)
		}
		indexed[e.Address] = true
	}
	heads := regexp.MustCompile(`<h[2-6] id="([^"]+)"`)
	want := 0
	made, _ := filepath.Glob(filepath.Join(dir, "*.html"))
	for _, file := range made {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		want++
		if !indexed[filepath.Base(file)] {
			t.Errorf("%s is not in the index", filepath.Base(file))
		}
		for _, m := range heads.FindAllSubmatch(text, -1) {
			want++
			if address := filepath.Base(file) + "#" + string(m[1]); !indexed[address] {
				t.Errorf("%s is not in the index", address)
			}
		}
	}
	if want != len(indexed) {
		t.Errorf("the index has %d addresses, the pages have %d", len(indexed), want)
	}
}

// TestDeadLink checks that a link to a missing page or heading is an error.
func TestDeadLink(t *testing.T) {
	s := site{root: ".", headings: map[string]map[string]bool{"a": {"x": true}}}
	s.links = []link{{"a", "a", "x"}, {"a", "b", ""}}
	if err := s.checkLinks(); err == nil || !strings.Contains(err.Error(), "a links to b#") {
		t.Error(err)
	}
	s.links = []link{{"a", "a", "y"}}
	if err := s.checkLinks(); err == nil {
		t.Error("no error")
	}
}

// TestRemoveOld checks that writeSite replaces an older site, and does not change a
// folder that holds anything else.
func TestRemoveOld(t *testing.T) {
	dir := t.TempDir()
	kept := filepath.Join(dir, "thesis.md")
	for _, name := range []string{kept, filepath.Join(dir, "report.schema.json")} { // the source of this schema is not a site
		if err := os.WriteFile(name, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := writeSite("../..", dir); err == nil || !strings.Contains(err.Error(), "contains no older site") {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(kept); err != nil {
		t.Error(err)
	}
	for range 2 { // an older site is replaced
		if err := writeSite("../..", filepath.Join(dir, "site")); err != nil {
			t.Error(err)
		}
	}
}
