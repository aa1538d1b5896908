package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
)

// change replaces one piece of a file.
type change struct {
	file       string // as passed to changesOf
	function   string // name of the enclosing function, with its receiver's type; "" if there is none
	line       int
	start, end int    // offsets in the file
	with       string // the replacement
	kind       string // such as "&& to ||"
	source     string // the whole line, trimmed
}

// stableKey returns a text that identifies a change. The text does not contain the
// change's position, so it stays the same when lines move.
func (c change) stableKey() string {
	return fmt.Sprintf("%s | %s | %s | %s", c.file, c.function, c.source, c.kind)
}

// apply returns the file's text with the change.
func (c change) apply(text string) string { return text[:c.start] + c.with + text[c.end:] }

// operators maps an operator to the operator that a programmer may write by mistake.
var operators = map[token.Token]token.Token{
	token.LAND: token.LOR, token.LOR: token.LAND,
	token.LSS: token.LEQ, token.LEQ: token.LSS,
	token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.EQL: token.NEQ, token.NEQ: token.EQL,
	token.ADD: token.SUB, token.SUB: token.ADD,
}

// changesOf returns every change that can be tried in a file, in the order of the text.
// These are the kinds of changes:
//
//   - an operator is replaced by another one;
//   - a condition is negated;
//   - a number is increased by one;
//   - true is replaced by false, or false by true;
//   - a continue or break is removed.
func changesOf(file, text string) ([]change, error) {
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, file, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	f := finder{set: set, file: file, text: text, lines: strings.Split(text, "\n")}
	for _, d := range tree.Decls {
		f.function = ""
		if fn, ok := d.(*ast.FuncDecl); ok {
			f.function = nameOf(fn)
		}
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
			continue
		}
		ast.Inspect(d, f.visitNode)
	}
	return f.found, nil
}

func nameOf(fn *ast.FuncDecl) string {
	if fn.Recv == nil || len(fn.Recv.List) == 0 {
		return fn.Name.Name
	}
	t := fn.Recv.List[0].Type
	if p, ok := t.(*ast.StarExpr); ok {
		t = p.X
	}
	if i, ok := t.(*ast.IndexExpr); ok {
		t = i.X
	}
	if name, ok := t.(*ast.Ident); ok {
		return name.Name + "." + fn.Name.Name
	}
	return fn.Name.Name
}

type finder struct {
	set            *token.FileSet
	file, function string
	text           string
	lines          []string
	found          []change
}

func (f *finder) visitNode(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		if swapped, ok := operators[n.Op]; ok && !isText(n.X) && !isText(n.Y) {
			f.addChange(n.OpPos, len(n.Op.String()), swapped.String(), n.Op.String()+" to "+swapped.String())
		}
	case *ast.IfStmt:
		f.negateCondition(n.Cond)
	case *ast.ForStmt:
		if n.Cond != nil {
			f.negateCondition(n.Cond)
		}
	case *ast.CallExpr:
		if name, ok := n.Fun.(*ast.Ident); ok && name.Name == "make" {
			return false // sizes only save time
		}
	case *ast.BasicLit:
		f.changeNumber(n)
	case *ast.Ident:
		switch n.Name {
		case "true":
			f.addChange(n.Pos(), 4, "false", "true to false")
		case "false":
			f.addChange(n.Pos(), 5, "true", "false to true")
		}
	case *ast.BranchStmt:
		if n.Label == nil && (n.Tok == token.CONTINUE || n.Tok == token.BREAK) {
			f.addChange(n.Pos(), len(n.Tok.String()), "_ = 0", n.Tok.String()+" left out")
		}
	}
	return true
}

// isText reports whether an expression contains a string literal. If so, a + in the
// expression joins strings, and does not add numbers.
func isText(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BasicLit:
		return e.Kind == token.STRING
	case *ast.BinaryExpr:
		return e.Op == token.ADD && (isText(e.X) || isText(e.Y))
	}
	return false
}

func (f *finder) changeNumber(n *ast.BasicLit) {
	if n.Kind == token.INT {
		if v, err := strconv.ParseInt(n.Value, 0, 62); err == nil {
			f.addChange(n.Pos(), len(n.Value), strconv.FormatInt(v+1, 10), n.Value+" to "+strconv.FormatInt(v+1, 10))
		}
	}
}

// negateCondition replaces a condition by its negation.
func (f *finder) negateCondition(cond ast.Expr) {
	size := int(cond.End() - cond.Pos())
	at := f.set.Position(cond.Pos()).Offset
	f.addChange(cond.Pos(), size, "!("+f.text[at:at+size]+")", "condition negated")
}

func (f *finder) addChange(pos token.Pos, size int, with, kind string) {
	p := f.set.Position(pos)
	f.found = append(f.found, change{file: f.file, function: f.function, line: p.Line, start: p.Offset, end: p.Offset + size, with: with, kind: kind,
		source: strings.TrimSpace(f.lines[p.Line-1])})
}
