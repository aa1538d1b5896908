//go:build !js

package gate_test

import (
	"fmt"
	"html"
	"regexp"
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

// TestApprovedPages checks that every approved call that can still be revoked is on exactly one
// page of the list, and none whose time is over, however many there are.
func TestApprovedPages(t *testing.T) {
	s := newTestService(t, `{"expiry":"60s"}`)
	approve := func(tool string) string {
		id, digest := s.proposeHeld(tool, `{}`)
		s.sendDecision(aliceKey, id, digest, true).assertStatus(t, 200)
		return id
	}
	for i := range 120 { // over when the others are not
		approve(fmt.Sprintf("drop_%d", i))
	}
	s.now.Add(59_000)
	var want []string
	for i := range 230 {
		if i%40 == 0 {
			s.now.Add(100)
		}
		want = append(want, approve(fmt.Sprintf("cancel_%d", i)))
	}
	s.now.Add(1_000)
	b := s.signIn(aliceKey)
	row, more := regexp.MustCompile(`<a href="/p/(p_[^"]+)">`), regexp.MustCompile(`href="(/pending\?after=[^"]+)"`)
	var got []string
	for path := "/pending"; path != ""; {
		status, text, _ := b.doRequest("GET", path, nil)
		if status != 200 {
			t.Fatal(status, text)
		}
		for _, m := range row.FindAllStringSubmatch(text, -1) {
			got = append(got, m[1])
		}
		if path = ""; more.MatchString(text) {
			path = html.UnescapeString(more.FindStringSubmatch(text)[1])
		}
	}
	slices.Sort(want)
	if slices.Sort(got); !slices.Equal(got, want) {
		t.Errorf("%d calls are listed, want %d", len(got), len(want))
	}
	if status, _, _ := b.doRequest("GET", "/pending?after=x", nil); status != 400 {
		t.Error(status)
	}
}
