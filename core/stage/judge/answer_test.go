package judge

import (
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	check := func(answer string, label Label, confidence float64) {
		t.Helper()
		o := Parse(answer)
		if o.Label != label || o.Confidence != confidence || strings.Contains(o.Reason, "judge") {
			t.Errorf("%q: %+v", answer, o)
		}
	}
	plain := `{"label":"SCOPE_OVER","confidence":0.8,"reason":"other order"}`
	check(plain, ScopeOver, 0.8)
	check("\n ```json\n"+plain+"\n```\n", ScopeOver, 0.8)
	check("Here is my answer: "+plain+" I hope it helps.", ScopeOver, 0.8)
	check("<think>\nmaybe {\"label\":\"NONE\",\"confidence\":1}?\n</think>\n"+plain, ScopeOver, 0.8)
	check(`The set {a, b} and {"x }`+plain, ScopeOver, 0.8)
	check(plain+plain, ScopeOver, 0.8)
	check(`{"confidence":1,"label":"NONE"}`, None, 1)
	check(`{"label":"NONE","confidence":0,"more":{"label":"SCOPE_OVER"}}`, None, 0)
	check(`{"label":"NONE","confidence":9e-1,"reason":null}`, None, 0.9)
	check(`{"label":"NONE","confidence":1,"reason":"a \"}\" in it {"}`, None, 1)
	for _, l := range Labels() {
		check(`{"label":"`+string(l)+`","confidence":0.5}`, l, 0.5)
	}
	if o := Parse(plain); o.Reason != "other order" {
		t.Errorf("reason %q", o.Reason)
	}
}

// TestParseNeverGuesses checks that Parse returns no label for a text that is not exactly
// one well-formed answer, and that the reason says what is wrong.
func TestParseNeverGuesses(t *testing.T) {
	check := func(reason, answer string) {
		t.Helper()
		o := Parse(answer)
		if o.Label != "" || o.Confidence != 0 || !strings.Contains(o.Reason, reason) {
			t.Errorf("%.80q: %+v, want no opinion with %q", answer, o, reason)
		}
	}
	check("is empty", "")
	check("is empty", " \n")
	check("is empty", "<think>x</think> ")
	check("before the end of its reasoning", `<think>perhaps {"label":"NONE","confidence":1}`)
	check("no JSON object: I cannot help", "I cannot help with that.")
	check("no JSON object", `{"label":"SCOPE_OVER","confidence":0.8`)
	check("no JSON object", `{'label':'SCOPE_OVER','confidence':0.8}`)
	check("no JSON object", `{"label":"SCOPE_OVER","confidence":0.8,}`)
	check("no JSON object", `SCOPE_OVER 0.8`)
	check("has no label", `{"confidence":0.8}`)
	check("has no label", `{"answer":{"label":"NONE","confidence":1}}`)
	check("unknown label", `{"label":"SCOPE","confidence":0.8}`)
	check("unknown label", `{"label":"scope_over","confidence":0.8}`)
	check("unknown label", `{"label":["NONE"],"confidence":0.8}`)
	check("unknown label", `{"label":null,"confidence":0.8}`)
	check("unknown label", `{"label":"","confidence":0.8}`)
	check("unknown label", `{"label":"SCOPE_OVER|NONE","confidence":0.8}`)
	check("has no confidence", `{"label":"NONE"}`)
	check("not a number from 0 to 1: 95", `{"label":"NONE","confidence":95}`)
	check("not a number from 0 to 1", `{"label":"NONE","confidence":-0.1}`)
	check("not a number from 0 to 1", `{"label":"NONE","confidence":"0.9"}`)
	check("not a number from 0 to 1", `{"label":"NONE","confidence":1e999}`)
	check("not a number from 0 to 1", `{"label":"NONE","confidence":null}`)
	check("label twice", `{"label":"NONE","label":"SCOPE_OVER","confidence":1}`)
	check("confidence twice", `{"label":"NONE","confidence":1,"confidence":0}`)
	check("more than one answer", `{"label":"NONE","confidence":1} or {"label":"SCOPE_OVER","confidence":1}`)
	check("more than one answer", `{"label":"NONE","confidence":1} or {"label":"NONE","confidence":0.5}`)
	check("more than one answer", `{} {"label":"NONE","confidence":1}`)
	check("too long", strings.Repeat("x", maxAnswer+1))
	check("too many braces", strings.Repeat("{", maxAnswer))
	check("no JSON object", strings.Repeat(`"`, 1000)+"{")
}

func FuzzParse(f *testing.F) {
	f.Add(`{"label":"NONE","confidence":1,"reason":"x"}`)
	f.Add("```\n{}\n``` {\"a\":\"}")
	f.Add("<think>{</think>{\"label\":\"\\u004eONE\",\"confidence\":1}")
	f.Fuzz(func(t *testing.T, answer string) {
		o := Parse(answer)
		if o.Label == "" && (o.Reason == "" || o.Confidence != 0) || o.Label != "" && !o.Label.Known() ||
			o.Confidence < 0 || o.Confidence > 1 {
			t.Errorf("%+v", o)
		}
	})
}
