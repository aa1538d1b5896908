package machine

import (
	"testing"

	"github.com/boundcheck/boundcheck/core/mutation"
)

// TestJudge: a tool by itself, under the policy's table; a definition that is not
// trusted makes the verdict stricter or is not heard.
func TestJudge(t *testing.T) {
	yes, no := true, false
	p, err := ReadPolicy(`{"tools":{"frob":"no"},"definitions":[{"name":"zorp","annotations":{"readOnlyHint":true}}]}`)
	if err != nil {
		t.Fatal(err)
	}
	check := func(tool mutation.Tool, counts, final bool) {
		t.Helper()
		if v, f := p.Judge(tool); v.Counts() != counts || f != final {
			t.Errorf("%+v: %+v, final %v; want %v, %v", tool, v, f, counts, final)
		}
	}
	check(mutation.Tool{Name: "get_x"}, false, false)
	check(mutation.Tool{Name: "get_x", Annotations: mutation.Annotations{ReadOnly: &no}}, true, false)
	check(mutation.Tool{Name: "blorp", Annotations: mutation.Annotations{ReadOnly: &yes}}, true, false)
	check(mutation.Tool{Name: "blorp", Description: "Lists things"}, true, false)
	check(mutation.Tool{Name: "blorp", Annotations: mutation.Annotations{ReadOnly: &yes}, Trusted: true}, false, false)
	check(mutation.Tool{Name: "delete_x"}, true, true)
	check(mutation.Tool{Name: "blorp", Annotations: mutation.Annotations{Destructive: &yes}}, true, true)
	check(mutation.Tool{Name: "frob"}, false, false)
	check(mutation.Tool{Name: "zorp"}, false, false)
}
