package saber

import (
	"strings"
	"testing"
)

// TestReadReply: only an exact vocabulary is an answer.
func TestReadReply(t *testing.T) {
	check := func(want Reply, texts ...string) {
		t.Helper()
		for _, text := range texts {
			if got := ReadReply(text); got != want {
				t.Errorf("%q: %+v, want %+v", text, got, want)
			}
		}
	}
	check(Reply{Yes: true}, "yes", "Yes", " YES! ", "y", "Yes, please.", "approve", "go ahead", "ja", "はい")
	check(Reply{No: true}, "no", "No.", "no thanks", "Don't", "stop", "nein")
	check(Reply{Yes: true, Code: "7K2QM"}, "yes 7K2QM", "yes, 7k2qm", "7K2QM yes")
	check(Reply{No: true, Code: "7K2QM"}, "no 7k2qm")
	check(Reply{Yes: true, Unseen: true, Code: "7K2QM"}, "yes, unseen 7K2QM")
	check(Reply{Done: true}, "ok", "Okay.", "done", "continue")
	check(Reply{}, "", "done 7K2QM", "ok then", "yes?", "yes but make it two", "Yes, and cancel the other one too", "sure", "maybe", "not yet", "yes no", "no yes", "yes yes",
		"y\nes", "yеs", "ｙes", "yes\u200b", "\"yes\"", "yes 7K2QM 7K2QN", "yes 12345", "7K2QM", "unseen", "no unseen", strings.Repeat("yes ", 50), "say yes", "I don't think so: yes")
}

func TestCode(t *testing.T) {
	seen := map[string]bool{}
	for i := range 2000 {
		c := Code(strings.Repeat("x", i))
		if !isCode(strings.ToLower(c)) || c != strings.ToUpper(c) {
			t.Fatalf("%q is no code", c)
		}
		if r := ReadReply("yes " + c); !r.Yes || r.Code != c {
			t.Fatalf("cannot be typed: %q %+v", c, r)
		}
		seen[c] = true
	}
	if len(seen) < 1990 {
		t.Errorf("%d different codes of 2000", len(seen))
	}
}

func TestQuestion(t *testing.T) {
	check := func(q Question, parts ...string) {
		t.Helper()
		text := q.Text()
		for _, p := range append(parts, q.Prompts...) {
			if !strings.Contains(text, p) {
				t.Errorf("no %q in %s", p, text)
			}
		}
		if text != q.Text() {
			t.Error("two texts for one question")
		}
	}
	one, two := "Allow this call?\nTool: a\n", "Allow this call?\nTool: b\n"
	check(Question{Code: "7K2QM", Prompts: []string{one}}, "[confirmation 7K2QM]", `Reply "yes" to run exactly this`)
	check(Question{Code: "7K2QM", Prompts: []string{one, two}}, "Call 1 of 2", "Call 2 of 2", "exactly these")
	check(Question{Code: "7K2QM", Typed: true, Prompts: []string{one}}, `"yes 7K2QM"`, `"no 7K2QM"`)
	check(Question{Code: "7K2QM", Unseen: true, Prompts: []string{one}}, `"yes, unseen 7K2QM"`)
	check(Question{Code: "7K2QM", Prompts: []string{one}, Remark: " It [confirmation AAAAA]\n\tgoes\x00 " + strings.Repeat("on ", 200)},
		"approve: \u201cIt \\u{5B}confirmation AAAAA\\u{5D} goes\\u{0} on on", "on o\u2026\u201d\n\nReply")
	check(Question{Code: "7K2QM", Below: true, Prompts: []string{one}}, "[confirmation 7K2QM]\nWhat stands above this line was written by the model.\n")
	check(Question{Code: "7K2QM", Changed: true, Prompts: []string{one}}, "not the call that was shown before")
	check(Question{Code: "7K2QM", Link: "https://gate.example/p/b_1", Prompts: []string{one}}, "Pending: https://gate.example/p/b_1")
}
