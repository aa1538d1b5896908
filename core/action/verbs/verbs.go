// Package verbs knows which English verbs are one deed, and which verb is wider than
// another. What a verb means depends on its object: to terminate an employee is to fire
// him, to terminate a contract is to end it. The table verbs.txt is made from WordNet.
package verbs

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/boundcheck/boundcheck/core/base/wordlist"
)

//go:embed verbs.txt
var tableText string

//go:embed opposites.txt
var oppositesText string

// oppositesFile returns opposites.txt, as readText returns verbs.txt.
//
//go:noinline
func oppositesFile() string { return oppositesText }

// readText returns verbs.txt. No other function reads it: in the page's core, the file is in
// the second module with this function (wasm/build.sh).
//
//go:noinline
func readText() string { return tableText }

// Kinds is a set of kinds of objects.
type Kinds uint16

// The kinds of objects. Of an object without a kind of its own, such as a plan, the kind is
// Event. A Case is opened and closed, such as a claim. A Size rises and falls, such as a price.
// An Entry is one of a calendar, such as a meeting.
const (
	Person Kinds = 1 << iota
	Document
	Money
	Device
	Thing
	Event
	Case
	Size
	Entry

	// AnyThing is what an unknown noun may name.
	AnyThing = Document | Money | Device | Thing | Event
	// Anything is what the object of a name without a noun may be.
	Anything = Person | AnyThing
)

// kindLetters are the letters of the kinds in the table, in the order of their bits.
const kindLetters = "pdmvterqa"

// row is one row of the table: its verbs, and the kinds of objects for which it holds.
type row struct {
	kinds Kinds
	verbs []string
}

// acts returns the section of the table with verbs that change something.
var acts = sync.OnceValue(func() string {
	text := readText()
	return strings.TrimSpace(text[strings.LastIndexByte(text, ']')+1:])
})

// Acts reports whether a lower-case word is mainly a verb that changes something, such as
// leak or sabotage. The table has only verbs that the lexicon of package mutation does not
// have. O(length of the table).
func Acts(word string) bool { return wordlist.Contains(acts(), word) }

// table is an index of the table's rows.
type table struct {
	same  wordlist.Index[[]*row] // of each verb, the rows in which it is
	wide  map[string]*row        // of each wide verb, the row that begins with it
	nouns wordlist.Index[Kinds]
}

// index reads the table when it is needed first.
var index = sync.OnceValue(func() *table { return readTable(readText()) })

func readTable(text string) *table {
	t := &table{wordlist.IndexFor[[]*row](500), map[string]*row{}, wordlist.IndexFor[Kinds](3000)}
	section := ""
	for line := range strings.Lines(text) {
		if line = strings.TrimSuffix(line, "\n"); line == "" || line[0] == '#' {
			continue
		}
		if line[0] == '[' {
			section = line
			continue
		}
		kinds, words, _ := strings.Cut(line, " ")
		switch section {
		case "[same]", "[wide]":
			r := &row{readKinds(kinds), strings.Split(words, " ")}
			if section == "[wide]" {
				t.wide[r.verbs[0]] = r
				continue
			}
			for _, v := range r.verbs {
				in := t.same.At(v)
				*in = append(*in, r)
			}
		case "[nouns]":
			k := readKinds(kinds)
			for noun, rest := wordlist.Next(words); noun != ""; noun, rest = wordlist.Next(rest) {
				*t.nouns.At(noun) = k
			}
		default: // [acts]
			return t
		}
	}
	return t
}

func readKinds(letters string) (k Kinds) {
	for i := range kindLetters {
		if strings.IndexByte(letters, kindLetters[i]) >= 0 {
			k |= 1 << i
		}
	}
	return k
}

// KindsOf returns the kinds of objects that the words for an object may name. They are in
// lower case and singular. The last word counts, as in playlist track. A noun may have
// several kinds. An unknown noun may name anything but a person, unless it ends like a noun
// for persons. No words may mean anything.
func KindsOf(object []string) Kinds {
	if len(object) == 0 {
		return Anything
	}
	noun := object[len(object)-1]
	for _, n := range [...]string{noun, OneNoun(noun)} {
		if k := NounKinds(n); k != 0 {
			return k
		}
	}
	for _, end := range [...]string{"er", "or", "ee", "ist", "ian", "man", "ant"} {
		if strings.HasSuffix(noun, end) {
			return Anything
		}
	}
	return AnyThing
}

// NounKinds returns the kinds of objects that a noun names, in lower case and singular. It returns
// 0 for a noun that the table does not have.
func NounKinds(noun string) Kinds { return index().nouns.Get(noun) }

// Known reports whether the table has a verb, in lower case. The words of a verb such as
// turn_off are joined by underscores.
func Known(verb string) bool { return len(index().same.Get(verb)) > 0 || index().wide[verb] != nil }

// Same reports whether two verbs are one deed on an object of the given kinds. If the
// object may have several kinds, they must be one deed on each. The relation is reflexive
// and symmetric, and false for verbs that the table does not have.
func Same(a, b string, on Kinds) bool {
	if a == b {
		return true
	}
	var found Kinds
	for _, r := range index().same.Get(a) {
		for _, v := range r.verbs {
			if v == b {
				found |= r.kinds
			}
		}
	}
	return on != 0 && found&on == on
}

// AreOpposite reports whether two words of messages say the opposite of one another, such as
// accept and decline. They are in lower case, and in the form of a dictionary.
func AreOpposite(a, b string) bool {
	return a != "" && b != "" && (markOf(a, b) != "" || markOf(b, a) != "")
}

// TakesBack reports whether a deed with the second verb takes back what one with the first verb did.
// doubtful is whether the first one may have acted on somebody before.
func TakesBack(verb, back string) (doubtful, ok bool) {
	if verb == "" || back == "" {
		return false, false
	}
	mark, reverse := markOf(verb, back), markOf(back, verb)
	doubtful = mark == " <>?" || reverse == " <>?"
	return doubtful, doubtful || mark == " <" || mark == " <>" || reverse == " <>"
}

// markOf returns a blank and the mark of a row of the table, or a blank for a row without one. It returns ""
// if there is no such row.
func markOf(a, b string) string {
	_, rest, ok := strings.Cut(opposites(), "\n"+a+" "+b)
	if !ok || rest[0] != ' ' && rest[0] != '\n' {
		return ""
	}
	mark, _, _ := strings.Cut(rest, "\n")
	return mark + " "[:1-min(len(mark), 1)]
}

// MayUndo reports whether a deed with a verb takes back what some other deed did.
func MayUndo(verb string) bool { return undoing().backs[verb] }

// SetsState reports whether a verb puts a thing in a state out of which another verb takes it, without any
// effect on somebody else.
func SetsState(verb string) bool { return undoing().states[verb] }

// undoers are the verbs in the rows of the table with a mark.
type undoers struct{ backs, states map[string]bool }

var undoing = sync.OnceValue(func() (u undoers) {
	u = undoers{map[string]bool{}, map[string]bool{}}
	for line := range strings.Lines(opposites()) {
		words := strings.Fields(line)
		if len(words) < 3 {
			continue
		}
		u.backs[words[1]] = true
		if words[2] != "<" {
			u.backs[words[0]] = true
		}
		if words[2] == "<>" {
			u.states[words[0]], u.states[words[1]] = true, true
		}
	}
	return u
})

// opposites returns the rows with words and their opposites. They are a file of their own, because most visits of the
// page need them, and seldom the other verbs.
var opposites = sync.OnceValue(func() string {
	text := oppositesFile()
	return text[strings.LastIndexByte(text, ']')+1:]
})

// Wider reports whether somebody who asks for the deed wide may mean the deed verb: both are
// one deed, or verb is one of the deeds that wide names. For example, change is wider than
// rename, and rename is not wider than change. O(1) in the size of the table.
func Wider(wide, verb string, on Kinds) bool {
	if Same(wide, verb, on) {
		return true
	}
	r := index().wide[wide]
	if r == nil || r.kinds&on != on {
		return false
	}
	for _, v := range r.verbs[1:] {
		if Same(v, verb, on) {
			return true
		}
	}
	return false
}
