package mutation

import (
	"path"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
)

// weighPlain is like weighArguments, but ignores the claims of host tables.
//
// The arguments can always make the tool's verdict stricter. They can make the verdict
// milder in these cases:
//
//   - The tool runs a text, such as a command line, and proveCall proves that the text only reads.
//   - A reviewed host table says that the tool only calculates with these numbers.
//   - The declared operation is known to read.
func weighPlain(s *start, arguments jsonval.Value, shell session) Verdict {
	switch {
	case s.final:
		return s.verdict
	case !arguments.Exists():
		return s.static
	}
	if s.members.numbers != nil && onlyNumbers(arguments, s.members.numbers) {
		return newVerdict(No, LayerTable, "a reviewed table of known tools says that the tool only calculates with these numbers")
	}
	v := s.verdict
	e := evidence{start: s, shell: shell}
	switch s.language {
	case shellText, queryText, httpText, arithText:
		return proveCall(s, arguments, shell)
	case actionText:
		a := s.members.actions
		if op, ok := arguments.Get(a.member).Str(); ok && a.isReadOperation(op) {
			v = newVerdict(No, LayerArgument, quote(clipText(a.member))+" is "+quote(clipText(op)))
			e.skip = a.member
		}
	}
	e.reading = v.Mutating == No
	e.walkValue("", otherMember, arguments, 0)
	if name := e.places.receiver(); name != "" && e.reading && !s.members.trusted {
		e.doubtMember(name, " may name a file to write")
	}
	if e.members.takes == takesFilters && e.reading && e.thing.isOne(e.members.words) {
		e.addEvidence(Unknown, LayerArgument, "the arguments may describe one thing to create or change")
	}
	return e.raiseVerdict(v)
}

// evidence collects evidence from the arguments of a call whose tool runs no command
// line, query or other text. The evidence can only make the verdict stricter.
type evidence struct {
	raise
	*start
	places  places
	shell   session
	inside  bool   // within a filter or a pipeline, whose members are fields of records
	outer   bool   // the current member is one of the call's own, not of an object in it
	reading bool   // the current verdict is that the call reads
	thing   thing  // what the members so far describe
	file    bool   // a record has a path
	content bool   // a record has a content
	skip    string // a top-level member that was judged already
}

// maxDepth limits the depth of arguments: every level costs the size of the values below
// it.
const maxDepth = 64

// walkValue judges everything inside v, the value of the member key with the kind k. The
// elements of an array are judged with the name of the array, and the members of an
// object with their own names. An object of search words or code gives its kind to
// members of the kinds otherMember and readerMember.
func (e *evidence) walkValue(key string, k kind, v jsonval.Value, depth int) {
	if depth > maxDepth {
		e.addEvidence(Unknown, LayerArgument, "arguments are nested too deep to read")
		return
	}
	switch v.Kind() {
	case jsonval.Object:
		v.Each(func(name string, m jsonval.Value) bool {
			if depth > 0 || name != e.skip {
				e.judgeMember(name, k, m, depth)
			}
			return true
		})
	case jsonval.Array:
		if line, only := valueWords(v); only && e.reading && holdsOptions(key) && asksByOption(strings.Join(line, " ")) {
			e.doubtMember(key, " asks for a change")
		}
		v.Each(func(_ string, m jsonval.Value) bool {
			if m.Kind() == jsonval.String {
				e.judgeValue(key, k, m)
			}
			e.walkValue(key, k, m, depth+1)
			return true
		})
	case jsonval.String:
		if s, _ := v.Str(); len(s) > 1 && (s[0] == '{' || s[0] == '[' || s[0] == ' ') {
			if inner, err := jsonval.Parse(strings.TrimSpace(s)); err == nil {
				e.walkValue(key, k, inner, depth+1)
			}
		}
	}
}

func (e *evidence) judgeMember(name string, above kind, v jsonval.Value, depth int) {
	if name == "$out" || name == "$merge" {
		e.addEvidence(Yes, LayerArgument, "a pipeline stage "+name+" writes its result")
	}
	if strings.HasPrefix(name, "$") && pipelineRuns(name) {
		e.addEvidence(Unknown, LayerArgument, name+" runs code")
	}
	if e.members.takes == takesFilters {
		e.thing.addMember(name, e.members.words)
	}
	if e.reading && above == wordsMember && v.Kind() == jsonval.Object {
		switch {
		case isFieldOperator(name):
			e.walkFields(v, depth+1)
			return
		case oneOf(name, "bool constant_score dis_max must must_not should"):
			e.walkValue(name, wordsMember, v, depth+1)
			return
		}
	}
	k := kindOf(name, v)
	if namesOutput(e.members.outputs, name) {
		k = outputMember
	}
	e.inside = above == wordsMember || above == codeMember
	e.outer = depth == 0
	e.judgeValue(name, k, v)
	if k == otherMember || k == readerMember {
		if e.inside = above == wordsMember || above == codeMember; e.inside {
			k = above
		}
	}
	e.walkValue(name, k, v, depth+1)
}

// namesOutput reports whether a name is in the list outputs, ignoring case and the
// separators between words. The list has the names of the members that name a file to
// write.
func namesOutput(outputs []string, name string) bool {
	for _, o := range outputs {
		if o == name || strings.EqualFold(strings.Join(splitWords(o), ""), strings.Join(memberWords(name), "")) {
			return true
		}
	}
	return false
}

// hasContent reports whether a value has content. These values have content:
//
//   - true
//   - a number other than zero
//   - a text with more than white space
//   - a list or an object that is not empty
func hasContent(v jsonval.Value) bool {
	switch v.Kind() {
	case jsonval.Missing, jsonval.Null:
		return false
	case jsonval.Bool:
		b, _ := v.Bool()
		return b
	case jsonval.Number:
		return strings.Trim(v.Raw(), "-+0.") != ""
	case jsonval.String:
		s, _ := v.Str()
		return strings.TrimSpace(s) != ""
	}
	return v.Len() > 0
}

// judgeValue judges one value by the kind of the member that contains it. It ignores a
// value without content, such as false or an empty text.
func (e *evidence) judgeValue(name string, k kind, v jsonval.Value) {
	if e.reading && e.turnsOffSafeguard(name, v) {
		e.doubtMember(name, " turns a safeguard off")
	}
	if k == deedMember && v.Kind() == jsonval.Number && isTailWord(lastWord(name)) { // set_level: 0
		e.noteDeed(name)
	}
	if e.members.takes == takesInfo && setsInfo(e.members.words, name) && (v.Kind() == jsonval.Number || v.Kind() == jsonval.String) {
		e.doubtMember(name, " may be the new value")
	}
	if !hasContent(v) {
		return
	}
	s, text := v.Str()
	if e.members.takes == takesRecord {
		e.judgeRecord(name, k, s)
		return
	}
	if text {
		e.judgeText(name, k, s)
		e.places.note(&e.members, name, s)
	}
	if e.reading && memberChanges(e.members.words, name) {
		e.doubtMember(name, " changes the meaning of the tool's name")
	}
	if e.verdict.Control {
		e.judgeSpeech(name, k, v)
		return
	}
	reviewed := e.isReviewed(name)
	declared := e.members.declared.Get(name).Exists() || reviewed
	if e.members.dialects&dialectRedis != 0 && setsExpiry(memberWords(name)) {
		e.addEvidence(Unknown, LayerSQL, quote(clipText(name))+" sets when the key expires")
	}
	switch k {
	case deedMember:
		if !(declared && e.members.trusted) && !reviewed && !isStayDate(name, s) {
			e.noteDeed(name)
		}
	case outputMember:
		switch {
		case !e.reading:
		case text:
			e.addEvidence(Yes, LayerArgument, quote(clipText(name))+" names a file to write")
		case !declared:
			e.doubtMember(name, " may ask for a file to write")
		}
	case carrierMember:
		if e.reading && !declared {
			e.judgeCarrier(name, v)
		}
	default:
		if e.reading && reviewed && text && (k == otherMember || k == readerMember) {
			e.plainText(name, k, v)
		}
		if e.reading && !declared {
			e.judgeUndeclared(name, k, v)
			if k == otherMember && e.members.declared.Exists() && !e.inside && e.outer {
				e.doubtMember(name, " is not in the tool's definition")
			}
		}
	}
}

// isReviewed reports whether a member of the call is an argument that the row of a host
// table lists for a tool that reads.
func (e *evidence) isReviewed(name string) bool {
	return e.outer && containsString(e.members.ofHost, name)
}

// judgeCarrier judges a member that may contain an operation and is not declared in the
// operator's schema. Texts are judged elsewhere. A number or true counts only if the name
// of the member means an operation that the tool is not about, such as cmd.
func (e *evidence) judgeCarrier(name string, v jsonval.Value) {
	t := memberWords(name)
	last := t[len(t)-1]
	switch kind := v.Kind(); {
	case e.members.takes == takesFilters && !isNarrowingName(name):
		e.doubtMember(name, " is not only a filter")
	case kind == jsonval.String, onlyTexts(v):
	case kind == jsonval.Number || kind == jsonval.Bool:
		if operationNoun(last) && !e.members.named(last) && (kind == jsonval.Number || !flagWord(t[0])) { // but not include_operation: true
			e.doubtMember(name, " may describe any action")
		}
	default:
		e.doubtMember(name, " may describe any action")
	}
}

// judgeRecord judges a member of a record that the agent gives as its answer. The member
// is evidence of a change only if it means a change, a file to write, or an operation
// that changes something.
func (e *evidence) judgeRecord(name string, k kind, s string) {
	e.file, e.content = e.file || k == pathMember, e.content || k == contentMember
	switch {
	case e.members.stranger && e.file && e.content:
		e.doubtMember(name, " stands beside a path or a content, which may be a file to write")
	case k == deedMember || k == outputMember:
		e.noteDeed(name)
	case k == carrierMember && isIdentifier(s):
		e.judgeOperation(name, s)
	}
}

// setsInfo reports whether a member may be a new value, if the tool is named after
// information. An example is the member status of the tool order_status. The file
// words.txt lists these members.
func setsInfo(t []string, name string) bool {
	return isListed(t[len(t)-1]+"~"+strings.Join(memberWords(name), ""), pairList)
}

// memberChanges reports whether a member changes the meaning of a name from a read to a
// change. The file words.txt lists the pairs of a word in the name and such a member.
func memberChanges(t []string, name string) bool {
	m := "=" + strings.Join(memberWords(name), "")
	if !isListed(m, pairList) {
		return false
	}
	for i, w := range t {
		if isListed(w+m, pairList) || i+2 >= len(t) && isListed("_"+strings.Join(t[i:], "_")+m, pairList) {
			return true
		}
	}
	return false
}

// turnsOffSafeguard reports whether a member turns off a safeguard such as dry_run. While
// a safeguard is on, the call changes nothing. These members turn off a safeguard:
//
//   - a safeguard that is off, such as dry_run: "no"
//   - the opposite of a safeguard that is on, such as skip_dry_run: true
//   - a mode such as "live", if the tool's name promises a preview
func (e *start) turnsOffSafeguard(name string, v jsonval.Value) bool {
	s := strings.TrimSpace(v.Text())
	if v.Kind() == jsonval.String && len(s) > len("disabled") { // the longest of the words below
		return false
	}
	s = wordlist.Lower(s)
	on, off := oneOf(s, "1 true yes y on"), oneOf(s, "0 false no n off never disabled")
	if kind := v.Kind(); kind == jsonval.Bool || kind == jsonval.Number {
		on, off = hasContent(v), !hasContent(v)
	}
	if !on && !off && !oneOf(s, "live real apply execute commit") {
		return false
	}
	t := memberWords(name)
	for len(t) > 1 && oneOf(t[0], "is as do use enable") {
		t = t[1:]
	}
	if len(t) == 0 {
		return false
	}
	previews := e.members.named("preview validate plan")
	switch rest := t[1:]; {
	case oneOf(t[0], "no not skip without disable ignore") && len(rest) > 0:
		return off && (rest[0] == "write" || rest[len(rest)-1] == "act") ||
			on && (e.isSafeguard(rest, previews) || strings.HasPrefix(rest[0], "confirm") || strings.HasPrefix(rest[0], "approv"))
	case len(rest) == 0 && previews && oneOf(s, "live real apply execute commit"):
		return oneOf(t[0], "mode phase stage type")
	}
	return off && e.isSafeguard(t, previews)
}

// setsExpiry reports whether a member's name t is an option of Redis that changes the
// time at which a key expires.
func setsExpiry(t []string) bool {
	return len(t) > 0 && oneOf(t[0], "ex px exat pxat ttl persist expire expires expireat")
}

// isSafeguard reports whether the words t of a switch mean a safeguard, such as dry run.
// If previews is true, more words count, such as preview and validate.
func (e *start) isSafeguard(t []string, previews bool) bool {
	if oneOf(t[0], "validate check preview plan test sandbox") {
		return len(t) > 1 && t[1] == "only" || previews && (len(t) == 1 || t[1] == "mode")
	}
	if oneOf(t[0], "dry dryrun simulate simulated simulation readonly peek leave noop whatif") || t[0] == "keep" && len(t) == 1 {
		return true
	}
	return t[0] == "read" && containsString(t, "only")
}

// isStayDate reports whether a member is the first or the last day of a stay, such as
// check_in or checkout with a date. Searches for hotels have such members.
func isStayDate(name, value string) bool {
	switch strings.Join(memberWords(name), "") {
	case "checkin", "checkout":
		return len(value) == len("2006-01-02") && value[4] == '-' && value[7] == '-' && strings.Trim(value, "-0123456789") == ""
	}
	return false
}

// onlyTexts reports whether a value is an array of texts. walkValue judges each of them
// separately.
func onlyTexts(v jsonval.Value) bool {
	texts := v.Kind() == jsonval.Array
	v.Each(func(_ string, m jsonval.Value) bool {
		texts = texts && m.Kind() == jsonval.String
		return texts
	})
	return texts
}

func deedVerdict(name string) Tri {
	for _, w := range memberWords(name) {
		if c := wordClass(w); c.isDeed() {
			return Yes
		}
	}
	return Unknown
}

// judgeUndeclared judges a member that the operator's schema does not declare, in a call
// that otherwise only reads. A plain value is harmless, because it only names something.
// A value that is a switch, an object, data or a long text can make the verdict unknown,
// because it may mean anything.
func (e *evidence) judgeUndeclared(name string, k kind, v jsonval.Value) {
	switch takes := e.members.takes; {
	case e.members.offers && describesOffer(name):
		e.doubtMember(name, " may describe an offer that the call makes")
	case namesServer(name, v) && !e.members.named("url web page site endpoint"):
		e.doubtMember(name, " may send the request to another server")
	case !e.members.mails && namesReaders(name, v):
		e.doubtMember(name, " may receive the result")
	case takes == takesFilters && !isNarrowingName(name):
		e.doubtMember(name, " is not only a filter")
	case k == contentMember || e.language == actionText && k == wordsMember:
		if v.Kind() != jsonval.Bool && (takes == takesNothing || takes == takesInfo || takes == takesFilters) {
			e.doubtMember(name, " contains data")
		}
	case ordersByFlag(name, v):
		e.doubtMember(name, " holds a verb that changes something")
	case k != otherMember && k != readerMember:
	case v.Kind() == jsonval.Bool, isOn(v):
		e.judgeFlag(name, k)
	case v.Kind() == jsonval.Object:
		if t := memberWords(name); len(t) > 1 && wordClass(t[0]).has(weak) {
			e.doubtMember(name, " asks for a change")
		}
		if !(e.inside && isComparison(v)) && !strings.HasPrefix(name, "$") && !(k == readerMember && shapesSearch(name, v)) && takes != takesContent {
			e.doubtMember(name, " has unknown members")
		}
	case v.Kind() == jsonval.String:
		e.plainText(name, k, v)
	}
}

// thing counts the members of a call whose name is only a word for things (orders). They
// may describe one thing to make or change instead of filters.
type thing struct{ ids, own, states, days int }

func (c *thing) addMember(name string, t []string) {
	m := memberWords(name)
	switch {
	case len(m) == 0:
	case m[len(m)-1] == "id":
		c.ids++
		if len(m) == 1 || len(m) == 2 && m[0] == singularForm(t[len(t)-1]) {
			c.own++
		}
	case len(m) == 1 && (m[0] == "status" || m[0] == "state" || m[0] == "type"):
		c.states++
	case m[0] == "start" || m[0] == "end":
		c.days++
	}
}

// isOne reports whether the members of a call describe one thing instead of filters. One
// of these must be true:
//
//   - There are two ids.
//   - There are a state and the id of the thing itself.
//   - The call is about bookings, and has a first day, a last day, and an id or a state.
func (c *thing) isOne(t []string) bool {
	switch t[len(t)-1] {
	case "bookings", "reservations", "appointments":
		if c.days > 1 && c.ids+c.states > 0 {
			return true
		}
	}
	return c.ids > 1 || c.own > 0 && c.states > 0
}

func isNarrowingName(name string) bool {
	t := memberWords(name)
	return len(t) == 0 || listsBy(t)
}

// judgeFlag judges a switch that is on. The switch may change something if its name has
// no known meaning or contains a verb for a change, such as delete_after.
func (e *evidence) judgeFlag(name string, k kind) {
	if t := memberWords(name); k == otherMember || !returnsPart(t) && (actsLater(t) || beginsWithDeed(t) || ordersAlone(t) || endsWithDeed(t)) {
		e.doubtMember(name, " turns on an unknown option")
	}
}

// endsWithDeed reports whether the name of a switch is a word such as with or use, and a
// verb that changes something. An example is with_delete. Names such as no_delete and
// can_delete do not count.
func endsWithDeed(t []string) bool {
	if len(t) != 2 {
		return strings.HasSuffix(strings.Join(t, " "), "side effects")
	}
	if t[0] == "in" && t[1] == "place" {
		return true
	}
	c := wordClass(t[1])
	return oneOf(t[0], "with use is read all") && (c.isDeed() || t[1] == "lock" || t[1] == "save")
}

// ordersAlone reports whether the name of a switch is only the word place, start, stop or
// build. In a longer name, such as start_date, the word usually describes a value.
func ordersAlone(t []string) bool {
	return len(t) == 1 && (t[0] == "place" || t[0] == "start" || t[0] == "stop" || t[0] == "build")
}

// namesReaders reports whether a member names the people to whom a message is sent. In a
// search for messages such a member is a filter.
func namesReaders(name string, v jsonval.Value) bool {
	word := strings.Join(memberWords(name), "")
	return oneOf(word, "cc bcc recipients subscribers recipientemail recipientemails toemail toemails emailto slackchannel") || word == "to" && strings.Contains(v.Text(), "@")
}

// namesServer reports whether a member replaces the server to which a tool sends its
// requests.
func namesServer(name string, v jsonval.Value) bool {
	s, _ := v.Str()
	if !strings.ContainsAny(s, ".:") {
		return false
	}
	word := strings.Join(memberWords(name), "")
	return oneOf(word, "proxy baseurl apiurl apibase endpointurl") || oneOf(word, "endpoint registry gateway") && strings.Contains(s, "//")
}

// actsLater reports whether a switch makes the tool do something before or after its
// work, such as cleanup_after.
func actsLater(t []string) bool {
	if len(t) < 2 || switchWord(t[0]) {
		return false
	}
	last := t[len(t)-1]
	return last == "after" || last == "before" || last == "then"
}

// beginsWithDeed reports whether the name of a switch begins with a verb that changes
// something, such as order_now or delete_source.
func beginsWithDeed(t []string) bool {
	if len(t) == 0 {
		return false
	}
	c := wordClass(t[0])
	return c.has(weak) || c.isDeed() || len(t) > 1 && t[0] == "trust" // trust_remote_code
}

// isComparison reports whether all members of an object are operators of a filter, such
// as {"$gt": 5}.
func isComparison(v jsonval.Value) bool {
	all := v.Len() > 0
	v.Each(func(key string, _ jsonval.Value) bool {
		all = isListed(wordlist.Lower(strings.TrimPrefix(key, "$")), comparisonList)
		return all
	})
	return all
}

// shapesSearch reports whether an object only describes a search. The result is true if
// the name says how or where to look, such as sort or location. It is also true if the
// object contains only numbers and booleans.
func shapesSearch(name string, v jsonval.Value) bool {
	t := memberWords(name)
	if last := t[len(t)-1]; last == "order" {
		return len(t) == 1 || t[0] == "sort" // but not place_order
	} else if isListed(last, searchShapeList) {
		return true
	}
	numbers := true
	v.Each(func(_ string, m jsonval.Value) bool {
		numbers = numbers && (m.Kind() == jsonval.Number || m.Kind() == jsonval.Bool)
		return numbers
	})
	return numbers
}

// plainText judges a text in a member whose name has no clear meaning. These texts can
// make the verdict unknown:
//
//   - a text of several lines or of more than 400 bytes
//   - a path or an address
//   - a file that may contain code
//   - a mode that opens a file for writing
func (e *evidence) plainText(name string, k kind, v jsonval.Value) {
	const long = 400
	s, _ := v.Str()
	place := strings.HasPrefix(s, "/") && len(s) > 1 || strings.HasPrefix(s, "~/") || strings.Contains(s, "://")
	switch {
	case e.members.takes == takesContent:
	case strings.Contains(s, "\n") || len(s) > long:
		e.doubtMember(name, " contains a text")
	case place && e.members.takes != takesWords && (k == otherMember || isRecipientName(name)):
		e.doubtMember(name, " contains a path or an address, and its purpose is unknown")
	case loadsCode(name, s):
		e.doubtMember(name, " names a file that may run code")
	case opensForWriting(name, s):
		e.doubtMember(name, " opens a file for writing")
	}
}

// loadsCode reports whether a member names a file with settings or code that a program
// loads when it starts. An example is {"kubeconfig": "./x.yaml"}. Programs run the
// commands in such files.
func loadsCode(name, s string) bool {
	if !oneOf(lastWord(name), "config kubeconfig plugin plugins pager difftool external driver import") {
		return false
	}
	return strings.Contains(s, "/") || oneOf(strings.TrimPrefix(path.Ext(s), "."), "js cjs mjs py so sh yaml yml pkl")
}

func isRecipientName(name string) bool {
	t := memberWords(name)
	last := t[len(t)-1]
	return last == "destination" || last == "target" || last == "to" || last == "recipient"
}

// judgeText judges a text by the kind of its member.
func (e *evidence) judgeText(name string, k kind, s string) {
	if e.verdict.Control && (k == wordsMember || k == contentMember || k == otherMember || k == readerMember) {
		return
	}
	if why := unsafeScheme(s); why != "" {
		e.addEvidence(Unknown, LayerHTTP, why)
	}
	if strings.Contains(s, "!!python/") || strings.Contains(s, "!!ruby/") {
		e.doubtMember(name, " has a YAML tag that may run code")
	}
	if isSerialized(s) {
		e.doubtMember(name, " is a serialized object, which may run code when it is read")
	}
	if !e.members.looks && k == otherMember && strings.Contains(s, "__") && strings.ContainsAny(s, "({") {
		e.doubtMember(name, " may run code")
	}
	if e.addsOption(name, k, s) {
		e.addEvidence(Unknown, LayerShell, quote(clipText(name))+" may add an option to a command line: "+quote(clipText(s)))
	}
	if k != wordsMember && k != contentMember {
		if why := addressAsks(s); why != "" {
			e.addEvidence(Unknown, LayerHTTP, why)
		}
		if k == readerMember && leavesPath(name, s) {
			e.addEvidence(Unknown, LayerHTTP, quote(clipText(name))+" may name another address: "+quote(clipText(s)))
		}
		if k == carrierMember && injectsCommand(s) || (k == readerMember || k == pathMember || k == otherMember) && (injectsCommand(s) || splitsCommandLine(s) && joinsCommandLine(name) || namesThing(name) && startsProgram(s) || isHostName(name) && (strings.ContainsAny(s, ";|&<>") && !strings.Contains(s, "://") || strings.Contains(s, " -"))) {
			e.addEvidence(Unknown, LayerShell, quote(clipText(name))+" contains a second command after a separator")
		}
	}
	if k == wordsMember && injectsCommand(afterQuote(s)) {
		e.addEvidence(Unknown, LayerShell, quote(clipText(name))+" contains a second command after a quote")
	}
	if k == wordsMember && substitutesCommand(s) {
		e.addEvidence(Unknown, LayerShell, quote(clipText(name))+" contains a command that a shell would run")
	}
	switch k {
	case methodMember, headerMember:
		e.judgeMethod(name, k, s)
	case carrierMember:
		e.judgeOperation(name, s)
	case codeMember:
		e.judgeCode(name, s)
	case wordsMember, readerMember, pathMember, otherMember:
		if e.reading && e.members.rows && fragmentAsks(name, s, e.members.queries) {
			e.addEvidence(Unknown, LayerSQL, quote(clipText(name))+" contains SQL that may change something")
		}
		if t := memberWords(name); e.reading && len(t) > 1 && operationNoun(t[0]) && isPreposition(t[1]) { // action_on_match
			e.judgeOperation(name, s)
		}
		if e.reading && ordersAction(name, k, s) && !(isSwitchState(s) && e.isReviewed(name)) { // safesearch: off
			e.doubtMember(name, " is "+quote(clipText(s)))
		}
		if m, why := methodKind(s); why != "" && m != No && k == otherMember {
			e.addEvidence(m, LayerHTTP, why)
		}
		e.judgeWords(name, k, s)
	case contentMember:
		if e.members.queries {
			e.judgeCode(name, s)
		}
	}
}

// ordersAction reports whether the value s of a reading call asks for another action.
// These are the main rules, by the name and the kind of the member:
//
//   - In a mode, s asks for an action if it contains a verb such as apply or a writing verb.
//   - In a path, a segment asks for an action if it is an underscore and a writing verb, such as _delete_by_query.
//   - In a member that is named after a gesture, such as click, every value asks for an action.
//   - In a member for a later moment, such as when_ok, s asks for an action if it begins with a verb that may change something.
//   - In a member without a known meaning, s asks for an action if it is the state of a switch, or a short name that begins with a verb for a change.
func ordersAction(name string, k kind, s string) bool {
	t, v := memberWords(name), splitWords(s)
	if len(t) == 0 || len(v) == 0 {
		return false
	}
	first := wordClass(v[0])
	switch {
	case t[len(t)-1] == "mode":
		return isIdentifier(s) && anyOf(v, func(w string) bool {
			return anythingVerb(w) || wordClass(w).has(write) && (len(v) == 1 && !uiVerb(w) || !wordClass(w).has(noun))
		})
	case k == pathMember:
		return apiDeed(s)
	case k == readerMember && s == "now":
		return wordClass(t[0]).has(write|weak) && !readerVerb(t[0])
	case k != otherMember:
		return false
	case t[len(t)-1] == "steps" && first.has(write|weak):
		return true
	case isMomentWord(t[0]) && len(t) > 1, uiVerb(t[len(t)-1]):
		return first.has(write|weak) || uiVerb(t[len(t)-1])
	}
	if call, _, more := strings.Cut(s, " "); more && isIdentifier(call) {
		return first.isDeed() && len(splitWords(call)) > 1 // delete_user 5
	}
	return isIdentifier(s) && len(v) <= 3 && (first.isDeed() || isSwitchState(s))
}

// apiDeed reports whether a path has a segment that begins with an underscore and a
// writing verb. An example from a search engine is /logs/_delete_by_query.
func apiDeed(s string) bool {
	for segment := range strings.SplitSeq(s, "/") {
		if t := splitWords(segment); strings.HasPrefix(segment, "_") && len(t) > 0 && wordClass(t[0]).has(write) {
			return true
		}
	}
	return false
}

// isMomentWord reports whether a word, such as when or after, begins the name of a member
// for an action at another moment.
func isMomentWord(w string) bool {
	return oneOf(w, "when if after before then upon else otherwise finally")
}

// uiVerb reports whether a word is a gesture on a user interface.
func uiVerb(w string) bool {
	return oneOf(w, "click press tap submit fill drag")
}

// judgeMethod judges the text of a member that may name an HTTP method, in any spelling.
// If the text is not an HTTP method, it is judged like the name of any other operation.
func (e *evidence) judgeMethod(name string, k kind, s string) {
	m, why := methodKind(strings.ToUpper(strings.TrimSpace(s)))
	switch {
	case k == headerMember:
	case why != "" && m != No:
		e.addEvidence(m, LayerHTTP, why)
	case why == "":
		e.judgeOperation(name, s)
	}
}

// isSerialized reports whether a text begins like a serialized object of Python or Java
// in Base64, or of PHP. A program that reads such an object may run code from it.
func isSerialized(s string) bool {
	for _, mark := range [...]string{"rO0AB", "gASV", "gAWV", "O:"} {
		if rest, found := strings.CutPrefix(s, mark); found && (mark != "O:" || strings.Contains(rest, `:"`) && isDigit(rest[0])) {
			return true
		}
	}
	return false
}

// judgeOperation judges a member that holds a verb, the name of a tool, or a command
// line.
func (e *evidence) judgeOperation(name, s string) {
	if e.members.looks && !followsUp(name) { // the tool looks at the code and does not run it
		if isTailWord(lastWord(name)) { // action_id holds no code
			e.judgeWords(name, otherMember, s)
		}
		return
	}
	if t := memberWords(name); len(t) > 1 && isTailWord(t[len(t)-1]) && isIdentifier(s) && !isSwitchState(s) &&
		(e.members.named(t[len(t)-2]) || e.reading && wordClass(e.members.words[0]).has(read) && e.members.named("event log audit activity activities")) {
		return // get_operation with an operation_id, list_events with an action_type
	}
	if e.members.dialects&dialectRedis != 0 && !isIdentifier(s) {
		if m, why := redisKind(s); m != No {
			e.addEvidence(m, LayerSQL, why)
		}
		return
	}
	if !isIdentifier(s) {
		if m, why := shellKind(s, e.shell); m != No {
			e.addEvidence(m, LayerShell, why)
		}
		return
	}
	parts := splitSegments(s)
	if len(parts) == 0 {
		return
	}
	v, found := nameVerdict(parts)
	if v.Control { // as the name of a tool it would end the run; here it is the work to do
		v.Mutating = Unknown
	}
	switch {
	case v.Mutating == Yes:
		e.addEvidence(Yes, LayerArgument, quote(strings.ToLower(clipText(name)))+" is "+quote(clipText(s)))
	case e.isReviewed(name): // a filter of the reviewed tool
	case v.Mutating == Unknown && (found || !e.reading || e.ordersUnknown(name, parts)):
		e.addEvidence(Unknown, LayerArgument, quote(strings.ToLower(clipText(name)))+" is "+quote(clipText(s)))
	}
}

// ordersUnknown reports whether a member of a reading call names an unknown operation,
// such as action: poweroff. A word for something to read, such as summary, does not
// count. If the tool is about such operations, the result is false.
func (e *evidence) ordersUnknown(name string, parts [][]string) bool {
	t := memberWords(name)
	last := t[len(t)-1]
	switch {
	case !operationNoun(strings.TrimSuffix(last, "s")) && !oneOf(last, "script hook do then"):
		return false
	case e.members.named(last) || e.members.named("help manual history usage documentation") || e.members.declared.Get(name).Exists():
		return false
	}
	return unknownWord(parts)
}

// unknownWord reports whether the name of an operation has a word without a known
// meaning.
func unknownWord(parts [][]string) bool {
	for _, part := range parts {
		for _, w := range part {
			if !isListed(w, narrowingList|tailList|readerNounList|thingWordList|contentWordList|switchWordList) && wordClass(w) == 0 && !oneOf(w, "none default opensearch") {
				return true
			}
		}
	}
	return false
}

// followsUp reports whether a member's name means a further action after the work of the
// tool. Examples are then, on_match and callback.
func followsUp(name string) bool {
	t := memberWords(name)
	if len(t) == 0 || oneOf(t[len(t)-1], "then operation op action actions cmnd do hook callback trigger") {
		return len(t) > 0
	}
	return t[0] == "on"
}

// judgeCode judges a member whose name says that it holds a text in a query language.
func (e *evidence) judgeCode(name, s string) {
	if t := memberWords(name); containsString(t, "xpath") {
		if anyOf(splitWords(s), xqueryUpdates) {
			e.addEvidence(Unknown, LayerArgument, "the XPath expression contains a keyword of XQuery Update")
		}
		return
	}
	if isPlainToken(s) && !e.members.queries {
		return
	}
	if m, why := queryKind(s, e.members.dialects); m != No {
		e.addEvidence(m, LayerSQL, why)
	}
}

// fragmentAsks reports whether a part of a statement, such as the text after WHERE, may
// change something. If the tool is about a database, the text in a member such as where
// must be SQL that only reads. Any other part may change something only if it calls a
// function whose name has a verb for a change.
func fragmentAsks(name, s string, database bool) bool {
	if lower := wordlist.Lower(s); database && anyOf(memberWords(name), isFragmentWord) &&
		(strings.ContainsAny(s, "(;") || strings.Contains(lower, " for ") || strings.Contains(lower, "union")) {
		m, _ := sqlKind("select " + s)
		_, err := jsonval.Parse(s)
		return m != No && err != nil
	}
	for rest := s; ; {
		before, after, more := strings.Cut(rest, "(")
		if !more {
			return false
		}
		rest = after
		f := before[strings.LastIndexFunc(before, func(r rune) bool { return r < 0x80 && !isIdentifier(string(r)) })+1:]
		if anyOf(splitWords(f), func(w string) bool {
			return wordClass(w).isDeed() || w == "exec" || w == "execute"
		}) {
			return true
		}
	}
}

func isFragmentWord(w string) bool { return isListed(w, sqlFragmentList) }

func xqueryUpdates(w string) bool {
	return w == "update" || w == "delete" || w == "insert" || w == "rename" || w == "replace"
}

// judgeWords judges a text that is usually something to search for, but may also be a
// statement of a query language or a command line.
func (e *evidence) judgeWords(name string, k kind, s string) {
	switch {
	case k == wordsMember && e.members.dialects == dialectGraphQL && !strings.Contains(s, "{"): // GraphQL runs nothing without a brace
	case k == wordsMember && e.members.dialects != 0 && (!isPlainToken(s) || containsString(memberWords(name), "query")):
		if m, why := queryKind(s, e.members.dialects); m != No {
			e.addEvidence(m, LayerSQL, why)
		}
	case looksStatement(s):
		if m, why := queryKind(s, e.members.dialects); m != No {
			e.addEvidence(m, LayerSQL, why)
		}
	case isFormulaName(name) && !isArithmeticText(s) && (k == wordsMember && strings.ContainsAny(s, "()=;{}") || strings.Contains(s, "://")),
		e.members.dialects&dialectOther != 0 && containsString(memberWords(name), "expr") && strings.ContainsAny(s, "(="):
		e.doubtMember(name, " is not a plain arithmetic expression")
	case holdsOptions(name) && asksByOption(s):
		e.addEvidence(Unknown, LayerArgument, "an unknown option: "+quote(clipText(s)))
	case startsShell(s):
		if m, why := shellKind(s, e.shell); m != No {
			e.addEvidence(m, LayerShell, why)
		}
	}
}

func isFormulaName(name string) bool {
	t := memberWords(name)
	return len(t) > 0 && (t[len(t)-1] == "expression" || t[len(t)-1] == "formula" || t[len(t)-1] == "equation")
}

// judgeSpeech judges a member of a control action that only says something, such as an
// answer to the user. A member that contains the words to say is harmless. A member that
// names the target of another action, such as an entity or an amount, makes the verdict
// unknown.
func (e *evidence) judgeSpeech(name string, k kind, v jsonval.Value) {
	t := memberWords(name)
	switch {
	case len(t) > 0 && e.members.takes == takesHandover && isListed(t[len(t)-1], amountList):
	case len(t) == 0, speechWord(t[len(t)-1]), speechWord(t[0]) && v.Kind() != jsonval.Object:
		return
	case v.Kind() == jsonval.Bool && k != deedMember, e.language == arithText:
		return
	case e.members.takes == takesThoughts && k != carrierMember && k != deedMember && k != codeMember && k != outputMember:
		return
	}
	e.doubtMember(name, " names the target of an action")
}

// speechWord reports whether a word is usual in the member names of control actions, such
// as message, thought or plan.
func speechWord(w string) bool {
	return isListed(w, speechWordList)
}

// methodKind returns whether a request with the HTTP method s changes something, and the
// reason. The method must be in capitals. The reason is "" if s is not an HTTP method.
func methodKind(s string) (Tri, string) {
	switch s {
	case "GET", "HEAD", "OPTIONS":
		return No, s + " is a safe HTTP method"
	case "POST", "QUERY":
		return Unknown, s + " may change state"
	case "PUT", "PATCH", "DELETE", "CONNECT", "TRACE":
		return Yes, s + " is not a safe HTTP method"
	}
	return Unknown, ""
}

// isIdentifier reports whether a text is one name and not a sentence or a command. A name
// has only letters, digits, underscores, hyphens and full stops. Every character outside
// ASCII counts as a letter.
func isIdentifier(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; !isLetter(c) && !isDigit(c) && c != '_' && c != '-' && c != '.' {
			return false
		}
	}
	return s != ""
}
