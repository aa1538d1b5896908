// Command site writes the documentation as a site: docs/*.md and the packages' READMEs, a
// page of formats with one example each, and the JSON Schemas. Long pages begin with a list of
// their contents. The only script is the search. The site loads nothing from
// other sites. Usage: go run ./internal/site OUTDIR
package main

import (
	"bytes"
	"errors"
	"fmt"
	"html/template"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	_ "embed"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

const repository = "https://github.com/boundcheck/boundcheck/blob/main/"

type page struct{ Group, Title, Source, Name string }

// listed are the pages in the order of the menu. Each has its heading in the menu, its title,
// its source file and its name on the site.
var listed = []page{
	{"Begin", "Overview", "docs/index.md", "index"},
	{"Begin", "Install", "docs/install.md", "install"},
	{"Begin", "Ten minutes to a failing pull request", "docs/tutorial.md", "tutorial"},
	{"Begin", "Teach with the lessons", "docs/teach.md", "teach"},
	{"Begin", "FAQ", "docs/faq.md", "faq"},
	{"Traces", "Dump a trace", "docs/dump.md", "dump"},
	{"Traces", "Formats", "docs/formats.md", "formats"},
	{"Traces", "References", "docs/references.md", "references"},
	{"Traces", "Without a reference", "docs/lint.md", "lint"},
	{"Traces", "Metrics", "docs/metrics.md", "metrics"},
	{"Use", "What comes out", "docs/results.md", "results"},
	{"Use", "Comparisons with others", "docs/comparisons.md", "comparisons"},
	{"Use", "Compare two groups", "docs/compare.md", "compare"},
	{"Use", "Study experiments", "docs/study.md", "study"},
	{"Use", "Correct the gold", "docs/gold.md", "gold"},
	{"Use", "CI", "docs/ci.md", "ci"},
	{"Use", "Python", "python/README.md", "python"},
	{"Use", "JavaScript", "wasm/npm/README.md", "javascript"},
	{"Use", "Go", "docs/go.md", "go"},
	{"Use", "HTTP and schemas", "docs/http.md", "http"},
	{"Gate", "The gate", "docs/gate.md", "gate"},
	{"Gate", "In front of your agent", "docs/gate-agents.md", "gate-agents"},
	{"Gate", "The policy", "docs/gate-policy.md", "gate-policy"},
	{"Gate", "API, keys and receipts", "docs/gate-api.md", "gate-api"},
	{"Gate", "Operation", "docs/gate-operation.md", "gate-operation"},
	{"Gate", "Audit", "docs/audit.md", "audit"},
	{"Gate", "Threat model", "docs/threat-model.md", "threat-model"},
	{"Gate", "Deploy", "docs/deploy.md", "deploy"},
	{"More", "Plugins", "docs/plugins.md", "plugins"},
	{"More", "Batches", "docs/batches.md", "batches"},
	{"More", "Past one machine", "docs/scale.md", "scale"},
	{"More", "Papers", "docs/papers.md", "papers"},
	{"More", "Recorded runs", "docs/data.md", "data"},
}

// schemas are copied without change.
var schemas = map[string]string{
	"report.schema.json":    "core/report.schema.json",
	"reference.schema.json": "core/ref/reference/schema.json",
	"config.schema.json":    "internal/cli/cmd/config.schema.json",
	"plugin.schema.json":    "plugins/abi/schema.json",
}

//go:embed style.css
var style []byte

//go:embed search.js
var search []byte

//go:embed page.html
var frame string

func main() {
	if len(os.Args) != 2 || strings.HasPrefix(os.Args[1], "-") {
		fmt.Fprintln(os.Stderr, "usage: go run ./internal/site OUTDIR")
		os.Exit(2)
	}
	if err := writeSite(".", os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
}

// writeSite writes the site of the repository at root. The same files produce the same
// bytes. A link to a missing page or heading is an error.
func writeSite(root, out string) error {
	if err := removeOld(out); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(out, "pictures"), 0o755); err != nil {
		return err
	}
	pages, err := allPages(root)
	if err != nil {
		return err
	}
	s := site{root: root, pages: pages, headings: map[string]map[string]bool{}, outlines: map[string][]heading{}}
	files := map[string][]byte{"style.css": style, "search.js": search}
	for name, source := range schemas {
		data, err := os.ReadFile(filepath.Join(root, source))
		if err != nil {
			return err
		}
		files[name] = data
	}
	pictures, err := filepath.Glob(filepath.Join(root, "docs", "pictures", "*.svg"))
	if err != nil {
		return err
	}
	for _, p := range pictures {
		if files["pictures/"+filepath.Base(p)], err = os.ReadFile(p); err != nil {
			return err
		}
	}
	for _, p := range s.pages {
		html, err := s.renderPage(p.Source, p.Name, p.Title)
		if err != nil {
			return fmt.Errorf("%s: %w", p.Name, err)
		}
		files[p.Name+".html"] = html
	}
	if err := s.checkLinks(); err != nil {
		return err
	}
	files["search-index.js"] = s.searchIndex()
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(out, filepath.FromSlash(name)), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// allPages returns the listed pages, and a page for each other file in docs. The title of
// such a page is the file's first heading.
func allPages(root string) ([]page, error) {
	files, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		return nil, err
	}
	all := slices.Clone(listed)
	for _, f := range files {
		source, name := "docs/"+filepath.Base(f), strings.TrimSuffix(filepath.Base(f), ".md")
		if slices.ContainsFunc(all, func(p page) bool { return p.Source == source }) {
			continue
		}
		text, err := os.ReadFile(f)
		if err != nil {
			return nil, err
		}
		first, _, _ := strings.Cut(string(text), "\n")
		all = append(all, page{"More", strings.TrimSpace(strings.TrimLeft(first, "# ")), source, name})
	}
	return all, nil
}

// removeOld removes a folder with an older site. It returns an error if the folder has
// files but no older site. A site has the schemas and a first page; one of the schemas
// alone may be a source.
func removeOld(out string) error {
	entries, err := os.ReadDir(out)
	if errors.Is(err, os.ErrNotExist) || err == nil && len(entries) == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	for _, name := range append(slices.Sorted(maps.Keys(schemas)), "index.html") {
		if _, err := os.Stat(filepath.Join(out, name)); err != nil {
			return fmt.Errorf("%s is not empty and contains no older site: name an empty folder, or remove its files", out)
		}
	}
	return os.RemoveAll(out)
}

// site collects the pages, their headings, and the links between them.
type site struct {
	root     string
	pages    []page
	headings map[string]map[string]bool // by page: the ids on it
	outlines map[string][]heading       // by page: its headings, in order
	links    []link
}

type link struct{ from, page, heading string }

func (s *site) renderPage(source, name, title string) ([]byte, error) {
	md, err := os.ReadFile(filepath.Join(s.root, source))
	if err != nil {
		return nil, err
	}
	if name == "formats" {
		examples, err := formatsText(s.root)
		if err != nil {
			return nil, err
		}
		md = append(md, examples...)
	}
	m := goldmark.New(
		goldmark.WithExtensions(extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute))),
		goldmark.WithParserOptions(parser.WithAutoHeadingID(), parser.WithASTTransformers(util.Prioritized(&rewriter{s, path.Dir(source), name}, 100))))
	var body, page bytes.Buffer
	if err := m.Convert(md, &body); err != nil {
		return nil, err
	}
	head, rest, _ := strings.Cut(body.String(), "</h1>\n")
	if rest != "" {
		head += "</h1>\n"
	}
	t := template.Must(template.New("page").Parse(frame))
	err = t.Execute(&page, map[string]any{"Title": title, "Name": name, "Pages": s.pages, "Head": template.HTML(head), "Contents": contentsOf(s.outlines[name]), "Body": template.HTML(rest)}) // our own text: goldmark leaves raw HTML out
	return page.Bytes(), err
}

// rewriter turns links between files into links between pages.
type rewriter struct {
	site         *site
	folder, name string
}

// Transform implements parser.ASTTransformer. It changes the links of a document to
// addresses that work on the site. It replaces each image from another site by its text.
func (r *rewriter) Transform(doc *ast.Document, reader text.Reader, _ parser.Context) {
	ids := map[string]bool{}
	var foreign []*ast.Image
	var outline []heading
	ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			if id, ok := n.AttributeString("id"); ok {
				ids[string(id.([]byte))] = true
				outline = append(outline, heading{ID: string(id.([]byte)), Text: plainText(n, reader.Source()), Level: n.Level, from: n.Lines().At(0).Start})
			}
		case *ast.Link:
			n.Destination = []byte(r.linkAddress(string(n.Destination)))
		case *ast.Image:
			if elsewhere.Match(n.Destination) {
				foreign = append(foreign, n)
			}
		}
		return ast.WalkContinue, nil
	})
	for _, image := range foreign { // the site loads nothing from other sites, so the images' texts replace them
		parent := image.Parent()
		for c := image.FirstChild(); c != nil; c = image.FirstChild() {
			parent.InsertBefore(parent, image, c)
		}
		parent.RemoveChild(parent, image)
	}
	r.site.headings[r.name] = ids
	r.site.outlines[r.name] = withWords(outline, reader.Source())
}

var elsewhere = regexp.MustCompile(`^[a-z]+:`)

// linkAddress returns the address for the target of a link in a document. For a file that
// has a page on the site, this is the address of the page. For any other file, it is the
// address of the file in the repository.
func (r *rewriter) linkAddress(target string) string {
	file, heading, _ := strings.Cut(target, "#")
	if elsewhere.MatchString(target) {
		return target
	}
	if file == "" {
		r.site.links = append(r.site.links, link{r.name, r.name, heading})
		return target
	}
	full := path.Join(r.folder, file)
	for _, p := range r.site.pages {
		if p.Source == full {
			r.site.links = append(r.site.links, link{r.name, p.Name, heading})
			if heading != "" {
				return p.Name + ".html#" + heading
			}
			return p.Name + ".html"
		}
	}
	for name, source := range schemas {
		if source == full {
			return name
		}
	}
	if heading != "" {
		full += "#" + heading
	}
	return repository + full
}

func (s *site) checkLinks() error {
	for _, l := range s.links {
		if ids, there := s.headings[l.page]; !there || l.heading != "" && !ids[l.heading] {
			return fmt.Errorf("%s links to %s#%s, which does not exist", l.from, l.page, l.heading)
		}
	}
	return nil
}
