// Package mutation reports whether one call changes the environment: yes, no, or
// unknown, and unknown counts as yes wherever it matters.
//
// A verdict has a start and evidence on top of it (evidence.go). The start is what
// the operator says of the tool: the table, a reviewed host table, a definition
// with its schema, hints and description; without any, the words of the name. The
// evidence is what the call brings along. It may only raise the start: members that
// ask for a change, name a file to write, carry a command or a content. The one
// exception are tools that run a text (a command line, a query, an HTTP request, an
// expression, one of several declared operations): they read when their whole
// arguments are proven to read.
//
// Control actions (thinking aloud, arithmetic, asking or answering the user,
// handing over to a person, finishing) are a class of their own: they change no
// environment state, and they are recognised by what their words mean. With an
// entity or an amount they are calls like others. The lexicon holds single English
// words; tools of well-known hosts are rows of hosts.txt, each table with its
// source.
package mutation

// Tri is a verdict with three values. The zero value is Unknown, so that a
// forgotten verdict errs on the safe side.
type Tri uint8

// The three verdicts, in no order of strictness: No < Unknown < Yes there.
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

// MarshalText writes the verdict as its word, for JSON.
func (t Tri) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// rank orders verdicts by strictness.
func (t Tri) rank() int { return [...]int{1, 0, 2}[t] }

// Layer names the kind of evidence that a verdict rests on.
type Layer string

// The layers, in the order in which they are asked.
const (
	LayerTable       Layer = "table"       // the operator's own word
	LayerAnnotation  Layer = "annotation"  // MCP hints
	LayerHTTP        Layer = "http"        // the HTTP method
	LayerSQL         Layer = "sql"         // the statement's kind
	LayerShell       Layer = "shell"       // the command line
	LayerArgument    Layer = "argument"    // names and values of arguments
	LayerName        Layer = "name"        // the verb lexicon over the name
	LayerDescription Layer = "description" // the description's leading verb
	LayerPlugin      Layer = "plugin"      // a plugin's word, which may only raise
	LayerNone        Layer = "none"        // nothing said anything
)

// Verdict is the classifier's verdict on one call, with the reason. Control implies
// Mutating == No.
type Verdict struct {
	Mutating Tri    `json:"mutating"`
	Control  bool   `json:"control,omitempty"`
	Layer    Layer  `json:"layer"`
	Reason   string `json:"reason"`
}

// Counts reports whether the call must be treated as mutating: yes or unknown,
// and not a control action.
func (v Verdict) Counts() bool { return v.Mutating != No && !v.Control }

// stricter returns the stricter of two verdicts, the first one on a tie.
func stricter(a, b Verdict) Verdict {
	if b.Mutating.rank() > a.Mutating.rank() {
		return b
	}
	return a
}

// Raise returns the verdict combined with that of another source, which can only make
// it stricter: no < unknown < yes. It does not change the operator's own word.
func (v Verdict) Raise(word Tri, layer Layer, reason string) Verdict {
	if v.Layer == LayerTable {
		return v
	}
	return stricter(v, says(word, layer, reason))
}

func says(m Tri, layer Layer, reason string) Verdict {
	return Verdict{Mutating: m, Layer: layer, Reason: reason}
}

func control(layer Layer, reason string) Verdict {
	return Verdict{Mutating: No, Control: true, Layer: layer, Reason: reason}
}
