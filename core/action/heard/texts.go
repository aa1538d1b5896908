// Package heard reads the texts of a run, each once: what persons and the agent said, and what stands in the
// results. It knows no request. Package requests asks it who said a value, and whether a person or only a result
// names it.
package heard

import (
	"iter"
	"slices"
	"strings"
	"unicode"

	"github.com/boundcheck/boundcheck/core/action/provenance"
	"github.com/boundcheck/boundcheck/core/action/utterance"
)

// Run has the texts of one run, in the order in which they were written, and what was read of them. It is not
// for use by several goroutines at once.
type Run struct {
	Texts   []provenance.Text
	Tools   []string        // the descriptions of the tools
	Senders map[string]bool // the addresses of those who wrote results, as far as readOwn came

	quotes    bool // what stands behind a message of the user as quoted is data
	read      map[int]*utterance.Reading
	holds     map[listedIn]bool          // see TextHolds
	spoken    struct{ texts, bytes int } // what SaidBefore counted
	policies  []int                      // the developer's texts
	parts     map[int][]Part
	rows      map[int][]Row
	partCount int
	memory    *Memory        // what was read of the instructions of the run before; nil for none
	fold      []string       // the texts, folded; "" where that was not needed
	joined    []byte         // the results, as they are and folded, for ResultsWith
	ends      []int          // for each text that it knows, where it ends in joined
	own       map[string]int // where a result first has a value of its own, for FindSource
	away      map[bool]int   // where one first has such a value that has an @, or has none, and to which something can go
	ownRead   int            // the number of texts that own and away know
	lang      *string        // the language of the conversation; nil until it is needed
}

// NewRun returns a Run of texts, with the descriptions of the tools. quotes says that what stands behind a
// message of the user as quoted is data, and memory keeps what was read of the instructions; nil for none.
func NewRun(texts []provenance.Text, tools []string, quotes bool, memory *Memory) Run {
	r := Run{Texts: texts, Tools: tools, quotes: quotes, read: map[int]*utterance.Reading{}, parts: map[int][]Part{}, rows: map[int][]Row{}, memory: memory}
	for i := range texts {
		if texts[i].From == provenance.FromPolicy {
			r.policies = append(r.policies, i)
		}
	}
	return r
}

// ReadingOf returns what text number i says.
func (r *Run) ReadingOf(i int) *utterance.Reading {
	if r.read[i] == nil {
		r.read[i] = r.readOnce(i)
	}
	return r.read[i]
}

// Folded returns a text in lower case and without accents.
func (r *Run) Folded(i int) string {
	if r.fold == nil {
		r.fold = make([]string, len(r.Texts))
	}
	if r.fold[i] == "" {
		r.fold[i] = utterance.JoinThousands(utterance.Fold(r.Texts[i].Text))
	}
	return r.fold[i]
}

// mostUnsure is the number of bytes up to which the language of a text may be unsure.
const mostUnsure = 100

// Language returns the language of the conversation: that of all that the user said.
func (r *Run) Language() string {
	if r.lang == nil {
		var b strings.Builder
		for i := range r.Texts {
			if r.Texts[i].From == provenance.FromUser && b.Len() < MostData {
				b.WriteString(r.Texts[i].Text + "\n")
			}
		}
		lang := utterance.LanguageOf(b.String())
		r.lang = &lang
	}
	return *r.lang
}

// Memory keeps the last instructions that were read. Most runs of a file have the same ones.
// The zero value is empty. It is not for several goroutines at once.
type Memory struct {
	text  string
	tools string // the descriptions of tools in the text
	read  *utterance.Reading
}

// readOnce reads text number i, or takes it from the memory.
func (r *Run) readOnce(i int) *utterance.Reading {
	m, text := r.memory, r.Texts[i].Text
	quoted := ""
	if r.Texts[i].From == provenance.FromUser && r.quotes {
		text, quoted = utterance.SplitQuoted(text)
	}
	isPolicy := r.Texts[i].From == provenance.FromPolicy
	if m != nil && isPolicy && m.read != nil && m.text == text {
		r.addTools(m.tools)
		return m.read
	}
	tools, whole := "", text
	if isPolicy {
		text, tools = utterance.SplitTools(text)
		r.addTools(tools)
	}
	if m == nil || !isPolicy {
		near := ""
		if r.Texts[i].From != provenance.FromPolicy && len(text) < mostUnsure {
			near = r.Language()
		}
		read := utterance.Read(text, near)
		for k := range read.Sentences { // "Go ahead with that", and the mail below
			if s := &read.Sentences[k]; quoted != "" && s.Endorses() {
				s.Has |= utterance.Delegates
			}
		}
		return &read
	}
	read := utterance.Read(text, "")
	*m = Memory{whole, tools, &read}
	return m.read
}

// addTools adds descriptions of tools that stand in the instructions.
func (r *Run) addTools(text string) {
	if text != "" {
		r.Tools = append(slices.Clip(r.Tools), text)
	}
}

// Instructions returns the sentences of the instructions before text number n, each with the number of its text.
func (r *Run) Instructions(n int) iter.Seq2[int, *utterance.Sentence] {
	return func(yield func(int, *utterance.Sentence) bool) {
		for _, i := range r.policies {
			read := r.ReadingOf(i)
			for k := range read.Sentences {
				if i >= n || !yield(i, &read.Sentences[k]) {
					return
				}
			}
		}
	}
}

// Policies returns the numbers of the texts that are instructions, rising. The caller must not change them.
func (r *Run) Policies() []int { return r.policies }

// IsSaidIn reports whether a person said something, or the agent in a text that the user has answered. The texts
// are folded.
func (r *Run) IsSaidIn(before int, is func(text string) bool) bool {
	answered := false
	for i := min(before, len(r.Texts)) - 1; i >= 0; i-- {
		from := r.Texts[i].From
		answered = answered || from == provenance.FromUser
		if (from == provenance.FromUser || from == provenance.FromPolicy || from == provenance.FromAgent && answered) && is(r.Folded(i)) {
			return true
		}
	}
	return false
}

// IsNamed reports whether a person named a value: the user, the developer, or the agent in a
// text that the user has answered.
func (r *Run) IsNamed(value string, n int) bool {
	return r.IsSaidIn(n, func(text string) bool { return utterance.HoldsWord(text, value) })
}

// IsSaidAfter reports whether the user said something after a text.
func (r *Run) IsSaidAfter(after, n int, is func(text string) bool) bool {
	for i := min(n, len(r.Texts)) - 1; i > after; i-- {
		if r.Texts[i].From == provenance.FromUser && is(r.Folded(i)) {
			return true
		}
	}
	return false
}

// listedIn names a list of words, and a text in which they are looked for.
type listedIn struct {
	text int
	list string
}

// TextHolds reports whether a text has a word of a list. It reads the text once for a list.
func (r *Run) TextHolds(text int, list string) bool {
	key := listedIn{text, list}
	holds, known := r.holds[key]
	if !known {
		if r.holds == nil {
			r.holds = map[listedIn]bool{}
		}
		holds = utterance.HoldsListed(r.Folded(text), list)
		r.holds[key] = holds
	}
	return holds
}

// SaidBefore returns the number of bytes that persons and the agent wrote in the first n texts.
func (r *Run) SaidBefore(n int) int {
	for ; r.spoken.texts < min(n, len(r.Texts)); r.spoken.texts++ {
		if x := &r.Texts[r.spoken.texts]; x.From != provenance.FromTool {
			r.spoken.bytes += len(x.Text)
		}
	}
	return r.spoken.bytes
}

// PlanBefore returns the last text of the agent before text number i, or "".
func (r *Run) PlanBefore(i int) string {
	for i--; i >= 0; i-- {
		if r.Texts[i].From == provenance.FromAgent {
			return r.Texts[i].Text
		}
	}
	return ""
}

// LastOfAgent returns the last text of the agent before text number i; -1 for none.
func (r *Run) LastOfAgent(i int) int {
	for i--; i >= 0; i-- {
		if r.Texts[i].From == provenance.FromAgent {
			return i
		}
	}
	return -1
}

// IsInvented reports whether no text before a call has a name or one of its words, and the name is not like the one
// that a request has: Thomas is like Tom, and Roma like Rome.
func (r *Run) IsInvented(own string, n utterance.Name, before int) bool {
	if len(own) > 2 && len(n.Word) > 2 && own[:2] == n.Word[:2] {
		return false
	}
	words := append(utterance.NameWords(own), own)
	holds := func(text string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return len(w) > 2 && utterance.HoldsWord(text, w) })
	}
	return !r.IsSaidIn(before, holds) && !slices.ContainsFunc(r.Texts[:min(before, len(r.Texts))], func(x provenance.Text) bool {
		return (x.From == provenance.FromTool || x.From == provenance.FromSchema) && holds(utterance.Fold(x.Text))
	})
}

// SaysDay reports whether a person said the number of a day, or the agent in a text that the user has
// answered, or a result, unless the user only agreed to a question.
func (r *Run) SaysDay(own utterance.Date, before int, agreed bool) bool {
	answered := false
	for i := min(before, len(r.Texts)) - 1; i >= 0; i-- {
		from := r.Texts[i].From
		answered = answered || from == provenance.FromUser
		if from == provenance.FromTool && agreed || from == provenance.FromAgent && !answered || from == provenance.FromPolicy || len(r.Texts[i].Text) > MostData {
			continue
		}
		dates, numbers := utterance.DatesIn(r.Texts[i].Text)
		if slices.Contains(dates, own) || from != provenance.FromTool && slices.Contains(numbers, own.Day) {
			return true
		}
	}
	return false
}

// SaysMember reports whether a person said a member of a class, in any language, or the agent in a text
// that the user has answered.
func (r *Run) SaysMember(m utterance.Member, before int) bool {
	return r.IsSaidIn(before, func(text string) bool {
		return slices.ContainsFunc(utterance.Tokens(text), func(w string) bool { return utterance.MemberOf(w) == m })
	})
}

// PointsAtText reports whether the user says that something stands in a text, such as a mail. If there is
// a rival in the records, a word for a record points there.
func (r *Run) PointsAtText(before int, rival bool) bool {
	for i := min(before, len(r.Texts)) - 1; i >= 0; i-- {
		if r.Texts[i].From != provenance.FromUser {
			continue
		}
		said := r.Folded(i)
		if utterance.HoldsListed(said, "proseUnspaced") || slices.ContainsFunc(strings.FieldsFunc(said, func(r rune) bool { return !unicode.IsLetter(r) }), func(w string) bool {
			return utterance.Listed("prose", w) || !rival && utterance.Listed("paper", w)
		}) {
			return true
		}
	}
	return false
}
