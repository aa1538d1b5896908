package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestTypesAreCurrent checks that the generated files match the Go types.
func TestTypesAreCurrent(t *testing.T) {
	t.Chdir("../..")
	if err := run(true); err != nil {
		t.Error(err)
	}
}

// TestEveryOperation checks that every operation of the ABI has its messages.
func TestEveryOperation(t *testing.T) {
	f, err := parser.ParseFile(token.NewFileSet(), "../../plugins/abi/abi.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var want, got []string
	ast.Inspect(f, func(n ast.Node) bool {
		if v, ok := n.(*ast.ValueSpec); ok && strings.HasPrefix(v.Names[0].Name, "Op") {
			op, _ := strconv.Unquote(v.Values[0].(*ast.BasicLit).Value)
			want = append(want, op)
		}
		return true
	})
	for _, m := range allMessages() {
		got = append(got, m.op)
	}
	slices.Sort(want)
	if slices.Sort(got); !slices.Equal(got, want) || len(want) == 0 {
		t.Errorf("messages of %q, operations %q", got, want)
	}
}
