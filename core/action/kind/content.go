package kind

import (
	"path"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/notation"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/units"
)

// contentKeys has the last words of the names of arguments that are source code, a patch
// or a part of a file whatever the tool is.
const contentKeys = " code patch diff script snippet yaml python html css javascript source_code "

// fileContentKeys has such words that hold a file's content only for a tool of files.
const fileContentKeys = " content text body data source string str replacement value cell find replace "

// fileWords has the words of tools that write files, code or settings.
const fileWords = " file patch edit editor code script notebook cell commit config configuration settings yaml write create_file str replace insert append "

// isContent reports whether the argument is the content of a file, source code or a patch.
func (p *pair) isContent() bool {
	if !p.contentRead {
		p.content, p.contentRead = p.readsContent(), true
	}
	return p.content
}

func (p *pair) readsContent() bool {
	if len(p.name) == 2 {
		switch p.name[0] + "_" + p.name[1] {
		case "old_string", "new_string", "old_str", "new_str", "file_text", "insert_text", "new_content", "old_content", "source_code", "file_content", "old_text", "new_text", "new_source", "old_source":
			return true
		}
	}
	if p.tool.has(sayingWords) && !p.tool.has(" file patch ") {
		return false
	}
	if p.ends(" code ") {
		return p.a.isMultiline() || p.b.isMultiline() || strings.ContainsAny(p.a.text+p.b.text, "()=;")
	}
	return p.ends(contentKeys) || p.ends(fileContentKeys) && p.tool.has(fileWords) && !(p.ends(" source ") && notation.IsPath(p.a.text) && notation.IsPath(p.b.text))
}

// compareContents compares file contents byte by byte. A newline at the end does not count.
func (p *pair) compareContents() Outcome {
	if !p.a.isString() || !p.b.isString() {
		return Open
	}
	switch a, b := plainEnds(p); {
	case !p.isContent():
		return Open
	case a == b:
		return Same
	case tokensMatter(p), p.isOneContent(a, b):
		return Open // a language of its own kind
	case withoutReturns(p.a.text) == withoutReturns(p.b.text):
		return Unsure // the line ends of a text file may matter
	case p.isCode() && notation.CodeTokens(a) == notation.CodeTokens(b):
		return Unsure // another layout, or other quotes
	}
	return Differs
}

// layoutMatters has the extensions of files in which blanks between words say something.
const layoutMatters = " .md .txt .csv .tsv .html .htm .yaml .yml .toml .ini .conf .cfg .env .rst .tex .sh .mk .patch .diff "

// isCode reports whether an argument is code of a language in which blanks between words mean little.
func (p *pair) isCode() bool {
	ext := path.Ext(p.filePath())
	return !isListed(ext, layoutMatters) && !p.ends(" patch diff yaml html ") && (p.ends(" code script snippet javascript python css ") || ext != "" || p.tool.has(" code script notebook function "))
}

// isOneSetting reports whether the value of a setting is a number with a unit on both sides, and they differ only in the
// blank between the two.
func (p *pair) isOneSetting(a, b string) bool {
	if !p.ends(" value ") || !p.tool.has(" config configuration ") || max(len(a), len(b)) > mostForeign {
		return false
	}
	x, unit := splitUnit(a)
	y, unit2 := splitUnit(b)
	_, isMeasure := units.Measure(unit)
	return x == y && unit == unit2 && (isMeasure || units.Span(unit) > 0)
}

// isProse reports whether two contents are each a sentence, with no file beside them that holds it. Two
// sentences may say one thing.
func (p *pair) isProse() bool {
	isSentence := func(s string) bool {
		words := strings.Fields(s)
		return len(words) > 1 && !strings.Contains(s, "\n") && !slices.ContainsFunc(words, func(w string) bool {
			return strings.ContainsAny(strings.Trim(w, ".,;:!?'\"()–"), "=<>{}[]()`\\/_$#*|&;:@\"")
		})
	}
	return p.ends(fileContentKeys) && p.filePath() == "" && isSentence(p.a.text) && isSentence(p.b.text)
}

// withoutReturns returns a text with line ends of one character, and none at its end.
func withoutReturns(s string) string {
	return strings.TrimSuffix(strings.ReplaceAll(s, "\r\n", "\n"), "\n")
}

// compareSources compares contents that a language writes in several ways.
func (p *pair) compareSources() Outcome {
	if !p.a.isString() || !p.b.isString() || !p.ends(" markdown md toml ini ") && !p.isContent() || tokensMatter(p) {
		return Open
	}
	if a, b := plainEnds(p); p.isOneContent(a, b) {
		return Same
	}
	return Open
}

// plainEnds returns both contents without the newline at their end.
func plainEnds(p *pair) (a, b string) {
	return strings.TrimSuffix(p.a.text, "\n"), strings.TrimSuffix(p.b.text, "\n")
}

// languages has the words of arguments and tools, and the extensions of files, of languages in
// which one thing has several notations.
var languages = [...]struct {
	names, extensions string
	plain             func(string) string
}{
	{" python py javascript js typescript ", " .py .js .mjs .cjs .ts .tsx .jsx ", notation.PlainQuotes},
	{" markdown md readme ", " .md .markdown ", notation.PlainMarkdown},
	{" css style stylesheet ", " .css ", notation.PlainStyle},
	{" html xml svg ", " .html .htm .xml .svg ", func(s string) string { return notation.PlainEntities(notation.PlainTags(s)) }},
	{" toml ini properties conf cfg ", " .toml .ini .properties .cfg .conf ", notation.PlainSettings},
	{" yaml yml manifest ", " .yaml .yml ", notation.PlainYAML},
}

// isOneContent reports whether two contents are the same by the notations of their language.
func (p *pair) isOneContent(a, b string) bool {
	ext := path.Ext(p.filePath())
	for i := range languages {
		l := &languages[i]
		if !(ext != "" && isListed(ext, l.extensions)) && !(ext == "" && (p.named(l.names) || p.tool.has(l.names))) {
			continue
		}
		if x, y := l.plain(a), l.plain(b); x != "" && x == y {
			return true
		}
	}
	return p.isOneSetting(a, b)
}

// tokensMatter reports whether the content is in a language with its own kind: a query, a
// document in XML, or a formula.
func tokensMatter(p *pair) bool {
	return p.ends(" sql xml ") || strings.HasSuffix(p.filePath(), ".sql") || strings.HasSuffix(p.filePath(), ".xml")
}

// filePath returns the path of the file that the tool writes, or "".
func (p *pair) filePath() string { return p.a.other(" path file filename name ") }

// compareJSON compares values of which both are JSON texts of an object or a list. Layout
// and the order of members mean nothing in JSON (RFC 8259, section 4).
func (p *pair) compareJSON() Outcome {
	if p.isContent() {
		switch path.Ext(p.filePath()) {
		case "", ".json", ".geojson", ".ipynb", ".webmanifest":
		default:
			return Open
		}
	}
	a, ok := ContainerIn(p.a.text)
	b, ok2 := ContainerIn(p.b.text)
	if !ok && !ok2 && strings.HasPrefix(p.a.text, `"`) && strings.HasPrefix(p.b.text, `"`) { // texts in JSON, with escapes or without
		a, err := jsonval.Parse(p.a.text)
		b, err2 := jsonval.Parse(p.b.text)
		if err == nil && err2 == nil && jsonval.Equal(a, b) {
			return Same
		}
	}
	if !ok || !ok2 || hasTwice(a) || hasTwice(b) {
		return Open
	}
	if !jsonval.Equal(a, b) && sameTexts(a, b) {
		return Unsure // a number in one text is a string in the other
	}
	return sameIf(jsonval.Equal(a, b))
}

// sameTexts reports whether two values in JSON have the same texts at the same places.
func sameTexts(a, b jsonval.Value) bool {
	return slices.EqualFunc(similarity.Leaves(a.Leaves()), similarity.Leaves(b.Leaves()), func(x, y similarity.Leaf) bool {
		return x.Path == y.Path && similarity.Plain(x.Raw) == similarity.Plain(y.Raw)
	})
}

// ContainerIn parses a text that is an object or a list in JSON.
func ContainerIn(text string) (jsonval.Value, bool) {
	text = strings.TrimSpace(text)
	if text == "" || text[0] != '{' && text[0] != '[' {
		return jsonval.Value{}, false
	}
	v, err := jsonval.Parse(text)
	return v, err == nil
}

// hasTwice reports whether an object in v has two members of one name. Programs do not
// agree on which of them counts.
func hasTwice(v jsonval.Value) (twice bool) {
	names := map[string]bool{}
	v.Each(func(key string, m jsonval.Value) bool {
		twice = v.Kind() == jsonval.Object && names[key] || hasTwice(m)
		names[key] = true
		return !twice
	})
	return twice
}
