package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"slices"
	"strings"
	"unicode"
)

// rust returns the messages as types of the Rust starter, over its json.rs: what a plugin
// is asked can be read, what it answers can be written.
func rust(base string) ([]byte, error) {
	w, err := abiTypes(base)
	if err != nil {
		return nil, err
	}
	asked, said := map[string]bool{}, map[string]bool{}
	for _, m := range messages() {
		if err := w.reach([]string{m.request}, asked); err != nil {
			return nil, err
		}
		if err := w.reach([]string{m.answer}, said); err != nil {
			return nil, err
		}
	}
	fmt.Fprintf(w.out, header, abiDir)
	w.out.WriteString(`//! The messages of plugins/ABI.md. A list, text, number or truth value that is left out is empty, 0 or false.
#![allow(dead_code)]
use super::json::{Json, Members, Number, Object, Read, Write};
use super::Refusal;
use std::collections::BTreeMap;
`)
	var names []string
	for name := range w.types {
		if asked[name] || said[name] {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		if err := w.rustType(name, asked[name], said[name]); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return w.out.Bytes(), nil
}

func (w *writer) rustType(name string, read, write bool) error {
	all, err := w.fields(w.types[name])
	if err != nil {
		return err
	}
	var members, reads, writes bytes.Buffer
	for _, f := range all {
		if f.embedded != "" {
			at := snake(f.embedded)
			fmt.Fprintf(&members, "    pub %s: %s,\n", at, f.embedded)
			fmt.Fprintf(&reads, "            %s: %s::take(m)?,\n", at, f.embedded)
			continue
		}
		typ, err := w.rustName(f.typ, f.omit)
		if err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
		at := snake(f.name)
		fmt.Fprintf(&members, "%s    pub %s: %s,\n", rustDoc("    ", f.doc), at, typ)
		fmt.Fprintf(&reads, "            %s: m.take(%q)?,\n", at, f.name)
		how := "member"
		if f.omit {
			how = "unless_empty"
		}
		fmt.Fprintf(&writes, "        o.%s(%q, &self.%s);\n", how, f.name, at)
	}
	fmt.Fprintf(w.out, "\n%s#[derive(Clone, Debug, Default, PartialEq)]\npub struct %s {\n%s}\n", rustDoc("", w.docs[name]), name, members.Bytes())
	if read {
		fmt.Fprintf(w.out, `
impl %[1]s {
    fn take(m: &mut Members) -> Result<Self, Refusal> {
        Ok(%[1]s {
%[2]s        })
    }
}

impl Read for %[1]s {
    fn read(v: Json, what: &str) -> Result<Self, Refusal> {
        Self::take(&mut v.members(what)?)
    }
}
`, name, reads.Bytes())
	}
	if write {
		fmt.Fprintf(w.out, `
impl Write for %s {
    fn write(&self, out: &mut String) {
        let mut o = Object::begin(out);
%s        o.end();
    }
}
`, name, writes.Bytes())
	}
	return nil
}

// rustName is a member's type. What may be left out and has no empty value is an Option.
func (w *writer) rustName(e ast.Expr, omit bool) (string, error) {
	within := func(form string, e ast.Expr) (string, error) {
		name, err := w.rustName(e, false)
		return fmt.Sprintf(form, name), err
	}
	switch e := e.(type) {
	case *ast.StarExpr:
		return within("Option<%s>", e.X)
	case *ast.ArrayType:
		return within("Vec<%s>", e.Elt)
	case *ast.MapType:
		return within("BTreeMap<String, %s>", e.Value)
	case *ast.SelectorExpr: // json.RawMessage
		if omit {
			return "Option<Json>", nil
		}
		return "Json", nil
	case *ast.Ident:
		if w.structOf(e) != "" {
			return e.Name, nil
		}
		if t, ok := w.types[e.Name]; ok {
			return w.rustName(t.Type, omit)
		}
		if name := map[string]string{"string": "String", "bool": "bool", "int": "i64", "float64": "Number"}[e.Name]; name != "" {
			return name, nil
		}
	}
	return "", fmt.Errorf("unsupported type %T", e)
}

// snake is a member's name as Rust writes it.
func snake(name string) string {
	var b strings.Builder
	for i, r := range name {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	if s := b.String(); s == "ref" || s == "type" {
		return "r#" + s
	}
	return b.String()
}

func rustDoc(indent, doc string) string {
	if strings.TrimSpace(doc) == "" {
		return ""
	}
	return indent + "/// " + strings.Join(strings.Split(strings.TrimSpace(doc), "\n"), "\n"+indent+"/// ") + "\n"
}
