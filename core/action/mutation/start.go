package mutation

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// members holds what is known of a tool's members before a call.
type members struct {
	declared jsonval.Value // properties of the operator's schema; Missing if there is none
	trusted  bool          // the operator trusts the author of the schema: it reads
	outputs  []string      // declared members that name a file to write
	dialects dialects      // query languages that the name mentions
	takes    takes         // the objects of the tool's verb
	numbers  []string      // the call reads if it has exactly these members, all numbers
	looks    bool          // the tool looks at code and does not run it
	program  string        // the program whose arguments the call holds; "" for none
	lines    bool          // the arguments of the program are a command line (see namedProgram)
	actions  *actions      // for actionText
	queries  bool          // the name is about a database: its texts must be proven to read
	rows     bool          // the name is about rows or records, which SQL may select
	mails    bool          // the name is about messages
	resource bool          // the name says what is queried (orders.query), and it is no database
	fetches  bool          // for httpText: it reads if no method is given
	yields   bool          // for httpText: it may return an address instead of fetching one
	ofHost   []string      // the arguments that a host table lists for a tool that reads
	words    []string      // of the last part of the name
	offers   bool          // the name may offer one thing instead of listing many
	shell    Shell         // that reads the command lines of the tool
	told     bool          // the operator's table names the shell
	stranger bool          // for takesRecord: the tool may be another than the host's
}

// takes says on what a reading tool works, such as words to look for or a text.
type takes uint8

const (
	takesNothing  takes = iota // get_x: a text of any length is not expected
	takesWords                 // search_x: words to look for
	takesContent               // summarize_x: the content on which it works
	takesFilters               // messages: only filters of a list
	takesThoughts              // think: nobody acts on it
	takesSpeech                // answer: the words to say
	takesHandover              // transfer_to_agent: the words to say, but no goods or money
	takesRecord                // json: a record that is the answer
	takesInfo                  // order_status: only what it is about
)

// actions describes a member with a closed list of operations, some of which read.
type actions struct {
	member string
	reads  []string
}

// named reports whether the tool's name has one of the listed words, or its plural.
func (m *members) named(list string) bool {
	return anyOf(m.words, func(w string) bool { return oneOf(w, list) || strings.HasSuffix(w, "s") && oneOf(w[:len(w)-1], list) })
}

func (a *actions) isReadOperation(value string) bool {
	for _, r := range a.reads {
		if r == value {
			return true
		}
	}
	return false
}

// judgeTool judges a tool, before its arguments are read, by the operator's definition
// and the tool's name. It applies the weakest evidence first.
func judgeTool(t Tool) start {
	parts := splitSegments(t.Name)
	v, found := nameVerdict(parts)
	if v.Control && lastPart(t.Name) != t.Name && !strings.HasPrefix(t.Name, "functions.") && !controlsAnywhere(parts[len(parts)-1]) {
		v = newVerdict(Unknown, LayerName, "on this server, the verb may have another meaning")
	}
	v = applyDescription(v, found, t)
	v = httpMethod(v, t.Method)
	v = applyAnnotations(v, t)
	s := start{verdict: v, members: membersOf(t, parts, v)}
	if s.members.offers && v.Mutating == No && v.Layer == LayerName && declaresOffer(s.members.declared) {
		v = v.Raise(Unknown, LayerArgument, "the schema describes an offer that the call may make")
		s.verdict = v
	}
	s.language = languageOf(t, parts, v, &s.members)
	s.static = schemaVerdict(v, &s, t.Parameters)
	if v.Mutating == Yes && s.language != httpText {
		s.language = plain
	}
	if v.Layer == LayerAnnotation && v.Mutating == No && s.language == actionText {
		s.language = plain
	}
	s.final = v.Mutating == Yes && s.language == plain
	return s
}

func membersOf(t Tool, parts [][]string, v Verdict) members {
	m := members{declared: t.Parameters.Get("properties"), trusted: t.Trusted && v.Layer == LayerAnnotation}
	m.outputs = schemaOutputs(t.Parameters)
	if len(parts) == 0 {
		return m
	}
	last := parts[len(parts)-1]
	m.words = last
	m.dialects, m.queries = dialectsOf(parts)
	m.rows = m.queries && m.dialects&^dialectSQL == 0 || containsString(last, "record") || containsString(last, "records")
	m.mails = anyOf(last, aboutMessages)
	m.resource = !m.queries && len(parts) > 1 && len(last) == 1 && last[0] == "query"
	m.offers = offersOne(last)
	m.shell = shellOf(t.Name, last)
	switch {
	case v.Control && isThinkingName(last):
		m.takes = takesThoughts
	case v.Control && isHandoverName(last):
		m.takes = takesHandover
	case v.Control:
		m.takes = takesSpeech
	case v.Layer == LayerName && v.Mutating == No && namesThings(last):
		m.takes = takesFilters
	case v.Layer == LayerName && v.Mutating == No && (namesInfo(last) || namesRecord(last)):
		m.takes = takesInfo
	case anyOf(last, worksOnContent):
		m.looks = anyOf(last, readsCode)
		m.takes = takesContent
	case anyOf(last, looksForWords):
		m.takes = takesWords
	}
	return m
}

// declaresOffer reports whether a schema has a property that describes a thing to offer,
// such as its price or title.
func declaresOffer(properties jsonval.Value) (found bool) {
	properties.Each(func(name string, _ jsonval.Value) bool {
		found = describesOffer(name)
		return !found
	})
	return found
}

// languageOf returns the language of the text that a tool runs. It finds the language by
// the tool's name, or by a member of the operator's schema that has a closed list of
// operations.
func languageOf(t Tool, parts [][]string, v Verdict, m *members) language {
	if len(parts) == 0 {
		return plain
	}
	last := parts[len(parts)-1]
	if m.actions = declaredActions(m.declared); m.actions != nil && v.Mutating == Unknown {
		return actionText
	}
	switch {
	case v.Control && isArithmeticName(last):
		return arithText
	case v.Control:
		return plain
	case sendsRequests(last) && !anyOf(last, unsafeMethodWord):
		m.yields = v.Mutating == No && yieldsAddress(last)
		m.fetches = v.Mutating == No || last[0] == "curl" || last[0] == "crawl"
		return httpText
	case v.Mutating == Unknown && m.dialects == dialectRedis && len(last) == 2 && oneOf(last[1], "command cmd"):
		return queryText
	case v.Mutating == Unknown && namedProgram(last) != "":
		m.program, m.lines = namedProgram(last), true
		return shellText
	case v.Mutating == Unknown && runsShell(last) && (len(last) > 1 || last[0] != "exec" || len(parts) == 1):
		return shellText
	case runsQueries(last, m.queries, v.Mutating == No):
		return queryText
	case v.Mutating == Unknown && len(last) == 1 && knownProgram(last[0]):
		m.program = last[0]
		return shellText
	}
	return plain
}

// declaredActions returns the first member of a schema that lists its operations in an
// enum. It returns nil if there is none. The member's name without an enum is not enough,
// because an agent may add "operation": "list" to any call.
func declaredActions(properties jsonval.Value) *actions {
	var out *actions
	properties.Each(func(key string, p jsonval.Value) bool {
		enum := p.Get("enum")
		if out != nil || enum.Kind() != jsonval.Array || memberKind(key) != carrierMember && memberKind(key) != methodMember {
			return true
		}
		a := actions{member: key}
		enum.Each(func(_ string, e jsonval.Value) bool {
			if s, ok := e.Str(); ok && operationReads(s) {
				a.reads = append(a.reads, s)
			}
			return true
		})
		out = &a
		return true
	})
	return out
}

// operationReads reports whether an operation's name, or an HTTP method, is known to
// read.
func operationReads(s string) bool {
	if m, why := methodKind(s); why != "" {
		return m == No
	}
	t := splitWords(s)
	if len(t) == 0 || !isIdentifier(s) {
		return false
	}
	v, found := judgeNameWords(t)
	return found && v.Mutating == No
}

// runsShell reports whether a name means that a command line runs, in any shell.
func runsShell(t []string) bool {
	for _, w := range t {
		switch w {
		case "shell", "bash", "sh", "zsh", "terminal", "command", "commands", "cmd", "console", "subprocess", "popen", "argv", "powershell", "pwsh":
			return true
		}
	}
	return len(t) == 1 && t[0] == "exec" || len(t) == 2 && t[1] == "process" && (t[0] == "run" || t[0] == "exec")
}

// sendsRequests reports whether a name means that an HTTP request is sent, with the
// address as an argument.
func sendsRequests(t []string) bool {
	request, url, sends := false, false, false
	for i, w := range t {
		switch w {
		case "http", "https", "curl", "wget":
			return true
		case "request", "requests", "api", "rest":
			request = true
		case "url", "urls", "webpage", "website", "web", "html":
			url = true
		case "make", "send", "do", "call", "invoke", "execute", "perform", "raw":
			sends = sends || i == 0
		case "fetch", "get", "read", "open", "visit", "crawl", "scrape", "browse", "load", "navigate", "goto":
			if i == 0 && len(t) == 1 && w != "get" && w != "read" && w != "load" && w != "open" {
				return true
			}
		}
	}
	if request && (sends || t[0] == "api" || t[0] == "rest" || t[0] == "query" && t[len(t)-1] == "api") {
		return len(t) <= 3
	}
	if t[0] == "navigate" || len(t) > 1 && t[len(t)-1] == "navigate" {
		return true
	}
	return url && len(t) <= 3 && reachesOut(t[0])
}

// yieldsAddress reports whether a name may mean that an address is returned, as in
// get_project_url.
func yieldsAddress(t []string) bool {
	return len(t) > 2 && oneOf(t[0], "get fetch") && oneOf(t[len(t)-1], "url urls")
}

func reachesOut(w string) bool {
	return oneOf(w, "fetch get read open visit crawl scrape browse load navigate")
}

func unsafeMethodWord(w string) bool {
	return oneOf(w, "post put patch delete")
}

// aboutMessages reports whether a word of a name means messages.
func aboutMessages(w string) bool { return isListed(w, messageWordList) }

// looksForWords reports whether a word is a verb or noun of tools that search for words.
func looksForWords(w string) bool {
	return isListed(w, looksForWordsList)
}

// readsCode reports whether a word is a verb that examines code without running it.
func readsCode(w string) bool {
	return isListed(w, readsCodeList)
}

// worksOnContent reports whether a word is a verb such as translate or classify. The call
// of a tool with such a verb contains the text or data to work on, and the tool returns
// something about it.
func worksOnContent(w string) bool {
	return isListed(w, worksOnContentList)
}

func anyOf(t []string, is func(string) bool) bool {
	for _, w := range t {
		if is(w) {
			return true
		}
	}
	return false
}

// mergeStarts merges two definitions of one tool name. The result has the stricter
// verdict, and the files to write of both definitions. It has declared members only if
// both schemas declare the same members.
func mergeStarts(a, b start) start {
	out := a
	if b.verdict.Mutating.rank() > a.verdict.Mutating.rank() {
		out = b
	}
	out.static = stricterVerdict(a.static, b.static)
	out.final = a.final && b.final
	out.members.trusted = a.members.trusted && b.members.trusted
	out.claims = mergeClaims(a.claims, b.claims)
	out.members.outputs = append(append([]string(nil), a.members.outputs...), b.members.outputs...)
	if a.members.declared.Raw() != b.members.declared.Raw() {
		out.members.declared = jsonval.Value{}
		if out.language == actionText {
			out.language = plain
		}
	}
	return out
}

// schemaVerdict returns the verdict on a tool by its schema, before any call. The
// strictest operation that the schema lists decides. If a tool that reads has a member
// for a file to write, the verdict is yes.
func schemaVerdict(v Verdict, s *start, schema jsonval.Value) Verdict {
	if v.Mutating == Yes || v.Control {
		return v
	}
	if v.Mutating == No && len(s.members.outputs) > 0 {
		return newVerdict(Yes, LayerArgument, quote(clipText(s.members.outputs[0]))+" names a file that the tool may write")
	}
	var r raise
	var lower Verdict
	schema.Get("properties").Each(func(key string, p jsonval.Value) bool {
		switch strings.ToLower(key) {
		case "operation", "op", "action", "method", "command", "verb", "subcommand":
			p.Get("enum").Each(func(_ string, m jsonval.Value) bool {
				if text, ok := m.Str(); ok {
					judgeAllowed(&r, &lower, key, text, v.Mutating == No)
				}
				return true
			})
		}
		return true
	})
	if r.worst.Reason != "" {
		return stricterVerdict(v, r.worst)
	}
	if v.Mutating == Unknown && lower.Reason != "" {
		return lower
	}
	return v
}

// judgeAllowed judges one operation that a tool's schema allows. If the operation is
// known to read, its verdict is stored in *lower. Any other operation is added to r as
// evidence. If reading is true, unknown operations are not added.
func judgeAllowed(r *raise, lower *Verdict, key, text string, reading bool) {
	if m, why := methodKind(text); why != "" {
		if m == No {
			*lower = newVerdict(No, LayerHTTP, why)
			return
		}
		r.addEvidence(m, LayerHTTP, why)
		return
	}
	t := splitWords(text)
	if len(t) == 0 || !isIdentifier(text) {
		return
	}
	v, found := judgeNameWords(t)
	reason := quote(strings.ToLower(key)) + " is " + quote(clipText(text))
	switch {
	case v.Mutating == Yes:
		r.addEvidence(Yes, LayerArgument, reason)
	case v.Mutating == No && found:
		*lower = newVerdict(No, LayerArgument, reason)
	case !reading:
		r.addEvidence(Unknown, LayerArgument, reason)
	}
}

// schemaOutputs returns the properties that name a file to write. Either the name of the
// property says so, or the property is a path and its description says that the tool
// saves something there.
func schemaOutputs(schema jsonval.Value) (out []string) {
	schema.Get("properties").Each(func(key string, p jsonval.Value) bool {
		if outputKey(key) || pathKey(key) && mentionsSaving(p.Get("description").Text()) {
			out = append(out, key)
		}
		return true
	})
	return out
}

func pathKey(key string) bool {
	for _, w := range splitWords(key) {
		switch w {
		case "path", "file", "filename", "filepath", "output", "directory", "dir", "folder", "paths":
			return true
		}
	}
	return false
}

func mentionsSaving(description string) bool {
	for _, w := range splitWords(description) {
		switch w {
		case "save", "saves", "saved", "saving", "write", "writes", "written", "writing", "store", "stored", "output":
			return true
		}
	}
	return false
}
