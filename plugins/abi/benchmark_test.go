package abi

import (
	"strings"
	"testing"
)

func TestDetect(t *testing.T) {
	all := []Benchmark{
		{ID: "one", Formats: []string{"one"}, Tools: strings.Fields("book cancel look think")},
		{ID: "two", Formats: []string{"two"}, Tools: strings.Fields("book cancel look status")},
	}
	check := func(format, names, want string) {
		t.Helper()
		if id, ok := Detect(all, format, strings.Fields(names)); id != want || ok != (want != "") {
			t.Errorf("%s: %s: %q, %v; want %q", format, names, id, ok, want)
		}
	}
	check("one", "book book look", "one")
	check("two", "book", "two")
	check("one", "", "")                           // no call decides
	check("one", "fly swim look", "")              // another environment in that format
	check("one", "look look look fly swim", "one") // recognised by its calls, in spite of a few foreign ones
	check("openai", "book look", "")               // two names may be chance
	check("openai", "book look cancel", "one")     // a tie: the first
	check("openai", "book look status cancel", "two")
	check("openai", "book look cancel a b c", "") // half is not enough
}

func TestAttached(t *testing.T) {
	files := []File{{Name: "a.json", Data: []byte("{}")}, {Name: "b", Data: nil}, {Name: "c", Data: []byte("\x00x")}}
	head, tail, ok := strings.Cut(string(Load("id", files)), "\x00")
	if !ok || head != `{"op":"env.load","environment":"id","attachments":[{"name":"a.json","length":2},{"name":"b","length":0},{"name":"c","length":2}]}` {
		t.Fatalf("header %s", head)
	}
	r := LoadRequest{Attachments: []Attachment{{"a.json", 2}, {"b", 0}, {"c", 2}}}
	got, err := r.Attached([]byte(tail))
	if err != nil || len(got) != 3 || string(got[0].Data) != "{}" || string(got[2].Data) != "\x00x" {
		t.Errorf("files %v, error %v", got, err)
	}
	for _, bad := range []string{"", "{}", "{}\x00xx"} {
		if _, err := r.Attached([]byte(bad)); err == nil {
			t.Errorf("%q: no error", bad)
		}
	}
	if _, err := (&LoadRequest{Attachments: []Attachment{{"a", -1}}}).Attached(nil); err == nil {
		t.Error("a negative length: no error")
	}
}

// TestWithin checks that Within refuses an answer about rows or calls that are not in
// the request.
func TestWithin(t *testing.T) {
	r := CheckRequest{ReplayRequest: ReplayRequest{Observed: make([]Action, 1)}, Alignment: make([]Row, 1)}
	good := Check{Excused: []Excuse{{Row: 0}}, Blamed: []Blame{{Row: 0, Differences: []int{0}}},
		Replay: Replay{Differences: make([]Difference, 1), Calls: []ReplayedCall{{Index: 0}}}}
	if err := good.Within(&r); err != nil {
		t.Error(err)
	}
	for name, bad := range map[string]Check{
		"row":        {Excused: []Excuse{{Row: 1}}},
		"blamed":     {Blamed: []Blame{{Row: -1}}},
		"difference": {Blamed: []Blame{{Row: 0, Differences: []int{0}}}},
		"call":       {Replay: Replay{Calls: []ReplayedCall{{Index: 1}}}},
	} {
		if bad.Within(&r) == nil {
			t.Errorf("%s outside the request: no error", name)
		}
	}
}

// TestAuditWithin checks that a flag names an action of the request, has a kind, and
// has a confidence from 0 to 1.
func TestAuditWithin(t *testing.T) {
	r := &AuditRequest{Actions: make([]Action, 2)}
	good := Audit{Flags: []Flag{{Kind: "x", Action: -1}, {Kind: "x", Action: 1, Confidence: 1}}}
	if err := good.Within(r); err != nil {
		t.Error(err)
	}
	for _, f := range []Flag{{Kind: "x", Action: 2}, {Kind: "x", Action: -2}, {Action: 1}, {Kind: "x", Confidence: 1.1}, {Kind: "x", Confidence: -.1}} {
		if (&Audit{Flags: []Flag{f}}).Within(r) == nil {
			t.Errorf("%+v is taken", f)
		}
	}
}
