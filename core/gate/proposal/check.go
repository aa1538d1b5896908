// Package proposal decides what happens to a call before it runs: it allows a call that
// changes nothing, and holds any other for confirmation. Unknown counts as a change.
//
// Everything here is a pure function of its arguments. Confirmation renders the text that
// a person approves from the exact bytes that will run. Digest binds the approval to the
// same bytes. No model writes any of this text. Reflection tells a model the rules of the
// operator's policy, word for word, just before a change.
package proposal

import (
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// SchemaCheck is the version of Decision's JSON form.
const SchemaCheck = "boundcheck.check/1"

// The two decisions.
const (
	Allow   = "allow"   // the call changes nothing: run it
	Confirm = "confirm" // ask the user first
)

// Decision is the gate's answer to one proposal. The same proposal always has the same
// JSON bytes.
type Decision struct {
	// Schema is SchemaCheck.
	Schema string `json:"schema"`
	// Decision is Allow or Confirm.
	Decision string `json:"decision"`
	// Tool is the tool's name exactly as proposed.
	Tool string `json:"tool"`
	// Mutating is the classifier's verdict: yes, no or unknown.
	Mutating mutation.Tri `json:"mutating"`
	// Control marks an action that only steers the dialogue; it is allowed.
	Control bool `json:"control"`
	// Layer names the evidence for the verdict.
	Layer mutation.Layer `json:"layer"`
	// Reason is the reason for the verdict in words.
	Reason string `json:"reason"`
	// Confirmation is the plain text to approve. Show it only as plain text.
	Confirmation string `json:"confirmation"`
	// Uninspectable is true if Confirmation cannot show every byte that will run. Then
	// approving requires an additional explicit step.
	Uninspectable bool `json:"uninspectable"`
	// HiddenBytes is the number of bytes of the arguments that Confirmation does not
	// show.
	HiddenBytes int `json:"hiddenBytes"`
	// Inexact is the number of numbers whose value differs in programs that store numbers
	// as 64-bit floats, such as JavaScript. Approving them requires an additional step.
	Inexact int `json:"inexact,omitempty"`
	// Reflection is the text for the model before the call; "" on Allow.
	Reflection string `json:"reflection"`
	// Sources names the origin of each value, if the conversation before the call is
	// known. It is set only on Confirm, and only for values that can be searched for.
	Sources []Source `json:"sources,omitempty"`
	// Asked says who asked for the call, if the conversation before the call is known. It is
	// set only on Confirm.
	Asked *Asker `json:"asked,omitempty"`
	// Digest binds an approval to the tool, the raw argument bytes and the directory.
	Digest string `json:"digest"`
}

// Check decides one proposal. It never fails. It holds a call that changes something, and a
// call for which perhaps only the data asks, whatever is said about its tool. Arguments that cannot
// be read safely count as mutating, for example if they are not an object or if a member name appears twice.
// The work is bounded by the size of the arguments, the tools and the policy.
func Check(p Proposal) Decision {
	c := newCall(p.Dir, p.Tool, p.Arguments)
	v := mutation.Verdict{Layer: mutation.LayerArgument, Reason: "the arguments cannot be read safely"}
	if c.readable {
		v = p.classifier(p.Table).Once(p.Tool, c.value)
	}
	held := v.Counts()
	if p.Edit != nil {
		held = true
		c.takeEdit(p.Edit)
	} else if c.readable {
		asked := p.traceAsked(c.value, v)
		if held = held || asked.MayBeDataAlone(); held {
			c.sources, c.asked = p.traceSources(c.value), asked
		}
	}
	prompt := c.renderPrompt(v)
	d := Decision{
		Schema:        SchemaCheck,
		Decision:      Allow,
		Tool:          p.Tool,
		Mutating:      v.Mutating,
		Control:       v.Control,
		Layer:         v.Layer,
		Reason:        v.Reason,
		Confirmation:  prompt.Text,
		Uninspectable: prompt.Uninspectable,
		HiddenBytes:   prompt.HiddenBytes,
		Inexact:       prompt.Inexact,
		Digest:        c.digest,
	}
	if held {
		d.Decision = Confirm
		d.Reflection, d.Sources, d.Asked = renderReflection(&c, v, p.Policy), c.sources, c.asked
	}
	if held && !v.Counts() && p.Edit == nil {
		d.Reason += "; but only the data asks for this call"
	}
	return d
}

// classifier returns a classifier that knows what the operator says, with a table.
func (p *Proposal) classifier(table mutation.Table) *mutation.Classifier {
	c := mutation.New(p.Tools, table).WithHosts(p.Hosts).Reading(p.Shell).InShell(p.InShell).ReadingLines(p.Reads).Advised(p.Advisor)
	if p.Elsewhere {
		c.Elsewhere()
	}
	return c
}

// call is a proposal's tool and arguments, analysed once for all parts of a decision.
type call struct {
	dir, tool, arguments, digest string

	value    jsonval.Value // Missing unless readable
	readable bool
	sources  []Source
	asked    *Asker
	edit     *Edit // nil unless an approver wrote the arguments
	changes  []Change
}

func newCall(dir, tool, arguments string) call {
	v, err := inspectArguments(arguments)
	return call{dir: dir, tool: tool, arguments: arguments, digest: DigestIn(dir, tool, arguments), value: v, readable: err == nil}
}

// memberNames returns the names of the arguments and of all their nested members, in text
// order, up to a limit.
func memberNames(v jsonval.Value) (names []string) {
	const enough = 64
	var walk func(v jsonval.Value)
	walk = func(v jsonval.Value) {
		v.Each(func(key string, m jsonval.Value) bool {
			if key != "" {
				names = append(names, key)
			}
			walk(m)
			return len(names) < enough
		})
	}
	walk(v)
	return names
}
