package story

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/boundcheck/boundcheck/core/stage/violation"
)

// This file finds the places that a text names: addresses, paths, files and channels. A name may
// have spaces. The law: no story names a part of a name as if it were the name.

// missesPlaces: addresses, files and channels that the user named and no action has, although
// actions have others that he named.
func (t *teller) missesPlaces(violation.Work) *fact {
	used := false
	var missed []string
	for _, place := range placesIn(t.firstOfUser()) {
		switch {
		case len(place) > mostShown || slices.Contains(missed, place):
		case t.actedText().mayHave(lastSegment(place)):
			used = true
		case !t.isHad(lastSegment(place)):
			missed = append(missed, place)
		}
	}
	if !used || len(missed) == 0 {
		return nil
	}
	return &fact{fmt.Sprintf("The user named %s, and no action has %s.", listSome(missed, mostNamed), pronounFor(missed)), nil}
}

func pronounFor(all []string) string {
	if len(all) == 1 {
		return "it"
	}
	return "them"
}

// marksAround may stand around a place, and are no part of it.
const marksAround = ".,;:!?()[]{}'\"`*<>“”’"

// placesIn returns the places that a text names, each whole. A part between marks is one name, whatever
// spaces it has. Outside of marks, a word that may only be the end of a name with spaces is left out,
// and so is one that may be its beginning: where the name ends is not known. O(length).
func placesIn(text string) (out []string) {
	for line := range strings.Lines(text) {
		for line != "" {
			before, marked, rest := cutMarked(line)
			out = append(out, unmarkedPlaces(before)...)
			switch line = rest; {
			case isMarkedPlace(marked):
				out = append(out, marked)
			case !isPlace(marked) || strings.Count(marked, " ") >= mostSpaces || !strings.Contains(marked, " "):
				out = append(out, unmarkedPlaces(marked)...)
			}
		}
	}
	return out
}

// cutMarked cuts a line at the first part between two equal marks, or between “ and ”. Without one, all
// of the line is before it.
func cutMarked(line string) (before, marked, rest string) {
	at := strings.IndexAny(line, "\"`“")
	if at < 0 {
		return line, "", ""
	}
	mark, size := line[at:at+1], 1
	if mark[0] >= 0x80 {
		mark, size = "”", len("“")
	}
	marked, rest, closed := strings.Cut(line[at+size:], mark)
	if !closed {
		return line, "", ""
	}
	return line[:at], marked, rest
}

// isMarkedPlace reports whether a part between marks is a path or an address with spaces.
func isMarkedPlace(s string) bool {
	return (strings.HasPrefix(s, "/") || strings.HasPrefix(s, "~/") || strings.Contains(s, "://")) && strings.Contains(s, " ") && isPlace(s) && !strings.ContainsAny(s, "|;<>$=\t")
}

// isWholePlace reports whether a part between marks is one place.
func isWholePlace(s string) bool {
	return isMarkedPlace(s) || isPlace(s) && !strings.Contains(s, " ")
}

func unmarkedPlaces(text string) (out []string) {
	words := strings.Fields(text)
	open := -1 // the word with which a path begins that may go on behind it, or -1
	for i, raw := range words {
		word := strings.Trim(raw, marksAround)
		goesOn := mayGoOnAt(words, i, open)
		place := isPlace(word) && (strings.Contains(word, "://") || !goesOn && !mayEndName(words, i))
		if goesOn && strings.Contains(word, "/") {
			open = i
		}
		if isRooted(word) && !isEnded(raw) && mayGoOn(words[i+1:]) {
			open, place = i, false
		}
		if place {
			out = append(out, word)
		}
	}
	return out
}

func isRooted(word string) bool {
	return strings.HasPrefix(word, "/") || strings.HasPrefix(word, "~/")
}

// isEnded reports whether a word of a text shows that a name ends with it: by a mark, or by the ending
// of a file.
func isEnded(raw string) bool {
	dot := strings.LastIndexByte(raw, '.')
	return strings.ContainsAny(raw[len(raw)-1:], ".,;:!?)]}'\"`*>") || dot > strings.LastIndexByte(raw, '/') && len(raw)-dot < 6
}

// mostSpaces is the largest number of words of a name that is looked for.
const mostSpaces = 6

// mayGoOn reports whether the words behind a path may belong to it: one of the next has a slash inside,
// or the ending of a file, and none before shows an end.
func mayGoOn(words []string) bool {
	for _, raw := range words[:min(len(words), mostSpaces)] {
		word := strings.Trim(raw, marksAround)
		if word == "" || isRooted(word) || strings.Contains(word, "://") {
			return false
		}
		if strings.IndexByte(word, '/') > 0 || isPlace(word) {
			return true
		}
		if isEnded(raw) {
			return false
		}
	}
	return false
}

// mayGoOnAt reports whether the word i may belong to the path that was opened with another.
func mayGoOnAt(words []string, i, open int) bool {
	word := strings.Trim(words[i], marksAround)
	return open >= 0 && i-open <= mostSpaces && !isRooted(word) && !strings.HasPrefix(word, "#") && !slices.ContainsFunc(words[open:i], isEnded)
}

// mayEndName reports whether the word i may be the end of a name with spaces: the word before it begins
// with a capital letter or a digit, or joins two others, as in Annual Report.docx and Plan - old.txt.
// The first word of a sentence begins with a capital letter anyway.
func mayEndName(words []string, i int) bool {
	word := strings.Trim(words[i], marksAround)
	if i == 0 || isRooted(word) || strings.HasPrefix(word, "#") || isEnded(words[i-1]) || strings.Contains("([{'*<", words[i][:1]) {
		return false
	}
	before := []rune(strings.Trim(words[i-1], marksAround))
	if len(before) == 0 || !unicode.IsLetter(before[0]) {
		return true
	}
	return unicode.IsUpper(before[0]) && i > 1 && !isEnded(words[i-2])
}

// lastSegment returns the last part of a path or an address: a file that is used is named by
// it alone, too.
func lastSegment(place string) string {
	place = strings.TrimRight(place, "/")
	if at := strings.LastIndexByte(place, '/'); at >= 0 && len(place)-at > 4 {
		return place[at+1:]
	}
	return place
}

// isPlace reports whether a word is an address, a path, a file or a channel.
func isPlace(word string) bool {
	switch {
	case strings.Contains(word, "://"), len(word) > 3 && word[0] == '#' && unicode.IsLetter(rune(word[1])):
		return true
	case strings.HasPrefix(word, "/"):
		return strings.Count(word, "/") > 1
	}
	dot := strings.LastIndexByte(word, '.')
	return dot > 1 && len(word)-dot > 2 && len(word)-dot < 6 && strings.Trim(word[dot+1:], "abcdefghijklmnopqrstuvwxyz") == "" && strings.IndexByte(word, '@') < 0
}

// filesIn returns the files that a command names, each whole: a part in quotation marks may be a path
// with spaces, and a space behind a backslash is one of the name.
func filesIn(line string) (out []string) {
	add := func(word string) {
		if word = strings.ReplaceAll(word, escapedSpace, " "); isPlace(word) && !strings.Contains(word, "://") && !strings.ContainsAny(word, "*?") && len(word) <= mostShown {
			out = append(out, word)
		}
	}
	line = strings.ReplaceAll(line, `\ `, escapedSpace)
	for line != "" {
		at := strings.IndexAny(line, `"'`)
		if at < 0 {
			at = len(line)
		}
		for word := range strings.FieldsFuncSeq(line[:at], func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("`,;(){}[]", r) }) {
			add(word)
		}
		if at == len(line) {
			break
		}
		inner, rest, closed := strings.Cut(line[at+1:], line[at:at+1])
		if closed && isMarkedPlace(inner) {
			add(inner)
			line = rest
		} else {
			line = line[at+1:]
		}
	}
	return out
}

// escapedSpace stands for a space of a name while a command is divided.
const escapedSpace = "\x00"
