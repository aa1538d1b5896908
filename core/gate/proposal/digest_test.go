package proposal

import (
	"crypto/sha256"
	"fmt"
	"testing"
)

// TestDigestEncoding checks the exact bytes that are hashed, because other
// implementations must compute the same digest.
func TestDigestEncoding(t *testing.T) {
	text := "\x00\x00\x00\x00\x00\x00\x00\x11boundcheck.call/1" + "\x00\x00\x00\x00\x00\x00\x00\x01f" + "\x00\x00\x00\x00\x00\x00\x00\x02{}"
	if got, want := Digest("f", "{}"), fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(text))); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestDigestTellsCallsApart checks that the digest changes if any raw byte changes, or if
// bytes move from one field to another.
func TestDigestTellsCallsApart(t *testing.T) {
	if DigestIn("/a", "f", "{}") == Digest("f", "{}") || DigestIn("/a", "f", "{}") == DigestIn("/b", "f", "{}") || DigestIn("", "f", "{}") != Digest("f", "{}") {
		t.Error("the digest does not tell directories apart")
	}
	seen := map[string][2]string{}
	for _, c := range [][2]string{
		{"f", `{"a":1}`}, {"f{", `"a":1}`}, {"", `f{"a":1}`}, {`f{"a":1}`, ""}, {"f\n", `{"a":1}`}, {"f", "\n{\"a\":1}"},
		{"f", `{"a": 1}`}, {"f", `{"a":1.0}`}, {"f", `{"a":1e0}`}, {"f", `{"a":"1"}`}, {"F", `{"a":1}`},
		{"f", `{"a":9007199254740993}`}, {"f", `{"a":9007199254740992}`}, {"f", `{"a":-0}`}, {"f", `{"a":0}`},
		{"f", `{"a":1,"b":2}`}, {"f", `{"b":2,"a":1}`}, {"f", "{\"a\":\"\u00e9\"}"}, {"f", "{\"a\":\"e\u0301\"}"},
		{"f", `{"a":"\u0061"}`}, {"f", `{"a":"a"}`}, {"f\x00", ""}, {"f", "\x00"},
	} {
		d := Digest(c[0], c[1])
		if other, ok := seen[d]; ok {
			t.Errorf("%q and %q have one digest", c, other)
		}
		seen[d] = c
	}
}
