package relation

import (
	"path"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/action/uses"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
)

// This file finds two writes of one place, of which the later one decides what is there in the end. The law: two writes of one
// place with different values, in another order than the reference has them, are always said. A finding needs one
// place for certain; where somebody could mean two places, the order is worth a note.

// replaces returns how two writing steps depend on each other that set one place to different values, put it in
// opposite states, or move one thing on.
func replaces(a, b *boundary.Action) (Degree, Entity) {
	switch {
	case a.Text != "" || b.Text != "" || !a.Writes() || !b.Writes():
		return Independent, Entity{}
	case a.Name != b.Name:
		return switchesOver(a, b)
	}
	if how, thing := movesOn(a, b); how != Independent {
		return how, thing
	}
	if how, thing := setsInScripts(uses.SetsOf(&a.Call), uses.SetsOf(&b.Call)); how != Independent {
		return how, thing
	}
	return setsAnew(a, b)
}

// lastVerbs are verbs of deeds of which the last one on a thing counts, beside those that update.
const lastVerbs = " set reschedule store select choose switch put write overwrite replace turn tune dim assign reassign rename relabel move "

// aloneVerbs are those of them that a tool without any thing uses for the one thing that it has.
const aloneVerbs = " set change configure switch tune dim turn "

// anewNouns are things of which each set_alarm makes another one.
const anewNouns = " alarm timer reminder appointment event meeting goal trap bookmark countdown task breakpoint "

// setsAnew reports how two calls of one tool depend on each other that give one thing other values.
func setsAnew(a, b *boundary.Action) (Degree, Entity) {
	object := a.Deed().Object
	if !isSettingVerb(a) && !wordlist.Contains(lastVerbs, a.Deed().Verb) || isAboutRights(a) || len(a.Leaves) == 0 ||
		wordlist.HasAny(" by delta increment decrement relative step toggle append ", a.Words()) {
		return Independent, Entity{}
	}
	thing, how, kept, own, named := Entity{}, Independent, 0, updatesOne(a, b), false
	for i := range a.Leaves {
		x := &a.Leaves[i]
		at := slices.IndexFunc(b.Leaves, func(l similarity.Leaf) bool { return l.Path == x.Path })
		if at < 0 {
			continue
		}
		y := &b.Leaves[at]
		if x.Value == y.Value {
			if kept++; thing.Value == "" && (boundary.Identifies(x.Key, "") || hasValueBeside(a, x) || !isProperty(x) && !isSetWord(a, NounOf(a, x.Key))) {
				thing = Entity{NounOf(a, x.Key), x.Value}
			}
			continue
		}
		named = named || isSetWord(a, NounOf(a, x.Key)) && strings.HasPrefix(x.Raw, `"`)
		switch of := sortOf(a, x, y, own); {
		case of == isOther:
			return Independent, Entity{}
		case of == isField && how != Touching:
			how = NeedsTheSame
		default:
			how = Touching
		}
	}
	switch {
	case thing.Value != "":
	case named && len(a.Leaves) > 1: // set_light(light, on) names the thing, and set_mode(mode, speed) sets it
		return Independent, Entity{}
	case kept > 0 || len(a.Leaves) != len(b.Leaves) || !wordlist.Contains(aloneVerbs, a.Deed().Verb):
		how = min(how, Touching)
		if kept == 0 && a.Deed().Verb != "select" && a.Deed().Verb != "move" {
			return Independent, Entity{}
		}
	case len(object) > 0 && wordlist.Contains(anewNouns, object[len(object)-1]):
		return Independent, Entity{}
	}
	return how, thing
}

// sort says whether an argument in which two calls differ names another place.
type sort uint8

const (
	isField sort = iota // it is what both set
	isOpen              // it may be
	isOther             // it says which thing is meant
)

// numberedPlaces end the names of arguments whose numbers say which thing is meant.
const numberedPlaces = " zone channel slot index floor line row column col port pin motor room track page day hour year month week number cell x y z seat table lane layer "

// sortOf returns what a difference in the argument x of a, which is y in the other call, says.
func sortOf(a *boundary.Action, x, y *similarity.Leaf, own bool) sort {
	noun := NounOf(a, x.Key)
	words := mutation.NameWords(x.Key)
	switch {
	case strings.Contains(x.Path, "["), wordlist.Contains(severalWords, noun):
		return isOpen
	case IsPerson(noun) && noun != "email" && wordlist.Contains(" assign reassign ", a.Deed().Verb):
		return isOpen
	case !own && noun != "email" && boundary.Identifies(x.Key, ""), isPlaceOrID(a, x) && !isSetWord(a, noun), noun == "path", hasValueBeside(a, x):
		return isOther
	case own || isSetWord(a, noun) || hasField(x):
		return isField
	case !strings.HasPrefix(x.Raw, `"`) || !strings.HasPrefix(y.Raw, `"`):
		if wordlist.HasLast(numberedPlaces, words) {
			return isOther
		}
		return isField
	case isProperty(x) && !saysWhich(x):
		return isField
	}
	return isOther
}

// hasValueBeside reports whether an argument names what gets the value beside it, as name does in set_env(name, value).
func hasValueBeside(a *boundary.Action, l *similarity.Leaf) bool {
	return wordlist.HasLast(" name key setting variable field attribute property option parameter column ", mutation.NameWords(l.Key)) &&
		slices.ContainsFunc(a.Leaves, func(m similarity.Leaf) bool {
			return wordlist.HasLast(" value content data ", mutation.NameWords(m.Key))
		})
}

// switchesOver reports how two calls of different tools depend on each other of which each puts a thing out of the
// state in which the other one puts it, such as lock_door and unlock_door.
func switchesOver(a, b *boundary.Action) (Degree, Entity) {
	verb, back, _ := differentWords(a, b)
	if verb == "" || len(a.Leaves) != len(b.Leaves) || !HaveSamePaths(a, b) || !(isStateVerb(a) || isStateVerb(b)) {
		return Independent, Entity{}
	}
	if _, ok := takesBack(verb, back); !ok {
		if _, ok = takesBack(back, verb); !ok {
			return Independent, Entity{}
		}
	}
	thing := Entity{}
	for i := range a.Leaves {
		if a.Leaves[i].Value != b.Leaves[i].Value {
			return Independent, Entity{}
		}
		thing = Entity{NounOf(a, a.Leaves[i].Key), a.Leaves[i].Value}
	}
	return NeedsTheSame, thing
}

// movesOn reports how two calls that move, copy or convert files depend on each other: one takes what the other one leaves, or
// both leave a file at one place.
func movesOn(a, b *boundary.Action) (Degree, Entity) {
	if !DoesOneOf(a, " move copy rename convert transcode ") {
		return Independent, Entity{}
	}
	from, to := placesOf(a)
	from2, to2 := placesOf(b)
	for _, v := range to {
		name := strings.Trim(v, `"`)
		if slices.Contains(from2, v) || slices.Contains(to2, v) && path.Ext(name) != "" && !slices.Equal(from, from2) {
			return NeedsTheSame, Entity{"path", v}
		}
	}
	for _, v := range to2 {
		if slices.Contains(from, v) {
			return NeedsTheSame, Entity{"path", v}
		}
	}
	return Independent, Entity{}
}

// setsInScripts reports how two commands or statements depend on each other by what they set.
func setsInScripts(a, b []uses.Set) (most Degree, about Entity) {
	for i := range a {
		for k := range b {
			x, y := &a[i], &b[k]
			how := Independent
			switch {
			case x.Noun != y.Noun || x.Thing != y.Thing || uses.AreApart(x.Where, y.Where) || x.Value == y.Value && x.Where == y.Where:
			case x.Field != y.Field:
				if holdsWord(y.Where+" "+y.Value, x.Field) || holdsWord(x.Where+" "+x.Value, y.Field) {
					how = Touching // one of them reads what the other one sets
				}
			case x.Way == uses.Adds && y.Way == uses.Adds:
			case x.Where != y.Where || x.Way == uses.Appends && y.Way == uses.Appends:
				how = Touching
			default:
				how = NeedsTheSame
			}
			if how > most {
				most, about = how, Entity{x.Noun, jsonval.Quoted(x.Thing)}
			}
		}
	}
	return most, about
}
