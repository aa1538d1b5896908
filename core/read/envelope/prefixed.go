package envelope

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/literal"
	"github.com/boundcheck/boundcheck/core/read/shape"
)

// The log of a service has a time, a level and a name before the object of each line, and often the id of
// the run: agent[run=7f3a] {…}. Its law: each object is a record, with the id that stands before it, and a
// line without an object says nothing of a call, or the text is not such a log.

// prefixedRows returns the objects of such a log as lines of JSON, and reports whether the text is one. Each
// record stands in its line. O(n).
func prefixedRows(text string) (string, bool) {
	var b strings.Builder
	objects := 0
	for raw := range strings.Lines(text) {
		line := strings.TrimSpace(raw)
		at := strings.IndexByte(line, '{')
		head, _, _ := strings.Cut(line, ":")
		switch {
		case shortHead(head) != "": // a transcript
			return "", false
		case at > 0 && line[at-1] == ' ' && strings.HasSuffix(line, "}") && isObject(line[at:]):
			objects++
			b.WriteString(withRun(line[:at], line[at:]))
		case line == "":
		default:
			if list, _ := consoleCalls(cutStamp(line)); list != nil || at >= 0 {
				return "", false
			}
		}
		b.WriteByte('\n')
	}
	return b.String(), objects > 1
}

func isObject(text string) bool {
	v, err := jsonval.Parse(text)
	return err == nil && v.Kind() == jsonval.Object && v.Len() > 0
}

// withRun returns an object with the id of the run that the text before it names. The object's own id counts.
func withRun(head, object string) string {
	name, id := "", ""
	for _, word := range strings.FieldsFunc(head, func(c rune) bool { return strings.ContainsRune(" []()<>|,;", c) }) {
		if at := strings.IndexAny(word, "=:#"); at > 0 && at+1 < len(word) && shape.NamesRun(word[:at]) {
			name, id = word[:at], word[at+1:]
		}
	}
	v, _ := jsonval.Parse(object)
	for _, key := range v.Keys() {
		if id == "" || shape.NamesRun(key) {
			return object
		}
	}
	return "{" + literal.Quote(name) + ":" + literal.Quote(id) + "," + object[1:]
}
