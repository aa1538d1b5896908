package kind

import (
	"path"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// contentKeys has the last words of the names of arguments that are source code, a patch
// or a part of a file whatever the tool is.
const contentKeys = " code patch diff script snippet yaml python html css javascript source_code "

// fileContentKeys has such words that hold a file's content only for a tool of files.
const fileContentKeys = " content text body data source string str replacement value cell "

// fileWords has the words of tools that write files, code or settings.
const fileWords = " file patch edit editor code script notebook cell commit config configuration settings yaml write create_file str replace insert append "

// isContent reports whether the argument is the content of a file, source code or a patch.
func (p *pair) isContent() bool {
	joined := strings.Join(p.name, "_")
	switch joined {
	case "old_string", "new_string", "old_str", "new_str", "file_text", "insert_text", "new_content", "old_content", "source_code", "file_content", "old_text", "new_text", "new_source", "old_source":
		return true
	}
	if p.tool.has(sayingWords) && !p.tool.has(" file patch ") {
		return false
	}
	if p.ends(" code ") {
		return p.a.isMultiline() || p.b.isMultiline() || strings.ContainsAny(p.a.text+p.b.text, "()=;")
	}
	return p.ends(contentKeys) || p.ends(fileContentKeys) && p.tool.has(fileWords) && !(p.ends(" source ") && isPath(p.a.text) && isPath(p.b.text))
}

// compareContents compares file contents byte by byte. A newline at the end does not count.
func (p *pair) compareContents() Outcome {
	if !p.isContent() || !p.a.isString() || !p.b.isString() {
		return Open
	}
	a, b := strings.TrimSuffix(p.a.text, "\n"), strings.TrimSuffix(p.b.text, "\n")
	if a != b && tokensMatter(p) {
		return Open // a language of its own kind
	}
	return sameIf(a == b)
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
	a, ok := containerIn(p.a.text)
	b, ok2 := containerIn(p.b.text)
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

// containerIn parses a text that is an object or a list in JSON.
func containerIn(text string) (jsonval.Value, bool) {
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
