//go:build !js

package gate_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/worker/gate"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// auditEntries returns the entries in tenant t's audit table.
func (s *service) auditEntries() (out []machine.Entry) {
	s.t.Helper()
	rows, err := openRaw(s.t, s.file).Query(`SELECT entry FROM audit WHERE tenant = 't' AND entry <> '' ORDER BY seq`)
	if err != nil {
		s.t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var text string
		var e machine.Entry
		if err := rows.Scan(&text); err != nil {
			s.t.Fatal(err)
		}
		json.Unmarshal([]byte(text), &e)
		out = append(out, e)
	}
	return out
}

// verifyTenant runs VerifyStore and returns the result for tenant "t". It adds the faults
// of all other results to this result.
func (s *service) verifyTenant() store.Checked {
	s.t.Helper()
	all, err := s.store.VerifyStore(s.t.Context(), store.Known{})
	if err != nil {
		s.t.Fatal(err)
	}
	out := store.Checked{}
	for _, c := range all {
		if c.Tenant == "t" {
			faults := append(out.Faults, c.Faults...)
			out, out.Faults = c, faults
		} else {
			out.Faults = append(out.Faults, c.Faults...)
		}
	}
	return out
}

// TestEveryVerdict checks that every proposal is in the audit when its answer arrives.
// This includes the answers allow, deny and confirm. Without the store, no proposal may
// be allowed.
func TestEveryVerdict(t *testing.T) {
	s := newTestService(t, `{"tools":{"format_disk":{"deny":"no"}}}`)
	s.sendProposal(`{"tool":"get_order","arguments":{"id":7},"session":"s"}`).assertStatus(t, 200)
	s.sendProposal(`[{"tool":"get_a","arguments":{}},{"tool":"get_b","arguments":{}}]`).assertStatus(t, 200)
	s.sendProposal(`[{"tool":"get_a","arguments":{}},{"tool":"format_disk","arguments":{}}]`).assertStatus(t, 403)
	s.sendProposal(`{"tool":"cancel_order","arguments":{}}`).assertStatus(t, 202)
	s.callAPI("POST", "/v1/hooks/claude-code?wait=0", agentKey, `{"hook_event_name":"PreToolUse","tool_name":"get_c","tool_input":{}}`).assertStatus(t, 200)
	var got []string
	for _, e := range s.auditEntries() {
		got = append(got, e.Tool+":"+string(e.To))
		if e.By != "bot" || e.Digest == "" || e.Arguments != "" {
			t.Errorf("%+v", e)
		}
	}
	if text := strings.Join(got, " "); text != "get_order:allowed get_a:allowed get_b:allowed get_a:denied format_disk:denied cancel_order:pending get_c:allowed" {
		t.Error(text)
	}
	if err := s.gate.Housekeep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if c := s.verifyTenant(); c.Rows != 7 || len(c.Faults) > 0 {
		t.Errorf("%+v", c)
	}
	s.store.Close()
	s.sendProposal(`{"tool":"get_order","arguments":{}}`).assertStatus(t, 503) // no verdict without an audit row
}

// TestAuditAPI checks that an approver can read the pages of the tenant's audit chain,
// and the head of the chain. The head is the number of rows and the last hash.
func TestAuditAPI(t *testing.T) {
	s := newTestService(t, `{"audit":{"arguments":"full"}}`, func(o *gate.Options) {
		o.SignHead = func(h *store.SignedHead) { h.Key, h.Signature = "k", h.Text() }
	})
	for i := range 3 {
		s.sendProposal(fmt.Sprintf(`{"tool":"get_order","arguments":{"id":%d}}`, i)).assertStatus(t, 200)
		s.callAPI("POST", "/v1/proposals", spyKey, `{"tool":"get_secret","arguments":{}}`).assertStatus(t, 200)
	}
	if a := s.callAPI("GET", "/v1/audit", aliceKey, "").assertStatus(t, 200, `"events":[]`, `"more":false`); strings.Contains(a.text, "get_order") {
		t.Error("rows that are not chained are given")
	}
	head := s.callAPI("GET", "/v1/audit/head", aliceKey, "").assertStatus(t, 200, `"rows":3`, `"key":"k"`, `boundcheck.head/1`)
	a := s.callAPI("GET", "/v1/audit", aliceKey, "").assertStatus(t, 200, `"tool":"get_order"`, `"to":"allowed"`, `"arguments":"{\"id\":2}"`, `"n":3`, head.textField("head"))
	if strings.Contains(a.text, "get_secret") || strings.Count(a.text, `"schema":"boundcheck.event/1"`) != 3 {
		t.Errorf("%s", a.text)
	}
	next := a.body["next"].(json.Number).String()
	s.callAPI("GET", "/v1/audit?after="+next, aliceKey, "").assertStatus(t, 200, `"events":[]`, `"next":`+next)
	s.callAPI("GET", "/v1/audit?after=-1", aliceKey, "").assertStatus(t, 400)
}

// TestRetention checks that Housekeep removes only the texts that are older than the
// policy's limits, and records in the chain which rows it emptied. A row that was emptied
// in any other way must be reported.
func TestRetention(t *testing.T) {
	s := newTestService(t, `{"audit":{"arguments":"full"},"retention":{"arguments":"48h","allowed":"24h","audit":"96h"}}`)
	s.sendProposal(`{"tool":"get_order","arguments":{"secret":1}}`).assertStatus(t, 200)
	id, digest := s.proposeHeld("cancel_order", `{"secret":2}`)
	s.sendDecision(aliceKey, id, digest, true).assertStatus(t, 200)
	grant := s.sendClaim(id).assertStatus(t, 200).textField("grant")
	s.sendOutcome(id, grant, "executed").assertStatus(t, 200)
	keep := func(hours int) {
		t.Helper()
		s.now.Add((time.Duration(hours) * time.Hour).Milliseconds())
		for range 3 {
			if err := s.gate.Housekeep(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if c := s.verifyTenant(); len(c.Faults) > 0 {
			t.Errorf("after %d hours more: %q", hours, c.Faults)
		}
	}
	count := func(query string, want int) {
		t.Helper()
		n := -1
		if err := openRaw(t, s.file).QueryRow(query).Scan(&n); err != nil || n != want {
			t.Errorf("%s: %d, want %d: %v", query, n, want, err)
		}
	}
	keep(23)
	count(`SELECT count(*) FROM audit WHERE entry = ''`, 0)
	keep(2) // after 25 hours the read's row is emptied
	count(`SELECT count(*) FROM audit WHERE entry = ''`, 1)
	count(`SELECT count(*) FROM audit WHERE entry LIKE '%secret%' AND entry LIKE '%get_order%'`, 0)
	count(`SELECT count(*) FROM proposals WHERE arguments = '' OR prompt = ''`, 0)
	keep(24) // after 49 hours the proposal's arguments are emptied
	count(`SELECT count(*) FROM proposals WHERE arguments || prompt || life LIKE '%secret%' OR life LIKE '%because%'`, 0)
	s.callAPI("GET", "/v1/proposals/"+id, agentKey, "").assertStatus(t, 200, `"state":"executed"`, digest)
	count(`SELECT count(*) FROM audit WHERE entry LIKE '%"event":"decide"%'`, 1)
	keep(48) // after 97 hours all rows from the beginning are emptied
	count(`SELECT count(*) FROM audit WHERE entry LIKE '%"event":"decide"%' OR entry LIKE '%secret%'`, 0)
	if c := s.verifyTenant(); c.Redacted != 5 || c.Rows < 7 {
		t.Errorf("%+v", c)
	}

	// The same change by somebody with access to the file, without retention, is found.
	other := newTestService(t, "")
	for range 3 {
		other.sendProposal(`{"tool":"get_order","arguments":{"secret":1}}`).assertStatus(t, 200)
	}
	id, digest = other.proposeHeld("cancel_order", `{"secret":2}`)
	other.sendDecision(aliceKey, id, digest, false).assertStatus(t, 200)
	if err := other.gate.Housekeep(t.Context()); err != nil {
		t.Fatal(err)
	}
	db := openRaw(t, other.file)
	for change, want := range map[string]string{
		`UPDATE audit SET entry = '' WHERE seq = 2`:                              "row 2 was redacted, but no later row records the redaction",
		`UPDATE proposals SET arguments = '', prompt = '', entry = entry || ' '`: "",
	} {
		if _, err := db.Exec(change); err != nil {
			t.Fatal(err)
		}
		if c := other.verifyTenant(); len(c.Faults) == 0 || !strings.Contains(strings.Join(c.Faults, "\n"), want) {
			t.Errorf("%s: %q, want %q", change, c.Faults, want)
		}
	}
	for _, change := range []string{`UPDATE audit SET entry = 'x' WHERE seq = 1`, `UPDATE audit SET entry = '', hash = 'x' WHERE seq = 1`, `DELETE FROM audit`,
		`UPDATE proposals SET state = 'approved', rev = '9', entry = 'x'`} {
		if _, err := db.Exec(change); err == nil {
			t.Errorf("%s: the tables allow it", change)
		}
	}
}

// TestVotesChecked checks that verifyTenant finds a record whose votes differ from the
// votes in the audit.
func TestVotesChecked(t *testing.T) {
	for name, change := range map[string]string{
		"another approver": `UPDATE proposals SET life = replace(life, 'alice', 'carol')`,
		"another channel":  `UPDATE proposals SET life = replace(life, '"api"', '"page"')`,
		"a vote more":      `UPDATE proposals SET life = replace(life, '"votes":[', '"votes":[{"by":"bob","channel":"api","approve":true,"at":"1"},')`,
		"no vote":          `UPDATE proposals SET life = json_remove(life, '$.votes')`,
		"another reason":   `UPDATE proposals SET life = replace(life, 'because', 'whatever')`,
	} {
		s := newTestService(t, "")
		id, digest := s.proposeHeld("cancel_order", `{}`)
		s.sendDecision(aliceKey, id, digest, true).assertStatus(t, 200)
		if err := s.gate.Housekeep(t.Context()); err != nil {
			t.Fatal(err)
		}
		if c := s.verifyTenant(); len(c.Faults) > 0 {
			t.Fatalf("untouched: %q", c.Faults)
		}
		db := openRaw(t, s.file)
		for _, guard := range []string{"proposals_fixed", "proposals_update", "proposals_terminal"} {
			if _, err := db.Exec("DROP TRIGGER " + guard); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := db.Exec(change); err != nil {
			t.Fatal(err)
		}
		if c := s.verifyTenant(); len(c.Faults) != 1 || !strings.Contains(c.Faults[0], "differ from the votes in the audit") {
			t.Errorf("%s: %q", name, c.Faults)
		}
	}
}

// TestQuietHooks checks that a webhook does not report calls that were allowed without a
// question. It must still reach the next event after many of these calls.
func TestQuietHooks(t *testing.T) {
	s := newTestService(t, "")
	for range 1500 {
		if err := s.store.Note(t.Context(), machine.Entry{Version: 1, Tenant: "t", Event: "propose", To: machine.Allowed, Tool: "get_x"}); err != nil {
			t.Fatal(err)
		}
	}
	s.proposeHeld("cancel_order", `{}`)
	seen, last := int64(0), int64(0)
	for range 3 {
		list, to, err := s.store.After(t.Context(), "t", last, 50)
		if err != nil {
			t.Fatal(err)
		}
		if to > 0 {
			last = to
		}
		seen += int64(len(list))
	}
	if seen != 1 || last != 1501 {
		t.Errorf("%d rows told, up to row %d, want 1 and 1501", seen, last)
	}
}

// TestAuditPlans checks that frequent queries use an index, even if other tenants have
// many rows.
func TestAuditPlans(t *testing.T) {
	s := newTestService(t, "")
	for i := range 7 {
		tenant := []string{"a", "b", "c"}[i%3]
		if err := s.store.Note(t.Context(), machine.Entry{Version: 1, Tenant: tenant, Event: "x", At: int64(i)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.store.Seal(t.Context()); err != nil {
		t.Fatal(err)
	}
	if tenants, err := s.store.Tenants(t.Context()); err != nil || strings.Join(tenants, " ") != "a b c" {
		t.Errorf("%q %v", tenants, err)
	}
	count := func(tenant string, after int64, limit, want int) {
		t.Helper()
		rows, err := s.store.ChainAfter(t.Context(), tenant, after, limit)
		if err != nil || len(rows) != want {
			t.Errorf("%q after %d: %d rows, want %d: %v", tenant, after, len(rows), want, err)
		}
	}
	count("", 0, 100, 7)
	count("", 3, 2, 2)
	count("a", 0, 100, 3)
	count("a", 1, 100, 2)
	count("z", 0, 100, 0)
	if err := s.store.Note(t.Context(), machine.Entry{Version: 1, Tenant: "b", Event: "y"}); err != nil {
		t.Fatal(err)
	}
	if err := s.store.Note(t.Context(), machine.Entry{Version: 1, Tenant: "a", Event: "y"}); err != nil {
		t.Fatal(err)
	}
	count("", 0, 100, 7) // a row that is not chained yet is not skipped
	count("a", 0, 100, 3)
	rows, err := openRaw(t, s.file).Query(`EXPLAIN QUERY PLAN SELECT seq FROM audit WHERE tenant = 'a' AND seq > 1 AND seq <
		coalesce((SELECT min(seq) FROM audit WHERE hash = '' AND tenant = 'a'), 9007199254740991) ORDER BY seq LIMIT 5`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var id, parent, unused int
		var detail string
		if err := rows.Scan(&id, &parent, &unused, &detail); err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(detail, "SCAN") {
			t.Errorf("a page of the audit reads all rows: %s", detail)
		}
	}
}

// TestWholeChain checks that the seals of WholeChain are those that Seal writes later,
// after random entries of two tenants and a Seal at random places. A row that lost its
// seal in the middle must be missed.
func TestWholeChain(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 11))
	for round := range 8 {
		s := newTestService(t, "")
		lastSealed := 0
		for i := range 30 {
			e := machine.Entry{Version: 1, Tenant: []string{"t", "u"}[r.IntN(2)], Event: "policy", At: int64(i), Text: fmt.Sprint(r.IntN(100))}
			if err := s.store.Note(t.Context(), e); err != nil {
				t.Fatal(err)
			}
			if r.IntN(7) == 0 {
				if err := s.store.Seal(t.Context()); err != nil {
					t.Fatal(err)
				}
				lastSealed = i + 1
			}
		}
		read := func() (links []machine.Link, unsealed int) {
			for _, tenant := range []string{"t", "u"} {
				err := s.store.WholeChain(t.Context(), tenant, func(l machine.Link, stored bool) error {
					if links = append(links, l); !stored {
						unsealed++
					}
					return nil
				})
				if err != nil {
					t.Fatal(err)
				}
			}
			return links, unsealed
		}
		before, unsealed := read()
		if unsealed != 30-lastSealed || len(before) != 30 {
			t.Errorf("round %d: %d of %d rows are not sealed, want %d of 30", round, unsealed, len(before), 30-lastSealed)
		}
		if err := s.store.Seal(t.Context()); err != nil {
			t.Fatal(err)
		}
		if after, left := read(); !reflect.DeepEqual(before, after) || left != 0 {
			t.Errorf("round %d: other seals", round)
		}
		s.execStatements(`DROP TRIGGER audit_seal`, `UPDATE audit SET hash = '' WHERE seq = 5`)
		if all, err := s.store.VerifyStore(t.Context(), store.Known{}); err != nil || len(all[0].Faults)+len(all[1].Faults) == 0 {
			t.Errorf("round %d: a lost seal is not found: %+v %v", round, all, err)
		}
	}
}
