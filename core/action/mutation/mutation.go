// Package mutation reports whether one call changes the environment: yes, no, or unknown.
// Unknown counts as yes wherever it matters.
//
// A verdict consists of a start and evidence (evidence.go). The start comes from the
// operator: the table, a reviewed host table, a definition with its schema, hints and
// description; without any, from the words of the name. The evidence comes from the call.
// It can only make the start stricter: members that ask for a change, name a file to
// write, or hold a command or a content. The one exception are tools that run a text (a
// command line, a query, an HTTP request, an expression, one of several declared
// operations): they read if their whole arguments are proven to read.
//
// Control actions (thinking aloud, arithmetic, asking or answering the user, handing over
// to a person, finishing) are a separate class: they change no environment state, and are
// recognised by the meaning of their words. With an entity or an amount they are ordinary
// calls. The lexicon holds single English words. Tools of well-known hosts are rows of
// hosts.txt, each table with its source.
package mutation

// Tri is a verdict with three values. The zero value is Unknown, so that a missing
// verdict is on the safe side.
type Tri uint8

// The three verdicts. Their numbers are not in the order of strictness, which is No <
// Unknown < Yes.
const (
	Unknown Tri = iota
	No
	Yes
)

var triNames = [...]string{"unknown", "no", "yes"}

// String returns "unknown", "no" or "yes".
func (t Tri) String() string {
	if int(t) < len(triNames) {
		return triNames[t]
	}
	return triNames[Unknown]
}

// MarshalText returns the same text as String.
func (t Tri) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// rank returns the strictness of a verdict: 0 for No, 1 for Unknown and 2 for Yes.
func (t Tri) rank() int { return [...]int{1, 0, 2}[t] }

// Layer names the kind of evidence on which a verdict is based.
type Layer string

// The layers, in the order in which they are examined.
const (
	LayerTable       Layer = "table"       // the operator's table
	LayerAnnotation  Layer = "annotation"  // MCP hints
	LayerHTTP        Layer = "http"        // the HTTP method
	LayerSQL         Layer = "sql"         // the statement's kind
	LayerShell       Layer = "shell"       // the command line
	LayerArgument    Layer = "argument"    // names and values of arguments
	LayerName        Layer = "name"        // the words of the name
	LayerDescription Layer = "description" // the description's leading verb
	LayerPlugin      Layer = "plugin"      // a plugin's verdict, which can only make a verdict stricter
	LayerNone        Layer = "none"        // no evidence
)

// Verdict is the classifier's verdict on one call, with the reason. Control implies
// Mutating == No.
type Verdict struct {
	Mutating Tri    `json:"mutating"`
	Control  bool   `json:"control,omitempty"`
	Layer    Layer  `json:"layer"`
	Reason   string `json:"reason"`
}

// Counts reports whether the call must be treated as a change. The verdicts yes and
// unknown count, but a control action does not count.
func (v Verdict) Counts() bool { return v.Mutating != No && !v.Control }

// stricterVerdict returns the stricter of two verdicts. It returns a if both are equally
// strict.
func stricterVerdict(a, b Verdict) Verdict {
	if b.Mutating.rank() > a.Mutating.rank() {
		return b
	}
	return a
}

// Raise returns the stricter of v and the verdict of another source. The arguments word,
// layer and reason are that verdict, and no < unknown < yes. If v comes from the
// operator's table, Raise returns v.
func (v Verdict) Raise(word Tri, layer Layer, reason string) Verdict {
	if v.Layer == LayerTable {
		return v
	}
	return stricterVerdict(v, newVerdict(word, layer, reason))
}

func newVerdict(m Tri, layer Layer, reason string) Verdict {
	return Verdict{Mutating: m, Layer: layer, Reason: reason}
}

func controlVerdict(layer Layer, reason string) Verdict {
	return Verdict{Mutating: No, Control: true, Layer: layer, Reason: reason}
}
