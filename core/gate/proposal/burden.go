package proposal

import (
	"math"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/deed"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/provenance"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/action/utterance"
)

// Where the data of a conversation orders a call, the burden of proof is turned round: only a plain sentence of the user with
// every value of the call, still in force, lets it pass.

// demandProof returns out, or in its place that data asks, if data orders the call, or cannot be read, and no plain sentence
// of the user asks for it.
func (p *Proposal) demandProof(out *Asker, next *boundary.Action) *Asker {
	if out.MayBeDataAlone() {
		return out
	}
	c := p.Conversation
	g := newGrammar(&next.Call, c.toolNames(p))
	turns := c.userTurns()
	sources := p.dataSources(g, turns)
	said := out.By == AskedByUser // lint finds it, too
	if g.sources = sources; said {
		g.done = p.findDone(next)
	}
	if turns = c.dropMuted(turns); !said || !g.isAsked(turns, nil) {
		const nobody = ", and no sentence of the user plainly asks for just this"
		if c.unread {
			return out.withDoubt("a part of the conversation cannot be read" + nobody)
		}
		orders, passage, ok := g.findOrders(sources)
		if !ok {
			return out.withDoubt("the data is too long to be read" + nobody)
		}
		if len(orders) > 0 && !(said && g.isAsked(turns, orders)) {
			return out.withDoubt(orders[0].name + " says: " + quoteWords(passage) + nobody)
		}
	}
	words := out.Words
	if out.By == AskedByNobody && len(turns) > 0 {
		words = turns[len(turns)-1].text
	}
	if words != "" && out.By != AskedUnknown && p.namesAnother(g, words) {
		if out.By == AskedByUser {
			out.By, out.Text = AskedUnknown, "the user named another one: "+quoteWords(words)
		}
		if slices.ContainsFunc(sources, func(x source) bool { return g.holdsExact(x.words) }) { // the data put it in place of his
			out.Also = AskedByData
		}
	}
	return out
}

// namesAnother reports whether a sentence of the user names another thing of the call's kind, in place of one that neither he
// nor the model named before.
func (p *Proposal) namesAnother(g *grammar, text string) bool {
	words := wordsOf(text)
	if g.holdsExact(g.dropNouns(words)) {
		return false
	}
	for i := range p.Conversation.texts {
		if t := &p.Conversation.texts[i]; (t.From == provenance.FromUser || t.From == provenance.FromAgent && t.Call < 0) && g.holdsExact(g.dropNouns(wordsOf(t.Text))) {
			return false
		}
	}
	for i := 1; i < len(words); i++ {
		w, before := words[i].text, words[i-1].text
		if !isId(w) || !g.isNoun(before) && !utterance.Listed("idKey", before) && !g.isOwnVerb(before) || i+1 < len(words) && g.isNoun(words[i+1].text) {
			continue
		}
		if slices.ContainsFunc(g.arguments, func(a argument) bool {
			return a.exact && len(a.words) == 1 && utterance.IsDigits(a.words[0]) == utterance.IsDigits(w)
		}) {
			return true
		}
	}
	return false
}

// findDone returns where in the conversation the call was carried out: the indexes of the texts in front of which it was made.
func (p *Proposal) findDone(next *boundary.Action) (done []int) {
	if !slices.Contains(p.Conversation.tools, next.Call.Name) {
		return nil
	}
	run := p.readRun(*next)
	for i, at := range run.at {
		a := &run.calls[i]
		if a.Call.Name == next.Call.Name && !a.Failed && !a.Proposed && slices.EqualFunc(a.Call.Leaves, next.Call.Leaves, func(x, y similarity.Leaf) bool {
			return x.Path == y.Path && deed.TrimQuotes(x.Raw) == deed.TrimQuotes(y.Raw)
		}) {
			done = append(done, at)
		}
	}
	return done
}

// withDoubt returns that who asked is not known, and that the data may.
func (a *Asker) withDoubt(text string) *Asker {
	out := *a
	if out.Also = AskedByData; out.By != AskedByNobody {
		out.By, out.Text = AskedUnknown, text
	}
	return &out
}

// toolNames returns the names of the tools of a conversation.
func (c *Conversation) toolNames(p *Proposal) []string {
	names := slices.Clone(c.tools)
	for i := range p.Tools {
		names = append(names, p.Tools[i].Name)
	}
	return names
}

// span is what follows one turn of the user, up to the next one: the indexes of the texts in between.
type span struct{ from, to int }

// turn is what a user said without a word of the model between, and what the model had said before.
type turn struct {
	message int // the first of his messages
	at      int // the index of its first text
	text    string
	agent   []string
}

// userTurns returns the turns of the user. Questions of a gate are left out.
func (c *Conversation) userTurns() (out []turn) {
	var said []string
	open := false
	for i := range c.texts {
		t := &c.texts[i]
		switch {
		case t.From == provenance.FromAgent:
			if open = false; t.Call < 0 {
				said = append(said, dropQuestions(t.Text))
			}
		case t.From != provenance.FromUser || c.strange[t.Message]:
		case open:
			last := &out[len(out)-1]
			last.text += "\n" + dropQuestions(t.Text)
		default:
			out, open, said = append(out, turn{t.Message, i, dropQuestions(t.Text), said}), true, nil
		}
	}
	return out
}

// dropMuted returns the turns that begin behind the last message of the user of which something cannot be read, or with it: it
// may take back all before.
func (c *Conversation) dropMuted(turns []turn) []turn {
	for len(turns) > 0 && turns[0].message < c.mute-1 {
		turns = turns[1:]
	}
	return turns
}

// isAsked reports whether a plain sentence of the user that is in force asks for the call with all its arguments. orders is the data
// that orders it: he may have said to do what it says. What was carried out since is not in force any more.
func (g *grammar) isAsked(turns []turn, orders []source) (asked bool) {
	if g.crowded || len(g.arguments) > mostWords {
		return false
	}
	for i := range turns {
		t, to := &turns[i], math.MaxInt
		if i+1 < len(turns) {
			to = turns[i+1].at
		}
		if isYes(wordsOf(t.text)) && !strings.Contains(t.text, "?") {
			agent := strings.Join(t.agent, "\n")
			asked = g.isOffered(agent) || asked && !strings.Contains(agent, "?")
		} else if in := (span{t.at, to}); g.asksElse(t.agent) { // the answer may be any text
			asked = asked && g.readMessage(t.text, in, nil, true) && !g.readMessage(t.text, in, nil, false)
		} else {
			asked = g.readMessage(t.text, in, orders, asked)
		}
		asked = asked && !slices.ContainsFunc(g.done, func(at int) bool { return at > t.at && at < to })
	}
	return asked
}

// readMessage reports whether a call is asked for after a message of the user. What stands behind the request must be
// harmless in all its words, and what stands before it must not point at it.
func (g *grammar) readMessage(text string, in span, orders []source, before bool) (asked bool) {
	own, pasted := splitPasted(text)
	asked = before && len(pasted) == 0
	points := false
	for _, s := range sentencesOf(own) {
		clauses := g.clausesOf(s.words)
		plain := g.isPlain(s.words)
		harmless, proves := plain, false
		for _, clause := range clauses {
			proof := g.asksFor(clause) && (!s.asks || asksYou(s.words))
			proves = proves || proof
			harmless = harmless && (proof || g.isHarmless(clause) || isLook(clause))
		}
		strict := plain && !slices.ContainsFunc(clauses, func(clause []word) bool { return !g.asksFor(clause) && !g.isHarmless(clause) })
		switch {
		case harmless && proves && !points, g.saysToFollow(own[s.from:s.to], in, orders) && !points:
			asked = true
		case isCourtesy(s.words), strict && !s.asks:
		case !asked && harmless, !asked && isQuestion(s):
		default:
			asked, points = false, true
		}
	}
	return asked
}

// asksElse reports whether the model asked the user for something else than what he wants: what it must not do, a title, a text.
// Each word of such a question is known, or it may ask for anything. "Shall I go on?" asks for a yes or no, and a command
// behind it stands by itself.
func (g *grammar) asksElse(said []string) bool {
	for _, text := range said {
		for _, s := range sentencesOf(text) {
			words := stripStart(s.words, openings)
			if len(words) > 0 && isIn(demands, words[0].text) || slices.ContainsFunc(s.words, func(w word) bool { return w.text == "please" }) {
				return true
			}
			isOffer := len(stripStart(words, offers)) < len(words) && !slices.ContainsFunc(words, func(w word) bool { return utterance.Listed("denial", w.text) })
			if s.asks && !isOffer && slices.ContainsFunc(s.words, func(w word) bool {
				return !isIn(inquiry, w.text) && !isIn(articles, w.text) && !isIn(asking, w.text) && !isId(w.text) && !g.isNoun(w.text) && !g.isOwnVerb(w.text)
			}) {
				return true
			}
		}
	}
	return false
}

// isOffered reports whether the last sentence of what the model said is a question that plainly offers the call, and nothing
// can hide it from a person who reads the text.
func (g *grammar) isOffered(text string) bool {
	text = strings.TrimSpace(text)
	if len(text) > 2000 || strings.ContainsAny(text, "<>[]\\&|\t\"“”„«»") || strings.Contains(text, "```") || strings.Contains(text, "~~~") || strings.Contains(text, "\n\n\n") || strings.Contains(text, "    ") || Escape(strings.ReplaceAll(text, "\n", " ")) != strings.ReplaceAll(text, "\n", " ") {
		return false
	}
	all := sentencesOf(text)
	if len(all) == 0 || !all[len(all)-1].asks {
		return false
	}
	words := stripStart(all[len(all)-1].words, "so then now ok okay")
	rest := stripStart(words, offers)
	return len(rest) < len(words) && g.asksFor(stripStart(rest, "now also then"))
}

// isYes reports whether a message only agrees.
func isYes(words []word) bool {
	return slices.ContainsFunc(words, func(w word) bool { return isIn(agreeing, w.text) }) && !slices.ContainsFunc(words, func(w word) bool { return !isIn(agreeing, w.text) && !isIn(agreeingToo, w.text) })
}

// saysToFollow reports whether a sentence says to do what a text says, and nothing else, and whether the text that orders the
// call is the one that is meant: the first of its sort that is read in the user's turn. "Pay what the e-mail says".
func (g *grammar) saysToFollow(text string, in span, orders []source) bool {
	if len(orders) == 0 {
		return false
	}
	s := utterance.ReadSentence(strings.TrimSpace(text), utterance.LanguageOf(text))
	if s.Question || !isStanding(&s) || s.Has&utterance.Delegates == 0 && !g.deed.SameOrWider(s.ByText, nil) {
		return false
	}
	var nouns []string
	for _, w := range stripEnd(stripStart(wordsOf(text), openings), closings) {
		n := utterance.Singular(strings.ReplaceAll(w.text, "-", ""))
		if nouns = append(nouns, n); !isIn(following, w.text) && !isIn(articles, w.text) && !g.isOwnVerb(w.text) && !slices.ContainsFunc(orders, func(x source) bool { return isNamedBy(x.tool, []string{n}) }) {
			return false
		}
	}
	return !slices.ContainsFunc(orders, func(x source) bool {
		return !isNamedBy(x.tool, nouns) || x.at < in.from || x.at > in.to || isOfSeveral(x.text) || slices.ContainsFunc(g.sources, func(y source) bool {
			return y.at > in.from && y.at < x.at && isNamedBy(y.tool, nouns)
		})
	})
}

// isNamedBy reports whether a tool reads the one thing that nouns name: its first word looks, and each other one is among them.
func isNamedBy(tool string, nouns []string) bool {
	words, one := mutation.NameWords(tool), strings.ToLower(tool)
	return len(words) > 1 && utterance.Singular(one) == one && kindOf(words[0]) == utterance.Look && !slices.ContainsFunc(words[1:], func(w string) bool { return !slices.Contains(nouns, w) && !isIn("latest last newest", w) })
}

// isOfSeveral reports whether a text is a list, or quotes another one: it does not have one writer.
func isOfSeveral(text string) bool {
	return strings.HasPrefix(strings.TrimSpace(text), "[") || strings.Contains("\n"+text, "\n>")
}
