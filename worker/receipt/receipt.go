// Package receipt signs and verifies receipts of the confirmation gate. A receipt is a
// compact JWS (RFC 7515, EdDSA of RFC 8037) that says which call was handed out to run
// once, and who decided it. A tool server that demands a receipt runs nothing for an agent
// that goes around the gate.
//
// The package needs only the standard library, so that tool servers can import it.
package receipt

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// The names under which a receipt travels.
const (
	Header        = "Boundcheck-Receipt"                // of HTTP requests to a tool server
	Meta          = "io.github.boundcheck/receipt"      // in _meta of tools/call: the receipt
	MetaArguments = "io.github.boundcheck/arguments"    // in _meta of tools/call: the exact text of the arguments
	KeysPath      = "/.well-known/boundcheck/jwks.json" // of the gate's public keys
)

// How a call was decided.
const (
	Approved     = "approved"     // approvers said yes to exactly this call
	Remembered   = "remembered"   // an approver's earlier yes covers it
	Conversation = "conversation" // the author of the user's messages said yes, which a program can be, too
	ByRule       = "rule"         // the policy asked nobody
)

// Receipt is what the gate says about one call that it handed out. Times are Unix seconds.
type Receipt struct {
	Issuer    string     `json:"iss"`
	Audience  string     `json:"aud,omitempty"` // the tool server; "" if the gate has none configured for the tool
	ID        string     `json:"jti"`           // of the call, which is handed out at most once
	Issued    int64      `json:"iat"`           // when it was handed out
	Expires   int64      `json:"exp"`           // the end of the time in which it may begin to run
	Tenant    string     `json:"tenant"`
	Agent     string     `json:"agent"` // who proposed and claimed it: a name, or its hash
	Tool      string     `json:"tool"`
	Digest    string     `json:"digest"` // of tool and arguments, see Digest
	Decision  string     `json:"decision"`
	Approvers []Approver `json:"approvers,omitempty"` // in the order of their decisions
	Policy    string     `json:"policy"`              // version of the policy that judged the call
	Rule      string     `json:"rule,omitempty"`      // of the policy, if one applied
	Edited    bool       `json:"edited,omitempty"`    // an approver wrote the arguments
}

// Approver is who said yes, in whose place, through which channel, and when.
type Approver struct {
	Name    string `json:"name"`          // or its hash
	For     string `json:"for,omitempty"` // by a delegation, in the place of this approver: a name, or its hash
	Channel string `json:"channel,omitempty"`
	At      int64  `json:"at,omitempty"`
}

// Digest returns the digest of a call: "sha256:" and the hash of a fixed tag, the tool's
// name and the raw bytes of its arguments, each after its length. O(n).
func Digest(tool string, arguments []byte) string {
	h := sha256.New()
	for _, field := range [][]byte{[]byte("boundcheck.call/1"), []byte(tool), arguments} {
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(field))))
		h.Write(field)
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}

// MCPTool returns the name under which the gate knows a tool of an MCP server. The first
// parameter is the server's name at the gate.
func MCPTool(server, tool string) string { return "mcp__" + server + "__" + tool }

// HashedName returns the hash that stands for a name in a receipt without names. Whoever
// knows a name can compute it: it hides names only from those who do not know them.
func HashedName(tenant, name string) string {
	sum := sha256.Sum256([]byte("boundcheck.name/1\n" + tenant + "\n" + name))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// The forms of an Ed25519 key as text: its seed, which signs, and its public half, each with
// 32 bytes in base64. "boundcheck audit key" prints both.
const (
	SeedPrefix   = "ed25519-seed:"
	PublicPrefix = "ed25519:"
)

// ReadSeed returns the key with this seed, as text.
func ReadSeed(word string) (ed25519.PrivateKey, error) {
	b, err := read32(word, SeedPrefix)
	if err != nil {
		return nil, err
	}
	return ed25519.NewKeyFromSeed(b), nil
}

// ReadPublic returns the public key, given as text.
func ReadPublic(word string) (ed25519.PublicKey, error) { return read32(word, PublicPrefix) }

// PublicText returns a public key as text.
func PublicText(public ed25519.PublicKey) string {
	return PublicPrefix + base64.StdEncoding.EncodeToString(public)
}

func read32(word, prefix string) ([]byte, error) {
	digits, ok := strings.CutPrefix(word, prefix)
	b, err := base64.StdEncoding.Strict().DecodeString(digits)
	if !ok || err != nil || len(b) != 32 {
		return nil, fmt.Errorf(`want %s and then 32 bytes in base64; "boundcheck audit key" prints such a key`, prefix)
	}
	return b, nil
}

var encoding = base64.RawURLEncoding

// decodeExactly decodes a part of a compact JWS. It refuses every text that is not the
// one encoding of its bytes, such as one with a line feed.
func decodeExactly(text string) ([]byte, bool) {
	b, err := encoding.DecodeString(text)
	return b, err == nil && encoding.EncodeToString(b) == text
}

// keyID returns the thumbprint (RFC 7638) of a public key.
func keyID(public ed25519.PublicKey) string {
	sum := sha256.Sum256([]byte(`{"crv":"Ed25519","kty":"OKP","x":"` + encoding.EncodeToString(public) + `"}`))
	return encoding.EncodeToString(sum[:])
}

// headOf returns the only first part that a receipt of a key may have. No other is read,
// so no receipt can name its own algorithm or key.
func headOf(id string) string {
	return encoding.EncodeToString([]byte(`{"alg":"EdDSA","kid":"` + id + `","typ":"boundcheck-receipt+jwt"}`))
}

// Signer signs receipts. Make it with ReadSigner.
type Signer struct {
	private ed25519.PrivateKey
	head    string
	public  []ed25519.PublicKey
}

// ReadSigner reads the keys of a gate: lines with a key each, as "boundcheck audit key"
// prints them; a semicolon also ends a line. The first key signs. The others, of which
// the public half is enough, stay published, so that receipts signed before a change of
// the key are still accepted.
func ReadSigner(text string) (*Signer, error) {
	s := &Signer{}
	for i, line := range strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == ';' }) {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		var public ed25519.PublicKey
		var err error
		if strings.HasPrefix(words[0], SeedPrefix) {
			var private ed25519.PrivateKey
			if private, err = ReadSeed(words[0]); err == nil {
				public = private.Public().(ed25519.PublicKey)
			}
			if s.private == nil && len(s.public) == 0 {
				s.private, s.head = private, headOf(keyID(public))
			}
		} else {
			public, err = ReadPublic(words[0])
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: invalid key: %w", i+1, err)
		}
		s.public = append(s.public, public)
	}
	if s.private == nil {
		return nil, fmt.Errorf("the first key must be the one that signs: %s and then 32 bytes in base64", SeedPrefix)
	}
	return s, nil
}

// Sign returns a receipt as a compact JWS. The same receipt always gives the same text.
func (s *Signer) Sign(r *Receipt) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(r); err != nil {
		panic(err) // it has only texts and numbers
	}
	text := s.head + "." + encoding.EncodeToString(bytes.TrimSpace(b.Bytes()))
	return text + "." + encoding.EncodeToString(ed25519.Sign(s.private, []byte(text)))
}

// jwk is one public key of a set (RFC 8037).
type jwk struct {
	Kty string `json:"kty"`
	Crv string `json:"crv"`
	X   string `json:"x"`
	Kid string `json:"kid"`
	Alg string `json:"alg"`
	Use string `json:"use"`
}

type jwks struct {
	Keys []jwk `json:"keys"`
}

// JWKS returns the public keys as a JSON Web Key Set.
func (s *Signer) JWKS() []byte {
	set := jwks{Keys: []jwk{}}
	for _, public := range s.public {
		set.Keys = append(set.Keys, jwk{"OKP", "Ed25519", encoding.EncodeToString(public), keyID(public), "EdDSA", "sig"})
	}
	b, _ := json.Marshal(set)
	return b
}

// ReadKeys reads the public keys of a gate: its JSON Web Key Set, or words of the form
// "ed25519:…". A set with another sort of key, or with a key under another id than its
// own, is an error.
func ReadKeys(text string) (all []ed25519.PublicKey, err error) {
	if strings.HasPrefix(strings.TrimSpace(text), "{") {
		var set jwks
		if err := json.Unmarshal([]byte(text), &set); err != nil {
			return nil, fmt.Errorf("invalid key set: %w", err)
		}
		for i, k := range set.Keys {
			x, ok := decodeExactly(k.X)
			if !ok || len(x) != ed25519.PublicKeySize || k.Kty != "OKP" || k.Crv != "Ed25519" || k.Alg != "EdDSA" || k.Kid != keyID(x) {
				return nil, fmt.Errorf("invalid key set: key %d is not an Ed25519 key of a gate", i)
			}
			all = append(all, x)
		}
	} else {
		for _, word := range strings.Fields(text) {
			public, err := ReadPublic(word)
			if err != nil {
				return nil, fmt.Errorf("invalid public key: %w", err)
			}
			all = append(all, public)
		}
	}
	if len(all) == 0 {
		return nil, errors.New("no keys: want a JSON Web Key Set, or words of the form ed25519:…")
	}
	return all, nil
}
