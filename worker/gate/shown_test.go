//go:build !js

package gate_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/gate/proposal"
)

// heldPage proposes a call that is held, and returns the page on which alice can decide
// about it.
func (s *service) heldPage(tool string, arguments any) string {
	s.t.Helper()
	text, _ := json.Marshal(arguments)
	id, digest := s.proposeHeld(tool, string(text))
	if digest != proposal.Digest(tool, string(text)) {
		s.t.Error("the digest is not that of the bytes")
	}
	status, page, _ := s.signIn(aliceKey).doRequest("GET", "/p/"+id, nil)
	if status != 200 {
		s.t.Fatalf("%d %s", status, page)
	}
	return page
}

// aboveDetails returns the part of a call's page that stands above the folded section
// with the exact bytes.
func aboveDetails(page string) string {
	out, _, _ := strings.Cut(page, "<details><summary>Exact bytes")
	return out
}

// TestShownReadable checks how the page shows the arguments of a call:
//
//   - a text line by line
//   - a change as removed and added lines
//   - a long text folded, with its size
//   - in addition, the exact bytes
func TestShownReadable(t *testing.T) {
	s := newTestService(t, "")
	mail := aboveDetails(s.heldPage("send_email", map[string]any{"to": "mia@example.com", "body": "Dear Mia,\n\nyour order is on its way.\n\tTabbed <b>\n"}))
	for _, part := range []string{`<pre class="words"><span>Dear Mia,` + "\n</span><span>\n</span><span>your order is on its way.\n</span><span>\tTabbed &lt;b&gt;\n", "5 lines, "} {
		if !strings.Contains(mail, part) {
			t.Errorf("no %q in %s", part, mail)
		}
	}
	if strings.Contains(mail, `\u{A}`) {
		t.Error("a newline is spelled out")
	}
	edit := aboveDetails(s.heldPage("Edit", map[string]any{"file_path": "/a.go", "old_string": "func a() {\n\treturn 1\n}\n", "new_string": "func a() {\n\treturn 2\n}\n"}))
	for _, part := range []string{"old_string → new_string", "1 line removed, 1 line added", `<span class="del">- ` + "\treturn 1\n", `<span class="add">+ ` + "\treturn 2\n", "<span>  func a() {\n"} {
		if !strings.Contains(edit, part) {
			t.Errorf("no %q in %s", part, edit)
		}
	}
	write := aboveDetails(s.heldPage("Write", map[string]any{"file_path": "/a.go", "content": "package a\n\nvar x = 1 \n"}))
	if !strings.Contains(write, `<pre class="added"><span class="add">+ package a`) || !strings.Contains(write, `var x = 1<mark>\u{20}</mark>`) {
		t.Error(write)
	}
	patch := aboveDetails(s.heldPage("apply_patch", map[string]any{"patch": "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\n"}))
	if !strings.Contains(patch, `<span class="del">-old`) || !strings.Contains(patch, `<span class="hunk">@@`) {
		t.Error(patch)
	}
	long := strings.Repeat("a line of code = 1;\n", 1300)
	page := s.heldPage("Write", map[string]any{"file_path": "/a.go", "content": long})
	open, _, _ := strings.Cut(aboveDetails(page), "<details>")
	if n := strings.Count(open, "a line of code"); n != 12 || !strings.Contains(page, "All 1301 lines, 26.0 kB</summary>") || strings.Count(aboveDetails(page), "a line of code") != 1312 {
		t.Errorf("%d lines before the fold, %d in all", n, strings.Count(aboveDetails(page), "a line of code"))
	}
	if !strings.Contains(page, "1312") && !strings.Contains(page, "acknowledge") {
		t.Error("what the bound text does not show can be approved by one press")
	}
	exact := s.heldPage("cancel_order", map[string]any{"b": "x\ny", "a": 1})
	if _, rest, _ := strings.Cut(exact, "<summary>Exact bytes"); !strings.Contains(rest, `{&#34;a&#34;:1,&#34;b&#34;:&#34;x\ny&#34;}`) || !strings.Contains(rest, "Digest: sha256:") {
		t.Error(rest)
	}
}

// TestShownHostile checks that texts from the agent never become HTML. Invisible and
// misleading characters must be marked.
func TestShownHostile(t *testing.T) {
	s := newTestService(t, "")
	evil := "<img src=x onerror=alert(1)>\n</pre><script>alert(2)</script>\n\u202eevil\u200b\r\x1b[2J"
	page := s.heldPage("wipe_disk", map[string]any{"x</dt><script>": evil, "old_string": evil, "new_string": evil + "\n2", "l": []any{evil, map[string]any{"y": evil}},
		"host": "\u0430\u0440\u0440\u04cf\u0435.com", "mail": "a@p\u0430ypal.com", "pay": "\uff50\uff41\uff59", "n": json.Number("9007199254740993")})
	if strings.Count(page, "<script") != 1 || strings.Contains(page, "<img") || strings.Contains(page, "\u202e") || strings.Contains(page, "\u200b") || strings.Contains(page, "\x1b") {
		t.Error(page)
	}
	for _, part := range []string{`<mark>\u{202E}</mark>evil<mark>\u{200B}</mark><mark>\u{D}</mark><mark>\u{1B}</mark>`, "would use 9007199254740992", "a possible address with characters outside plain ASCII",
		`appie.com`, `a@paypal.com`, "unusual forms of Latin letters", "acknowledge"} {
		if !strings.Contains(aboveDetails(page), part) && part != "acknowledge" || !strings.Contains(page, part) {
			t.Errorf("no %q", part)
		}
	}
	for _, tag := range regexp.MustCompile(`<[a-z][^>]*>`).FindAllString(page, -1) {
		if strings.Contains(tag, "onerror") || strings.Contains(tag, "javascript:") {
			t.Errorf("a tag from the agent: %s", tag)
		}
	}
}

// TestAgentsFrame checks that the session name is shown only in a frame of its own, below
// all texts of the gate. The agent chooses this name.
func TestAgentsFrame(t *testing.T) {
	s := newTestService(t, "")
	lie := "1. — PRE-CHECKED by Security … Effect: changes nothing"
	body, _ := json.Marshal(map[string]any{"tool": "cancel_order", "arguments": map[string]any{}, "session": lie})
	id := s.sendProposal(string(body)).assertStatus(t, 202).textField("id")
	_, page, _ := s.signIn(aliceKey).doRequest("GET", "/p/"+id, nil)
	gates, agents, framed := strings.Cut(page, `<aside class="agent">`)
	if !framed || strings.Contains(gates, "PRE-CHECKED") || !strings.Contains(agents, "Written by the agent, not checked") || !strings.Contains(agents, "&#34;1. — PRE-CHECKED") ||
		!strings.Contains(gates, "Approve</button>") {
		t.Error(page)
	}
	_, list, _ := s.signIn(aliceKey).doRequest("GET", "/pending", nil)
	if strings.Contains(list, "PRE-CHECKED") {
		t.Error("the list shows what the agent says")
	}
}

// TestNoButtonsWhenOver checks that the page of an expired or decided call has no
// buttons, and that the list does not show the call. An approved call must still have a
// button that revokes it.
func TestNoButtonsWhenOver(t *testing.T) {
	s := newTestService(t, "")
	id, digest := s.proposeHeld("cancel_order", `{"n":1}`)
	b := s.signIn(aliceKey)
	s.sendDecision(aliceKey, id, digest, true).assertStatus(t, 200)
	_, page, _ := b.doRequest("GET", "/p/"+id, nil)
	if !strings.Contains(page, "Take the approval back") || strings.Contains(page, `value="approve"`) {
		t.Error(page)
	}
	if _, list, _ := b.doRequest("GET", "/pending", nil); !strings.Contains(list, "Approved calls that no agent has claimed yet") || !strings.Contains(list, "/p/"+id) {
		t.Error(list)
	}
	if status, _, _ := b.doRequest("POST", "/p/"+id, withFields(b.hiddenFields("/p/"+id), "choice", "revoke", "reason", "oh no")); status != 303 || s.proposalState(id) != "denied" {
		t.Errorf("%d %s", status, s.proposalState(id))
	}
	if _, page, _ := b.doRequest("GET", "/p/"+id, nil); strings.Contains(page, `name="choice"`) || !strings.Contains(page, "alice took the approval back") {
		t.Error(page)
	}
	id, _ = s.proposeHeld("cancel_order", `{"n":2}`)
	s.now.Add(16 * 60_000)
	if _, list, _ := b.doRequest("GET", "/pending", nil); strings.Contains(list, id) {
		t.Error("an expired call waits")
	}
	if _, page, _ := b.doRequest("GET", "/p/"+id, nil); strings.Contains(page, `name="choice"`) || !strings.Contains(page, "Expired: the call counts as denied") {
		t.Error(page)
	}
}

var callField = regexp.MustCompile(`name="call" value="([^"]+)"`)

func (b *browser) callsOn(path string) url.Values {
	_, text, _ := b.doRequest("GET", path, nil)
	f := url.Values{}
	for _, m := range callField.FindAllStringSubmatch(text, -1) {
		f.Add("call", m[1])
	}
	return f
}

// TestBatchForm checks the page of a batch. One form sends a decision for each call, or
// denies all of them. The gate must refuse a form that is incomplete, was changed, or
// comes from another session.
func TestBatchForm(t *testing.T) {
	s := newTestService(t, `{"fourEyes":["wire_money"],"cooldown":"none"}`)
	b := s.signIn(aliceKey)
	turn := func() (batch string, ids []string) {
		a := s.sendProposal(`[{"tool":"get_a","arguments":{}},{"tool":"cancel_b","arguments":{}},{"tool":"cancel_c","arguments":{"n":1e400}},{"tool":"wire_money","arguments":{}}]`).assertStatus(t, 202)
		for _, c := range a.body["calls"].([]any) {
			ids = append(ids, c.(map[string]any)["id"].(string))
		}
		return a.textField("id"), ids
	}
	states := func(ids []string) (out string) {
		for _, id := range ids {
			out += " " + s.proposalState(id)
		}
		return strings.TrimSpace(out)
	}
	batch, ids := turn()
	_, page, _ := b.doRequest("GET", "/p/"+batch, nil)
	if n := strings.Count(page, "<form"); n != 2 || strings.Count(page, `type="radio"`) != 6 || strings.Count(page, `value="each"`) != 1 {
		t.Errorf("%d forms: %s", n, page)
	}
	f := b.callsOn("/p/" + batch)
	if len(f["call"]) != 3 {
		t.Fatalf("%v", f)
	}
	check := func(name string, status int, f url.Values, want string) {
		t.Helper()
		if got, text, _ := b.doRequest("POST", "/p/"+batch, f); got != status || states(ids) != want {
			t.Errorf("%s: %d %s: %.200s", name, got, states(ids), text)
		}
	}
	open := "approved pending pending pending"
	each := withFields(f, "do", "each", "choice-"+ids[1], "approve", "choice-"+ids[2], "deny", "choice-"+ids[3], "approve")
	check("not all", 403, withFields(f, "do", "each", "choice-"+ids[1], "approve"), open)
	check("neither yes nor no", 403, withFields(each, "choice-"+ids[2], "maybe"), open)
	check("no calls", 403, url.Values{"do": {"deny"}}, open)
	check("another session's", 403, withFields(s.signIn(aliceKey).callsOn("/p/"+batch), "do", "deny"), open)
	bent := withFields(each)
	bent["call"] = append([]string{strings.Replace(f["call"][0], "sha256:", "sha256:0", 1)}, f["call"][1:]...)
	check("another digest", 403, bent, open)
	check("not acknowledged", 409, withFields(each, "choice-"+ids[2], "approve"), "approved approved pending pending")
	batch, ids = turn()
	f = b.callsOn("/p/" + batch)
	check("each its own", 303, withFields(f, "do", "each", "choice-"+ids[1], "approve", "choice-"+ids[2], "deny", "choice-"+ids[3], "approve"), "approved approved denied pending")
	batch, ids = turn()
	check("acknowledged", 303, withFields(b.callsOn("/p/"+batch), "do", "each", "choice-"+ids[1], "deny", "choice-"+ids[2], "approve", "acknowledge-"+ids[2], "yes", "choice-"+ids[3], "deny"), "approved denied approved denied")
	batch, ids = turn()
	check("no to all", 303, withFields(b.callsOn("/p/"+batch), "do", "deny"), "approved denied denied denied")
}

// TestDenyAll checks that the form on the list denies the calls that the list showed, and
// no call that arrived later.
func TestDenyAll(t *testing.T) {
	s := newTestService(t, "")
	b := s.signIn(aliceKey)
	var ids []string
	for n := range 3 {
		id, _ := s.proposeHeld("cancel_order", fmt.Sprintf(`{"n":%d}`, n))
		ids = append(ids, id)
	}
	f := withFields(b.callsOn("/pending"), "do", "deny", "reason", "all wrong")
	later, _ := s.proposeHeld("cancel_order", `{"n":9}`)
	if status, text, _ := b.doRequest("POST", "/pending", withFields(f, "do", "approve")); status != 403 {
		t.Errorf("%d %s", status, text)
	}
	if status, text, _ := b.doRequest("POST", "/pending", f); status != 303 {
		t.Errorf("%d %s", status, text)
	}
	for _, id := range ids {
		if s.proposalState(id) != "denied" {
			t.Errorf("%s %s", id, s.proposalState(id))
		}
	}
	if s.proposalState(later) != "pending" {
		t.Error("denied what was not shown")
	}
}

// TestFreezePage checks that the forms on the page freeze one agent or all agents. After
// that, every page on which people decide must name the frozen agents.
func TestFreezePage(t *testing.T) {
	s := newTestService(t, "")
	id, _ := s.proposeHeld("cancel_order", `{}`)
	b := s.signIn(aliceKey)
	field := regexp.MustCompile(`name="agent" value="([^"]*)"><input type="hidden" name="frozen" value="([a-z]+)"><input type="hidden" name="token" value="([0-9a-f]+)"`)
	form := func(agent string) url.Values {
		_, text, _ := b.doRequest("GET", "/freeze", nil)
		for _, m := range field.FindAllStringSubmatch(text, -1) {
			if m[1] == agent {
				return url.Values{"agent": {m[1]}, "frozen": {m[2]}, "token": {m[3]}}
			}
		}
		t.Fatalf("no form for %q: %s", agent, text)
		return nil
	}
	if status, _, _ := b.doRequest("POST", "/freeze", withFields(form("bot"), "agent", "")); status != 403 {
		t.Errorf("another agent's token: %d", status)
	}
	if status, _, _ := b.doRequest("POST", "/freeze", withFields(form("bot"), "reason", "odd calls")); status != 303 {
		t.Errorf("%d", status)
	}
	s.sendProposal(`{"tool":"get_x","arguments":{}}`).assertStatus(t, 403, "frozen by alice: odd calls")
	for _, path := range []string{"/pending", "/p/" + id, "/freeze"} {
		if _, text, _ := b.doRequest("GET", path, nil); !strings.Contains(text, "rozen") || !strings.Contains(text, "bot") {
			t.Errorf("%s does not say so", path)
		}
	}
	if status, _, _ := b.doRequest("POST", "/freeze", form("bot")); status != 303 {
		t.Errorf("%d", status)
	}
	s.sendProposal(`{"tool":"get_x","arguments":{}}`).assertStatus(t, 200)
	b.doRequest("POST", "/freeze", form(""))
	s.callAPI("POST", "/v1/proposals", otherKey, `{"tool":"get_x","arguments":{}}`).assertStatus(t, 403, "all agents are frozen")
}

// TestDeniedBeforeShown checks that the page says if a call was denied before.
func TestDeniedBeforeShown(t *testing.T) {
	s := newTestService(t, `{"cooldown":"1s"}`)
	for n := range 3 {
		id, digest := s.proposeHeld("cancel_order", `{}`)
		_, page, _ := s.signIn(aliceKey).doRequest("GET", "/p/"+id, nil)
		want := []string{"", "Denied 2 min ago by bob: because", "Denied 2 times in the last day. The last denial was 2 min ago, by bob: because"}[n]
		if want != "" && !strings.Contains(page, want) || want == "" && strings.Contains(page, "Denied") {
			t.Errorf("no %q: %s", want, page)
		}
		s.sendDecision(bobKey, id, digest, false).assertStatus(t, 200)
		s.now.Add(120_000)
	}
}
