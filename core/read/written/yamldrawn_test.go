package written

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/internal/drawn"
	"github.com/boundcheck/boundcheck/internal/yamljson"
)

// yamlWords are values and names as people write them, and those that a reader takes for something else.
var yamlWords = []string{"a", "two words", "yes", "no", "on", "true", "True", "TRUE", "null", "Null", "~", "010", "0o17", "0x1F", "1_000", "1.50", ".5", "5.", "1e3", "+7", "-0", "-3", "12:30", "2026-02-03", "2026-02-03T12:00:00Z",
	"a: b", "a:b", "a #b", "a#b", "#a", "'it''s'", `"q \" \\ \n \u00e9"`, `"open`, "'open", "- x", "-x", "?", "? x", "&x", "*x", "!t", "%a", "@a", "`a`", "| x", "> x", "[1, 2]", "[a, 'b', \"c\"]", "{a: 1}", "{a: 1, b: [x]}", "{}", "[]", "[1, 2", "{a}", "é", "12,5", "1,000", "http://x.y/z?a=b#c", "C:\\x", ".nan", ".inf", "0", "00", "1.", "=", "<<", "x: ", "---", "...", "key:", "a\tb"}

var plainWords = []string{"a", "two words", "true", "null", "~", "-3", "0", "1.50", "1e3", "12:30", "2026-02-03", "yes", "'it''s'", `"q \" \n"`, "[1, 2]", "[a, 'b', \"c\"]", "{a: 1, b: [x]}", "{}", "[]", "http://x.y/z?a=b#c", "é", "12,5", "e10", "E7", "{a: e10, b: {c: [x, {d: \"11:00\"}], e: 'it''s'}}", "[{a: x1}, {a: e2, b: /p/q.csv}]"}

// drawYAML writes a map or a list with an indentation. odd of 20 words are odd.
func drawYAML(r *rand.Rand, b *strings.Builder, odd, depth, indent int) {
	word := func() string {
		if r.IntN(20) >= odd {
			return plainWords[r.IntN(len(plainWords))]
		}
		return yamlWords[r.IntN(len(yamlWords))]
	}
	list := r.IntN(3) == 0
	for i := range 1 + r.IntN(3) {
		pad := strings.Repeat(" ", indent)
		head := pad + string(rune('a'+i)) + ":"
		if list {
			head = pad + "-"
		} else if r.IntN(12) == 0 {
			head = pad + word() + ":"
		}
		switch more := r.IntN(10); {
		case more < 3 && depth < 3:
			b.WriteString(head + "\n")
			drawYAML(r, b, odd, depth+1, indent+r.IntN(4))
		case more == 3 && list && depth < 3:
			b.WriteString(head + " k: " + word() + "\n" + pad + "  l: " + word() + "\n")
		case more == 4 && r.IntN(3) == 0:
			b.WriteString(head + " " + []string{"|", "|-", ">", ">-", "|+"}[r.IntN(5)] + "\n" + pad + "  " + word() + "\n" + pad + "   " + word() + "\n")
		case more == 5 && r.IntN(3) == 0:
			b.WriteString(head + " " + word() + "\n" + pad + "  " + word() + "\n")
		case more == 6:
			b.WriteString(head + " " + word() + " # " + word() + "\n")
		default:
			b.WriteString(head + " " + word() + "\n")
		}
		if r.IntN(10) == 0 {
			b.WriteString([]string{"\n", "# remark\n", pad + "  # remark\n"}[r.IntN(3)])
		}
	}
}

// TestYAMLDrawn draws texts with all that people write, and much that they should not. What is read is what a
// whole reader of YAML reads; where that reader finds no YAML, nothing is read.
func TestYAMLDrawn(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 2))
	read := 0
	for range drawn.Cases(4000) {
		var b strings.Builder
		drawYAML(r, &b, []int{0, 1, 6}[r.IntN(3)], 0, 0)
		text := b.String()
		got, ok := YAML(text)
		if !ok {
			continue
		}
		read++
		want, err := yamljson.ToJSON(text)
		if err != nil {
			t.Fatalf("%s\nbecomes %s, but is no YAML: %v", text, got, err)
		}
		v, err := jsonval.Parse(got)
		whole, _ := jsonval.Parse(want)
		if err != nil || v.Canonical() != whole.Canonical() {
			t.Fatalf("%s\nbecomes %s (%v)\nwant    %s", text, got, err, want)
		}
	}
	if read < drawn.Cases(4000)/20 {
		t.Errorf("only %d texts were read", read)
	}
}
