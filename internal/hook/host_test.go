package hook

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/internal/drawn"
)

// inputOf returns a call as the host sends it, by its published schema.
func inputOf(h *Host, event, tool, input string) string {
	about := `"cwd":"/w","hook_event_name":"` + event + `","tool_name":"` + tool + `","tool_input":` + input
	switch h.Name {
	case "codex":
		return `{"session_id":"s","turn_id":"t","model":"m","permission_mode":"default","transcript_path":null,"tool_use_id":"c1",` + about + `}`
	case "cursor":
		return `{"conversation_id":"s","generation_id":"g","model":"default","cursor_version":"3.9","workspace_roots":["/w"],"user_email":null,"transcript_path":null,"tool_use_id":"c1",` + about + `}`
	case "gemini-cli":
		return `{"session_id":"s","transcript_path":"/none","timestamp":"2026-01-01T00:00:00Z",` + about + `}`
	case "copilot":
		return `{"session_id":"s","timestamp":"2026-01-01T00:00:00Z",` + about + `}`
	}
	return `{"session_id":"s","transcript_path":"/none","permission_mode":"default","tool_use_id":"c1",` + about + `}`
}

func decideFor(h *Host, tool, input string) (string, error) {
	o := Options{Host: h, Policy: func() (*machine.Policy, error) { return machine.Default(), nil }, Deadline: 10 * time.Second}
	return Decide(o, strings.NewReader(inputOf(h, h.before, tool, input)))
}

// isBlocked reports whether a host does not run a call by itself after this output, by the
// rules that the host publishes.
func isBlocked(h *Host, text string) bool {
	v, _ := jsonval.Parse(text)
	switch h.Name {
	case "codex":
		return v.At("hookSpecificOutput", "permissionDecision").Text() == "deny" && v.At("hookSpecificOutput", "permissionDecisionReason").Text() != ""
	case "cursor":
		return v.Get("permission").Text() != "allow"
	case "gemini-cli":
		return v.Get("decision").Text() == "deny"
	case "copilot":
		return v.Get("permissionDecision").Text() == "deny" || v.Get("permissionDecision").Text() == "ask"
	}
	d := v.At("hookSpecificOutput", "permissionDecision").Text()
	return d == "deny" || d == "ask"
}

// TestHostsAgree makes the same calls through the hook of each host. No host may run a
// call that another one does not run, and a call that only reads passes everywhere.
func TestHostsAgree(t *testing.T) {
	for _, c := range []struct {
		tool, input string
		held        bool
	}{
		{"get_order", `{"id":1}`, false}, {"cancel_order", `{"id":1}`, true}, {"mcp__shop__delete_order", `{}`, true}, {"run_shell_command", `{"command":"rm -rf x"}`, true},
		{"Bash", `{"command":"rm -rf x"}`, true}, {"Shell", `{"command":"rm x","cwd":"","timeout":1}`, true}, {"frobnicate", `{}`, true}, {"mcp__shop__get_order", `{}`, false}, {"write_file", `{"file_path":"a","content":"b"}`, true},
	} {
		for _, h := range Hosts() {
			text, err := decideFor(h, c.tool, c.input)
			if err != nil || isBlocked(h, text) != c.held {
				t.Errorf("%s: %s %s: held %v, want %v: %s %v", h.Name, c.tool, c.input, isBlocked(h, text), c.held, text, err)
			}
			if c.held && !h.asks && !strings.Contains(text, "--gate URL") {
				t.Errorf("%s does not say what to do: %s", h.Name, text)
			}
			if !c.held && text != "" && !json.Valid([]byte(text)) {
				t.Errorf("%s prints %q", h.Name, text)
			}
		}
	}
	for _, h := range Hosts() {
		good := inputOf(h, h.before, "get_order", `{}`)
		for what, input := range map[string]string{
			"another event": inputOf(h, "sessionStart", "get_order", `{}`), "twice": strings.Replace(good, `"tool_name":"get_order"`, `"tool_name":"get_order","tool_name":"delete_order"`, 1),
			"no object": inputOf(h, h.before, "get_order", `"x"`), "no JSON": good[:20], "no tool": strings.Replace(good, `"tool_name"`, `"toolName"`, 1),
		} {
			if text, err := Decide(Options{Host: h, Policy: func() (*machine.Policy, error) { return machine.Default(), nil }, Deadline: 5 * time.Second}, strings.NewReader(input)); err == nil {
				t.Errorf("%s: %s: %s", h.Name, what, text)
			}
		}
	}
}

// drawSettings returns settings of a host with other members, other hooks, and perhaps an
// older entry of ours.
func drawSettings(r *rand.Rand, h *Host) string {
	other := []string{`{"command":"./lint.sh"}`, `{"matcher":"Bash","hooks":[{"type":"command","command":"clash hook codex pre-tool-use","timeout":1.50}]}`,
		`{"type":"command","bash":"echo \"boundcheck hook codex\" >> log","x":null}`, `{"hooks":[{"type":"command","command":"a"},{"type":"http","url":"https://h.example"}]}`}
	var members []string
	if r.IntN(2) == 0 {
		members = append(members, `"model":"x\u00fc"`, `"n":1.0`)
	}
	var events []string
	for _, e := range append(h.eventNames(), "Stop", "other") {
		var list []string
		for range r.IntN(3) {
			list = append(list, other[r.IntN(len(other))])
		}
		if len(list) > 0 {
			events = append(events, `"`+e+`": [`+strings.Join(list, ", ")+`]`)
		}
	}
	if len(events) > 0 {
		members = append(members, `"hooks":{`+strings.Join(events, ",")+`}`)
	}
	for name, raw := range h.envelope {
		members = append(members, `"`+name+`":`+string(raw))
	}
	r.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
	return "{" + strings.Join(members, ",") + "}\n"
}

// TestInstallIsUndone installs and uninstalls the hook in drawn settings. In between, each
// event has exactly one entry of ours, after installing twice, too. Afterwards the
// settings say what they said before, in the same order, and a copy of them is left.
func TestInstallIsUndone(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range drawn.Cases(60) {
		h := Hosts()[n%len(Hosts())]
		dir := t.TempDir()
		at := *h
		at.folder = func() (string, error) { return dir, nil }
		file := filepath.Join(dir, h.file)
		before := drawSettings(r, h)
		os.MkdirAll(filepath.Dir(file), 0o700)
		if n%7 != 0 {
			os.WriteFile(file, []byte(before), 0o640)
		} else {
			before = "{}"
		}
		gate := []string{"", "https://gate.example"}[n%2]
		line, err := CommandLine("/opt/my tools/boundcheck")
		if err != nil {
			t.Fatal(err)
		}
		for again := range 2 {
			done, err := Install(&at, line, gate, "55s", 60)
			if err != nil || done.Changed != (again == 0) || again == 0 && n%7 != 0 && readAll(t, done.Backup) != before {
				t.Fatalf("%s: %+v %v\n%s", h.Name, done, err, before)
			}
		}
		text := readAll(t, file)
		want := 1
		if gate != "" {
			want = len(h.eventNames())
		}
		if got := strings.Count(text, "'/opt/my tools/boundcheck' hook "+h.Name); got != want {
			t.Fatalf("%s: %d entries, want %d:\n%s", h.Name, got, want, text)
		}
		if s, err := os.Stat(file); n%7 != 0 && (err != nil || s.Mode().Perm() != 0o640) {
			t.Errorf("the mode changed: %v %v", s, err)
		}
		if _, err := Uninstall(&at); err != nil {
			t.Fatal(err)
		}
		after := "{}"
		if _, err := os.Stat(file); err == nil {
			after = readAll(t, file)
		}
		was, _ := readSettings([]byte(before))
		is, err := readSettings([]byte(after))
		if err != nil || was.Canonical() != is.Canonical() && !(isEmpty(was, h.envelope) && isEmpty(is, h.envelope)) {
			t.Fatalf("%s: %v, before\n%s\nafter\n%s", h.Name, err, before, after)
		}
		if len(was.Keys()) == len(is.Keys()) && fmt.Sprint(was.Keys()) != fmt.Sprint(is.Keys()) {
			t.Errorf("the order changed: %v, %v", was.Keys(), is.Keys())
		}
	}
}

func readAll(t *testing.T, file string) string {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestInstallRefuses checks that settings that cannot be read without doubt stay as they
// are, and that a program which would not be found again is not installed.
func TestInstallRefuses(t *testing.T) {
	for _, text := range []string{"{ // a comment\n}", `{"hooks":{},"hooks":{}}`, `{"hooks":{"PreToolUse":[],"PreToolUse":[]}}`, `[]`, `{"hooks":[]}`, `{"hooks":{"PreToolUse":{}}}`, `{`} {
		dir := t.TempDir()
		at := *Hosts()[0]
		at.folder = func() (string, error) { return dir, nil }
		file := filepath.Join(dir, at.file)
		os.WriteFile(file, []byte(text), 0o600)
		if _, err := Install(&at, "boundcheck hook", "", "55s", 60); err == nil || !strings.Contains(err.Error(), "Nothing was changed") {
			t.Errorf("%s: %v", text, err)
		}
		if readAll(t, file) != text {
			t.Errorf("%s was changed", text)
		}
	}
	for _, gate := range []string{"gate.example", "ftp://gate.example", "http://gate.example", "https://", "http://localhost/a b", "https://gate.example/$(id)", "https://gate.example/'"} {
		at := *Hosts()[0]
		dir := t.TempDir()
		at.folder = func() (string, error) { return dir, nil }
		if done, err := Install(&at, "boundcheck hook", gate, "55s", 60); err == nil || done.Changed {
			t.Errorf("%q: installed", gate)
		}
		if files, _ := os.ReadDir(dir); len(files) > 0 {
			t.Errorf("%q: something was written", gate)
		}
	}
	if line, err := CommandLine("/usr/bin/bc"); err == nil {
		t.Error(line)
	}
}
