package machine

import (
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
)

// Judge returns the classifier's verdict on a tool whose arguments are not known yet. It
// uses the policy's table and definitions. final reports whether calls of the tool may
// have a permanent effect. An untrusted definition of the tool can only make the verdict
// stricter.
func (p *Policy) Judge(t mutation.Tool) (v mutation.Verdict, final bool) {
	ours := p.Definitions[:len(p.Definitions):len(p.Definitions)]
	if t.Trusted {
		ours = append(ours, t)
	}
	v = mutation.New(ours, p.tableFor(t.Name)).WithHosts(p.Hosts).Advised(p.Advisor).Classify(t.Name, jsonval.Value{})
	if !t.Trusted && p.Hears(t) && !v.Counts() {
		if theirs := mutation.New(append(ours, t), p.tableFor(t.Name)).WithHosts(p.Hosts).Advised(p.Advisor).Classify(t.Name, jsonval.Value{}); theirs.Counts() {
			v = theirs
		}
	}
	return v, isDestructive(t.Name, proposal.Decision{Layer: v.Layer}, ours, []mutation.Tool{t})
}

// Hears reports whether an untrusted definition of a tool can affect the verdict. This is
// always so if the policy does not define the tool. Otherwise the definition must say
// that the tool changes something or is destructive.
func (p *Policy) Hears(t mutation.Tool) bool {
	for i := range p.Definitions {
		if p.Definitions[i].Name == t.Name {
			a := t.Annotations
			return a.ReadOnly != nil && !*a.ReadOnly || a.Destructive != nil && *a.Destructive
		}
	}
	return true
}
