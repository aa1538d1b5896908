package similarity

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// apart has letters that have marks, and the same letters with the marks apart.
var apart = [][2]string{{"é", "e\u0301"}, {"ü", "u\u0308"}, {"ñ", "n\u0303"}, {"å", "a\u030a"}, {"ç", "c\u0327"}, {"й", "и\u0306"}, {"ế", "e\u0302\u0301"}, {"が", "か\u3099"}, {"각", "\u1100\u1161\u11a8"}}

// TestComposedLetters draws arguments with letters that have marks, and writes them in both ways, as
// letters and as escapes. The calls are one call. Without the marks they are another one.
func TestComposedLetters(t *testing.T) {
	r := rand.New(rand.NewPCG(59, 5))
	for range 2000 {
		var one, two, bare strings.Builder
		for range 1 + r.IntN(4) {
			pair := apart[r.IntN(len(apart))]
			word := string(rune('a' + r.IntN(26)))
			one.WriteString(word + pair[0])
			two.WriteString(word + pair[1])
			bare.WriteString(word + string([]rune(pair[1])[:1]))
		}
		form := []string{`{"name":"%s"}`, `{"fields":{"%s":1}}`, `{"body":"a \"b\" c:\\u %s and more text"}`, `{"tags":["x","%s"]}`, `{"rows":[{"%s":"a"},{"b":"y"}]}`, `{"user_id":"%s"}`}[r.IntN(6)]
		key := func(word string) string {
			text := strings.Replace(form, "%s", word, 1)
			if r.IntN(2) == 0 {
				var out strings.Builder
				for _, c := range text {
					if c < 0x80 {
						out.WriteRune(c)
					} else {
						fmt.Fprintf(&out, `\u%04x`, c)
					}
				}
				text = out.String()
			}
			v, err := jsonval.Parse(text)
			if err != nil {
				t.Fatal(text, err)
			}
			c := NewCall("set_fields", v, "", "")
			return c.Key
		}
		if key(one.String()) != key(two.String()) {
			t.Errorf("%s: %q and %q are two calls", form, one.String(), two.String())
		}
		if key(one.String()) == key(bare.String()) {
			t.Errorf("%s: %q and %q are one call", form, one.String(), bare.String())
		}
		if a, b := NewCall("", jsonval.Value{}, "", one.String()), NewCall("", jsonval.Value{}, "", two.String()); a.Key != b.Key {
			t.Errorf("the texts %q and %q are two", one.String(), two.String())
		}
	}
}
