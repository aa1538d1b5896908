package repair

import (
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

func TestJSON(t *testing.T) {
	for _, test := range []struct {
		text, want string
		kinds      string
	}{
		{`{"a":[1,2.50,true]}`, `{"a":[1,2.50,true]}`, ""},
		{`{'role': 'user', 'content': None, 'ok': True, 'n': 12345678901234567890.10}`,
			`{"role": "user", "content": null, "ok": true, "n": 12345678901234567890.10}`,
			"single quotes,single quotes,single quotes,a word that JSON does not have,single quotes,a word that JSON does not have,single quotes"},
		{"[1,2,]", "[1,2]", "a trailing comma"},
		{"[1,\n // two\n]", "[1\n \n]", "a trailing comma,a comment"},
		{"{\"a\":1, // c\n \"b\":2 /* x */, # y\n}", "{\"a\":1, \n \"b\":2   \n}", "a comment,a comment,a trailing comma,a comment"},
		{`{a: 1, $b_2: 2, 7: 3}`, `{"a": 1, "$b_2": 2, "7": 3}`, "a name without quotes,a name without quotes,a name without quotes"},
		{`['it\'s', 'say "x"', "it's", 'a\\b\n\x41\xe9\U0001F600\u00e9\0\a']`, `["it's", "say \"x\"", "it's", "a\\b\nAé😀\u00e9\u0000\u0007"]`, "single quotes,single quotes,single quotes"},
		{"[\"a\tb\nc\", \"\\x1b\"]", `["a\tb\nc", "\u001b"]`, "a character that must be escaped,an escape that JSON does not have"},
		{`[(1, 2), (3,), (), (4)]`, `[[1, 2], [3], [], 4]`, "a tuple,a tuple,a tuple,a trailing comma,a tuple,a tuple,a tuple,a tuple,a tuple"},
		{`[+1, .5, -.5, 5., 1_000, NaN, -Infinity, undefined, u'x']`, `[1, 0.5, -0.5, 5.0, 1000, null, null, null, "x"]`,
			"a number in a form that JSON does not have,a number in a form that JSON does not have,a number in a form that JSON does not have,a number in a form that JSON does not have,a number in a form that JSON does not have,a word that JSON does not have,a word that JSON does not have,a word that JSON does not have,a word that JSON does not have,single quotes"},
		{"{'a':1}\n{'b':2}\n", "{\"a\":1}\n{\"b\":2}\n", "single quotes,single quotes"},
		{"\n```json\n[1]\n```\n", "\n\n[1]\n\n", "a Markdown fence,a Markdown fence"},
		{"```\n{'a': 1}", "\n{\"a\": 1}", "a Markdown fence,single quotes"},
		{"\ufeff{\u00a0\"a\":1}", " { \"a\":1}", "white space that JSON does not have,white space that JSON does not have"},
	} {
		got, err := JSON(test.text)
		var kinds []string
		for _, c := range got.Changes {
			kinds = append(kinds, string(c.Kind))
		}
		if err != nil || got.Text != test.want || strings.Join(kinds, ",") != test.kinds {
			t.Errorf("%s\ngot  %s %q %v\nwant %s %q", test.text, got.Text, kinds, err, test.want, test.kinds)
		}
	}
}

// TestUnsure checks that JSON does not guess: for text with an unclear meaning it returns
// an error with the position.
func TestUnsure(t *testing.T) {
	for text, want := range map[string]string{
		"":                                  "line 1 column 1: there is no value",
		" # nothing":                        "there is no value",
		`{"a":1`:                            "line 1 column 7: the text ends inside a value",
		`{"a":`:                             "the text ends inside a value",
		`{'a': 'b`:                          "line 1 column 7: the string has no closing quote",
		`["a\`:                              "the string has no closing quote",
		`[1 2]`:                             `line 1 column 4: want a comma or ], saw "2]"`,
		`{"a" 1}`:                           "want a colon",
		`{"a":1 "b":2}`:                     "want a comma or }",
		`{"a":007}`:                         "is not a valid number",
		`[1.2.3]`:                           "is not a valid number",
		`[-]`:                               "is not a valid number",
		`[0x1F]`:                            "is not a valid number",
		`{'at': datetime.datetime(2024,5)}`: "a printed object without its content",
		`[<Message 1>]`:                     "a printed object without its content",
		`[AIMessage(content='hi')]`:         "a printed object without its content",
		`{'a': b'x'}`:                       "want a value",
		`{1, 2}`:                            "want a colon",
		`{*: 1}`:                            "want the name of a member",
		`[,]`:                               "want a value",
		`['\d']`:                            "is not a valid escape",
		`['\x4']`:                           "is not a valid escape",
		`['\01']`:                           "is not a valid escape",
		`['\U00110000']`:                    "is not a valid escape",
		`[1] /* no end`:                     "the comment has no end",
		`hello there`:                       "want a value",
		strings.Repeat("[", 600):            "nested more than 512 levels deep",
	} {
		if got, err := JSON(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40s: %q, error %v, want %s", text, got.Text, err, want)
		}
	}
}

func TestPlaces(t *testing.T) {
	got, err := JSON("{\n  'a': [1,\n 2,],\n  /* two\nlines */ b: None}")
	if err != nil {
		t.Fatal(err)
	}
	want := []Change{{Quotes, 2, 3, "'a'", `"a"`}, {Comma, 3, 3, ",", ""}, {Comment, 4, 3, "/* two\nlines */", " "}, {Name, 5, 10, "b", `"b"`}, {Word, 5, 13, "None", "null"}}
	if len(got.Changes) != len(want) {
		t.Fatalf("%+v", got.Changes)
	}
	for i, c := range got.Changes {
		if c != want[i] {
			t.Errorf("got %+v, want %+v", c, want[i])
		}
	}
}

// FuzzJSON checks that the result of JSON is one or more JSON values, and that valid JSON
// is not changed.
func FuzzJSON(f *testing.F) {
	for _, s := range []string{`{'a': (1,), b: [None, "\x41"], /* c */}`, "```\n[1,]\n```", `['it\'s' , -.5, u"x"]`, "# c\n{1: NaN,}", `{"a":"\ud800"}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := JSON(text)
		if jsonval.Valid(text) && (err != nil || got.Text != text || len(got.Changes) > 0) {
			t.Fatalf("%q becomes %q, %v", text, got.Text, err)
		}
		if err != nil {
			return
		}
		d := json.NewDecoder(strings.NewReader(got.Text))
		for {
			var v json.RawMessage
			if err := d.Decode(&v); err == io.EOF {
				break
			} else if err != nil {
				t.Fatalf("%q becomes %q: %v", text, got.Text, err)
			}
		}
	})
}

func BenchmarkJSON(b *testing.B) {
	text := "[" + strings.Repeat(`{'role': 'user', 'content': None, 'ok': True},`, 100_000) + "]"
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := JSON(text); err != nil {
			b.Fatal(err)
		}
	}
}
