package prompts

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/gate/dialogue"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
	"github.com/boundcheck/boundcheck/core/stage/judge"
	"github.com/boundcheck/boundcheck/plugins/abi"
)

func mustRender(t *testing.T, template string, variables map[string]any) string {
	t.Helper()
	r := abi.RenderRequest{Template: template, Variables: map[string]json.RawMessage{}}
	for name, v := range variables {
		raw, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		r.Variables[name] = raw
	}
	out, err := Render(r)
	if err != nil {
		t.Fatalf("%s: %v", template, err)
	}
	return out.Text
}

// TestConfirmationIsTheGates checks that the template and the gate show the same text to
// the person who approves a call. The texts must be equal byte for byte.
func TestConfirmationIsTheGates(t *testing.T) {
	for _, arguments := range []string{`{"order_id":"W-7","items":["a","b"],"n":9007199254740993}`, `{}`, `["no object"]`, `{"a":1,"a":2}`} {
		v := mutation.Verdict{Mutating: mutation.Unknown, Layer: "lexicon", Reason: "no layer knows it"}
		want := strings.TrimSuffix(proposal.Confirmation("cancel_order", arguments, v).Text, "\n")
		vars := map[string]any{"tool": "cancel_order", "changes": "unknown (lexicon: no layer knows it)"}
		var fields []string
		for line := range strings.Lines(want) {
			line = strings.TrimSuffix(line, "\n")
			switch {
			case strings.HasPrefix(line, "UNINSPECTABLE: "):
				vars["warning"] = strings.TrimPrefix(line, "UNINSPECTABLE: ")
			case strings.HasPrefix(line, "INEXACT: "):
				vars["inexact"] = strings.TrimPrefix(line, "INEXACT: ")
			case strings.HasPrefix(line, "Arguments ("):
				vars["size"] = strings.TrimSuffix(strings.TrimPrefix(line, "Arguments ("), "):")
			case strings.HasPrefix(line, "Digest: "):
				vars["digest"] = strings.TrimPrefix(line, "Digest: ")
			case strings.HasPrefix(line, "  ") && line != "  none":
				fields = append(fields, line[2:])
			}
		}
		vars["fields"] = fields
		if got := mustRender(t, "saber-confirmation", vars); got != want {
			t.Errorf("%s:\n%s\nthe gate says\n%s", arguments, got, want)
		}
	}
}

// TestReflectionIsTheGates checks that the templates for reflections and for instructions
// to a model are equal to the texts of the gate.
func TestReflectionIsTheGates(t *testing.T) {
	const policy = "- You must confirm before you cancel an order.\n- Never cancel a shipped order."
	rules := []string{"You must confirm before you cancel an order.", "Never cancel a shipped order."}
	for changes, tri := range map[string]mutation.Tri{"yes": mutation.Yes, "unknown": mutation.Unknown} {
		for _, with := range []bool{true, false} {
			vars, p := map[string]any{"tool": "cancel_order", "changes": changes}, ""
			if with {
				vars["rules"], p = rules, policy
			}
			text := proposal.Reflection("cancel_order", mutation.Verdict{Mutating: tri}, p)
			for template, style := range map[string]string{"saber-reflection-think": dialogue.Think, "saber-reflection-react": dialogue.React} {
				if got, want := mustRender(t, template, vars), dialogue.Thought(style, text); got != want {
					t.Errorf("%s, %s, rules %v:\n%s\nthe gate says\n%s", template, changes, with, got, want)
				}
			}
		}
	}
	if got := mustRender(t, "saber-block-summary", nil); got != dialogue.Shorten {
		t.Errorf("block summary:\n%s\nthe gate says\n%s", got, dialogue.Shorten)
	}
	if got := mustRender(t, "saber-constraints", nil); got != dialogue.Distil {
		t.Errorf("constraints:\n%s\nthe gate says\n%s", got, dialogue.Distil)
	}
	if got, want := mustRender(t, "saber-constraints", map[string]any{"policy": "P\n", "call": "f({})"}), dialogue.Distil+"\n\nPolicy:\nP\n\nCall:\nf({})"; got != want {
		t.Errorf("constraints:\n%s\nwant\n%s", got, want)
	}
}

func TestJudgeIsTheCores(t *testing.T) {
	system, user := judge.Prompt(judge.Case{Task: "cancel <order> W-7"})
	if got := mustRender(t, "judge", nil); got != system {
		t.Errorf("judge:\n%s\nthe core says\n%s", got, system)
	}
	_, kase, _ := strings.Cut(user, "\n\n")
	if got, want := mustRender(t, "judge", map[string]any{"case": kase}), system+"\n\n"+strings.TrimRight(user, "\n"); got != want {
		t.Errorf("judge:\n%s\nwant\n%s", got, want)
	}
}

// TestTextsAreRefused checks that an invalid text is refused and is not silently changed.
func TestTextsAreRefused(t *testing.T) {
	for vars, want := range map[string]string{
		`{}`:                            "missing variable \"tool\"",
		`{"tool":null}`:                 "missing variable \"tool\"",
		`{"tool":""}`:                   "invalid tool: empty",
		`{"tool":7}`:                    "invalid tool: must be a string",
		`{"tool":"a\u202eb"}`:           "U+202E is not printable",
		`{"tool":"a\nb"}`:               "U+000A is not printable",
		`{"tool":"a","changes":"no"}`:   "a call that changes nothing needs no reflection",
		`{"tool":"a","rules":["x",""]}`: "invalid rules: empty",
		`{"tool":"a","rules":"x"}`:      "must be an array",
		`{"tool":"a","policy":"x"}`:     "unknown variable \"policy\"",
	} {
		r := abi.RenderRequest{Template: "saber-reflection-think"}
		if err := json.Unmarshal([]byte(vars), &r.Variables); err != nil {
			t.Fatal(err)
		}
		if got, err := Render(r); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %q, %v, want %q", vars, got.Text, err, want)
		}
	}
	if _, err := Render(abi.RenderRequest{Template: "judge", Variables: map[string]json.RawMessage{"case": []byte(`"not JSON"`)}}); err == nil {
		t.Error("a case that is not JSON: no error")
	}
}
