package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// TestDocs checks that every package below core has a comment. It checks the same for
// every exported name in these packages.
func TestDocs(t *testing.T) {
	commented := map[string]bool{}
	err := filepath.WalkDir("../../core", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		dir := filepath.Dir(path)
		commented[dir] = commented[dir] || f.Doc != nil
		for _, d := range f.Decls {
			for _, name := range undocumentedNames(d) {
				t.Errorf("%s: %s has no comment", path, name)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for dir, ok := range commented {
		if !ok {
			t.Errorf("%s: the package has no comment", dir)
		}
	}
	if len(commented) < 10 {
		t.Fatalf("only %d packages were looked at", len(commented))
	}
}

// undocumentedNames returns the exported names of a declaration that have no comment.
func undocumentedNames(d ast.Decl) []string {
	var names []string
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Name.IsExported() && d.Doc == nil {
			names = append(names, d.Name.Name)
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			names = append(names, undocumentedSpec(d, s)...)
		}
	}
	return names
}

func undocumentedSpec(d *ast.GenDecl, s ast.Spec) (names []string) {
	switch s := s.(type) {
	case *ast.TypeSpec:
		if s.Name.IsExported() && d.Doc == nil && s.Doc == nil {
			names = append(names, s.Name.Name)
		}
	case *ast.ValueSpec:
		for _, n := range s.Names {
			if n.IsExported() && d.Doc == nil && s.Doc == nil && s.Comment == nil {
				names = append(names, n.Name)
			}
		}
	}
	return names
}
