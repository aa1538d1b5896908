package playground

import (
	"io/fs"
	"regexp"
	"strings"
	"testing"
)

// resolveText resolves the text of a module that exists only in the test.
func resolveText(text string) (string, []string) {
	b := bundler{names: map[string]string{"dom.js": "m1"}}
	return b.resolveImports("saved/x.js", text)
}

func TestResolve(t *testing.T) {
	check := func(text, want, exports string) {
		t.Helper()
		body, names := resolveText(text)
		if body != want || strings.Join(names, " ") != exports {
			t.Errorf("%q: got %q, exports %q", text, body, names)
		}
	}
	check(`import { el, bytes as size } from "../dom.js";`, `const { el, bytes: size } = m1;`, "")
	check("export const A = 1;\nexport function b() {}", "const A = 1;\nfunction b() {}", "A b")
	check("export async function c() {}\nexport function* d() {}\nexport class E {}", "async function c() {}\nfunction* d() {}\nclass E {}", "c d E")
	check(`/** @typedef {import("./x.d.ts").X} X */`, `/** @typedef {import("./x.d.ts").X} X */`, "")
}

func TestOtherForms(t *testing.T) {
	for _, text := range []string{`import "./x.js";`, `import * as x from "./x.js";`, `export default 1;`, `export { a };`, `export let a;`, "const u = import.meta.url;", `await import("./x.js")`} {
		if body, _ := resolveText(text); !otherForm().MatchString(body) {
			t.Errorf("%q would be joined", text)
		}
	}
}

// TestSavedScript checks that the script of the saved page contains each module once,
// before all modules that use it. It also checks that the script has no text that is not
// allowed in a single-file page, such as fetch.
func TestSavedScript(t *testing.T) {
	script, err := Script("saved/main.js")
	if err != nil {
		t.Fatal(err)
	}
	if again, _ := Script("saved/main.js"); again != script {
		t.Error("another text the second time")
	}
	made := regexp.MustCompile(`(?m)^const (m\d+) = `).FindAllStringSubmatchIndex(script, -1)
	if len(made) < 8 {
		t.Errorf("only %d modules", len(made))
	}
	for _, m := range made {
		name := script[m[2]:m[3]]
		if strings.Count(script, "const "+name+" = (") != 1 || regexp.MustCompile(`\b`+name+`;`).MatchString(script[:m[0]]) {
			t.Errorf("%s is made twice, or used before", name)
		}
	}
	for _, never := range []string{"</script", "<!--", "fetch(", "Worker(", "\r"} {
		if strings.Contains(script, never) {
			t.Errorf("%q stands in the script", never)
		}
	}
}

func TestScriptRefuses(t *testing.T) {
	for entry, want := range map[string]string{"none.js": "file does not exist", "form/examples.js": "cannot join"} {
		if _, err := Script(entry); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", entry, err, want)
		}
	}
	b := bundler{names: map[string]string{"base/dom.js": ""}}
	if err := b.addModule("run/args.js"); err == nil || !strings.Contains(err.Error(), "import cycle") {
		t.Errorf("a cycle: got %v", err)
	}
}

func TestFiles(t *testing.T) {
	for _, name := range []string{"style.css", "icon.svg", "saved/page.html", "_headers"} {
		if data, err := fs.ReadFile(Files, name); err != nil || len(data) == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	if text := replaceCRLF("a\r\nb\n"); text != "a\nb\n" {
		t.Errorf("lines returns %q", text)
	}
}
