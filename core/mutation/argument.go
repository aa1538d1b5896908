package mutation

import (
	"path"
	"strings"

	"github.com/boundcheck/boundcheck/core/jsonval"
	"github.com/boundcheck/boundcheck/core/readcmd"
)

// weigh returns the verdict on a call. Without arguments, the verdict comes from the
// tool's schema. If the tool runs a text, such as a command line, the function prove
// judges the call. For any other tool, the arguments can only make the tool's verdict
// stricter. There are two exceptions: numbers that a reviewed host table allows, and a
// declared operation that is known to read. O(size of the arguments).
func weigh(s *start, arguments jsonval.Value, shell session) Verdict {
	switch {
	case s.final:
		return s.verdict
	case !arguments.Exists():
		return s.static
	}
	if s.members.numbers != nil && onlyNumbers(arguments, s.members.numbers) {
		return says(No, LayerTable, "a reviewed host table says that the tool only calculates with these numbers")
	}
	v := s.verdict
	e := evidence{start: s, shell: shell}
	switch s.language {
	case shellText, queryText, httpText, arithText:
		return prove(s, arguments, shell)
	case actionText:
		a := s.members.actions
		if op, ok := arguments.Get(a.member).Str(); ok && a.reading(op) {
			v = says(No, LayerArgument, quote(clip(a.member))+" is "+quote(clip(op)))
			e.skip = a.member
		}
	}
	e.reading = v.Mutating == No
	e.walk("", otherMember, arguments, 0)
	return e.over(v)
}

// evidence collects the evidence in the arguments of a call that runs no text. It can
// only make the verdict stricter.
type evidence struct {
	raise
	*start
	shell   session
	inside  bool   // within a filter or a pipeline, whose members are fields of records
	outer   bool   // the current member is one of the call's own, not of an object in it
	reading bool   // the current verdict is that the call reads
	skip    string // a top-level member that was judged already
}

// maxDepth limits the depth of arguments: every level costs the size of the values below
// it.
const maxDepth = 64

// walk judges everything inside a member's value v. The elements of an array are judged
// under the name of the array, and the members of an object under their own names. If a
// member's name has no special meaning, the member has the kind of its object, but only
// if that kind is search words or code.
func (e *evidence) walk(key string, k kind, v jsonval.Value, depth int) {
	if depth > maxDepth {
		e.add(Unknown, LayerArgument, "arguments are nested too deep to read")
		return
	}
	switch v.Kind() {
	case jsonval.Object:
		v.Each(func(name string, m jsonval.Value) bool {
			if depth > 0 || name != e.skip {
				e.member(name, k, m, depth)
			}
			return true
		})
	case jsonval.Array:
		v.Each(func(_ string, m jsonval.Value) bool {
			if m.Kind() == jsonval.String {
				e.value(key, k, m)
			}
			e.walk(key, k, m, depth+1)
			return true
		})
	case jsonval.String:
		if s, _ := v.Str(); len(s) > 1 && (s[0] == '{' || s[0] == '[' || s[0] == ' ') {
			if inner, err := jsonval.Parse(strings.TrimSpace(s)); err == nil {
				e.walk(key, k, inner, depth+1)
			}
		}
	}
}

func (e *evidence) member(name string, above kind, v jsonval.Value, depth int) {
	if name == "$out" || name == "$merge" {
		e.add(Yes, LayerArgument, "a pipeline stage "+name+" writes its result")
	}
	k := memberKind(name)
	if namesOutput(e.members.outputs, name) {
		k = outputMember
	}
	e.inside = above == wordsMember || above == codeMember
	e.outer = depth == 0
	e.value(name, k, v)
	if k == otherMember || k == readerMember {
		if e.inside = above == wordsMember || above == codeMember; e.inside {
			k = above
		}
	}
	e.walk(name, k, v, depth+1)
}

// namesOutput reports whether name is in outputs, the names of the members that name a
// file to write. Upper case and the separators between words do not matter.
func namesOutput(outputs []string, name string) bool {
	for _, o := range outputs {
		if o == name || strings.EqualFold(strings.Join(words(o), ""), strings.Join(words(name), "")) {
			return true
		}
	}
	return false
}

// active reports whether a value has content: true, a number other than zero, or a text
// or list that is not empty.
func active(v jsonval.Value) bool {
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

// value judges one value by the kind of the member that contains it. It ignores a value
// without content, such as false or an empty text.
func (e *evidence) value(name string, k kind, v jsonval.Value) {
	if b, isBool := v.Bool(); isBool && !b && e.reading && safeguard(name) {
		e.add(Unknown, LayerArgument, quote(clip(name))+" is false")
	}
	if !active(v) {
		return
	}
	s, text := v.Str()
	if text {
		e.text(name, k, s)
	}
	if e.verdict.Control {
		e.speech(name, k, v)
		return
	}
	declared := e.members.declared.Get(name).Exists()
	switch k {
	case deedMember:
		if !(declared && e.members.trusted) && !stay(name, s) {
			e.add(deedVerdict(name), LayerArgument, quote(clip(name))+" asks for a change")
		}
	case outputMember:
		if e.reading && text {
			e.add(Yes, LayerArgument, quote(clip(name))+" names a file to write")
		}
	case carrierMember:
		if kind := v.Kind(); e.reading && !text && kind != jsonval.Number && kind != jsonval.Bool && !declared && !onlyTexts(v) {
			e.add(Unknown, LayerArgument, quote(clip(name))+" may describe any action")
		}
	default:
		if e.reading && !declared {
			e.unnamed(name, k, v)
			if k == otherMember && e.members.declared.Exists() && !e.inside && e.outer {
				e.add(Unknown, LayerArgument, quote(clip(name))+" is not in the tool's definition")
			}
		}
	}
}

// safeguard reports whether a switch keeps a call from changing anything while it is on.
func safeguard(name string) bool {
	t := words(name)
	if len(t) == 0 {
		return false
	}
	switch t[0] {
	case "dry", "dryrun", "simulate", "simulated", "simulation", "readonly", "peek", "leave":
		return true
	}
	return t[0] == "read" && t[len(t)-1] == "only" || t[0] == "no" && t[len(t)-1] == "act"
}

// stay reports whether a member and its value are the first or the last day of a stay, as
// a search for hotels has: checkin, check_in or checkout with a date.
func stay(name, value string) bool {
	switch strings.Join(words(name), "") {
	case "checkin", "checkout":
		return len(value) == len("2006-01-02") && value[4] == '-' && value[7] == '-' && strings.Trim(value, "-0123456789") == ""
	}
	return false
}

// onlyTexts reports whether a value is an array of texts. walk judges each of them
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
	for _, w := range words(name) {
		if c := word(w); c.has(write) && !c.has(noun) {
			return Yes
		}
	}
	return Unknown
}

// unnamed judges a member that the operator's schema does not declare, in a call that
// otherwise only reads. A plain value is harmless, because it only names something. A
// value that is a switch, an object, data or a long text can make the verdict unknown,
// because it may mean anything.
func (e *evidence) unnamed(name string, k kind, v jsonval.Value) {
	switch takes := e.members.takes; {
	case e.members.offers && offering(name):
		e.add(Unknown, LayerArgument, quote(clip(name))+" may describe an offer that the call makes")
	case takes == takesFilters && !narrows(name):
		e.add(Unknown, LayerArgument, quote(clip(name))+" is not only a filter")
	case k == contentMember || e.language == actionText && k == wordsMember:
		if v.Kind() != jsonval.Bool && (takes == takesNothing || takes == takesFilters) {
			e.add(Unknown, LayerArgument, quote(clip(name))+" contains data")
		}
	case k != otherMember && k != readerMember:
	case v.Kind() == jsonval.Bool:
		e.flag(name, k)
	case v.Kind() == jsonval.Object:
		if t := words(name); len(t) > 1 && word(t[0]).has(weak) {
			e.add(Unknown, LayerArgument, quote(clip(name))+" asks for a change")
		}
		if !(e.inside && compares(v)) && !strings.HasPrefix(name, "$") && !(k == readerMember && shapes(name, v)) && takes != takesContent {
			e.add(Unknown, LayerArgument, quote(clip(name))+" has unknown members")
		}
	case v.Kind() == jsonval.String:
		e.plainText(name, k, v)
	}
}

func narrows(name string) bool {
	t := words(name)
	return len(t) == 0 || listsBy(t)
}

// flag judges a switch that is on. Such a switch may change something if its name has no
// known meaning, or begins with a verb that may change something (delete_after).
func (e *evidence) flag(name string, k kind) {
	if t := words(name); k == otherMember || len(t) > 1 && (t[len(t)-1] == "after" || t[len(t)-1] == "before" || t[len(t)-1] == "then") && !switchWord(t[0]) || len(t) > 0 && (word(t[0]).has(weak) || word(t[0]).has(write) && !word(t[0]).has(noun)) {
		e.add(Unknown, LayerArgument, quote(clip(name))+" turns on an unknown option")
	}
}

// compares reports whether all members of an object are operators of a filter: {"$gt":
// 5}, {"lt": 50}, {"must": […]}.
func compares(v jsonval.Value) bool {
	all := v.Len() > 0
	v.Each(func(key string, _ jsonval.Value) bool {
		switch strings.ToLower(strings.TrimPrefix(key, "$")) {
		case "gt", "gte", "lt", "lte", "eq", "ne", "in", "nin", "not", "and", "or", "nor", "exists", "regex", "contains", "startswith", "endswith", "between",
			"min", "max", "from", "to", "equals", "like", "ilike", "is", "isnot", "after", "before", "sum", "avg", "first", "last", "count", "size", "all",
			"elemmatch", "bool", "must", "should", "must_not", "term", "terms", "range", "match", "match_phrase", "any", "none", "text", "search", "type", "value", "mod":
		default:
			all = false
		}
		return all
	})
	return all
}

// shapes reports whether an object only describes a search. It does if its name says how
// or where to look (sort, location), or if it contains only numbers and booleans.
func shapes(name string, v jsonval.Value) bool {
	t := words(name)
	switch t[len(t)-1] {
	case "order":
		return len(t) == 1 || t[0] == "sort" // but not place_order
	case "options", "pagination", "page", "sort", "projection", "aggregations", "aggs", "aggregation", "period", "range", "bounds", "bbox",
		"coordinates", "location", "point", "origin", "destination", "window", "select", "include", "context", "filter", "filters", "date", "dates", "time":
		return true
	}
	numbers := true
	v.Each(func(_ string, m jsonval.Value) bool {
		numbers = numbers && (m.Kind() == jsonval.Number || m.Kind() == jsonval.Bool)
		return numbers
	})
	return numbers
}

// plainText judges a text in a member whose name has no clear meaning. A text of several
// lines, a long text, a path or an address, or a mode that opens a file for writing can
// make the verdict unknown.
func (e *evidence) plainText(name string, k kind, v jsonval.Value) {
	const long = 400
	s, _ := v.Str()
	place := strings.HasPrefix(s, "/") && len(s) > 1 || strings.HasPrefix(s, "~/") || strings.Contains(s, "://")
	switch {
	case e.members.takes == takesContent:
	case strings.Contains(s, "\n") || len(s) > long:
		e.add(Unknown, LayerArgument, quote(clip(name))+" contains a text")
	case place && e.members.takes != takesWords && (k == otherMember || receives(name)):
		e.add(Unknown, LayerArgument, quote(clip(name))+" contains a path or an address, and its purpose is unknown")
	case opensForWriting(name, s):
		e.add(Unknown, LayerArgument, quote(clip(name))+" opens a file for writing")
	}
}

func receives(name string) bool {
	t := words(name)
	last := t[len(t)-1]
	return last == "destination" || last == "target" || last == "to" || last == "recipient"
}

// text judges a text by the kind of its member.
func (e *evidence) text(name string, k kind, s string) {
	if e.verdict.Control && (k == wordsMember || k == contentMember || k == otherMember || k == readerMember) {
		return
	}
	if why := unsafeScheme(s); why != "" {
		e.add(Unknown, LayerHTTP, why)
	}
	if strings.Contains(s, "!!python/") || strings.Contains(s, "!!ruby/") {
		e.add(Unknown, LayerArgument, quote(clip(name))+" has a YAML tag that may run code")
	}
	if k != wordsMember && k != contentMember {
		if why := addressAsks(s); why != "" {
			e.add(Unknown, LayerHTTP, why)
		}
		if (k == readerMember || k == pathMember || k == otherMember) && injects(s) {
			e.add(Unknown, LayerShell, quote(clip(name))+" contains a second command after a separator")
		}
	}
	switch k {
	case methodMember, headerMember:
		e.method(name, k, s)
	case carrierMember:
		e.operation(name, s)
	case codeMember:
		e.code(name, s)
	case wordsMember, readerMember, pathMember, otherMember:
		if e.reading && orders(name, k, s) {
			e.add(Unknown, LayerArgument, quote(clip(name))+" is "+quote(clip(s)))
		}
		if m, why := methodKind(s); why != "" && m != No && k == otherMember {
			e.add(m, LayerHTTP, why)
		}
		e.words(name, k, s)
	case contentMember:
		if e.members.queries {
			e.code(name, s)
		}
	}
}

// orders reports whether a value of a reading call says what else is to be done. A member
// without a known meaning does if its value is a writing verb with at most two words after
// it (others: discard), or the state of a switch. A member for a later moment does with
// any verb (when_ok: pay), and the mode with a word for doing (mode: server-apply).
func orders(name string, k kind, s string) bool {
	t, v := words(name), words(s)
	if len(t) == 0 || len(v) == 0 {
		return false
	}
	first := word(v[0])
	switch {
	case t[len(t)-1] == "mode":
		return identifier(s) && anyOf(v, func(w string) bool { return anythingVerb(w) || word(w).has(write) && !word(w).has(noun) })
	case k == pathMember:
		return apiDeed(s)
	case k != otherMember:
		return false
	case moment(t[0]) && len(t) > 1, uiVerb(t[len(t)-1]):
		return first.has(write|weak) || uiVerb(t[len(t)-1])
	}
	return identifier(s) && len(v) <= 3 && (first.has(write) && !first.has(noun) || switches(s))
}

// apiDeed reports whether a path has a segment that begins with an underscore and a
// writing verb, as those of search engines have (/logs/_delete_by_query).
func apiDeed(s string) bool {
	for segment := range strings.SplitSeq(s, "/") {
		if t := words(segment); strings.HasPrefix(segment, "_") && len(t) > 0 && word(t[0]).has(write) {
			return true
		}
	}
	return false
}

// moment reports whether a word begins the name of a member that says what is done at
// another moment.
func moment(w string) bool {
	switch w {
	case "when", "if", "after", "before", "then", "upon", "else", "otherwise", "finally":
		return true
	}
	return false
}

// uiVerb reports whether a word is a gesture on a user interface.
func uiVerb(w string) bool {
	switch w {
	case "click", "press", "tap", "submit", "fill", "drag":
		return true
	}
	return false
}

// method judges the text of a member that may name an HTTP method, in any spelling. If
// the text is not an HTTP method, it is judged like the name of any other operation.
func (e *evidence) method(name string, k kind, s string) {
	m, why := methodKind(strings.ToUpper(strings.TrimSpace(s)))
	switch {
	case k == headerMember:
	case why != "" && m != No:
		e.add(m, LayerHTTP, why)
	case why == "":
		e.operation(name, s)
	}
}

// operation judges a member that holds a verb, the name of a tool, or a command line.
func (e *evidence) operation(name, s string) {
	if e.members.looks && !followsUp(name) {
		return // the tool looks at the code and does not run it
	}
	if e.members.dialects&dialectRedis != 0 && !identifier(s) {
		if m, why := redisKind(s); m != No {
			e.add(m, LayerSQL, why)
		}
		return
	}
	if !identifier(s) {
		if m, why := shellKind(s, e.shell); m != No {
			e.add(m, LayerShell, why)
		}
		return
	}
	parts := segments(s)
	if len(parts) == 0 {
		return
	}
	v, found := nameVerdict(parts)
	if v.Control { // as the name of a tool it would end the run; here it is the work to do
		v.Mutating = Unknown
	}
	switch {
	case v.Mutating == Yes:
		e.add(Yes, LayerArgument, quote(strings.ToLower(clip(name)))+" is "+quote(clip(s)))
	case v.Mutating == Unknown && (found || !e.reading):
		e.add(Unknown, LayerArgument, quote(strings.ToLower(clip(name)))+" is "+quote(clip(s)))
	}
}

// followsUp reports whether a member's name says what is to be done, in addition to what
// the tool does: then, on_match, callback.
func followsUp(name string) bool {
	t := words(name)
	if len(t) == 0 {
		return false
	}
	switch t[len(t)-1] {
	case "then", "operation", "op", "action", "actions", "do", "hook", "callback", "trigger":
		return true
	}
	return t[0] == "on"
}

// code judges a member whose name says that it holds a text in a query language.
func (e *evidence) code(name, s string) {
	if t := words(name); contains(t, "xpath") {
		if anyOf(words(s), xqueryUpdates) {
			e.add(Unknown, LayerArgument, "an XPath expression with a word of XQuery Update")
		}
		return
	}
	if token(s) && !e.members.queries {
		return
	}
	if m, why := queryKind(s, e.members.dialects); m != No {
		e.add(m, LayerSQL, why)
	}
}

func xqueryUpdates(w string) bool {
	return w == "update" || w == "delete" || w == "insert" || w == "rename" || w == "replace"
}

// words judges a text that is usually something to search for, but may also be a
// statement of a query language or a command line.
func (e *evidence) words(name string, k kind, s string) {
	switch {
	case k == wordsMember && e.members.dialects != 0 && (!token(s) || contains(words(name), "query")):
		if m, why := queryKind(s, e.members.dialects); m != No {
			e.add(m, LayerSQL, why)
		}
	case looksStatement(s):
		if m, why := queryKind(s, e.members.dialects); m != No {
			e.add(m, LayerSQL, why)
		}
	case k == wordsMember && computes(name) && !expression(s) && strings.ContainsAny(s, "()=;{}"):
		e.add(Unknown, LayerArgument, quote(clip(name))+" is not a plain arithmetic expression")
	case holdsOptions(name) && asksByOption(s):
		e.add(Unknown, LayerArgument, "an unknown option: "+quote(clip(s)))
	case startsShell(s):
		if m, why := shellKind(s, e.shell); m != No {
			e.add(m, LayerShell, why)
		}
	}
}

// holdsOptions reports whether a member holds more of the command line that a tool runs.
func holdsOptions(name string) bool {
	t := words(name)
	if len(t) == 0 {
		return false
	}
	switch t[len(t)-1] {
	case "args", "arguments", "options", "opts", "flags", "switches", "argv", "extra":
		return true
	}
	return contains(t, "args")
}

// asksByOption reports whether a part of a command line has an option, or begins with a
// writing verb.
func asksByOption(s string) bool {
	t := words(s)
	return strings.HasPrefix(s, "-") || strings.Contains(s, " -") || strings.Contains(s, " ") && len(t) > 0 && word(t[0]).has(write)
}

func computes(name string) bool {
	switch t := words(name); t[len(t)-1] {
	case "expression", "formula", "equation":
		return true
	}
	return false
}

// injects reports whether a value contains a separator of a shell with a program's name
// after it ("prod; kubectl delete ns prod"). A tool that puts the value into a command
// line would run that program.
func injects(s string) bool {
	for i := 0; i+1 < len(s); i++ {
		switch c := s[i]; {
		case c == '`', c == ';', c == '|', c == '&', c == '\n', c == '$' && s[i+1] == '(':
			first, _, _ := strings.Cut(strings.TrimLeft(s[i+1:], "(|& \t"), " ")
			first = path.Base(strings.TrimRight(first, "`)"))
			if readcmd.Known(first) || readcmd.IsShell(first) || word(first).has(write) && !word(first).has(noun) && first != "" {
				return true
			}
		}
	}
	return false
}

// startsShell reports whether a text begins with the name of an interpreter and an option
// or a path (bash -c, python /tmp/x), or with sudo.
func startsShell(s string) bool {
	first, rest, more := strings.Cut(strings.TrimSpace(s), " ")
	if !more {
		return false
	}
	switch path.Base(first) {
	case "sh", "bash", "zsh", "dash", "ksh", "python", "python3", "perl", "ruby", "node", "cmd", "cmd.exe", "powershell", "pwsh", "eval", "exec", "sudo", "env":
		return strings.HasPrefix(strings.TrimSpace(rest), "-") || strings.HasPrefix(strings.TrimSpace(rest), "/") || first == "sudo"
	}
	return false
}

// speech judges a member of a control action that only says something, such as an answer
// to the user. A member that contains the words to say is harmless. A member that names
// the target of another action, such as an entity or an amount, makes the verdict
// unknown.
func (e *evidence) speech(name string, k kind, v jsonval.Value) {
	t := words(name)
	switch {
	case len(t) == 0, speechWord(t[len(t)-1]), speechWord(t[0]) && v.Kind() != jsonval.Object:
		return
	case v.Kind() == jsonval.Bool && k != deedMember, e.language == arithText:
		return
	case e.members.takes == takesThoughts && k != carrierMember && k != deedMember && k != codeMember && k != outputMember:
		return
	}
	e.add(Unknown, LayerArgument, quote(clip(name))+" names the target of an action")
}

// speechWord reports whether a word is usual in the member names of control actions, such
// as message, thought or plan.
func speechWord(w string) bool {
	return listed(w, speechWordList)
}

// methodKind judges an HTTP method in capitals. The reason is "" if the text is no HTTP
// method.
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

// identifier reports whether a text is one name, not a sentence or a command.
func identifier(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; !letter(c) && !digit(c) && c != '_' && c != '-' && c != '.' {
			return false
		}
	}
	return s != ""
}
