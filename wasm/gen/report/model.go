// Package report writes what others read of the types that cross the wire: the
// TypeScript types of the npm package, and the JSON Schema of a report.
package report

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

// source is a Go package folder and the types wanted from it.
type source struct {
	dir   string
	types []root
}

// root is a Go type and its name in TypeScript (Error is taken there).
type root struct{ name, as string }

// foreign are the types of other packages that occur, by what they marshal to.
var foreign = map[string]kind{
	"RawMessage": {name: "any"},
	"Tri":        {name: "union", union: "Mutating"},
	"Layer":      {name: "string"},
	"Warning":    {name: "object", object: "Warning"},
}

// roots are the types a front end meets, by folder; what they name follows.
var roots = []source{
	{"core", []root{{"Report", "Report"}, {"Transcript", "Transcript"}}},
	{"core/proposal", []root{{"Decision", "Decision"}}},
	{"core/wire", []root{{"Error", "WireError"}, {"Handshake", "Handshake"}, {"Mapped", "Mapped"}}},
	{"internal/library", []root{{"Converted", "Converted"}, {"Explained", "Explained"}, {"Proposed", "Proposed"}, {"Checked", "Checked"}}},
	{"core", []root{{"Params", "Parameters"}}},
}

// kind is the type of a field: string, bool, int, number, any, array, map, union or
// object.
type kind struct {
	name, object, union string
	elem                *kind // of an array or map
}

// field is one member of an object.
type field struct {
	name, doc     string
	kind          kind
	omitted, null bool // may be absent; may be null
}

// object is a struct type as it crosses the wire.
type object struct {
	name, doc string
	fields    []field
}

// read returns the objects of some packages, each once, users before used.
func read(base string, sources []source) (all []object, err error) {
	for _, s := range sources {
		w := reader{seen: map[string]bool{}}
		if err := w.read(filepath.Join(base, s.dir)); err != nil {
			return nil, err
		}
		for _, r := range s.types {
			if err := w.add(r); err != nil {
				return nil, fmt.Errorf("%s: %w", s.dir, err)
			}
		}
		all = append(all, w.out...)
	}
	return all, nil
}

// reader reads the struct types of one package.
type reader struct {
	out   []object
	types map[string]*ast.TypeSpec
	docs  map[string]string
	seen  map[string]bool
	queue []root
}

func (w *reader) read(dir string) error {
	w.types, w.docs = map[string]*ast.TypeSpec{}, map[string]string{}
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
		w.collect(f)
	}
	return nil
}

func (w *reader) collect(f *ast.File) {
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.TYPE {
			continue
		}
		for _, s := range g.Specs {
			t := s.(*ast.TypeSpec)
			w.types[t.Name.Name] = t
			w.docs[t.Name.Name] = t.Doc.Text()
			if t.Doc == nil {
				w.docs[t.Name.Name] = g.Doc.Text()
			}
		}
	}
}

func (w *reader) add(r root) error {
	w.queue = append(w.queue, r)
	for len(w.queue) > 0 {
		r, w.queue = w.queue[0], w.queue[1:]
		if w.seen[r.name] {
			continue
		}
		w.seen[r.name] = true
		t, ok := w.types[r.name]
		if !ok {
			return fmt.Errorf("unknown type %s", r.name)
		}
		if err := w.structure(r, t); err != nil {
			return fmt.Errorf("%s: %w", r.name, err)
		}
	}
	return nil
}

func (w *reader) structure(r root, t *ast.TypeSpec) error {
	st, ok := t.Type.(*ast.StructType)
	if !ok {
		return fmt.Errorf("not a struct")
	}
	o := object{name: r.as, doc: strings.TrimSpace(w.docs[r.name])}
	for _, f := range st.Fields.List {
		out, err := w.field(f)
		if err != nil {
			return err
		}
		if out.name == "-" {
			continue
		}
		if u := unions[o.name+"."+out.name]; u != "" {
			if out.kind.elem != nil {
				out.kind.elem = &kind{name: "union", union: u}
			} else {
				out.kind = kind{name: "union", union: u}
			}
		}
		o.fields = append(o.fields, out)
	}
	w.out = append(w.out, o)
	return nil
}

// field reads one member. A pointer that is not left out when nil is null; so
// is a slice whose comment says that it can be.
func (w *reader) field(f *ast.Field) (out field, err error) {
	name, omit := tag(f)
	if name == "-" {
		return field{name: "-"}, nil
	}
	if name == "" || len(f.Names) != 1 {
		return out, fmt.Errorf("field %v needs one name and a json tag", f.Names)
	}
	out = field{name: name, doc: strings.TrimSpace(f.Doc.Text() + f.Comment.Text()), omitted: omit}
	if out.kind, err = w.kind(f.Type); err != nil {
		return out, err
	}
	_, pointer := f.Type.(*ast.StarExpr)
	_, slice := f.Type.(*ast.ArrayType)
	out.null = !omit && (pointer || slice && strings.Contains(out.doc, "null"))
	return out, nil
}

func (w *reader) kind(e ast.Expr) (kind, error) {
	switch e := e.(type) {
	case *ast.StarExpr:
		return w.kind(e.X)
	case *ast.ArrayType:
		elem, err := w.kind(e.Elt)
		return kind{name: "array", elem: &elem}, err
	case *ast.MapType:
		elem, err := w.kind(e.Value)
		return kind{name: "map", elem: &elem}, err
	case *ast.SelectorExpr:
		if k, ok := foreign[e.Sel.Name]; ok {
			return k, nil
		}
		return kind{}, fmt.Errorf("unknown type %s of another package", e.Sel.Name)
	case *ast.Ident:
		return w.ident(e.Name), nil
	}
	return kind{}, fmt.Errorf("unsupported type %T", e)
}

func (w *reader) ident(name string) kind {
	switch name {
	case "string", "bool", "any":
		return kind{name: name}
	case "int", "int64":
		return kind{name: "int"}
	case "float64":
		return kind{name: "number"}
	}
	if t, ok := w.types[name]; ok {
		if under, ok := t.Type.(*ast.Ident); ok { // type Code string
			return w.ident(under.Name)
		}
	}
	w.queue = append(w.queue, root{name, name})
	return kind{name: "object", object: name}
}

func tag(f *ast.Field) (name string, omit bool) {
	if f.Tag == nil {
		return "", false
	}
	name, rest, _ := strings.Cut(reflect.StructTag(strings.Trim(f.Tag.Value, "`")).Get("json"), ",")
	return name, strings.Contains(rest, "omit")
}
