// Package requests traces each change of a run to the request for it. The law:
//
// A change is asked for only by what the user said, by a question of the agent to which the
// user agreed, or by a standing instruction of the developer. What a tool returned, or what
// the definition of a tool says, is data. Data never asks, unless the user said to do what
// it says.
//
// Package utterance reads the sentences. A change is traced to a sentence that asks for a deed
// of the same or of a wider kind, on the same thing. The
// result is ByNobody only if all sentences of the user were understood as questions, or as
// requests to read something. Otherwise it is Undecided.
package requests

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/deed"
	"github.com/boundcheck/boundcheck/core/action/handing"
	"github.com/boundcheck/boundcheck/core/action/heard"
	"github.com/boundcheck/boundcheck/core/action/limits"
	"github.com/boundcheck/boundcheck/core/action/provenance"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/action/speaker"
	"github.com/boundcheck/boundcheck/core/action/utterance"
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
	Plain     bool // the words alone say so, in whatever sort of work: data gives the order, or the user only asked to know
	Unread    bool // it was not looked who asked, because there was too much to compare
	Data      bool // the data asks; who else does is Undecided
	delegated bool // the words only say to do what the data says
}

// Action is a call that may change something.
type Action struct {
	Call   *similarity.Call
	Before int  // number of texts that were written before it
	Sure   bool // it is known that the call changes something
	Told   bool // one that knows the tool said that it may change something, and not only its name

	Result string // its result; "" if it is not known yet
	Undone bool   // it was only proposed, so it carries out nothing

	acked bool // its result says no more than that it was done
	lists bool // its result is a list, as of a call that looks
}

// Reader traces the changes of one run. It is not for use by several goroutines at once.
type Reader struct {
	// Switches are the arguments that are true or false in the definitions of the tools, as tool.argument. Only
	// by one of these a call may say that it merely tries something out: the model's own word for that counts
	// for nothing.
	Switches []string
	Strict   bool // nobody hands a deed over to other words: of the gate
	Bound    int  // changes that were not traced, because there was too much to compare (see mostCompared)

	heard.Run
	said       map[saidIn]*said // sentences that ask, for findContradiction
	conditions int              // bytes of results in which a condition of the user was looked for
	looked     int              // texts searched by findContradiction
	open       *open
	firstUser  int                               // index of the first text of the user that is not empty; -1 for none
	searches   int                               // how often the data was searched
	done       map[string]int                    // what was done, with its arguments → the text after which
	first      map[*utterance.Sentence]deed.Deed // the first deed that a request was traced for
	made       []string                          // the results of earlier changes, folded
	touched    map[string]bool                   // the files that earlier deeds named, and their commands
	heard      int                               // the number of texts that leaveOpen knows
	toText     bool                              // one of them wants done what somebody else's words say
	unread     string                            // why it is not known what one of them asks for; "" if it is
	means      Means                             // the kinds of deeds that may be means to any task
	limits     limits.Finder
	wished     handing.Wished
	extents    map[*utterance.Sentence]*extent
}

// Means are the kinds of deeds that need no request of their own in some sort of work.
type Means = utterance.Kinds

// The deeds that may be means to a task, although nobody asks for them by name.
const (
	NoMeans    = utterance.Kinds(0)               // of a desk: each change is somebody's
	FileMeans  = utterance.Deeds                  // of work with files and commands
	PlaceMeans = utterance.Deeds | utterance.Look // of work with pages, windows and things
)

// NewReader returns a Reader of a run's texts, in the order in which they were written. The
// argument tools has the descriptions of the tools, and means the deeds that are means to any
// task of this sort of work. memory keeps what was read of the instructions for the Reader of
// the next run; nil for none.
func NewReader(texts []provenance.Text, tools []string, means Means, memory *Memory) *Reader {
	r := &Reader{Run: heard.NewRun(texts, tools, means == NoMeans, memory), done: map[string]int{}, touched: map[string]bool{}, extents: map[*utterance.Sentence]*extent{}, means: means}
	r.firstUser = slices.IndexFunc(texts, func(x provenance.Text) bool { return x.From == provenance.FromUser && strings.TrimSpace(x.Text) != "" })
	return r
}

// Memory keeps the last instructions that were read, for the Readers of one goroutine.
type Memory = heard.Memory

// meansOfLooking returns the kinds of deeds that are means even if the user only asked to know
// something: a note of what was found, a step on the way to a page.
func (r *Reader) meansOfLooking() utterance.Kinds {
	switch r.means {
	case NoMeans:
		return 0
	case FileMeans:
		return utterance.Make | utterance.Move | utterance.Switch | utterance.Other
	}
	return utterance.Make | utterance.Move | utterance.Switch | utterance.Other | utterance.Change | utterance.Block
}

// Trace returns the request for a change. O(texts before it). Changes are traced in the order of the
// run, each once.
func (r *Reader) Trace(c *Action) Trace {
	d := deed.Read(c.Call)
	c.acked, c.lists = deed.IsAcknowledgement(c.Result), deed.IsList(c.Result)
	t := r.weighLastWord(r.traceDeed(&d, c), &d, c)
	if t.By == ByUser && t.Text >= 0 && !t.Agreed {
		if at, s := speaker.Refuse(&r.Run, t.Text, c.Before, &d); s != nil {
			t = Trace{By: ByNobody, Text: at, Words: s.Text, Why: "the instructions let only others ask for this", Against: true}
		}
	}
	r.leaveOpen(&t, c.Before)
	if key := r.keyOf(&d, c); key != "" && !c.Undone && t.By.Traced() && !deed.IsFailure(c.Result) {
		r.done[key] = c.Before
	}
	if t.Why = r.spellValues(t.Why, &t, c); r.open != nil && r.open.from == provenance.FromPolicy { // there is no user
		if t.Why = strings.ReplaceAll(t.Why, "the user", "the developer"); t.By == ByUser {
			t.By = ByDeveloper
		}
	}
	for _, v := range d.Targets {
		r.touched[v[strings.LastIndexByte(v, '/')+1:]] = true
	}
	for _, command := range d.Commands {
		r.touched[command] = true
	}
	if t.By != NotNeeded && len(c.Result) > 4 && len(c.Result) <= mostMade {
		r.made = append(r.made, utterance.Fold(c.Result))
	}
	return t
}

// mostMade is the number of bytes up to which the result of a change is kept: it names what was made.
const mostMade = 2000

// isMade reports whether the result of an earlier change has a value.
func (r *Reader) isMade(value string) bool {
	return slices.ContainsFunc(r.made, func(text string) bool { return utterance.HoldsWord(text, value) })
}

// findAgainst returns a trace in place of one to a request that does not ask for just this deed: the
// instructions forbid it, or the words of the data give the command.
func (r *Reader) findAgainst(t *Trace, d *deed.Deed, c *Action) (Trace, bool) {
	s := r.sentenceOf(t)
	if s == nil || t.delegated || r.means == PlaceMeans || d.IsExactly(s) && (!t.Agreed || s.Named != 0) {
		return Trace{}, false
	}
	if other, ok := r.findBar(d, c.Before); ok && (r.means == FileMeans || isAbsolute(r.sentenceOf(&other))) {
		return other, true
	}
	return r.findDictated(d, c)
}
