package yamljson

import (
	"fmt"
	"strings"
	"testing"
)

func TestIs(t *testing.T) {
	check := func(name, text string, want bool) {
		t.Helper()
		if got := Is(name, text); got != want {
			t.Errorf("%s %q: got %t", name, text, got)
		}
	}
	check("ref.yaml", "a(b=1)", true)
	check("ref.yml", "", true)
	check("-", "# mine\nsteps:\n  - name: a\n", true)
	check("-", "---\n- name: a\n", true)
	check("-", "- name: a\n", true)
	check("-", "tasks:\n", true)
	check("ref.json", "steps: []", false)
	check("ref.txt", "get_order(order_id=1)\n", false)
	check("ref.txt", "- get_order(order_id=1)\n", false)
	check("ref.txt", "any order:\n  a()\n  b()\n", false)
	check("ref.txt", "optional: note()\n", false)
	check("ref.txt", "- optional: note()\n", false)
	check("", `{"steps":[]}`, false)
	check("", "", false)
}

func TestToJSON(t *testing.T) {
	check := func(text, want string) {
		t.Helper()
		if got, err := ToJSON(text); err != nil || got != want {
			t.Errorf("%q: got %s, %v, want %s", text, got, err, want)
		}
	}
	refuses := func(text, want string) {
		t.Helper()
		if got, err := ToJSON(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %s, %v, want an error with %q", text, got, err, want)
		}
	}
	check("b: 1\na: [x, 2.50, true, ~, 0x10, 12345678901234567890123]", `{"b":1,"a":["x",2.50,true,null,16,12345678901234567890123]}`)
	check("day: 2024-05-20\nyes: no\nquoted: '7'", `{"day":"2024-05-20","yes":"no","quoted":"7"}`)
	check("a: &x {b: 1}\nc: *x", `{"a":{"b":1},"c":{"b":1}}`)
	check("text: |\n  one\n  two\n", `{"text":"one\u000atwo\u000a"}`)
	refuses("a: 1\na: 2", "twice")
	refuses("a: {<<: {b: 1}}", "merge keys")
	refuses("a: .nan", "JSON cannot represent the number")
	refuses("a: !!binary aGk=", "is not supported")
	refuses("a: [1", "invalid YAML")
	refuses("", "empty")
	refuses("[1]: 2", "must be a string")
	bomb := "a: &a [x,x,x,x,x,x,x,x,x]\n"
	for c := 'b'; c < 'k'; c++ {
		bomb += strings.Replace("C: &C [*P,*P,*P,*P,*P,*P,*P,*P,*P]\n", "C", string(c), 2)
		bomb = strings.ReplaceAll(bomb, "*P", "*"+string(c-1))
	}
	refuses(bomb, "")
}

// TestSecondDocument checks that nothing after the first document is dropped.
func TestSecondDocument(t *testing.T) {
	for text, want := range map[string]string{
		"- a\n---\n- b\n": "line 3: the text has several documents; want one",
		"- a\n...\n- b\n": "invalid YAML: line 2: did not find expected <document start>",
		"- a\n---\n":      "",
		"---\n- a\n...\n": "",
	} {
		_, err := ToJSON(text)
		if said := fmt.Sprint(err); (err == nil) != (want == "") || err != nil && said != want {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
