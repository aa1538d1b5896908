package export

import (
	"strconv"
	"strings"
)

// element is one XML element with children or a text. This package does not use
// encoding/xml, because browsers download this code.
type element struct {
	name       string
	attributes []attribute
	children   []element
	text       string // written as CDATA
}

type attribute struct{ name, value string }

func intAttribute(name string, n int) attribute { return attribute{name, strconv.Itoa(n)} }

// xmlDocument returns an XML document with e as its root. Each element begins on a new
// line.
func xmlDocument(e *element) []byte {
	var b strings.Builder
	b.WriteString(`<?xml version="1.0" encoding="UTF-8"?>` + "\n")
	e.write(&b, 0)
	b.WriteByte('\n')
	return []byte(b.String())
}

func (e *element) write(b *strings.Builder, depth int) {
	indent := strings.Repeat("  ", depth)
	b.WriteString(indent + "<" + e.name)
	for _, a := range e.attributes {
		b.WriteString(" " + a.name + `="` + escapeAttribute(a.value) + `"`)
	}
	b.WriteByte('>')
	if e.text != "" {
		// A CDATA section cannot contain "]]>", so it is split over two sections.
		b.WriteString("<![CDATA[" + strings.ReplaceAll(replaceForbidden(e.text), "]]>", "]]]]><![CDATA[>") + "]]>")
	}
	for i := range e.children {
		b.WriteByte('\n')
		e.children[i].write(b, depth+1)
	}
	if len(e.children) > 0 {
		b.WriteString("\n" + indent)
	}
	b.WriteString("</" + e.name + ">")
}

var escapes = strings.NewReplacer(`"`, "&#34;", "'", "&#39;", "&", "&amp;", "<", "&lt;", ">", "&gt;", "\t", "&#x9;", "\n", "&#xA;", "\r", "&#xD;")

// escapeAttribute returns s with the escapes that an attribute's value requires.
func escapeAttribute(s string) string { return escapes.Replace(replaceForbidden(s)) }

// replaceForbidden replaces each character that XML forbids by U+FFFD.
func replaceForbidden(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == '\ufffe' || r == '\uffff' {
			return '\ufffd'
		}
		return r
	}, s)
}
