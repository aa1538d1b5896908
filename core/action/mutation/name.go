package mutation

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/verbs"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
)

// nameVerdict judges a tool's name by its words, in the form that splitSegments returns.
// found is false if no word has a known meaning, so that the description decides.
// O(len(name)).
func nameVerdict(parts [][]string) (v Verdict, found bool) {
	if len(parts) == 0 {
		return newVerdict(Unknown, LayerNone, "the name has no words"), false
	}
	last := parts[len(parts)-1]
	if !asciiOnly(parts) {
		return newVerdict(Unknown, LayerName, "the name has letters outside ASCII, which may look like other letters"), true
	}
	if v, ok := controlName(last); ok {
		return v, true
	}
	v, found = judgeNameWords(last)
	if len(parts) == 1 {
		return v, found
	}
	if !found {
		var all []string
		for _, p := range parts {
			all = append(all, p...)
		}
		return judgeNameWords(all)
	}
	if v.Mutating == No {
		for _, p := range parts[:len(parts)-1] {
			if c := wordClass(p[0]); c.isDeed() {
				return newVerdict(Unknown, LayerName, quote(p[0])+" before a reading verb may change the meaning of the verb"), true
			}
		}
	}
	return v, found
}

func asciiOnly(parts [][]string) bool {
	for _, part := range parts {
		for _, w := range part {
			for i := range len(w) {
				if w[i] >= 0x80 {
					return false
				}
			}
		}
	}
	return true
}

// splitSegments splits a name at its namespace marks (see cutMark), and splits each part
// into words. It drops a leading "mcp" and the server's name after it.
func splitSegments(name string) [][]string {
	first, rest, cut := cutMark(name)
	if strings.EqualFold(first, "mcp") {
		if _, behind, more := cutMark(rest); more {
			first, rest, cut = cutMark(behind)
		}
	}
	var out [][]string
	for {
		if words := splitWords(first); len(words) > 0 {
			out = append(out, words)
		}
		if !cut {
			return out
		}
		first, rest, cut = cutMark(rest)
	}
}

// cutMark splits a name at its first namespace mark. A mark is a double underscore, a
// slash, a full stop, a hash, or one or two colons.
func cutMark(name string) (before, after string, found bool) {
	for i := range len(name) {
		switch name[i] {
		case '/', '.', '#':
			return name[:i], name[i+1:], true
		case ':':
			return name[:i], strings.TrimPrefix(name[i+1:], ":"), true
		case '_':
			if strings.HasPrefix(name[i+1:], "_") {
				return name[:i], name[i+2:], true
			}
		}
	}
	return name, "", false
}

// splitWords splits snake_case, kebab-case, camelCase and ABBRCase into lower-case words
// without digits.
func splitWords(s string) []string { return appendWords(make([]string, 0, 4), s) }

// appendWords appends the words of s to out. The memory of out may be on the stack, so
// that a short name needs no allocation.
func appendWords(out []string, s string) []string {
	start := -1
	flush := func(end int) {
		if start >= 0 && end > start {
			out = append(out, wordlist.Lower(s[start:end]))
		}
		start = -1
	}
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case !isLetter(c):
			flush(i)
		case start < 0:
			start = i
		case isUpper(c) && (!isUpper(s[i-1]) || i+1 < len(s) && isLower(s[i+1])):
			flush(i)
			start = i
		}
	}
	flush(len(s))
	return out
}

// leadWord returns the first word that splitWords would return, or "" if there is none.
// It does not read the rest of s.
func leadWord(s string) string {
	start := 0
	for start < len(s) && !isLetter(s[start]) {
		start++
	}
	for i := start + 1; i < len(s); i++ {
		c := s[i]
		if !isLetter(c) || isUpper(c) && (!isUpper(s[i-1]) || i+1 < len(s) && isLower(s[i+1])) {
			return wordlist.Lower(s[start:i])
		}
	}
	return wordlist.Lower(s[start:])
}

func isUpper(c byte) bool  { return 'A' <= c && c <= 'Z' }
func isLower(c byte) bool  { return 'a' <= c && c <= 'z' }
func isLetter(c byte) bool { return isUpper(c) || isLower(c) || c >= 0x80 }

func quote(w string) string { return "\"" + w + "\"" }

// maxNameWords limits the length of names: the rules below need quadratic time.
const maxNameWords = 64

// judgeNameWords judges the words of one name by rules about their positions. The second
// result is false if the words do not decide.
func judgeNameWords(t []string) (Verdict, bool) {
	if len(t) > maxNameWords {
		return newVerdict(Unknown, LayerName, "the name has too many words"), true
	}
	if looksAbout(t) {
		return newVerdict(No, LayerName, quote(t[0])+" moves or shows what is seen, and changes nothing"), true
	}
	if len(t) == 2 && t[0] == "review" && oneOf(t[1], "policy policies guideline guidelines terms rules procedures") {
		return newVerdict(No, LayerName, "a review of "+quote(t[1])+" only reads them"), true // review_request may approve it
	}
	if isQuestionWord(t[0]) && len(t) > 1 {
		if second, ok := secondVerb(t, 0); ok {
			return second, true
		}
		if asksThenActs(t) {
			return newVerdict(Unknown, LayerName, quote(t[0])+" may begin a condition for the action "+quote(t[len(t)-1])), true
		}
		return newVerdict(No, LayerName, quote(t[0])+" asks a question"), true
	}
	for i, w := range t {
		if v, ok := judgePhrasalName(t[i:]); ok && (v.Mutating != No || i == 0 || !isConjunction(t[i-1])) { // not mail_users_or_gather_history
			return v, true
		}
		c := wordClass(w)
		switch {
		case c.has(write):
			return leadWrite(t, i, c)
		case c.has(read):
			return leadRead(t, i)
		case c.has(weak), c.has(vague):
			if v, ok := leadWeak(t, i, c); ok {
				return v, true
			}
		}
	}
	return nounPhrase(t)
}

// asksThenActs reports whether a name that begins with a question word may mean a change.
// Such a name ends in a writing verb, as in where_delete or is_read_mark. A word such as
// to or does before the verb makes the verb a part of the question, as in when_to_buy.
func asksThenActs(t []string) bool {
	last := len(t) - 1
	c := wordClass(t[last])
	for _, w := range t[1:last] {
		if isListed(w, questionList|auxiliaryList) {
			return false
		}
	}
	return c.has(write) && (isListed(t[0], conditionList) || last > 1 && isListed(t[0], stateList) && (!c.has(noun) || t[last] == "set" || t[last] == "mark"))
}

// changingPair returns two words of a name with the reading verb t[i] that together mean
// a change. It returns "" if there are no such words. The file words.txt lists the pairs
// in these forms:
//
//   - "a/b" if b comes anywhere after a, and no word for information comes after b
//   - "a+b" for the last two words of a name
//   - "a+b+c" for the verb and the last two words
func changingPair(t []string, i int) string {
	for k, a := range t {
		for n, b := range t[k+1:] {
			if isListed(a+"/"+b, pairList) && !hasInfoWord(t[k+n+2:]) {
				return a + " " + b
			}
		}
	}
	t = t[max(0, i-1):]
	i = min(i, 1)
	last := len(t) - 1
	if last == 0 {
		return ""
	}
	verb, before, end := t[i], t[last-1], t[last]
	c := wordClass(end)
	if verb == "fetch" || verb == "retrieve" {
		verb = "get"
	}
	switch pair := before + "+" + end; {
	case isListed(pair, pairList), last == i+1 && isListed(verb+"+"+end, pairList), last > i+1 && isListed(verb+"+"+pair, pairList):
	case last == i+2 && isListed(before, joiningList) && c.isDeed(): // find_with_delete
	case last > i+1 && isListed(verb+"+…+"+end, pairList) && !strings.HasSuffix(before, "ed") && before != "sold": // check_guest_in
	case verb == "list" && last > i+1 && t[i+1] == "on" && t[i+2] != "call" && !strings.HasPrefix(end, "call"), verb == "list" && last > i+2 && t[i+2] == "on" && !strings.HasSuffix(t[i+1], "s"):
	default:
		return ""
	}
	return before + " " + end
}

// judgePhrasalName judges a name whose first words together have another meaning than the
// first word alone. For example, check_out means a change, but check means a read. The
// second result is false for any other name.
func judgePhrasalName(t []string) (Verdict, bool) {
	if len(t) < 2 {
		return Verdict{}, false
	}
	two := t[0] + " " + t[1]
	if n := len(t); t[0] == "list" && n > 2 && t[n-2] == "for" && (t[n-1] == "sale" || t[n-1] == "rent" || t[n-1] == "auction") && !strings.HasSuffix(t[n-3], "s") {
		return newVerdict(Yes, LayerName, quote("list … for "+t[n-1])+" offers something"), true
	}
	if n := len(t); n > 3 && oneOf(t[0], "show display present reveal expose") && slices.Contains(t[2:n-1], "to") && oneOf(t[n-1], "users customers everyone everybody public audience visitors subscribers members people guests") {
		return newVerdict(Yes, LayerName, quote(t[0]+" … to "+t[n-1])+" lets others see something"), true
	}
	if isReadByObject(t[0], t[1:]) {
		return newVerdict(No, LayerName, quote(two)+" only looks"), true
	}
	if (t[0] == "run" || t[0] == "perform") && len(t) > 2 && allOf(t[1:len(t)-1], isTestSubject) && isTestWord(t[len(t)-1]) {
		return newVerdict(No, LayerName, quote(strings.Join(t[1:], " "))+" only measures"), true
	}
	switch two {
	case "read write", "get set", "fetch store", "load save":
		return newVerdict(Yes, LayerName, quote(two)+" does both"), true
	case "check in", "check out", "turn on", "turn off", "switch on", "switch off",
		"sign up", "sign in", "sign off", "sign out", "log in", "log out", "log off",
		"opt in", "opt out", "back up", "set up", "shut down", "take over", "take down",
		"roll back", "power on", "power off", "clock in", "clock out", "pick up",
		"hang up", "top up", "fill in", "fill out", "scale up", "scale down", "clean up",
		"tear down", "spin up", "carry out", "pay off", "write off", "phase out",
		"call off", "put on", "take off", "add on", "swap out", "check off", "look after",
		"get rid", "see off", "see to", "watch over":
		return newVerdict(Yes, LayerName, quote(two)+" changes state"), true
	case "look up", "find out", "look at", "look for", "wait for", "wait until":
		if v, ok := secondVerb(t, 1); ok {
			return v, true
		}
		return newVerdict(No, LayerName, quote(two)+" only looks"), true
	case "query sql", "query database", "query db":
		return newVerdict(Unknown, LayerName, "the query decides whether something changes"), true
	}
	return Verdict{}, false
}

// looksAbout reports whether a name means moving to a place, moving what is seen or taking a picture
// of it, such as go_to, scroll_down, zoom_in and take_screenshot.
func looksAbout(t []string) bool {
	switch t[0] {
	case "go":
		return len(t) == 2 && oneOf(t[1], "to back forward home up down left right north south east west")
	case "goto":
		return len(t) == 1
	case "scroll", "hover", "zoom", "focus", "pan", "see":
		return allOf(t[1:], func(w string) bool { return oneOf(w, seenWords) })
	}
	return slices.ContainsFunc(t, func(w string) bool { return strings.HasPrefix(w, "screen") }) && takesPicture(t)
}

// takesPicture reports whether the words of a name mean taking a picture of the screen, and nothing else.
func takesPicture(t []string) bool {
	seen, pictures := 0, 0
	for _, w := range t {
		switch {
		case oneOf(w, "screenshot screenshots screendump screengrab"):
			seen, pictures = seen+1, pictures+1
		case oneOf(w, "capture grab shot"):
			pictures++
		case oneOf(w, "take make get of full desktop display"):
		case oneOf(w, seenWords):
			if w == "screen" {
				seen++
			}
		default:
			return false
		}
	}
	return seen > 0 && pictures > 0
}

// seenWords has the words that say where and how the view moves.
const seenWords = "up down left right in out to over on at by into top bottom page window view viewport screen mouse cursor pointer element map image camera tab input field position and"

// isReadByObject reports whether the object of a vague verb makes it a read. Examples are
// open_file, extract_text and track_order.
func isReadByObject(verb string, rest []string) bool {
	last := rest[len(rest)-1]
	switch verb {
	case "open":
		return len(rest) == 1 && (last == "file" || last == "files" || last == "document" || isPage(last))
	case "extract":
		return isListed(last, extractedList)
	case "track", "monitor", "poll", "watch":
		return len(rest) <= 2 && isListed(last, trackedList)
	case "visit":
		return len(rest) == 1 && isPage(last)
	case "ask":
		return len(rest) <= 2 && (last == "docs" || last == "documentation" || last == "wiki" || last == "manual" || last == "faq" || last == "kb" || last == "base")
	case "obtain", "gather":
		if anyOf(rest[:len(rest)-1], func(w string) bool { return isConjunction(w) || w == "to" || wordClass(w).has(write|weak|vague) }) {
			return false // gather_files_and_shred_logs
		}
		return wordClass(last).has(info) || thingWord(last) || isListed(last, extractedList) || isListed(last, gatheredList)
	case "recall":
		return last == "memory" || last == "memories"
	}
	return false
}

// isPage reports whether a word names what a browser shows.
func isPage(word string) bool {
	return word == "page" || word == "webpage" || word == "website" || word == "url"
}

// isTestSubject reports whether a word may be the subject of a harmless test, such as
// speed in speed_test or health in health_check. A test of any other subject may run any
// code.
func isTestSubject(w string) bool { return isListed(w, testSubjectList) }

func isTestWord(w string) bool {
	return w == "test" || w == "check" || w == "diagnostics" || w == "measurement"
}

// leadWrite judges a name whose first verb, at index i, changes something. If the word
// may be a noun, as in package_update_history, the verdict is unknown and the second
// result is false.
func leadWrite(t []string, i int, c class) (Verdict, bool) {
	if i > 0 && c.has(noun) && i < len(t)-1 && wordClass(t[len(t)-1]).has(info) {
		return newVerdict(Unknown, LayerName, quote(t[i])+" may be a verb or a noun here"), false
	}
	return newVerdict(Yes, LayerName, quote(t[i])+" changes state"), true
}

// leadRead judges a name that begins with a reading verb. The words after the verb may
// add a second action, as in read_and_delete.
func leadRead(t []string, i int) (Verdict, bool) {
	v, ok := readingVerb(t, i)
	if joined, found := joinedVerb(t, i); found && (!ok || joined.Mutating.rank() > v.Mutating.rank()) {
		return joined, true
	}
	return v, ok
}

// readingVerb judges a name by its reading verb at index i and the words after the verb.
// It does not judge unknown words after a conjunction, which joinedVerb judges.
func readingVerb(t []string, i int) (Verdict, bool) {
	for k := i + 1; k+1 < len(t); k++ {
		if t[k] == "to" && (isStorageWord(t[k+1]) || k+2 == len(t) && isListed(t[k+1], receiverList) && isListed(t[i], tellingList)) {
			return newVerdict(Unknown, LayerName, quote("to "+t[k+1])+" may write the result"), true
		}
	}
	if v, ok := judgePhrasalName(t[i:]); ok {
		return v, true
	}
	if pair := changingPair(t, i); pair != "" {
		return newVerdict(Unknown, LayerName, quote(pair)+" may do more than read"), true
	}
	if t[i] == "check" && i > 0 && i == len(t)-1 && onScreen(t[:i]) {
		return newVerdict(Unknown, LayerName, "\"check\" may mean to tick a checkbox here"), true
	}
	if v, ok := secondVerb(t, i); ok {
		return v, true
	}
	if issuesObject(t[i], t[i+1:]) {
		return newVerdict(Unknown, LayerName, quote(t[i])+" may create, take or mark the returned object"), true
	}
	if last := t[len(t)-1]; len(t) > i+1 && (wordClass(last) == vague || t[i] == "interpret") && isAnythingWord(last) || containsString(t[i+1:], "pickle") {
		return newVerdict(Unknown, LayerName, quote(t[i])+" is followed by "+quote(last)), true
	}
	if i == 0 && len(t) > 2 && t[0] == "get" && oneOf(t[1], "a an") && wordClass(t[2]).has(write|weak) {
		return newVerdict(Unknown, LayerName, quote(strings.Join(t[:3], " "))+" may ask for one"), true
	}
	if i == 0 && len(t) == 2 && t[1] == "new" {
		return newVerdict(Unknown, LayerName, quote(t[0]+" new")+" may create something"), true
	}
	if startsWithAdverb(t[i+1:]) {
		return newVerdict(Unknown, LayerName, quote(t[i]+" "+t[i+1])+" may mean more than "+quote(t[i])), true
	}
	for k := i + 1; k < len(t) && !isPreposition(t[k]); k++ {
		c := wordClass(t[k])
		switch {
		case !c.has(write) || hasInfoWord(t[k+1:]):
		case !c.has(noun):
			return newVerdict(Yes, LayerName, quote(t[i])+" is followed by "+quote(t[k])), true
		case wordClass(t[i]).has(noun) && (k == i+1 && i > 0 || k == len(t)-1 && (i > 0 || k == i+1)):
			// wish_list_update_item, search_refresh: which of the two is the verb?
			return newVerdict(Unknown, LayerName, quote(t[i])+" may be a noun before "+quote(t[k])), true
		}
	}
	if end := len(t) - 1; endsInDeed(t, i) {
		return newVerdict(Unknown, LayerName, quote(t[i])+" is followed by "+quote(t[end])), true
	}
	return newVerdict(No, LayerName, quote(t[i])+" only looks"), true
}

// endsInDeed reports whether a name with the reading verb t[i] ends in a verb that may
// change something. An example is query_cache_clear. A verb after a preposition or
// another verb does not count, as in list_items_to_delete.
func endsInDeed(t []string, i int) bool {
	end := len(t) - 1
	if end < i+2 || isPreposition(t[end-1]) || t[end-1] == "to" || wordClass(t[end-1]).has(weak) && !wordClass(t[end-1]).has(noun) {
		return false
	}
	c := wordClass(t[end])
	several := len(t[end-1]) > 3 && strings.HasSuffix(t[end-1], "s") // instances_stop, but not bus_stop
	return c.isDeed() || oneOf(t[end], "clear pause reset retry expire install") || several && oneOf(t[end], "stop start resume archive")
}

// startsWithAdverb reports whether the words after a reading verb begin with an adverb
// that may change the meaning of the verb, as in count_down. An adverb before a noun
// belongs to the noun, as in count_down_votes.
func startsWithAdverb(rest []string) bool {
	if len(rest) == 0 || rest[0] != "down" && rest[0] != "off" && rest[0] != "out" && rest[0] != "away" {
		return false
	}
	last := rest[len(rest)-1]
	return len(rest) == 1 || wordClass(last).has(write) && !infoTail(last)
}

// offersOne reports whether a name may offer one thing, such as list_product. A name with
// a plural, such as list_products, lists many things.
func offersOne(t []string) bool {
	return len(t) > 1 && t[0] == "list" && !strings.HasSuffix(t[len(t)-1], "s")
}

// describesOffer reports whether a member's name describes a thing that is offered, such
// as its price or title. A call that lists many things has no such member. A limit such
// as max_price is a filter.
func describesOffer(name string) bool {
	switch strings.Join(splitWords(name), " ") {
	case "price", "title", "description", "condition", "asking price", "starting price", "list price":
		return true
	}
	return false
}

// issuesObject reports whether a read also creates, takes or marks its object. Examples
// are get_new_token, get_lock and get_next_job.
func issuesObject(verb string, rest []string) bool {
	if len(rest) == 0 {
		return false
	}
	last := rest[len(rest)-1]
	switch last {
	case "table", "tables", "index", "database", "schema":
		return verb == "analyze" || verb == "analyse"
	case "lock", "lease", "mutex", "semaphore", "nonce", "otp":
		return len(rest) == 1
	case "id", "number", "sequence", "ticket": // the next one comes from a counter
		return rest[0] == "new" || rest[0] == "fresh" || rest[0] == "next"
	case "token", "key", "secret", "password", "session", "code", "address", "credentials", "credential":
		return rest[0] == "new" || rest[0] == "fresh" || rest[0] == "one"
	case "notifications", "messages", "emails", "mail", "alerts":
		return verb == "read" && rest[0] == "all"
	case "job", "task", "message", "work", "item", "call", "lead", "order", "patient", "record", "customer", "case", "contact", "request":
		return rest[0] == "next" // from a queue, which then gives it to nobody else
	}
	return false
}

// isStorageWord reports whether a word means a place where a result is stored.
func isStorageWord(w string) bool {
	return w == "file" || w == "disk" || w == "clipboard" || w == "drive" || w == "folder"
}

// onScreen reports whether words mean parts of a user interface.
func onScreen(t []string) bool {
	for _, w := range t {
		switch w {
		case "browser", "page", "ui", "gui", "element", "checkbox", "form", "dom", "screen", "box":
			return true
		}
	}
	return false
}

// hasInfoWord reports whether a list of words contains a word for information. A verb
// before such a word only names the subject of the information, as in get_delete_status.
func hasInfoWord(t []string) bool {
	for _, w := range t {
		if wordClass(w).has(info) {
			return true
		}
	}
	return len(t) > 0 && infoTail(t[len(t)-1])
}

func infoTail(w string) bool {
	return isListed(w, infoTailList)
}

// secondVerb returns the verdict on a verb directly after a conjunction, such as create
// in get_or_create. It considers only verbs after index i that may change something. The
// second result is false if there is no such verb.
func secondVerb(t []string, i int) (Verdict, bool) {
	for k := i + 1; k+1 < len(t); k++ {
		c := wordClass(t[k+1])
		if !isConjunction(t[k]) && !(t[k] == "n" && c.has(write)) {
			continue
		}
		switch {
		case c.has(write), c.has(weak) && (!c.has(noun) || k == i+1):
			return newVerdict(Yes, LayerName, quote(t[k]+" "+t[k+1])+" adds a change"), true
		case c.has(vague), c.has(weak) && !endsInNoun(t[k+2:]), c == 0 && k+2 == len(t) && !onlyShapes(t[k+1]) && !endsInNoun(t[k+1:]):
			return newVerdict(Unknown, LayerName, quote(t[k]+" "+t[k+1])+" may describe a further change"), true
		}
	}
	return Verdict{}, false
}

// endsInNoun reports whether the last word is a noun. A word is a noun if it is in a list
// of nouns or has a typical ending of nouns.
func endsInNoun(t []string) bool {
	if len(t) == 0 {
		return false
	}
	last := t[len(t)-1]
	if wordClass(last).has(info) || isListed(last, nounLists) || isListed(last+"s", nounLists) {
		return true
	}
	for _, end := range [...]string{"s", "y", "ion", "ment", "nce", "ure"} {
		if strings.HasSuffix(last, end) {
			return true
		}
	}
	return false
}

// onlyShapes reports whether a word is a verb that only selects, orders, searches or
// examines data.
func onlyShapes(w string) bool { return isListed(w, shapesList) || looksForWords(w) || readsCode(w) }

// joinedVerb judges an unknown word that a conjunction joins to the reading verb at index
// i. Such a word is a verb and may change something, as in get_and_frob. The second
// result is false if there is no such word.
func joinedVerb(t []string, i int) (Verdict, bool) {
	for k := i + 1; k+1 < len(t); k++ {
		if (k == i+1 && isConjunction(t[k]) || t[k] == "then") && !wordClass(t[k+1]).has(read) && !onlyShapes(t[k+1]) {
			return newVerdict(Unknown, LayerName, quote(t[k]+" "+t[k+1])+" may describe a further change"), true
		}
	}
	if i < 2 || !isConjunction(t[i-1]) || wordClass(t[i]).has(noun) && t[i-1] != "then" || wordClass(t[i-2]).has(read) || onlyShapes(t[i-2]) {
		return Verdict{}, false
	}
	return newVerdict(Unknown, LayerName, quote(t[i-2]+" "+t[i-1])+" may describe a change"), true
}

// leadWeak judges a name whose first known word, at index i, is a vague verb or a noun
// that may be a verb. If a plain verb comes later, that verb decides, as in order_cancel.
// Otherwise a noun before another word is the verb, as in order_pizza. The second result
// is false if these words do not decide.
func leadWeak(t []string, i int, c class) (Verdict, bool) {
	last := len(t) - 1
	for k := i + 1; k <= last; k++ {
		switch d := wordClass(t[k]); {
		case isPreposition(t[k]) && c.has(noun):
			k = last
		case d.has(write) && (!d.has(noun) || k == last || k == i+1):
			if k < last && d.has(noun) && hasInfoWord(t[k+1:]) {
				continue
			}
			return leadWrite(t, k, d)
		case d.has(read) && c.has(noun) && isTrailingVerb(t, i, k, d):
			return leadRead(t, k)
		}
	}
	if c.has(vague) {
		if c.has(noun) && (i > 0 || last > 0) && wordClass(t[last]).has(info) {
			return newVerdict(Unknown, LayerName, quote(t[i])+" may be a verb or a noun here"), false
		}
		if c.has(noun) && i > 0 {
			return Verdict{}, false
		}
		return newVerdict(Unknown, LayerName, quote(t[i])+" promises nothing"), true
	}
	if c.has(noun) && (i > 0 || last == 0) || i > 0 && i == last {
		return Verdict{}, false // a noun at the end (audit_log), or no other word
	}
	if c.has(noun) && coreInfo(t[last]) {
		return Verdict{}, false
	}
	return newVerdict(Yes, LayerName, quote(t[i])+" changes the state of its target"), true
}

// isTrailingVerb reports whether the reading verb at index k is the verb of a name that
// begins with nouns. The argument d is the class of the verb, and i is the index of the
// first noun. The verb may end the name, as in issue_read, or follow the noun, as in
// order_get_details.
func isTrailingVerb(t []string, i, k int, d class) bool {
	if wordClass(t[i]).has(vague) && d.has(noun) {
		return k == len(t)-1 && t[k] == "list" // run_list, but not run_query
	}
	return k == len(t)-1 || k == i+1 && !d.has(noun) || !d.has(noun) && !wordClass(t[i]).has(vague)
}

// namesInfo reports whether a name has no reading verb and ends in a word for
// information.
func namesInfo(t []string) bool {
	return wordClass(t[len(t)-1]).has(info) && !isQuestionWord(t[0]) && !anyOf(t, func(w string) bool { return wordClass(w).has(read) })
}

// nounPhrase judges a name without a verb of the lexicon. A name that ends in a word for
// information asks for that information, so it means a read. It does not mean a read if
// WordNet has an earlier word as a verb that changes something, as in leak_documents.
func nounPhrase(t []string) (Verdict, bool) {
	v, found := askedPhrase(t)
	if found && v.Mutating == No {
		for _, w := range t[:len(t)-1] {
			if actsByEnding(w) || verbs.Acts(w) {
				return newVerdict(Unknown, LayerName, quote(w)+" may change something"), true
			}
		}
	}
	return v, found
}

// actsByEnding reports whether a word has an ending that only verbs have.
func actsByEnding(w string) bool {
	return len(w) > 5 && (strings.HasSuffix(w, "ize") || strings.HasSuffix(w, "ify"))
}

// askedPhrase judges a name without a verb by its last word.
func askedPhrase(t []string) (Verdict, bool) {
	last := t[len(t)-1]
	if wordClass(last).has(info) {
		if len(t) == 1 && last == "date" {
			return newVerdict(Unknown, LayerNone, "no word of the name is a known verb"), false
		}
		for _, w := range t[:len(t)-1] {
			if c := wordClass(w); c.has(vague|write) || c.has(weak) && !c.has(noun) {
				return newVerdict(Unknown, LayerName, "the name does not begin with a verb"), false
			}
		}
		return newVerdict(No, LayerName, "the name has no verb and asks for information: "+quote(last)), true
	}
	if v, ok := thingsNamed(t); ok {
		return v, true
	}
	if namesRedisRead(t) {
		return newVerdict(No, LayerName, quote(last)+" is a command of Redis that only reads"), true
	}
	if namesRecord(t) {
		return newVerdict(No, LayerName, "the name has no verb and asks for information: "+quote(last)), true
	}
	return newVerdict(Unknown, LayerNone, "no word of the name is a known verb"), false
}

// thingsNamed judges a name without a verb. The name means a read if it ends in a word
// for listed things, such as messages, or in a word for a tool that reads, such as
// retriever. The second result is false for any other name.
func thingsNamed(t []string) (Verdict, bool) {
	if !namesThings(t) {
		return Verdict{}, false
	}
	return newVerdict(No, LayerName, "a name without a verb: "+quote(t[len(t)-1])), true
}

// namesRecord reports whether a name without a verb ends in a word for what was recorded
// or computed about the things before it, as in pods_log and nodes_stats_summary. The
// first word must be a plural or a program, or another noun if the last word can be no verb.
func namesRecord(t []string) bool {
	last := len(t) - 1
	if last == 0 || !oneOf(t[last], "log top summary graph stats") {
		return false
	}
	for i, w := range t[:last] {
		plural := len(w) > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss")
		if isConjunction(w) || isPreposition(w) || wordClass(w) != 0 && wordClass(w) != info || wordClass(verbStem(w)) != 0 && wordClass(w) == 0 || i == 0 && !plural && !knownProgram(w) && (!isListed(w, nounLists) || t[last] == "log") {
			return false
		}
	}
	return true
}

func namesThings(t []string) bool {
	for _, w := range t[:len(t)-1] {
		if wordClass(w) != 0 || wordClass(verbStem(w)) != 0 || strings.HasSuffix(w, "ize") || strings.HasSuffix(w, "ify") || w == "mass" || w == "bulk" {
			return false
		}
	}
	return thingWord(t[len(t)-1])
}

// CutNamespace splits a tool's name at its first namespace mark: a double underscore, a
// slash, a full stop, a hash, or one or two colons.
func CutNamespace(name string) (before, after string, found bool) { return cutMark(name) }
