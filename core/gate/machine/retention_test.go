package machine

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/core/gate/proposal"
)

// TestEveryVerdictNoted checks that each call of an allowed or denied turn has its own
// audit entry. The entry must have the digest of the call. It must have the arguments
// only if the policy asks for them.
func TestEveryVerdictNoted(t *testing.T) {
	check := func(p *Policy, want string, calls ...string) {
		t.Helper()
		plan := askCalls(t, p, calls...)
		var got []string
		for i, e := range plan.Notes {
			tool, arguments, _ := strings.Cut(calls[i], " ")
			got = append(got, fmt.Sprintf("%s:%s%s", e.Tool, e.To, e.Rule))
			if e.Event != "propose" || e.Tool != tool || e.Digest != proposal.Digest(tool, arguments) || e.At != start || e.By == "" {
				t.Errorf("%+v", e)
			}
			if p.AuditArguments != (e.Arguments == arguments) || !p.AuditArguments && e.Arguments != "" {
				t.Errorf("arguments %q", e.Arguments)
			}
			if quiet := e.To == Allowed && e.Rule == ""; quiet != e.Quiet() {
				t.Errorf("quiet: %v", e.Quiet())
			}
		}
		if text := strings.Join(got, " "); text != want {
			t.Errorf("%q: %s, want %s", calls, text, want)
		}
	}
	for _, audit := range []string{"digest", "full"} {
		p := mustReadPolicy(t, `{"audit":{"arguments":"`+audit+`"},"tools":{"format_disk":{"deny":"never"}},
			"allow":[{"name":"notes","tool":"create_note","until":"2030-01-01T00:00:00Z","when":{}}]}`)
		check(p, "get_order:allowed", `get_order {"id":"1"}`)
		check(p, "get_order:allowed list_orders:allowed", `get_order {"id":"1"}`, `list_orders {}`)
		check(p, "create_note:allowednotes", `create_note {}`)
		check(p, "get_order:denied format_disk:denied cancel_order:denied", `get_order {}`, `format_disk {}`, `cancel_order {}`)
		check(p, "", `cancel_order {"id":1}`)
		if e := askCalls(t, p, `cancel_order {"id":1}`).Entries[0]; (e.Arguments == `{"id":1}`) != (audit == "full") {
			t.Errorf("the entry of a held call with %s: %q", audit, e.Arguments)
		}
	}
}

// TestVerifyRedacted checks that Verify accepts a redacted row only if a later row says
// that it was redacted. Verify must still find all other faults.
func TestVerifyRedacted(t *testing.T) {
	build := func(rows string) (links []Link) {
		var prev Link
		for i := range 9 {
			e := Entry{Version: 1, Tenant: "t", Event: "propose", At: int64(i)}
			if i == 8 {
				e.Event, e.Rows, e.Before = Redact, rows, 100
			}
			prev = Seal("t", prev, e.Bytes())
			links = append(links, prev)
		}
		return links
	}
	check := func(name, rows, want string, change func([]Link)) {
		t.Helper()
		links := build(rows)
		change(links)
		var got []string
		for _, f := range Verify("t", links, 0, "") {
			got = append(got, fmt.Sprintf("%s %d", f.Kind, f.N))
		}
		if text := strings.Join(got, ", "); text != want {
			t.Errorf("%s: %s, want %s", name, text, want)
		}
	}
	empty := func(rows ...int) func([]Link) {
		return func(l []Link) {
			for _, n := range rows {
				l[n-1].Entry = ""
			}
		}
	}
	check("declared", "2-4,6", "", empty(2, 3, 4, 6))
	check("declared and not done yet", "2-4,6", "", empty(2))
	check("one too many", "2-4,6", "emptied 5", empty(2, 5))
	check("none declared", "", "emptied 2", empty(2))
	check("the last row", "2-9", "emptied 9", empty(9))
	check("rows of no number", "x-9", "emptied 2", empty(2))
	check("a range without end", "1-9223372036854775807", "", empty(1, 8))
	check("emptied and changed", "2-4", "rewritten 3", func(l []Link) { empty(2)(l); l[1].Hash = l[4].Hash })
	check("another one changed", "2-4", "changed 5", func(l []Link) { empty(2, 3)(l); l[4].Entry += " " })
	links := build("2-4")
	empty(2, 3)(links)
	if faults := Verify("t", slices.Delete(links, 4, 5), 0, ""); len(faults) != 1 || faults[0].Kind != Removed || faults[0].N != 5 {
		t.Errorf("another one removed: %+v", faults)
	}
}

func TestWriteRows(t *testing.T) {
	for want, rows := range map[string][]int64{"": nil, "1": {1}, "1-3": {1, 2, 3}, "1,3-4,9": {1, 3, 4, 9}} {
		if got := WriteRows(rows); got != want {
			t.Errorf("%v: %q, want %q", rows, got, want)
		}
		spans, ok := readRows(want)
		var back []int64
		for _, s := range spans {
			for n := s.from; n <= s.to; n++ {
				back = append(back, n)
			}
		}
		if ok == (want == "") || !slices.Equal(back, rows) {
			t.Errorf("%q reads as %v", want, back)
		}
	}
}

func TestRetentionPolicy(t *testing.T) {
	p := mustReadPolicy(t, `{"retention":{"arguments":"720h","allowed":"30d","audit":"3650d"}}`)
	day := (24 * time.Hour).Milliseconds()
	if p.Retention != (Retention{30 * day, 30 * day, 3650 * day}) {
		t.Errorf("%+v", p.Retention)
	}
	for _, bad := range []string{`{"retention":{"arguments":"30"}}`, `{"retention":{"arguments":"59m"}}`, `{"retention":{"audit":"40000d"}}`,
		`{"retention":{"prompts":"30d"}}`, `{"retention":{"allowed":30}}`, `{"audit":{"arguments":"yes"}}`, `{"retention":{"allowed":"-3d"}}`, `{"retention":{"allowed":"99999999999d"}}`} {
		if _, err := ReadPolicy(bad); err == nil {
			t.Errorf("%s: no error", bad)
		}
	}
}

// TestRedactedRecord checks that Redacted removes the texts of people and models, but
// keeps the names of the people who decided. A record that is not settled must be
// refused.
func TestRedactedRecord(t *testing.T) {
	r := Record{ID: "p", Tenant: "t", Arguments: `{"a":1}`, Prompt: "Allow?", Digest: "d", Life: Life{State: Executed, Rev: 4,
		Votes: []Vote{{By: "alice", Approve: true, Reason: "because"}}, Outcome: Result{Status: Executed, Detail: "done"}}}
	out, e, err := Redacted(r, "v", 7)
	if err != nil || out.Arguments+out.Prompt+out.Votes[0].Reason+out.Outcome.Detail != "" || out.Votes[0].By != "alice" || out.Rev != 5 || out.Digest != "d" {
		t.Errorf("%+v %v", out, err)
	}
	if e.Event != Redact || e.From != Executed || e.To != Executed || e.Rev != 5 || e.Policy != "v" || r.Votes[0].Reason == "" {
		t.Errorf("%+v", e)
	}
	r.State = Approved
	if _, _, err := Redacted(r, "v", 7); err == nil {
		t.Error("a call that may still run was emptied")
	}
}
