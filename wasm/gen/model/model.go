// Package model reads the Go struct types that cross the wire, including doc comments,
// for generators of types in other languages.
package model

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"strings"
)

// Root is a Go type and its name in the other language.
type Root struct{ Name, As string }

// The kinds of values. The values of a union are a few fixed strings. An object is a struct type.
const (
	String = "string"
	Bool   = "bool"
	Int    = "int"
	Number = "number"
	Any    = "any"
	Array  = "array"
	Map    = "map"
	Union  = "union"
	Object = "object"
)

// Kind is the type of a value.
type Kind struct {
	Name string // one of the constants
	Type string // the name of an object or union
	Elem *Kind  // the element of an array or map
}

// Leaf returns the kind of the innermost elements if k is an array or map. Otherwise it
// returns k.
func (k Kind) Leaf() Kind {
	for k.Elem != nil {
		k = *k.Elem
	}
	return k
}

// Field is one member of a struct.
type Field struct {
	Name, Doc string
	Kind      Kind
	Omitted   bool // may be absent
	Null      bool // may be null: a pointer that is never omitted, or such a slice with the word null in its comment
	Pointer   bool
}

// Struct is a struct type that crosses the wire.
type Struct struct {
	Name, Doc string
	Embeds    string // the name of the embedded struct; "" for none
	Fields    []Field
}

// Read returns the root types of a package folder, and all structs to which they refer.
// Each struct appears once, and before the structs to which it refers. The map foreign
// contains the kinds of types from other packages.
func Read(dir string, roots []Root, foreign map[string]Kind) ([]Struct, error) {
	r := reader{foreign: foreign, types: map[string]*ast.TypeSpec{}, docs: map[string]string{}, seen: map[string]bool{}}
	if err := r.readFolder(dir); err != nil {
		return nil, err
	}
	for _, root := range roots {
		if err := r.addStructs(root); err != nil {
			return nil, fmt.Errorf("%s: %w", dir, err)
		}
	}
	return r.out, nil
}

type reader struct {
	out     []Struct
	foreign map[string]Kind
	types   map[string]*ast.TypeSpec
	docs    map[string]string
	seen    map[string]bool
	queue   []Root
}

func (r *reader) readFolder(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, e.Name()), nil, parser.ParseComments)
		if err != nil {
			return err
		}
		r.collectTypes(f)
	}
	return nil
}

func (r *reader) collectTypes(f *ast.File) {
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.TYPE {
			continue
		}
		for _, s := range g.Specs {
			t := s.(*ast.TypeSpec)
			r.types[t.Name.Name] = t
			r.docs[t.Name.Name] = t.Doc.Text()
			if t.Doc == nil {
				r.docs[t.Name.Name] = g.Doc.Text()
			}
		}
	}
}

func (r *reader) addStructs(root Root) error {
	r.queue = append(r.queue, root)
	for len(r.queue) > 0 {
		root, r.queue = r.queue[0], r.queue[1:]
		if r.seen[root.Name] {
			continue
		}
		r.seen[root.Name] = true
		t, ok := r.types[root.Name]
		if !ok {
			return fmt.Errorf("unknown type %s", root.Name)
		}
		if err := r.addStruct(root, t); err != nil {
			return fmt.Errorf("%s: %w", root.Name, err)
		}
	}
	return nil
}

func (r *reader) addStruct(root Root, t *ast.TypeSpec) error {
	st, ok := t.Type.(*ast.StructType)
	if !ok {
		return fmt.Errorf("not a struct")
	}
	s := Struct{Name: root.As, Doc: strings.TrimSpace(r.docs[root.Name])}
	for _, f := range st.Fields.List {
		name, omitted := jsonTag(f)
		of, isName := f.Type.(*ast.Ident)
		switch {
		case name == "-":
			continue
		case name == "" && len(f.Names) == 0 && isName:
			s.Embeds = of.Name
			r.queue = append(r.queue, Root{of.Name, of.Name})
			continue
		case name == "" || len(f.Names) != 1:
			return fmt.Errorf("field %v needs one name and a json tag", f.Names)
		}
		kind, err := r.typeKind(f.Type)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		doc := strings.TrimSpace(f.Doc.Text() + f.Comment.Text())
		_, pointer := f.Type.(*ast.StarExpr)
		_, slice := f.Type.(*ast.ArrayType)
		s.Fields = append(s.Fields, Field{Name: name, Doc: doc, Kind: kind, Omitted: omitted, Pointer: pointer,
			Null: !omitted && (pointer || slice && strings.Contains(doc, "null"))})
	}
	r.out = append(r.out, s)
	return nil
}

func (r *reader) typeKind(e ast.Expr) (Kind, error) {
	switch e := e.(type) {
	case *ast.StarExpr:
		return r.typeKind(e.X)
	case *ast.ArrayType:
		elem, err := r.typeKind(e.Elt)
		return Kind{Name: Array, Elem: &elem}, err
	case *ast.MapType:
		elem, err := r.typeKind(e.Value)
		return Kind{Name: Map, Elem: &elem}, err
	case *ast.SelectorExpr:
		if k, ok := r.foreign[e.Sel.Name]; ok {
			return k, nil
		}
		return Kind{}, fmt.Errorf("unknown type %s of another package", e.Sel.Name)
	case *ast.Ident:
		return r.namedKind(e.Name)
	}
	return Kind{}, fmt.Errorf("unsupported type %T", e)
}

func (r *reader) namedKind(name string) (Kind, error) {
	switch name {
	case "string", "bool", "any":
		return Kind{Name: name}, nil
	case "int", "int64":
		return Kind{Name: Int}, nil
	case "float64":
		return Kind{Name: Number}, nil
	}
	if t, ok := r.types[name]; ok {
		if _, is := t.Type.(*ast.StructType); !is { // type Code string
			return r.typeKind(t.Type)
		}
	}
	r.queue = append(r.queue, Root{name, name})
	return Kind{Name: Object, Type: name}, nil
}

func jsonTag(f *ast.Field) (name string, omitted bool) {
	if f.Tag == nil {
		return "", false
	}
	name, rest, _ := strings.Cut(reflect.StructTag(strings.Trim(f.Tag.Value, "`")).Get("json"), ",")
	return name, strings.Contains(rest, "omit")
}
