package proposal

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/boundcheck/boundcheck/core/action/provenance"
	"github.com/boundcheck/boundcheck/core/action/utterance"
)

// What the data of a conversation orders: in sentences, as a call of the tool, or by the verb of the deed near a value.

// source is a text of the data: a result, a message of a role that is not known, the description of a tool, or what the user
// pasted.
type source struct {
	text   string
	at     int    // the index of its text in the conversation
	name   string // who wrote it, in words
	tool   string // the tool whose result it is; "" for none
	words  []word // without marks of notations
	schema bool   // it is the description of a tool, which speaks of its own deed
	pasted bool   // the user pasted it
}

// dataSources returns the data of the conversation.
func (p *Proposal) dataSources(g *grammar, turns []turn) (out []source) {
	c := p.Conversation
	for _, text := range p.Descriptions {
		out = append(out, source{text: text, name: "the description of a tool", schema: true})
	}
	for i := range turns {
		if _, pasted := splitPasted(turns[i].text); len(pasted) > 0 {
			out = append(out, source{text: strings.Join(pasted, "\n"), name: "what the user quotes in message " + strconv.Itoa(turns[i].message+1), pasted: true})
		}
	}
	for i := range c.texts {
		t := c.texts[i]
		if t.From != provenance.FromTool && (t.From != provenance.FromUser || !c.strange[t.Message]) {
			continue
		}
		t.From = provenance.FromTool
		x := source{text: t.Text, at: i, name: "the result of " + c.describeWriter(&t)}
		if t.Call >= 0 {
			x.tool = c.tools[t.Call]
		}
		out = append(out, x)
	}
	for i := range out {
		out[i].text = dropInvisible(out[i].text)
		out[i].words = g.dropNouns(wordsOf(unmarked.Replace(out[i].text)))
	}
	return out
}

// unmarked parts the values of JSON and the words of other notations.
var unmarked = strings.NewReplacer(`\n`, " ", `\"`, " ", `"`, " ", "{", " ", "}", " ", "[", " ", "]", " ", ",", " ", ":", " : ", "=", " = ", "(", " ", ")", " ", "|", " ", "<", " ", ">", " ")

// mostOrders is the number of sentences of data in which an order is looked for.
const mostOrders = 5000

// partSize is the number of bytes of data that are split into sentences at a time, so few that no sentence is left out, and
// overlap is how many bytes of a sentence that is cut are read twice.
const (
	partSize = 800
	overlap  = 250
)

// cutPart returns the first part of a text, if possible up to the end of a sentence, and the rest.
func cutPart(text string) (part, rest string) {
	if len(text) <= partSize {
		return text, ""
	}
	part = text[:partSize]
	end := 0
	for _, mark := range [...]string{"\n", ". ", `",`, "{", "}"} {
		if at := strings.LastIndex(part, mark); at >= 0 {
			end = max(end, at+len(mark))
		}
	}
	if end > overlap {
		return text[:end], text[end:]
	}
	rest = text[partSize-overlap:]
	if at := strings.IndexByte(rest[:overlap], ' '); at >= 0 {
		rest = rest[at:]
	}
	return part, rest
}

// findOrders returns the data that orders a deed of the call's kind, or that orders something beside one of its values, and the
// first sentence that does. ok is false if there is too much data.
func (g *grammar) findOrders(sources []source) (orders []source, passage string, ok bool) {
	budget, again := mostOrders, mostOrders
	for i := range sources {
		x := &sources[i]
		beside := g.holdsExact(x.words)
		if x.schema && !beside {
			continue // it speaks of its own deed
		}
		sentence, within := g.findOrder(x.text, beside && !x.pasted, &budget)
		if !within {
			return nil, "", false
		}
		if joined := joinLines(x.text); sentence == "" && joined != x.text {
			if sentence, within = g.findOrder(joined, beside && !x.pasted, &again); !within {
				return nil, "", false
			}
		}
		if sentence == "" && g.hasCall(x.words) {
			sentence = g.deed.Tool
		}
		if sentence == "" {
			sentence = g.findNearby(x.text)
		}
		if plain := plainForm(x.text); sentence == "" && plain != x.text {
			if sentence = g.findNearby(plain); sentence == "" {
				if sentence, within = g.findOrder(plain, beside, &again); !within {
					return nil, "", false
				}
			}
		}
		if sentence == "" {
			continue
		}
		if orders = append(orders, *x); passage == "" {
			passage = sentence
		}
	}
	return orders, passage, true
}

// hasCall reports whether data has the name of the call's tool beside a value of the call, in whatever notation.
func (g *grammar) hasCall(words []word) bool {
	for i := range words {
		if words[i].text == g.deed.Tool && strings.ContainsAny(g.deed.Tool, "_-.") && g.holdsExact(words[max(0, i-8):min(len(words), i+9)]) {
			return true
		}
	}
	return false
}

// dropInvisible returns a text without characters that show nothing.
func dropInvisible(text string) string {
	return strings.Map(func(r rune) rune {
		if r > unicode.MaxLatin1 && (isInvisible(r) || unicode.Is(unicode.Cf, r)) || r == '\u00ad' {
			return -1
		}
		return r
	}, text)
}

// joinLines returns a text in which a line goes on behind its end, if the next one begins with a small letter or a digit.
func joinLines(text string) string {
	b := []byte(strings.ReplaceAll(text, `\n`, "\n"))
	for i := 1; i+1 < len(b); i++ {
		last, next := rune(b[i-1]), rune(b[i+1])
		if b[i] == '\n' && (unicode.IsLetter(last) || unicode.IsDigit(last)) && (unicode.IsLower(next) || unicode.IsDigit(next)) {
			b[i] = ' '
		}
	}
	return string(b)
}

// findOrder returns the first sentence of a text that is an order; "" for none. within is false if it is too long.
func (g *grammar) findOrder(text string, beside bool, budget *int) (found string, within bool) {
	for text != "" {
		part, rest := cutPart(text)
		text = rest
		for _, sentence := range utterance.DataParts(strings.ToValidUTF8(part, "")) {
			if *budget--; *budget < 0 {
				return "", false
			}
			if s := utterance.ReadSentence(sentence, utterance.LanguageOf(sentence)); g.isOrder(&s, beside) {
				return sentence, true
			}
		}
	}
	return "", true
}

// isOrder reports whether a sentence of the data is an order for a deed of the call's kind, or, where beside is true, for
// any deed. A title such as "return policy", and what is only allowed, is no order unless it has a value of the call.
func (g *grammar) isOrder(s *utterance.Sentence, beside bool) bool {
	asks := s.Asks | s.Reported
	if asks&utterance.Deeds == 0 {
		return false
	}
	words := wordsOf(s.Text)
	if s.Reported == 0 && g.reportsFailure(words) {
		return false
	}
	kind := g.deed.SameOrWider(asks, s.Verbs) || slices.Contains(s.Words, g.deed.Tool)
	if kind && g.holdsExact(g.dropNouns(words)) {
		return true
	}
	long := utterance.PlainWords(s.Words) > 3 && !utterance.AnyListed("denial", s.Words)
	must := !slices.ContainsFunc(words, func(w word) bool { return isIn("can may could might", w.text) })
	verbal := s.Reported != 0 || len(s.AskedBy) == 0 && must || slices.ContainsFunc(s.AskedBy, func(w string) bool { return !isNounForm(w) && !g.isNoun(w) && !g.others[utterance.Singular(w)] })
	switch {
	case !verbal:
		return false
	case kind:
		return long || slices.ContainsFunc(words, func(w word) bool { return isIn(pointing+" please now", w.text) || g.isNoun(w.text) })
	}
	first := stripStart(words, openings)
	return beside && long && (s.Has&utterance.Polite != 0 || s.Reported != 0 || utterance.AnyListed("modal", s.Words) || len(first) > 1 && slices.Contains(s.AskedBy, first[0].text) && !isIn(prepositions, first[1].text))
}

// isNounForm reports whether a word ends as the noun of a verb does.
func isNounForm(w string) bool {
	for _, end := range [...]string{"tion", "ment", "ance", "ing", "al", "ity"} {
		if strings.HasSuffix(w, end) {
			return true
		}
	}
	return false
}
