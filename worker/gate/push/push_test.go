//go:build !js

package push

import (
	"bytes"
	"context"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"math/big"
	mrand "math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/internal/pace"
	"github.com/boundcheck/boundcheck/worker/gate/notify"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

func decodeText(t testing.TB, text string) []byte {
	t.Helper()
	b, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestSealed checks the example of RFC 8291, appendix A, byte for byte.
func TestSealed(t *testing.T) {
	own, err := ecdh.P256().NewPrivateKey(decodeText(t, "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"))
	if err != nil {
		t.Fatal(err)
	}
	const browser = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
	got, err := sealWith([]byte("When I grow up, I want to be a watermelon"), decodeText(t, browser), decodeText(t, "BTBZMqHH6r4Tts7J_aSIgg"), own, decodeText(t, "DGv6ra1nlYgDCS1FRnbzlw"))
	const want = "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
	if err != nil || encodeBytes(got) != want {
		t.Errorf("%s, want %s (%v)", encodeBytes(got), want, err)
	}
}

// device is a browser: it opens what a push service gives it.
type device struct {
	key  *ecdh.PrivateKey
	auth []byte
}

func newDevice(t testing.TB) *device {
	t.Helper()
	key, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	d := &device{key, make([]byte, 16)}
	rand.Read(d.auth)
	return d
}

func (d *device) keysJSON() string {
	b, _ := json.Marshal(keys{encodeBytes(d.key.PublicKey().Bytes()), encodeBytes(d.auth)})
	return string(b)
}

// openBody decrypts a body as RFC 8188 and RFC 8291 say.
func (d *device) openBody(body []byte) ([]byte, error) {
	if len(body) < 86 || len(body) > 4096 || binary.BigEndian.Uint32(body[16:20]) != 4096 || body[20] != 65 {
		return nil, errors.New("another form")
	}
	sender, err := ecdh.P256().NewPublicKey(body[21:86])
	if err != nil {
		return nil, err
	}
	shared, err := d.key.ECDH(sender)
	if err != nil {
		return nil, err
	}
	aead, nonce, err := keysOf(shared, d.auth, body[:16], d.key.PublicKey().Bytes(), body[21:86])
	if err != nil {
		return nil, err
	}
	text, err := aead.Open(nil, nonce, body[86:], nil)
	if err != nil {
		return nil, err
	}
	text = bytes.TrimRight(text, "\x00")
	if !bytes.HasSuffix(text, []byte{2}) {
		return nil, errors.New("not the last record")
	}
	return text[:len(text)-1], nil
}

// TestSealedRandom checks that the device opens each text of any size up to the limit, and no
// changed one, and that a longer text is an error.
func TestSealedRandom(t *testing.T) {
	draw := mrand.New(mrand.NewPCG(1, 8291))
	for range 300 {
		d := newDevice(t)
		text := make([]byte, draw.IntN(mostText+2))
		for i := range text {
			text[i] = byte(draw.Uint32())
		}
		body, err := sealText(text, d.key.PublicKey().Bytes(), d.auth)
		if len(text) > mostText {
			if err == nil {
				t.Errorf("%d bytes were taken", len(text))
			}
			continue
		}
		got, wrong := d.openBody(body)
		if err != nil || wrong != nil || !bytes.Equal(got, text) && len(text) > 0 || len(body) > 4096 {
			t.Fatalf("%d bytes: %v %v", len(text), err, wrong)
		}
		body[draw.IntN(len(body))] ^= 1 << draw.IntN(8)
		if got, err := d.openBody(body); err == nil {
			t.Errorf("a changed body was opened: %q", got)
		}
	}
}

// checkVoucher checks the header Authorization as a push service does (RFC 8292).
func checkVoucher(header, audience, public string, now time.Time) error {
	rest, ok := strings.CutPrefix(header, "vapid t=")
	token, key, both := strings.Cut(rest, ", k=")
	parts := strings.Split(token, ".")
	if !ok || !both || len(parts) != 3 || key != public {
		return errors.New("another form, or another key")
	}
	raw, _ := base64.RawURLEncoding.DecodeString(key)
	signature, _ := base64.RawURLEncoding.DecodeString(parts[2])
	text, _ := base64.RawURLEncoding.DecodeString(parts[1])
	verify, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), raw)
	if err != nil || len(signature) != 64 {
		return errors.New("no key or no signature")
	}
	sum := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	if !ecdsa.Verify(verify, sum[:], new(big.Int).SetBytes(signature[:32]), new(big.Int).SetBytes(signature[32:])) {
		return errors.New("the signature is wrong")
	}
	var claims struct {
		Aud, Sub string
		Exp      int64
	}
	if json.Unmarshal(text, &claims); claims.Aud != audience || !strings.HasPrefix(claims.Sub, "https://gate.example") {
		return errors.New("for another service: " + string(text))
	}
	if left := time.Unix(claims.Exp, 0).Sub(now); left <= 0 || left > 24*time.Hour {
		return errors.New("its time is wrong: " + string(text))
	}
	return nil
}

// service is a push service with one browser.
type service struct {
	*httptest.Server
	device   *device
	answer   func(w http.ResponseWriter, r *http.Request)
	requests int
	headers  http.Header
	text     []byte // of the last message
	wrong    error
}

const audience = "https://push.example.com"

var secret = bytes.Repeat([]byte{7}, 32)

// redirected sends what is meant for the service of the tests there. It stands for the guarded
// transport, which reaches no address of this machine.
type redirected struct{ to *httptest.Server }

func (d redirected) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.URL.Host = strings.TrimPrefix(d.to.URL, "https://")
	return d.to.Client().Transport.RoundTrip(r)
}

func newService(t *testing.T) (*service, *Sender) {
	s := &service{device: newDevice(t)}
	sender, err := New("https://gate.example")
	if err != nil {
		t.Fatal(err)
	}
	public, err := sender.Public(secret)
	if err != nil {
		t.Fatal(err)
	}
	s.Server = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.requests++
		body, _ := io.ReadAll(r.Body)
		s.headers = r.Header
		if s.wrong = checkVoucher(r.Header.Get("Authorization"), audience, public, time.Now()); s.wrong == nil {
			s.text, s.wrong = s.device.openBody(body)
		}
		if s.answer != nil {
			s.answer(w, r)
			return
		}
		w.WriteHeader(201)
	}))
	t.Cleanup(s.Close)
	sender.transport = redirected{s.Server}
	return s, sender
}

func (s *service) newSubscription() store.Push {
	return store.Push{ID: "w_1", Tenant: "t", Name: "alice", Endpoint: audience + "/send/abc", Keys: s.device.keysJSON()}
}

func newQuestion(change ...func(*machine.Record)) notify.Question {
	now := time.Now().UnixMilli()
	r := machine.Record{ID: "p_abc", Tenant: "t", Tool: "cancel_order", Prompt: "Allow this call?\ncancel_order of <#W1>", Arguments: `{"order_id":"#W1"}`, Size: 1, Needs: 1, Expires: now + 600_000}
	r.Why.Mutating, r.Why.Verdict = mutation.Yes, "yes"
	for _, c := range change {
		c(&r)
	}
	return notify.Question{Call: r, Link: "https://gate.example/p/p_abc", Now: now}
}

// TestMessage checks what a browser gets: the same text as other messages, and for a call that
// cannot be undone, or that does not fit, only why and the path of its page.
func TestMessage(t *testing.T) {
	s, sender := newService(t)
	m := sender.Messenger(secret, s.newSubscription(), nil)
	for _, c := range []struct {
		change     func(*machine.Record)
		title, has string
	}{
		{func(*machine.Record) {}, "A call of cancel_order waits for a decision", "cancel_order of <#W1>"},
		{func(r *machine.Record) { r.Why.Destructive = true }, "A call of cancel_order waits", "Perhaps it cannot be undone."},
		{func(r *machine.Record) { r.Why.Verdict = "unknown" }, "A call of cancel_order waits", "Its effect is not known."},
		{func(r *machine.Record) { r.Prompt = strings.Repeat("é", 2900) }, "A call of cancel_order waits", "It is too long for a message."},
		{func(r *machine.Record) { r.Tool = strings.Repeat("x", 5000) }, "A call waits for a decision", "It is too long"},
	} {
		q := newQuestion(c.change)
		if err := m.Post(t.Context(), q); err != nil || s.wrong != nil {
			t.Fatalf("%v %v", err, s.wrong)
		}
		var got message
		if json.Unmarshal(s.text, &got); !strings.HasPrefix(got.Title, c.title) || !strings.Contains(got.Body, c.has) || got.Path != "/p/p_abc" {
			t.Errorf("%s", s.text)
		}
		if c.has != "cancel_order of <#W1>" && strings.Contains(string(s.text), "W1") {
			t.Errorf("the arguments are in %s", s.text)
		}
		if ttl := s.headers.Get("TTL"); ttl != "600" || s.headers.Get("Urgency") != "high" || len(s.headers.Get("Topic")) != 32 || s.headers.Get("Content-Encoding") != "aes128gcm" {
			t.Errorf("headers %v", s.headers)
		}
	}
	before := s.requests
	if err := m.Post(t.Context(), newQuestion(func(r *machine.Record) { r.For = "bob" })); err != nil || s.requests != before {
		t.Errorf("a call for another approver was told: %v", err)
	}
}

// TestMisbehaving checks that a push service that is slow, large, full or elsewhere costs an
// error, a browser that is gone is ended, and nothing is sent twice by itself.
func TestMisbehaving(t *testing.T) {
	for name, c := range map[string]struct {
		answer func(w http.ResponseWriter, r *http.Request)
		err    string
		after  time.Duration
		ended  bool
	}{
		"gone":      {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(410) }, "", 0, true},
		"not found": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(404) }, "", 0, true},
		"full":      {func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Retry-After", "120"); w.WriteHeader(429) }, "429", 2 * time.Minute, false},
		"away": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "soon")
			w.WriteHeader(503)
		}, "503", 0, false},
		"for ever": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "99999999999")
			w.WriteHeader(429)
		}, "429", 0, false},
		"refused": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(403) }, "403", 0, false},
		"elsewhere": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://127.0.0.1/x", http.StatusTemporaryRedirect)
		}, "307", 0, false},
		"hangs":       {func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, "deadline", 0, false},
		"closes":      {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, "EOF", 0, false},
		"large":       {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(201); writeEndlessly(w) }, "", 0, false},
		"large error": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500); writeEndlessly(w) }, "500", 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			s, sender := newService(t)
			s.answer = c.answer
			ended := false
			m := sender.Messenger(secret, s.newSubscription(), func(context.Context, string) error { ended = true; return nil })
			patience := 2 * time.Second
			if name != "hangs" {
				patience = pace.Within(patience)
			}
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			err := m.Post(ctx, newQuestion())
			if (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) || ended != c.ended || s.requests != 1 {
				t.Errorf("%v, ended %v, %d requests", err, ended, s.requests)
			}
			var later *notify.Later
			if c.after > 0 && (!errors.As(err, &later) || later.After != c.after) {
				t.Errorf("%v says to wait %v", err, later)
			}
		})
	}
}

func writeEndlessly(w http.ResponseWriter) {
	for piece := make([]byte, 32<<10); ; {
		if _, err := w.Write(piece); err != nil {
			return
		}
	}
}

// TestOnlyPublic checks that no subscription leads the gate to an address that is not public,
// neither by its text nor by what a name resolves to.
func TestOnlyPublic(t *testing.T) {
	sender, err := New("https://gate.example")
	if err != nil {
		t.Fatal(err)
	}
	d := newDevice(t)
	read := func(endpoint string) error {
		text, _ := json.Marshal(map[string]any{"endpoint": endpoint, "keys": json.RawMessage(d.keysJSON()), "expirationTime": nil})
		_, _, err := sender.Read(string(text))
		return err
	}
	for _, good := range []string{"https://fcm.googleapis.com/fcm/send/a:b", "https://updates.push.services.mozilla.com/wpush/v2/x", "https://8.8.8.8/x", "https://[2606:4700::1]:8443/"} {
		if err := read(good); err != nil {
			t.Errorf("%s: %v", good, err)
		}
	}
	for _, bad := range []string{"http://push.example.com/", "https://localhost/x", "https://LOCALHOST./x", "https://127.0.0.1/", "https://[::1]/", "https://10.1.2.3/", "https://169.254.169.254/latest", "https://[::ffff:10.0.0.1]/",
		"https://[64:ff9b::7f00:1]/", "https://[fd00::1]/", "https://[fe80::1%25eth0]/", "https://intranet/", "https://u:p@push.example.com/", "https://push.example.com/#x", "https://0.0.0.0/", "https://100.64.0.1/", "file:///etc/passwd", "", "https://push.example.com/" + strings.Repeat("x", 1000)} {
		if err := read(bad); err == nil {
			t.Errorf("%s was taken", bad)
		}
	}
	draw := mrand.New(mrand.NewPCG(2, 8030))
	closed := netip.MustParsePrefix // the judge has its own list: loopback, private, link-local, multicast
	lists := []netip.Prefix{closed("127.0.0.0/8"), closed("10.0.0.0/8"), closed("172.16.0.0/12"), closed("192.168.0.0/16"), closed("169.254.0.0/16"), closed("224.0.0.0/3"), closed("100.64.0.0/10"), closed("0.0.0.0/8")}
	for range 20_000 {
		var b [4]byte
		binary.BigEndian.PutUint32(b[:], draw.Uint32())
		if p := lists[draw.IntN(len(lists))]; draw.IntN(2) == 0 { // an address within one of them
			bits, base := uint(p.Bits()), p.Addr().As4()
			inside := binary.BigEndian.Uint32(base[:]) | binary.BigEndian.Uint32(b[:])>>bits
			binary.BigEndian.PutUint32(b[:], inside)
		}
		a := netip.AddrFrom4(b)
		private := false
		for _, p := range lists {
			private = private || p.Contains(a)
		}
		mapped := netip.AddrFrom16(a.As16())
		if private && (isPublic(a) || isPublic(mapped)) {
			t.Fatalf("%v is taken as public", a)
		}
	}
	// A name that resolves to this machine: the connection itself is refused.
	_, err = newTransport().RoundTrip(httptest.NewRequest("POST", "https://localhost:1/", nil))
	if err == nil || !strings.Contains(err.Error(), "not a public address") {
		t.Errorf("connected to this machine: %v", err)
	}
}

// TestNew checks at which addresses browsers take messages, and that a key follows from the
// secret alone.
func TestNew(t *testing.T) {
	for address, good := range map[string]bool{"https://gate.example": true, "http://localhost:8080": true, "http://127.0.0.1:8080": false, "http://gate.example": false, "": false} {
		if _, err := New(address); (err == nil) != good {
			t.Errorf("%q: %v", address, err)
		}
	}
	s, _ := New("https://gate.example")
	one, err := s.Public(secret)
	two, _ := s.Public(secret)
	other, _ := s.Public(bytes.Repeat([]byte{8}, 32))
	if err != nil || one != two || one == other || len(decodeText(t, one)) != 65 {
		t.Errorf("%s %s %s %v", one, two, other, err)
	}
	for text, want := range map[string]time.Duration{"5": 5 * time.Second, "-5": 0, "x": 0, "99999999": 24 * time.Hour, time.Now().Add(time.Hour).UTC().Format(http.TimeFormat): time.Hour} {
		if got := readAfter(text, time.Now().Truncate(time.Second)); got.Round(time.Minute) != want.Round(time.Minute) {
			t.Errorf("Retry-After %s: %v, want %v", text, got, want)
		}
	}
}
