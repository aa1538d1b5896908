package failure

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/participle"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
)

// The law of this file: a result that says of a deed that a part of it was done and another
// part was not is never read as a deed that was done. Which part, the result alone often
// does not say, so the run that holds it is one about which nobody can tell.

// longestParts is the largest number of bytes of an object that is searched for its parts.
const longestParts = 16 << 10

// holdsPart reports whether an object may say that a part of a deed was not done. It looks at a
// few letters of each member's name and of its value, and so spares most results the parsing.
func holdsPart(text string) bool {
	wanted, done := false, false
	for at := 0; ; at++ {
		next := strings.IndexByte(text[at:], ':')
		if next < 0 {
			return wanted && done
		}
		at += next
		name := strings.TrimRight(text[max(0, at-40):at], " \"")
		name = name[strings.LastIndexByte(name, '"')+1:]
		if len(name) >= 4 {
			switch name[1:4] {
			case "ail", "kip", "ot_", "otF", "otf", "iss", "eje", "eni", "npr", "nva", "nde", "rro", "art", "nco", "xce", "AIL", "RRO":
				return true
			case "ota", "equ", "tte", "xpe":
				wanted = true
			}
			done = done || strings.HasSuffix(name, "ed") || strings.HasSuffix(name, "ount")
		}
		value := strings.TrimLeft(text[at+1:min(at+12, len(text))], " \t\n\"")
		if len(value) < 4 {
			continue
		}
		switch value[1:4] {
		case "ail", "eni", "eje", "efu", "kip", "art", "rro", "nva", "ot_", "ot ", "otF", "npr", "loc", "als", "AIL", "ENI", "EJE", "KIP", "ART", "RRO":
			return true
		}
		if (value[0] == '4' || value[0] == '5') && (value[3] < '0' || value[3] > '9') && (strings.HasSuffix(name, "ode") || strings.HasSuffix(name, "tatus")) {
			return true
		}
	}
}

// isEntity reports whether the first member of an object is an id: the object is a thing that the
// call returned, and no report.
func isEntity(text string) bool {
	name, _, found := strings.Cut(text[1:min(len(text), 80)], ":")
	name = strings.TrimRight(name, " \"")
	return found && text[0] == '{' && (strings.HasSuffix(name, "id") || strings.HasSuffix(name, "Id") || strings.HasSuffix(name, "ID"))
}

const (
	partWords     = "partial partially partialsuccess partiallycompleted partialfailure partiallyfailed incomplete"
	undoneMembers = "failed failures errors failedcount failedids failedids faileditems failedrecords errorcount skipped skippedcount notfound missing rejected denied unprocessed unprocesseditems invalid undelivered"
	wantedMembers = "total requested attempted totalcount expected"
)

// valuePartly reports whether a value says that a part of the deed was done and a part was not:
// by the word partial, by counts or lists of both, or by the states of several elements.
func (r *report) valuePartly(v jsonval.Value, depth int) bool {
	if depth > mostWrapped {
		return false
	}
	if v.Kind() == jsonval.Array {
		return r.elementsPartly(v)
	}
	if v.Kind() != jsonval.Object {
		return false
	}
	if isByID(v) {
		return r.someUndone(v)
	}
	done, undone, partly, one := false, false, false, false
	most, wanted := 0.0, 0.0
	v.Each(func(key string, m jsonval.Value) bool {
		word := wordlist.FoldName(key)
		one = one || strings.HasSuffix(word, "id")
		switch {
		case oneOf(word, undoneMembers):
			undone = undone || isSome(m) && m.Kind() != jsonval.String
		case oneOf(word, partWords):
			partly = partly || isSome(m)
		case oneOf(word, wantedMembers):
			wanted, _ = m.Float()
		case r.countsDeed(word):
			done = done || isSome(m)
			most = max(most, size(m))
		case m.Kind() == jsonval.String && oneOf(word, reportMembers):
			partly = partly || oneOf(wordlist.FoldName(m.Text()), partWords) || r.textPartly(strings.ToLower(m.Text()))
		case m.Kind() == jsonval.Object || m.Kind() == jsonval.Array:
			partly = partly || r.valuePartly(m, depth+1)
		}
		return !partly
	})
	return partly || done && (undone || !one && most > 0 && wanted > most) // the total of one thing is a price
}

// size returns a count, or the length of a list. It returns 0 for any other value.
func size(v jsonval.Value) float64 {
	if v.Kind() == jsonval.Array {
		return float64(v.Len())
	}
	n, _ := v.Float()
	return n
}

// elementsPartly reports whether some elements of a list say that they failed, and others do not.
func (r *report) elementsPartly(v jsonval.Value) bool {
	if v.Len() < 2 {
		return false
	}
	good, bad := false, false
	for _, e := range v.Elements() {
		if e.Kind() != jsonval.Object {
			return false
		}
		if r.elementUndone(e) {
			bad = true
		} else {
			good = true
		}
	}
	return good && bad
}

// isByID reports whether an object has a member for each of several things, named by their ids or
// addresses, such as {"A-7":"cancelled","A-8":"locked"}.
func isByID(v jsonval.Value) bool {
	keys := v.Keys()
	for _, key := range keys {
		if !strings.ContainsAny(key, "0123456789@") {
			return false
		}
	}
	return len(keys) > 1
}

// someUndone reports whether an object says of one of several things that nothing was done.
func (r *report) someUndone(v jsonval.Value) bool {
	bad := false
	v.Each(func(_ string, m jsonval.Value) bool {
		switch m.Kind() {
		case jsonval.Bool:
			bad = m.Raw() == "false"
		case jsonval.String:
			state, _, _ := strings.Cut(m.Text(), ":")
			first, _, _ := strings.Cut(state, " ")
			bad = r.isBadState(state) || r.isBadState(first)
		case jsonval.Object:
			bad = r.elementUndone(m)
		}
		return !bad
	})
	return bad
}

// elementUndone reports whether an element of a list says of itself that it failed: by its
// state, by an error, or by a flag.
func (r *report) elementUndone(v jsonval.Value) bool {
	bad := false
	v.Each(func(key string, m jsonval.Value) bool {
		word := wordlist.FoldName(key)
		switch {
		case oneOf(word, "error errors errormessage errorcode exception failurereason"):
			bad = bad || isSome(m)
		case oneOf(word, "status state result outcome code"):
			bad = bad || r.isBadState(m.Text()) || isHTTPError(m)
		case oneOf(word, "statuscode httpstatus"):
			bad = bad || isHTTPError(m)
		case r.countsDeed(word):
			bad = bad || m.Raw() == "false"
		}
		return true
	})
	return bad
}

// textPartly reports whether a text in lower case says that a part of the deed was done, as
// "partially refunded", "3 sent, 1 failed" and "deleted 2 of 3 files" do.
func (r *report) textPartly(text string) bool {
	if strings.Contains(text, "partial") {
		for _, c := range clausesOf(text) {
			for i, w := range c.words {
				if oneOf(wordlist.FoldName(w), partWords) && !negated(c.words, i) && i+1 < len(c.words) && (r.says(c.words[i+1:]) || oneOf(c.words[i+1], "success failure")) {
					return true
				}
			}
		}
	}
	if !strings.ContainsAny(text, "0123456789") {
		return false
	}
	done, undone := false, false
	for _, c := range clausesOf(text) {
		if r.saysPartOf(c.words) {
			return true
		}
		done = done || r.saysDone(c.words)
		undone = undone || countsFailed(c.words)
	}
	return done && undone
}

// says reports whether words have the participle of the deed, or a general one.
func (r *report) says(words []string) bool {
	for _, w := range words {
		if oneOf(w, genericDeeds) || oneOf(w, successWords) || participle.Is(w) && participle.Fits(w, r.deed) {
			return true
		}
	}
	return false
}

// saysPartOf reports whether a clause has two counts as in "2 of 3" and "2/3", the first of them
// smaller, and says that the deed was done to so many. "Step 2 of 3 saved" says nothing of it.
func (r *report) saysPartOf(words []string) bool {
	for i, w := range words {
		if i > 0 && !oneOf(words[i-1], "only just") && !r.says(words[i-1:i]) {
			continue
		}
		n, of, found := strings.Cut(w, "/")
		if !found && i+2 < len(words) && words[i+1] == "of" {
			n, of = w, words[i+2]
			if i+3 < len(words) && oneOf(of, "the these your") {
				of = words[i+3]
			}
		}
		if isCount(n) && isCount(of) && (len(n) < len(of) || len(n) == len(of) && n < of) && r.says(words) {
			return true
		}
	}
	return false
}

// countsFailed reports whether a clause has a count above zero and says that so many failed, as
// "1 failed", "2 skipped" and "failed 3" do.
func countsFailed(words []string) bool {
	for i, w := range words {
		if !oneOf(w, "failed skipped rejected denied undelivered failures failure") {
			continue
		}
		for _, other := range words[max(0, i-2):min(len(words), i+2)] {
			if isCount(other) && strings.Trim(other, "0") != "" {
				return true
			}
		}
	}
	return false
}

// isCount reports whether a word is a whole number of at most six digits.
func isCount(w string) bool { return w != "" && len(w) <= 6 && strings.Trim(w, "0123456789") == "" }

// LeftUndone returns the values that the result of a call names in a member for what was not done, such as
// the paths in {"deleted":["a"],"failed":["b"]} and the id in {"failed":[{"id":"b","error":"locked"}]}. If no member of such
// an object says by its name that it is the thing, all values of the object are there. O(length of the text).
func LeftUndone(text string) (left []string) {
	text = innerText(strings.TrimSpace(text))
	if len(text) > longestParts || text == "" || text[0] != '{' {
		return nil
	}
	v, err := jsonval.Parse(text)
	if err != nil {
		return nil
	}
	v.Each(func(key string, m jsonval.Value) bool {
		if m.Kind() == jsonval.Array && oneOf(wordlist.FoldName(key), undoneMembers) {
			for _, e := range m.Elements() {
				add := func(_ string, m jsonval.Value) bool {
					if m.Kind() == jsonval.String || m.Kind() == jsonval.Number {
						left = append(left, m.Text())
					}
					return true
				}
				if e = namedThing(e); e.Kind() == jsonval.Object {
					e.Each(add)
				} else {
					add("", e)
				}
			}
		}
		return true
	})
	return left
}

// leavesSome reports whether a result names a thing as not done that is an argument of the call, or in a list of it. Only
// such a result says of a deed of unknown class that a part was left: a report of what was found names other things.
func leavesSome(arguments jsonval.Value, text string) (found bool) {
	left := LeftUndone(text)
	if len(left) == 0 {
		return false
	}
	eachLeaf(arguments, 0, func(given string) { found = found || slices.Contains(left, given) })
	return found
}

// namedThing returns the name of a thing beside which an object says why it was left, or any other value unchanged.
func namedThing(v jsonval.Value) jsonval.Value {
	for _, key := range [...]string{"id", "item", "name", "value", "key", "path", "file", "target", "recipient", "member"} {
		if m := v.Get(key); v.Kind() == jsonval.Object && m.Exists() {
			return m
		}
	}
	return v
}
