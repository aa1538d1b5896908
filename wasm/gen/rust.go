package main

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"

	"github.com/boundcheck/boundcheck/wasm/gen/model"
)

// rustTypes returns the Rust code of the message types for the Rust starter. The types
// use the starter's json.rs to read requests and write answers.
func rustTypes(base string) ([]byte, error) {
	all, err := abiTypes(base, messageTypes()...)
	if err != nil {
		return nil, err
	}
	asked, err := reachedStructs(base, func(m message) string { return m.request })
	if err != nil {
		return nil, err
	}
	said, err := reachedStructs(base, func(m message) string { return m.answer })
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, header, abiDir)
	out.WriteString(`//! The messages of plugins/ABI.md. A list, string, number or Boolean that is left out is empty, 0 or false.
#![allow(dead_code)]
use super::json::{Json, Members, Number, Object, Read, Write};
use super::Refusal;
use std::collections::BTreeMap;
`)
	for _, s := range sortByName(all) {
		if asked[s.Name] || said[s.Name] {
			rustType(&out, s, asked[s.Name], said[s.Name])
		}
	}
	return out.Bytes(), nil
}

func rustType(out *bytes.Buffer, s model.Struct, read, write bool) {
	var members, reads, writes bytes.Buffer
	if s.Embeds != "" {
		at := snakeName(s.Embeds)
		fmt.Fprintf(&members, "    pub %s: %s,\n", at, s.Embeds)
		fmt.Fprintf(&reads, "            %s: %s::take(m)?,\n", at, s.Embeds)
	}
	for _, f := range s.Fields {
		at := snakeName(f.Name)
		fmt.Fprintf(&members, "%s    pub %s: %s,\n", rustDoc("    ", f.Doc), at, rustName(f))
		fmt.Fprintf(&reads, "            %s: m.take(%q)?,\n", at, f.Name)
		how := "member"
		if f.Omitted {
			how = "unless_empty"
		}
		fmt.Fprintf(&writes, "        o.%s(%q, &self.%s);\n", how, f.Name, at)
	}
	fmt.Fprintf(out, "\n%s#[derive(Clone, Debug, Default, PartialEq)]\npub struct %s {\n%s}\n", rustDoc("", s.Doc), s.Name, members.Bytes())
	if read {
		fmt.Fprintf(out, `
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
`, s.Name, reads.Bytes())
	}
	if write {
		fmt.Fprintf(out, `
impl Write for %s {
    fn write(&self, out: &mut String) {
        let mut o = Object::begin(out);
%s        o.end();
    }
}
`, s.Name, writes.Bytes())
	}
}

// rustName returns the Rust type of a member. The type is an Option if the member may be
// missing and its type has no empty value.
func rustName(f model.Field) string {
	name := rustKind(f.Kind)
	if f.Pointer || f.Omitted && f.Kind.Name == model.Any {
		return "Option<" + name + ">"
	}
	return name
}

func rustKind(k model.Kind) string {
	switch k.Name {
	case model.Array:
		return "Vec<" + rustKind(*k.Elem) + ">"
	case model.Map:
		return "BTreeMap<String, " + rustKind(*k.Elem) + ">"
	case model.Object:
		return k.Type
	case model.String:
		return "String"
	case model.Int:
		return "i64"
	case model.Number:
		return "Number"
	case model.Any:
		return "Json"
	}
	return k.Name
}

// snakeName returns a member's name in Rust's spelling.
func snakeName(name string) string {
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
