package verbs

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

// names.txt is small and is asked about each name, so it is not in the table of verbs.
//
//go:embed names.txt
var namesText string

// names is what names.txt says: for each noun the first noun of its row, and for each noun
// of an act its rows; for each word that says a place, the bits of its rows.
type names struct {
	things map[string]string
	acts   map[string][][]string
	verbs  map[string]bool // the verbs of the acts
	ways   map[string]uint8
	roles  map[string]string // of a noun in the name of an argument: the first noun of its row
}

var readNames = sync.OnceValue(func() *names {
	n := &names{map[string]string{}, map[string][][]string{}, map[string]bool{}, map[string]uint8{}, map[string]string{}}
	section, way := "", uint8(1)
	for line := range strings.Lines(namesText) {
		row := strings.Fields(line)
		switch {
		case line[0] == '#':
		case line[0] == '[':
			section = row[0]
		case section == "[nouns]":
			for _, noun := range row {
				n.things[noun] = row[0]
			}
		case section == "[ways]":
			for _, word := range row {
				n.ways[word] |= way
			}
			way <<= 1
		case section == "[arguments]":
			for _, noun := range row {
				n.roles[noun] = row[0]
			}
		default:
			noun := row[len(row)-1]
			n.acts[noun] = append(n.acts[noun], row[:len(row)-1])
			n.verbs[row[0]] = true
		}
	}
	return n
})

// OneNoun returns the noun by which the table names a thing: reservation for booking. The
// nouns are in lower case and singular. A noun that the table does not have is returned as
// it is.
func OneNoun(noun string) string {
	if first := readNames().things[noun]; first != "" {
		return first
	}
	return noun
}

// Act returns the verb that a light verb with a noun is, such as attach for add and
// attachment, or "".
func Act(light, noun string) string {
	for _, row := range readNames().acts[noun] {
		if slices.Contains(row[1:], light) {
			return row[0]
		}
	}
	return ""
}

// IsAct reports whether a verb may be said by a light verb and a noun, too.
func IsAct(verb string) bool { return readNames().verbs[verb] }

// WaysOf returns the places to which a value belongs by a word in the name of its argument, as
// bits: from and source have a bit in common, and so have from and start. It returns 0 for any
// other word.
func WaysOf(word string) uint8 { return readNames().ways[word] }

// OneArgument reports whether two nouns are one thing in the name of an argument, such as body and
// text. They are in lower case and singular.
func OneArgument(a, b string) bool {
	first := readNames().roles[a]
	return first != "" && first == readNames().roles[b]
}
