//go:build !js

package gate_test

import (
	"context"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// TestPreviewsKept checks that a preview is kept for a stored call of its tenant, that the
// first one stays, and that it goes with the texts of its call.
func TestPreviewsKept(t *testing.T) {
	s, file := open(t)
	ctx := context.Background()
	r := storeProposals(t, s, "a", "cancel_order {}")[0]
	put := func(tenant, id, text string) {
		t.Helper()
		if err := s.PutPreview(ctx, tenant, store.Preview{ID: id, At: start, Call: "get_order {}", Text: text}); err != nil {
			t.Fatal(err)
		}
	}
	put("u", r.ID, "another tenant's")
	put("t", "a-none", "of no call")
	put("t", r.ID, "first")
	put("t", r.ID, "second")
	kept := func(tenant, id, want string) {
		t.Helper()
		all, err := s.Previews(ctx, tenant, id, "x")
		got := ""
		if p := all[id]; p != nil {
			got = p.Text
		}
		if err != nil || got != want || len(all) > 1 {
			t.Errorf("%s of %s: %q, want %q: %v", id, tenant, got, want, err)
		}
	}
	kept("t", r.ID, "first")
	kept("u", r.ID, "")
	kept("t", "a-none", "")
	applyStep(t, s, r.ID, machine.Event{Kind: machine.Cancel, By: bot})
	kept("t", r.ID, "first")
	if _, err := openRaw(t, file).Exec(`UPDATE proposals SET arguments = '', prompt = '', sources = '', supersede = '', entry = '{}' WHERE id = '` + r.ID + `'`); err != nil {
		t.Fatal(err)
	}
	kept("t", r.ID, "")
}

// TestPreviewOnThePage checks that the page shows the state before the call, escaped, says
// why it was not read, and says so if nothing was tried.
func TestPreviewOnThePage(t *testing.T) {
	s := newTestService(t, `{"tools":{"cancel_order":{"preview":"get_order(order_id)"}}}`)
	b := s.signIn(aliceKey)
	show := func(p *store.Preview, parts ...string) {
		t.Helper()
		id, _ := s.proposeHeld("cancel_order", `{"order_id":"A7"}`)
		if p != nil {
			r, err := s.store.Load(t.Context(), "t", id)
			if err == nil {
				err = s.gate.KeepPreview(t.Context(), bot, &r, *p)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if p != nil {
			s.callAPI("GET", "/v1/proposals/"+id, aliceKey, "").assertStatus(t, 200, `"preview":`)
			if got := s.callAPI("GET", "/v1/proposals/"+id, agentKey, ""); got.status != 200 || strings.Contains(got.text, `"preview":`) {
				t.Errorf("the agent gets %d %s", got.status, got.body)
			}
		}
		_, text, _ := b.doRequest("GET", "/p/"+id, nil)
		_, all, _ := b.doRequest("GET", "/pending/all", nil)
		for _, part := range parts {
			if !strings.Contains(text, part) || !strings.Contains(all, part) {
				t.Errorf("no %q in %s", part, text)
			}
		}
		if strings.Contains(text, "<i>") {
			t.Error("markup of the server")
		}
	}
	show(&store.Preview{Call: "get_order {}", Text: `{"status":"<i>paid","total":5}`}, "The present state", "Read at 22:13:20 UTC with get_order {}", "&lt;i&gt;paid", "It may have changed since")
	show(&store.Preview{Call: "get_order {}", Text: "plain <i> words"}, "plain &lt;i&gt; words")
	show(&store.Preview{Call: "get_order {}", Problem: "no such order"}, "could not be read with get_order {}: no such order")
	show(nil, "The present state was not read for this call. The policy names get_order(order_id).")
	s.assertWhole()
}
