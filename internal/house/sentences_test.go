package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

// parseFolder returns the syntax of the Go files of a folder that are no tests.
func parseFolder(t *testing.T, folder string) (*token.FileSet, []*ast.File) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("../..", filepath.FromSlash(folder), "*.go"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("%s: %v, %d files", folder, err, len(paths))
	}
	set := token.NewFileSet()
	var files []*ast.File
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(set, path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	return set, files
}

// sentenceParts returns the number of parts of each sentence of the table.
func sentenceParts(t *testing.T) map[string]int {
	t.Helper()
	parts := map[string]int{}
	_, files := parseFolder(t, "core/stage/sentences")
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			if v, ok := n.(*ast.ValueSpec); ok && len(v.Values) == 1 {
				parts[v.Names[0].Name] = strings.Count(textOf(v.Values[0]), "{")
			}
			return true
		})
	}
	return parts
}

// textOf returns the text of a literal, or "" for anything else.
func textOf(e ast.Expr) string {
	if l, ok := e.(*ast.BasicLit); ok && l.Kind == token.STRING {
		s, _ := strconv.Unquote(l.Value)
		return s
	}
	return ""
}

// isSentence reports whether a literal is words that a person reads: at least three, and no
// list of words, which begins with a blank.
func isSentence(e ast.Expr) bool {
	s := textOf(e)
	return strings.TrimLeft(s, ";:,") == strings.TrimLeft(s, ";:, ") && len(strings.Fields(s)) >= 3
}

// builtOutside returns the literal sentences from which a statement builds a text: in what
// it returns, assigns or passes to a function that records a reason.
func builtOutside(n ast.Node) (found []ast.Expr) {
	var from []ast.Expr
	switch n := n.(type) {
	case *ast.ReturnStmt:
		from = n.Results
	case *ast.AssignStmt:
		from = n.Rhs
	case *ast.KeyValueExpr:
		if key, ok := n.Key.(*ast.Ident); ok && (key.Name == "Reason" || key.Name == "Reasons") {
			from = []ast.Expr{n.Value}
		}
	case *ast.CallExpr:
		switch name := calledName(n); name {
		case "newFinding", "newUnasked", "excuseRow", "say", "append":
			from = n.Args
		}
	}
	for _, e := range from {
		for b, ok := e.(*ast.BinaryExpr); ok && b.Op == token.ADD; b, ok = e.(*ast.BinaryExpr) {
			if isPiece(b.Y) {
				found = append(found, b.Y)
			}
			e = b.X
			if isPiece(e) {
				found = append(found, e)
			}
		}
		if isSentence(e) {
			found = append(found, e)
		}
	}
	return found
}

// isPiece reports whether a literal that is joined to other texts has a blank and a word.
func isPiece(e ast.Expr) bool {
	s := textOf(e)
	return strings.Contains(s, " ") && strings.ContainsFunc(s, unicode.IsLetter)
}

func calledName(c *ast.CallExpr) string {
	switch f := c.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}

// notReasons are texts of these packages that are no reason of a finding.
var notReasons = map[string]string{
	"the user's words":                       "where evidence is",
	"name ":                                  "the key of an index",
	"object ":                                "the key of an index",
	"cases written for this project":         "where a rule was measured",
	"recorded runs whose outcome is known (": "where a rule was measured",
}

// TestSentencesAreOneTable checks that stages two and three build no reason outside the
// table of core/stage/sentences, and that each sentence gets as many parts as it has.
func TestSentencesAreOneTable(t *testing.T) {
	parts := sentenceParts(t)
	used := map[string]bool{}
	for _, folder := range []string{"core/stage/violation", "core/stage/equivalence", "core/stage/relation", "core/action/kind", "core/action/pairing"} {
		set, files := parseFolder(t, folder)
		for _, f := range files {
			ast.Inspect(f, func(n ast.Node) bool {
				for _, e := range builtOutside(n) {
					if notReasons[textOf(e)] == "" {
						t.Errorf("%s: %q belongs into core/stage/sentences", set.Position(e.Pos()), textOf(e))
					}
				}
				if s, ok := n.(*ast.SelectorExpr); ok && isNamed(s.X, "sentences") {
					used[s.Sel.Name] = true
				}
				if c, ok := n.(*ast.CallExpr); ok {
					checkFilled(t, set, c, parts)
				}
				return true
			})
		}
	}
	for name := range parts {
		if !used[name] {
			t.Errorf("no stage uses the sentence %s", name)
		}
	}
	if len(parts) < 150 {
		t.Errorf("the table has %d sentences", len(parts))
	}
}

func isNamed(e ast.Expr, name string) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == name
}

// checkFilled checks one call: no text is built by a format, and a sentence has its parts.
func checkFilled(t *testing.T, set *token.FileSet, c *ast.CallExpr, parts map[string]int) {
	f, ok := c.Fun.(*ast.SelectorExpr)
	if !ok {
		return
	}
	if isNamed(f.X, "fmt") && strings.HasSuffix(f.Sel.Name, "f") && strings.HasPrefix(f.Sel.Name, "Sprint") {
		t.Errorf("%s: a text is built by fmt.%s", set.Position(c.Pos()), f.Sel.Name)
	}
	if s, ok := f.X.(*ast.SelectorExpr); ok && f.Sel.Name == "With" && isNamed(s.X, "sentences") {
		if want, known := parts[s.Sel.Name]; !known || len(c.Args) != want {
			t.Errorf("%s: %s has %d parts, not %d", set.Position(c.Pos()), s.Sel.Name, want, len(c.Args))
		}
	}
}
