package envelope

import (
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
		"models:\n  gpt-4.1:\n    calls: [\"f(x=1)\", 'g()']\n  \"a b\":\n    calls:\n    - f()\n",
	} {
		want, err := yamljson.ToJSON(text)
		if err != nil {
			t.Fatal(err)
		}
		got, ok := yamlLines(text)
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
		"a:\n  b: &x 1\n  c: *x\n", "a:\n  b: !!set {x}\n", "a:\n  b: \"open\nc: 1\n", "a:\n  b: [1, 2\nc: 3\n", "a:\n  b: 1\n c: 2\n", "a:\n\tb: 1\n", "a:\n  ? b\n  : c\n",
		"a:\n  b: {c: 1} x\n", "a:\n  b: text\n    key: x\n",
	} {
		if got, ok := yamlLines(text); ok {
			t.Errorf("%q becomes %s", text, got)
		}
	}
}

// FuzzYAML checks that what is read as YAML is JSON, and that no text panics.
func FuzzYAML(f *testing.F) {
	f.Add("a:\n  - b: {c: [1, 'x']}\n    d: |\n      t\n")
	f.Fuzz(func(t *testing.T, text string) {
		if got, ok := yamlLines(text); ok {
			if s, err := Split(got, 1, func(string, string, int) {}); err != nil && strings.TrimSpace(got) != "" || len(s.Values) > 0 && s.Values[0].Kind() == jsonval.Missing {
				t.Errorf("%q becomes %q: %v", text, got, err)
			}
		}
	})
}
