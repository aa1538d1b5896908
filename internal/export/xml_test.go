package export

import (
	"bytes"
	"encoding/xml"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestEscapedLikeEncodingXML checks that every character is written as encoding/xml writes
// it.
func TestEscapedLikeEncodingXML(t *testing.T) {
	all := []string{"", "\xff", "a\xf0\x28b", "\x00\x1f"}
	for r := rune(1); r <= utf8.MaxRune; r++ {
		if r < 0x3000 || r > 0xd700 && r < 0x10100 || r%997 == 0 {
			all = append(all, string(r))
		}
	}
	for _, s := range all {
		var want bytes.Buffer
		if err := xml.EscapeText(&want, []byte(s)); err != nil {
			t.Fatal(err)
		}
		if got := escapeAttribute(s); got != want.String() {
			t.Fatalf("%q: got %q, want %q", s, got, want.String())
		}
	}
}

// TestDocumentIsRead checks that texts are read back unchanged, even a text that contains
// "]]>", which ends a CDATA section.
func TestDocumentIsRead(t *testing.T) {
	type read struct {
		Name string `xml:"name,attr"`
		Text []struct {
			Text string `xml:",chardata"`
		} `xml:"text"`
	}
	texts := []string{"]]>", "]]]]>>", "a ]]> b ]]>", "<![CDATA[x]]>", "]]", "&amp;<a>\n\t\"'"}
	e := &element{name: "all", attributes: []attribute{{"name", strings.Join(texts, "")}}}
	for _, text := range texts {
		e.children = append(e.children, element{name: "text", text: text})
	}
	var got read
	if err := xml.Unmarshal(xmlDocument(e), &got); err != nil {
		t.Fatal(err)
	}
	for i, text := range texts {
		if got.Text[i].Text != text {
			t.Errorf("%q became %q", text, got.Text[i].Text)
		}
	}
	if got.Name != strings.Join(texts, "") {
		t.Errorf("the attribute became %q", got.Name)
	}
}
