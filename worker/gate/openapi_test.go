//go:build !js

package gate_test

import (
	"encoding/json"
	"net/http"
	"os"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/worker/gate"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// TestOpenAPI compares the answers of every operation with the API's description. Exactly
// the described statuses of an operation must occur. A body must have the required
// members of its schema, and no member that the schema lacks.
func TestOpenAPI(t *testing.T) {
	s := newTestService(t, `{"tools":{"format_disk":{"deny":"no"}},"edit":[{"name":"all","arguments":["*"]}],"delegate":{"within":"1h"},"remember":[{"name":"x","tool":"send_x","within":"1h","destructive":true}]}`, func(o *gate.Options) { o.Limit, o.Rate, o.Burst = 3000, 0.001, 400 })
	text := s.callAPI("GET", "/openapi.json", "", "").assertStatus(t, 200, `"openapi":"3.1.0"`).text
	var doc struct {
		Paths      map[string]map[string]operation
		Components struct{ Schemas map[string]schema }
	}
	if err := json.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatal(err)
	}
	promise := func(a answer, name string) {
		t.Helper()
		for _, member := range doc.Components.Schemas[name].Required {
			if _, ok := a.body[member]; !ok {
				t.Errorf("%s has no %q: %s", name, member, a.text)
			}
		}
		for member, value := range a.body {
			described, ok := doc.Components.Schemas[name].Properties[member]
			if !ok && len(doc.Components.Schemas[name].Properties) > 0 {
				t.Errorf("%s describes no %q", name, member)
			}
			if of, _ := described.(map[string]any); of["enum"] != nil && !slices.Contains(of["enum"].([]any), value) {
				t.Errorf("%s describes no %q with the value %v", name, member, value)
			}
		}
	}
	causeStatuses(t, s, promise)

	described := []string{}
	for path, item := range doc.Paths {
		for method, op := range item {
			for status, r := range op.Responses {
				n, _ := strconv.Atoi(status)
				described = append(described, strings.ToUpper(method)+" "+path+" "+http.StatusText(n))
				for _, c := range r.Content {
					name := strings.TrimPrefix(c.Schema.Ref, "#/components/schemas/")
					if _, known := doc.Components.Schemas[name]; !known {
						t.Errorf("%s %s: unknown schema %q", method, path, name)
					}
				}
			}
		}
	}
	happened := []string{}
	for what := range s.seen {
		happened = append(happened, what)
	}
	sort.Strings(described)
	sort.Strings(happened)
	if len(described) < 60 {
		t.Errorf("only %d answers are described", len(described))
	}
	for _, what := range missingFrom(described, happened) {
		t.Errorf("described, but it did not happen: %s", what)
	}
	for _, what := range missingFrom(happened, described) {
		t.Errorf("it happened, but is not described: %s", what)
	}
}

// TestReferencesHold checks that every $ref in the API's description names an existing
// schema, after DescribeBatches has added its paths.
func TestReferencesHold(t *testing.T) {
	doc := gate.Description()
	schemas := doc["components"].(map[string]any)["schemas"].(map[string]any)
	had := len(schemas)
	gate.DescribeBatches(doc)
	if len(schemas) != had+6 {
		t.Errorf("%d schemas, and %d with those of batches", had, len(schemas))
	}
	text, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	refs := regexp.MustCompile(`"#/components/schemas/(\w+)"`).FindAllStringSubmatch(string(text), -1)
	if len(refs) < 40 {
		t.Errorf("only %d references", len(refs))
	}
	for _, r := range refs {
		if schemas[r[1]] == nil {
			t.Errorf("no schema %s", r[1])
		}
	}
}

// TestOperationsAreNamed checks that each operation has a name of its own, for programs that
// generate clients.
func TestOperationsAreNamed(t *testing.T) {
	names := map[string]string{}
	for path, item := range gate.Description()["paths"].(map[string]any) {
		for method, op := range item.(map[string]any) {
			name, _ := op.(map[string]any)["operationId"].(string)
			if other := names[name]; other != "" || !regexp.MustCompile(`^(get|post)[A-Z][A-Za-z]+$`).MatchString(name) {
				t.Errorf("%s %s: the name %q is not its own (%s)", method, path, name, other)
			}
			names[name] = method + " " + path
		}
	}
	for name, want := range map[string]string{"postProposals": "post /v1/proposals", "getProposal": "get /v1/proposals/{id}", "postProposalClaim": "post /v1/proposals/{id}/claim"} {
		if names[name] != want {
			t.Errorf("%s is %q, want %q", name, names[name], want)
		}
	}
}

// TestRequestsAreRead checks that the API accepts a request with all members of its type,
// and refuses a request that lacks a required member.
func TestRequestsAreRead(t *testing.T) {
	s := newTestService(t, ``)
	schemas := gate.Description()["components"].(map[string]any)["schemas"].(map[string]any)
	samples := map[string]any{"approve": true, "for": "bob", "digest": "sha256:x", "reason": "r", "acknowledge": true, "bypass": false, "seen": "p_earlier", "frozen": true, "agent": "bot2", "grant": "g", "status": "executed",
		"detail": "d", "result": "{}", "server": "shop", "tool": "x", "hash": "h", "arguments": map[string]any{}, "session": "s", "tools": []any{}, "policy": "p", "elsewhere": true, "directory": "/srv", "messages": []any{}, "answer": "ask first"}
	check := func(name, path, key string, may ...string) {
		t.Helper()
		schema := schemas[name].(map[string]any)
		body := map[string]any{}
		for member := range schema["properties"].(map[string]any) {
			if body[member] = samples[member]; body[member] == nil {
				t.Errorf("%s: no sample of %q", name, member)
			}
		}
		post := func() answer {
			text, _ := json.Marshal(body)
			return s.callAPI("POST", path, key, string(text))
		}
		if a := post(); a.status == 400 {
			t.Errorf("%s with all members: %s", name, a.text)
		}
		for _, member := range schema["required"].([]string) {
			delete(body, member)
			if a := post(); a.status != 400 && !slices.Contains(may, member) {
				t.Errorf("%s without %q: %d %s", name, member, a.status, a.text)
			}
			body[member] = samples[member]
		}
	}
	id, _ := s.proposeHeld("cancel_x", `{"a":1}`)
	check("Decision", "/v1/proposals/"+id+"/decision", aliceKey)
	samples["decisions"] = []any{map[string]any{"id": id, "approve": true, "digest": "sha256:x"}}
	check("Decisions", "/v1/decisions", aliceKey)
	samples["id"], samples["until"], samples["when"] = id, "2027-01-01T00:00:00Z", map[string]any{}
	check("RememberRequest", "/v1/remembered", aliceKey)
	samples["to"] = "bob"
	check("DelegateRequest", "/v1/delegations", aliceKey)
	check("Edit", "/v1/proposals/"+id+"/edit", aliceKey)
	check("ApproverAnswer", "/v1/proposals/"+id+"/answer", aliceKey)
	check("Revocation", "/v1/proposals/"+id+"/revoke", aliceKey)
	check("ClaimRequest", "/v1/proposals/"+id+"/claim", agentKey)
	check("Outcome", "/v1/proposals/"+id+"/outcome", agentKey, "grant") // a missing grant counts as a wrong one: 409
	check("FreezeRequest", "/v1/freezes", aliceKey)
	check("Acceptance", "/v1/definitions", aliceKey)
	samples["id"], samples["type"] = "call_1", "function"
	samples["action"] = map[string]any{"name": "x", "arguments": map[string]any{}}
	samples["function"], samples["calls"] = samples["action"], []any{map[string]any{"tool": "x", "arguments": map[string]any{}}}
	for _, name := range []string{"Call", "ActionCall", "FunctionCall", "Calls"} {
		check(name, "/v1/proposals", agentKey)
	}
}

// TestEdgeKnowsThePaths checks that wrangler.jsonc sends all paths of the gate to the
// Worker, so that no static file hides one of them.
func TestEdgeKnowsThePaths(t *testing.T) {
	text, err := os.ReadFile("../../wrangler.jsonc")
	if err != nil {
		t.Fatal(err)
	}
	list := regexp.MustCompile(`"run_worker_first": (\[[^\]]*\])`).FindSubmatch(text)
	var first []string
	if list == nil || json.Unmarshal(list[1], &first) != nil {
		t.Fatal("wrangler.jsonc has no run_worker_first")
	}
	for _, pattern := range gate.PatternsForTest() {
		sample := strings.ReplaceAll(pattern, "{id}", "x")
		if pattern != "/{$}" && !slices.ContainsFunc(first, func(f string) bool {
			before, any := strings.CutSuffix(f, "*")
			return f == sample || any && strings.HasPrefix(sample, before)
		}) {
			t.Errorf("run_worker_first of wrangler.jsonc lacks %s", pattern)
		}
	}
}

type operation struct {
	Responses map[string]struct {
		Content map[string]struct {
			Schema struct {
				Ref string `json:"$ref"`
			}
		}
	}
}

type schema struct {
	Type       any
	Required   []string
	Properties map[string]any
}

func missingFrom(a, b []string) (out []string) {
	in := map[string]bool{}
	for _, x := range b {
		in[x] = true
	}
	for _, x := range a {
		if !in[x] {
			out = append(out, x)
		}
	}
	return out
}

// causeStatuses sends requests that cause each status of each operation at least once.
// For some of the answers it calls the function promise, with the answer and the name of
// the schema that its body must match.
func causeStatuses(t *testing.T, s *service, promise func(answer, string)) {
	s.callAPI("GET", "/healthz", "", "").assertStatus(t, 200)
	promise(s.callAPI("GET", "/.well-known/boundcheck/jwks.json", "", "").assertStatus(t, 200), "Keys")
	s.sendProposal(`{"tool":"get_x","arguments":{}}`).assertStatus(t, 200)
	s.sendProposal(`{"tool":"format_disk","arguments":{}}`).assertStatus(t, 403)
	one := `{"tool":"cancel_x","arguments":{"a":1}}`
	s.callAPI("POST", "/v1/proposals", agentKey, one, "Idempotency-Key", "k").assertStatus(t, 202)
	s.callAPI("POST", "/v1/proposals", agentKey, one+" ", "Idempotency-Key", "k").assertStatus(t, 422)
	keptButGone(t, s)
	for _, path := range []string{"/healthz", "/openapi.json", "/.well-known/boundcheck/jwks.json", "/metrics", "/v1/audit/head", "/v1/definitions", "/v1/events", "/v1/freezes"} {
		s.callAPI("GET", path+"?x=1", aliceKey, "").assertStatus(t, 400)
	}
	promise(s.callAPI("GET", "/v1/proposals?limit=1", aliceKey, "").assertStatus(t, 200, `"next":`), "Pending")
	s.callAPI("GET", "/v1/proposals?limit=0", aliceKey, "").assertStatus(t, 400)

	id, digest := s.proposeHeld("cancel_x", `{"a":1}`)
	path := "/v1/proposals/" + id
	promise(s.callAPI("GET", path, agentKey, "").assertStatus(t, 200), "Record")
	s.callAPI("GET", path+"?wait=no", agentKey, "").assertStatus(t, 400)
	posts := map[string]string{"/decision": aliceKey, "/edit": aliceKey, "/answer": aliceKey, "/revoke": aliceKey, "/claim": agentKey, "/outcome": agentKey, "/cancel": agentKey}
	bodies := map[string]string{"/decision": `{"approve":true,"digest":"x"}`, "/edit": `{"digest":"x","arguments":{"a":2}}`, "/answer": `{"digest":"x","answer":"no"}`, "/revoke": ``, "/claim": ``, "/outcome": `{"grant":"x","status":"executed"}`, "/cancel": ``}
	paths := []string{""}
	for end, key := range posts {
		paths = append(paths, end)
		wrong := map[string]string{aliceKey: agentKey, agentKey: aliceKey}[key]
		s.callAPI("POST", path+end, key, `{`).assertStatus(t, 400)
		if end != "/cancel" {
			s.callAPI("POST", path+end, key, bodies[end]).assertStatus(t, 409)
		}
		s.callAPI("POST", path+end, "", "").assertStatus(t, 401)
		s.callAPI("POST", path+end, wrong, bodies[end]).assertStatus(t, 403)
		s.callAPI("POST", "/v1/proposals/p_none"+end, key, bodies[end]).assertStatus(t, 404)
		s.callAPI("POST", path+end, key, strings.Repeat(" ", 3001)).assertStatus(t, 413)
		s.callAPI("POST", path+end, key, "", "Content-Encoding", "br").assertStatus(t, 415)
	}
	promise(s.sendDecision(aliceKey, id, digest, true).assertStatus(t, 200), "Standing")
	c := s.sendClaim(id).assertStatus(t, 200)
	promise(c, "Grant")
	promise(s.sendOutcome(id, c.textField("grant"), "failed").assertStatus(t, 200), "Standing")
	promise(s.callAPI("POST", path+"/cancel", agentKey, "").assertStatus(t, 409), "Error")
	id, digest = s.proposeHeld("cancel_x", `{"r":1}`)
	s.sendDecision(aliceKey, id, digest, true).assertStatus(t, 200)
	promise(s.callAPI("POST", "/v1/proposals/"+id+"/revoke", aliceKey, `{"reason":"wrong"}`).assertStatus(t, 200), "Standing")
	id, digest = s.proposeHeld("cancel_x", `{"e":1}`)
	edited := s.callAPI("POST", "/v1/proposals/"+id+"/edit", aliceKey, `{"digest":"`+digest+`","arguments":{"e":2}}`).assertStatus(t, 200)
	promise(edited, "Edited")
	promise(s.callAPI("GET", "/v1/proposals/"+id, agentKey, "").assertStatus(t, 200, `"state":"superseded"`), "Record")
	id, digest = edited.textField("id"), edited.textField("digest")
	promise(s.callAPI("POST", "/v1/proposals/"+id+"/answer", aliceKey, `{"digest":"`+digest+`","answer":"ask first"}`).assertStatus(t, 200), "Standing")
	promise(s.callAPI("GET", "/v1/proposals/"+id, agentKey, "").assertStatus(t, 200, `"answer":"ask first"`), "Record")
	r, rd := s.proposeInSession("send_x", `{"a":1}`, "s1")
	s.sendDecision(aliceKey, r, rd, true).assertStatus(t, 200)
	remember := func(id string) string {
		return `{"id":"` + id + `","digest":"` + rd + `","until":"` + store.Instant(start+60_000) + `"}`
	}
	promise(s.callAPI("POST", "/v1/remembered", aliceKey, remember(r)).assertStatus(t, 200, `"agent":"bot"`), "Remembered")
	y := s.callAPI("POST", "/v1/remembered", aliceKey, remember(r)).textField("id")
	s.callAPI("POST", "/v1/remembered", bobKey, remember(r)).assertStatus(t, 409)
	s.callAPI("POST", "/v1/remembered", aliceKey, remember("p_none")).assertStatus(t, 404)
	for path, body := range map[string]string{"/v1/remembered": remember(r), "/v1/remembered/" + y + "/revoke": `{"reason":"r"}`} {
		s.callAPI("POST", path, aliceKey, `{`).assertStatus(t, 400)
		s.callAPI("POST", path, "", body).assertStatus(t, 401)
		s.callAPI("POST", path, agentKey, body).assertStatus(t, 403)
		s.callAPI("POST", path, aliceKey, strings.Repeat(" ", 3001)).assertStatus(t, 413)
		s.callAPI("POST", path, aliceKey, body, "Content-Encoding", "br").assertStatus(t, 415)
	}
	s.callAPI("POST", "/v1/remembered/y_none/revoke", aliceKey, "").assertStatus(t, 404)
	promise(s.callAPI("GET", "/v1/remembered", aliceKey, "").assertStatus(t, 200, y), "RememberedList")
	promise(s.callAPI("POST", "/v1/remembered/"+y+"/revoke", aliceKey, `{"reason":"r"}`).assertStatus(t, 200), "RememberedList")
	s.callAPI("GET", "/v1/remembered?x=1", aliceKey, "").assertStatus(t, 400)
	delegate := `{"to":"bob","until":"` + store.Instant(start+60_000) + `"}`
	promise(s.callAPI("POST", "/v1/delegations", aliceKey, delegate).assertStatus(t, 200, `"to":"bob"`), "Delegation")
	promise(s.callAPI("GET", "/v1/delegations", bobKey, "").assertStatus(t, 200, `"giver":"alice"`), "Delegations")
	g := s.callAPI("POST", "/v1/delegations", bobKey, strings.Replace(delegate, "bob", "alice", 1)).assertStatus(t, 200).textField("id")
	for path, body := range map[string]string{"/v1/delegations": delegate, "/v1/delegations/" + g + "/revoke": `{"reason":"r"}`} {
		s.callAPI("POST", path, aliceKey, `{`).assertStatus(t, 400)
		s.callAPI("POST", path, "", body).assertStatus(t, 401)
		s.callAPI("POST", path, agentKey, body).assertStatus(t, 403)
		s.callAPI("POST", path, aliceKey, strings.Repeat(" ", 3001)).assertStatus(t, 413)
		s.callAPI("POST", path, aliceKey, body, "Content-Encoding", "br").assertStatus(t, 415)
	}
	s.callAPI("POST", "/v1/delegations/g_none/revoke", aliceKey, "").assertStatus(t, 404)
	promise(s.callAPI("POST", "/v1/delegations/"+g+"/revoke", aliceKey, `{"reason":"r"}`).assertStatus(t, 200), "Delegations")
	s.callAPI("GET", "/v1/delegations?x=1", aliceKey, "").assertStatus(t, 400)
	s.callAPI("GET", "/v1/delegations", "", "").assertStatus(t, 401)
	s.callAPI("GET", "/v1/delegations", agentKey, "").assertStatus(t, 403)
	promise(s.callAPI("GET", "/v1/history?state=answered", agentKey, "").assertStatus(t, 200, "ask first"), "History")
	s.callAPI("GET", "/v1/history?state=pending", agentKey, "").assertStatus(t, 400)
	s.callAPI("GET", "/v1/history", "", "").assertStatus(t, 401)
	s.callAPI("GET", "/v1/remembered", "", "").assertStatus(t, 401)
	s.callAPI("GET", "/v1/remembered", agentKey, "").assertStatus(t, 403)
	many := `{"decisions":[{"id":"` + id + `","approve":true,"digest":"x"}]}`
	promise(s.callAPI("POST", "/v1/decisions", aliceKey, many).assertStatus(t, 200, `"status":409`, `"code":"conflict"`), "Decided")
	s.callAPI("POST", "/v1/decisions", aliceKey, `{"decisions":[]}`).assertStatus(t, 400)
	s.callAPI("POST", "/v1/decisions", "", many).assertStatus(t, 401)
	s.callAPI("POST", "/v1/decisions", agentKey, many).assertStatus(t, 403)
	s.callAPI("POST", "/v1/decisions", aliceKey, strings.Repeat(" ", 3001)).assertStatus(t, 413)
	s.callAPI("POST", "/v1/decisions", aliceKey, many, "Content-Encoding", "br").assertStatus(t, 415)
	freezes := `{"frozen":true,"agent":"bot2"}`
	s.callAPI("GET", "/v1/freezes", "", "").assertStatus(t, 401)
	s.callAPI("GET", "/v1/freezes", agentKey, "").assertStatus(t, 403)
	s.callAPI("POST", "/v1/freezes", "", freezes).assertStatus(t, 401)
	s.callAPI("POST", "/v1/freezes", agentKey, freezes).assertStatus(t, 403)
	s.callAPI("POST", "/v1/freezes", aliceKey, `{"agent":"bot2"}`).assertStatus(t, 400)
	s.callAPI("POST", "/v1/freezes", aliceKey, `{"frozen":true,"agent":"nobody"}`).assertStatus(t, 404)
	s.callAPI("POST", "/v1/freezes", aliceKey, strings.Repeat(" ", 3001)).assertStatus(t, 413)
	s.callAPI("POST", "/v1/freezes", aliceKey, freezes, "Content-Encoding", "br").assertStatus(t, 415)
	promise(s.callAPI("POST", "/v1/freezes", aliceKey, freezes).assertStatus(t, 200, `"agent":"bot2","by":"alice"`), "Freezes")
	promise(s.callAPI("GET", "/v1/freezes", aliceKey, "").assertStatus(t, 200), "Freezes")
	id, _ = s.proposeHeld("cancel_x", `{}`)
	promise(s.callAPI("POST", "/v1/proposals/"+id+"/cancel", agentKey, "").assertStatus(t, 200), "Standing")

	s.sendProposal(`{`).assertStatus(t, 400)
	s.callAPI("POST", "/v1/proposals", "", one).assertStatus(t, 401)
	s.sendProposal(strings.Repeat(" ", 3001)).assertStatus(t, 413)
	s.callAPI("POST", "/v1/proposals", agentKey, one, "Content-Encoding", "gzip").assertStatus(t, 415)
	s.callAPI("GET", "/v1/proposals", "", "").assertStatus(t, 401)
	s.callAPI("GET", path, "", "").assertStatus(t, 401)
	s.callAPI("GET", "/v1/proposals/p_none", agentKey, "").assertStatus(t, 404)
	s.callAPI("GET", "/v1/events", "", "").assertStatus(t, 401)
	s.callAPI("GET", "/v1/events", agentKey, "").assertStatus(t, 403)
	s.noteStatus("GET", "/v1/events", 200) // TestEvents reads the stream

	s.callAPI("POST", "/v1/hooks/claude-code", "", "").assertStatus(t, 200)
	ping := `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	promise(s.callAPI("POST", permissionPath, agentKey, ping).assertStatus(t, 200), "ToolAnswer")
	s.callAPI("POST", permissionPath, agentKey, `{"jsonrpc":"2.0","method":"notifications/initialized"}`).assertStatus(t, 202)
	s.callAPI("POST", permissionPath, agentKey, `{`).assertStatus(t, 400)
	s.callAPI("POST", permissionPath, "", ping).assertStatus(t, 401)
	s.callAPI("POST", permissionPath, aliceKey, ping).assertStatus(t, 403)
	s.callAPI("POST", permissionPath, agentKey, strings.Repeat(" ", 3001)).assertStatus(t, 413)
	s.callAPI("POST", permissionPath, agentKey, ping, "Content-Encoding", "br").assertStatus(t, 415)
	for path, name := range map[string]string{"/v1/audit": "AuditPage", "/v1/audit/head": "Head"} {
		s.callAPI("GET", path, "", "").assertStatus(t, 401)
		s.callAPI("GET", path, agentKey, "").assertStatus(t, 403)
		promise(s.callAPI("GET", path, aliceKey, "").assertStatus(t, 200), name)
	}
	s.callAPI("GET", "/v1/audit?after=x", aliceKey, "").assertStatus(t, 400)
	s.callAPI("GET", "/metrics", "", "").assertStatus(t, 401)
	s.callAPI("GET", "/metrics", agentKey, "").assertStatus(t, 403)
	s.callAPI("GET", "/metrics", aliceKey, "").assertStatus(t, 200)
	definitions := `{"server":"shop","tool":"frob","hash":"h"}`
	pin := store.Pin{Server: "shop", Tool: "frob", Hash: "h", Text: "{}", Pinned: "g", PinnedText: "{}", Since: start}
	if err := s.store.NewPins(t.Context(), "t", []store.Pin{pin}); err != nil {
		t.Fatal(err)
	}
	s.callAPI("GET", "/v1/definitions", "", "").assertStatus(t, 401)
	s.callAPI("GET", "/v1/definitions", agentKey, "").assertStatus(t, 403)
	promise(s.callAPI("GET", "/v1/definitions", aliceKey, "").assertStatus(t, 200, `"state":"held"`), "Definitions")
	s.callAPI("POST", "/v1/definitions", "", definitions).assertStatus(t, 401)
	s.callAPI("POST", "/v1/definitions", agentKey, definitions).assertStatus(t, 403)
	s.callAPI("POST", "/v1/definitions", aliceKey, `{"server":"shop"}`).assertStatus(t, 400)
	s.callAPI("POST", "/v1/definitions", aliceKey, strings.Repeat(" ", 3001)).assertStatus(t, 413)
	s.callAPI("POST", "/v1/definitions", aliceKey, definitions, "Content-Encoding", "br").assertStatus(t, 415)
	s.callAPI("POST", "/v1/definitions", carolKey, definitions).assertStatus(t, 409)
	promise(s.callAPI("POST", "/v1/definitions", aliceKey, definitions).assertStatus(t, 200), "Accepted")
	s.callAPI("GET", "/v1/definitions", aliceKey, "").assertStatus(t, 200, `"state":"reviewed"`)

	s.store.Close()
	s.callAPI("GET", "/healthz", "", "").assertStatus(t, 503)
	broken := func(status int) {
		t.Helper()
		s.sendProposal(one).assertStatus(t, status)
		s.callAPI("GET", "/v1/proposals", agentKey, "").assertStatus(t, status)
		s.callAPI("GET", path, agentKey, "").assertStatus(t, status)
		s.callAPI("GET", "/v1/events", aliceKey, "").assertStatus(t, status)
		s.callAPI("GET", "/v1/definitions", aliceKey, "").assertStatus(t, status)
		s.callAPI("GET", "/metrics", aliceKey, "").assertStatus(t, status)
		s.callAPI("GET", "/v1/audit", aliceKey, "").assertStatus(t, status)
		s.callAPI("GET", "/v1/audit/head", aliceKey, "").assertStatus(t, status)
		s.callAPI("GET", "/v1/freezes", aliceKey, "").assertStatus(t, status)
		s.callAPI("POST", "/v1/freezes", aliceKey, freezes).assertStatus(t, status)
		s.callAPI("GET", "/v1/remembered", aliceKey, "").assertStatus(t, status)
		s.callAPI("GET", "/v1/history", aliceKey, "").assertStatus(t, status)
		s.callAPI("POST", "/v1/remembered", aliceKey, remember(r)).assertStatus(t, status)
		s.callAPI("POST", "/v1/remembered/"+y+"/revoke", aliceKey, "").assertStatus(t, status)
		s.callAPI("GET", "/v1/delegations", aliceKey, "").assertStatus(t, status)
		s.callAPI("POST", "/v1/delegations", aliceKey, delegate).assertStatus(t, status)
		s.callAPI("POST", "/v1/delegations/"+g+"/revoke", aliceKey, "").assertStatus(t, status)
		if a := s.callAPI("POST", "/v1/decisions", aliceKey, many); a.status != status && !strings.Contains(a.text, `"status":503`) {
			t.Errorf("several decisions: %d %s", a.status, a.text)
		}
		s.callAPI("POST", "/v1/definitions", aliceKey, definitions).assertStatus(t, status)
		for _, end := range paths[1:] {
			s.callAPI("POST", path+end, posts[end], bodies[end]).assertStatus(t, status)
		}
	}
	broken(503)
	for range 400 {
		s.callAPI("GET", "/v1/proposals", agentKey, "")
		s.callAPI("GET", "/v1/proposals", aliceKey, "")
	}
	broken(429)
	s.callAPI("POST", permissionPath, agentKey, ping).assertStatus(t, 429)
}

// keptButGone simulates a crash after an idempotency key was stored and before its
// proposal was stored. It checks that the stored answer is not returned.
func keptButGone(t *testing.T, s *service) {
	t.Helper()
	body := `{"tool":"cancel_y","arguments":{}}`
	s.callAPI("POST", "/v1/proposals", agentKey, body, "Idempotency-Key", "gone").assertStatus(t, 202)
	db := openRaw(t, s.file)
	if _, err := db.Exec(`UPDATE idempotency SET ids = '["p_never"]' WHERE key = 'gone'`); err != nil {
		t.Fatal(err)
	}
	s.callAPI("POST", "/v1/proposals", agentKey, body, "Idempotency-Key", "gone").assertStatus(t, 409)
}
