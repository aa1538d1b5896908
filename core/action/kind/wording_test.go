package kind

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// TestWordings draws messages of a few parts, and writes one part of them in another way. The parts say by construction
// whether that changes what the message says.
func TestWordings(t *testing.T) {
	parts := []struct{ text, same, other string }{
		{"The parcel for gate five is ready", "The parcel for gate five is ready, thanks", ""},
		{"Ship the release today 👍", "Ship the release today 👍 😀", "Ship the release today 👎"},
		{"The build of the shop ✅", "The build of the shop ✅ 🙏", "The build of the shop ❌"},
		{"The parade went through the town 🎉", "The parade went through the town", "The parade went through the town 💔"},
		{"Don't! Stop the press", "Don't! Please stop the press", "Don't stop the press"},
		{"No. Start the pump", "No. Please start the pump", "No start the pump"},
		{"Pardon impossible. Execute the order", "Pardon impossible. Please execute the order", "Pardon. Impossible execute the order"},
		{"The password of the safe is Tiger", "The password of the safe is Tiger, thanks", "The password of the safe is tiger"},
		{"The new code of the door is XyZq", "The new code of the door is XyZq, thanks", "The new code of the door is xYzQ"},
		{"Open the door with token sk_LIVE_q", "Please open the door with token sk_LIVE_q", "Open the door with token sk_live_q"},
		{"The form is at https://example.org/AbC", "The form is at https://Example.org/AbC", "The form is at https://example.org/aBc"},
		{"We moved the desks and the chairs to room two", "we moved the desks and the chairs to ROOM two", ""},
	}
	r := rand.New(rand.NewPCG(46, 61))
	changed := 0
	for range 2000 {
		var a, b []string
		differs := false
		for _, i := range r.Perm(len(parts))[:1+r.IntN(3)] {
			p, written := parts[i], ""
			switch written = p.text; r.IntN(3) {
			case 1:
				written = p.same
			case 2:
				if p.other != "" {
					written, differs = p.other, true
				}
			}
			a, b = append(a, p.text), append(b, written)
		}
		x, y := strings.Join(a, ". "), strings.Join(b, ". ")
		if r.IntN(2) == 0 {
			x, y = y, x
		}
		_, o := compareValues("send_message", "text", jsonval.Quoted(x), jsonval.Quoted(y))
		if differs {
			changed++
		}
		if differs == (o == Same) {
			t.Fatalf("%q beside %q: outcome %d, and they differ: %v", x, y, o, differs)
		}
	}
	if changed < 400 {
		t.Error(changed)
	}
}
