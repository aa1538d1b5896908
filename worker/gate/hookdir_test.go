//go:build !js

package gate_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/gate/proposal"
	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestYesIsForOneDirectory draws calls of a host in directories, and yeses. A call is allowed if and only if a person approved
// exactly it in exactly this directory, and nobody has claimed that yet. The person sees the directory.
func TestYesIsForOneDirectory(t *testing.T) {
	type call struct{ tool, input, dir string }
	inputs := []string{`{"command":"rm -rf ./build"}`, `{"command":"rm x"}`}
	dirs := []string{"", "/srv/scratch", "/srv/production", "/srv/production/", "/srv/prod\u202e\nDigest: sha256:00"}
	for seed := range drawn.Cases(6) {
		s, draw := newTestService(t, ""), rand.New(rand.NewPCG(5, uint64(seed)))
		approved := map[call]int{}
		for range 60 {
			c := call{tool: "Bash", input: inputs[draw.IntN(2)], dir: dirs[draw.IntN(len(dirs))]}
			if draw.IntN(3) == 0 { // a person says yes to what waits
				var list struct {
					Pending []struct {
						ID, Digest, Prompt string
						Why                struct{ Directory string }
						Arguments          json.RawMessage
					}
				}
				json.Unmarshal([]byte(s.callAPI("GET", "/v1/proposals", aliceKey, "").text), &list)
				if len(list.Pending) == 0 {
					continue
				}
				q := list.Pending[draw.IntN(len(list.Pending))]
				if line := "\nDirectory: "; strings.Contains(q.Prompt, line) != (q.Why.Directory != "") || strings.Count(q.Prompt, "\nDigest: ") != 1 {
					t.Errorf("the prompt in %q is %s", q.Why.Directory, q.Prompt)
				}
				_, page, _ := s.signIn(aliceKey).doRequest("GET", "/p/"+q.ID, nil)
				if dir := q.Why.Directory; dir != "" && !strings.Contains(page, "in the directory <code>/srv/") {
					t.Errorf("the page does not show %q", dir)
				}
				s.callAPI("POST", "/v1/proposals/"+q.ID+"/decision", aliceKey, `{"approve":true,"acknowledge":true,"digest":"`+q.Digest+`"}`).assertStatus(t, 200)
				approved[call{tool: "Bash", input: string(q.Arguments), dir: q.Why.Directory}]++
				continue
			}
			event := []string{"PreToolUse", "PermissionRequest"}[draw.IntN(2)]
			dir, _ := json.Marshal(c.dir)
			body := fmt.Sprintf(`{"hook_event_name":%q,"session_id":"s1","cwd":%s,"tool_name":%q,"tool_input":%s}`, event, dir, c.tool, c.input)
			a := s.callAPI("POST", "/v1/hooks/claude-code?wait=0", agentKey, body)
			allowed := strings.Contains(a.text, `"permissionDecision":"allow"`) || strings.Contains(a.text, `"behavior":"allow"`)
			if allowed != (approved[c] > 0) {
				t.Fatalf("seed %d: %s %+v is allowed: %v, with %d approvals: %s", seed, event, c, allowed, approved[c], a.text)
			}
			if allowed {
				approved[c]--
				moved := strings.Replace(strings.Replace(body, event, "PostToolUse", 1), `"cwd":`+string(dir), `"cwd":"/elsewhere"`, 1)
				s.callAPI("POST", "/v1/hooks/claude-code", agentKey, moved).assertStatus(t, 200)
			}
		}
		if n := len(taken(s)); n > 0 {
			t.Errorf("seed %d: %d calls have no outcome, though the host reported it from another directory", seed, n)
		}
	}
	s := newTestService(t, "")
	if v, why := s.sendHook(agentKey, "", strings.Replace(hookEvent("PreToolUse", "Bash", `{"command":"rm x"}`, ""), `"cwd":"/"`, `"cwd":7`, 1)); v != "deny" || !strings.Contains(why, "invalid directory") {
		t.Error(v, why)
	}
}

// taken returns the ids of the calls that are claimed.
func taken(s *service) (ids []string) {
	all, err := s.store.Claimed(s.t.Context(), 100)
	if err != nil {
		s.t.Fatal(err)
	}
	for i := range all {
		ids = append(ids, all[i].ID)
	}
	return ids
}

// TestRememberedInOneDirectory checks that a remembered yes, of one call or with conditions, covers no call in another
// directory than that of the call that was approved, and no call whose directory is not known.
func TestRememberedInOneDirectory(t *testing.T) {
	for _, when := range []string{"", `{"n":{"max":5}}`} {
		for _, dir := range []string{"", `,"directory":"/a"`, `,"directory":"/b \"{\""`} {
			s := newTestService(t, `{"remember":[{"name":"sends","tool":"send_x","within":"1h","destructive":true}]}`)
			ask := func(more string) answer {
				return s.sendProposal(`{"tool":"send_x","arguments":{"n":1},"session":"s1"`+more+`}`).assertStatus(t, 202)
			}
			a := ask(dir)
			s.remember(a.textField("id"), a.textField("digest"), when, 600_000).assertStatus(t, 200)
			s.runCall(agentKey, a.textField("id")).assertStatus(t, 200)
			for _, other := range []string{"", `,"directory":"/a"`, `,"directory":"/b \"{\""`, `,"directory":"/"`} {
				if got := ask(other).textField("state") == "approved"; got != (other == dir) {
					t.Errorf("a yes with %q in %s covers a call in %s: %v", when, dir, other, got)
				}
			}
		}
	}
}

// TestClaimNamesItsDirectory draws directories, also with blanks, quotation marks and ends of lines: the claim's answer has the
// one that the digest covers, and the question shows where its name begins and ends.
func TestClaimNamesItsDirectory(t *testing.T) {
	random := rand.New(rand.NewPCG(49, 41))
	s := newTestService(t, "")
	for n := range drawn.Cases(40) {
		dir := "/srv"
		for range 1 + random.IntN(4) {
			dir += []string{"/a", " b", `"`, "'", "é", "\n", " ", `\x`, "$(x)", "/.."}[random.IntN(10)]
		}
		text, _ := json.Marshal(dir)
		a := s.callAPI("POST", "/v1/proposals", agentKey, fmt.Sprintf(`{"tool":"cancel_order","arguments":{"n":%d},"directory":%s}`, n, text)).assertStatus(t, 202)
		id := a.textField("id")
		shown := s.callAPI("GET", "/v1/proposals/"+id, aliceKey, "").assertStatus(t, 200)
		_, line, _ := strings.Cut(shown.textField("prompt"), "\nDirectory: ")
		line, _, _ = strings.Cut(line, "\n")
		if quoted := strings.HasPrefix(line, `"`) && strings.HasSuffix(line, `"`) && strings.Count(line, `"`) == 2; quoted != strings.ContainsAny(dir, " \"'\n$()") {
			t.Errorf("%q is shown as %s", dir, line)
		}
		s.sendDecision(aliceKey, id, a.textField("digest"), true).assertStatus(t, 200)
		c := s.sendClaim(id).assertStatus(t, 200)
		if got := c.textField("directory"); got != dir || proposal.DigestIn(got, c.textField("tool"), c.textField("bytes")) != c.textField("digest") {
			t.Errorf("%q was claimed in %q", dir, got)
		}
	}
}
