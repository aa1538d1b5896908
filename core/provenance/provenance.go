// Package provenance says where each value in the arguments of an action came from:
// the user said it (which message), a tool returned it (which call), the instructions
// or a schema give it, it follows from known numbers or dates, or it appears nowhere.
//
// The values that are asked about are the index: Trace reads the texts of a run once,
// token by token, and looks each token up among the values' first tokens. A token is a
// run of letters and digits; case and what is between tokens do not matter, so that
// credit_card_7334 is found in "Credit card 7334". Numbers are compared by value
// ("1,234.50" is 1234.5), dates in their usual spellings. Only for values that stand
// nowhere the texts are read a second time: for what differs in one character, for sums
// and products, and for words that shift a date. O(texts + values); each of
// the first 200 values that appear nowhere costs another reading, and a number O(k²) for
// the last k ≤ 256 numbers before it.
//
// The result depends on the texts alone: no clock, no map order.
package provenance

import "github.com/boundcheck/boundcheck/core/jsonval"

// Kind says where a value came from. The kinds are ordered: the first that fits counts.
type Kind uint8

// The kinds.
const (
	User     Kind = iota // the user said it
	Tool                 // a tool returned it
	Policy               // the instructions hold it
	Schema               // a tool's definition holds it
	Computed             // it follows from values that were known
	Nowhere              // nothing before the action holds it, and it identifies something
	Chosen               // a word that nothing holds: an enum, a country, a choice of the agent
	Untraced             // nothing to look for: a truth value, a small count, free text
)

// String returns the kind in one word.
func (k Kind) String() string {
	return [...]string{"user", "tool", "policy", "schema", "computed", "nowhere", "chosen", "untraced"}[k]
}

// Class says what a value is, as far as that decides what its absence means.
type Class uint8

// The classes. Only ID, Number, Money and Date identify something: a value of these that
// appears nowhere was made up. A Word may be an enum, a country or a choice.
const (
	Word  Class = iota
	Free        // free text, a path, a command
	Small       // truth values, small counts, settings
	ID
	Number
	Money
	Date
)

// Exact reports whether a value of the class has to come from somewhere.
func (c Class) Exact() bool { return c >= ID }

// From says who wrote a text.
type From uint8

// The writers of texts. What the agent wrote is no source; it is noted.
const (
	FromUser From = iota
	FromTool
	FromPolicy
	FromSchema
	FromAgent
	writers = int(FromAgent) + 1
)

// Text is one text of a run. A run's texts are in the order in which they were written.
type Text struct {
	From    From
	Message int // index of the message; -1 when there is none
	Call    int // index of the call that returned it; -1 for other texts
	Text    string
}

// Query is one value that is asked about.
type Query struct {
	Path, Key string        // argument path and the nearest member name
	Value     jsonval.Value // a scalar
	Before    int           // how many of the texts were written before the action
}

// Origin says where a value came from.
type Origin struct {
	Path    string
	Raw     string // the value's own text
	Class   Class
	Kind    Kind
	Text    int    // index of the first text that holds it; -1 without one
	Agent   int    // index of the agent's text that named it before; -1 without one
	Formula string // how a computed value follows: "174 × 2", "May 20 shifted"
	Near    *Near  // for Nowhere: a known value that differs in one character or digit
}

// Near is a known value that a made-up one resembles.
type Near struct {
	Value string // as it is in the text, its token alone
	Token string // the token of the made-up value that differs
	Text  int    // index of the text
	Kind  Kind   // User or Tool
}

// Trace returns the origin of every queried value, in the order of the queries. Texts
// at Before and later count as unknown to the query.
func Trace(texts []Text, queries []Query) []Origin {
	ix := newIndex(queries)
	if len(ix.needles) > 0 {
		for i := range texts {
			if i >= ix.last {
				break
			}
			ix.scan(i, texts[i].From, texts[i].Text)
		}
	}
	out := make([]Origin, len(queries))
	for i := range queries {
		out[i] = ix.origin(i, &queries[i])
	}
	second(texts, queries, out)
	return out
}

// kindOf is the kind of a source.
func kindOf(f From) Kind {
	return [...]Kind{User, Tool, Policy, Schema, Nowhere}[f]
}
