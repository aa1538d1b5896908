//go:build !js

package gate_test

import (
	"regexp"
	"testing"
)

// TestTimesHaveOneForm checks that each time in an answer about calls is written as all
// times of the API are, and not as a number of milliseconds.
func TestTimesHaveOneForm(t *testing.T) {
	s := newTestService(t, `{"cooldown":"none","escalate":{"after":"10m","to":["bob"]},
		"remember":[{"name":"notes","tool":"add_note","within":"1h"}]}`)
	decided := func(arguments string, approve bool) string {
		id, digest := s.proposeHeld("cancel_order", arguments)
		s.sendDecision(aliceKey, id, digest, approve).assertStatus(t, 200)
		return id
	}
	denied := decided(`{"n":1}`, false)
	taken := decided(`{"n":1}`, true)
	s.callAPI("POST", "/v1/proposals/"+taken+"/claim", agentKey, "").assertStatus(t, 200)
	again, _ := s.proposeHeld("cancel_order", `{"n":1}`)
	s.callAPI("GET", "/v1/proposals/"+again, aliceKey, "").assertStatus(t, 200, `"deniedBefore":{`, `"mayHaveRun":{`, `"escalate":{`)
	count, millis := 0, regexp.MustCompile(`"(at|until|since|created|expires)":"?\d+"?[,}]`)
	for _, path := range []string{"/v1/proposals/" + denied, "/v1/proposals/" + taken, "/v1/proposals/" + again, "/v1/proposals", "/v1/history"} {
		text := s.callAPI("GET", path, aliceKey, "").assertStatus(t, 200).text
		if bad := millis.FindString(text); bad != "" {
			t.Errorf("%s has %s: %s", path, bad, text)
		}
		count += len(regexp.MustCompile(`"at":"\d{4}-\d\d-\d\dT[\d:.]+Z"`).FindAllString(text, -1))
	}
	if count < 8 {
		t.Errorf("%d times, which are too few to judge", count)
	}
}
