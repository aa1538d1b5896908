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

func lies(object, receptacle string) fact { return fact{object, inReceptacle, receptacle} }

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

func (f *facts) known(x fact) bool {
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

// learn records a fact that was seen. If the fact was not known, it held from the
// start. Otherwise something changed without being seen.
func (f *facts) learn(x fact, value string) {
	if !f.known(x) {
		f.first[x] = value
	} else {
		f.set(x, value)
	}
}

// contents records that a receptacle holds exactly the listed objects.
func (f *facts) contents(receptacle string, listed []string) {
	for x := range f.holding() {
		if x.in == receptacle && !slices.Contains(listed, x.of) {
			f.set(x, "")
		}
	}
	for _, o := range listed {
		f.learn(lies(o, receptacle), yes)
	}
}

// elsewhere reports whether an object is known to lie somewhere, but not in the
// receptacle.
func (f *facts) elsewhere(object, receptacle string) bool {
	somewhere := false
	for x := range f.holding() {
		if x.of == object && x.is == inReceptacle {
			if x.in == receptacle {
				return false
			}
			somewhere = true
		}
	}
	return somewhere
}

// held returns the object that the agent holds, or "". The game allows one object at a
// time.
func (f *facts) held() (object string) {
	for x := range f.holding() {
		if x.is == holds && (object == "" || x.of < object) {
			object = x.of
		}
	}
	return object
}

// holding iterates over the facts that hold, in no order. The caller may change a fact
// that it has received.
func (f *facts) holding() iter.Seq[fact] {
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

// lasting reports whether a fact belongs to a final state.
func (x fact) lasting() bool { return x.is != atLocation }

// changed reports whether any lasting fact differs from its first value.
func (f *facts) changed() bool {
	for x, v := range f.now {
		if x.lasting() && v != f.first[x] {
			return true
		}
	}
	return false
}

// differ returns the lasting facts in which the two sides of one room end differently,
// sorted.
func differ(obs, ref *facts) []fact {
	var out []fact
	both := maps.Clone(obs.now)
	maps.Copy(both, ref.now)
	for _, x := range slices.SortedFunc(maps.Keys(both), compareFacts) {
		if x.lasting() && obs.get(x) != ref.get(x) {
			out = append(out, x)
		}
	}
	return out
}

// field returns the fact's path within the thing that it is about.
func (x fact) field() string {
	if x.in == "" {
		return string(x.is)
	}
	return string(x.is) + "." + x.in
}
