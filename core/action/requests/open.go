package requests

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/deed"
	"github.com/boundcheck/boundcheck/core/action/provenance"
	"github.com/boundcheck/boundcheck/core/action/utterance"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
)

// request is one sentence that is open at some point of a run.
type request struct {
	text     int
	sentence *utterance.Sentence
	agreed   bool                // the sentence is the agent's, and the user agreed
	asking   *utterance.Sentence // of these, the last question of the agent; nil for none
	but      string              // the folded words with which the user corrected it; "" if he only agreed
	lang     string              // of the agent's text, if he agreed
	choice   *utterance.Choice   // what the user took of the alternatives of the agent; nil for none
	step     *utterance.Choice   // the steps of a plan that he named, of which it is one; nil for none
	barred   utterance.Kinds     // the kinds of deeds that the user forbade later
	numbers  []string            // see barEarlier; nil also until it needs them
	counted  bool                // numbers are set
	held     *utterance.Sentence // the words with which the user put it off later; nil for none
	heldAt   int                 // the text with these words

	limit   *utterance.Sentence // the words to which the user limited it later; nil for none
	limitAt int                 // the text with these words
}

// open is what the user asked for before a change.
type open struct {
	declined []declined // what the user said no to beside his requests
	doubtAt  int        // the last text with a no of which it is not known what it leaves; 0 for none
	requests []request
	bars     utterance.Kinds     // kinds of deeds that the user last forbade
	barredBy *utterance.Sentence // the last sentence that forbade a deed
	barredAt int                 // its text
	closed   string              // the words with which the user took everything back
	closedAt int                 // the text with these words
	steps    *utterance.Sentence // the last sentence that names steps of a plan by their numbers; nil for none
	no       *utterance.Sentence // the last sentence that asks for nothing else than its text; nil for none
	noAt     int                 // its text
	shelved  []request           // what was taken back

	heldBack   int                             // the text of the agent that names what the user wants to stay as it is
	heldBackAt int                             // the text of the user with these words
	heldWords  *utterance.Sentence             // these; nil for none
	offer      int                             // the last text of the agent that asked the user to agree; -1 for none
	pending    []int                           // such texts that the user answered with a question
	unclear    []int                           // such texts that the user answered in words that are not understood
	said       bool                            // there is a text of the user
	last       int                             // the last text of the agent that the user has not answered; -1 for none
	read       int                             // the number of texts that were read
	newest     int                             // the newest text of the user
	reads      bool                            // it only wants to know something
	served     map[*utterance.Sentence]serving // request → how it was carried out
	tries      map[*utterance.Sentence]bool    // see onlyTries
	spent      int                             // words of requests that were compared with deeds (see mostCompared)
	barring    int                             // numbers that barEarlier compared
	from       provenance.From                 // whose texts ask: the user's, or the developer's if there is no user
}

// openBefore returns the requests that are open after the first n texts. It continues where
// the last call ended, so the calls should be in the order of the run.
func (r *Reader) openBefore(n int) *open {
	n = min(n, len(r.Texts))
	from := provenance.FromUser
	if r.firstUser < 0 || r.firstUser >= n {
		from = provenance.FromPolicy // work without a user: the instructions are the task
	}
	if r.open == nil || r.open.read > n || r.open.from != from {
		r.open = &open{closedAt: -1, offer: -1, last: -1, from: from, served: map[*utterance.Sentence]serving{}, tries: map[*utterance.Sentence]bool{}}
	}
	o := r.open
	for ; o.read < n; o.read++ {
		switch i := o.read; r.Texts[i].From {
		case provenance.FromAgent:
			if o.last = i; utterance.MakesOffer(r.Texts[i].Text) {
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
	read := r.ReadingOf(i)
	o.newest, o.reads = i, read.WantsToKnow() && !slices.ContainsFunc(read.Sentences, func(s utterance.Sentence) bool {
		return s.Asks != 0 || s.IsVague() || s.Has&(utterance.Delegates|utterance.Agrees) != 0
	})
	if offer >= 0 {
		r.takeAnswer(o, i, offer)
	} else if withdrawal := read.FindWithdrawal(); withdrawal != "" && i > 0 {
		o.closeAll(i, withdrawal)
	} else if withdrawal := read.FindTakenBack(); withdrawal != "" {
		o.closeAll(i, withdrawal)
	}
	taken := -1 // the last sentence that takes what this text said before it back
	for k := range read.Sentences {
		if s := &read.Sentences[k]; o.closedAt == i && s.Text == o.closed && s.TakesItBack() {
			taken = k
		}
	}
	for k := range taken { // for the case that he goes on later
		if s := &read.Sentences[k]; s.Asks != 0 {
			o.shelved = append(o.shelved, request{text: i, sentence: s})
		}
	}
	for k := taken + 1; k < len(read.Sentences); k++ {
		s := &read.Sentences[k]
		if len(s.Without) > 0 && s.Asks == 0 { // whatever else it says, it asks for nothing
			o.requests = append(o.requests, request{text: i, sentence: &utterance.Sentence{Text: s.Text, Folded: s.Folded, Words: s.Words, Without: s.Without}})
		}
		if o.closedAt == i && (s.Has&utterance.Withdraws != 0 && s.Asks == 0 || o.closed == r.Texts[i].Text && read.StopsIt()) {
			continue
		}
		if s.Asks&^utterance.Look != 0 && o.noAt != i {
			o.no = nil
		}
		if s.Has&utterance.Exclusive != 0 && slices.ContainsFunc(read.Sentences, func(s utterance.Sentence) bool { return s.Asks != 0 }) {
			o.no, o.noAt = s, i
		}
		if len(s.Held) > 0 && len(o.requests) > 0 {
			r.holdRequests(o, i, s)
		}
		q := request{text: i, sentence: s}
		if s == o.steps { // it says to do these steps, and not what some text says
			own := *s
			own.Has &^= utterance.Delegates
			q.sentence = &own
		}
		if (offer >= 0 || k > 0) && s.LimitsEarlier() {
			o.limitAll(i, s)
			q.limit, q.limitAt = s, i
		}
		if o.bars = (o.bars | s.Bars) &^ s.Asks; s.Bars != 0 {
			o.barredBy, o.barredAt = s, i
		}
		o.barEarlier(s)
		o.requests = append(o.requests, q)
	}
	if n := len(o.requests); n > mostOpen {
		o.requests = slices.Clone(o.requests[n-mostOpen/2:])
	}
}

// mostBarring is the number of comparisons of barEarlier above which it is not known who asked.
const mostBarring = 1 << 24

// barEarlier notes on the open requests what a sentence forbids, but for those that name other things by their numbers.
func (o *open) barEarlier(s *utterance.Sentence) {
	bars := s.Bars &^ s.Asks
	if bars == 0 {
		return
	}
	numbers := s.Numbers()
	for i := range o.requests {
		q := &o.requests[i]
		if bars&^q.barred == 0 {
			continue
		}
		if !q.counted {
			q.numbers, q.counted = q.sentence.Numbers(), true
		}
		if o.barring += 1 + len(numbers) + len(q.numbers); o.barring > mostBarring {
			o.spent = mostCompared + 1
			return
		}
		if len(numbers) == 0 || len(q.numbers) == 0 || shareWord(numbers, q.numbers) {
			q.barred |= bars
		}
	}
}

// shareWord reports whether two sorted lists have a word in common.
func shareWord(a, b []string) bool {
	for len(a) > 0 && len(b) > 0 {
		switch strings.Compare(a[0], b[0]) {
		case 0:
			return true
		case -1:
			a = a[1:]
		default:
			b = b[1:]
		}
	}
	return false
}

// mostOpen is the number of sentences from which the oldest are forgotten.
const mostOpen = 2000

// takeAnswer reads a text as the answer to what the agent said. A yes makes the agent's
// words a request. A no takes back what was asked before.
func (r *Reader) takeAnswer(o *open, i, offer int) {
	read := r.ReadingOf(i)
	answer, withdrawal := read.Answer(), read.FindWithdrawal()
	if o.offer != offer && utterance.ProposesTo(r.Texts[offer].Text) && read.Accepts() {
		o.offer = offer
	}
	if answer == utterance.Refuses && withdrawal == "" && o.offer == offer && r.ReadingOf(offer).AsksForObjections() {
		answer = utterance.Agrees
	}
	if answer == utterance.Agrees && o.offer == offer && r.offersToStop(offer) && !read.Denies(withdrawal) {
		withdrawal = "" // "确定，取消吧"
	}
	if (withdrawal == "" && answer != utterance.Refuses || read.SpeaksOfRest()) && r.takeStep(o, i, offer) {
		return
	}
	if withdrawal == "" && o.offer == offer && read.StopsIt() && answer != utterance.Agrees && !r.offersToStop(offer) {
		withdrawal = r.Texts[i].Text
	}
	switch {
	case withdrawal == "" && len(o.requests) == 0 && len(o.shelved) > 0 && o.shelved[len(o.shelved)-1].text > o.offer && read.GoesOn():
		o.requests, o.shelved, o.closedAt = o.shelved, nil, -1
	case withdrawal == "" && answer == utterance.Agrees && o.offer >= 0 && utterance.LeavesOpen(r.Texts[o.offer].Text, r.Texts[i].Text):
		o.unclear = append(o.unclear, o.offer)
	case withdrawal == "" && answer == utterance.Agrees && o.offer >= 0:
		if !slices.ContainsFunc(r.ReadingOf(o.offer).Sentences, func(s utterance.Sentence) bool { return s.Named != 0 }) {
			o.requests, o.shelved = append(o.requests, o.shelved...), nil // the question names nothing else
		}
		r.takeOffer(o, i, o.offer, "", utterance.FindChoice(r.Texts[o.offer].Text, r.Texts[i].Text))
		r.takeAskedFor(o, o.offer)
		r.takeOpenOffers(o, i)
	case (withdrawal != "" || answer == utterance.Refuses) && r.isSideOffer(o, i, offer):
	case (withdrawal != "" || answer == utterance.Refuses) && (r.isAboutMore(o, i, offer) || r.isBeside(o, i, offer)):
	case withdrawal == "" && answer == utterance.Refuses && utterance.AsksForMore(r.Texts[offer].Text):
	case withdrawal == "" && answer == utterance.Refuses && read.IsCorrection():
		o.closeAll(i, r.Texts[i].Text)
		r.takeOffer(o, i, o.offer, r.Folded(i), nil)
	case withdrawal != "" || answer == utterance.Refuses:
		if withdrawal == "" {
			withdrawal = r.Texts[i].Text
		}
		o.closeAll(i, withdrawal)
	case answer == 0 && read.WantsToKnow() && o.offer == offer:
		o.pending = append(o.pending, offer)
	case answer == 0 && !read.WantsToKnow():
		if x := utterance.FindChoice(r.Texts[offer].Text, r.Texts[i].Text); x != nil {
			r.takeOffer(o, i, offer, "", x)
		} else if o.offer == offer && read.CorrectsTo() {
			r.takeOffer(o, i, offer, r.Folded(i), nil)
		} else if o.offer == offer {
			o.unclear = append(o.unclear, offer)
		}
	}
}

// takeAskedFor makes the question of the user a request to which the agent answered with a bare question,
// as in "Can it be dropped?", "For 35 USD. Shall I go ahead?"
func (r *Reader) takeAskedFor(o *open, offer int) {
	if slices.ContainsFunc(r.ReadingOf(offer).Sentences, func(s utterance.Sentence) bool { return s.Named&^(utterance.Grant|utterance.Other) != 0 }) {
		return
	}
	for _, q := range o.requests {
		if s := q.sentence; !q.agreed && q.text < offer && s.Question && !s.Opened && s.Named != 0 {
			q.agreed = true
			o.requests = append(o.requests, q)
		}
	}
}

// takeOpenOffers makes those earlier questions a request that a yes names, as in "Yes, and yes to the
// exchange".
func (r *Reader) takeOpenOffers(o *open, i int) {
	newest := utterance.Tokens(r.Texts[o.offer].Text) // what it names, too, does not point to another one
	said := slices.DeleteFunc(utterance.Tokens(r.Texts[i].Text), func(w string) bool { return slices.Contains(newest, w) || utterance.Listed("courtesy", w) })
	o.unclear = slices.DeleteFunc(o.unclear, func(offer int) bool {
		if !slices.ContainsFunc(r.ReadingOf(offer).Sentences, func(s utterance.Sentence) bool {
			return slices.ContainsFunc(s.Words, func(w string) bool {
				return len(w) > 3 && !utterance.IsFunctionWord(w) && !utterance.Listed("filler", w) && slices.Contains(said, w)
			})
		}) {
			return false
		}
		r.takeOffer(o, i, offer, "", nil)
		return true
	})
}

// declined is a word for something to which the user said no in a text, beside what he asked for.
type declined struct {
	word string
	text int
}

// isAboutMore reports whether a no answers a question about one thing more, as in "The hat, too?", or about another thing
// in place of what was asked for: it is bare, says again what was asked for, or has a word of this thing. What was asked
// for before stays. It notes the words of this thing.
func (r *Reader) isAboutMore(o *open, i, offer int) (more bool) {
	said := slices.DeleteFunc(utterance.Tokens(r.Texts[i].Text), func(w string) bool { return !isContent(w) })
	asked := func(w string) bool {
		return slices.ContainsFunc(o.requests, func(q request) bool { return !q.agreed && slices.Contains(q.sentence.Words, w) })
	}
	bare := len(said) == 0 || !slices.ContainsFunc(said, func(w string) bool { return !asked(w) })
	for _, s := range r.ReadingOf(offer).Sentences {
		also, rather := utterance.AnyListed("also", s.Words), utterance.AnyListed("rather", s.Words)
		if !also && !rather || !strings.Contains(s.Text, "?") {
			continue
		}
		if bare && pointsBack(&s) && slices.ContainsFunc(o.requests, func(q request) bool { return q.sentence.Asks&s.Named&^utterance.Other != 0 }) {
			continue // "Shall I also pay the fee and cancel it?"
		}
		more = more || bare
		for _, w := range s.Words {
			if !isContent(w) || utterance.Listed("also", w) || utterance.Listed("rather", w) || asked(w) || !bare && !slices.Contains(said, w) {
				continue
			}
			more = true
			if also || bare { // "A voucher instead of money?" – "No, money."
				o.declined = append(o.declined, declined{w, i})
			}
		}
	}
	return more
}

// pointsBack reports whether a question speaks of what was said before it.
func pointsBack(s *utterance.Sentence) bool {
	return slices.ContainsFunc(s.Words, func(w string) bool {
		return utterance.Listed("pointer", w) && !utterance.Listed("article", w) && !wordlist.Contains("me us you him her die den la le les los las li ci sie", w)
	})
}

// isContent reports whether a word may name what a question or an answer is about.
func isContent(w string) bool {
	return (len(w) > 2 || strings.ContainsAny(w, "0123456789")) && !utterance.IsFunctionWord(w) && !utterance.Listed("filler", w) && !utterance.Listed("courtesy", w) && !utterance.Listed("denial", w)
}

// takeStep makes those steps of a plan of the agent a request that the user said to do, if he named their numbers.
func (r *Reader) takeStep(o *open, i, offer int) bool {
	read, plan := r.ReadingOf(i), r.Texts[offer].Text
	for k := range read.Sentences {
		s := &read.Sentences[k]
		steps, x := deed.TakeSteps(plan, s.StepsSaid())
		for _, step := range steps {
			only := utterance.ReadSentence(step, r.ReadingOf(offer).Lang)
			o.requests = append(o.requests, request{text: offer, sentence: &only, agreed: true, step: x})
			o.no, o.noAt, o.steps = s, i, s
		}
		if o.steps == s {
			return true
		}
	}
	return false
}

// takeOffer makes the words of the agent a request, because the user agreed to them. The
// answer is text number i, the argument but has the words with which the user corrected them, or "", and x what he chose of them,
// or nil.
func (r *Reader) takeOffer(o *open, i, offer int, but string, x *utterance.Choice) {
	if offer < 0 {
		return
	}
	offered := r.ReadingOf(offer)
	var asking *utterance.Sentence
	for k := range offered.Sentences {
		if strings.HasSuffix(offered.Sentences[k].Text, "?") {
			asking = &offered.Sentences[k]
		}
	}
	for k := range offered.Sentences {
		if r.keepsUnspaced(i, offered.Sentences[k].Text) {
			continue
		}
		o.requests = append(o.requests, request{text: offer, sentence: &offered.Sentences[k], agreed: true, asking: asking, but: but, choice: x, lang: offered.Lang})
	}
}

// keepsUnspaced reports whether text number i says in Chinese or Japanese that something stays as it is, and a sentence is about that.
func (r *Reader) keepsUnspaced(i int, sentence string) bool {
	return slices.ContainsFunc(r.ReadingOf(i).Sentences, func(s utterance.Sentence) bool {
		return slices.ContainsFunc(s.Held, func(clause string) bool { return utterance.SharesUnspaced(sentence, clause) })
	})
}

// closeAll takes all open requests back.
func (o *open) closeAll(text int, words string) {
	o.shelved, o.requests, o.closed, o.closedAt = o.requests, nil, words, text
}

// limitAll limits all open requests to the words of a sentence.
func (o *open) limitAll(text int, s *utterance.Sentence) {
	for q := range o.requests {
		o.requests[q].limit, o.requests[q].limitAt = s, text
	}
}

// offersToStop reports whether a text of the agent names a deed that cancels or removes.
func (r *Reader) offersToStop(i int) bool {
	return slices.ContainsFunc(r.ReadingOf(i).Sentences, func(s utterance.Sentence) bool {
		return s.Named&(utterance.Cancel|utterance.Remove|utterance.Switch|utterance.Refund) != 0
	})
}

// namesDeed reports whether a request has a word or a value of a deed.
func (o *open) namesDeed(d *deed.Deed) bool {
	return slices.ContainsFunc(o.requests, func(q request) bool {
		return d.IsIn(q.sentence) || d.IsNamedIn(q.sentence.Words, nil)
	})
}

// wantsOnlyToKnow reports whether the open sentences are questions, or in a language that is
// not known.
func (o *open) wantsOnlyToKnow() bool {
	any := false
	for i := range o.requests {
		s := o.requests[i].sentence
		if len(s.Words) == 0 {
			continue
		}
		if !s.Question && !s.Foreign {
			return false
		}
		any = true
	}
	return any
}

// onlyReads reports whether all that the user said was understood as questions, or as requests to read
// something.
func (o *open) onlyReads() bool {
	reads := false
	for i := range o.requests {
		switch s := o.requests[i].sentence; {
		case len(s.Words) == 0 || s.IsTitle() || s.IsCourtesy() && !o.requests[i].agreed:
		case s.Foreign || o.requests[i].agreed || !s.ReadsOnly() || s.Has&utterance.Delegates != 0:
			return false
		default:
			reads = true
		}
	}
	return reads
}

// readsOrStates is onlyReads, but the user may also have said what is so.
func (o *open) readsOrStates() bool {
	reads := false
	for i := range o.requests {
		switch s := o.requests[i].sentence; {
		case o.requests[i].agreed || s.Foreign && len(s.Words) > 0 || s.Asks != 0 || s.Rest && !s.Question || s.IsVague() || s.ByText != 0 || s.Has&(utterance.Delegates|utterance.Agrees) != 0 || s.Has&utterance.Polite != 0 && !s.ReadsOnly():
			return false
		case s.ReadsOnly():
			reads = true
		}
	}
	return reads
}

// speaksOf reports whether a request names a deed of some kinds or of a wider one, or may mean one.
func (o *open) speaksOf(k utterance.Kinds) bool {
	pressed := deed.Deed{Kinds: k}
	return slices.ContainsFunc(o.requests, func(q request) bool {
		s := q.sentence
		return s.Foreign || q.agreed || s.Has&utterance.Delegates != 0 || s.IsVague() || pressed.SameOrWider(s.Asks|s.Named&^s.Planned, s.Words)
	})
}

// findOwn returns the sentence in which the user says that he does a deed of one of some kinds himself, as in "I pay myself", if no
// other sentence asks for one; nil for none.
func (o *open) findOwn(k utterance.Kinds) (own *request) {
	for i := range o.requests {
		switch q := &o.requests[i]; {
		case q.sentence.Asks&k != 0, q.agreed:
			return nil
		case q.sentence.Planned&k != 0 && utterance.AnyListed("bySelf", q.sentence.Words):
			own = q
		}
	}
	return own
}

// mayMean reports whether a request that is not wholly understood has a word or a value of a deed.
func (o *open) mayMean(d *deed.Deed) bool {
	return slices.ContainsFunc(o.requests, func(q request) bool {
		return q.sentence.Rest && d.IsIn(q.sentence)
	})
}

// leavesRest reports whether a request has a clause that says more of what is wanted, as in "not too loud",
// of which nothing that was done has a word.
func (o *open) leavesRest(done []string) bool {
	return slices.ContainsFunc(o.requests, func(q request) bool {
		s := q.sentence
		if q.agreed || s.Question {
			return false
		}
		if s.Rest {
			return true
		}
		for from, clause := range utterance.Clauses(s.Words) {
			if from > 0 && len(clause) > 1 && utterance.Listed("goesOn", clause[0]) && !slices.ContainsFunc(clause[1:], func(w string) bool {
				return utterance.KindOf(w)&utterance.Deeds != 0 || slices.Contains(done, w)
			}) {
				return true
			}
		}
		return false
	})
}
