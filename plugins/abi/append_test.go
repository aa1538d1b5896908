package abi

import (
	"bytes"
	"encoding/json"
	"testing"
)

// plainly is encoding/json without HTML's escapes.
func plainly(t *testing.T, v any) string {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	return string(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
}

const awkward = "a\"b\\c/<&>\b\f\n\r\t\x00\x1f\x7fé€😀\u2028\u2029\xff\xe2\x82\ufffd"

func TestAppend(t *testing.T) {
	yes := true
	said := awkward
	for _, c := range []Check{
		{Replay: Replay{Differences: []Difference{}}},
		{Excused: []Excuse{}, Blamed: []Blame{}, Replay: Replay{Differences: []Difference{}, Outputs: map[string]bool{}, Calls: []ReplayedCall{}, Notes: []string{}}},
		{
			Excused: []Excuse{{1, StageState, awkward}, {-7, awkward, ""}},
			Blamed:  []Blame{{0, nil, awkward}, {3, []int{}, ""}, {9, []int{1, 2}, "x"}},
			Replay: Replay{Benchmark: awkward, Domain: "d", Basis: BasisDatabase, Success: true, StateChanged: true, Contradicted: true,
				Outputs: map[string]bool{"z": true, "a": false, awkward: true}, Notes: []string{"n", awkward},
				Differences: []Difference{{}, {Table: awkward, Key: awkward, Field: awkward, Observed: json.RawMessage(" null "),
					Reference: json.RawMessage("{\"a b\" : [ 1.50,\t-2e9 , true,\r\n \"\\\" \\u2028 \\\\\", {} ] , \"\u2028 <\\/&>\":\" \"}")}},
				Calls: []ReplayedCall{{}, {Index: 2, Changed: true, Rewritten: true, Error: true, OutputEqual: &yes, Output: &said}}},
		},
	} {
		if !c.Appends() {
			t.Fatalf("%+v is left to encoding/json", c)
		}
		if got, want := string(c.Append(nil)), plainly(t, c); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
	score := 1.0
	bad := func(raw string) Replay {
		return Replay{Differences: []Difference{{}, {Reference: json.RawMessage(raw)}}}
	}
	for _, p := range []Replay{{Score: &score}, {Assertions: []Assertion{}}, bad("{"), bad("1 2"), bad(" "), bad(`"\x"`), bad("nul")} {
		if p.Appends() {
			t.Errorf("%+v is not left to encoding/json", p)
		}
	}
}

func FuzzText(f *testing.F) {
	f.Add(awkward)
	f.Fuzz(func(t *testing.T, s string) {
		if got, want := string(text(nil, s)), plainly(t, s); got != want {
			t.Errorf("%q: %s, want %s", s, got, want)
		}
	})
}

func FuzzDifference(f *testing.F) {
	f.Add([]byte(` {"a" : [1, "\\u2028 <\\"", -0.5e+7]} `))
	f.Add([]byte("[[null,true],{}]"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		p := Replay{Differences: []Difference{{Observed: raw}}}
		if !p.Appends() {
			return
		}
		if got, want := string(p.Append(nil)), plainly(t, p); got != want {
			t.Errorf("%q: %s, want %s", raw, got, want)
		}
	})
}
