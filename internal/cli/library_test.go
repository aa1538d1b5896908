package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/internal/library"
)

// TestLibraryIsTheCommand checks that the functions of the npm package return the same
// text that the command prints.
func TestLibraryIsTheCommand(t *testing.T) {
	printed := func(args ...string) string {
		t.Helper()
		var out, said bytes.Buffer
		if code := Run(args, strings.NewReader(""), &out, &said); code != cmd.ExitOK {
			t.Fatalf("%v: %d %s", args, code, said.String())
		}
		return out.String()
	}
	answer := func(method string, request any, into any) string {
		t.Helper()
		body, ok := request.([]byte)
		if !ok {
			body, _ = json.Marshal(request)
		}
		text, ok := library.Handle(method, body)
		if !ok {
			t.Fatalf("%s: %s", method, text)
		}
		if into != nil {
			if err := json.Unmarshal(text, into); err != nil {
				t.Fatal(err)
			}
		}
		return string(text)
	}
	files, _ := filepath.Glob("../../testdata/formats/*")
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := answer("lint", data, nil), printed("lint", "--format", "json", file); got != want {
			t.Errorf("lint %s:\n%.200s\n%.200s", file, got, want)
		}
		var c library.Converted
		if answer("convert", map[string]string{"trace": string(data), "to": "openai-chat"}, &c); c.Text != printed("convert", "--to", "openai-chat", file) {
			t.Errorf("convert %s gave %s", file, c.Text)
		}
	}
	if got, want := answer("explain", map[string]any{}, nil), printed("explain", "--format", "json"); got != want {
		t.Errorf("explain: %.100s, want %.100s", got, want)
	}
	file := "../../testdata/traces/tau-bench.json"
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var p library.Proposed
	if answer("reference.new", map[string]any{"traces": []string{string(data)}, "names": []string{file}}, &p); p.Text != printed("reference", "new", file) || len(p.Left) != 4 {
		t.Errorf("reference.new gave %s, left %v", p.Text, p.Left)
	}
	var list []library.Checked
	if answer("reference.check", map[string]string{"reference": p.Text}, &list); len(list) != 3 || list[0] != (library.Checked{Task: "0", Size: "3 steps"}) {
		t.Errorf("reference.check gave %v", list)
	}
	both := answer("score", map[string]any{"trace": string(data), "reference": p.Text}, nil)
	made := filepath.Join(t.TempDir(), "ref.yaml")
	if err := os.WriteFile(made, []byte(p.Text), 0o644); err != nil {
		t.Fatal(err)
	}
	if want := printed("score", "--format", "json", "--reference", made, file); both != want {
		t.Errorf("score with YAML: %.300s\n%.300s", both, want)
	}
	for method, body := range map[string]string{"convert": `{"trace":"x","to":"html"}`, "explain": `{"word":"abs"}`, "prompt": `{"template":"nothing"}`, "reference.new": `{"traces":[]}`, "reference.check": `{"reference":"steps: 1"}`} {
		if text, ok := library.Handle(method, []byte(body)); ok || !bytes.HasPrefix(text, []byte(`{"error":{"code":"invalid-input"`)) {
			t.Errorf("%s %s = %s, %v", method, body, text, ok)
		}
	}
}
