package alfworld

import (
	"iter"
	"maps"
	"slices"
	"strings"
)

// predicate is a kind of fact, by its name in the game's PDDL.
type predicate string

const (
	atLocation   predicate = "atLocation" // a fact about the agent
	inReceptacle predicate = "inReceptacle"
	holds        predicate = "holds" // a fact about the object that the agent holds
	opened       predicate = "opened"
	isClean      predicate = "isClean"
	isHot        predicate = "isHot"
	isCool       predicate = "isCool"
	isToggled    predicate = "isToggled"
	isSliced     predicate = "isSliced"
)

// agent is the thing that atLocation facts are about.
const agent = "agent"

// fact is a predicate of one thing; in is the receptacle of inReceptacle. The game lets
// a thing be in several receptacles at once (a pan on two burners), and taking it from
// one leaves it in the others. So each pair is a fact of its own. The value of a fact
// is yes, or "" if it does not hold. The value of atLocation is a receptacle's name.
type fact struct {
	of string
	is predicate
	in string
}

const yes = "true"

func placementFact(object, receptacle string) fact { return fact{object, inReceptacle, receptacle} }

// facts are the facts of one side in a room. first holds what was known before the
// first command. Both sides share it, because it is the same room.
type facts struct {
	first map[fact]string
	now   map[fact]string // the values that were changed
}

func newFacts(first map[fact]string) *facts {
	return &facts{first: first, now: map[fact]string{}}
}

// get returns a fact's current value.
func (f *facts) get(x fact) string {
	if v, ok := f.now[x]; ok {
		return v
	}
	return f.first[x]
}

func (f *facts) isKnown(x fact) bool {
	_, changed := f.now[x]
	_, first := f.first[x]
	return changed || first
}

// set changes a fact and reports whether it had another value before.
func (f *facts) set(x fact, value string) bool {
	if f.get(x) == value {
		return false
	}
	f.now[x] = value
	return true
}

// learnFact records a fact that an observation shows. If the fact was unknown, learnFact
// records the value as the value at the start. If the fact had another value, learnFact
// only sets the new value.
func (f *facts) learnFact(x fact, value string) {
	if !f.isKnown(x) {
		f.first[x] = value
	} else {
		f.set(x, value)
	}
}

// setContents records that a receptacle holds exactly the listed objects.
func (f *facts) setContents(receptacle string, listed []string) {
	for x := range f.trueFacts() {
		if x.in == receptacle && !slices.Contains(listed, x.of) {
			f.set(x, "")
		}
	}
	for _, o := range listed {
		f.learnFact(placementFact(o, receptacle), yes)
	}
}

// liesElsewhere reports whether an object is known to be in some receptacle, but is not
// known to be in the given one.
func (f *facts) liesElsewhere(object, receptacle string) bool {
	somewhere := false
	for x := range f.trueFacts() {
		if x.of == object && x.is == inReceptacle {
			if x.in == receptacle {
				return false
			}
			somewhere = true
		}
	}
	return somewhere
}

// heldObject returns the object that the agent holds, or "". The game allows one object
// at a time.
func (f *facts) heldObject() (object string) {
	for x := range f.trueFacts() {
		if x.is == holds && (object == "" || x.of < object) {
			object = x.of
		}
	}
	return object
}

// trueFacts iterates over the facts that are true, in no particular order. During the
// iteration, the caller may change the fact that it has just received.
func (f *facts) trueFacts() iter.Seq[fact] {
	return func(yield func(fact) bool) {
		for x, v := range f.now {
			if v != "" && !yield(x) {
				return
			}
		}
		for x, v := range f.first {
			if _, changed := f.now[x]; v != "" && !changed && !yield(x) {
				return
			}
		}
	}
}

func compareFacts(a, b fact) int {
	if c := strings.Compare(a.of, b.of); c != 0 {
		return c
	}
	if c := strings.Compare(string(a.is), string(b.is)); c != 0 {
		return c
	}
	return strings.Compare(a.in, b.in)
}

// isLasting reports whether a fact is part of the final state. The result is false only
// for the place of the agent.
func (x fact) isLasting() bool { return x.is != atLocation }

// hasChanged reports whether any lasting fact now has another value than at the start.
func (f *facts) hasChanged() bool {
	for x, v := range f.now {
		if x.isLasting() && v != f.first[x] {
			return true
		}
	}
	return false
}

// differingFacts returns the lasting facts that end differently on the two sides, sorted.
// Both sides must have started in the same room of the game.
func differingFacts(obs, ref *facts) []fact {
	var out []fact
	both := maps.Clone(obs.now)
	maps.Copy(both, ref.now)
	for _, x := range slices.SortedFunc(maps.Keys(both), compareFacts) {
		if x.isLasting() && obs.get(x) != ref.get(x) {
			out = append(out, x)
		}
	}
	return out
}

// fieldName returns the part of a fact's name after the object, for example "isHot" or
// "inReceptacle.shelf 1".
func (x fact) fieldName() string {
	if x.in == "" {
		return string(x.is)
	}
	return string(x.is) + "." + x.in
}
