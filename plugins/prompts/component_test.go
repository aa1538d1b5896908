package prompts

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/plugins/abi"
)

func renderWith(t *testing.T, id, variables string) (string, error) {
	t.Helper()
	var vars map[string]json.RawMessage
	if err := json.Unmarshal([]byte(variables), &vars); err != nil {
		t.Fatal(err)
	}
	r, err := Render(abi.RenderRequest{Template: id, Variables: vars})
	return r.Text, err
}

// TestComponentsAreSubsets checks every combination of a template's components. The
// rendered lines must be lines of the whole text in the same order, and each additional
// component must make the text longer.
func TestComponentsAreSubsets(t *testing.T) {
	for _, tmpl := range allTemplates() {
		whole, err := renderWith(t, tmpl.id, "{}")
		if tmpl.components == nil {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		texts := map[int]string{}
		for set := 1; set < 1<<len(tmpl.components); set++ {
			var names []string
			for i, name := range tmpl.components {
				if set&(1<<i) != 0 {
					names = append(names, name)
				}
			}
			raw, _ := json.Marshal(map[string][]string{"components": names})
			text, err := renderWith(t, tmpl.id, string(raw))
			if err != nil {
				t.Fatalf("%s %v: %v", tmpl.id, names, err)
			}
			if rest := missingLine(whole, text); rest != "" || strings.Contains(text, "{{") || strings.Contains(text, "\n\n\n") {
				t.Errorf("%s %v: line %q is not in the whole text, or a gap or a mark is left:\n%s", tmpl.id, names, rest, text)
			}
			for smaller, short := range texts {
				if smaller&set == smaller && (missingLine(text, short) != "" || len(short) >= len(text)) {
					t.Errorf("%s: components %b are not part of %b", tmpl.id, smaller, set)
				}
			}
			texts[set] = text
		}
		if all := texts[1<<len(tmpl.components)-1]; all != whole {
			t.Errorf("%s: all components give\n%s\nnone named gives\n%s", tmpl.id, all, whole)
		}
	}
}

// missingLine returns the first line of part that is missing in whole, or "" if no line
// is missing. The lines must be in the same order in both texts.
func missingLine(whole, part string) string {
	lines := strings.Split(whole, "\n")
	for line := range strings.SplitSeq(part, "\n") {
		i := slices.Index(lines, line)
		if i < 0 {
			return line
		}
		lines = lines[i+1:]
	}
	return ""
}

// TestComponentSays checks that each component adds two things to the full text. The
// first is a line in which the agent states a boundary, for example "scope: every …". The
// second is a section of rules, for example "## Scope".
func TestComponentSays(t *testing.T) {
	for component, want := range map[string][]string{
		"preconditions": {"preconditions: what", "## Preconditions"},
		"scope":         {"scope: every", "## Scope"},
		"granularity":   {"granularity: the one", "## Granularity"},
		"checklist":     {"effects: what", "## Start and end"},
	} {
		text, err := renderWith(t, "ebp-full", `{"components":["`+component+`"]}`)
		for _, s := range want {
			if err != nil || strings.Count(text, s) != 1 {
				t.Errorf("%s: %q is missing: %v\n%s", component, s, err, text)
			}
		}
		if n := strings.Count(text, "\n## "); n != 1 {
			t.Errorf("%s: %d sections", component, n)
		}
	}
}

func TestCompounds(t *testing.T) {
	const tools = `{"tools":[{"name":"send_email"},{"name":"move"}],"compositions":[
		{"whole":"send_email","parts":["compose","attach","send"]},{"whole":"tidy","parts":["move","delete"]}]}`
	for _, id := range []string{"ebp-full", "ebp-paper", "ebp-granularity"} {
		text, err := renderWith(t, id, `{"tools":`+tools+`}`)
		for _, want := range []string{
			"- `send_email` stands for `compose`, then `attach`, then `send`: call it once in their place.",
			"- `tidy`: `move`, then `delete`",
		} {
			if err != nil || !strings.Contains(text, want) {
				t.Errorf("%s: no %q: %v\n%s", id, want, err, text)
			}
		}
	}
	if text, err := renderWith(t, "ebp-scope", `{"tools":`+tools+`}`); err != nil || strings.Contains(text, "compose") {
		t.Errorf("the scope variant has no granularity table: %v\n%s", err, text)
	}
}

func TestComponentErrors(t *testing.T) {
	for vars, want := range map[string]string{
		`{"components":[]}`:                             "at least one of preconditions, scope, granularity, checklist",
		`{"components":"scope"}`:                        "must be an array",
		`{"components":["scope","scop"]}`:               `unknown component "scop" of template ebp-full; the known components are preconditions, scope`,
		`{"components":["scope"],"checks":["a"]}`:       `"checks" is not used, because its component "checklist"`,
		`{"components":["scope"],"tools":[{"name":1}]}`: `"tools" is not used, because its component "granularity"`,

		`{"tools":{"tools":[{"name":"a"}],"compositions":{}}}`:                                  "compositions: must be an array",
		`{"tools":{"tools":[{"name":"a"}],"compositions":[{"parts":["a","b"]}]}}`:               "compositions[0].whole: missing",
		`{"tools":{"tools":[{"name":"a"}],"compositions":[{"whole":"w","parts":["a"]}]}}`:       "compositions[0].parts: must name at least two",
		`{"tools":{"tools":[{"name":"a"}],"compositions":[{"whole":"w","parts":["a","b\n"]}]}}`: `compositions[0]: invalid name "b\n"`,
		`{"tools":{"tools":[{"name":"a"}],"compositions":[{"whole":"w","parts":"a"}]}}`:         "compositions[0].parts",
	} {
		if _, err := renderWith(t, "ebp-full", vars); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", vars, err, want)
		}
	}
	if _, err := renderWith(t, "ebp-scope", `{"components":["scope"]}`); err == nil || !strings.Contains(err.Error(), `unknown variable "components"`) {
		t.Errorf("a template without components took some: %v", err)
	}
}
