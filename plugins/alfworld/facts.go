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
	atLocation   predicate = "atLocation" // of the agent
	inReceptacle predicate = "inReceptacle"
	holds        predicate = "holds" // said of the object held
	opened       predicate = "opened"
	isClean      predicate = "isClean"
	isHot        predicate = "isHot"
	isCool       predicate = "isCool"
	isToggled    predicate = "isToggled"
	isSliced     predicate = "isSliced"
)

// agent is whom atLocation is said of.
const agent = "agent"

// fact is a predicate of one thing; in is the receptacle of inReceptacle. The game
// lets a thing be in several receptacles at once (a pan on two burners), and taking
// it from one leaves it in the others: so each is a fact of its own. Its value is
// yes, or "" where it does not hold; of atLocation it is a receptacle's name.
type fact struct {
	of string
	is predicate
	in string
}

const yes = "true"

func lies(object, receptacle string) fact { return fact{object, inReceptacle, receptacle} }

// facts are what one side made of a room. first is what was known before anything
// was done, and is shared by both sides: it is the same room.
type facts struct {
	first map[fact]string
	now   map[fact]string // what was changed
}

func newFacts(first map[fact]string) *facts {
	return &facts{first: first, now: map[fact]string{}}
}

// get is a fact's value now.
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

// set changes a fact, and reports whether it had another value.
func (f *facts) set(x fact, value string) bool {
	if f.get(x) == value {
		return false
	}
	f.now[x] = value
	return true
}

// learn takes in a fact that was seen. Of a thing that nobody has touched it was
// so from the start; otherwise something changed that nobody saw.
func (f *facts) learn(x fact, value string) {
	if !f.known(x) {
		f.first[x] = value
	} else {
		f.set(x, value)
	}
}

// contents makes a receptacle hold exactly what is listed.
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

// elsewhere tells an object that is known to lie somewhere, and not there.
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

// held is the object that the agent holds; "" when none. The game lets it hold one.
func (f *facts) held() (object string) {
	for x := range f.holding() {
		if x.is == holds && (object == "" || x.of < object) {
			object = x.of
		}
	}
	return object
}

// holding goes through the facts that hold, in no order. A fact that it has given
// may be changed on the way.
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

// lasting tells a fact that belongs to a final state.
func (x fact) lasting() bool { return x.is != atLocation }

// changed reports whether any lasting fact is other than at first.
func (f *facts) changed() bool {
	for x, v := range f.now {
		if x.lasting() && v != f.first[x] {
			return true
		}
	}
	return false
}

// differ lists the lasting facts in which two sides of one room end differently.
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

// field is a fact's path within the thing that it is said of.
func (x fact) field() string {
	if x.in == "" {
		return string(x.is)
	}
	return string(x.is) + "." + x.in
}
