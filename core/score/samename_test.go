package score

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

// nouns are nouns with their plural, among them irregular ones and a word of no language.
var nouns = [][2]string{{"mail", "mails"}, {"file", "files"}, {"cache", "caches"}, {"box", "boxes"}, {"child", "children"}, {"person", "people"},
	{"entry", "entries"}, {"movie", "movies"}, {"bus", "buses"}, {"alias", "aliases"}, {"hero", "heroes"}, {"zorb", "zorbs"}, {"leaf", "leaves"},
	{"crisis", "crises"}, {"vertex", "vertices"}, {"colour", "colors"}, {"catalogue", "catalogs"}, {"cheque", "checks"}, {"knife", "knives"}, {"database", "databases"}}

// deedNames returns two names of one deed, for one thing and for several. Number, order,
// spelling and style of the words are random. The verbs are known and unknown ones.
func deedNames(r *rand.Rand) (one, several string) {
	verb := [][2]string{{"archive", "archive"}, {"delete", "delete"}, {"organise", "organize"}, {"blorpify", "blorpify"}, {"enrol", "enroll"}, {"tag", "tag"}, {"send", "send"}}[r.IntN(7)]
	noun := nouns[r.IntN(len(nouns))]
	return styleName(r, verb[0], noun[0]), styleName(r, verb[1], noun[1])
}

// styleName joins a verb and a noun, in any order, as snake_case, kebab-case or camelCase.
func styleName(r *rand.Rand, words ...string) string {
	r.Shuffle(len(words), func(i, k int) { words[i], words[k] = words[k], words[i] })
	switch r.IntN(3) {
	case 0:
		return strings.Join(words, "_")
	case 1:
		return strings.Join(words, "-")
	}
	return words[0] + strings.ToUpper(words[1][:1]) + words[1][1:]
}

// TestBulkByName checks with random names that calls for one thing each and one call for
// all of them are the same deed, in both directions, whatever the lexicon knows. It also
// checks that they are not if a thing is missing, foreign, or treated in another way.
func TestBulkByName(t *testing.T) {
	r := rand.New(rand.NewPCG(45, 5))
	for range drawn.Cases(200) {
		one, several := deedNames(r)
		key := []string{"id", "name"}[r.IntN(2)]
		ids := r.Perm(9)[:2+r.IntN(4)]
		call := func(id int, extra string) string {
			return fmt.Sprintf(`{"name":%q,"arguments":{%q:"%s"%s}}`, one, key, drawThing(key, id), extra)
		}
		var singles, list []string
		for _, id := range ids {
			singles = append(singles, call(id, ""))
			list = append(list, `"`+drawThing(key, id)+`"`)
		}
		bulk := fmt.Sprintf(`{"name":%q,"arguments":{%q:[%s]}}`, several, key+"s", strings.Join(list, ","))
		check := func(what string, wantSame bool, singles []string) {
			t.Helper()
			many, whole := "["+strings.Join(singles, ",")+"]", "["+bulk+"]"
			for range 2 {
				got, _, _ := evaluateRun(t, `{"trace":`+many+`,"reference":`+whole+`,"profile":"outcome"}`)
				if (got == "") != wantSame {
					t.Fatalf("%s: %q for the run %s and the reference %s", what, got, many, whole)
				}
				many, whole = whole, many
			}
		}
		check("the same things", true, singles)
		check("one is missing", false, singles[1:])
		check("one is foreign", false, append([]string{call(11, "")}, singles[1:]...))
		check("one too many", false, append([]string{call(11, "")}, singles...))
		check("another way", false, append([]string{call(ids[0], `,"mode":"draft"`)}, singles[1:]...))
	}
}

// drawThing returns a value that names a thing under a key.
func drawThing(key string, n int) string {
	if key == "name" {
		return string(rune('A'+n)) + "nn"
	}
	return fmt.Sprint("x", n)
}
