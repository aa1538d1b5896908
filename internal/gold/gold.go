// Package gold corrects the gold of benchmarks: the lists of actions with which runs are
// compared. It contains the 42 corrections of τ-Bench Verified (SABER, appendices C and D)
// as data in our own words, and applies them to a file of tasks.
package gold

import (
	_ "embed"
	"encoding/json"
	"sync"
)

// Benchmarks whose files of tasks can be read.
const (
	Tau  = "tau-bench"
	Tau2 = "tau2-bench"
)

// Correction is the correction under one heading of the appendices. The paper names no task
// ids, so Tasks contains the ids of all tasks that contain the identifiers, by benchmark.
type Correction struct {
	ID          string              `json:"id"` // A1 to A24 for the airline, R1 to R18 for retail
	Domain      string              `json:"domain"`
	Tasks       map[string][]string `json:"tasks"`
	Identifiers []string            `json:"identifiers"` // the task contains all of them
	Kinds       []string            `json:"kinds"`
	Rule        string              `json:"rule"`
	Edits       []Edit              `json:"edits"`
	Doubts      []string            `json:"doubts,omitempty"`
	Moot        []string            `json:"moot,omitempty"`     // benchmarks whose first release does not have the error
	Disputed    bool                `json:"disputed,omitempty"` // the task's own text contradicts the correction
}

// Edit is one change of a list of actions. Exactly one of Remove, Set, Replace, Add,
// ReplaceAll, AnyOrder and Optional is set.
type Edit struct {
	Remove     *Pattern                     `json:"remove,omitempty"`
	Set        *Pattern                     `json:"set,omitempty"` // with To: the arguments to overwrite, one alternative per element
	To         []map[string]json.RawMessage `json:"to,omitempty"`
	Replace    *Pattern                     `json:"replace,omitempty"` // with By: the new call
	By         *Call                        `json:"by,omitempty"`
	Add        []Call                       `json:"add,omitempty"` // calls to append
	ReplaceAll []Call                       `json:"replaceAll,omitempty"`
	AnyOrder   []Pattern                    `json:"anyOrder,omitempty"` // these calls may exchange their positions
	Orders     [][]int                      `json:"orders,omitempty"`   // the accepted orders of AnyOrder; nil for all
	Optional   *Pattern                     `json:"optional,omitempty"` // the list with this call and the list without it are both accepted
}

// Pattern matches a call by its name and some of its arguments. Objects and lists are
// compared member by member.
type Pattern struct {
	Name  string          `json:"name"`
	Where json.RawMessage `json:"where,omitempty"`
}

// Call is one action of a gold. Arguments is a JSON object.
type Call struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`

	raw string // the text in the file; "" for a call that was changed or added
}

//go:embed corrections.json
var corrections []byte

// Corrections returns the 42 corrections in the order of the paper. All callers get the same
// slice and must not change it.
var Corrections = sync.OnceValue(func() []Correction {
	var all []Correction
	if err := json.Unmarshal(corrections, &all); err != nil {
		panic(err) // the file is part of the program, and a test reads it
	}
	return all
})
