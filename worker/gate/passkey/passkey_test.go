//go:build !js

package passkey_test

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"html"
	mathrand "math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/internal/gatefile"
	"github.com/boundcheck/boundcheck/internal/pgserver"
	"github.com/boundcheck/boundcheck/worker/gate"
	"github.com/boundcheck/boundcheck/worker/gate/passkey"
	"github.com/boundcheck/boundcheck/worker/gate/postgres"
	"github.com/boundcheck/boundcheck/worker/gate/sqlite"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

const (
	home     = "https://gate.example"
	agentKey = "agent-key-0123456789abcdef"
	aliceKey = "alice-key-0123456789abcdef"
	bobKey   = "bob-key-0123456789abcdefgh"
	allKeys  = "t agent bot " + agentKey + "\nt approver alice " + aliceKey + "\nt approver bob " + bobKey + "\n"
)

// device is an authenticator in software: a P-256 key for one account.
type device struct {
	key     *ecdsa.PrivateKey
	id      []byte
	handle  []byte
	counter uint32
}

func newDevice() *device {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		panic(err)
	}
	d := &device{key: key, id: make([]byte, 32)}
	rand.Read(d.id)
	return d
}

// client is what a browser and a device answer, before they are signed. A test bends it.
type client struct {
	kind, challenge, origin, party string
	flags                          byte
	counter                        uint32
	cross                          bool
	id, handle                     []byte
	signer                         *ecdsa.PrivateKey
}

const present, verified, attested = 1, 4, 64

var raw = base64.RawURLEncoding

func (c *client) clientData() []byte {
	text, _ := json.Marshal(map[string]any{"type": c.kind, "challenge": c.challenge, "origin": c.origin, "crossOrigin": c.cross})
	return text
}

func (c *client) authData() []byte {
	party := sha256.Sum256([]byte(c.party))
	return binary.BigEndian.AppendUint32(append(party[:], c.flags), c.counter)
}

// assertion is the four texts of an answer to a sign-in.
type assertion struct{ id, clientData, authData, signature, handle []byte }

func (c *client) signAnswer() assertion {
	a := assertion{id: c.id, clientData: c.clientData(), authData: c.authData(), handle: c.handle}
	inner := sha256.Sum256(a.clientData)
	sum := sha256.Sum256(append(bytes.Clone(a.authData), inner[:]...))
	a.signature, _ = ecdsa.SignASN1(rand.Reader, c.signer, sum[:])
	return a
}

func (a assertion) asText() string {
	text, _ := json.Marshal(map[string]any{"id": raw.EncodeToString(a.id), "rawId": raw.EncodeToString(a.id), "type": "public-key", "clientExtensionResults": map[string]any{},
		"response": map[string]string{"clientDataJSON": raw.EncodeToString(a.clientData), "authenticatorData": raw.EncodeToString(a.authData), "signature": raw.EncodeToString(a.signature), "userHandle": raw.EncodeToString(a.handle)}})
	return string(text)
}

// createAnswer is the answer to a registration, with the attestation "none".
func (d *device) createAnswer(c *client) string {
	data := append(c.authData(), make([]byte, 16)...) // no model
	data = binary.BigEndian.AppendUint16(data, uint16(len(d.id)))
	data = append(data, d.id...)
	point, _ := d.key.PublicKey.Bytes()
	data = append(data, 0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 32)
	data = append(data, point[1:33]...)
	data = append(append(data, 0x22, 0x58, 32), point[33:]...)
	object := append([]byte("\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x59"), byte(len(data)>>8), byte(len(data)))
	text, _ := json.Marshal(map[string]any{"id": raw.EncodeToString(d.id), "rawId": raw.EncodeToString(d.id), "type": "public-key", "clientExtensionResults": map[string]any{},
		"response": map[string]string{"clientDataJSON": raw.EncodeToString(c.clientData()), "attestationObject": raw.EncodeToString(append(object, data...))}})
	return string(text)
}

// open opens a new store.
var open = func(t *testing.T) *store.Store {
	s, err := sqlite.Open(t.Context(), gatefile.New(t))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestOnPostgres repeats the tests of what is stored on a real PostgreSQL server.
func TestOnPostgres(t *testing.T) {
	server := pgserver.Shared(t)
	before := open
	defer func() { open = before }()
	open = func(t *testing.T) *store.Store {
		s, err := postgres.Open(t.Context(), server.Address(t), false)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	t.Run("passkey", TestPasskey)
	t.Run("key", TestPasskeyEndsWithItsKey)
	t.Run("race", TestPasskeyRace)
	t.Run("refuses", TestStoreRefuses)
}

// TestStoreRefuses checks that the store itself refuses what must never happen.
func TestStoreRefuses(t *testing.T) {
	s := open(t)
	defer s.Close()
	note := func() machine.Entry {
		return machine.Entry{Version: 1, Tenant: "t", Event: "passkey", Text: rand.Text()}
	}
	p := &store.Passkey{ID: "a", Tenant: "t", Name: "alice", Mark: "m", Label: "l", Credential: "{}", Counter: 5, Created: 1}
	for i, want := range []bool{true, false} {
		if ok, err := s.AddPasskey(t.Context(), p, note()); err != nil || ok != want {
			t.Fatal(i, ok, err)
		}
	}
	for _, counter := range []int64{0, 4, 5} {
		if ok, err := s.UsePasskey(t.Context(), p, counter, 2, note()); ok || err != nil {
			t.Errorf("counter %d: %v %v", counter, ok, err)
		}
	}
	if ok, err := s.UsePasskey(t.Context(), p, 6, 2, note()); !ok || err != nil {
		t.Error(ok, err)
	}
	for name, statement := range map[string]string{"back": `UPDATE passkeys SET counter = 1, entry = 'x'`, "another": `UPDATE passkeys SET name = 'bob', entry = 'x'`, "without a row": `UPDATE passkeys SET counter = 9`, "delete": `DELETE FROM passkeys`} {
		if _, err := s.Change(t.Context(), statement, nil); err == nil {
			t.Errorf("%s is not refused", name)
		}
	}
	for _, who := range [][2]string{{"u", ""}, {"t", "bob"}} {
		if ok, err := s.RemovePasskey(t.Context(), who[0], who[1], "a", note()); ok || err != nil {
			t.Errorf("%v removes it: %v", who, err)
		}
	}
	if ok, err := s.RemovePasskey(t.Context(), "t", "", "a", note()); !ok || err != nil {
		t.Error(ok, err)
	}
	if _, err := s.Change(t.Context(), `UPDATE passkeys SET removed = 0, entry = 'x'`, nil); err == nil {
		t.Error("a removed passkey comes back")
	}
	p.Counter = 6
	if ok, err := s.UsePasskey(t.Context(), p, 7, 3, note()); ok || err != nil {
		t.Error("a removed passkey is used", err)
	}
}

// site is a gate with passkeys, without a network.
type site struct {
	t     *testing.T
	g     *gate.Gate
	store *store.Store
	http.Handler
	now   int64
	cause error
}

func newSite(t *testing.T) *site {
	t.Helper()
	s := &site{t: t, now: time.Now().UnixMilli()}
	s.store = open(t)
	t.Cleanup(func() { s.store.Close() })
	keys, err := gate.ReadKeys(allKeys)
	if err != nil {
		t.Fatal(err)
	}
	web, err := passkey.New(home)
	if err != nil {
		t.Fatal(err)
	}
	if s.g, err = gate.New(gate.Options{Store: s.store, Keys: keys, URL: home, Secret: make([]byte, 32), Rate: -1, Passkeys: web, Now: func() int64 { return s.now }}); err != nil {
		t.Fatal(err)
	}
	s.Handler = s.g.Logged(s.g, func(_ context.Context, l gate.Line) { s.cause = l.Cause })
	return s
}

// browser keeps cookies.
type browser struct {
	s       *site
	cookies map[string]string
}

func (s *site) newBrowser() *browser { return &browser{s, map[string]string{}} }

func (b *browser) sendForm(method, path string, form url.Values) (status int, text, to string) {
	r := httptest.NewRequest(method, home+path, strings.NewReader(form.Encode()))
	r.Header.Set("Origin", home)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	for name, value := range b.cookies {
		r.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	w := httptest.NewRecorder()
	b.s.ServeHTTP(w, r)
	for _, c := range w.Result().Cookies() {
		b.cookies[c.Name] = c.Value
	}
	return w.Code, w.Body.String(), w.Header().Get("Location")
}

// signedInAs returns the name of the approver who has signed in; "" for nobody.
func (b *browser) signedInAs() string {
	_, text, _ := b.sendForm("GET", "/pending", nil)
	if m := regexp.MustCompile(`Sign out ([^<]+)<`).FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return ""
}

func (s *site) withKey(key string) *browser {
	b := s.newBrowser()
	b.sendForm("POST", "/login", url.Values{"key": {key}})
	return b
}

// begun is a ceremony in a page.
type begun struct {
	ceremony, token, challenge string
	handle                     []byte
}

func (b *browser) beginCeremony(path string) (c begun) {
	b.s.t.Helper()
	_, text, _ := b.sendForm("GET", path, nil)
	field := func(pattern string) string {
		m := regexp.MustCompile(pattern).FindStringSubmatch(text)
		if m == nil {
			b.s.t.Fatalf("no %s in %s", pattern, text)
		}
		return html.UnescapeString(m[1])
	}
	var options struct {
		Challenge, RPID string
		RP, User        struct{ ID string }
	}
	all := field(`data-passkey="([^"]+)"`)
	if err := json.Unmarshal([]byte(all), &options); err != nil || !strings.Contains(all, `"userVerification":"required"`) {
		b.s.t.Fatal(err, all)
	}
	if options.RPID+options.RP.ID != "gate.example" {
		b.s.t.Fatalf("the page names the party %s", all)
	}
	c.ceremony, c.challenge = field(`name="ceremony" value="([^"]+)"`), options.Challenge
	if path == "/passkeys" {
		form := text[strings.Index(text, "data-passkey"):]
		c.token = regexp.MustCompile(`name="token" value="([^"]+)"`).FindStringSubmatch(form)[1]
		c.handle, _ = raw.DecodeString(options.User.ID)
	}
	return c
}

// addDevice registers a device in a session.
func (b *browser) addDevice(d *device, bend func(*client)) (status int, text string) {
	b.s.t.Helper()
	c := b.beginCeremony("/passkeys")
	d.handle = c.handle
	x := &client{kind: "webauthn.create", challenge: c.challenge, origin: home, party: "gate.example", flags: present | verified | attested, counter: d.counter}
	if bend != nil {
		bend(x)
	}
	status, text, _ = b.sendForm("POST", "/passkeys", url.Values{"token": {c.token}, "do": {"add"}, "label": {"my phone"}, "ceremony": {c.ceremony}, "answer": {d.createAnswer(x)}})
	return status, text
}

// clientOf is a right answer of a device to a ceremony.
func (d *device) clientOf(c begun) *client {
	d.counter++
	return &client{kind: "webauthn.get", challenge: c.challenge, origin: home, party: "gate.example", flags: present | verified, counter: d.counter, id: d.id, handle: d.handle, signer: d.key}
}

func (b *browser) finishSignIn(ceremony, answer string) (status int) {
	status, _, _ = b.sendForm("POST", "/passkeys/sign-in", url.Values{"ceremony": {ceremony}, "answer": {answer}, "next": {"/freeze"}})
	return status
}

func (b *browser) signIn(d *device) int {
	c := b.beginCeremony("/passkeys/sign-in")
	return b.finishSignIn(c.ceremony, d.clientOf(c).signAnswer().asText())
}

func (s *site) exportAudit() string {
	var b strings.Builder
	if _, err := s.store.Export(s.t.Context(), &b, []string{"t"}, nil); err != nil {
		s.t.Fatal(err)
	}
	return b.String()
}

// TestPasskey adds a passkey, signs in with it alone, and removes it: its session ends.
func TestPasskey(t *testing.T) {
	s := newSite(t)
	key, d := s.withKey(aliceKey), newDevice()
	if status, text := key.addDevice(d, nil); status != 303 {
		t.Fatalf("%d %v %s", status, s.cause, text)
	}
	if status, _ := s.withKey(bobKey).addDevice(d, nil); status != 403 || !strings.Contains(s.cause.Error(), "is or was registered") {
		t.Errorf("the same passkey for another person: %d %v", status, s.cause)
	}
	d.handle = key.beginCeremony("/passkeys").handle
	b := s.newBrowser()
	if _, text, _ := b.sendForm("GET", "/freeze", nil); !strings.Contains(text, `href="/passkeys/sign-in?next=/freeze"`) {
		t.Errorf("the page for signing in has no link: %s", text)
	}
	if status := b.signIn(d); status != 303 || b.signedInAs() != "alice" {
		t.Fatalf("%d %v", status, s.cause)
	}
	s.now++
	second := newDevice()
	if status, _ := b.addDevice(second, nil); status != 303 {
		t.Errorf("a second one, by the first: %d %v", status, s.cause)
	}
	_, text, _ := b.sendForm("GET", "/passkeys", nil)
	if strings.Count(text, "my phone") != 2 || strings.Count(text, "never used") != 1 || !strings.Contains(text, "with a passkey") {
		t.Errorf("the list: %s", text)
	}
	card := regexp.MustCompile(`name="id" value="([^"]+)"><input type="hidden" name="token" value="([^"]+)"`).FindStringSubmatch(text)
	if status, _, _ := s.withKey(bobKey).sendForm("POST", "/passkeys", url.Values{"do": {"remove"}, "id": {card[1]}, "token": {card[2]}}); status != 403 || b.signedInAs() != "alice" {
		t.Errorf("another person removes it: %d", status)
	}
	if status, _, _ := key.sendForm("POST", "/passkeys", url.Values{"do": {"remove"}, "id": {card[1]}, "token": {card[2]}}); status != 403 {
		t.Errorf("with the token of another session: %d", status)
	}
	if status, _, _ := b.sendForm("POST", "/passkeys", url.Values{"do": {"remove"}, "id": {card[1]}, "token": {card[2]}}); status != 303 || b.signedInAs() != "" {
		t.Errorf("a session goes on after its passkey was removed: %d", status)
	}
	if status := s.newBrowser().signIn(d); status != 403 || !strings.Contains(s.cause.Error(), "removed") {
		t.Errorf("a removed passkey: %d %v", status, s.cause)
	}
	if status, _ := key.addDevice(d, nil); status != 403 {
		t.Errorf("a removed passkey comes back: %d", status)
	}
	second.counter = ^uint32(0)
	if status := b.signIn(second); status != 303 || b.signedInAs() != "alice" {
		t.Errorf("the other one: %d %v", status, s.cause)
	}
	for range 2 { // it does not count
		s.now++
		second.counter = ^uint32(0)
		if status := b.signIn(second); status != 303 {
			t.Errorf("a passkey that does not count: %d %v", status, s.cause)
		}
	}
	b.sendForm("POST", "/logout", nil)
	for _, want := range []string{`added \\\"my phone\\\"`, `used \\\"my phone\\\"`, `removed `} {
		if audit := s.exportAudit(); !strings.Contains(audit, `\"event\":\"passkey\"`) || !strings.Contains(audit, want) {
			t.Errorf("the audit has no %s: %s", want, audit)
		}
	}
}

// TestPasskeyEndsWithItsKey removes the key with which a passkey was added: its session ends
// at once, and nobody signs in with it, although the approver has another key.
func TestPasskeyEndsWithItsKey(t *testing.T) {
	s := newSite(t)
	d := newDevice()
	if status, text := s.withKey(aliceKey).addDevice(d, nil); status != 303 {
		t.Fatal(status, s.cause, text)
	}
	b := s.newBrowser()
	if b.signIn(d); b.signedInAs() != "alice" {
		t.Fatal(s.cause)
	}
	keys, err := gate.ReadKeys(strings.Replace(allKeys, aliceKey, "other-"+aliceKey, 1))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.g.ReloadKeys(t.Context(), keys); err != nil {
		t.Fatal(err)
	}
	if b.signedInAs() != "" {
		t.Error("the session goes on")
	}
	if status := s.newBrowser().signIn(d); status != 403 || !strings.Contains(s.cause.Error(), "not known, or was removed") {
		t.Errorf("signed in: %d %v", status, s.cause)
	}
}

// TestPasskeyLaw bends the answers to challenges in every way that it knows, and draws which.
// A sign-in is accepted exactly if nothing was bent.
func TestPasskeyLaw(t *testing.T) {
	s := newSite(t)
	people := map[string]*device{"alice": newDevice(), "bob": newDevice()}
	accepted, refused, last := 0, map[string]int{}, map[string]uint32{}
	for name, key := range map[string]string{"alice": aliceKey, "bob": bobKey} {
		people[name].counter = 9
		last[name] = 9
		if status, _ := s.withKey(key).addDevice(people[name], nil); status != 303 {
			t.Fatal(status, s.cause)
		}
	}
	stranger := newDevice()
	draw := mathrand.New(mathrand.NewPCG(49, 1))
	var spent []begun
	for range 600 {
		name := []string{"alice", "bob"}[draw.IntN(2)]
		d, other := people[name], people[map[string]string{"alice": "bob", "bob": "alice"}[name]]
		b := s.newBrowser()
		c := b.beginCeremony("/passkeys/sign-in")
		x := d.clientOf(c)
		before := s.now
		bends := map[string]func(){
			"origin": func() {
				x.origin = []string{"https://evil.example", "http://gate.example", "https://gate.example:8443", "https://gate.example.evil.example", ""}[draw.IntN(5)]
			},
			"party":           func() { x.party = "evil.example" },
			"kind":            func() { x.kind = "webauthn.create" },
			"cross":           func() { x.cross = true },
			"not verified":    func() { x.flags = present },
			"not present":     func() { x.flags = verified },
			"eligible":        func() { x.flags |= 8 },
			"counter":         func() { x.counter = uint32(draw.IntN(int(last[name]) + 1)) },
			"signer":          func() { x.signer = other.key },
			"stranger":        func() { x.id, x.signer = stranger.id, stranger.key },
			"credential":      func() { x.id = other.id },
			"handle":          func() { x.handle = other.handle },
			"no handle":       func() { x.handle = nil },
			"handle and id":   func() { x.id, x.handle = other.id, other.handle },
			"other challenge": func() { x.challenge = b.beginCeremony("/passkeys/sign-in").challenge },
			"drawn challenge": func() { x.challenge = raw.EncodeToString([]byte(rand.Text() + rand.Text())[:32]) },
			"other browser": func() {
				y := s.newBrowser().beginCeremony("/passkeys/sign-in")
				c.ceremony, x.challenge = y.ceremony, y.challenge
			},
			"registration": func() {
				y := s.withKey(aliceKey).beginCeremony("/passkeys")
				c.ceremony, x.challenge = y.ceremony, y.challenge
			},
			"late": func() { s.now += 5 * 60_000 },
			"used": func() {
				if len(spent) > 0 {
					y := spent[draw.IntN(len(spent))]
					c.ceremony, x.challenge, b.cookies["__Host-boundcheck-browser"] = y.ceremony, y.challenge, y.token
				} else {
					x.challenge = ""
				}
			},
			"ceremony": func() {
				i := draw.IntN(len(c.ceremony))
				c.ceremony = c.ceremony[:i] + string(c.ceremony[i]^1) + c.ceremony[i+1:]
			},
			"no cookie": func() { delete(b.cookies, "__Host-boundcheck-browser") },
		}
		names := []string{}
		for bend := range bends {
			names = append(names, bend)
		}
		slices.Sort(names)
		kind := ""
		if draw.IntN(4) > 0 {
			kind = names[draw.IntN(len(names))]
			bends[kind]()
		}
		a := x.signAnswer()
		if kind == "" && draw.IntN(2) == 0 { // one bit of what was signed
			parts := map[string][]byte{"id": a.id, "client": a.clientData, "auth": a.authData, "signature": a.signature, "user": a.handle}
			kind = []string{"id", "client", "auth", "signature", "user"}[draw.IntN(5)]
			part := bytes.Clone(parts[kind])
			part[draw.IntN(len(part))] ^= 1 << draw.IntN(8)
			switch kind {
			case "id":
				a.id = part
			case "client":
				a.clientData = part
			case "auth":
				a.authData = part
			case "signature":
				a.signature = part
			default:
				a.handle = part
			}
		}
		s.cause = nil
		status := b.finishSignIn(c.ceremony, a.asText())
		cause := s.cause
		switch {
		case kind == "":
			if accepted++; status != 303 || b.signedInAs() != name {
				t.Fatalf("%s is not signed in: %d %v", name, status, cause)
			}
			last[name] = x.counter
			c.token = b.cookies["__Host-boundcheck-browser"]
			spent = append(spent, c)
			if again := b.finishSignIn(c.ceremony, a.asText()); again != 403 {
				t.Fatalf("the same answer again: %d", again)
			}
		case status == 303 || cause == nil || !strings.Contains(cause.Error(), "refused"):
			t.Fatalf("%s: %d %v", kind, status, cause)
		default:
			refused[kind]++
		}
		s.now = max(before, s.now-5*60_000)
	}
	if accepted < 30 || len(refused) < 27 {
		t.Errorf("%d accepted, refused %v", accepted, refused)
	}
	if audit := s.exportAudit(); strings.Count(audit, "refused ") != refused["counter"] || refused["counter"] == 0 {
		t.Errorf("the audit does not have the %d counters", refused["counter"])
	}
}

// TestPasskeyNotAdded bends the answers to registrations: nothing is added.
func TestPasskeyNotAdded(t *testing.T) {
	s := newSite(t)
	alice := s.withKey(aliceKey)
	for name, bend := range map[string]func(*client){
		"origin":       func(c *client) { c.origin = "https://evil.example" },
		"party":        func(c *client) { c.party = "evil.example" },
		"kind":         func(c *client) { c.kind = "webauthn.get" },
		"challenge":    func(c *client) { c.challenge = s.withKey(bobKey).beginCeremony("/passkeys").challenge },
		"not verified": func(c *client) { c.flags = present | attested },
		"not present":  func(c *client) { c.flags = verified | attested },
		"late":         func(c *client) { s.now += 5 * 60_000 },
	} {
		if status, _ := alice.addDevice(newDevice(), bend); status != 403 || s.cause == nil {
			t.Errorf("%s: %d %v", name, status, s.cause)
		}
	}
	c := s.withKey(bobKey).beginCeremony("/passkeys")
	d := newDevice()
	x := &client{kind: "webauthn.create", challenge: c.challenge, origin: home, party: "gate.example", flags: present | verified | attested}
	if status, _, _ := alice.sendForm("POST", "/passkeys", url.Values{"token": {alice.beginCeremony("/passkeys").token}, "do": {"add"}, "label": {"x"}, "ceremony": {c.ceremony}, "answer": {d.createAnswer(x)}}); status != 403 {
		t.Errorf("the ceremony of another session: %d", status)
	}
	if all, err := s.store.Passkeys(t.Context(), "", ""); err != nil || len(all) != 0 {
		t.Errorf("%d passkeys, %v", len(all), err)
	}
}

// TestPasskeyRace signs in with one counter at several places at once: one wins.
func TestPasskeyRace(t *testing.T) {
	s := newSite(t)
	d := newDevice()
	s.withKey(aliceKey).addDevice(d, nil)
	all, err := s.store.Passkeys(t.Context(), "t", "alice")
	if err != nil || len(all) != 1 {
		t.Fatal(err)
	}
	won := make(chan bool, 8)
	for range cap(won) {
		go func() {
			ok, err := s.store.UsePasskey(context.Background(), &all[0], 7, 1, machine.Entry{Version: 1, Tenant: "t", Event: "passkey", Text: rand.Text()})
			won <- ok && err == nil
		}()
	}
	n := 0
	for range cap(won) {
		if <-won {
			n++
		}
	}
	if n != 1 {
		t.Errorf("%d have won", n)
	}
}

// TestPasskeyAddress checks where a gate has passkeys.
func TestPasskeyAddress(t *testing.T) {
	for address, want := range map[string]bool{"https://gate.example": true, "https://gate.example:8443/": true, "http://localhost:8079": true, "http://127.0.0.1:8079": false, "https://10.0.0.1": false, "http://gate.example": false, "https://[::1]": false} {
		if _, err := passkey.New(address); (err == nil) != want {
			t.Errorf("%s: %v", address, err)
		}
	}
	s := newSite(t)
	s.g.Passkeys = nil
	for _, path := range []string{"/passkeys", "/passkeys/sign-in"} {
		if status, text, _ := s.withKey(aliceKey).sendForm("GET", path, nil); status != 404 || !strings.Contains(text, "need the native gate") {
			t.Errorf("%s: %d %s", path, status, text)
		}
	}
}
