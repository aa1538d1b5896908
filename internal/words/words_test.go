package words

import (
	"testing"

	"github.com/boundcheck/boundcheck/core/report"
)

// TestCallInOneLine checks that indented JSON is printed on one line.
func TestCallInOneLine(t *testing.T) {
	a := report.Action{Name: "cancel", Arguments: "{\n  \"id\": \"W 7\",\n\t\"n\": 1.50\n}"}
	if got := Call(&a); got != `cancel {"id":"W 7","n":1.50}` {
		t.Errorf("got %s", got)
	}
	a.Arguments = "{\n broken"
	if got := Call(&a); got != `cancel {\u{A} broken` {
		t.Errorf("what is not JSON: got %s", got)
	}
}
