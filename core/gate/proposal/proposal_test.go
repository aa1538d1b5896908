package proposal

import (
	"strconv"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/action/mutation"
)

func mustRead(t testing.TB, body string) Proposal {
	t.Helper()
	p, err := Read(body)
	if err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	return p
}

func TestRead(t *testing.T) {
	for _, body := range []string{
		`{"tool":"f","arguments":{"a": 1}}`,
		`{"tool":"f","arguments":"{\"a\": 1}"}`,
		`{"action":{"name":"f","arguments":{"a": 1}}}`,
		`{"id":"call_1","type":"function","function":{"name":"f","arguments":"{\"a\": 1}"}}`,
		"{\n \"arguments\" : {\"a\": 1} , \"tool\":\"f\", \"tools\":null, \"policy\":null, \"table\":null}",
	} {
		if p := mustRead(t, body); p.Tool != "f" || p.Arguments != `{"a": 1}` {
			t.Errorf("%s: %+v", body, p)
		}
	}
}

func TestReadContext(t *testing.T) {
	p := mustRead(t, `{"tool":"f","arguments":{},"policy":"Be careful.","elsewhere":true,"tools":[{"name":"f","description":"Gets f."}],"table":{"tools":{"f":"control"}}}`)
	if p.Policy != "Be careful." || !p.Elsewhere || len(p.Tools) != 1 || p.Tools[0].Trusted || !p.Table["f"].Control {
		t.Errorf("%+v", p)
	}
}

func TestReadErrors(t *testing.T) {
	for _, x := range [][2]string{
		{``, "invalid JSON at line 1"},
		{`{"tool":"f","arguments":{},"elsewhere":"no"}`, `invalid "elsewhere": want true or false, saw string`},
		{`{"tool":`, "invalid JSON"},
		{`[]`, "saw array, want"},
		{`7`, "saw number"},
		{`{}`, "with the members (none)"},
		{`{"name":"f","input":{}}`, `with the members "name", "input"; want {"tool"`},
		{`{"tool":"f"}`, `missing arguments: give an object, or {} for no arguments; members seen: "tool"`},
		{`{"tool":"","arguments":{}}`, `missing tool name: member "tool" is empty`},
		{`{"tool":" ","arguments":{}}`, "missing tool name"},
		{`{"tool":7,"arguments":{}}`, `the member "tool" must be a string; saw number`},
		{`{"tool":null,"arguments":{}}`, "saw null"},
		{`{"action":{"tool":"f","arguments":{}}}`, `missing tool name: the call has no member "name"`},
		{`{"action":"f","arguments":{}}`, `invalid member "action": want an object`},
		{`{"function":[]}`, `invalid member "function": want an object`},
		{`{"tool":"f","arguments":[1]}`, "want a JSON object, saw array"},
		{`{"tool":"f","arguments":null}`, "want a JSON object, saw null"},
		{`{"tool":"f","arguments":"[1]"}`, "want a JSON object, saw array"},
		{`{"tool":"f","arguments":"{\"a\":"}`, "invalid arguments: invalid JSON at line 1 column"},
		{`{"tool":"f","arguments":"{} {}"}`, "invalid arguments"},
		{`{"tool":"f","arguments":""}`, "the text is empty"},
		{`{"tool":"f","arguments":{"a":1,"a":2}}`, `the member "a" appears twice`},
		{`{"tool":"f","arguments":{"a":1,"\u0061":2}}`, `the member "a" appears twice`},
		{`{"tool":"f","arguments":{"x":[{"y":{"a":1,"b":2,"a":3}}]}}`, `the member "a" appears twice`},
		{`{"tool":"f","arguments":"{\"a\":1,\"a\":2}"}`, `the member "a" appears twice`},
		{`{"tool":"f","arguments":{` + membersJSON(20) + `,"m7":2}}`, `the member "m7" appears twice`},
		{`{"tool":"f","tool":"g","arguments":{}}`, `in the proposal, the member "tool" appears twice`},
		{`{"tool":"f","arguments":{},"arguments":{}}`, `"arguments" appears twice`},
		{`{"action":{"name":"f","name":"g","arguments":{}}}`, `in "action", the member "name" appears twice`},
		{`{"tool":"f","arguments":{},"action":{"name":"g","arguments":{}}}`, "more than one call"},
		{`{"action":{"name":"g","arguments":{}},"function":{"name":"g","arguments":{}}}`, "more than one call"},
		{`{"tool":"f\u0000","arguments":{}}`, "U+0000, which is not printable"},
		{`{"tool":"f\ng","arguments":{}}`, "U+000A"},
		{`{"tool":"f\u202eg","arguments":{}}`, "U+202E"},
		{`{"tool":"f\u200b","arguments":{}}`, "U+200B"},
		{`{"tool":"f\u3164","arguments":{}}`, "U+3164"},
		{`{"tool":"` + strings.Repeat("f", 257) + `","arguments":{}}`, "257 bytes, but the limit is 256"},
		{"{\"tool\":\"f\xff\",\"arguments\":{}}", "invalid UTF-8"},
		{`{"tool":"f","arguments":"{\"a\":\"\ud800\"}"}`, "unpaired surrogate"},
		{`{"tool":"f","arguments":{},"policy":["x"]}`, "invalid policy: want a string, saw array"},
		{`{"tool":"f","arguments":{},"tools":[{}]}`, "invalid tool 0"},
		{`{"tool":"f","arguments":{},"table":[]}`, "invalid table"},
		{`{"tool":"f","arguments":{"a":` + strings.Repeat("[", 600) + strings.Repeat("]", 600) + `}}`, "nested more than"},
		{`{"tool":"f","arguments":{"a":` + strings.Repeat("[", 70) + strings.Repeat("]", 70) + `}}`, "the arguments are nested more than 64 levels deep"},
	} {
		if _, err := Read(x[0]); err == nil || !strings.Contains(err.Error(), x[1]) {
			t.Errorf("%.80s: %v, want %q", x[0], err, x[1])
		}
	}
}

// membersJSON returns the text of n members with different names, separated by commas.
func membersJSON(n int) string {
	var all []string
	for i := range n {
		all = append(all, `"m`+strconv.Itoa(i)+`":1`)
	}
	return strings.Join(all, ",")
}

func TestManyMembersOfDifferentNames(t *testing.T) {
	if _, err := Read(`{"tool":"f","arguments":{` + membersJSON(40) + `}}`); err != nil {
		t.Error(err)
	}
}

func TestUnpaired(t *testing.T) {
	for raw, want := range map[string]bool{
		`"a"`: false, `"\ud83d\ude00"`: false, `"\ud83d"`: true, `"\ude00"`: true, `"\ud83dx"`: true,
		`"\\ud83d"`: false, `"\ufffd"`: false, `"\\\ud83d"`: true, `"\ud83d\u0041"`: true,
		`"\ud83d\ud83d\ude00"`: true, `"`: false, `"\ud83d`: true, `\`: false,
	} {
		if got := hasLoneSurrogate(raw); got != want {
			t.Errorf("unpaired(%s) = %v", raw, got)
		}
	}
}

// TestToolNamesAreExact checks that tool names are compared exactly. A name in another
// case must be another tool, and the names of JavaScript's built-in properties must be
// unknown tools.
func TestToolNamesAreExact(t *testing.T) {
	table := mutation.Table{"get_x": {Mutating: mutation.No}, "Frob": {Mutating: mutation.No}}
	for name, want := range map[string]string{"Frob": Allow, "frob": Confirm, "constructor": Confirm, "toString": Confirm, "__proto__": Confirm} {
		if d := Check(Proposal{Tool: name, Arguments: "{}", Table: table}); d.Decision != want {
			t.Errorf("%s: %s", name, d.Decision)
		}
	}
}
