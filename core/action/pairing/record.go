package pairing

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
)

// relations has words of the names of members that name another thing than the record they are in.
const relations = " manager owner parent assignee sender recipient from to previous old new requester author approver creator supervisor partner spouse emergency billing shipping "

// namings has the last words of the names of members that say which record it is.
const namings = " id uuid name username handle login email mail number code sku slug key "

// OneRecord reports whether a text has one record in JSON that names itself by two values, as JSON texts, such
// as an id and a mail address. O(len(seen)).
func OneRecord(seen, a, b string) bool {
	for range mostRecords {
		at := strings.Index(seen, a)
		if at < 0 {
			return false
		}
		if x, y := memberNames(recordAround(seen, at), a, b); x != "" && y != "" && x != y {
			return true
		}
		seen = seen[at+len(a):]
	}
	return false
}

// mostRecords is the largest number of records in which OneRecord looks, and longestRecord is the length
// of the longest one in bytes.
const mostRecords, longestRecord = 16, 2000

// recordAround returns the innermost object in JSON around a position in a text, or "".
func recordAround(text string, at int) string {
	depth, from := 0, -1
	for i := at; i >= max(0, at-longestRecord) && from < 0; i-- {
		switch {
		case text[i] == '}':
			depth++
		case text[i] == '{' && depth == 0:
			from = i
		case text[i] == '{':
			depth--
		}
	}
	if from < 0 {
		return ""
	}
	for i := from; i < min(len(text), from+longestRecord); i++ {
		switch text[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return text[from : i+1]
			}
		}
	}
	return ""
}

// memberNames returns the last words of the names of the members that have two values, if they name the
// record.
func memberNames(record, a, b string) (x, y string) {
	v, err := jsonval.Parse(record)
	if record == "" || err != nil {
		return "", ""
	}
	v.Each(func(key string, m jsonval.Value) bool {
		words := strings.Split(strings.ToLower(key), "_")
		switch last := words[len(words)-1]; {
		case !wordlist.Contains(namings, last) || wordlist.HasAny(relations, words):
		case m.Raw() == a:
			x = last
		case m.Raw() == b:
			y = last
		}
		return true
	})
	return x, y
}

// LastRecordHas reports whether the last record in JSON of a text that has the value id, a JSON text, has a
// member of the given name with a value. O(len(seen)).
func LastRecordHas(seen, id, key, value string) bool {
	at := strings.LastIndex(seen, id)
	if at < 0 {
		return false
	}
	v, err := jsonval.Parse(recordAround(seen, at))
	return err == nil && v.Get(key).Exists() && v.Get(key).Raw() == value
}
