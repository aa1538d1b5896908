// Package reference holds what should have been done: a process, not only a
// list.
//
// # JSON form
//
// A reference is a list of nodes, or {"steps": [nodes], "says": [texts]}, which may also
// have "aliases" and "compositions" as boundary.ReadVocabulary describes them. A node
// is one of:
//
//	{"name": "cancel", "arguments": {"id": "A"}}   a call
//	"cancel(id=A)"                                 a call as one writes it
//	{"sequence": [nodes]}                          all of them, in this order
//	{"anyOrder": [nodes]}                          all of them, in any order
//	{"oneOf":    [nodes]}                          exactly one of them
//	{"optional": node}                             this or nothing
//
// Where a node may stand a list may, too: it is a sequence. The members of an
// any-order group keep their own order inside and may interleave with each other.
// A call takes these marks beside its arguments:
//
//	"accept":   {"reason": ["a", "b"]}  values that are as good as the one given; null: may be left out
//	"ignore":   ["note"]                arguments that do not matter
//	"compare":  ["id"]                  the only arguments that matter; [] for none, null for all
//	"required": true                    its absence is a violation under every profile
//	"mustNot":  true                    its presence is one; only in the outermost list
//	"pre":      ["approve"]             calls that have to come before it
//	"eff":      "pay invoice"           what it changes
//	"scope":    ["I-7"]                 the entities that it affects
//	"gran":     3                       for how many actions it stands; 1 is atomic
//
// Arguments are named by the paths of package path: items[0].id, items.#.id for that of
// every item, *_at for every name that ends so. A path stands for all that lies below it;
// one that is wrong is an error that says where. "title" may stand anywhere, for people. Any
// other member is an error that names it and its place, such as
// "step 3 > anyOrder 2". schema.json has the same as a JSON Schema, and FromTask
// reads the tasks of τ-bench and τ². The text form is described at readLines.
package reference

import (
	"github.com/boundcheck/boundcheck/core/boundary"
	"github.com/boundcheck/boundcheck/core/jsonval"
)

// Origin says who wrote a reference; the automatic profile depends on it.
type Origin uint8

// The origins. A person's reference is a procedure: each step is required. A
// benchmark's reads are one way among many.
const (
	Person Origin = iota
	Benchmark
)

// Reference is a process, and texts that the agent must have said to the user.
type Reference struct {
	// Steps is the plain reading: the process itself when it is a list, else its
	// default run (see Node.Default). Steps that must not be done stand here only.
	Steps []Step
	// Process is nil when a list says everything.
	Process *Node
	Says    []string
	Origin  Origin
	// Vocabulary is the names that mean the same in runs held to this reference, and
	// actions made of others; nil for none.
	Vocabulary *boundary.Vocabulary
}

// Step is one action of the reference.
type Step struct {
	Name      string
	Arguments jsonval.Value   // an object; Missing when the step has none
	Text      string          // a free-text step's own words, then Name is its first word
	Accept    []Accepted      // arguments that may have other values than Arguments gives
	Ignore    []string        // paths of arguments whose values do not matter; a path that is wrong names nothing
	Compare   []string        // when not nil, the paths of the only arguments that matter
	Required  bool            // its absence is a violation under every profile
	MustNot   bool            // its presence is a violation under every profile
	Stated    boundary.Stated // parts of its boundary that are stated and need not be inferred

	// Observation is what came back when a run took the step that the reference was
	// taken from; nil for one that nobody took.
	Observation *string
}

// Accepted lists values that an argument may have besides the step's own. A null among
// them means that the argument may be left out.
type Accepted struct {
	Path   string
	Values []jsonval.Value // never empty
}

// Kind says what a node is made of.
type Kind uint8

// The kinds of node. An Action has a step, the others have children: an Optional
// one, a OneOf and an AnyOrder at least one, a Sequence any number.
const (
	Action Kind = iota
	Sequence
	AnyOrder
	OneOf
	Optional
)

var kindNames = [...]string{"action", "sequence", "anyOrder", "oneOf", "optional"}

// String returns the kind's name in the JSON form; "action" for a call.
func (k Kind) String() string { return kindNames[k] }

// Node is one part of a process. It is immutable once read.
type Node struct {
	Kind     Kind
	Step     Step   // of an Action
	Children []Node // of the other kinds
	Place    string // where it is in the source, such as "step 3 > anyOrder 2"
}
