package words

import "github.com/boundcheck/boundcheck/core/report"

// This file has the words for the terms of a report. The page has the same ones: go run ./wasm/gen
// writes them into its module terms.js.

// Terms are keys of a report with their words. A list needs no code when the program starts.
type Terms [][2]string

// Word returns the words for a key, or the key if it has none.
func (t Terms) Word(key string) string {
	for _, term := range t {
		if term[0] == key {
			return term[1]
		}
	}
	return key
}

// Ops says how a row of the run and one of the reference lie beside each other.
var Ops = Terms{{"match", "match"}, {"substitution", "differs"}, {"insertion", "extra"}, {"deletion", "missing"}}

// Pairs says the same of the rows of two runs beside each other.
var Pairs = Terms{{"match", "same"}, {"substitution", "differs"}, {"insertion", "only left"}, {"deletion", "only right"}}

// Verdicts says what the verdict on a row is. "uncertain" is a row with a hint, and "found" one with
// a finding of a run without a reference.
var Verdicts = Terms{{"correct", "kept"}, {"excused", "excused"}, {"note", "note"}, {"uncertain", "uncertain"}, {"violation", "broken"}, {"found", "finding"}}

// Effects says what an action may do to its surroundings, by whether it is mutating. An action of
// control has the key "control".
var Effects = Terms{{"yes", "changes state"}, {"no", "reads only"}, {"unknown", "may change state"}, {"control", "talks or thinks"}}

// Effect returns the words for an action.
func Effect(a *report.Action) string {
	if a.Control {
		return Effects.Word("control")
	}
	return Effects.Word(string(a.Mutating))
}

// Askers says by whom an action was asked for, before the place of the words: "the user, message 3".
// A user who agreed to words of the agent has the key "agreed".
var Askers = Terms{{"user", "the user,"}, {"agreed", "the user, who agreed to"}, {"developer", "the instructions,"}}

// Asker returns the words for a request of a person.
func Asker(q *report.Asked) string {
	if q.By == "user" && q.Agreed {
		return Askers.Word("agreed")
	}
	return Askers.Word(q.By)
}
