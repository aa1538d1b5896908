//go:build !js

package mcp_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

// sendAnswer answers a question as the approver alice.
func (p *proxy) sendAnswer(id, answer string) {
	p.t.Helper()
	_, text := p.callAPI("GET", "/v1/proposals/"+id, aliceKey, "")
	var r struct{ Digest string }
	json.Unmarshal([]byte(text), &r)
	if status, text := p.callAPI("POST", "/v1/proposals/"+id+"/answer", aliceKey, fmt.Sprintf(`{"digest":%q,"answer":%q}`, r.Digest, answer)); status != 200 {
		p.t.Fatalf("%d %s", status, text)
	}
}

// TestAnswersAreToldOnceThroughMCP draws calls of clients that can and cannot be asked, and answers. The next
// equal call of the same agent is told the answer, once, and opens no question.
func TestAnswersAreToldOnceThroughMCP(t *testing.T) {
	rng := rand.New(rand.NewPCG(49, 61))
	p := newTestProxy(t, "")
	told := 0
	for n := range drawn.Cases(20) {
		arguments := fmt.Sprintf(`{"n":%d}`, n)
		can := []string{canNothing, canURL}[rng.IntN(2)]
		id := p.callTool("delete_order", arguments, can).approvalID()
		if rng.IntN(3) == 0 {
			p.callTool("delete_order", arguments, canNothing).assertHeld("pending", "nobody has decided")
		}
		answer := fmt.Sprintf("use thing %d.", n)
		p.sendAnswer(id, answer)
		if g := p.postAsk(ask{key: strayKey, name: "delete_order", arguments: arguments}); strings.Contains(g.text, answer) {
			t.Fatal("another agent got the answer")
		}
		p.callTool("delete_order", fmt.Sprintf(`{"n":%d,"x":1}`, n), canNothing).assertHeld("pending", "nobody has decided")
		g := p.callTool("delete_order", arguments, can).assertHeld("answered", answer)
		if g.approvalID() != id || !strings.Contains(g.text, "an approver answered") {
			t.Fatal(g.text)
		}
		told++
		if g := p.callTool("delete_order", arguments, canNothing).assertHeld("pending", "nobody has decided"); strings.Contains(g.text, answer) || g.approvalID() == id {
			t.Fatal("told twice: " + g.text)
		}
	}
	if log := p.readAudit(); strings.Count(log, `\"event\":\"told\"`)+strings.Count(log, `"event":"told"`) != told {
		t.Errorf("%d answers were told, the audit has others", told)
	}
	p.assertCalls()
}
