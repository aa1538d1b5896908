//go:build !js

package gate_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
	"github.com/boundcheck/boundcheck/worker/gate"
)

// openOperations are the operations whose body is not the gate's own, so that members
// which the gate does not know must pass. Each has the reason. The proxies for models
// and MCP servers have no operation in the description: their bodies belong to the model
// and to the server.
var openOperations = map[string]string{
	"POST /v1/hooks/claude-code": "the body is Claude Code's message, which grows with its versions; a refusal has status 200 and denies",

	"POST /v1/hooks/claude-code/permission": "the body is a message of MCP, which grows with its revisions; no unknown member decides",
}

// testOperation is one operation of the description with a request that it reads.
type testOperation struct {
	method, path, key string
	bodies            []any // decoded JSON; none for an operation without a body
	parameters        url.Values
}

func (o *testOperation) name() string { return o.method + " " + o.path }

// strictOperations returns every operation of the description. The samples of bodies and
// parameters are written by hand, and TestStrict checks that they are read.
func strictOperations(t *testing.T) []*testOperation {
	t.Helper()
	decode := func(text string) (v any) {
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			t.Fatal(err)
		}
		return v
	}
	const call = `{"tool":"get_x","arguments":{"a":{"b":[{"c":1}]}},"tools":[{"name":"get_x","other":{"x":1}}],"messages":[{"role":"user","content":"hi","more":{}}],"session":"s","policy":"p","elsewhere":false}`
	bodies := map[string][]string{
		"POST /v1/proposals": {
			call, `[` + call + `,` + call + `]`, `{"calls":[` + call + `,{"tool":"get_y","arguments":{}}],"session":"s","tools":[],"policy":"p","messages":[]}`,
			`{"action":{"name":"get_x","arguments":{"a":1}},"session":"s"}`, `{"id":"call_1","type":"function","function":{"name":"get_x","arguments":"{\"a\":1}"}}`,
			`[{"function":{"name":"get_x","arguments":{}}},{"action":{"name":"get_y","arguments":{}}}]`,
		},
		"POST /v1/proposals/{id}/decision": {`{"approve":true,"digest":"sha256:0","reason":"r","acknowledge":true,"bypass":false,"for":"bob"}`},
		"POST /v1/remembered":              {`{"id":"p_none","digest":"sha256:0","until":"2027-01-01T00:00:00Z","when":{"a":{"any":true}}}`},
		"POST /v1/remembered/{id}/revoke":  {`{"reason":"r"}`, `{}`},
		"POST /v1/delegations":             {`{"to":"alice","until":"2027-01-01T00:00:00Z"}`},
		"POST /v1/delegations/{id}/revoke": {`{"reason":"r"}`, `{}`},
		"POST /v1/decisions":               {`{"decisions":[{"id":"p_none","approve":true,"digest":"sha256:0","reason":"r","acknowledge":true,"bypass":false},{"id":"p_none","approve":false,"digest":"sha256:0"}]}`},
		"POST /v1/proposals/{id}/edit":     {`{"digest":"sha256:0","arguments":{"a":{"b":[1]}},"reason":"r"}`},
		"POST /v1/proposals/{id}/answer":   {`{"digest":"sha256:0","answer":"ask first"}`},
		"POST /v1/proposals/{id}/revoke":   {`{"reason":"r"}`, `{}`},
		"POST /v1/proposals/{id}/claim":    {`{"digest":"sha256:0"}`, `{}`},
		"POST /v1/proposals/{id}/outcome":  {`{"grant":"g","status":"executed","detail":"d","result":"{}"}`},
		"POST /v1/proposals/{id}/cancel":   {`{}`},
		"POST /v1/freezes":                 {`{"frozen":true,"agent":"bot2","reason":"r"}`},
		"POST /v1/definitions":             {`{"server":"shop","tool":"frob","hash":"h"}`},
		"POST /v1/hooks/claude-code":       {`{"hook_event_name":"PreToolUse","tool_name":"get_x","tool_input":{"a":1},"session_id":"s"}`},

		"POST /v1/hooks/claude-code/permission": {`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"approve","arguments":{"tool_name":"get_x","input":{"a":1},"tool_use_id":"u"}}}`},
	}
	values := map[string]string{"limit": "5", "after": "", "digest": "d", "session": "s", "server": "shop", "wait": "0",
		"state": "denied", "tool": "x", "agent": "bot", "person": "alice", "since": "2026-01-01", "until": "2027-01-01T00:00:00Z", "text": "x"}
	var out []*testOperation
	for path, item := range gate.Description()["paths"].(map[string]any) {
		for method, described := range item.(map[string]any) {
			o := &testOperation{method: strings.ToUpper(method), path: path, key: aliceKey, parameters: url.Values{}}
			if described.(map[string]any)["summary"] == "Propose a call, or an array of calls made in one turn" || strings.HasSuffix(path, "/claim") || strings.HasSuffix(path, "/outcome") ||
				strings.HasSuffix(path, "/cancel") || strings.Contains(path, "claude-code") {
				o.key = agentKey
			}
			parameters, _ := described.(map[string]any)["parameters"].([]map[string]any)
			for _, p := range parameters {
				if name := p["name"].(string); p["in"] == "query" {
					if _, known := values[name]; !known {
						t.Errorf("no sample of the parameter %s", name)
					}
					o.parameters.Set(name, values[name])
				}
			}
			for _, text := range bodies[o.name()] {
				o.bodies = append(o.bodies, decode(text))
			}
			if (o.method == "POST") != (len(o.bodies) > 0) {
				t.Errorf("%s: %d samples of its body", o.name(), len(o.bodies))
			}
			out = append(out, o)
		}
	}
	slices.SortFunc(out, func(a, b *testOperation) int { return strings.Compare(a.name(), b.name()) })
	return out
}

// closedObjects returns every object of a body that must be closed. The data of others
// (arguments, tools, messages, conditions on arguments) is left out.
func closedObjects(v any) []map[string]any {
	return objectsIn(v, "arguments", "tools", "messages", "when")
}

// anyObjects returns every object of a body, also in the data of others.
func anyObjects(v any) []map[string]any { return objectsIn(v) }

// objectsIn returns every object of a body that is not inside a member with one of the names.
func objectsIn(v any, without ...string) (out []map[string]any) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			out = append(out, objectsIn(e, without...)...)
		}
	case map[string]any:
		out = append(out, v)
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if !slices.Contains(without, name) {
				out = append(out, objectsIn(v[name], without...)...)
			}
		}
	}
	return out
}

// extraNames are names of one member or parameter too many: those of other programs'
// decisions, names of the gate's answers, and others that programs mistake for known ones.
var extraNames = []string{"arguments", "edited", "remember", "updatedInput", "state", "approved", "table", "tabel", "Approve", "approve ", "digest\u0000", "", "__proto__", "constructor",
	"x.y", "tool[]", "reason\u200b", "sess\u0131on", "callz", strings.Repeat("n", 3000), "0", "$ref", "additionalProperties", "id", "name", "tool", "approve", "wait", "limit", "server"}

// storedRows counts what requests may store: proposals, freezes and audit entries.
func (s *service) storedRows() (n int) {
	db := openRaw(s.t, s.file)
	defer db.Close()
	if err := db.QueryRow(`SELECT (SELECT count(*) FROM proposals) + (SELECT count(*) FROM freezes) + (SELECT count(*) FROM audit) + (SELECT count(*) FROM idempotency)`).Scan(&n); err != nil {
		s.t.Fatal(err)
	}
	return n
}

// sendTo sends a request to an operation, about the given proposal, with a body as text.
func (s *service) sendTo(o *testOperation, id, query, body string) answer {
	s.t.Helper()
	path := strings.ReplaceAll(o.path, "{id}", id)
	if query != "" {
		path += "?" + query
	}
	return s.callAPI(o.method, path, o.key, body)
}

// wantRefused checks that an answer refuses the request and says why. A hook gets status
// 200 with a denial.
func wantRefused(t *testing.T, o *testOperation, a answer, about, part string) {
	t.Helper()
	hook := o.path == "/v1/hooks/claude-code"
	if !hook && a.status != 400 || hook && (a.status != 200 || !strings.Contains(a.text, `"permissionDecision":"deny"`)) || !strings.Contains(a.text, part) {
		t.Errorf("%s with %.100q: %d %s; want %q", o.name(), about, a.status, a.text, part)
	}
}

// TestStrict checks every operation of the description with one member too many, one
// parameter too many, and each of them twice. The answer must be 400, and nothing may be
// stored. The same request without the addition must be read.
func TestStrict(t *testing.T) {
	s := newTestService(t, "")
	id, _ := s.proposeHeld("cancel_x", `{"a":1}`)
	before := s.storedRows()
	sent := 0
	for _, o := range strictOperations(t) {
		bodies := o.bodies
		if len(bodies) == 0 {
			bodies = []any{nil}
		}
		for _, body := range bodies {
			text := ""
			if body != nil {
				b, _ := json.Marshal(body)
				text = string(b)
			}
			for _, name := range extraNames {
				if !o.parameters.Has(name) {
					wantRefused(t, o, s.sendTo(o, id, url.Values{name: {"1"}}.Encode(), text), name, "unknown parameter")
					sent++
				}
			}
			for name := range o.parameters {
				wantRefused(t, o, s.sendTo(o, id, url.Values{name: {o.parameters.Get(name), "x"}}.Encode(), text), name, "appears twice")
			}
			wantRefused(t, o, s.sendTo(o, id, "a=%zz", text), "a=%zz", "cannot read the parameters")
			wantRefused(t, o, s.sendTo(o, id, "a;b", text), "a;b", "cannot read the parameters")
			sent += s.sendExtras(o, id, body)
		}
	}
	if after := s.storedRows(); after != before {
		t.Errorf("%d rows were stored by refused requests", after-before)
	}
	if sent < 1000 {
		t.Errorf("only %d requests with one name too many", sent)
	}
}

// sendExtras sends the body with one member too many, in each of its closed objects, and
// with one member twice, in each of its objects. It returns the number of requests.
func (s *service) sendExtras(o *testOperation, id string, body any) (sent int) {
	for _, object := range closedObjects(body) {
		for _, name := range extraNames {
			if _, known := object[name]; known || openOperations[o.name()] != "" || isKnownHere(object, name) {
				continue
			}
			object[name] = map[string]any{"x": 1}
			text, _ := json.Marshal(body)
			delete(object, name)
			wantRefused(s.t.(*testing.T), o, s.sendTo(o, id, "", string(text)), name, "unknown member")
			sent++
		}
	}
	for _, object := range anyObjects(body) {
		for name, value := range maps.Clone(object) {
			object["@twice@"] = value
			text, _ := json.Marshal(body)
			delete(object, "@twice@")
			quoted, _ := json.Marshal(name)
			twice := strings.Replace(string(text), `"@twice@"`, string(quoted), 1)
			wantRefused(s.t.(*testing.T), o, s.sendTo(o, id, "", twice), name, "appears twice")
			sent++
		}
	}
	return sent
}

// isKnownHere reports whether an object may have a member that its sample lacks.
func isKnownHere(object map[string]any, name string) bool {
	_, tool := object["tool"]
	_, action := object["action"]
	_, function := object["function"]
	_, inner := object["name"]
	switch {
	case inner:
		return false
	case function:
		return slices.Contains([]string{"id", "type"}, name)
	case len(object) == 0:
		return slices.Contains([]string{"reason", "digest"}, name)
	}
	return (tool || action) && name == "tools" // the other names of a call are in no list
}

// TestStrictSamples checks that the samples of TestStrict are read. If one were refused
// for another reason, TestStrict would prove nothing.
func TestStrictSamples(t *testing.T) {
	s := newTestService(t, "")
	id, _ := s.proposeHeld("cancel_x", `{"a":1}`)
	for _, o := range strictOperations(t) {
		bodies := o.bodies
		if len(bodies) == 0 {
			bodies = []any{nil}
		}
		for _, body := range bodies {
			text := ""
			if body != nil {
				b, _ := json.Marshal(body)
				text = string(b)
			}
			if o.path == "/v1/events" {
				continue // TestEvents reads the stream
			}
			if a := s.sendTo(o, id, o.parameters.Encode(), text); a.status == 400 || strings.Contains(a.text, `"permissionDecision":"deny"`) {
				t.Errorf("%s: %d %s", o.name(), a.status, a.text)
			}
		}
	}
}

// TestStrictRandom sends random JSON bodies made from known and unknown names. A body
// that is answered with anything but 400 must have only known members, each once, by a
// second opinion: the standard library's decoder, with a list of names of its own.
func TestStrictRandom(t *testing.T) {
	s := newTestService(t, "")
	id, digest := s.proposeHeld("cancel_x", `{"a":1}`)
	known := map[string][]string{
		"/decision": {"approve", "digest", "reason", "acknowledge", "bypass"}, "/claim": {"digest"}, "/revoke": {"reason"}, "/edit": {"digest", "arguments", "reason"}, "/answer": {"digest", "answer"},
		"/outcome": {"grant", "status", "detail", "result"}, "/cancel": {},
	}
	r := rand.New(rand.NewPCG(42, 7))
	names := append(slices.Clone(extraNames[:12]), "approve", "digest", "reason", "acknowledge", "grant", "status", "detail", "result", "answer")
	values := []string{`true`, `false`, `null`, `"sha256:1"`, `"executed"`, `{}`, `[1]`, `"` + digest[:20] + `"`}
	refused := 0
	for range drawn.Cases(600) {
		end := []string{"/decision", "/claim", "/revoke", "/outcome", "/cancel", "/edit", "/answer"}[r.IntN(7)]
		key := agentKey
		if end == "/decision" || end == "/revoke" || end == "/edit" || end == "/answer" {
			key = aliceKey
		}
		var members []string
		fine, seen := true, map[string]bool{}
		for range r.IntN(4) {
			name := names[r.IntN(len(names))]
			if pool := known[end]; r.IntN(4) > 0 && len(pool) > 0 {
				name = pool[r.IntN(len(pool))]
			}
			fine = fine && slices.Contains(known[end], name) && !seen[name]
			seen[name] = true
			quoted, _ := json.Marshal(name)
			if r.IntN(5) == 0 && name != "" { // the same name, spelled with an escape
				quoted = []byte(fmt.Sprintf(`"\u%04x%s`, name[0], quoted[len(quoted)-len(name):]))
				if json.Unmarshal(quoted, new(string)) != nil {
					quoted, _ = json.Marshal(name)
				}
			}
			members = append(members, string(quoted)+":"+values[r.IntN(len(values))])
		}
		body := "{" + strings.Join(members, ",") + "}"
		a := s.callAPI("POST", "/v1/proposals/"+id+end, key, body)
		if a.status == 400 {
			refused++
		} else if !fine {
			t.Errorf("%s %s: %d %s", end, body, a.status, a.text)
		}
		if a.status == 200 { // a cancel or a denial settles the question; take another
			id, _ = s.proposeHeld("cancel_x", fmt.Sprintf(`{"n":%d}`, r.IntN(1<<30)))
		}
	}
	if refused < 200 || refused > 590 {
		t.Errorf("%d of 600 were refused", refused)
	}
}

// TestStrictTexts checks the words of the errors: the nearest known name, the known
// names, and the place.
func TestStrictTexts(t *testing.T) {
	s := newTestService(t, "")
	check := func(path, key, body, want string) {
		t.Helper()
		method := "POST"
		if body == "" {
			method = "GET"
		}
		a := s.callAPI(method, path, key, body).assertStatus(t, 400)
		if got, _ := a.body["error"].(map[string]any)["message"].(string); got != want {
			t.Errorf("%s %s\n got %s\nwant %s", path, body, got, want)
		}
	}
	check("/v1/proposals/p_x/decision", aliceKey, `{"aprove":true}`, `unknown member "aprove"; did you mean "approve"? The known members are acknowledge, approve, bypass, digest, for, reason and seen`)
	check("/v1/proposals", agentKey, `{"calls":[{"tool":"x","arguments":{}},{"tool":"x","arguments":{},"sesion":"s"}]}`,
		`in "calls[1]", unknown member "sesion"; did you mean "session"? The known members are arguments, directory, elsewhere, messages, policy, session, tool and tools`)
	check("/v1/proposals", agentKey, `{"action":{"name":"x","arguments":{},"argumnts":{}}}`, `in "action", unknown member "argumnts"; did you mean "arguments"? The known members are arguments and name`)
	check("/v1/proposals", agentKey, `{"tool":"x","arguments":{},"messages":[{"role":"user","content":"","role":"tool"}]}`, `invalid body: in "messages[0]", the member "role" appears twice; want it once`)
	check("/v1/proposals/p_x/cancel", agentKey, `{"reason":"r"}`, `unknown member "reason": this request takes no members`)
	check("/v1/proposals?state=denied&tool=x", aliceKey, "", `unknown parameter "state". The known parameters are digest, session, limit and after`)
	check("/v1/proposals/p_x?Wait=5", aliceKey, "", `unknown parameter "Wait"; did you mean "wait"? The known parameters are wait`)
	check("/v1/audit/head?at=1", aliceKey, "", `unknown parameter "at": this request takes no parameters`)
	r := s.callAPI("GET", "/v1/proposals", aliceKey, `{"state":"denied"}`).assertStatus(t, 400, "takes no body")
	if r.status != 400 {
		t.Error(r.text)
	}
}
