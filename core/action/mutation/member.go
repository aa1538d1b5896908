package mutation

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// kind says what a member of the arguments means, according to the words of its name. A
// kind does not make a verdict milder. It only determines which values of the member are
// evidence of a change.
type kind uint8

const (
	otherMember   kind = iota // a name without a known meaning
	readerMember              // ids, names, filters, paging, fields, times, formats, places, flags
	pathMember                // a file, a directory or an address to read
	wordsMember               // words to look for, or a query
	codeMember                // a text in a language that the name states: sql, graphql, xpath
	contentMember             // a content that is part of the call
	boundMember               // values that are bound to a query as data
	carrierMember             // an operation, a command, a tool or code: it may have any effect
	methodMember              // an HTTP method
	headerMember              // HTTP headers
	outputMember              // a file to write
	deedMember                // a verb that changes something
)

// memberKind returns the kind of a member by the words of its name.
func memberKind(key string) kind { return kindsOfMembers.of(key, readMemberKind) }

// readMemberKind computes memberKind. O(len(key)).
func readMemberKind(key string) kind {
	var few [8]string
	t := appendWords(few[:0], key)
	if len(t) == 0 {
		return otherMember
	}
	last := t[len(t)-1]
	switch {
	case methodWords(t):
		return methodMember
	case outputWords(t):
		return outputMember
	case holdsToolName(t):
		return carrierMember
	case isTailWord(last) && len(t) > 1 && !sendsResult(t):
		return tailKind(t)
	case carriesOperation(t):
		return carrierMember
	case codeWord(t):
		return codeMember
	case deedWords(t):
		return deedMember
	case last == "headers" || last == "header":
		return headerMember
	case boundWord(last):
		return boundMember
	case last == "base" && len(t) > 1 && (strings.HasSuffix(key, "64") || contentWord(t[len(t)-2])) && !flagWord(t[0]): // contents_base64
		return contentMember
	case pathWord(last):
		return pathMember
	case wordsWord(last):
		return wordsMember
	case contentWord(last) && !flagWord(t[0]):
		return contentMember
	case readerWord(last), flagWord(t[0]):
		return readerMember
	}
	return otherMember
}

// kindOf is like memberKind, but also reads the value. A key, a reference or an id inside
// a project only names something if its value looks like an id, as in merge_request_iid.
// After a verb that is no noun such a name asks for a change, as in delete_key.
func kindOf(key string, v jsonval.Value) kind {
	k := memberKind(key)
	if k != deedMember && k != otherMember || !isIDValue(v) {
		return k
	}
	t := memberWords(key)
	if len(t) == 0 || oneOf(t[0], "new auto and replacement") || isAuxiliaryWord(t[0]) || anyOf(t, forWhom) {
		return k
	}
	switch last := t[len(t)-1]; {
	case last == "iid", oneOf(last, "key ref iids uuids guids") && len(t) > 1 && !wordClass(t[0]).isDeed() && !oneOf(t[0], "set update"):
		return readerMember
	}
	return k
}

// isIDValue reports whether a value looks like an id: a number, a plain word with a
// digit, or a list of these.
func isIDValue(v jsonval.Value) bool {
	switch v.Kind() {
	case jsonval.Number:
		return true
	case jsonval.Array:
		all := v.Len() > 0
		v.Each(func(_ string, m jsonval.Value) bool {
			all = all && m.Kind() != jsonval.Array && isIDValue(m)
			return all
		})
		return all
	}
	s, _ := v.Str()
	return strings.ContainsAny(s, "0123456789") && isPlainToken(s) && !strings.ContainsAny(s, ":=&") && !wordClass(leadWord(s)).isDeed()
}

// tailKind returns the kind of a member whose name t ends in a word for a plain value.
// The other words usually only describe the value, as in cancel_date. They can also mean
// an operation, as in action_type, or ask for a change, as in delete_ids.
func tailKind(t []string) kind {
	last := t[len(t)-1]
	switch {
	case operationNoun(t[len(t)-2]) && (last == "type" || last == "name" || last == "id"):
		return carrierMember
	case t[0] == "desired" || t[0] == "target":
		return otherMember
	case ordersValue(t, last):
		return deedMember
	}
	return readerMember
}

// ordersValue reports whether a member's name t asks for a change, although its last word
// means a plain value. A verb before a describing word, such as a date or an id, is an
// adjective, as in send_date. A verb before a list of ids, a limit or a later time asks
// for a change, as in send_ids.
func ordersValue(t []string, last string) bool {
	first := 0
	for first < len(t)-2 && isAuxiliaryWord(t[first]) {
		first++
	}
	c := wordClass(t[first])
	sure := c.isDeed()
	switch {
	case flagWord(t[0]) && first == 0:
		return false
	case oneOf(t[0], "set update force new"):
		return oneOf(last, "status state level fields order") || t[0] == "new" && last == "name" || sure && !isListed(last, describingTailList)
	case (sure || c == weak || c == vague) && anyOf(t[first:], forWhom):
		return true // assign_to_id, share_with_ids
	case t[first] == "create", t[first] == "modify":
		return last == "order" // create_after: when it was created
	case last == "at", last == "until":
		return t[first] == "schedule" || c.has(write) && (!readerVerb(t[first]) || t[first] == "extend")
	}
	return sure && !isListed(last, describingTailList)
}

// operationNoun reports whether a word means an operation that a call asks for.
func operationNoun(w string) bool {
	return oneOf(w, "operation op action command cmd cmnd verb subcommand")
}

// methodWords reports whether a name means only the HTTP method. Examples are _method,
// httpVerb and X-HTTP-Method-Override.
func methodWords(t []string) bool {
	met := false
	for _, w := range t {
		switch w {
		case "method", "verb":
			met = true
		case "http", "https", "request", "req", "override", "x", "type", "use":
		default:
			return false
		}
	}
	return met
}

// carriesOperation reports whether a member's name, such as action or script, means that
// its value is an operation to do or a tool to use.
func carriesOperation(t []string) bool {
	switch {
	case len(t) > 1 && t[0] == "on": // on_match, onSuccess: what to do then
		return true
	case len(t) > 1 && oneOf(t[0], "new auto"): // new_command asks for a change; see deedWords
		return false
	}
	switch t[len(t)-1] {
	case "line":
		return len(t) > 1 && t[len(t)-2] == "command"
	case "code":
		return len(t) == 1 || operationNoun(t[len(t)-2]) || t[len(t)-2] == "source" || t[len(t)-2] == "python" || t[len(t)-2] == "js"
	}
	return isListed(t[len(t)-1], operationWordList)
}

// holdsToolName reports whether a member contains the name of the called tool. The
// argument has the words of the member's name, for example tool and name.
func holdsToolName(t []string) bool {
	return len(t) > 1 && t[len(t)-1] == "name" && (t[len(t)-2] == "recipient" || t[len(t)-2] == "tool" || t[len(t)-2] == "action")
}

// codeWord reports whether a member's name states the language of its text, such as sql
// or graphql.
func codeWord(t []string) bool {
	for _, w := range t {
		if isListed(w, queryLanguageList) {
			return w != "document" || len(t) == 1
		}
	}
	return false
}

// deedWords reports whether a member's name means a change. Examples are delete,
// publish_now and mark_as_read. In names such as cancel_date and link_id, the verb only
// describes a value.
func deedWords(t []string) bool {
	if sendsResult(t) {
		return true
	}
	if v, ok := judgePhrasalName(t); ok && v.Mutating == Yes { // top_up, check_out
		return true
	}
	if t[0] == "replacement" || t[0] == "new" && len(t) > 1 && t[1] != "only" {
		return true
	}
	first := 0
	for first < len(t)-1 && isAuxiliaryWord(t[first]) {
		first++
	}
	if (t[0] == "auto" || t[0] == "and") && len(t) > 1 && !wordClass(t[first]).has(read) {
		return true // auto_offer, and_attack
	}
	if flagWord(t[0]) && first == 0 {
		v, _ := secondVerb(t, 0)
		return v.Mutating == Yes // show_and_delete, but not include_delete_markers, with_update_history
	}
	if verb, found := strings.CutPrefix(t[0], "auto"); found && wordClass(t[0]) == 0 && wordClass(verb).has(write|weak) {
		return true // autobuy
	}
	for k, w := range t[first:] {
		c := wordClass(w)
		switch {
		case c.isDeed():
			return true
		case k == 0 && c.has(write) && !readerVerb(w):
			return true
		case k == 0 && (anythingVerb(w) || wordClass(w).has(weak|vague) && anyOf(t[first:], forWhom)):
			return true // post_to_channel, share_with, hold_for
		}
	}
	return false
}

// forWhom reports whether w is "to", "with" or "for". After a verb, such a word says for
// whom or for what something is done.
func forWhom(w string) bool { return w == "to" || w == "with" || w == "for" }

// sendsResult reports whether a name means an address to which the tool sends something.
// Examples are webhook and callback_url.
func sendsResult(t []string) bool {
	last := t[len(t)-1]
	place := len(t) == 1 || last == "url" || last == "uri" || last == "endpoint" || last == "address"
	for _, w := range t {
		if place && (w == "webhook" || len(t) > 1 && oneOf(w, "callback hook notification notify delivery push upload response reply sink result")) {
			return true
		}
	}
	return false
}

// isAuxiliaryWord reports whether a word may come before the verb in a member's name,
// such as do in do_delete.
func isAuxiliaryWord(w string) bool {
	return isListed(w, auxiliaryList)
}

// anythingVerb reports whether a word is a verb that means "do it", such as apply or run.
func anythingVerb(w string) bool {
	return oneOf(w, "apply execute invoke perform commit confirm confirmed force run notify")
}

// readerVerb reports whether a word is a common member name in tools that read, such as
// format or start. In the name of a tool, the same word is a writing verb.
func readerVerb(w string) bool {
	return isListed(w, readerVerbList)
}

// isTailWord reports whether a word at the end of a member's name means a plain value,
// such as an id, a time or a count. The words before it only describe the value.
func isTailWord(w string) bool {
	return isListed(w, tailList)
}

func boundWord(w string) bool {
	return oneOf(w, "params parameters param variables vars bindings binds placeholders")
}

func pathWord(w string) bool {
	return isListed(w, pathWordList)
}

func wordsWord(w string) bool {
	return isListed(w, wordsWordList)
}

func contentWord(w string) bool {
	return isListed(w, contentWordList)
}

// readerWord reports whether a word usually ends the name of a member in tools that read.
func readerWord(w string) bool { return isTailWord(w) || readerNoun(w) }

// readerNoun reports whether a word is a noun that ends member names only in tools that
// read.
func readerNoun(w string) bool {
	return isListed(w, readerNounList)
}

// listsBy reports whether a member's name is usual for a filter, such as limit or status.
// A tool whose name has no verb, such as orders, only reads if all members of the call
// are filters.
func listsBy(t []string) bool {
	last := t[len(t)-1]
	return isNarrowingWord(last) || last == "date" && len(t) > 1 || flagWord(t[0])
}

func isNarrowingWord(w string) bool {
	return isListed(w, narrowingList)
}

// flagWord reports whether a word begins the name of a harmless switch.
func flagWord(w string) bool {
	return switchWord(w) || strings.HasSuffix(w, "ed") && wordClass(w) == 0 // expired, archived: a state
}

func switchWord(w string) bool {
	return isListed(w, switchWordList)
}

// outputKey reports whether a member's name means a file to write. Examples are
// output_path and outfile.
func outputKey(key string) bool { return outputWords(memberWords(key)) }

func outputWords(t []string) bool {
	out, place := false, false
	for _, w := range t {
		if isListed(w, outputNameList) {
			return true
		}
		out = out || isListed(w, outputWordList)
		place = place || isListed(w, outputPlaceList)
	}
	return out && (place && t[0] != "from" || len(t) == 1 && t[0] == "out")
}

// opensForWriting reports whether a member is a file mode that allows writing, such as w,
// a+ or wb. The name of the member must also mean a mode.
func opensForWriting(key, s string) bool {
	if len(s) > 3 || s == "" {
		return false
	}
	switch t := memberWords(key); {
	case len(t) == 0:
		return false
	case t[len(t)-1] != "mode" && t[len(t)-1] != "flags" && t[len(t)-1] != "flag" && t[len(t)-1] != "access":
		return false
	}
	return strings.Trim(s, "rwaxbtU+") == "" && strings.ContainsAny(s, "wax+")
}

func containsString(list []string, s string) bool {
	for _, e := range list {
		if e == s {
			return true
		}
	}
	return false
}

// isPlainToken reports whether a text is one plain word, number, id or date. It has no
// spaces, quotes or other characters with a special meaning.
func isPlainToken(s string) bool {
	if len(s) > 128 {
		return false
	}
	return !strings.ContainsFunc(s, func(r rune) bool {
		return r <= ' ' || r == ';' || r == '|' || r == '`' || r == '$' || r == '<' || r == '>' || r == '(' || r == '{' || r == '\'' || r == '"' || r == '\\' || r == 0x7f
	})
}
