package prompts

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/boundcheck/boundcheck/plugins/abi"
)

// TestTemplateVersions checks that the version of a template changes with its text. To
// change a template, raise its version in templates and enter the version and the hash
// here.
func TestTemplateVersions(t *testing.T) {
	pinned := map[string]string{
		"ebp-full 1.1.0":        "9404518e",
		"ebp-paper 1.0.0":       "365bfa17",
		"ebp-scope 1.0.0":       "16045aad",
		"ebp-granularity 1.0.0": "477932bc",
		"ebp-checklist 1.0.0":   "63f18aea",

		"saber-confirmation 1.1.0":     "cf533286",
		"saber-reflection-think 1.0.0": "0980457a",
		"saber-reflection-react 1.0.0": "0980457a",
		"saber-constraints 1.0.0":      "d09554b8",
		"saber-block-summary 1.0.0":    "29bf54af",
		"judge 1.0.0":                  "057788ce",
	}
	for _, tmpl := range allTemplates() {
		sum := sha256.Sum256([]byte(tmpl.text))
		got := hex.EncodeToString(sum[:4])
		if want, ok := pinned[tmpl.id+" "+tmpl.version]; !ok || got != want {
			t.Errorf("%s %s has sha256 %s..., pinned %q: raise the version", tmpl.id, tmpl.version, got, want)
		}
	}
}

// TestHoles checks that each template has exactly one placeholder for each of its
// variables, and no other placeholders.
func TestHoles(t *testing.T) {
	for _, tmpl := range allTemplates() {
		blocks := map[string]string{}
		for _, v := range tmpl.variables {
			blocks[v.name] = "<" + v.name + ">"
		}
		text, err := tmpl.chooseComponents(nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := fillHoles(text, blocks)
		if err != nil {
			t.Errorf("%s: %v", tmpl.id, err)
		}
		for _, b := range blocks {
			if n := strings.Count(got, b); n != 1 {
				t.Errorf("%s: %d holes for %s", tmpl.id, n, b)
			}
		}
		bare, err := tmpl.render(nil)
		if err != nil || strings.Contains(bare, "\n\n\n") || strings.TrimSpace(bare) != bare {
			t.Errorf("%s bare: %v, gaps in\n%s", tmpl.id, err, bare)
		}
		asked := slices.ContainsFunc(tmpl.variables, func(v variable) bool { return v.required })
		if _, err := Render(abi.RenderRequest{Template: tmpl.id}); (err != nil) != asked {
			t.Errorf("%s without what it needs: %v", tmpl.id, err)
		}
	}
}

func TestFill(t *testing.T) {
	blocks := map[string]string{"x": "X", "none": "", "braces": "{{x}}"}
	for text, want := range map[string]string{
		"a {{x}} b":            "a X b",
		"{{braces}}{{x}}":      "{{x}}X",
		"a\n\n{{none}}\n\nb\n": "a\n\nb",
		"- a\n{{none}}\n\nb":   "- a\n\nb",
		"a\n\n{{none}}\n":      "a",
		"{{none}}\na":          "a",
		"no hole } { at all\n": "no hole } { at all",
	} {
		if got, err := fillHoles(text, blocks); got != want || err != nil {
			t.Errorf("%q: %q, %v, want %q", text, got, err, want)
		}
	}
	for _, text := range []string{"{{y}}", "{{x", "{{ x }}", "{{}}"} {
		if got, err := fillHoles(text, blocks); err == nil {
			t.Errorf("%q: %q and no error", text, got)
		}
	}
}

func TestBrief(t *testing.T) {
	for in, want := range map[string]string{
		" a\tb\n\nc ":        "a b c",
		"0123456789":         "0123456789",
		"One two. Three":     "One two.",
		"One. two three":     "One. two ...",
		"unbrokenword":       "unbrokenwo ...",
		"\u202ehidden\u200b": "hidden",
		"éééééééééé":         "éééééééééé",
	} {
		if got := shortenText(in, 10); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// TestHugeSchemas checks that schemas of extreme depth or width can be parsed and cost
// little.
func TestHugeSchemas(t *testing.T) {
	deep := strings.Repeat(`{"type":"array","items":`, 3000) + `{}` + strings.Repeat("}", 3000)
	var wide strings.Builder
	for i := range 20000 {
		fmt.Fprintf(&wide, `"p%d":{},`, i)
	}
	for name, schema := range map[string]string{"deep": `"p":` + deep, "wide": wide.String() + `"p":true`} {
		raw := json.RawMessage(`[{"name":"t","parameters":{"type":"object","properties":{` + schema + `}}}]`)
		if _, err := parseTools(raw); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// FuzzAnswer checks that the plugin answers any bytes with an envelope and never
// panics.
func FuzzAnswer(f *testing.F) {
	paths, _ := filepath.Glob("../testdata/cases/prompts-*.txtar")
	if len(paths) == 0 {
		f.Fatal("no cases to start from")
	}
	for _, path := range paths {
		a, err := txtar.ParseFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(a.Files[0].Data)
	}
	p := Plugin()
	f.Fuzz(func(t *testing.T, request []byte) {
		got := p.Answer(request)
		var a abi.Answer
		if err := json.Unmarshal(got, &a); err != nil || (a.OK == nil) == (a.Error == nil) {
			t.Fatalf("answer %s, %v", got, err)
		}
		if a.Error != nil && a.Error.Code == abi.CodeInternal {
			t.Fatalf("answer %s", got)
		}
	})
}
