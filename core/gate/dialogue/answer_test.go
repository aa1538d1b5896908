package dialogue

import (
	"strings"
	"testing"
)

// TestReadReply checks that only the phrases of a fixed list are answers.
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
			t.Fatalf("%q is not a code", c)
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
	check(Question{Code: "7K2QM", Typed: true, Prompts: []string{one}}, `Reply "yes 7K2QM" to run exactly this, or "no".`, "Type the reply that is shown above")
	check(Question{Code: "7K2QM", Typed: true, Several: true, Prompts: []string{one}}, "Another conversation with the same beginning", `"yes 7K2QM"`)
	check(Question{Code: "7K2QM", Unseen: true, Prompts: []string{one}}, `"yes, unseen 7K2QM"`)
	check(Question{Code: "7K2QM", Prompts: []string{one}, Remark: " It [confirmation AAAAA]\n\tgoes\x00 <!-- " + strings.Repeat("on ", 200)},
		"your approval does not cover it: \u201cIt \\u{5B}confirmation AAAAA\\u{5D} goes\\u{0} \\u{3C}!-- on on", "\u2026\u201d\n\nReply")
	check(Question{Code: "7K2QM", Above: "Hi.", Prompts: []string{one}}, "[confirmation 7K2QM]\n\nThe model wrote the text above this line.\n")
	check(Question{Code: "7K2QM", Changed: true, Prompts: []string{one}}, "differs from the one that was shown before")
	check(Question{Code: "7K2QM", Typed: true, Link: "https://gate.example/p/b_1", Prompts: []string{one}}, "Pending: https://gate.example/p/b_1")
}

// TestTypedCodeStandsAbove checks that a code that must be typed is only above the
// prompts. So a person who cannot see the prompts cannot see the code.
func TestTypedCodeStandsAbove(t *testing.T) {
	for _, q := range []Question{{Typed: true}, {Unseen: true}, {Typed: true, Several: true, Changed: true, Above: "Hi."}} {
		q.Code, q.Prompts = "7K2QM", []string{"Allow this call?\nTool: a\n", "Allow this call?\nTool: b\n"}
		text := q.Text()
		if first, fields := strings.LastIndex(text, q.Code), strings.Index(text, "Allow this call?"); first > fields {
			t.Errorf("the code stands below the fields:\n%s", text)
		}
	}
}

// TestPromptsAreBoxed checks that no sequence of backquotes, in a prompt or in the
// model's text above it, can end the block around the prompt.
func TestPromptsAreBoxed(t *testing.T) {
	for _, marks := range []string{"", "`", "```", "``````", strings.Repeat("`", 300)} {
		for _, above := range []string{"", "```", strings.Repeat("`", 40)} {
			q := Question{Code: "7K2QM", Above: above, Prompts: []string{"Allow this call?\n" + marks + "\n" + marks + "text\nTool: a\n"}}
			_, rest, _ := strings.Cut(q.Text(), "[confirmation")
			_, rest, found := strings.Cut(rest, "text\nAllow this call?\n")
			fence := strings.Repeat("`", max(2, len(marks), len(above))+1)
			inside, _, closed := strings.Cut(rest, "\n"+fence+"\n")
			if !found || !closed || !strings.Contains(inside, "Tool: a") || !strings.Contains(q.Text(), "\n"+fence+"text\nAllow") {
				t.Errorf("%d marks below %d:\n%s", len(marks), len(above), q.Text())
			}
		}
	}
}

// TestClosing checks the text that Closing returns for a model's words, and its second
// result, which reports whether this text is sure to suffice.
func TestClosing(t *testing.T) {
	check := func(above, want string, sure bool) {
		t.Helper()
		if text, is := Closing(above); text != want || is != sure {
			t.Errorf("%q: %q, %v; want %q, %v", above, text, is, want, sure)
		}
	}
	const ends = "<!-- ?> ]]> \"'> -->"
	check("", "", true)
	check("I will cancel it.\n\n* one\n> two | `three` 5 > 4 ``x``", "", true)
	check("```js\nx", "````text\n````\n\n~~~~text\n~~~~\n\n", true)
	check("~~~~~", "``````text\n``````\n\n~~~~~~text\n~~~~~~\n\n", true)
	check("1 < 2", ends+"\n\n", true)
	check("<!--", ends+"\n\n", true)
	check("<details><summary>more</summary>", ends+"</summary></details>\n\n", true)
	check("<Textarea>\n```", "````text\n````\n\n~~~~text\n~~~~\n\n"+ends+"</Textarea>\n\n", true)
	check("<b>x</b><br/>", ends+"</br></b>\n\n", true)
	check("<script>", ends+"</script>\n\n", false)
	check("<style>pre{display:none}</style>", ends+"</style>\n\n", false)
	check(`<div hidden>`, ends+"</div>\n\n", false)
	check(`<div title="`, ends+"</div>\n\n", false)
	check("<details", ends+"</details>\n\n", false)
	check("List<Map>", ends+"</Map>\n\n", false)
	check(strings.Repeat("<b>", mostOpen+1), ends+strings.Repeat("</b>", mostOpen)+"\n\n", false)
	check("costs $5 or $6", "", true)
	check("$$\nx", "", false)
	check(`so \(x`, "", false)
	check(`$\rule{9em}{9em}$`, "", false)
	check("::: details\nx", "", false)
	check(" > %% x", "", false)
	check("\x1b[8m", "\x1b\\\x1b[0m\n\n", false)
}
