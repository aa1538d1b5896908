package violation_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestConfirmedValues draws a value that nobody said: the change uses it after a call that looks it up and whose answer has words,
// or after one for another value, or whose answer is empty. Only the first says that a tool knows it.
func TestConfirmedValues(t *testing.T) {
	random := rand.New(rand.NewPCG(44, 32))
	for range drawn.Cases(60) {
		n := 1000 + random.IntN(9000)
		value, answer := fmt.Sprintf("mia%d@studio.example", n), "Mia: the room is free on Wednesdays."
		known := random.IntN(3)
		asked := value
		switch known {
		case 1:
			asked = fmt.Sprintf("mia%d@studio.example", n+1)
		case 2:
			answer = "[]"
		}
		trace := newTalk("user: Write to Mia that we take the room.", `call: get_thread {"with":"`+asked+`"}`, `call: send_reply {"to":"`+value+`","body":"We take it."}`)
		trace = strings.Replace(trace, `"content":"ok"`, fmt.Sprintf(`"content":%q`, answer), 1)
		found := false
		for _, v := range traceViolations(t, trace, "", "auto") {
			found = found || v.Rule == "ungrounded-value"
		}
		if found != (known > 0) {
			t.Fatalf("%s: found %v", trace, found)
		}
	}
}
