package reference

import (
	"strings"
	"testing"
)

// TestCompareNamesArguments checks that a path in compare leads to an argument of the step.
func TestCompareNamesArguments(t *testing.T) {
	for text, want := range map[string]string{
		`[{"name":"refund","arguments":{"id":7},"compare":["idd"]}]`:                    `"compare" names the argument "idd"`,
		`[{"name":"refund","arguments":{"id":7},"compare":["id","amount"]}]`:            `"compare" names the argument "amount"`,
		`[{"name":"refund","arguments":{"id":7},"compare":["id"]}]`:                     "",
		`[{"name":"refund","arguments":{"id":7},"compare":[]}]`:                         "",
		`[{"name":"refund","arguments":{"items":[{"id":1}]},"compare":["items.#.id"]}]`: "",
		`[{"name":"refund","arguments":{"pay":{"id":1}},"compare":["pay.id"]}]`:         "",
	} {
		_, err := Read(text)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
