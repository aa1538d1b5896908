// Package reference reads references: the expected actions of a run, as a list or as a
// process with groups.
//
// # JSON form
//
// A reference is a list of nodes, or {"steps": [nodes], "says": [texts]}, which may also
// have "only": [tools], the tools that a run may call, by name or pattern, and "aliases" and "compositions" as boundary.ReadVocabulary describes them. A node is
// one of:
//
//	{"name": "cancel", "arguments": {"id": "A"}}   a call
//	"cancel(id=A)"                                 a call in text form
//	{"sequence": [nodes]}                          all of them, in this order
//	{"anyOrder": [nodes]}                          all of them, in any order
//	{"oneOf":    [nodes]}                          exactly one of them
//	{"optional": node}                             this or nothing
//
// A list in the place of a node is a sequence. The members of an any-order group keep
// their own order inside and may interleave with each other. A call may have these
// members in addition to its arguments:
//
//	"accept":   {"reason": ["a", "b"]}  values that are as good as the one given; null: may be left out
//	"ignore":   ["note"]                arguments that do not matter
//	"compare":  ["id"]                  the only arguments that matter; [] for none, null for all
//	"expect":   {"amount": {"max": 50}}  what a value may be, in the language of package match
//	"times":    {"min": 1, "max": 3}     how often it is done; one number for both
//	"fails":    true                     it may be tried, and must be refused
//	"required": true                    its absence is a violation under every profile
//	"mustNot":  true                    its presence is a violation; only in the outermost list
//	"pre":      ["approve"]             calls that must come before it
//	"eff":      "pay invoice"           what it changes
//	"scope":    ["I-7"]                 the entities that it affects
//	"gran":     3                       the number of actions that it stands for; 1 is atomic
//
// Arguments are named by the paths of package path: items[0].id, items.#.id for the id of
// every item, *_at for every name that ends in _at. A path covers everything below it. An
// invalid path is an error that names its place. "title" may appear anywhere, for people.
// Any other member is an error that names it and its place, such as "step 3 > anyOrder
// 2". schema.json is the equivalent JSON Schema, and fromTask reads the tasks of τ-bench
// and τ². readLines describes the text form.
package reference

import (
	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// Origin says who wrote a reference. The automatic choice of the profile depends on it.
type Origin uint8

// The origins. A person's reference is a procedure: each step is required. In a
// benchmark's reference, the steps that only read show one of several possible ways.
const (
	Person Origin = iota
	Benchmark
)

// Reference is the expected process, with the texts that the agent must say to the user.
type Reference struct {
	// Steps holds the reference as a list: the process itself if it is a list, else its
	// default run (see Node.Default). Forbidden steps are only here.
	Steps []Step
	// Process is nil if Steps holds the whole reference.
	Process *Node
	Says    []string
	// Only holds the names and patterns of the tools that a run may call; nil for any.
	Only   []string
	Origin Origin
	Turns  int // how many turns of the user the source has; 0 if it does not say
	// Vocabulary holds names with the same meaning in runs compared with this reference,
	// and the compositions of actions; nil for none.
	Vocabulary *boundary.Vocabulary
}

// Step is one action of the reference.
type Step struct {
	Name      string
	Arguments jsonval.Value   // an object; Missing if the step has none
	Text      string          // a free-text step's own words; then Name is its first word
	Accept    []Accepted      // arguments that may have values other than those in Arguments
	Ignore    []string        // paths of arguments whose values do not matter; an invalid path names nothing
	Compare   []string        // if not nil, the paths of the only arguments that matter
	Expect    []Expected      // arguments whose values a matcher decides about
	Times     *Times          // how often it is done; nil for once
	Fails     bool            // its call must be refused
	ByUser    bool            // the user's side does it, as in τ²
	Required  bool            // its absence is a violation under every profile
	MustNot   bool            // its presence is a violation under every profile
	Stated    boundary.Stated // explicit parts of its boundary, which need not be inferred
	Turn      int             // the turn of the user to which it belongs, from 1; 0 if the source does not say
	Place     string          // its place in the source, such as "step 3 > anyOrder 2" or "line 4"; "" if it was not written

	// Observation is the result of the step in the run from which the reference was
	// taken; nil if no run did it.
	Observation *string
}

// Accepted lists values that an argument may have instead of the value in the step. A
// null among them means that the argument may be left out.
type Accepted struct {
	Path   string
	Values []jsonval.Value // never empty
}

// Kind is the sort of a node.
type Kind uint8

// The kinds of nodes. An Action has a step. The others have children: an Optional has
// one, a OneOf and an AnyOrder have at least one, and a Sequence has any number.
const (
	Action Kind = iota
	Sequence
	AnyOrder
	OneOf
	Optional
)

var kindNames = [...]string{"action", "sequence", "anyOrder", "oneOf", "optional"}

// String returns the name of the kind in the JSON form, or "action" for a call.
func (k Kind) String() string { return kindNames[k] }

// Node is one part of a process. It is never changed after it was read.
type Node struct {
	Kind     Kind
	Step     Step   // of an Action
	Children []Node // of the other kinds
	Place    string // its place in the source, such as "step 3 > anyOrder 2"
}

// EachStep calls fn for each step of the reference, also for the forbidden ones. O(steps).
func (r *Reference) EachStep(fn func(s *Step)) {
	for i := range r.Steps {
		if r.Process == nil || r.Steps[i].MustNot {
			fn(&r.Steps[i])
		}
	}
	var visit func(n *Node)
	visit = func(n *Node) {
		if n.Kind == Action {
			fn(&n.Step)
		}
		for i := range n.Children {
			visit(&n.Children[i])
		}
	}
	if r.Process != nil {
		visit(r.Process)
	}
}
