// Package gold corrects the gold of benchmarks: the action lists that runs are held
// to. It has the 42 corrections of τ-Bench Verified (SABER, appendices C and D) as
// data in our own words, and applies them to a file of tasks.
package gold

import (
	_ "embed"
	"encoding/json"
	"sync"
)

// Benchmarks whose tasks are read.
const (
	Tau  = "tau-bench"
	Tau2 = "tau2-bench"
)

// Correction is one heading of the appendices. The paper gives no task ids: Tasks
// has those that the identifiers were found in, by benchmark; a heading may fit
// several tasks.
type Correction struct {
	ID          string              `json:"id"` // A1 to A24 for the airline, R1 to R18 for retail
	Domain      string              `json:"domain"`
	Tasks       map[string][]string `json:"tasks"`
	Identifiers []string            `json:"identifiers"` // all of them stand in the task
	Kinds       []string            `json:"kinds"`
	Rule        string              `json:"rule"`
	Edits       []Edit              `json:"edits"`
	Doubts      []string            `json:"doubts,omitempty"`
	Moot        []string            `json:"moot,omitempty"`     // benchmarks whose first release does not have the fault
	Disputed    bool                `json:"disputed,omitempty"` // the task's own words speak against the correction
}

// Edit is one change of a list of actions. Exactly one of Remove, Set, Replace, Add,
// ReplaceAll, AnyOrder and Optional is there.
type Edit struct {
	Remove     *Pattern                     `json:"remove,omitempty"`
	Set        *Pattern                     `json:"set,omitempty"` // with To: arguments are laid over, one alternative each
	To         []map[string]json.RawMessage `json:"to,omitempty"`
	Replace    *Pattern                     `json:"replace,omitempty"` // with By: another call
	By         *Call                        `json:"by,omitempty"`
	Add        []Call                       `json:"add,omitempty"` // at the end
	ReplaceAll []Call                       `json:"replaceAll,omitempty"`
	AnyOrder   []Pattern                    `json:"anyOrder,omitempty"` // these calls, at the places that they have
	Orders     [][]int                      `json:"orders,omitempty"`   // of AnyOrder, where not every order counts
	Optional   *Pattern                     `json:"optional,omitempty"` // with the call and without
}

// Pattern is a call by its name and some of its arguments; objects and lists match
// member by member.
type Pattern struct {
	Name  string          `json:"name"`
	Where json.RawMessage `json:"where,omitempty"`
}

// Call is one action of a gold. Arguments is a JSON object.
type Call struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`

	raw string // as the file has it; "" for one that was changed or added
}

//go:embed corrections.json
var corrections []byte

// Corrections returns the 42 headings in order. The result is shared.
var Corrections = sync.OnceValue(func() []Correction {
	var all []Correction
	if err := json.Unmarshal(corrections, &all); err != nil {
		panic(err) // the file is part of the program, and a test reads it
	}
	return all
})
