package receipt_test

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/core/gate/proposal"
	"github.com/boundcheck/boundcheck/worker/receipt"
)

// vectors are the cases of testdata/vectors.json. The JavaScript verifier is tested with
// the same file.
type vectors struct {
	Keys      json.RawMessage `json:"keys"`
	Now       int64           `json:"now"`
	Issuer    string          `json:"issuer"`
	Tenant    string          `json:"tenant"`
	Audience  string          `json:"audience"`
	Tool      string          `json:"tool"`
	Arguments string          `json:"arguments"`
	Cases     []vector        `json:"cases"`
}

// vector is one receipt. Members that are not set have the values of the file.
type vector struct {
	Name      string   `json:"name"`
	Receipt   string   `json:"receipt"`
	Tool      string   `json:"tool,omitempty"`
	Arguments string   `json:"arguments,omitempty"`
	Audience  *string  `json:"audience,omitempty"`
	Tenant    string   `json:"tenant,omitempty"`
	Issuer    string   `json:"issuer,omitempty"`
	Now       int64    `json:"now,omitempty"`
	Decisions []string `json:"decisions,omitempty"`
	Refused   string   `json:"refused,omitempty"` // the code; "" if it is accepted
}

const (
	seedA = "ed25519-seed:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
	seedB = "ed25519-seed://///////////////////////////////////////wA="
	seedC = "ed25519-seed:BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc="
	now   = 1_800_000_000
)

func signer(t testing.TB, keys string) *receipt.Signer {
	t.Helper()
	s, err := receipt.ReadSigner(keys)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// sample is a receipt of a call that was approved.
func sample() receipt.Receipt {
	const tool, arguments = "mcp__shop__refund", `{"order":"W-1",  "amount":12.50,"note":"für <b> & ☂"}`
	return receipt.Receipt{Issuer: "https://gate.example", Audience: "shop", ID: "p_abc", Issued: now, Expires: now + 60, Tenant: "acme", Agent: "bot",
		Tool: tool, Digest: receipt.Digest(tool, []byte(arguments)), Decision: receipt.Approved,
		Approvers: []receipt.Approver{{Name: "alice", Channel: "page", At: now - 10}, {Name: "bob", Channel: "api", At: now - 5}}, Policy: "sha256:policy", Rule: "two people", Edited: true}
}

const sampleArguments = `{"order":"W-1",  "amount":12.50,"note":"für <b> & ☂"}`

// makeVectors makes the file of vectors.
func makeVectors(t *testing.T) []byte {
	a, b, c := signer(t, seedA+"\n"+seedB), signer(t, seedB), signer(t, seedC)
	base := sample()
	v := vectors{Keys: a.JWKS(), Now: now, Issuer: base.Issuer, Tenant: base.Tenant, Audience: base.Audience, Tool: base.Tool, Arguments: sampleArguments}
	add := func(x vector) { v.Cases = append(v.Cases, x) }
	with := func(s *receipt.Signer, change func(*receipt.Receipt)) string {
		r := sample()
		change(&r)
		return s.Sign(&r)
	}
	none := func(*receipt.Receipt) {}
	good := with(a, none)
	parts := strings.Split(good, ".")
	encode := base64.RawURLEncoding.EncodeToString
	private := func(s string) ed25519.PrivateKey {
		seed, _ := base64.StdEncoding.DecodeString(strings.TrimPrefix(s, "ed25519-seed:"))
		return ed25519.NewKeyFromSeed(seed)
	}
	headed := func(head string) string {
		text := encode([]byte(head)) + "." + parts[1]
		return text + "." + encode(ed25519.Sign(private(seedA), []byte(text)))
	}
	var head map[string]string
	text, _ := base64.RawURLEncoding.DecodeString(parts[0])
	json.Unmarshal(text, &head)
	none0, empty := "other", ""
	add(vector{Name: "approved", Receipt: good})
	add(vector{Name: "a key that no longer signs", Receipt: with(b, none)})
	add(vector{Name: "clocks differ by the leeway", Receipt: good, Now: now - 5})
	add(vector{Name: "the last second", Receipt: good, Now: now + 64})
	add(vector{Name: "no server on both sides", Receipt: with(a, func(r *receipt.Receipt) { r.Audience = "" }), Audience: &empty})
	for _, d := range []string{receipt.Remembered, receipt.Conversation, receipt.ByRule} {
		say := with(a, func(r *receipt.Receipt) { r.Decision = d })
		add(vector{Name: d + " where only an approver counts", Receipt: say, Refused: "decision"})
		add(vector{Name: d + " where it counts", Receipt: say, Decisions: []string{receipt.Approved, d}})
	}
	add(vector{Name: "an unknown key", Receipt: with(c, none), Refused: "key"})
	add(vector{Name: "another issuer", Receipt: good, Issuer: "https://gate.example.org", Refused: "issuer"})
	add(vector{Name: "another tenant", Receipt: good, Tenant: "acme2", Refused: "issuer"})
	add(vector{Name: "another server", Receipt: good, Audience: &none0, Refused: "audience"})
	add(vector{Name: "a server where none is wanted", Receipt: good, Audience: &empty, Refused: "audience"})
	add(vector{Name: "no server where one is wanted", Receipt: with(a, func(r *receipt.Receipt) { r.Audience = "" }), Refused: "audience"})
	add(vector{Name: "another tool", Receipt: good, Tool: "mcp__shop__refunds", Refused: "call"})
	add(vector{Name: "a changed argument", Receipt: good, Arguments: strings.Replace(sampleArguments, "12.50", "12.60", 1), Refused: "call"})
	add(vector{Name: "the same value in other bytes", Receipt: good, Arguments: strings.Replace(sampleArguments, "12.50", "12.5", 1), Refused: "call"})
	add(vector{Name: "other spaces", Receipt: good, Arguments: strings.Replace(sampleArguments, ",  ", ",", 1), Refused: "call"})
	add(vector{Name: "not valid yet", Receipt: good, Now: now - 6, Refused: "early"})
	add(vector{Name: "expired", Receipt: good, Now: now + 65, Refused: "expired"})
	add(vector{Name: "alg none", Receipt: encode([]byte(`{"alg":"none"}`)) + "." + parts[1] + ".", Refused: "key"})
	add(vector{Name: "no signature", Receipt: parts[0] + "." + parts[1] + ".", Refused: "form"})
	add(vector{Name: "HS256 with the public key", Receipt: headed(`{"alg":"HS256","kid":"` + head["kid"] + `","typ":"boundcheck-receipt+jwt"}`), Refused: "key"})
	add(vector{Name: "a key in the header", Receipt: headed(`{"alg":"EdDSA","jwk":{"kty":"OKP","crv":"Ed25519","x":"` + encode(private(seedC).Public().(ed25519.PublicKey)) + `"},"kid":"` + head["kid"] + `","typ":"boundcheck-receipt+jwt"}`), Refused: "key"})
	add(vector{Name: "a critical header", Receipt: headed(`{"alg":"EdDSA","crit":["x"],"kid":"` + head["kid"] + `","typ":"boundcheck-receipt+jwt","x":1}`), Refused: "key"})
	add(vector{Name: "another type", Receipt: headed(`{"alg":"EdDSA","kid":"` + head["kid"] + `","typ":"JWT"}`), Refused: "key"})
	add(vector{Name: "two members alg", Receipt: headed(`{"alg":"EdDSA","alg":"none","kid":"` + head["kid"] + `","typ":"boundcheck-receipt+jwt"}`), Refused: "key"})
	add(vector{Name: "spaces in the header", Receipt: headed(`{"alg": "EdDSA","kid":"` + head["kid"] + `","typ":"boundcheck-receipt+jwt"}`), Refused: "key"})
	add(vector{Name: "padding", Receipt: good + "==", Refused: "form"})
	add(vector{Name: "a line feed", Receipt: good + "\n", Refused: "form"})
	add(vector{Name: "a line feed inside", Receipt: good[:len(good)-4] + "\n" + good[len(good)-4:], Refused: "form"})
	add(vector{Name: "a fourth part", Receipt: good + ".", Refused: "form"})
	add(vector{Name: "the standard alphabet", Receipt: parts[0] + "." + parts[1] + "." + strings.NewReplacer("-", "+", "_", "/").Replace(parts[2][:85]) + "+", Refused: "form"})
	add(vector{Name: "bits beyond the signature", Receipt: good[:len(good)-1] + string(nextLetter(good[len(good)-1])), Refused: "form"})
	add(vector{Name: "a signature of another receipt", Receipt: parts[0] + "." + parts[1] + "." + strings.Split(with(a, func(r *receipt.Receipt) { r.ID = "p_abd" }), ".")[2], Refused: "signature"})
	add(vector{Name: "nothing", Receipt: "", Refused: "form"})
	add(vector{Name: "a signed text that is no receipt", Receipt: with(a, func(r *receipt.Receipt) { r.ID = "" }), Refused: "form"})
	out, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return append(out, '\n')
}

// nextLetter returns the letter of base64url after this one. The last letter of a signature
// has four bits that mean nothing.
func nextLetter(c byte) byte {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	return letters[strings.IndexByte(letters, c)+1]
}

func (v *vectors) options(t testing.TB, x vector) receipt.Options {
	t.Helper()
	keys, err := receipt.ReadKeys(string(v.Keys))
	if err != nil {
		t.Fatal(err)
	}
	o := receipt.Options{Keys: keys, Issuer: v.Issuer, Tenant: v.Tenant, Audience: v.Audience, Decisions: x.Decisions}
	at := v.Now
	if x.Now != 0 {
		at = x.Now
	}
	if x.Issuer != "" {
		o.Issuer = x.Issuer
	}
	if x.Tenant != "" {
		o.Tenant = x.Tenant
	}
	if x.Audience != nil {
		o.Audience = *x.Audience
	}
	o.Now = func() time.Time { return time.Unix(at, 0) }
	return o
}

func newVerifier(t testing.TB, o receipt.Options) *receipt.Verifier {
	t.Helper()
	v, err := receipt.NewVerifier(o)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func codeOf(err error) string {
	var e *receipt.Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// TestVectors checks the cases of the vectors, and that the file is what the signer makes.
// With UPDATE=1, it writes the file.
func TestVectors(t *testing.T) {
	const file = "testdata/vectors.json"
	want := makeVectors(t)
	if os.Getenv("UPDATE") == "1" {
		if err := os.WriteFile(file, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(file)
	if err != nil || string(text) != string(want) {
		t.Fatalf("the vectors are not those of the signer: %v; UPDATE=1 writes them", err)
	}
	var v vectors
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	for _, x := range v.Cases {
		tool, arguments := v.Tool, v.Arguments
		if x.Tool != "" {
			tool = x.Tool
		}
		if x.Arguments != "" {
			arguments = x.Arguments
		}
		check := newVerifier(t, v.options(t, x))
		_, err := check.Verify(context.Background(), x.Receipt, tool, []byte(arguments))
		if codeOf(err) != x.Refused || (err == nil) != (x.Refused == "") {
			t.Errorf("%s: %v, want %q", x.Name, err, x.Refused)
		}
		if _, again := check.Verify(context.Background(), x.Receipt, tool, []byte(arguments)); x.Refused == "" && codeOf(again) != "used" {
			t.Errorf("%s, a second time: %v", x.Name, again)
		}
	}
}

// TestEveryBit flips each single bit of a receipt, of the arguments and of the tool's name.
// The verifier refuses each, and still accepts the receipt itself after all of them.
func TestEveryBit(t *testing.T) {
	r := sample()
	keys := signer(t, seedA)
	text := keys.Sign(&r)
	all, _ := receipt.ReadKeys(string(keys.JWKS()))
	v := newVerifier(t, receipt.Options{Keys: all, Issuer: r.Issuer, Tenant: r.Tenant, Audience: r.Audience, Now: func() time.Time { return time.Unix(now, 0) }})
	tried := 0
	try := func(what string, n int, make func([]byte) (string, string, []byte)) {
		for i := range 8 * n {
			a, b, c := make([]byte{byte(i / 8), byte(i / 8 >> 8), byte(i % 8)})
			tried++
			if _, err := v.Verify(context.Background(), a, b, c); codeOf(err) == "" {
				t.Fatalf("%s, bit %d: %v", what, i, err)
			}
		}
	}
	flip := func(s string, at []byte) string {
		b := []byte(s)
		b[int(at[0])|int(at[1])<<8] ^= 1 << at[2]
		return string(b)
	}
	try("receipt", len(text), func(at []byte) (string, string, []byte) { return flip(text, at), r.Tool, []byte(sampleArguments) })
	try("tool", len(r.Tool), func(at []byte) (string, string, []byte) { return text, flip(r.Tool, at), []byte(sampleArguments) })
	try("arguments", len(sampleArguments), func(at []byte) (string, string, []byte) { return text, r.Tool, []byte(flip(sampleArguments, at)) })
	for i := range len(text) { // and each cut
		if _, err := v.Verify(context.Background(), text[:i], r.Tool, []byte(sampleArguments)); codeOf(err) == "" {
			t.Fatalf("cut at %d: %v", i, err)
		}
	}
	if got, err := v.Verify(context.Background(), text, r.Tool, []byte(sampleArguments)); err != nil || got.ID != r.ID || !slices.Equal(got.Approvers, r.Approvers) {
		t.Errorf("%+v, %v", got, err)
	}
	if tried < 5000 {
		t.Errorf("only %d bits", tried)
	}
}

// TestDigestIsTheGates compares the digest with the gate's own.
func TestDigestIsTheGates(t *testing.T) {
	for _, c := range [][2]string{{"", ""}, {"a", "{}"}, {"mcp__shop__refund", sampleArguments}, {"a{", "}"}, {"a", "{}\n"}} {
		if got, want := receipt.Digest(c[0], []byte(c[1])), proposal.Digest(c[0], c[1]); got != want {
			t.Errorf("%q: %s, want %s", c, got, want)
		}
	}
}

// TestOnceAmongMany lets many goroutines verify one receipt: exactly one is told yes.
func TestOnceAmongMany(t *testing.T) {
	r, keys := sample(), signer(t, seedA)
	all, _ := receipt.ReadKeys(string(keys.JWKS()))
	v := newVerifier(t, receipt.Options{Keys: all, Issuer: r.Issuer, Tenant: r.Tenant, Audience: r.Audience, Now: func() time.Time { return time.Unix(now, 0) }})
	text := keys.Sign(&r)
	var yes atomic.Int32
	var group sync.WaitGroup
	for range 64 {
		group.Go(func() {
			if _, err := v.Verify(context.Background(), text, r.Tool, []byte(sampleArguments)); err == nil {
				yes.Add(1)
			} else if codeOf(err) != "used" {
				t.Error(err)
			}
		})
	}
	if group.Wait(); yes.Load() != 1 {
		t.Errorf("%d were told yes", yes.Load())
	}
}

// TestMemoryNeverForgets checks that a full memory refuses rather than to forget a receipt
// that is still valid, that a refused receipt is not used up, and that an error of Spend
// runs nothing.
func TestMemoryNeverForgets(t *testing.T) {
	at := time.Unix(now, 0)
	m := receipt.Memory{Limit: 2, Now: func() time.Time { return at }}
	ctx := context.Background()
	for _, step := range []struct {
		id    string
		after time.Duration
		fresh bool
		fails bool
	}{{"a", 0, true, false}, {"b", 0, true, false}, {"a", 0, false, false}, {"c", 0, false, true}, {"c", time.Minute, false, true}, {"c", time.Minute + 1, true, false}} {
		at = time.Unix(now, 0).Add(step.after)
		fresh, err := m.Spend(ctx, step.id, time.Unix(now, 0).Add(time.Minute))
		if fresh != step.fresh || (err != nil) != step.fails {
			t.Errorf("%+v: %v %v", step, fresh, err)
		}
	}
	r, keys := sample(), signer(t, seedA)
	all, _ := receipt.ReadKeys(string(keys.JWKS()))
	broken := true
	v := newVerifier(t, receipt.Options{Keys: all, Issuer: r.Issuer, Tenant: r.Tenant, Audience: r.Audience, Now: func() time.Time { return time.Unix(now, 0) },
		Spend: func(context.Context, string, time.Time) (bool, error) {
			if broken {
				return true, errors.New("the store is down")
			}
			return true, nil
		}})
	text := keys.Sign(&r)
	if got, err := v.Verify(ctx, text, r.Tool, []byte(sampleArguments)); err == nil || got != nil {
		t.Error("accepted without its mark")
	}
	broken = false
	if _, err := v.Verify(ctx, text, r.Tool, []byte(sampleArguments)); err != nil {
		t.Error(err)
	}
}

// TestKeysAreRead checks which keys a gate and a verifier take.
func TestKeysAreRead(t *testing.T) {
	s := signer(t, seedA+" ed25519:whatever follows\n\n"+seedB+";")
	set := string(s.JWKS())
	if keys, err := receipt.ReadKeys(set); err != nil || len(keys) != 2 {
		t.Errorf("%d keys, %v", len(keys), err)
	}
	for _, bad := range []string{"", "ed25519-seed:AAAA", "ed25519:" + strings.TrimPrefix(seedA, "ed25519-seed:"), strings.TrimSuffix(seedA, "=")} {
		if _, err := receipt.ReadSigner(bad); err == nil {
			t.Errorf("signs with %q", bad)
		}
	}
	for _, bad := range []string{"", "{}", `{"keys":[]}`, seedA, strings.Replace(set, "OKP", "RSA", 1), strings.Replace(set, `"kid":"`, `"kid":"x`, 1), strings.Replace(set, "EdDSA", "HS256", 1), set[:20]} {
		if keys, err := receipt.ReadKeys(bad); err == nil {
			t.Errorf("%d keys of %q", len(keys), bad)
		}
	}
	if _, err := receipt.ReadSigner("ed25519:A6EHv/POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg=\n" + seedB); err == nil {
		t.Error("a key that signs must be the first")
	}
	keys, _ := receipt.ReadKeys(set)
	for _, o := range []receipt.Options{{}, {Keys: keys}, {Keys: keys, Issuer: "x"}, {Keys: keys, Tenant: "x"}, {Keys: keys, Issuer: "x", Tenant: "x", Leeway: time.Hour}, {Keys: []ed25519.PublicKey{{1}}, Issuer: "x", Tenant: "x"}} {
		if _, err := receipt.NewVerifier(o); err == nil {
			t.Errorf("%+v", o)
		}
	}
}
