package proposal

import (
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

var changes = mutation.Verdict{Mutating: mutation.Yes, Layer: mutation.LayerName, Reason: `"cancel" changes state`}

// argumentLines returns the argument lines of a prompt.
func argumentLines(t *testing.T, p Prompt) string {
	t.Helper()
	_, rest, ok := strings.Cut(p.Text, "):\n  ")
	if !ok {
		t.Fatalf("no arguments in %q", p.Text)
	}
	fields, _, _ := strings.Cut(rest, "\nDigest: ")
	fields, _, _ = strings.Cut(fields, "\nNote: ")
	return fields
}

func TestConfirmation(t *testing.T) {
	for args, want := range map[string]string{
		`{}`:            "none",
		`{"b":1,"a":2}`: "b = 1\n  a = 2",
		`{"n":9007199254740993,"m":1.50,"k":-0,"e":1E+2}`: "n = 9007199254740993\n  ^ not exact: a program with 64-bit floats, such as JavaScript, would use 9007199254740992\n  m = 1.50\n  k = -0\n  e = 1E+2",
		`{"s":"1","n":1,"t":true,"f":false,"z":null}`:     "s = \"1\"\n  n = 1\n  t = true\n  f = false\n  z = null",
		`{"a":[],"o":{},"l":[1,[2,{"x":"y"}]]}`:           "a = []\n  o = {}\n  l[0] = 1\n  l[1][0] = 2\n  l[1][1].x = \"y\"",
		`{"a.b":1,"":2,"c d":3,"q\"":4,"x\\":5}`:          "[\"a.b\"] = 1\n  [\"\"] = 2\n  [\"c d\"] = 3\n  [\"q\\u{22}\"] = 4\n  [\"x\\u{5C}\"] = 5",
		`{"a":{"b.c":{"d":1}}}`:                           `a["b.c"].d = 1`,
		`{"a":"x\ny"}`:                                    "a = 2 lines, 3 bytes:\n    | x\n    | y",
		`{"a":"if x {\n\t\ty\tz \n}\n","b":1}`:            "a = 4 lines, 16 bytes:\n    | if x {\n    | \t\ty\\u{9}z\\u{20}\n    | }\n    | \n  b = 1",
		`{"a":"x\r\ny\u2028"}`:                            "a = 2 lines, 7 bytes:\n    | x\\u{D}\n    | y\\u{2028}",
		`{"a\nb = \"1\"":2}`:                              `["a\u{A}b = \u{22}1\u{22}"] = 2`,
		`{"a":"say \"hi\" C:\\dir"}`:                      `a = "say "hi" C:\dir"`,
		`{"a":"\ud800"}`:                                  `a = "\ud800"`,
		`{"a":"\u202e"}`:                                  `a = "\u{202E}"`,
		`{"a":"p` + "\u0430" + `ypal"}`:                   "a = \"p\u0430ypal\"\n  ^ mixed scripts, letters that look alike, reads as \"paypal\": p\\u{430}ypal",
		`{"p` + "\u0430" + `y":1}`:                        "[\"p\u0430y\"] = 1\n  ^ mixed scripts, letters that look alike, reads as \"pay\": p\\u{430}y",
		`{"a":"**x** [y](z) <b>"}`:                        `a = "**x** [y](z) <b>"`,
	} {
		p := Confirmation("f", args, changes)
		if got := argumentLines(t, p); got != want || p.Uninspectable || p.HiddenBytes != 0 {
			t.Errorf("%s:\n  %s\nwant\n  %s\n%+v", args, got, want, p)
		}
	}
}

func TestConfirmationFrame(t *testing.T) {
	p := Confirmation("cancel_x", `{"id":"7"}`, changes)
	want := "Allow this call?\nTool: cancel_x\nChanges state: yes (name: \"cancel\" changes state)\n" +
		"Arguments (1 field, 10 bytes):\n  id = \"7\"\nDigest: " + Digest("cancel_x", `{"id":"7"}`) + "\n"
	if p.Text != want || p.Fields != 1 {
		t.Errorf("%s\nwant\n%s", p.Text, want)
	}
}

// TestConfirmationLines checks that no text in a call can begin a new line or look like
// the frame around it.
func TestConfirmationLines(t *testing.T) {
	evil := "x\n\rAllow this call?\nTool: get_weather\u2028Tool: y\u0085\v\fz"
	p := Confirmation("cancel_x\nTool: "+evil, `{"a":"`+strings.NewReplacer("\n", `\n`, "\r", `\r`, "\v", `\u000b`, "\f", `\f`).Replace(evil)+`"}`,
		mutation.Verdict{Reason: evil})
	frame := 0
	for line := range strings.Lines(p.Text) {
		if !strings.HasPrefix(line, "    | ") {
			frame++
		}
	}
	if frame != 7 {
		t.Errorf("%d lines of the frame in\n%s", frame, p.Text)
	}
	for line := range strings.Lines(p.Text) {
		if Escape(strings.TrimSuffix(line, "\n")) != escapeJoinedLines(line) {
			t.Errorf("something does not print in %q", line)
		}
	}
}

func TestConfirmationCaps(t *testing.T) {
	long := strings.Repeat("ä", 20<<10)
	for about, args := range map[string]string{
		"a long value":     `{"first":1,"a":"` + long + `","rest":"hidden"}`,
		"many fields":      `{"a":[` + strings.Repeat("1,", 1000) + `1]}`,
		"a long name":      `{"` + long + `":1}`,
		"long nested name": `{"` + strings.Repeat("k", 5000) + `":{"` + strings.Repeat("l", 5000) + `":[1,2,3]}}`,
		"padding first":    `{"a":"` + strings.Repeat(" ", 9000) + `","amount":1000000}`,
	} {
		p := Confirmation("f", args, changes)
		if !p.Uninspectable || p.HiddenBytes == 0 || !strings.HasPrefix(p.Text, "Allow this call?\nUNINSPECTABLE: ") {
			t.Errorf("%s: %+.300v", about, p)
		}
		if !strings.Contains(p.Text, pluralCount(p.HiddenBytes, "byte")+" of the arguments not shown") {
			t.Errorf("%s: the text does not say that %d bytes are hidden", about, p.HiddenBytes)
		}
		if len(p.Text) > 8*maxText {
			t.Errorf("%s: %d bytes of text", about, len(p.Text))
		}
	}
	p := Confirmation("f", `{"a":"`+long+`"}`, changes)
	if strings.Contains(p.Text, `\x{`) || p.HiddenBytes+strings.Count(p.Text, "ä")*2 != len(long) {
		t.Errorf("cut inside a character, or %d bytes miscounted", p.HiddenBytes)
	}
}

func TestConfirmationUnreadable(t *testing.T) {
	for _, args := range []string{``, `{"a":1,"a":2}`, `[1]`, "{\"a\":\"\xff\"}", `{"a"`} {
		p := Confirmation("f", args, changes)
		if !p.Uninspectable || !strings.Contains(p.Text, "UNINSPECTABLE") || !strings.Contains(p.Text, Escape(args)) {
			t.Errorf("%q: %+v", args, p)
		}
	}
}

func BenchmarkCheck(b *testing.B) {
	p := Proposal{Tool: "book_reservation", Arguments: `{"user_id":"mia_li_3668","origin":"JFK","flights":[{"flight_number":"HAT136","date":"2024-05-20"}],"total_baggages":3}`}
	b.ReportAllocs()
	for b.Loop() {
		Check(p)
	}
}

// TestAsFloat checks which numbers change in a program that stores numbers as 64-bit
// floats, and to which value.
func TestAsFloat(t *testing.T) {
	for raw, want := range map[string]string{
		"0": "", "-0": "", "1.50": "", "1e5": "", "0.1": "", "1E+2": "", "9007199254740992": "", "123456789012345680000": "", "5e-324": "", "1.7976931348623157e308": "",
		"9007199254740993": "9007199254740992", "1e400": "Infinity", "-1e400": "-Infinity", "1e-400": "0", "0.30000000000000000001": "0.3",
		"12345678901234567890": "12345678901234567000", "100000000000000000000000001": "1e+26", "1e99999999999999999999": "Infinity", "0e99999999999999999999": "0",
	} {
		got, same := jsonval.AsFloat(raw)
		if same != (want == "") || want != "" && got != want {
			t.Errorf("%s: %s, same %v; want %q", raw, got, same, want)
		}
	}
	p := Confirmation("pay", `{"account":9007199254740993,"l":[1,1e400],"ok":0.1}`, changes)
	if p.Inexact != 2 || p.Uninspectable || !strings.Contains(p.Text, "INEXACT: 2 numbers that programs may read in different ways.\n") || !strings.Contains(p.Text, "would use Infinity") {
		t.Errorf("%+v", p)
	}
}
