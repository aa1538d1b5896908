package match

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// TestHiddenWaysOut checks that no path out of a folder is surely in it, whatever hides its
// dots and slashes: an allow rule must not cover it, and a rule for other folders must select
// it.
func TestHiddenWaysOut(t *testing.T) {
	r := rand.New(rand.NewPCG(47, 33))
	under := read(t, `{"under":"/srv/data"}`)
	hides := []string{"\u200b", "\u00ad", "\ufeff", "\u2060"}
	for range 2000 {
		up := pickOne(r, "."+pickOne(r, hides...)+".", ".."+pickOne(r, hides...), pickOne(r, hides...)+"..", ".. ", "..\u00a0", "..\t", "\t..", "．．", "․․", "‥")
		slash := pickOne(r, "/", "/", "∕", "／")
		place := "/srv/data" + slash + up + slash + up + slash + pickOne(r, "etc/x", "secret", "srv/other")
		if got := under.Is(parse(t, fmt.Sprintf("%q", place)), Context{Doubts: true}); got == Yes {
			t.Fatalf("%q is surely under /srv/data", place)
		}
	}
	for _, name := range []string{"$url", "url[]", "url[0]", "@url", "url=", "url*", "url?", "--url", "Url", "u_r_l", " url"} {
		if FoldName(name) != "url" {
			t.Errorf("%q is read as %q", name, FoldName(name))
		}
	}
	for _, value := range []string{`"\\u0070rod"`, `"p\\x72od"`} {
		if got := read(t, `{"oneOf":["prod"]}`).Is(parse(t, value), Context{Doubts: true}); got != Unknown {
			t.Errorf("%s: %v", value, got)
		}
	}
}
