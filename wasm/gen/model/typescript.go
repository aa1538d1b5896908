package model

import (
	"fmt"
	"strings"
)

// TypeScript returns a struct as a TypeScript interface, with its comments.
func (s Struct) TypeScript() string {
	var b strings.Builder
	extends := ""
	if s.Embeds != "" {
		extends = " extends " + s.Embeds
	}
	fmt.Fprintf(&b, "\n%sexport interface %s%s {\n", Comment("", s.Doc), s.Name, extends)
	for _, f := range s.Fields {
		typ, mark := f.Kind.toTypeScript(), ""
		if f.Null {
			typ += " | null"
		}
		if f.Omitted {
			mark = "?"
		}
		fmt.Fprintf(&b, "%s  %s%s: %s;\n", Comment("  ", f.Doc), f.Name, mark, typ)
	}
	b.WriteString("}\n")
	return b.String()
}

func (k Kind) toTypeScript() string {
	switch k.Name {
	case Array:
		return k.Elem.toTypeScript() + "[]"
	case Map:
		return "Record<string, " + k.Elem.toTypeScript() + ">"
	case Object, Union:
		return k.Type
	case Bool:
		return "boolean"
	case Int, Number:
		return "number"
	case Any:
		return "unknown"
	}
	return k.Name
}

// Comment returns a text as a doc comment of TypeScript, or "" if the text is empty.
func Comment(indent, text string) string {
	lines := strings.Split(text, "\n")
	switch {
	case text == "":
		return ""
	case len(lines) == 1:
		return indent + "/** " + lines[0] + " */\n"
	}
	return indent + "/**\n" + indent + " * " + strings.Join(lines, "\n"+indent+" * ") + "\n" + indent + " */\n"
}
