package proposal

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

func TestCheck(t *testing.T) {
	for _, x := range []struct{ body, decision, mutating, layer string }{
		{`{"tool":"get_order","arguments":{"id":"1"}}`, Allow, "no", "name"},
		{`{"tool":"cancel_order","arguments":{"id":"1"}}`, Confirm, "yes", "name"},
		{`{"tool":"frobnicate","arguments":{}}`, Confirm, "unknown", "none"},
		{`{"tool":"think","arguments":{"thought":"x"}}`, Allow, "no", "name"},
		{`{"tool":"execute_sql","arguments":{"sql":"select 1"}}`, Allow, "no", "sql"},
		{`{"tool":"execute_sql","arguments":"{\"sql\":\"drop table t\"}"}`, Confirm, "yes", "sql"},
		{`{"tool":"get_order","arguments":{},"table":{"tools":{"get_order":"yes"}}}`, Confirm, "yes", "table"},
		{`{"tool":"beam_me_up","arguments":{},"table":{"tools":{"beam_me_up":"control"}}}`, Allow, "no", "table"},
		{`{"tool":"delete_x","arguments":{},"tools":[{"name":"delete_x","annotations":{"readOnlyHint":true}}]}`, Confirm, "yes", "name"},
		{`{"tool":"get_x","arguments":{},"tools":[{"name":"get_x","annotations":{"readOnlyHint":false}}]}`, Confirm, "yes", "annotation"},
	} {
		d := Check(mustRead(t, x.body))
		if d.Decision != x.decision || d.Mutating.String() != x.mutating || string(d.Layer) != x.layer {
			t.Errorf("%s: %s, %s, %s (%s)", x.body, d.Decision, d.Mutating, d.Layer, d.Reason)
		}
		if (d.Reflection == "") != (d.Decision == Allow) {
			t.Errorf("%s: reflection %q on %s", x.body, d.Reflection, d.Decision)
		}
		if d.Schema != SchemaCheck || d.Confirmation == "" || d.Uninspectable || !strings.HasPrefix(d.Digest, "sha256:") {
			t.Errorf("%s: %+v", x.body, d)
		}
	}
}

// TestCheckHandMade checks that Check also decides a proposal that did not come from
// Read. A proposal whose arguments can be read in more than one way must not be allowed.
func TestCheckHandMade(t *testing.T) {
	for _, args := range []string{"", "{", "[]", "null", `{"a":1,"a":2}`, "{\"a\":\"\xff\"}", "\x00"} {
		d := Check(Proposal{Tool: "get_x", Arguments: args})
		if d.Decision != Confirm || !d.Uninspectable || d.Layer != "argument" {
			t.Errorf("%q: %+v", args, d)
		}
	}
}

func TestDecisionJSON(t *testing.T) {
	got, err := json.Marshal(Check(Proposal{Tool: "get_x", Arguments: `{}`}))
	want := `{"schema":"boundcheck.check/1","decision":"allow","tool":"get_x","mutating":"no","control":false,` +
		`"layer":"name","reason":"\"get\" only looks","confirmation":"Allow this call?\nTool: get_x\n` +
		`Changes state: no (name: \"get\" only looks)\nArguments (0 fields, 2 bytes):\n  none\n` +
		`Digest: ` + Digest("get_x", "{}") + `\n","uninspectable":false,"hiddenBytes":0,"reflection":"","digest":"` + Digest("get_x", "{}") + `"}`
	if err != nil || string(got) != want {
		t.Errorf("%v\n%s\nwant\n%s", err, got, want)
	}
}

// FuzzCheck checks that no body causes a panic, and that equal bodies give equal
// decisions. It also checks that the text to approve is printable, and that it shows
// every argument or says that some are hidden.
func FuzzCheck(f *testing.F) {
	for _, body := range []string{
		`{"tool":"cancel_x","arguments":{"a":[1,{"b.c":"d\u202e"}],"e":9007199254740993,"f":{},"g":null}}`,
		`{"function":{"name":"bash","arguments":"{\"command\":\"ls; rm\"}"},"policy":"# Ls\n- You must not ls.\n"}`,
		`{"action":{"name":"f","arguments":{"a":"\u{41}","b":"\\u{202E}","":"\ud800"}}}`,
		`{"tool":"x","arguments":{},"tools":[{"name":"x"}],"table":{"tools":{"x":"no"}}}`,
	} {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		p, err := Read(body)
		if err != nil {
			if err.Error() == "" {
				t.Fatal("an error without words")
			}
			Check(Proposal{Tool: body, Arguments: body, Policy: body})
			return
		}
		d := Check(p)
		one, err := json.Marshal(d)
		two, _ := json.Marshal(Check(mustRead(t, body)))
		if err != nil || string(one) != string(two) {
			t.Fatalf("%q: %v\n%s\n%s", body, err, one, two)
		}
		if (d.Decision == Allow) != (d.Mutating.String() == "no") {
			t.Fatalf("%q: %s on %s", body, d.Decision, d.Mutating)
		}
		plain := indents.ReplaceAllString(d.Confirmation, "    | ")
		if Escape(strings.ReplaceAll(plain, "\n", "")) != escapeJoinedLines(plain) {
			t.Fatalf("%q: something does not print in %q", body, d.Confirmation)
		}
		v, err := jsonval.Parse(p.Arguments)
		if err != nil || d.Uninspectable {
			return
		}
		for _, leaf := range v.Leaves() {
			text := leaf.Value.Text()
			if k := leaf.Value.Kind(); k == jsonval.Null || k == jsonval.Object || k == jsonval.Array {
				continue
			}
			if leaf.Value.Kind() == jsonval.String && hasLoneSurrogate(leaf.Value.Raw()) {
				text = leaf.Value.Raw()
			}
			want := Escape(text)
			if lines := strings.Split(text, "\n"); len(lines) > 1 && leaf.Value.Kind() == jsonval.String && text != leaf.Value.Raw() {
				want = ":\n"
				for _, line := range lines {
					want += "    | " + blockLine(line) + "\n"
				}
			}
			if !strings.Contains(d.Confirmation, want) {
				t.Fatalf("%q: %q is not in %q", body, text, d.Confirmation)
			}
		}
	})
}

// indents matches the tabs at the beginning of a block's line.
var indents = regexp.MustCompile(`(?m)^    \| \t+`)

// escapeJoinedLines returns the result that Escape must have for the joined lines of a
// confirmation. Escape may change only the backslashes of the escapes that are already
// there, such as \u{202E}.
func escapeJoinedLines(s string) string {
	s = strings.ReplaceAll(s, "\n", "")
	return strings.NewReplacer(`\u{`, `\u{5C}u{`, `\x{`, `\u{5C}x{`).Replace(s)
}
