//go:build !js

package proxy_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// TestTwinsInChat sends one request twice, so that two questions are about the same call with
// the same id. The yes to the second one runs nothing before the question has said that the
// call may have run, whatever became of the first one.
func TestTwinsInChat(t *testing.T) {
	runBothWays(t, func(t *testing.T, stream bool) {
		for _, ran := range []bool{false, true} {
			s := newTestService(t, "")
			update := tool{"u1", "update_order", `{"id":"950"}`}
			s.model.scriptSteps(answerStep("", update), answerStep("", update), answerStep("Done."))
			first, second := s.newTalk(stream, ""), s.newTalk(stream, "")
			first.sendUser("update order 950").assertAsks(t)
			second.sendUser("update order 950").assertAsks(t, "Another question about exactly the same call of update_order waits or is approved, too.")
			first.sendAgreement().assertCalls(t, update)
			s.now.Add(1000)
			if ran {
				first.sendResults("ok").assertText(t, "Done.")
			}
			second.sendAgreement().assertAsks(t, "MAY HAVE RUN ALREADY: update_order: the same call was handed out at", map[bool]string{true: "its agent says that it ran", false: "its outcome is not known yet"}[ran])
			second.sendAgreement().assertCalls(t, update)
		}
	})
}

// TestUnseenIsNoTwin does the same with a call that needs "yes, unseen" for its size: that the person runs what cannot be shown
// says nothing of a run that the question did not name.
func TestUnseenIsNoTwin(t *testing.T) {
	runBothWays(t, func(t *testing.T, stream bool) {
		s := newTestService(t, `{"conversation":["wipe_disk"]}`)
		big := tool{"c", "wipe_disk", `{"pad":"` + strings.Repeat("a ", 9000) + `","device":"/dev/sda"}`}
		s.model.scriptSteps(answerStep("", big), answerStep("", big), answerStep("Done."))
		first, second := s.newTalk(stream, ""), s.newTalk(stream, "")
		one := codeOf(t, first.sendUser("wipe it").assertAsks(t, "yes, unseen "))
		two := codeOf(t, second.sendUser("wipe it").assertAsks(t, "yes, unseen "))
		first.sendUser("yes, unseen "+one).assertCalls(t, big)
		s.now.Add(1000)
		second.sendUser("yes, unseen "+two).assertAsks(t, "MAY HAVE RUN ALREADY: wipe_disk: the same call was handed out at")
		second.sendUser("yes, unseen "+two).assertCalls(t, big)
	})
}

// TestCancelledBesideOthers draws which calls of a turn the agent's own program cancels while the question is open: after a yes,
// the others run, and the model is told of each call what became of it.
func TestCancelledBesideOthers(t *testing.T) {
	runBothWays(t, func(t *testing.T, stream bool) {
		for cancelled := range 3 {
			s := newTestService(t, "")
			calls := []tool{{"u1", "update_order", `{"id":"1"}`}, {"u2", "update_order", `{"id":"2"}`}, {"u3", "update_order", `{"id":"3"}`}}
			s.model.scriptSteps(answerStep("", calls...), answerStep("Done."))
			c := s.newTalk(stream, "")
			c.sendUser("update them").assertAsks(t)
			ids := s.proposalIDs()
			s.cancelProposal(ids[cancelled][0])
			rest := append(append([]tool{}, calls[:cancelled]...), calls[cancelled+1:]...)
			c.sendAgreement().assertCalls(t, rest...)
			c.sendResults("ok", "ok").assertText(t, "Done.")
			told := fmt.Sprint(s.messagesToModel())
			if strings.Count(told, "Not executed: the call was cancelled") != 1 || strings.Contains(told, "refused") || strings.Count(told, "ok") < 2 {
				t.Errorf("%d: %s", cancelled, told)
			}
		}
	})
}

// cancelProposal cancels a proposal as the agent's own program.
func (s *service) cancelProposal(id string) {
	s.t.Helper()
	r, _ := http.NewRequest("POST", s.url+"/v1/proposals/"+id+"/cancel", nil)
	r.Header.Set("Authorization", "Bearer "+agentKey)
	w, err := http.DefaultTransport.RoundTrip(r)
	if err != nil || w.StatusCode != 200 {
		s.t.Fatal(err, w)
	}
	w.Body.Close()
}
