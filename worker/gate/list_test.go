//go:build !js

package gate_test

import (
	"slices"
	"testing"
)

// readPages reads all pages of waiting proposals and returns the ids in their order.
func (s *service) readPages(key, limit string) (ids []string, pages int) {
	s.t.Helper()
	for after := ""; ; pages++ {
		a := s.callAPI("GET", "/v1/proposals?limit="+limit+"&after="+after, key, "").assertStatus(s.t, 200)
		list, _ := a.body["pending"].([]any)
		for _, m := range list {
			ids = append(ids, m.(map[string]any)["id"].(string))
		}
		if after = a.textField("next"); after == "" {
			return ids, pages + 1
		}
	}
}

// TestPaging checks that every waiting proposal is on exactly one page, in order, even
// if many were proposed in the same millisecond.
func TestPaging(t *testing.T) {
	s := newTestService(t, "")
	for range 23 {
		s.proposeHeld("cancel_order", `{}`)
	}
	s.now.Add(1)
	last, _ := s.proposeHeld("cancel_order", `{}`)
	s.callAPI("POST", "/v1/proposals", otherKey, `{"tool":"cancel_order","arguments":{}}`).assertStatus(t, 202)
	ids, pages := s.readPages(aliceKey, "5")
	if seen := slices.Compact(slices.Sorted(slices.Values(ids))); len(ids) != 25 || len(seen) != 25 || pages != 5 || !slices.Contains(ids[23:], last) {
		t.Errorf("%d ids, %d different, on %d pages", len(ids), len(seen), pages)
	}
	if ids, pages := s.readPages(agentKey, "24"); len(ids) != 24 || pages != 1 {
		t.Errorf("an agent sees %d on %d pages, want its own 24 on one", len(ids), pages)
	}
	after := `the parameter \"after\" must be the value of \"next\"`
	for query, part := range map[string]string{"limit=0": "invalid ", "limit=201": "invalid ", "limit=x": "invalid ", "after=x": after, "after=AAAA": after} {
		s.callAPI("GET", "/v1/proposals?"+query, aliceKey, "").assertStatus(t, 400, part)
	}
}
