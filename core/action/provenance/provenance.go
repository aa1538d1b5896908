// Package provenance determines the origin of each value in the arguments of an action:
// the user said it (which message), a tool returned it (which call), the instructions or
// a schema contain it, it follows from known numbers or dates, or it appears nowhere.
//
// The queried values form an index: Trace reads the texts of a run once, token by token,
// and looks up each token among the values' first tokens. A token is a run of letters and
// digits. Case and the characters between tokens do not matter, so that credit_card_7334
// is found in "Credit card 7334". Numbers are compared by value ("1,234.50" is 1234.5),
// dates in their usual spellings. Only for values that appear nowhere, the texts are read
// a second time: for tokens that differ in one character, for sums and products, and for
// words that shift a date. O(texts + values); each of the first 200 values that appear
// nowhere costs another reading, and a number O(k²) for the last k ≤ 256 numbers before
// it.
//
// The result depends only on the texts: on no clock, and on no map order.
package provenance

import "github.com/boundcheck/boundcheck/core/base/jsonval"

// Kind is the origin of a value. The kinds are ordered: the first that applies counts.
type Kind uint8

// The kinds.
const (
	User     Kind = iota // the user said it
	Tool                 // a tool returned it
	Policy               // the instructions contain it
	Schema               // a tool's definition contains it
	Computed             // it follows from values that were known
	Nowhere              // nothing before the action contains it, and it identifies something
	Chosen               // a word that nothing contains: an enum, a country, a choice of the agent
	Untraced             // not searched for: a truth value, a small count, free text
)

// String returns the kind in one word.
func (k Kind) String() string {
	return [...]string{"user", "tool", "policy", "schema", "computed", "nowhere", "chosen", "untraced"}[k]
}

// Class is the class of a value. It determines the meaning of a missing origin.
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

// Exact reports whether a value of the class must have an origin.
func (c Class) Exact() bool { return c >= ID }

// From is the writer of a text.
type From uint8

// The writers of texts. A text of the agent is not a source; Origin.Agent records it.
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
	Message int  // index of the message; -1 if there is none
	Call    int  // index of the call that returned it; -1 for other texts
	Strange bool // it is not known who wrote it: it is data, and perhaps words of a person
	Text    string
}

// Query is one value whose origin is wanted.
type Query struct {
	Path, Key string        // argument path and the nearest member name
	Value     jsonval.Value // a scalar
	Before    int           // the number of texts that were written before the action
}

// Origin is the origin of a value.
type Origin struct {
	Path    string
	Raw     string // the value's own text
	Class   Class
	Kind    Kind
	Text    int    // index of the first text that contains it; -1 if there is none
	Agent   int    // index of the agent's text that named it before; -1 if there is none
	Day     int    // for a date: index of the user's text with its day alone, after the user named its month or in a form that is only a day's, such as 7th; -1 if there is none. The day may be any number, so it is no origin
	Formula string // how a computed value follows: "174 × 2", "May 20 shifted"
	Near    *Near  // for Nowhere: a known value that differs in one character or digit
}

// Near is a known value that is similar to a made-up one.
type Near struct {
	Value string // the single token, as in the text
	Token string // the token of the made-up value that differs
	Text  int    // index of the text
	Kind  Kind   // User or Tool
}

// Trace returns the origin of every queried value, in the order of the queries. For each
// query it considers only the texts whose index is below the query's Before.
func Trace(texts []Text, queries []Query) []Origin {
	ix := newIndex(queries)
	if len(ix.needles) > 0 {
		for i := range texts {
			if i >= ix.last {
				break
			}
			ix.scanText(i, texts[i].From, texts[i].Text)
		}
	}
	out := make([]Origin, len(queries))
	for i := range queries {
		out[i] = ix.valueOrigin(i, &queries[i])
	}
	searchAgain(texts, queries, out)
	return out
}

// kindOf returns the kind of origin that a value has if the given writer wrote it.
func kindOf(f From) Kind {
	return [...]Kind{User, Tool, Policy, Schema, Nowhere}[f]
}
