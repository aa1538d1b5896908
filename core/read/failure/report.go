package failure

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/participle"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
)

// The report of a call that changes something may say in any words that nothing happened. The
// law of this file: only a short result of a deed is read so, and what it says must be about
// this deed, or about what the deed needs. A read that returns the same words has done its
// work. A text that says of the deed that it was done, or that only repeats the call's
// arguments, is never such a report.

// longestReport is the largest number of bytes of a result that is read as a report of a call.
const longestReport = 400

// Report is what the result of a call says of its deed.
type Report uint8

// The reports.
const (
	Silent  Report = iota // nothing that keeps the deed from being done
	Undone                // the deed did not happen
	Partly                // a part of the deed was done, and another part was not
	Waiting               // the deed waits for a person
)

// reportOf returns what the result of a call that does a deed says of it. arguments are those of
// the call. A read has done its work whatever it returns. O(length of the text).
func reportOf(deed *mutation.Deed, arguments jsonval.Value, text string) Report {
	text = innerText(strings.TrimSpace(text))
	if !mayReport(text) || oneOf(deed.Class, "read search check compute") {
		return Silent
	}
	r := report{deed: deed, known: deed.Class != "", given: arguments}
	short := len(text) <= longestReport
	if text[0] != '{' && text[0] != '[' {
		if !short || !r.known {
			return Silent
		}
		r.arguments = strings.ToLower(arguments.Raw())
		text = strings.ToLower(text)
		switch {
		case mayWait(text) && r.saysWaiting(text):
			return Waiting
		case r.textUndone(text):
			return Undone
		case r.textPartly(text):
			return Partly
		}
		return Silent
	}
	if !short && (isEntity(text) || !holdsRun(text) && !holdsPart(text)) || isRecord(text) {
		return Silent
	}
	v, err := jsonval.Parse(text)
	if err != nil {
		return Silent
	}
	r.arguments = strings.ToLower(arguments.Raw())
	switch {
	case short && r.known && mayWait(text) && r.saysWaiting(text):
		return Waiting
	case r.notRun(v), short && r.known && r.objectUndone(v, 0):
		return Undone
	case (r.known || deed.Verb != "" && holdsPart(text) && leavesSome(arguments, text)) && r.valuePartly(v, 0):
		return Partly
	}
	return Silent
}

// isOwnState reports whether a text that Says takes for a failure has no other sign of one than the
// state to which the call's deed leads, as {"status":"declined"} is of decline_event. The law: a
// state that is the deed's own word is its success, and nothing else that the model wrote makes one.
// A name without a known verb begins with its verb.
func isOwnState(name string, deed *mutation.Deed, arguments jsonval.Value, text string) bool {
	if words := mutation.NameWords(name); deed.Verb == "" && len(words) > 0 {
		deed = &mutation.Deed{Verb: words[0], Object: deed.Object}
	}
	return !saysOtherThan(&report{deed: deed, given: arguments}, text)
}

// mayReport reports whether reportOf reads a text if the call is one that does something.
func mayReport(text string) bool { return text != "" && len(text) <= longestParts }

// innerText returns the text of a result in the form of an MCP server, {"content":[{"type":
// "text","text":"…"}]} or the list alone, if it has one part. It returns other texts unchanged.
func innerText(text string) string {
	if text == "" || text[0] != '{' && text[0] != '[' {
		return text
	}
	first := text[strings.IndexByte(text, '"')+1:]
	if !hasPrefix(first, `content"`, `type"`, `text"`, `isError"`, `_meta"`, `structuredContent"`, `annotations"`) {
		return text
	}
	v, err := jsonval.Parse(text)
	if err != nil {
		return text
	}
	if v.Kind() == jsonval.Object {
		v = v.Get("content")
	}
	if v.Kind() != jsonval.Array || v.Len() != 1 || v.Elements()[0].Get("type").Text() != "text" {
		return text
	}
	inner, ok := v.Elements()[0].Get("text").Str()
	if !ok {
		return text
	}
	return strings.TrimSpace(inner)
}

// holdsRun reports whether an object may have a member that notRun reads.
func holdsRun(text string) bool {
	for _, sign := range [...]string{"xit", "xec", "eturn", `"rc"`, "ry_run", "ryRun", "ryrun", "ry-run", "imulat"} {
		if strings.Contains(text, sign) {
			return true
		}
	}
	return false
}

// notRun reports whether an object says that the program of a call failed, by its exit code, or
// that the call was only tried out. A call that asked for a trial has done what it was to do.
func (r *report) notRun(v jsonval.Value) bool {
	if v.Kind() != jsonval.Object {
		return false
	}
	not := false
	v.Each(func(key string, m jsonval.Value) bool {
		switch wordlist.FoldName(key) {
		case "exitcode", "exitstatus", "returncode", "rc", "exit":
			code, ok := m.Float()
			if !ok {
				ok = codeFlag(m.Text()) == failed
				code = 1
			}
			not = not || ok && code != 0 && r.known // run_tests ran
		case "dryrun", "simulated", "simulation", "wouldexecute":
			not = not || m.Raw() == "true" && !r.asksTrial()
		case "executed":
			not = not || m.Raw() == "false" && !r.asksTrial()
		}
		return !not
	})
	return not
}

// asksTrial reports whether the call asks for a trial, by its arguments or its tool's name.
func (r *report) asksTrial() bool {
	trial := func(word string) bool { return oneOf(word, "preview simulate try trial plan draft") }
	return trial(r.deed.Verb) || slices.ContainsFunc(r.deed.Object, trial) || hasAny(wordlist.FoldName(r.arguments), "dryrun", "simulat", "preview", "whatif", "noop", "checkonly", "validateonly")
}

// isRecord reports whether an object in JSON holds a list of objects, and nothing that says of a
// deed, or of a part of it, that it was not done. It spares most results the parsing.
func isRecord(text string) bool {
	return text[0] == '{' && strings.Contains(text, "[{") && !holdsSign(text)
}

// endsSign has the last letters of the signs that holdsSign finds.
var endsSign = [256]bool{'e': true, ']': true, '0': true, 'r': true, 'R': true, 'l': true, 't': true, 'n': true, 'd': true}

// holdsSign reports whether a text holds a word or a value that may say of a deed that it was
// not done. It looks at each character once.
func holdsSign(text string) bool {
	for i := 1; i < len(text); i++ {
		if !endsSign[text[i]] {
			continue
		}
		head := text[:i]
		switch text[i] {
		case 'e':
			if strings.HasSuffix(head, "fals") || strings.HasSuffix(head, "_cod") || strings.HasSuffix(head, "sCod") {
				return true
			}
		case ']':
			if text[i-1] == '[' {
				return true
			}
		case '0':
			if text[i-1] == ':' || strings.HasSuffix(head, ": ") {
				return true
			}
		case 'r', 'R':
			if text[i-1] == text[i] {
				return true
			}
		case 'l':
			if strings.HasSuffix(head, "ai") || strings.HasSuffix(head, "artia") {
				return true
			}
		case 'd':
			switch {
			case i < 4:
			case text[i-3:i] == "ppe", text[i-3:i] == "cte", text[i-3:i] == "nie", text[i-3:i] == "sse", text[i-3:i] == "ali", text[i-3:i] == "oun", text[i-3:i] == "use":
				return true
			}
		case 't':
			if strings.HasSuffix(head, "aul") {
				return true
			}
		case 'n':
			if strings.HasSuffix(head, "xceptio") || strings.HasSuffix(head, "easo") {
				return true
			}
		}
	}
	return false
}

// report is a result that is read for what it says of a deed.
type report struct {
	deed      *mutation.Deed
	known     bool          // the class of the deed is known
	arguments string        // in lower case, as JSON
	given     jsonval.Value // the arguments, for saysDone
}

// clause is a part of a report without punctuation marks inside.
type clause struct {
	words []string // in lower case
	first bool     // it is in the first sentence
}

// textUndone reports whether a text in lower case says that the deed did not happen.
func (r *report) textUndone(text string) bool {
	if text == "false" {
		return true
	}
	if len(text) > 2 && strings.Contains(r.arguments, jsonval.Quoted(text)) {
		return false // it repeats an argument
	}
	if hasPrefix(strings.TrimLeft(text, "[(*"), "dry run", "dry-run", "simulated", "simulation", "skipped", "would have ") && !r.asksTrial() {
		return true
	}
	undone := false
	for _, c := range clausesOf(text) {
		if r.saysDone(c.words) {
			return false
		}
		undone = undone || r.saysNotDone(c.words) || c.first && (r.saysFailed(c.words) || r.saysPrevented(c.words))
	}
	return undone
}

// clausesOf splits a text in lower case into clauses, without the words of apologies.
func clausesOf(text string) (clauses []clause) {
	c := clause{first: true}
	end := func() {
		if c.words = withoutFiller(c.words); len(c.words) > 0 {
			clauses = append(clauses, c)
		}
		c.words = nil
	}
	for _, field := range strings.FieldsFunc(statusValues.Replace(text), isBlank) {
		w := strings.Trim(field, "\"'`()[]<>*❌✗✘⚠\ufe0f-–—")
		bare := strings.TrimRight(w, ".,;:!?\"')")
		if oneOf(bare, "but and so because since while although as") {
			end()
		}
		if bare != "" {
			c.words = append(c.words, strings.ReplaceAll(bare, "’", "'"))
		}
		if bare != w || w == "" {
			end()
			c.first = c.first && !strings.ContainsAny(strings.TrimPrefix(w, bare), ".!?")
		}
	}
	end()
	return clauses
}

// statusValues keeps a count or a flag with the word in front of it.
var statusValues = strings.NewReplacer(": 0", " 0", ": false", " false", "=", " ")

// isBlank reports whether a character parts words. Codes such as NOT_FOUND are words.
func isBlank(c rune) bool { return c <= ' ' || c == '_' }

// withoutFiller returns the words of a clause behind those that say nothing of a deed.
func withoutFiller(words []string) []string {
	for len(words) > 0 && oneOf(words[0], "sorry unfortunately apologies oops i'm we're i am we are very afraid regret but and so because since while although as that error err warning note result status response message the your this our an a code") {
		words = words[1:]
	}
	return words
}

// Words of reports. Those of genericDeeds say of any deed that it was done.
const (
	negators     = "not no nothing none never cannot can't couldn't wasn't weren't isn't aren't hasn't haven't didn't doesn't don't won't unable without 0 zero"
	genericDeeds = "changed made done performed completed processed updated affected executed saved applied taken modified carried submitted delivered fulfilled finalized"
	genericWords = "nothing change changes action actions request operation transaction call command row rows record records entry entries document documents item items task it this job process update"
	helpers      = "be been is are was were has have had could can cannot can't couldn't wasn't weren't isn't aren't hasn't haven't didn't did do does not no longer yet will"
	successWords = "success successful successfully succeeded done ok okay"
	failedWords  = "failed failure fails unsuccessful rejected denied declined refused aborted blocked skipped timeout expired forbidden unauthorized unavailable unchanged ignored noop no-op unreachable"
	neededWords  = "allowed permitted authenticated authorized authorised eligible possible available valid supported refundable found reachable registered member"
	lackedThings = "permission permissions access rights authority authorization privileges balance funds credit credits stock seats"
)

// negated reports whether a word of a clause stands behind a negator, or before a zero.
func negated(words []string, at int) bool {
	for i, w := range words[:at] {
		if oneOf(w, negators) || w == "failed" && words[i+1] == "to" {
			return true
		}
	}
	return at+1 < len(words) && words[at+1] == "0" && !strings.HasPrefix(words[min(at+2, len(words)-1)], "err")
}

// saysDone reports whether a clause says that the deed was done, or that all went well.
func (r *report) saysDone(words []string) bool {
	for i, w := range words {
		good := oneOf(w, successWords) || participle.Is(w) && participle.Fits(w, r.deed)
		isDue := i > 1 && words[i-1] == "be" && oneOf(words[i-2], "to must can should may")
		if good && !isDue && !negated(words, i) && !(i+1 < len(words) && (words[i+1] == "false" || oneOf(words[i+1], failedWords))) {
			return true
		}
	}
	return false
}

// saysNotDone reports whether a clause says of the deed itself that it was not done, as "no
// order was cancelled", "unable to cancel" and "0 rows updated" do.
func (r *report) saysNotDone(words []string) bool {
	for i, w := range words {
		switch {
		case participle.Is(w) && participle.Fits(w, r.deed), w == r.deed.Verb && !oneOf(words[0], "you to"):
			if negated(words, i) {
				return true
			}
		case oneOf(w, genericDeeds), oneOf(w, "succeed through work happen") && i > 0:
			if negated(words, i) && r.isSubject(words[:i]) {
				return true
			}
		case oneOf(w, "update delete insert affected") && i+2 == len(words) && words[i+1] == "0",
			oneOf(w, successWords) && i+2 == len(words) && words[i+1] == "false":
			return true
		}
	}
	return len(words) == 2 && words[0] == "nothing" && words[1] == "changed"
}

// isSubject reports whether the words before a verb are about the deed: each is a helping
// word, a general word, or one for the deed or its object.
func (r *report) isSubject(words []string) bool {
	for i, w := range words {
		switch {
		case oneOf(w, helpers), oneOf(w, negators), oneOf(w, genericWords), oneOf(w, "go went of with to any for"):
		case r.isOwnWord(w), i > 0 && r.isOwnWord(words[i-1]) && strings.ContainsAny(w, "0123456789"):
		default:
			return false
		}
	}
	return true
}

// isOwnWord reports whether a word is one of the object of the deed, or the noun for it, such as
// cancellation and booking.
func (r *report) isOwnWord(w string) bool {
	stem := strings.TrimSuffix(r.deed.Verb, "e")
	if len(stem) >= 3 && strings.HasPrefix(w, stem) {
		return true
	}
	for _, o := range r.deed.Object {
		if w == o || strings.TrimSuffix(w, "s") == o {
			return true
		}
	}
	return oneOf(r.deed.Class, "send message notify") && oneOf(w, "message email mail sms notification delivery")
}

// saysFailed reports whether a clause says of the deed, or of what it is a part of, that it
// failed or was refused, as "payment declined" and "cancellation request was rejected by the
// warehouse" do. A deed that refuses something is done by such a word.
func (r *report) saysFailed(words []string) bool {
	for i, w := range words {
		bad := oneOf(w, failedWords) || i > 0 && (w == "out" && words[i-1] == "timed" || w == "back" && words[i-1] == "rolled" || w == "down" && words[i-1] == "turned")
		if !bad || participle.Fits(w, r.deed) || i > 5 || setsState(r.given, w) {
			continue
		}
		if i+1 < len(words) && !oneOf(words[i+1], "by because due for to as in on from with at after") || i > 0 && negated(words, i) {
			return false
		}
		return r.takesAnswers() || r.isSubject(words[:i])
	}
	return false
}

// takesAnswers reports whether what the deed returns is not the answer of somebody else, as
// the result of send_message may be.
func (r *report) takesAnswers() bool {
	return !oneOf(r.deed.Class, "send message notify ask tell answer reply respond call contact say post comment")
}

// saysPrevented reports whether a clause says that something is not there, or is not as the deed
// needs it.
func (r *report) saysPrevented(words []string) bool {
	if !r.takesAnswers() {
		return false
	}
	text := " " + strings.Join(words, " ") + " "
	first, last := words[0], words[len(words)-1]
	switch {
	case oneOf(first, "unknown invalid missing insufficient duplicate") && len(words) > 1 && !oneOf(last, successWords),
		strings.HasPrefix(text, " no such "), strings.HasPrefix(text, " not enough "), strings.HasPrefix(text, " too many "), strings.HasPrefix(text, " not found "),
		strings.HasPrefix(text, " there is no "), strings.HasPrefix(text, " there are no "), strings.HasPrefix(text, " no matching "),
		first == "no" && len(words) > 1 && (r.isOwnWord(words[1]) && len(words) > 2 && oneOf(words[2], "with for exists found matches was") || oneOf(last, "found exists exist available")):
		return !strings.Contains(text, " error")
	case hasPrefix(text[1:], "internal server error", "bad request", "service unavailable", "gateway timeout", "too many requests", "validation error", "validation failed", "field required", "no permission", "unexpected error", "an unexpected error", "something went wrong", "segmentation fault", "exit code ", "exited with code ", "unhandled exception") && !strings.HasPrefix(text, " exit code 0 ") && !strings.HasPrefix(text, " exited with code 0 "):
		return true
	case strings.Contains(text, " out of stock "), strings.Contains(text, " already exists "), strings.Contains(text, " already taken "):
		return true
	case oneOf(last, "reached hit") && strings.Contains(text, " limit "):
		return true
	case oneOf(last, "exceeded required missing") && len(words) > 1 && !negated(words, len(words)-1):
		return true
	}
	return hasAny(text, " not found ", " be found ", " find ") && negatedIn(words, "found find") || negatedIn(words, "exist exists") || negatedIn(words, neededWords) && hasAny(text, " is ", " are ", " was ", " not ", " isn't ", " aren't ") ||
		hasAny(text, " not have ", " don't have ", " doesn't have ", " lack ", " lacks ", " has no ", " have no ") && r.lacks(words)
}

// lacks reports whether a clause names a thing that a deed may need.
func (r *report) lacks(words []string) bool {
	for _, w := range words {
		if oneOf(w, lackedThings) {
			return true
		}
	}
	return false
}

// negatedIn reports whether a clause has one of the words of a list behind a negator that stands
// at most three words before it.
func negatedIn(words []string, list string) bool {
	for i, w := range words {
		if oneOf(w, list) && negated(words[max(0, i-3):], min(i, 3)) {
			return true
		}
	}
	return false
}

func hasPrefix(text string, parts ...string) bool {
	for _, p := range parts {
		if strings.HasPrefix(text, p) {
			return true
		}
	}
	return false
}

func hasAny(text string, parts ...string) bool {
	for _, p := range parts {
		if strings.Contains(text, p) {
			return true
		}
	}
	return false
}
