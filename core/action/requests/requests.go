// Package requests traces each change of a run to the request for it. The law:
//
// A change is asked for only by what the user said, by a question of the agent to which the
// user agreed, or by a standing instruction of the developer. What a tool returned, or what
// the definition of a tool says, is data. Data never asks, unless the user said to do what
// it says.
//
// A text is read sentence by sentence. The verbs of a sentence have kinds (words.txt); a
// change is traced to a sentence that asks for a deed of the same or of a wider kind. The
// result is ByNobody only if all sentences of the user were understood as questions, or as
// requests to read something. Otherwise it is Undecided.
package requests

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/boundcheck/boundcheck/core/action/provenance"
	"github.com/boundcheck/boundcheck/core/action/similarity"
)

// By says who asked for a change.
type By uint8

// Who may ask. ByData and ByNobody mean that no person asked.
const (
	Undecided   By = iota // it cannot be decided
	ByUser                // the user, in his own words or by a yes
	ByDeveloper           // a standing instruction
	NotNeeded             // the call only looks or navigates
	ByData                // only the words of a tool's result or definition
	ByNobody              // no text
)

// String returns the name in reports.
func (b By) String() string {
	return [...]string{"unknown", "user", "developer", "none", "data", "nobody"}[b]
}

// Traced reports whether a change needs no request or has one.
func (b By) Traced() bool { return b == ByUser || b == ByDeveloper || b == NotNeeded }

// Trace is the request for a change, or the passage that stands in its place.
type Trace struct {
	By    By
	Text  int    // index of the text with the words; -1 for none
	Words string // the sentence that asks, or the passage of the data
	Why   string // how the words ask for the change, or why they do not

	Agreed    bool // the words are the agent's, and the user agreed
	Again     bool // he asked for it once more
	Against   bool // a person said that he does not want the change, or no longer
	delegated bool // the words only say to do what the data says
}

// Action is a call that may change something.
type Action struct {
	Call   *similarity.Call
	Before int  // number of texts that were written before it
	Sure   bool // it is known that the call changes something
	Told   bool // one that knows the tool said that it may change something, and not only its name

	Result string // its result; "" if it is not known yet

	acked bool // its result says no more than that it was done
	lists bool // its result is a list, as of a call that looks
}

// Reader traces the changes of one run. It is not for use by several goroutines at once.
type Reader struct {
	texts     []provenance.Text
	tools     []string // the descriptions of the tools
	read      map[int]*reading
	said      map[saidIn]*said // sentences that ask, for findContradiction
	looked    int              // texts searched by findContradiction
	open      *open
	firstUser int   // index of the first text of the user that is not empty; -1 for none
	policies  []int // the developer's texts
	searches  int   // how often the data was searched
	parts     map[int][]part
	rows      map[int][]row
	done      map[string]int     // what was done, with its arguments → the text after which
	first     map[*sentence]deed // the first deed that a request was traced for
	made      []string           // the results of earlier changes, folded
	touched   map[string]bool    // the files that earlier deeds named, and their commands
	partCount int
	memory    *Memory  // what was read of the instructions of the run before; nil for none
	fold      []string // the texts, folded; "" where that was not needed
	lang      *string  // the language of the conversation; nil until it is needed
	means     Kinds    // the kinds of deeds that may be means to any task
}

// The deeds that may be means to a task, although nobody asks for them by name.
const (
	NoMeans    = Kinds(0)         // of a desk: each change is somebody's
	FileMeans  = deedKinds        // of work with files and commands
	PlaceMeans = deedKinds | Look // of work with pages, windows and things
)

// NewReader returns a Reader of a run's texts, in the order in which they were written. The
// argument tools has the descriptions of the tools, and means the deeds that are means to any
// task of this sort of work. memory keeps what was read of the instructions for the Reader of
// the next run; nil for none.
func NewReader(texts []provenance.Text, tools []string, means Kinds, memory *Memory) *Reader {
	r := &Reader{texts: texts, tools: tools, read: map[int]*reading{}, parts: map[int][]part{}, rows: map[int][]row{}, done: map[string]int{}, touched: map[string]bool{}, means: means, firstUser: -1, memory: memory}
	for i := range texts {
		switch texts[i].From {
		case provenance.FromUser:
			if r.firstUser < 0 && strings.TrimSpace(texts[i].Text) != "" {
				r.firstUser = i
			}
		case provenance.FromPolicy:
			r.policies = append(r.policies, i)
		}
	}
	return r
}

// meansOfLooking returns the kinds of deeds that are means even if the user only asked to know
// something: a note of what was found, a step on the way to a page.
func (r *Reader) meansOfLooking() Kinds {
	switch r.means {
	case NoMeans:
		return 0
	case FileMeans:
		return Make | Move | Switch | Other
	}
	return Make | Move | Switch | Other | Change | Block
}

func (r *Reader) readingOf(i int) *reading {
	if r.read[i] == nil {
		r.read[i] = r.readOnce(i)
	}
	return r.read[i]
}

// folded returns a text in lower case and without accents.
func (r *Reader) folded(i int) string {
	if r.fold == nil {
		r.fold = make([]string, len(r.texts))
	}
	if r.fold[i] == "" {
		r.fold[i] = foldText(r.texts[i].Text)
	}
	return r.fold[i]
}

// mostUnsure is the number of bytes up to which the language of a text may be unsure.
const mostUnsure = 100

// language returns the language of the conversation: that of all that the user said.
func (r *Reader) language() string {
	if r.lang == nil {
		var b strings.Builder
		for i := range r.texts {
			if r.texts[i].From == provenance.FromUser && b.Len() < mostData {
				b.WriteString(r.texts[i].Text + "\n")
			}
		}
		lang := languageOf(b.String())
		r.lang = &lang
	}
	return *r.lang
}

// Memory keeps the last instructions that were read. Most runs of a file have the same ones.
// The zero value is empty. It is not for several goroutines at once.
type Memory struct {
	text string
	read *reading
}

// readOnce reads text number i, or takes it from the memory.
func (r *Reader) readOnce(i int) *reading {
	m, text := r.memory, r.texts[i].Text
	quoted := ""
	if r.texts[i].From == provenance.FromUser && r.means == NoMeans {
		text, quoted = splitQuoted(text)
	}
	if m == nil || r.texts[i].From != provenance.FromPolicy {
		near := ""
		if r.texts[i].From != provenance.FromPolicy && len(text) < mostUnsure {
			near = r.language()
		}
		read := readTextNear(text, near)
		for k := range read.sentences { // "Go ahead with that", and the mail below
			if s := &read.sentences[k]; quoted != "" && s.asks == 0 && !s.question && s.has&(agrees|vague) != 0 && plainWords(s.words) < 6 {
				s.has |= delegates
			}
		}
		return &read
	}
	if m.read == nil || m.text != text {
		read := readText(text)
		*m = Memory{text, &read}
	}
	return m.read
}

// request is one sentence that is open at some point of a run.
type request struct {
	text     int
	sentence *sentence
	agreed   bool      // the sentence is the agent's, and the user agreed
	asking   *sentence // of these, the last question of the agent; nil for none
	but      string    // the folded words with which the user corrected it; "" if he only agreed
	choice   *choice   // what the user took of the alternatives of the agent; nil for none
	barred   Kinds     // the kinds of deeds that the user forbade later

	limit   *sentence // the words to which the user limited it later; nil for none
	limitAt int       // the text with these words
}

// open is what the user asked for before a change.
type open struct {
	requests []request
	bars     Kinds                 // kinds of deeds that the user last forbade
	barredBy *sentence             // the last sentence that forbade a deed
	barredAt int                   // its text
	closed   string                // the words with which the user took everything back
	closedAt int                   // the text with these words
	no       *sentence             // the last sentence that asks for nothing else than its text; nil for none
	noAt     int                   // its text
	shelved  []request             // what was taken back
	offer    int                   // the last text of the agent that asked the user to agree; -1 for none
	pending  []int                 // such texts that the user answered with a question
	unclear  []int                 // such texts that the user answered in words that are not understood
	said     bool                  // there is a text of the user
	last     int                   // the last text of the agent that the user has not answered; -1 for none
	read     int                   // the number of texts that were read
	newest   int                   // the newest text of the user
	reads    bool                  // it only wants to know something
	served   map[*sentence]serving // request → how it was carried out
	from     provenance.From       // whose texts ask: the user's, or the developer's if there is no user
}

// openBefore returns the requests that are open after the first n texts. It continues where
// the last call ended, so the calls should be in the order of the run.
func (r *Reader) openBefore(n int) *open {
	n = min(n, len(r.texts))
	from := provenance.FromUser
	if r.firstUser < 0 || r.firstUser >= n {
		from = provenance.FromPolicy // work without a user: the instructions are the task
	}
	if r.open == nil || r.open.read > n || r.open.from != from {
		r.open = &open{closedAt: -1, offer: -1, last: -1, from: from, served: map[*sentence]serving{}}
	}
	o := r.open
	for ; o.read < n; o.read++ {
		switch i := o.read; r.texts[i].From {
		case provenance.FromAgent:
			if o.last = i; makesOffer(r.texts[i].Text) {
				o.offer = i
			}
		case from:
			o.said = true
			r.takeText(o, i, o.last)
			o.last = -1
		}
	}
	return o
}

// takeText adds a text of the user. The argument offer is the text of the agent that it
// answers, or -1.
func (r *Reader) takeText(o *open, i, offer int) {
	read := r.readingOf(i)
	o.newest, o.reads = i, read.wantsToKnow() && !slices.ContainsFunc(read.sentences, func(s sentence) bool { return s.asks != 0 || s.isVague() || s.has&(delegates|agrees) != 0 })
	if offer >= 0 {
		r.takeAnswer(o, i, offer)
	} else if withdrawal := read.findWithdrawal(); withdrawal != "" && i > 0 {
		o.closeAll(i, withdrawal)
	}
	for k := range read.sentences {
		s := &read.sentences[k]
		if len(s.without) > 0 && s.asks == 0 { // whatever else it says, it asks for nothing
			o.requests = append(o.requests, request{text: i, sentence: &sentence{text: s.text, words: s.words, without: s.without}})
		}
		if o.closedAt == i && (s.has&withdraws != 0 && s.asks == 0 || o.closed == r.texts[i].Text && read.stopsIt()) {
			continue
		}
		if s.asks&^Look != 0 && o.noAt != i {
			o.no = nil
		}
		if s.has&exclusive != 0 && slices.ContainsFunc(read.sentences, func(s sentence) bool { return s.asks != 0 }) {
			o.no, o.noAt = s, i
		}
		q := request{text: i, sentence: s}
		if offer >= 0 && s.limitsEarlier() {
			o.limitAll(i, s)
			q.limit, q.limitAt = s, i
		}
		if o.bars = (o.bars | s.bars) &^ s.asks; s.bars != 0 {
			o.barredBy, o.barredAt = s, i
		}
		for q := range o.requests {
			o.requests[q].barred |= s.bars &^ s.asks
		}
		o.requests = append(o.requests, q)
	}
	if n := len(o.requests); n > mostOpen {
		o.requests = slices.Clone(o.requests[n-mostOpen/2:])
	}
}

// mostOpen is the number of sentences from which the oldest are forgotten.
const mostOpen = 2000

// takeAnswer reads a text as the answer to what the agent said. A yes makes the agent's
// words a request. A no takes back what was asked before.
func (r *Reader) takeAnswer(o *open, i, offer int) {
	read := r.readingOf(i)
	answer, withdrawal := r.answerIn(read), read.findWithdrawal()
	if withdrawal == "" && answer != refuses && r.takeStep(o, i, offer) {
		return
	}
	if withdrawal == "" && o.offer == offer && read.stopsIt() && answer != agrees && !r.offersToStop(offer) {
		withdrawal = r.texts[i].Text
	}
	switch {
	case withdrawal == "" && answer == agrees && o.offer >= 0:
		if !slices.ContainsFunc(r.readingOf(o.offer).sentences, func(s sentence) bool { return s.named != 0 }) {
			o.requests, o.shelved = append(o.requests, o.shelved...), nil // the question names nothing else
		}
		r.takeOffer(o, o.offer, "", findChoice(r.texts[o.offer].Text, r.texts[i].Text))
		r.takeAskedFor(o, o.offer)
		r.takeOpenOffers(o, i)
	case (withdrawal != "" || answer == refuses) && r.isAboutMore(o, i, offer):
	case withdrawal == "" && answer == refuses && asksForMore(r.texts[offer].Text):
	case withdrawal == "" && answer == refuses && read.isCorrection():
		o.closeAll(i, r.texts[i].Text)
		r.takeOffer(o, o.offer, r.folded(i), nil)
	case withdrawal != "" || answer == refuses:
		if withdrawal == "" {
			withdrawal = r.texts[i].Text
		}
		o.closeAll(i, withdrawal)
	case answer == 0 && read.wantsToKnow() && o.offer == offer:
		o.pending = append(o.pending, offer)
	case answer == 0 && !read.wantsToKnow():
		if x := findChoice(r.texts[offer].Text, r.texts[i].Text); x != nil {
			r.takeOffer(o, offer, "", x)
		} else if o.offer == offer {
			o.unclear = append(o.unclear, offer)
		}
	}
}

// takeAskedFor makes the question of the user a request to which the agent answered with a bare question,
// as in "Can it be dropped?", "For 35 USD. Shall I go ahead?"
func (r *Reader) takeAskedFor(o *open, offer int) {
	if slices.ContainsFunc(r.readingOf(offer).sentences, func(s sentence) bool { return s.named&^(Grant|Other) != 0 }) {
		return
	}
	for _, q := range o.requests {
		if s := q.sentence; !q.agreed && q.text < offer && s.question && !s.opened && s.named != 0 {
			q.agreed = true
			o.requests = append(o.requests, q)
		}
	}
}

// takeOpenOffers makes those earlier questions a request that a yes names, as in "Yes, and yes to the
// exchange".
func (r *Reader) takeOpenOffers(o *open, i int) {
	newest := readTokens(r.texts[o.offer].Text) // what it names, too, does not point to another one
	said := slices.DeleteFunc(readTokens(r.texts[i].Text), func(w string) bool { return slices.Contains(newest, w) || isListed("courtesy", w) })
	o.unclear = slices.DeleteFunc(o.unclear, func(offer int) bool {
		if !slices.ContainsFunc(r.readingOf(offer).sentences, func(s sentence) bool {
			return slices.ContainsFunc(s.words, func(w string) bool {
				return len(w) > 3 && !isFunctionWord(w) && !isFiller(w) && slices.Contains(said, w)
			})
		}) {
			return false
		}
		r.takeOffer(o, offer, "", nil)
		return true
	})
}

// isAboutMore reports whether a no answers a question about one thing more, as in "The hat, too?". What
// was asked for before stays.
func (r *Reader) isAboutMore(o *open, i, offer int) bool {
	said := readTokens(r.texts[i].Text)
	for _, s := range r.readingOf(offer).sentences {
		if !slices.ContainsFunc(s.words, func(w string) bool { return isListed("also", w) }) || !strings.Contains(s.text, "?") {
			continue
		}
		for _, w := range s.words {
			if len(w) > 3 && slices.Contains(said, w) && !isFunctionWord(w) && !isListed("also", w) && !slices.ContainsFunc(o.requests, func(q request) bool {
				return !q.agreed && slices.Contains(q.sentence.words, w)
			}) {
				return true
			}
		}
	}
	return false
}

// takeStep makes one step of a plan of the agent a request, if the user only said to do this one.
func (r *Reader) takeStep(o *open, i, offer int) bool {
	read := r.readingOf(i)
	for k := range read.sentences {
		s := &read.sentences[k]
		for j := 1; j < len(s.words); j++ {
			if !isListed("step", s.words[j-1]) || strings.Contains(s.text, "?") {
				continue
			}
			if step := stepOf(r.texts[offer].Text, s.words[j]); step != "" {
				only := readSentence(step, r.readingOf(offer).lang)
				o.requests = append(o.requests, request{text: offer, sentence: &only, agreed: true})
				o.no, o.noAt = s, i
				return true
			}
		}
	}
	return false
}

// stepOf returns the step of a plan with a number, or "".
func stepOf(plan, number string) string {
	n, err := strconv.Atoi(number)
	if err != nil {
		return ""
	}
	for _, mark := range [...]string{". ", ") "} {
		if _, step, ok := strings.Cut(plan, number+mark); ok {
			step, _, _ = strings.Cut(step, strconv.Itoa(n+1)+mark)
			return strings.TrimSpace(step)
		}
	}
	return ""
}

// takeOffer makes the words of the agent a request, because the user agreed to them. The
// argument but has the words with which the user corrected them, or "", and x what he chose of them,
// or nil.
func (r *Reader) takeOffer(o *open, offer int, but string, x *choice) {
	if offer < 0 {
		return
	}
	offered := r.readingOf(offer)
	var asking *sentence
	for k := range offered.sentences {
		if strings.HasSuffix(offered.sentences[k].text, "?") {
			asking = &offered.sentences[k]
		}
	}
	for k := range offered.sentences {
		o.requests = append(o.requests, request{text: offer, sentence: &offered.sentences[k], agreed: true, asking: asking, but: but, choice: x})
	}
}

// isCorrection reports whether a text that begins with a no goes on to say what is wanted
// instead, as in "No, the blue one".
func (read *reading) isCorrection() bool {
	n := 0
	for i := range read.sentences {
		if s := &read.sentences[i]; !s.question {
			n += plainWords(s.words)
		}
	}
	return n > 2
}

// wantsToKnow reports whether a text has a question or asks to read something.
func (read *reading) wantsToKnow() bool {
	return slices.ContainsFunc(read.sentences, func(s sentence) bool { return s.readsOnly() })
}

// closeAll takes all open requests back.
func (o *open) closeAll(text int, words string) {
	o.shelved, o.requests, o.closed, o.closedAt = o.requests, nil, words, text
}

// limitAll limits all open requests to the words of a sentence.
func (o *open) limitAll(text int, s *sentence) {
	for q := range o.requests {
		o.requests[q].limit, o.requests[q].limitAt = s, text
	}
}

// limitsEarlier reports whether a sentence asks for no deed of its own, but says how much of
// what was asked before is still wanted, as in "Only the flight" and "Skip the hotel".
func (s *sentence) limitsEarlier() bool {
	return s.asks == 0 && !s.question && (s.has&limits != 0 || len(s.without) > 0)
}

// findLeftOut returns a trace in place of one to a request, if the user said, with the request or
// later, that he does not want what the deed is done to, or wants the opposite.
func (r *Reader) findLeftOut(o *open, t *Trace, d *deed) (Trace, bool) {
	for i := len(o.requests) - 1; i >= 0 && o.requests[i].text >= t.Text; i-- {
		q := &o.requests[i]
		if q.agreed {
			continue
		}
		if slices.ContainsFunc(q.sentence.without, func(w string) bool {
			return slices.Contains(d.name, w) && kindOf(w)&deedKinds != 0 || d.isStep(r.planBefore(q.text), w) || d.isStep(r.texts[t.Text].Text, w)
		}) {
			return Trace{By: ByNobody, Text: q.text, Words: q.sentence.text, Why: "the user left this step out", Against: true}, true
		}
		if len(q.sentence.without) > 0 && (d.isNamedBy(q.sentence.without) || d.isApposedTo(q.sentence.without, r.folded(q.text))) {
			return Trace{By: ByNobody, Text: q.text, Words: q.sentence.text, Why: "the user left this out of what he asked for", Against: true}, true
		}
		if wanted := d.contradicts(q.sentence.words); wanted != "" {
			return Trace{By: ByNobody, Text: q.text, Words: q.sentence.text, Why: "the user wanted it " + wanted}, true
		}
	}
	return Trace{}, false
}

// planBefore returns the last text of the agent before text number i, or "".
func (r *Reader) planBefore(i int) string {
	for i--; i >= 0; i-- {
		if r.texts[i].From == provenance.FromAgent {
			return r.texts[i].Text
		}
	}
	return ""
}

// isStep reports whether the step of a plan with a number names a deed.
func (d *deed) isStep(plan, number string) bool {
	step := stepOf(plan, number)
	if step == "" {
		return false
	}
	s := readSentence(step, languageOf(plan))
	_, word := d.countShared("", s.words)
	return word || d.sameOrWider(s.named|s.asks, s.verbs)
}

// contradicts returns the word that one of the values of a deed is the opposite of, or "".
func (d *deed) contradicts(words []string) string {
	for _, w := range words {
		for _, v := range theTables().opposites[w] {
			if slices.Contains(d.values, v) && !slices.Contains(words, v) && !slices.Contains(d.values, w) {
				return w
			}
		}
	}
	return ""
}

// isApposedTo reports whether a text has one of some words before one of the values of a deed, as in
// "the cup MUG-2".
func (d *deed) isApposedTo(words []string, text string) bool {
	return slices.ContainsFunc(words, func(w string) bool {
		return slices.ContainsFunc(d.values, func(v string) bool { return holdsWord(text, w+" "+v) })
	})
}

// leavesOut reports whether a later sentence says that a deed is not wanted of what a request
// asks for: it names it as left out, or it only names another thing of the request.
func (s *sentence) leavesOut(d *deed, request *sentence) bool {
	if d.isNamedBy(s.without) {
		return true
	}
	if s.has&limits == 0 || d.isNamedBy(s.words) || !d.isNamedBy(request.words) {
		return false
	}
	return slices.ContainsFunc(s.words, func(w string) bool { return len(w) > 3 && slices.Contains(request.words, w) })
}

// isNamedBy reports whether words name the object of a deed or one of its values. The words for
// things of any sort do not count.
func (d *deed) isNamedBy(words []string) bool {
	if n := len(d.object); n > 0 && !isAnyThing(d.object[n-1]) && slices.ContainsFunc(words, func(w string) bool {
		return w == d.object[n-1] || w == d.object[n-1]+"s" || len(w) > 3 && strings.HasPrefix(d.object[n-1], w)
	}) {
		return true
	}
	return slices.ContainsFunc(d.values, func(v string) bool { return slices.Contains(words, v) })
}

// isAnyThing reports whether a noun of the name of a tool may be any thing of its desk.
func isAnyThing(noun string) bool { return isListed("anyThing", noun) }

// answerIn returns agrees, refuses, or 0 for a text that is neither. A short text may be
// in a language that it does not show.
func (r *Reader) answerIn(read *reading) Kinds {
	var has Kinds
	words := 0
	for i := range read.sentences {
		s := &read.sentences[i]
		words += len(s.words)
		if !s.question {
			has |= s.has
		}
	}
	if words <= 3 && has&(agrees|refuses) == 0 {
		for _, lang := range languages {
			for i := range read.sentences {
				s := readSentence(read.sentences[i].text, lang)
				has |= s.has
			}
		}
	}
	switch {
	case has&refuses != 0 && words <= 8:
		return refuses
	case has&agrees != 0, words <= 3 && has&withdraws == 0 && r.isAccepting(read):
		return agrees
	}
	return 0
}

// isAccepting reports whether a short answer takes what was offered: please, both, all of it.
func (r *Reader) isAccepting(read *reading) bool {
	return slices.ContainsFunc(read.sentences, func(s sentence) bool {
		return !s.question && s.asks == 0 && slices.ContainsFunc(s.words, func(w string) bool { return isListed("accepting", w) })
	})
}

// findWithdrawal returns the sentence with which a text takes everything back, or "". Such a
// sentence asks for nothing else.
func (read *reading) findWithdrawal() string {
	for i := range read.sentences {
		if s := &read.sentences[i]; s.has&withdraws != 0 && !s.question {
			return s.text
		}
	}
	return ""
}

// stopsIt reports whether a text consists of few words that only say to cancel or to drop what
// was talked about, such as "Cancel that."
func (read *reading) stopsIt() bool {
	var asks Kinds
	words := 0
	for i := range read.sentences {
		asks |= read.sentences[i].asks
		words += plainWords(read.sentences[i].words)
	}
	return asks != 0 && asks&^(Cancel|Remove) == 0 && words <= 3 && !strings.ContainsFunc(read.sentences[0].text, unicode.IsDigit)
}

// offersToStop reports whether a text of the agent names a deed that cancels or removes.
func (r *Reader) offersToStop(i int) bool {
	return slices.ContainsFunc(r.readingOf(i).sentences, func(s sentence) bool { return s.named&(Cancel|Remove|Switch|Refund) != 0 })
}

// namesDeed reports whether a request has a word or a value of a deed.
func (o *open) namesDeed(d *deed) bool {
	return slices.ContainsFunc(o.requests, func(q request) bool {
		values, word := d.countShared(foldText(q.sentence.text), q.sentence.words)
		return values > 0 || word || d.isNamedIn(q.sentence.words, nil)
	})
}

// wantsOnlyToKnow reports whether the open sentences are questions, or in a language that is
// not known.
func (o *open) wantsOnlyToKnow() bool {
	any := false
	for i := range o.requests {
		s := o.requests[i].sentence
		if len(s.words) == 0 {
			continue
		}
		if !s.question && !s.foreign {
			return false
		}
		any = true
	}
	return any
}

// makesOffer reports whether a text of the agent asks the user to agree to something.
func makesOffer(text string) bool { return holdsListedWord(strings.ToLower(text), "offer") }

// asksForMore reports whether a text asks whether there is anything else to do.
func asksForMore(text string) bool { return holdsListed(text, "anythingElse") }

// Trace returns the request for a change. O(texts before it). Changes are traced in the order of the
// run, each once.
func (r *Reader) Trace(c *Action) Trace {
	d := readDeed(c.Call)
	c.acked, c.lists = isAcknowledgement(c.Result), isList(c.Result)
	t := r.traceDeed(&d, c)
	for _, v := range d.targets {
		r.touched[v[strings.LastIndexByte(v, '/')+1:]] = true
	}
	for _, command := range d.commands {
		r.touched[command] = true
	}
	if t.By != NotNeeded && len(c.Result) > 4 && len(c.Result) <= mostMade {
		r.made = append(r.made, foldText(c.Result))
	}
	return t
}

// mostMade is the number of bytes up to which the result of a change is kept: it names what was made.
const mostMade = 2000

// isMade reports whether the result of an earlier change has a value.
func (r *Reader) isMade(value string) bool {
	return slices.ContainsFunc(r.made, func(text string) bool { return holdsWord(text, value) })
}

func (r *Reader) traceDeed(dd *deed, c *Action) Trace {
	d := *dd
	if r.means == NoMeans && d.kinds == 0 && len(d.commands) == 0 {
		if k := r.pressed(c); k != 0 {
			d.kinds, d.moves = k, false
		}
	}
	if d.opens && r.means == NoMeans {
		d.moves, d.kinds = false, Other
	}
	if d.moves && c.acked && !c.Sure && isListed("lookNoun", d.lead) {
		d.moves, d.kinds = false, Other // display_input, which only says that it is done
	}
	if d.moves && !c.Told || (d.kinds == 0 || d.noun) && c.lists && !c.Sure && !c.Told || d.kinds == 0 && !c.Sure && r.means == FileMeans || r.means == PlaceMeans && d.kinds&^r.meansOfLooking() == 0 {
		if k := r.pressed(c) & (Remove | Cancel | Pay | Buy | Send | Block | Make); k != 0 {
			o := r.openBefore(c.Before)
			if o.said && o.onlyReads() {
				return Trace{By: ByNobody, Text: -1, Why: "the user only asked to know something, and this button does more"}
			}
			if k &= Remove | Cancel | Pay | Buy | Block; k != 0 && o.said && r.means == PlaceMeans && !o.speaksOf(k) {
				return Trace{Text: -1, Why: "nobody spoke of what this button does"}
			}
		}
		return Trace{By: NotNeeded, Text: -1, Why: "the call only looks or navigates"}
	}
	o := r.openBefore(c.Before)
	if t, ok := o.findAsker(&d); ok {
		if t.By == ByNobody {
			if slices.ContainsFunc(d.values, r.isMade) {
				t.By = Undecided // a deposit for what was reserved may be a means
			}
			return t
		}
		if other, ok := r.findAgainst(&t, &d, c); ok {
			return other
		}
		if other, over := r.findCarriedOut(o, &t, &d); over {
			return other
		}
		if t.delegated {
			return t
		}
		if why := r.findContradiction(&t, c); why != "" {
			return Trace{Text: t.Text, Words: t.Words, Why: why}
		}
		if v := o.served[r.sentenceOf(&t)]; v.kinds != 0 && v.tool != d.tool && !t.Agreed {
			if other, further := r.findFurther(o, &d, c); further {
				return other
			}
		}
		if other, differs := r.findDifference(o, &t, &d, c); differs {
			return other
		}
		if r.isDoneAgain(&t, &d, c) {
			return Trace{By: ByNobody, Text: t.Text, Words: t.Words, Why: "the user asked for this once, and it had been done"}
		}
		if other, more := r.findMore(o, &t, &d, c); more {
			return other
		}
		if d.kinds != 0 || c.Sure {
			o.serveAll(&d)
		}
		return t
	}
	if t, ok := r.findStanding(&d, c.Before); ok {
		return t
	}
	if t, ok := r.findBar(&d, c.Before); ok && o.said {
		return t
	}
	t := r.traceWithout(o, &d, c)
	if other, ok := r.findMention(o, &t, &d, c); ok {
		return other
	}
	if t.By == ByUser && !t.delegated {
		if other, differs := r.findDifference(o, &t, &d, c); differs {
			return other
		}
	}
	return t
}

// findDifference returns a trace in place of one to a request, if the deed has another object or other
// values than the request names, or values that only the words of the data name.
func (r *Reader) findDifference(o *open, t *Trace, d *deed, c *Action) (Trace, bool) {
	for _, find := range [...]func(*open, *Trace, *deed, *Action) (Trace, bool){
		func(_ *open, t *Trace, d *deed, c *Action) (Trace, bool) { return r.findStray(t, d, c) },
		func(o *open, _ *Trace, d *deed, c *Action) (Trace, bool) { return r.findOther(o, d, c) },
		func(_ *open, t *Trace, d *deed, c *Action) (Trace, bool) { return r.findOtherNumber(t, d, c) },
		func(o *open, t *Trace, d *deed, _ *Action) (Trace, bool) { return r.findLeftOut(o, t, d) },
		r.findOtherRow, r.findOtherCode, r.findOtherMember, r.findWholeFolder,
		func(o *open, t *Trace, _ *deed, c *Action) (Trace, bool) { return r.findBeyond(o, t, c) },
		func(_ *open, t *Trace, d *deed, c *Action) (Trace, bool) { return r.findUnmet(t, d, c) },
		func(_ *open, t *Trace, _ *deed, c *Action) (Trace, bool) { return r.findOtherCurrency(t, c) },
		func(_ *open, t *Trace, _ *deed, c *Action) (Trace, bool) { return r.findOtherCount(t, c) },
		func(_ *open, t *Trace, d *deed, c *Action) (Trace, bool) { return r.findSeveral(t, d, c) },
		r.findProse, r.findUnsettled, r.findOutward, r.findOutside, r.findWidened, r.findLeak, r.findOtherDate, r.findUnnamed,
	} {
		if other, ok := find(o, t, d, c); ok {
			return other, true
		}
	}
	return Trace{}, false
}

// findAsker returns the newest open request for a deed.
func (o *open) findAsker(d *deed) (out Trace, weaker bool) {
	for i := len(o.requests) - 1; i >= 0; i-- {
		q := &o.requests[i]
		why := q.asksFor(d)
		if why == "" {
			continue
		}
		if verb := d.exceeds(q.sentence); verb != "" {
			if !weaker {
				out, weaker = Trace{By: ByNobody, Text: q.text, Words: q.sentence.text, Why: "the user asked for a weaker deed: " + verb}, true
			}
			continue
		}
		if q.choice != nil {
			if v := q.choice.passesOver(d); v != "" {
				return Trace{By: ByNobody, Text: q.text, Words: q.sentence.text, Why: "the user chose something else than " + v}, true
			}
		}
		if q.limit != nil && q.limit.leavesOut(d, q.sentence) {
			return Trace{By: ByNobody, Text: q.limitAt, Words: q.limit.text, Why: "the user left this out of what he asked for", Against: true}, true
		}
		return Trace{By: ByUser, Text: q.text, Words: q.sentence.text, Why: why, Agreed: q.agreed, delegated: q.sentence.has&delegates != 0}, true
	}
	return out, weaker
}

// asksFor returns how a request asks for a deed, or "".
func (q *request) asksFor(d *deed) string {
	s := q.sentence
	if d.kinds&(q.barred|s.bars&^s.asks)&^Other != 0 || d.onlyMoved(s) {
		return ""
	}
	if q.agreed {
		if a := q.asking; a != nil && a != s && s.named == 0 && (a.named&^(Grant|Other|Look) != 0 && !d.sameOrWider(a.named, a.words) || a.named == 0 && (a.has&Look != 0 || d.isNoneOf(a)) || d.onlyMoved(a)) {
			return "" // the question is about another deed
		}
		if values, _ := d.countShared(q.but, nil); q.but != "" && values == 0 {
			return ""
		}
		values, word := d.countShared(foldText(s.text), s.words)
		if values > 0 || word || d.sameOrWider(s.named, s.words) || q.choice != nil && d.kinds&(Buy|Make) != 0 {
			return "the user agreed to this"
		}
		return ""
	}
	switch {
	case s.question:
		return ""
	case s.has&delegates != 0:
		return "the user said to do what it says"
	case d.sameOrWider(s.asks, s.verbs) && !d.isOnOtherKind(s):
		return "the user asked for this"
	case d.opens && slices.Contains(s.words, "open"):
		return "the user asked for this"
	case d.kinds&s.bars == 0 && !d.isOnOtherKind(s) && s.beginsWith(d):
		return "the user named this deed"
	case s.asks&Make != 0 && d.kinds&(Send|Make|Change|Move|Pay) != 0 && len(s.verbs) > 0 && !slices.ContainsFunc(s.verbs, func(v string) bool { return !isGeneric(v) }) && d.sharesValue(s):
		return "the user asked to put something there"
	case d.kinds&Pay != 0 && s.asks&Send != 0 && slices.ContainsFunc(d.measures, func(m string) bool { return slices.Contains(s.words, m) }):
		return "the user asked for this" // send him 600
	case s.asks&(Make|Change) != 0 && d.kinds&(Buy|Make|Change) != 0 && d.isMadeIn(s):
		return "the user asked for this"
	case !s.readsOnly() && d.kinds&s.bars == 0 && d.isWhollyIn(s):
		return "the user named its values"
	case s.isVague() && d.kinds&(Make|Buy) != 0 && d.isMadeIn(s):
		return "the user wished for this"
	case d.kinds&^Other == 0:
		if values, word := d.countShared(foldText(s.text), s.words); (values > 0 || word) && (s.asks != 0 || s.isVague()) {
			return "the user named this"
		}
	}
	return ""
}

// findStanding returns the standing instruction that asks for a deed.
func (r *Reader) findStanding(d *deed, n int) (Trace, bool) {
	for _, i := range r.policies {
		if i >= n {
			break
		}
		read := r.readingOf(i)
		for k := range read.sentences {
			s := &read.sentences[k]
			if !s.isStanding() || s.has&wishes != 0 || s.bars&^s.asks&d.kinds != 0 || !d.sameOrWider(s.asks|s.receives()|s.passive, s.verbs) && !(read.lang != "en" && d.isDoneIn(s)) && !slices.Contains(s.words, d.tool) && !(d.opens && slices.Contains(s.words, "open")) {
				continue
			}
			if values, word := d.countShared(foldText(s.text), s.words); word || values > 0 || read.lang != "en" || d.isNamedIn(s.words, nil) || slices.Contains(s.words, d.tool) {
				return Trace{By: ByDeveloper, Text: i, Words: s.text, Why: "a standing instruction asks for this"}, true
			}
		}
	}
	return Trace{}, false
}

// isInstructed reports whether a sentence of the instructions begins with a deed that a call does, as
// in "Hide posts with slurs". It may be meant for the task that the user speaks of.
func (r *Reader) isInstructed(d *deed, n int) bool {
	return slices.ContainsFunc(r.policies, func(i int) bool {
		return i < n && slices.ContainsFunc(r.readingOf(i).sentences, func(s sentence) bool {
			if s.bars != 0 || s.has&wishes != 0 || slices.Contains(s.words, "can") || !d.sameOrWider(s.asks, s.verbs) || len(s.words) == 0 || kindOf(s.words[0])&deedKinds == 0 {
				return false
			}
			_, word := d.countShared("", s.words)
			return word
		})
	})
}

// isStanding reports whether a sentence of the instructions holds for every conversation: it says
// so, or it begins with a condition.
func (s *sentence) isStanding() bool {
	return s.has&standing != 0 || len(s.words) > 4 && isListed("whenever", s.words[0]) || len(s.words) > 0 && (s.words[0] == "if" || s.words[0] == "when" || s.words[0] == "after" || s.words[0] == "for") && slices.Contains(s.words, ",")
}

// receives returns the kinds of deeds by which a thing gets what a sentence says that it gets.
func (s *sentence) receives() Kinds {
	if slices.ContainsFunc(s.words, func(w string) bool { return isListed("receives", w) }) {
		return Make | Change | Send | Grant
	}
	return 0
}

// isDoneIn reports whether a sentence has another form of the verb of a name, as in "Jede Mail wird markiert"
// for mail_markieren.
func (d *deed) isDoneIn(s *sentence) bool {
	return slices.ContainsFunc(d.name, func(n string) bool {
		n = foldName(n)
		return len(n) > 4 && foreignKinds(n)&deedKinds != 0 && slices.ContainsFunc(s.words, func(w string) bool { return areAlike(n, w) })
	})
}

// isNoneOf reports whether a question is about something that has no word of a deed, and does not only ask
// whether all is well.
func (d *deed) isNoneOf(s *sentence) bool {
	content := false
	for _, w := range s.words {
		switch {
		case len(w) < 4 || isFunctionWord(w) || isFiller(w):
		case isListed("suits", w), isListed("goOn", w), isListed("courtesy", w), d.isNamedIn([]string{w}, nil), slices.Contains(d.words, w):
			return false
		default:
			content = true
		}
	}
	return content && s.has&(agrees|polite) == 0
}

// onlyMoved reports whether a deed removes what a sentence only wants to have elsewhere.
func (d *deed) onlyMoved(s *sentence) bool {
	return d.kinds&Remove != 0 && len(d.commands) == 0 && d.kinds&Move == 0 && (s.asks|s.named)&Move != 0 && (s.asks|s.named)&(Remove|Cancel|Refund) == 0 &&
		!slices.ContainsFunc(s.words, func(w string) bool { return isListed("trash", w) })
}

// findBar returns the instruction that forbids a deed on any condition.
func (r *Reader) findBar(d *deed, n int) (Trace, bool) {
	for _, i := range r.policies {
		if i >= n {
			break
		}
		for k := range r.readingOf(i).sentences {
			s := &r.readingOf(i).sentences[k]
			if d.kinds&s.bars&^Other == 0 && !slices.ContainsFunc(s.barred, func(w string) bool { return slices.Contains(d.words, w) }) || slices.ContainsFunc(s.words, isCondition) {
				continue
			}
			if _, word := d.countShared("", s.words); word {
				return Trace{By: ByNobody, Text: i, Words: s.text, Why: "the instructions forbid this", Against: true}, true
			}
		}
	}
	return Trace{}, false
}

// findAgainst returns a trace in place of one to a request that does not ask for just this deed: the
// instructions forbid it, or the words of the data give the command.
func (r *Reader) findAgainst(t *Trace, d *deed, c *Action) (Trace, bool) {
	s := r.sentenceOf(t)
	if s == nil || t.delegated || r.means != FileMeans || d.isExactly(s) {
		return Trace{}, false
	}
	if other, ok := r.findBar(d, c.Before); ok {
		return other, true
	}
	return r.findDictated(d, c)
}

// isCondition reports whether a word says that a sentence holds only sometimes.
func isCondition(w string) bool { return isListed("condition", w) }

// findDescribed returns the instruction that describes a deed, if the user only wished for
// help: how to help is then what the developer says.
func (r *Reader) findDescribed(o *open, d *deed, c *Action) (Trace, bool) {
	if !slices.ContainsFunc(o.requests, func(q request) bool { return !q.agreed && q.sentence.isVague() }) {
		return Trace{}, false
	}
	for _, i := range r.policies {
		if i >= c.Before {
			break
		}
		read := r.readingOf(i)
		for k := range read.sentences {
			s := &read.sentences[k]
			if s.bars != 0 || !d.sameOrWider(s.named, s.verbs) {
				continue
			}
			if _, word := d.countShared(foldText(s.text), s.words); word {
				return Trace{By: ByDeveloper, Text: i, Words: s.text, Why: "the user wished for help, and the instructions describe this"}, true
			}
		}
	}
	return Trace{}, false
}

// findUnclear returns a question of the agent that names a deed, and that the user answered in words which
// are not understood.
func (r *Reader) findUnclear(o *open, d *deed) (int, *sentence) {
	for _, offer := range o.unclear {
		for k := range r.readingOf(offer).sentences {
			if s := &r.readingOf(offer).sentences[k]; d.sameOrWider(s.named, s.words) {
				return offer, s
			}
		}
	}
	return -1, nil
}

// traceWithout returns the trace of a change that no request was found for.
func (r *Reader) traceWithout(o *open, d *deed, c *Action) Trace {
	if !o.said {
		return Trace{Text: -1, Why: "the trace has no words of a user"}
	}
	reads, other, first, agreed, wish := 0, -1, -1, -1, -1
	for i := range o.requests {
		s := o.requests[i].sentence
		if !s.foreign && (s.readsOnly() || s.isVague()) {
			wish = i
		}
		switch {
		case o.requests[i].agreed:
			agreed = i
		case s.readsOnly() && !s.foreign:
			reads++
		case s.asks != 0, s.isVague() && o.requests[i].text != o.closedAt, s.foreign && len(s.words) > 0:
			if other = i; s.asks != 0 && first < 0 {
				first = i
			}
		}
	}
	bars := r.barsFor(o, d)
	decided := other < 0 && reads > 0 && !r.namesAside(o, d) && (d.kinds == 0 || d.kinds&^r.meansOfLooking() != 0 || slices.ContainsFunc(d.runs, isLasting)) || o.closedAt >= 0 && other < 0 && !r.saysMore(o, d) || bars || o.no != nil
	if first >= 0 {
		other = first
	}
	if offer, s := r.findUnclear(o, d); s != nil {
		return Trace{Text: offer, Words: s.text, Why: "the agent asked, and the answer is not clear"}
	}
	if r.means != NoMeans && !decided && o.said && o.wantsOnlyToKnow() && c.Sure && d.kinds&(Make|Change|Remove|Send|Pay|Buy) != 0 {
		return Trace{Text: -1, Why: "the user asked a question, or wrote in a language that is not known"}
	}
	if t, ok := r.findDictated(d, c); ok && !decided {
		return t
	}
	if r.means == FileMeans && !decided && r.isExtra(o, d, c) {
		return Trace{Text: -1, Why: "the user named what to work on, and this is removed besides"}
	}
	if r.means != NoMeans && !decided && (other >= 0 || len(o.requests) > 0 && o.from == provenance.FromUser) {
		q := &o.requests[max(other, 0)]
		return Trace{By: ByUser, Text: q.text, Words: q.sentence.text, Why: "a step of the task"}
	}
	if t, ok := r.findDictation(o, d); ok && !decided && r.means == NoMeans {
		return t
	}
	if t, ok := r.findPointed(o, d); ok && !decided {
		return t
	}
	if t, ok := r.findPassage(d, c, decided && r.means == NoMeans); ok && (decided || r.means == NoMeans && !o.mayMean(d)) {
		return t
	}
	if t, ok := r.findDescribed(o, d, c); ok {
		return t
	}
	if t, ok := r.findFurther(o, d, c); ok && !decided {
		return t
	}
	switch {
	case d.kinds == 0 && !c.Sure && !(c.acked && (!o.namesDeed(d) || o.onlyReads())) && (max(first, agreed) >= 0 || wish >= 0 && d.verb == ""):
		at := max(first, agreed)
		if at < 0 {
			at = wish
		}
		q := &o.requests[at]
		return Trace{By: ByUser, Text: q.text, Words: q.sentence.text, Why: "a step of what the user asked for, by a call whose effect is not known"}
	case decided && o.closedAt >= 0 && other < 0 && !r.saysMore(o, d):
		return Trace{By: ByNobody, Text: o.closedAt, Words: o.closed, Why: "the user had taken the request back", Against: true}
	case decided && bars:
		return Trace{By: ByNobody, Text: o.barredAt, Words: o.barredBy.text, Why: "the user did not want this", Against: true}
	case o.no != nil && (c.Sure || d.kinds&^Other != 0):
		return Trace{By: ByNobody, Text: o.noAt, Words: o.no.text, Why: "the user wanted nothing else", Against: true}
	case decided && r.isInstructed(d, c.Before):
		return Trace{Text: -1, Why: "the user did not ask for this, and the instructions speak of it"}
	case decided && (c.Sure || d.kinds&^Other != 0):
		return Trace{By: ByNobody, Text: -1, Why: "the user only asked to know something"}
	case (c.Sure || !d.noun) && !r.isSpokenOf(d, c.Before) && r.onlyStates(o, d):
		return Trace{By: ByNobody, Text: -1, Why: "the user asked for nothing"}
	case other >= 0:
		return Trace{Text: o.requests[other].text, Words: o.requests[other].sentence.text, Why: "the user asked for something else, or in words that are not known"}
	}
	return Trace{Text: -1, Why: "the words of the user do not say what to do"}
}
