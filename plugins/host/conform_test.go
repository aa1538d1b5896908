package host

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/plugins/abi"
)

// newTestAnswer converts an answer of a plugin named x to a said, as the method
// callAndSplit does.
func newTestAnswer(answer string) *said {
	p := &Plugin{name: "x"}
	s := &said{plugin: p, answer: []byte(answer), describe: []byte(`{"ok":{"abi":1}}`)}
	s.ok, s.err = p.openAnswer(s.answer)
	if e, is := s.err.(*Error); is {
		s.refusal, _ = e.Err.(*abi.Error)
	}
	return s
}

func TestTrial(t *testing.T) {
	template := abi.Template{ID: "t", Version: "1.0.0", Tokens: abi.Tokens{About: 3, Method: "m"}}
	refusal := func(code, message string) string {
		return `{"error":{"code":"` + code + `","message":"` + message + `"}}`
	}
	rendered := func(id, version, text string) string {
		return `{"ok":{"template":"` + id + `","version":"` + version + `","tokens":{"about":3,"method":"m"},"text":"` + text + `"}}`
	}
	check := func(want string, f func(*said) error, answer string) {
		t.Helper()
		v := (&trial{name: "n", want: f}).verifyAnswer(newTestAnswer(answer))
		if (v.Err == nil) != (want == "") || v.Err != nil && !strings.Contains(v.Err.Error(), want) {
			t.Errorf("%s: %v, want %q", answer, v.Err, want)
		}
	}
	check("", nil, `{"ok":1}`)
	check("", nil, refusal("own-code", "no"))
	check(`the answer needs "ok" or "error"`, nil, `{}`)
	check("", sameDescription, `{"ok":{"abi":1}}`)
	check("the answer to describe differs from the first answer", sameDescription, `{"ok":{"abi": 1}}`)
	check("(no)", sameDescription, refusal("no", "no"))
	check("", refusalCheck(), refusal("own-code", "no"))
	check("", refusalCheck("a", "b"), refusal("b", "no"))
	check(`the plugin refused the request with code "c"; the code must be a or b`, refusalCheck("a", "b"), refusal("c", "no"))
	check("accepts a bad request: {", refusalCheck("a"), `{"ok":1}`)
	check("invalid answer", refusalCheck(), `certainly!`)
	check("the code must be kebab-case, and the message must be one line", refusalCheck(), refusal("Own_Code", "no"))
	check("the code must be kebab-case, and the message must be one line", refusalCheck(), refusal("own", ""))
	check("the code must be kebab-case, and the message must be one line", refusalCheck(), refusal("own", `a\nb`))
	check("a bug in the plugin: boom", nil, refusal(abi.CodeInternal, "boom"))
	check("", renderingCheck(template), rendered("t", "1.0.0", "x"))
	check("The declared template is", renderingCheck(template), rendered("u", "1.0.0", "x"))
	check("The declared template is", renderingCheck(template), rendered("t", "1.0.1", "x"))
	check("The declared template is", renderingCheck(template), rendered("t", "1.0.0", `x\n`))
	check("The declared template is", renderingCheck(template), rendered("t", "1.0.0", ""))
	check("invalid answer", renderingCheck(template), `{"ok":[]}`)
	check("(own)", renderingCheck(template), refusal("own", "no"))
}

// TestTrialRoomy checks that a guest may have no room for the largest request, but must
// not crash. A guest without room for a small request must fail.
func TestTrialRoomy(t *testing.T) {
	s := &said{plugin: &Plugin{name: "x"}, err: newError("x", RequestTooLarge, "no room")}
	if v := (&trial{roomy: true, want: refusalCheck()}).verifyAnswer(s); v.Err != nil || v.Note == "" {
		t.Errorf("no room: %+v", v)
	}
	if v := (&trial{want: refusalCheck()}).verifyAnswer(s); v.Err == nil {
		t.Error("no room for a small request: holds")
	}
	s.err = newError("x", Trap, "crashed")
	if v := (&trial{roomy: true, want: refusalCheck()}).verifyAnswer(s); v.Err == nil {
		t.Error("a crash: holds")
	}
}

// TestTrials checks that each operation and each template has trials, and that no two
// trials have the same name. It also checks that a request for an operation whose name
// has a dot is JSON, and that op is its first member.
func TestTrials(t *testing.T) {
	d := &abi.Description{Operations: []string{"describe", "env.load", "equivalence.check", "mine", "prompt.render", "state.replay"},
		Templates: []abi.Template{{ID: "free"}, {ID: "needy", Variables: []abi.Variable{{Name: "v", Required: true}}}}}
	names := map[string]bool{}
	for _, tr := range conformanceTrials(d) {
		if names[tr.name] {
			t.Errorf("%q is there twice", tr.name)
		}
		names[tr.name] = true
		if strings.Contains(tr.name, ".") {
			head, _, _ := strings.Cut(string(tr.request), "\x00")
			if !json.Valid([]byte(head)) || !strings.HasPrefix(head, `{"op":"`) {
				t.Errorf("%s: %s", tr.name, tr.request)
			}
		}
	}
	for _, want := range []string{"mine with no members", "template free", "template needy without its required variables", "tools.classify, an operation that the plugin does not offer",
		"env.load without the listed files", "state.replay in an unknown environment", "equivalence.check in an unknown environment"} {
		if !names[want] {
			t.Errorf("no trial %q", want)
		}
	}
	if names["prompt.render, an operation that the plugin does not offer"] || names["describe with no members"] {
		t.Error("a trial that has no meaning for this plugin")
	}
}

func TestExcerpt(t *testing.T) {
	if got := answerExcerpt([]byte(strings.Repeat("ä", 100))); len(got) != 120 || strings.Contains(got, "?") {
		t.Errorf("%d bytes: %s", len(got), got)
	}
	if got := answerExcerpt([]byte("a" + strings.Repeat("ä", 100))); !strings.HasSuffix(got, "?") {
		t.Errorf("half a character: %s", got)
	}
}
