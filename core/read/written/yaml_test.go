package written

import (
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/internal/yamljson"
)

// TestYAMLIsTheSame compares texts with what a whole reader of YAML makes of them.
func TestYAMLIsTheSame(t *testing.T) {
	for _, text := range []string{
		"cases:\n  - id: a-1\n    input: \"Renew: «x», 5\"\n    calls:\n      - tool: find\n        args: {no: \"55\", 'q': it''s, n: 4, l: [1, two words, true, ~]}\n      - tool: pay\n        args: {}\n  - id: b\n    calls: []\n",
		"# remark\n---\na:\n- b: 1\n  c: 2.5\n- b: -3 # remark\n  c:\n    d: null\n    e:\nf: yes it is\n",
		"a:\n  z: 0\n  l:\n  - - 1\n    - 2\n  -\n    x: y\n  - plain text\n    goes on\n",
		"a:\n  text: |\n    one\n      two\n\n    three\n  folded: >-\n    one\n    two\n  last: 'it''s # no remark'\n",
		"a:\n  b: [1,\n    {c: d},\n    e]\n  u: http://x.y/z\n  t: 10:30\n",
		"a:\n  b: &x 1\n  c: *x\n  d: &y\n    e: [1, two]\n    f:\n    - g: &z text\n  h: *y\n  i:\n  - &w\n    j: *z\n  - *w\n  - &v k\n  - *v\n  l: &u\n  - 1\n  m: *u\n  n: &t\n  o: *t\n",
		"a:\n- b: 'one two: three\n    four, it''s # five\n\n\n    six'\n  c: \"one \\\n    \\ two \\u00e9\n    three\n\n    four\"\n  d: \"x\\\n    y\" # remark\n",
		"a: &x\n  b: 1\nc: *x\nd: >-\n  one\n\n  two\n  three\n\n\n    deeper\n\n    and\n  last\ne: >\n\n  x\n   y\n  z\n",
		"models:\n  gpt-4.1:\n    calls: [\"f(x=1)\", 'g()']\n  \"a b\":\n    calls:\n    - f()\n",
	} {
		want, err := yamljson.ToJSON(text)
		if err != nil {
			t.Fatal(err)
		}
		got, ok := YAML(text)
		whole, _ := jsonval.Parse(want)
		if v, err := jsonval.Parse(got); !ok || err != nil || v.Canonical() != whole.Canonical() {
			t.Errorf("%s\nbecomes %s (%v)\nwant %s", text, got, ok, want)
		}
		for i, line := range strings.Split(text, "\n") { // each key in its line
			if key, _, isKey := yamlKey(strings.TrimLeft(line, " -")); isKey && !strings.Contains(strings.Split(got, "\n")[i], jsonval.Quoted(key)) {
				t.Errorf("%s: %s is in another line\n%s", text, key, got)
			}
		}
	}
}

// TestYAMLIsRefused checks forms that are not read, so that nothing is read almost right.
func TestYAMLIsRefused(t *testing.T) {
	for _, text := range []string{
		"a:\n  b: &x 1\n  c: *y\n", "a:\n  b: &x\n    c: *x\n", "a:\n  - &x b: 1\n", "a:\n  b: *x\n  c: &x 1\n", "a:\n  b: !!set {x}\n", "a:\n  b: \"open\nc: 1\n", "a:\n  b: [1, 2\nc: 3\n", "a:\n  b: 1\n c: 2\n", "a:\n\tb: 1\n", "a:\n  ? b\n  : c\n",
		"a:\n  b: {c: 1} x\n", "a:\n  b: text\n    key: x\n",
	} {
		if got, ok := YAML(text); ok {
			t.Errorf("%q becomes %s", text, got)
		}
	}
}

// TestYAMLSaysWhatIsNotRead checks that the error of YAML that is not read names the line and the form, and
// that no other reader takes the text.
func TestYAMLSaysWhatIsNotRead(t *testing.T) {
	for text, want := range map[string]string{
		"defaults: &d\n  tool: pay\ncases:\n  - id: a\n    calls:\n      - <<: *d\n        args: {n: 1}\n    passed: true\n": `line 6 is written in a way that is not read here (an anchor): "- <<: *d"`,
		"cases:\n  - id: a\n    calls:\n      - tool: pay\n        args: {n: 010}\n    passed: true\n":                       `line 5 is written in a way that is not read here: "args: {n: 010}"`,
		"cases:\n  - id: a\n    calls: !!set {pay}\n":                                                                        `line 3 is written in a way that is not read here (a tag)`,
		"- &a\n  tool: pay\n- *b\n":  `line 3 is written in a way that is not read here (an anchor)`,
		"cases:\n- id: a\n  id: b\n": `line 3 is written in a way that is not read here: "id: b"`,
	} {
		if got, ok := YAML(text); ok {
			t.Errorf("%q is read as %s", text, got)
		}
		err := YAMLFault(text)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "convert it to JSON first") {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// isLines reports whether each document of a text is JSON.
func isLines(text string) bool {
	for d := json.NewDecoder(strings.NewReader(text)); ; {
		var v any
		if err := d.Decode(&v); err != nil {
			return err == io.EOF
		}
	}
}

// FuzzYAML checks that what is read as YAML is JSON, and that no text panics.
func FuzzYAML(f *testing.F) {
	f.Add("a:\n  - b: {c: [1, 'x']}\n    d: |\n      t\n")
	f.Fuzz(func(t *testing.T, text string) {
		if got, ok := YAML(text); ok {
			if !isLines(got) {
				t.Errorf("%q becomes %q", text, got)
			}
		}
	})
}
