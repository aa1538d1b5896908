package machine

import (
	"testing"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
)

// TestJudge checks the verdicts of Judge under a policy with a table and a definition. An
// untrusted definition must make the verdict stricter or have no effect.
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

// launches is an advisor that says yes to tools that launch something.
type launches struct{}

func (launches) Advise(t mutation.Tool) (mutation.Tri, string, bool) {
	return mutation.Yes, "it launches", t.Name == "get_rocket" || t.Name == "frob"
}

// TestAdvisor checks that a call is held if an advisor says that its tool changes
// something. The advisor must not overrule the policy's own verdict on a tool.
func TestAdvisor(t *testing.T) {
	p, err := ReadPolicy(`{"tools":{"frob":"no"}}`)
	if err != nil {
		t.Fatal(err)
	}
	tool := mutation.Tool{Name: "get_rocket"}
	call := proposal.Proposal{Tool: tool.Name, Arguments: "{}"}
	if v, _ := p.Judge(tool); v.Counts() || judgeCall(p, call, &Ask{}, 0).held {
		t.Fatalf("without it: %+v", v)
	}
	p.Advisor = launches{}
	if v, _ := p.Judge(tool); !v.Counts() || v.Layer != mutation.LayerPlugin || !judgeCall(p, call, &Ask{}, 0).held {
		t.Errorf("%+v", v)
	}
	if v, _ := p.Judge(mutation.Tool{Name: "frob"}); v.Counts() || judgeCall(p, proposal.Proposal{Tool: "frob", Arguments: "{}"}, &Ask{By: Principal{Schemas: true}}, 0).held {
		t.Errorf("the operator's word: %+v", v)
	}
	if v, _ := p.Judge(mutation.Tool{Name: "get_x"}); v.Counts() {
		t.Errorf("%+v", v)
	}
}
