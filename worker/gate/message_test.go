//go:build !js

package gate_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"mime/quotedprintable"
	"net"
	"net/http"
	"net/http/httptest"
	"net/mail"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/internal/drawn"
	"github.com/boundcheck/boundcheck/internal/pace"
	"github.com/boundcheck/boundcheck/worker/gate"
	"github.com/boundcheck/boundcheck/worker/gate/notify"
)

// chat is a server that stands for Slack and Teams. A test lets it misbehave.
type chat struct {
	*httptest.Server
	mu     sync.Mutex
	posted []map[string]any // bodies, in order
	paths  []string
	answer http.HandlerFunc // instead of the right answer; nil for the right one
}

const slackToken, slackSecret = "xoxb-not-a-token", "8f742231b10e8888abcd99yyyzzz85a5"

func newChat(t *testing.T) *chat {
	c := &chat{}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body := map[string]any{}
		err := json.NewDecoder(r.Body).Decode(&body)
		if posts := strings.HasSuffix(r.URL.Path, "/chat.postMessage"); err != nil || posts != (r.Header.Get("Authorization") == "Bearer "+slackToken) {
			t.Errorf("%s: %v, Authorization %q", r.URL.Path, err, r.Header.Get("Authorization"))
		}
		c.mu.Lock()
		c.posted, c.paths = append(c.posted, body), append(c.paths, r.URL.Path)
		answer := c.answer
		c.mu.Unlock()
		if answer != nil {
			answer(w, r)
			return
		}
		io.WriteString(w, `{"ok":true,"channel":"C1","ts":"1503435956.000247"}`)
	}))
	t.Cleanup(c.Close)
	return c
}

// take returns what was posted since the last call.
func (c *chat) takePosted() (posted []map[string]any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	posted, c.posted, c.paths = c.posted, nil, nil
	return posted
}

func (c *chat) setAnswer(h http.HandlerFunc) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.answer = h
}

// withSlack lets a gate post into a channel of the chat.
func (c *chat) withSlack(t *testing.T) func(*gate.Options) {
	m, err := notify.ReadSlack("tenant=t team=T1 channel=C1 approver=alice:U1 approver=bob:U2 approver=ghost:U3 api="+c.URL+"/api", slackToken, slackSecret, http.DefaultTransport)
	if err != nil {
		t.Fatal(err)
	}
	return func(o *gate.Options) { o.Transport, o.Messengers = http.DefaultTransport, m }
}

// click is what Slack sends when somebody presses a button. A test changes it.
type click struct {
	team, home, channel, user, action, value, back, kind string

	at      int64 // seconds
	secret  string
	spoil   func(h http.Header, body string) string // after signing
	actions int
}

func (c *chat) newClick(s *service, id, digest string) click {
	return click{"T1", "T1", "C1", "U1", "approve", id + " " + digest, c.URL + "/back", "block_actions", s.now.Load() / 1000, slackSecret, nil, 1}
}

// request returns the headers and the body of a click.
func (k click) newRequest() (http.Header, string) {
	action := map[string]any{"type": "button", "action_id": k.action, "value": k.value, "action_ts": "1"}
	list := []any{}
	for range k.actions {
		list = append(list, action)
	}
	text, _ := json.Marshal(map[string]any{"type": k.kind, "user": map[string]any{"id": k.user, "username": "x", "team_id": k.home}, "team": map[string]any{"id": k.team}, "api_app_id": "A1",
		"container": map[string]any{"type": "message", "channel_id": k.channel, "message_ts": "1"}, "channel": map[string]any{"id": k.channel}, "actions": list, "response_url": k.back})
	body := url.Values{"payload": {string(text)}}.Encode()
	m := hmac.New(sha256.New, []byte(k.secret))
	fmt.Fprintf(m, "v0:%d:%s", k.at, body)
	h := http.Header{"X-Slack-Request-Timestamp": {strconv.FormatInt(k.at, 10)}, "X-Slack-Signature": {"v0=" + hex.EncodeToString(m.Sum(nil))}, "Content-Type": {"application/x-www-form-urlencoded"}}
	if k.spoil != nil {
		body = k.spoil(h, body)
	}
	return h, body
}

// sendRaw sends a request to the gate and returns the status and the cause in its log.
func (s *service) sendRaw(method, path string, h http.Header, body string) (status int, text, cause string) {
	s.t.Helper()
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Host, r.Header = strings.TrimPrefix(s.url, "http://"), h
	w := httptest.NewRecorder()
	s.gate.Logged(s.gate, func(_ context.Context, l gate.Line) {
		if l.Cause != nil {
			cause = l.Cause.Error()
		}
	}).ServeHTTP(w, r)
	return w.Code, w.Body.String(), cause
}

func (s *service) sendClick(k click) (status int, cause string) {
	s.t.Helper()
	h, body := k.newRequest()
	status, _, cause = s.sendRaw("POST", "/clicks/slack", h, body)
	return status, cause
}

// deliverAll lets the gate tell everybody what is new, and the time pass after a failure.
func (s *service) deliverAll() (err error) {
	s.t.Helper()
	err = s.gate.Deliver(s.t.Context())
	s.now.Add(3000)
	return err
}

// deliverSoon does the same to messengers that may be silent, with little patience.
func (s *service) deliverSoon(all []notify.Messenger) (err error) {
	s.t.Helper()
	o := notify.Outbox{Store: s.store, Now: s.now.Load, Patience: 300 * time.Millisecond}
	for _, m := range all {
		once := func(*machine.Record, string) (string, error) { return s.url + "/decide/x", nil }
		err = errors.Join(err, o.Deliver(s.t.Context(), notify.NewPeople(m, s.store, s.gate.Link, once, s.now.Load)))
	}
	s.now.Add(3000)
	return err
}

const messagePolicy = `{"fourEyes":["set_limit"],"edit":[{"name":"all","tool":"*","arguments":["*"],"counts":true}]}`

// TestSlackMessage checks what a message shows: the prompt of the page and two buttons, or
// only a link.
func TestSlackMessage(t *testing.T) {
	c := newChat(t)
	s := newTestService(t, messagePolicy, c.withSlack(t))
	s.deliverAll()
	id, digest := s.proposeHeld("set_price", `{"sku":"<!channel> *A* @here & <https://evil.example|ok>","note":"`+strings.Repeat("x", 20)+`\u202e"}`)
	if err := s.deliverAll(); err != nil {
		t.Fatal(err)
	}
	prompt := s.callAPI("GET", "/v1/proposals/"+id, aliceKey, "").textField("prompt")
	posted := c.takePosted()
	if len(posted) != 1 || posted[0]["channel"] != "C1" {
		t.Fatalf("%v", posted)
	}
	text, _ := json.Marshal(posted[0]["blocks"])
	var blocks []struct {
		Type     string
		Elements []struct {
			Type, Value, URL string
			ActionID         string `json:"action_id"`
			Elements         []struct{ Type, Text string }
		}
	}
	json.Unmarshal(text, &blocks)
	if len(blocks) != 3 || blocks[1].Type != "rich_text" || blocks[1].Elements[0].Type != "rich_text_preformatted" || blocks[1].Elements[0].Elements[0].Text != prompt {
		t.Fatalf("the message does not show the prompt: %s", text)
	}
	if b := blocks[2].Elements; len(b) != 3 || b[0].ActionID != "approve" || b[1].ActionID != "deny" || b[0].Value != id+" "+digest || b[1].Value != b[0].Value || b[2].URL != s.url+"/p/"+id {
		t.Errorf("%s", text)
	}
	if text, _ := json.Marshal(posted); strings.Contains(string(text), "mrkdwn") || strings.Contains(string(text), "markdown") {
		t.Errorf("Slack reads marks in %s", text)
	}
	for tool, arguments := range map[string]string{"delete_account": `{"id":"secret-7"}`, "frobnicate": `{"id":"secret-7"}`, "set_note": `{"id":"secret-7","text":"` + strings.Repeat("long ", 800) + `"}`, "set_amount": `{"id":"secret-7","n":9007199254740993}`} {
		id, _ := s.proposeHeld(tool, arguments)
		s.deliverAll()
		text, _ := json.Marshal(c.takePosted())
		if !strings.Contains(string(text), s.url+"/p/"+id) || strings.Contains(string(text), "secret-7") || strings.Contains(string(text), `"approve"`) || strings.Contains(string(text), `"value"`) {
			t.Errorf("%s: more than a link: %s", tool, text)
		}
	}
	gone, _ := s.proposeHeld("set_price", `{"sku":"B"}`)
	s.callAPI("POST", "/v1/proposals/"+gone+"/cancel", agentKey, "").assertStatus(t, 200)
	s.callAPI("POST", "/v1/proposals", spyKey, `{"tool":"set_price","arguments":{}}`).assertStatus(t, 202) // another tenant's
	s.deliverAll()
	if posted := c.takePosted(); len(posted) != 0 {
		t.Errorf("posted although nothing waits: %v", posted)
	}
}

// TestSlackMisbehaves lets Slack's server fail in each known way. The message comes later,
// and only its own gate waits.
func TestSlackMisbehaves(t *testing.T) {
	c := newChat(t)
	s := newTestService(t, messagePolicy, c.withSlack(t))
	s.deliverAll()
	stop := make(chan struct{})
	defer close(stop)
	for name, answer := range map[string]http.HandlerFunc{
		"fails":     func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(500) },
		"too often": func(w http.ResponseWriter, r *http.Request) { w.Header().Set("Retry-After", "1"); w.WriteHeader(429) },
		"says no": func(w http.ResponseWriter, r *http.Request) {
			io.WriteString(w, `{"ok":false,"error":"not_in_channel"}`)
		},
		"is no API": func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, `<html>`) },
		"redirects": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/api/chat.postMessage?again", http.StatusTemporaryRedirect)
		},
		"is silent": func(w http.ResponseWriter, r *http.Request) {
			select {
			case <-r.Context().Done():
			case <-stop:
			}
		},
	} {
		id, _ := s.proposeHeld("set_price", `{"sku":"`+name+`"}`)
		c.setAnswer(answer)
		begun := time.Now()
		err := s.deliverSoon(s.gate.Messengers)
		if err == nil || strings.Contains(err.Error(), slackToken) || time.Since(begun) > pace.Within(5*time.Second) {
			t.Errorf("%s: %v after %v", name, err, time.Since(begun))
		}
		c.setAnswer(nil)
		c.takePosted()
		s.now.Add(120_000)
		if err := s.deliverAll(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if text, _ := json.Marshal(c.takePosted()); !strings.Contains(string(text), id) {
			t.Errorf("%s: the message did not come later: %s", name, text)
		}
	}
}

// TestClicks presses buttons in every wrong way. None decides, and each is a line in the log.
// The right way decides in the name of the approver.
func TestClicks(t *testing.T) {
	c := newChat(t)
	s := newTestService(t, messagePolicy, c.withSlack(t))
	first, firstDigest := s.proposeHeld("set_price", `{"n":0}`)
	genuine := c.newClick(s, first, firstDigest)
	if status, cause := s.sendClick(genuine); status != 200 || cause != "" || s.proposalState(first) != "approved" {
		t.Fatalf("%d %s %s", status, cause, s.proposalState(first))
	}
	s.callAPI("GET", "/v1/proposals/"+first, aliceKey, "").assertStatus(t, 200, `"by":"alice"`, `"channel":"slack"`)
	if text, _ := json.Marshal(c.takePosted()); !strings.Contains(string(text), `"replace_original":true`) || !strings.Contains(string(text), "alice has approved the call of set_price") {
		t.Errorf("nobody was told: %s", text)
	}
	flip := func(at int) func(http.Header, string) string {
		return func(h http.Header, body string) string {
			b := []byte(h.Get("X-Slack-Signature"))
			b[at] ^= 1
			h.Set("X-Slack-Signature", string(b))
			return body
		}
	}
	foreign := s.callAPI("POST", "/v1/proposals", spyKey, `{"tool":"set_price","arguments":{}}`).assertStatus(t, 202)
	final, finalDigest := s.proposeHeld("delete_account", `{}`)
	edited, editedDigest := s.proposeHeld("set_price", `{"n":1}`)
	s.callAPI("POST", "/v1/proposals/"+edited+"/edit", aliceKey, `{"digest":"`+editedDigest+`","arguments":{"n":2}}`).assertStatus(t, 200)
	for _, x := range []struct {
		name, want string
		status     int
		change     func(k *click)
	}{
		{"another secret", "not that of the app", 401, func(k *click) { k.secret = strings.Repeat("x", 32) }},
		{"a wrong first digit", "not that of the app", 401, func(k *click) { k.spoil = flip(3) }},
		{"a wrong last digit", "not that of the app", 401, func(k *click) { k.spoil = flip(66) }},
		{"another version", "not that of the app", 401, func(k *click) { k.spoil = flip(1) }},
		{"unsigned", "not signed", 401, func(k *click) {
			k.spoil = func(h http.Header, body string) string { h.Del("X-Slack-Signature"); return body }
		}},
		{"two signatures", "not signed", 401, func(k *click) {
			k.spoil = func(h http.Header, body string) string { h.Add("X-Slack-Signature", "v0=00"); return body }
		}},
		{"a changed body", "not that of the app", 401, func(k *click) {
			k.spoil = func(_ http.Header, body string) string { return strings.Replace(body, "deny", "approve", 1) + "&x" }
		}},
		{"another time than was signed", "not that of the app", 401, func(k *click) {
			k.spoil = func(h http.Header, body string) string {
				h.Set("X-Slack-Request-Timestamp", strconv.FormatInt(k.at+1, 10))
				return body
			}
		}},
		{"no time", "was signed at", 401, func(k *click) {
			k.spoil = func(h http.Header, body string) string { h.Set("X-Slack-Request-Timestamp", "now"); return body }
		}},
		{"too old", "was signed at", 401, func(k *click) { k.at -= 301 }},
		{"from the future", "was signed at", 401, func(k *click) { k.at += 301 }},
		{"another workspace", "from the workspace", 401, func(k *click) { k.team = "T2" }},
		{"a guest of another workspace", "from the workspace", 401, func(k *click) { k.home = "T2" }},
		{"another channel", "from the channel", 401, func(k *click) { k.channel = "C2" }},
		{"another sort", "no click", 401, func(k *click) { k.kind = "view_submission" }},
		{"two buttons", "no click", 401, func(k *click) { k.actions = 2 }},
		{"another button", "unknown button", 401, func(k *click) { k.action = "approve_all" }},
		{"no call", "names no call", 401, func(k *click) { k.value = "p_x" }},
		{"too large", "", 413, func(k *click) { k.back += strings.Repeat("x", 70_000) }},
		{"nobody's person", "no approver", 200, func(k *click) { k.user = "U9" }},
		{"no person", "no approver", 200, func(k *click) { k.user = "" }},
		{"an approver without a key", "no approver", 200, func(k *click) { k.user = "U3" }},
		{"another digest", "digest", 200, func(k *click) { k.value = strings.Fields(k.value)[0] + " " + firstDigest }},
		{"an unknown call", "", 200, func(k *click) { k.value = "p_unknown " + firstDigest }},
		{"another tenant's call", "", 200, func(k *click) { k.value = foreign.textField("id") + " " + foreign.textField("digest") }},
		{"a call that may not be undone", "on the page only", 200, func(k *click) { k.value = final + " " + finalDigest }},
		{"a call that was edited", "refused", 200, func(k *click) { k.value = edited + " " + editedDigest }},
		{"a call that is decided", "refused", 200, func(k *click) { k.value = first + " " + firstDigest; k.action = "deny"; k.user = "U2" }},
		{"only the link", "", 200, func(k *click) { k.action = "open" }},
	} {
		id, digest := s.proposeHeld("set_price", `{"name":"`+x.name+`"}`)
		k := c.newClick(s, id, digest)
		x.change(&k)
		status, cause := s.sendClick(k)
		if status != x.status || !strings.Contains(cause, x.want) || x.want != "" && !strings.Contains(cause, "refused") {
			t.Errorf("%s: %d, the log says %q, want %d and %q", x.name, status, cause, x.status, x.want)
		}
		for id, want := range map[string]string{id: "pending", first: "approved", final: "pending", edited: "superseded"} {
			if got := s.proposalState(id); got != want {
				t.Fatalf("%s: the call is %s, want %s", x.name, got, want)
			}
		}
		if r, err := s.store.Load(t.Context(), "u", foreign.textField("id")); err != nil || r.State != machine.Pending {
			t.Fatalf("%s: another tenant's call is %s, %v", x.name, r.State, err)
		}
		if status, cause := s.sendClick(c.newClick(s, id, digest)); status != 200 || cause != "" || s.proposalState(id) != "approved" {
			t.Fatalf("after %s: the right click: %d %s", x.name, status, cause)
		}
	}
	if status, cause := s.sendClick(genuine); status != 401 || !strings.Contains(cause, "sent before") {
		t.Errorf("the same request again: %d %s", status, cause)
	}
	id, digest := s.proposeHeld("set_limit", `{}`)
	for _, k := range []struct{ user, state string }{{"U1", "pending"}, {"U1", "pending"}, {"U2", "approved"}} {
		s.now.Add(1000)
		next := c.newClick(s, id, digest)
		next.user = k.user
		if s.sendClick(next); s.proposalState(id) != k.state {
			t.Errorf("two people: after %s %s, want %s", k.user, s.proposalState(id), k.state)
		}
	}
	keys, _ := gate.ReadKeys(strings.Replace(keyFile, "t approver bob   "+bobKey, "", 1))
	if _, err := s.gate.ReloadKeys(t.Context(), keys); err != nil {
		t.Fatal(err)
	}
	id, digest = s.proposeHeld("set_price", `{"n":9}`)
	k := c.newClick(s, id, digest)
	k.user = "U2"
	if _, cause := s.sendClick(k); s.proposalState(id) != "pending" || !strings.Contains(cause, "no approver") {
		t.Errorf("a removed key: %s %s", s.proposalState(id), cause)
	}
	if status, _, _ := s.sendRaw("POST", "/clicks/other", http.Header{}, ""); status != 404 {
		t.Errorf("another service: %d", status)
	}
}

// TestClickAnswers lets the address for the answer misbehave: the decision stands, and the
// gate sends nothing elsewhere.
func TestClickAnswers(t *testing.T) {
	c := newChat(t)
	s := newTestService(t, messagePolicy, c.withSlack(t))
	for _, back := range []string{"http://169.254.169.254/latest", "https://evil.example/x", "file:///etc/passwd", "", c.URL + "@evil.example/"} {
		id, digest := s.proposeHeld("set_price", `{"back":"`+back+`"}`)
		k := c.newClick(s, id, digest)
		k.back = back
		if status, cause := s.sendClick(k); status != 200 || s.proposalState(id) != "approved" || !strings.Contains(cause, "would go to") {
			t.Errorf("%q: %d %s", back, status, cause)
		}
	}
	if posted := c.takePosted(); len(posted) != 0 {
		t.Errorf("answered %v", posted)
	}
	c.setAnswer(func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(500) })
	id, digest := s.proposeHeld("set_price", `{"n":1}`)
	if status, cause := s.sendClick(c.newClick(s, id, digest)); status != 200 || s.proposalState(id) != "approved" || !strings.Contains(cause, "500") {
		t.Errorf("%d %s", status, cause)
	}
}

// TestClicksRandom sends drawn clicks in any order, some of them again, and some after an
// edit. A call is approved exactly if a right click came before any other decision.
func TestClicksRandom(t *testing.T) {
	c := newChat(t)
	s := newTestService(t, messagePolicy, c.withSlack(t))
	random := rand.New(rand.NewPCG(3, 49))
	type call struct{ id, digest, state string }
	var calls []*call
	for i := range 12 {
		id, digest := s.proposeHeld([]string{"set_price", "set_price", "delete_account"}[random.IntN(3)], fmt.Sprintf(`{"n":%d}`, i))
		calls = append(calls, &call{id, digest, "pending"})
	}
	for i := range calls {
		if r, _ := s.store.Load(t.Context(), "t", calls[i].id); r.Why.Destructive {
			calls[i].state = "page"
		}
	}
	sent := map[string]bool{}
	approved := 0
	for range drawn.Cases(150) {
		x, y := calls[random.IntN(len(calls))], calls[random.IntN(len(calls))]
		k := c.newClick(s, x.id, x.digest)
		right := true
		spoil := func(chance int, fn func()) {
			if random.IntN(chance) == 0 {
				right = false
				fn()
			}
		}
		spoil(4, func() { k.secret = "another secret of this app" })
		spoil(6, func() { k.user = []string{"U3", "U9", ""}[random.IntN(3)] })
		spoil(6, func() { k.at -= 400 })
		spoil(6, func() { k.channel = "C2" })
		if x != y {
			spoil(3, func() { k.value = x.id + " " + y.digest })
		}
		if random.IntN(6) == 0 {
			k.action = "deny"
		}
		if random.IntN(3) == 0 {
			s.now.Add(int64(random.IntN(3000)))
		}
		h, body := k.newRequest()
		again := sent[h.Get("X-Slack-Signature")]
		sent[h.Get("X-Slack-Signature")] = true
		if right && !again && x.state == "pending" {
			if x.state = "approved"; k.action == "deny" {
				x.state = "denied"
			}
			approved++
		}
		s.sendRaw("POST", "/clicks/slack", h, body)
		for _, x := range calls {
			want := strings.Replace(x.state, "page", "pending", 1)
			if got := s.proposalState(x.id); got != want {
				t.Fatalf("%+v made the call %s, want %s", k, got, want)
			}
		}
	}
	if approved < 3 {
		t.Errorf("only %d calls were decided", approved)
	}
}

// TestTeams checks that a card has the prompt and only a link, and that the address of the
// workflow is in no error.
func TestTeams(t *testing.T) {
	c := newChat(t)
	m, err := notify.ReadTeams("t="+c.URL+"/flow?sig=hush", http.DefaultTransport)
	if err != nil {
		t.Fatal(err)
	}
	s := newTestService(t, messagePolicy, func(o *gate.Options) { o.Transport, o.Messengers = http.DefaultTransport, m })
	s.deliverAll()
	id, _ := s.proposeHeld("set_price", `{"note":"**a**\n\n[x](https://evil.example)"}`)
	s.deliverAll()
	prompt := s.callAPI("GET", "/v1/proposals/"+id, aliceKey, "").textField("prompt")
	text, _ := json.Marshal(c.takePosted())
	var posted []struct {
		Attachments []struct {
			Content struct {
				Body    []struct{ Inlines []struct{ Text, Type string } }
				Actions []struct{ Type, URL string }
			}
		}
	}
	json.Unmarshal(text, &posted)
	card := posted[0].Attachments[0].Content
	if len(card.Actions) != 1 || card.Actions[0].Type != "Action.OpenUrl" || card.Actions[0].URL != s.url+"/p/"+id || strings.Contains(string(text), "TextBlock\",") {
		t.Errorf("%s", text)
	}
	shown := ""
	for _, b := range card.Body[1:] {
		shown += strings.Replace(b.Inlines[0].Text, " ", "", map[bool]int{true: 1}[b.Inlines[0].Text == " "]) + "\n"
	}
	if strings.TrimSuffix(shown, "\n") != strings.TrimSuffix(prompt, "\n") {
		t.Errorf("the card shows %q, want %q", shown, prompt)
	}
	s.proposeHeld("delete_account", `{"id":"secret-7"}`)
	s.deliverAll()
	if text, _ := json.Marshal(c.takePosted()); strings.Contains(string(text), "secret-7") {
		t.Errorf("more than a link: %s", text)
	}
	c.Close()
	s.proposeHeld("set_price", `{}`)
	if err := s.deliverAll(); err == nil || strings.Contains(err.Error(), "hush") {
		t.Errorf("%v", err)
	}
	if _, err := notify.ReadTeams("t=http://flow.example/x?sig=hush", nil); err == nil || strings.Contains(err.Error(), "hush") {
		t.Errorf("%v", err)
	}
}

// TestOnlyALink draws calls that perhaps cannot be undone, whose effect is not known, that hold a secret by its name or its form,
// at any depth and in any spelling, and plain ones, for Slack, Teams and mail at once: of the first three a message has no value, no
// button and no link that decides; of the last it has the prompt.
func TestOnlyALink(t *testing.T) {
	slack, teams, p := newChat(t), newChat(t), newPost(t)
	cards, err := notify.ReadTeams("t="+teams.URL+"/flow?sig=hush", http.DefaultTransport)
	if err != nil {
		t.Fatal(err)
	}
	s := newTestService(t, messagePolicy, slack.withSlack(t), func(o *gate.Options) {
		all := append(o.Messengers, cards...)
		p.withMail(t)(o)
		o.Messengers = append(all, o.Messengers...)
	})
	s.deliverAll()
	random := rand.New(rand.NewPCG(49, 31))
	pick := func(all ...string) string { return all[random.IntN(len(all))] }
	shown := 0
	for n := range drawn.Cases(40) {
		mark := fmt.Sprintf("hush%d", n)
		tool, name, value, link := pick("set_price", "update_note"), pick("sku", "note", "id"), mark, false
		switch random.IntN(5) {
		case 0:
			tool, link = pick("delete_account", "drop_table", "purge_cache", "wipe_disk"), true
		case 1:
			tool, link = pick("frobnicate", "zork"), true
		case 2:
			name, link = pick("password", "api_key", "apiKey", "accessToken", "DB_PASSWORD", "Authorization", `pass\u0077ord`), true
		case 3:
			value, link = pick("ghp_", "sk-", "AKIA", "xoxb-", `\u0067hp_`)+"0123456789abc"+mark, true
		case 4:
			value = pick(mark, mark+" 8b7e1c2a-77aa-4f0e-9d3c-0123456789ab", "a note of "+mark)
		}
		arguments := fmt.Sprintf(`{"%s":"%s"}`, name, value)
		for range random.IntN(3) {
			arguments = pick(`{"set":`+arguments+`}`, `{"rows":[{"n":1},`+arguments+`]}`)
		}
		id, _ := s.proposeHeld(tool, arguments)
		if err := s.deliverAll(); err != nil {
			t.Fatal(err)
		}
		one, _ := json.Marshal(slack.takePosted())
		two, _ := json.Marshal(teams.takePosted())
		letters := p.takeLetters()
		for where, text := range map[string]string{"slack": string(one), "teams": string(two), "mail": letters["alice@example.com"]} {
			if (where != "mail" || link) && !strings.Contains(text, s.url+"/p/"+id) || strings.Contains(text, mark) == link {
				t.Fatalf("%s of %s %s: only a link is %v: %s", where, tool, arguments, link, text)
			}
			if decides := strings.Contains(text, `"value"`) || decideLink.MatchString(text); where != "teams" && decides == link {
				t.Fatalf("%s of %s %s: it decides: %v: %s", where, tool, arguments, decides, text)
			}
		}
		if !link {
			shown++
		}
	}
	if shown == 0 {
		t.Error("no message had a prompt")
	}
}

// post is a mail server. A test lets it misbehave by an answer for the verb of a command.
type post struct {
	net.Listener
	mu      sync.Mutex
	letters []*mail.Message
	bodies  []string
	answers map[string]string // "" closes the connection, "wait" says nothing
}

func newPost(t *testing.T) *post {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &post{Listener: l}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go p.serveConn(conn)
		}
	}()
	return p
}

func (p *post) serveConn(conn net.Conn) {
	defer conn.Close()
	r := bufio.NewReader(conn)
	say := func(verb, line string) bool {
		p.mu.Lock()
		other, has := p.answers[verb]
		p.mu.Unlock()
		if has && other == "wait" {
			io.Copy(io.Discard, r)
			return false
		}
		if has {
			line = other
		}
		if line != "" {
			fmt.Fprintf(conn, "%s\r\n", line)
		}
		return line != "" && !has
	}
	if !say("", "220 post.example") {
		return
	}
	to := ""
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return
		}
		verb := strings.ToUpper(strings.Fields(line + " x")[0])
		answer := "250 ok"
		switch verb {
		case "RCPT":
			to = strings.Trim(strings.TrimSpace(line[len("RCPT TO:"):]), "<>")
		case "DATA":
			answer = "354 go on"
		case "QUIT":
			say(verb, "221 bye")
			return
		}
		if !say(verb, answer) {
			return
		}
		if verb != "DATA" {
			continue
		}
		var b bytes.Buffer
		for {
			line, err := r.ReadString('\n')
			if err != nil {
				return
			}
			if line == ".\r\n" {
				break
			}
			b.WriteString(strings.TrimPrefix(line, "."))
		}
		if !say(".", "250 taken") {
			return
		}
		m, err := mail.ReadMessage(&b)
		if err != nil {
			panic(err)
		}
		m.Header["X-Rcpt"] = []string{to}
		body, _ := io.ReadAll(quotedprintable.NewReader(m.Body))
		p.mu.Lock()
		p.letters, p.bodies = append(p.letters, m), append(p.bodies, strings.ReplaceAll(string(body), "\r\n", "\n"))
		p.mu.Unlock()
	}
}

func (p *post) setAnswers(answers map[string]string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.answers = answers
}

// takeLetters returns the texts of the letters by their receivers, since the last call.
func (p *post) takeLetters() map[string]string {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := map[string]string{}
	for i, m := range p.letters {
		all[m.Header.Get("X-Rcpt")] += p.bodies[i]
	}
	p.letters, p.bodies = nil, nil
	return all
}

func (p *post) withMail(t *testing.T) func(*gate.Options) {
	m, err := notify.NewMail("server=smtp://"+p.Addr().String()+" from=gate@example.com tenant=t approver=alice:alice@example.com approver=bob:bob@example.com", "")
	if err != nil {
		t.Fatal(err)
	}
	return func(o *gate.Options) { o.Transport, o.Messengers = http.DefaultTransport, m }
}

var decideLink = regexp.MustCompile(`http://127\.0\.0\.1:\d+(/decide/\S+)`)

// mailedLink proposes a call and returns the link in the letter to an approver.
func (s *service) mailedLink(p *post, who, tool, arguments string) (id, digest, link string) {
	s.t.Helper()
	id, digest = s.proposeHeld(tool, arguments)
	if err := s.deliverAll(); err != nil {
		s.t.Fatal(err)
	}
	letters := p.takeLetters()
	m := decideLink.FindStringSubmatch(letters[who+"@example.com"])
	if m == nil {
		s.t.Fatalf("no link in %q", letters)
	}
	return id, digest, m[1]
}

// decideWith opens a link and presses a button. A change changes the form before.
func (s *service) decideWith(link, choice string, change ...func(url.Values, http.Header)) (status int, text, cause string) {
	s.t.Helper()
	_, page, _ := s.sendRaw("GET", link, http.Header{}, "")
	form := url.Values{"choice": {choice}, "reason": {"by letter"}}
	if m := regexp.MustCompile(`name="token" value="([^"]+)"`).FindStringSubmatch(page); m != nil {
		form.Set("token", m[1])
	}
	h := http.Header{"Origin": {s.url}, "Content-Type": {"application/x-www-form-urlencoded"}}
	for _, c := range change {
		c(form, h)
	}
	return s.sendRaw("POST", link, h, form.Encode())
}

// TestLetters checks what a letter has, and that its link decides its own call once, in the
// name of its receiver.
func TestLetters(t *testing.T) {
	p := newPost(t)
	s := newTestService(t, messagePolicy, p.withMail(t))
	s.deliverAll()
	id, _ := s.proposeHeld("set_price", `{"sku":"ü\r\n.\r\nSubject: x","n":1}`)
	if err := s.deliverAll(); err != nil {
		t.Fatal(err)
	}
	p.mu.Lock()
	first := p.letters[0]
	p.mu.Unlock()
	if len(first.Header["Subject"]) != 1 || first.Header.Get("Subject") != "A call of set_price waits for a decision" || first.Header.Get("From") != "<gate@example.com>" {
		t.Errorf("%v", first.Header)
	}
	prompt := s.callAPI("GET", "/v1/proposals/"+id, aliceKey, "").textField("prompt")
	letters := p.takeLetters()
	a, b := decideLink.FindStringSubmatch(letters["alice@example.com"]), decideLink.FindStringSubmatch(letters["bob@example.com"])
	if len(letters) != 2 || a == nil || b == nil || a[1] == b[1] || !strings.Contains(letters["alice@example.com"], prompt) {
		t.Fatalf("%q", letters)
	}
	for range 3 {
		status, page, _ := s.sendRaw("GET", a[1], http.Header{}, "")
		if status != 200 || !strings.Contains(page, "Decide as alice") || !strings.Contains(page, "set_price") || strings.Contains(page, "<script") || strings.Contains(page, "Set-Cookie") || s.proposalState(id) != "pending" {
			t.Fatalf("%d %s", status, page)
		}
	}
	if status, _, _ := s.decideWith(a[1], "approve", func(_ url.Values, h http.Header) { h.Set("Origin", "https://evil.example") }); status != 403 || s.proposalState(id) != "pending" {
		t.Errorf("another site posts the form: %d", status)
	}
	if status, _, _ := s.decideWith(a[1], "approve", func(f url.Values, _ http.Header) { f.Set("token", "x") }); status != 403 || s.proposalState(id) != "pending" {
		t.Errorf("a form that was not shown: %d", status)
	}
	if status, _, _ := s.decideWith(a[1], "revoke"); status != 403 || s.proposalState(id) != "pending" {
		t.Errorf("another choice: %d", status)
	}
	if status, text, cause := s.decideWith(a[1], "approve"); status != 200 || s.proposalState(id) != "approved" || cause != "" || !strings.Contains(text, "alice has approved") {
		t.Fatalf("%d %s %s", status, cause, text)
	}
	s.callAPI("GET", "/v1/proposals/"+id, aliceKey, "").assertStatus(t, 200, `"by":"alice"`, `"channel":"mail"`, `"reason":"by letter"`)
	if status, _, _ := s.decideWith(a[1], "deny"); status != 403 || s.proposalState(id) != "approved" {
		t.Errorf("the link again: %d %s", status, s.proposalState(id))
	}
	if status, _, _ := s.decideWith(b[1], "deny"); status != 403 || s.proposalState(id) != "approved" {
		t.Errorf("another's link after the decision: %d %s", status, s.proposalState(id))
	}
	if status, _, _ := s.sendRaw("GET", "/pending", http.Header{}, ""); status != 401 {
		t.Errorf("a link signs in: %d", status)
	}
	final, _ := s.proposeHeld("delete_account", `{"id":"secret-7"}`)
	s.deliverAll()
	if text := p.takeLetters()["alice@example.com"]; strings.Contains(text, "secret-7") || strings.Contains(text, "/decide/") || !strings.Contains(text, "/p/"+final) {
		t.Errorf("more than a link: %s", text)
	}
	s.callAPI("POST", "/v1/proposals", otherKey, `{"tool":"set_price","arguments":{"n":7}}`).assertStatus(t, 202) // only alice decides
	s.deliverAll()
	if letters := p.takeLetters(); len(letters) != 1 || letters["alice@example.com"] == "" {
		t.Errorf("%q", letters)
	}
}

// TestLinksEnd checks that a link ends with an edit, its time, a cancelled call and its
// approver's key, and that no changed link works.
func TestLinksEnd(t *testing.T) {
	p := newPost(t)
	s := newTestService(t, messagePolicy, p.withMail(t))
	s.deliverAll()
	check := func(name, id, link, state string) {
		t.Helper()
		status, page, _ := s.sendRaw("GET", link, http.Header{}, "")
		posted, _, _ := s.decideWith(link, "approve")
		if status != 403 || !strings.Contains(page, "does not wait any more") || posted != 403 || s.proposalState(id) != state {
			t.Errorf("%s: %d %d, the call is %s", name, status, posted, s.proposalState(id))
		}
	}
	id, digest, link := s.mailedLink(p, "bob", "set_price", `{"n":1}`)
	_, page, _ := s.sendRaw("GET", link, http.Header{}, "")
	token := regexp.MustCompile(`name="token" value="([^"]+)"`).FindStringSubmatch(page)[1]
	s.callAPI("POST", "/v1/proposals/"+id+"/edit", aliceKey, `{"digest":"`+digest+`","arguments":{"n":2}}`).assertStatus(t, 200)
	if status, _, _ := s.decideWith(link, "approve", func(f url.Values, _ http.Header) { f.Set("token", token) }); status != 409 || s.proposalState(id) != "superseded" {
		t.Errorf("a form from before the edit: %d %s", status, s.proposalState(id))
	}
	check("edited", id, link, "superseded")
	s.deliverAll()
	p.takeLetters()
	id, _, link = s.mailedLink(p, "bob", "set_price", `{"n":3}`)
	s.callAPI("POST", "/v1/proposals/"+id+"/cancel", agentKey, "").assertStatus(t, 200)
	check("cancelled", id, link, "cancelled")
	id, _, link = s.mailedLink(p, "bob", "set_price", `{"n":4}`)
	random := rand.New(rand.NewPCG(1, 49))
	for range 300 {
		i := len("/decide/") + random.IntN(len(link)-len("/decide/"))
		bad := link[:i] + string("abcXYZ019-_"[random.IntN(11)]) + link[i+1:]
		if status, _, _ := s.sendRaw("GET", bad, http.Header{}, ""); bad != link && status == 200 {
			t.Fatalf("a changed link opens: %s", bad)
		}
	}
	s.now.Add(16 * 60_000)
	check("expired", id, link, "expired")
	id, _, link = s.mailedLink(p, "bob", "set_price", `{"n":5}`)
	keys, _ := gate.ReadKeys(strings.Replace(keyFile, bobKey, bobKey+"-new", 1))
	if _, err := s.gate.ReloadKeys(t.Context(), keys); err != nil {
		t.Fatal(err)
	}
	check("another key of the approver", id, link, "pending")
	id, _, link = s.mailedLink(p, "bob", "set_price", `{"n":6}`)
	var wait sync.WaitGroup
	var mu sync.Mutex
	stored := 0
	for range 20 {
		wait.Go(func() {
			if status, _, _ := s.decideWith(link, "approve"); status == 200 {
				mu.Lock()
				stored++
				mu.Unlock()
			}
		})
	}
	if wait.Wait(); stored != 1 || s.proposalState(id) != "approved" {
		t.Errorf("%d of 20 forms of one link were stored, and the call is %s", stored, s.proposalState(id))
	}
}

// TestPostMisbehaves lets the mail server fail in each known way: the letter comes later, and
// one approver's letter does not depend on another's.
func TestPostMisbehaves(t *testing.T) {
	p := newPost(t)
	s := newTestService(t, messagePolicy, p.withMail(t))
	s.deliverAll()
	for name, answers := range map[string]map[string]string{
		"busy": {"": "421 busy"}, "closes": {"": ""}, "silent": {"": "wait"}, "silent later": {"MAIL": "wait"}, "no letters": {"MAIL": "550 no"}, "no such box": {"RCPT": "550 no such box"},
		"no text": {"DATA": "554 no"}, "spam": {".": "554 spam"}, "lost": {".": ""}, "nonsense": {"EHLO": "x", "HELO": "x"},
	} {
		id, _ := s.proposeHeld("set_price", `{"name":"`+name+`"}`)
		p.setAnswers(answers)
		begun := time.Now()
		if err := s.deliverSoon(s.gate.Messengers); err == nil || strings.Contains(err.Error(), "/decide/") || time.Since(begun) > pace.Within(5*time.Second) {
			t.Errorf("%s: %v after %v", name, err, time.Since(begun))
		}
		p.setAnswers(nil)
		if early := p.takeLetters(); len(early) != 0 {
			t.Errorf("%s: %q", name, early)
		}
		s.now.Add(120_000)
		s.deliverAll()
		if letters := p.takeLetters(); len(letters) != 2 {
			t.Errorf("%s: %d letters about %s later", name, len(letters), id)
		}
	}
}

// TestMessengersAreRead checks that mistakes in the settings are errors, without their
// secrets.
func TestMessengersAreRead(t *testing.T) {
	const slack = "tenant=t team=T1 channel=C1 approver=a:U1"
	for _, bad := range []string{"tenant=t", slack + " approver=b:U1", slack + " approver=U1", slack + " api=http://slack.example", slack + " x=y", "team=T1 channel=C1 approver=a:U1"} {
		if _, err := notify.NewSlack(bad, slackToken, slackSecret, nil); err == nil || strings.Contains(err.Error(), slackToken) {
			t.Errorf("%q: %v", bad, err)
		}
	}
	if _, err := notify.NewSlack(slack, slackToken, "short", nil); err == nil {
		t.Error("a short secret is accepted")
	}
	if _, err := notify.NewSlack(slack, slackToken, slackSecret, nil); err != nil {
		t.Error(err)
	}
	const letters = "server=smtp://mail.example from=g@example.com tenant=t approver=a:a@example.com"
	for _, bad := range []string{"", "tenant=t", letters + " approver=b", letters + " approver=b:x", letters + " user=u", letters + " x=y", strings.Replace(letters, "smtp://", "http://", 1), strings.Replace(letters, "g@example.com", "<g@example.com>", 1), letters + " approver=c:a@example.com"} {
		if _, err := notify.NewMail(bad, ""); err == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
	if m, err := notify.NewMail(letters+" approver=b:b@example.com user=u", "hush"); err != nil || len(m) != 2 || m[0].Key() == m[1].Key() {
		t.Errorf("%v %v", m, err)
	}
}
