package proposal

import (
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/provenance"
	"github.com/boundcheck/boundcheck/core/action/requests"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/failure"
	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/stage/violation"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// Who asked for a call, as in package requests.
const (
	AskedByUser      = "user"
	AskedByDeveloper = "developer" // the operator's guidance
	AskedByData      = "data"
	AskedByNobody    = "nobody"
	AskedUnknown     = "unknown"
)

// Asker says who asked for a call. It is found in the conversation, without a model. Only
// messages with the role of the user ask, and the operator's own guidance. The texts of
// the model count only where the user agreed to them.
type Asker struct {
	By   string `json:"by"`   // user, developer, data, nobody or unknown
	Text string `json:"text"` // who it was, with the words, escaped
	// Also is who asked by another reading of the conversation, if that differs: without the model's
	// words, or without the texts of its system. It is data beside unknown or nobody if the data asks, and perhaps
	// nobody else.
	Also string `json:"also,omitempty"`
	// Partial is set if the data is too long to be searched completely.
	Partial bool `json:"partial,omitempty"`

	Words string `json:"-"` // what the user said, if it is a sentence of his
}

// Line returns the sentence that a prompt shows.
func (a *Asker) Line() string {
	switch a.By {
	case AskedByUser, AskedByDeveloper:
		return "Asked for by " + a.Text
	case AskedByData:
		return "NOT ASKED FOR by the user. Only " + a.Text
	case AskedByNobody:
		return "NOT ASKED FOR: " + a.Text
	}
	return "Who asked for this is not known: " + a.Text
}

// MayBeDataAlone reports whether only the data asks, as far as is known, so that the call must be held.
func (a *Asker) MayBeDataAlone() bool {
	return a != nil && (a.By == AskedByData || (a.By == AskedUnknown || a.By == AskedByNobody) && a.Also == AskedByData)
}

// AddResult adds the result of a call of a tool. Where the conversation is not known, a
// proxy may still know the results. The oldest are forgotten beyond MostHeard bytes.
func (c *Conversation) AddResult(tool, text string) {
	if len(text) > requests.MostData {
		text, c.cut = strings.ToValidUTF8(text[:requests.MostData], ""), true
	}
	c.tools = append(c.tools, tool)
	c.addText(provenance.FromTool, -1, len(c.tools)-1, text)
	for c.size > MostHeard && len(c.texts) > 1 {
		c.size -= len(c.texts[0].Text)
		c.texts, c.cut = c.texts[1:], true
	}
}

// MostHeard is the number of bytes of results that a Conversation keeps with AddResult.
const MostHeard = 128 << 10

// Copy returns a copy that later results do not change.
func (c *Conversation) Copy() *Conversation {
	out := *c
	out.texts, out.tools = c.texts[:len(c.texts):len(c.texts)], c.tools[:len(c.tools):len(c.tools)]
	return &out
}

// traceAsked returns who asked for a call, or nil if this is not known or not needed: the
// conversation is missing or too long, or the call does not even name a change.
//
// The conversation is read in up to three ways, and the strictest counts: as the gate reads it, with
// and without the model's words and calls, and as lint reads it.
func (p *Proposal) traceAsked(arguments jsonval.Value, v mutation.Verdict) *Asker {
	unknown := !p.Conversation.Speaks() && p.Heard == nil && (p.Conversation == nil || p.Recorded != nil)
	if unknown && p.Recorded == nil {
		return nil
	}
	next := boundary.Action{Call: similarity.NewCall(p.Tool, arguments, "", "")}
	next.Mutation = p.weighCall(p.Tool, arguments, p.classifier(p.Table), p.classifier(mutation.Table{}))
	names := v.Counts() || requests.MayChange(&next.Call)
	if !names && !next.Mutation.Counts() {
		return nil
	}
	out := p.Recorded
	if !unknown {
		out = p.traceNext(&next, v.Counts())
	}
	if !names && !out.MayBeDataAlone() { // a read, as the operator says
		return nil
	}
	return out
}

// traceNext returns who asked for a call that may change something. told says that one who knows the tool says so.
func (p *Proposal) traceNext(next *boundary.Action, told bool) *Asker {
	act := requests.Action{Call: &next.Call, Sure: next.Mutation.Mutating == mutation.Yes, Told: told}
	if !p.Conversation.Speaks() && p.Heard != nil {
		return p.searchHeard(&act)
	}
	if p.Conversation.size > mostSaid { // what was not compared is not milder than what was
		return (&Asker{}).withDoubt("the conversation is too long: there is too much to compare")
	}
	out := p.traceRun(next, act)
	if !told && !act.Sure && !requests.MayChange(&next.Call) {
		return out
	}
	return p.demandProof(out, next)
}

// traceRun returns who asked for a call by the strictest reading of the conversation.
func (p *Proposal) traceRun(next *boundary.Action, act requests.Action) *Asker {
	run := p.readRun(*next)
	means := requests.NoMeans
	if p.Files {
		means = requests.FileMeans
	}
	said, _ := p.readTexts(false, true)
	out, t := run.traceCall(p, false, true, means, act)
	agreed := t.By == requests.ByUser && t.Text >= 0 && said[t.Text].From == provenance.FromAgent
	if alone, _ := (&pastRun{}).traceCall(p, false, false, means, act); !agreed {
		out = stricter(out, alone)
	}
	if of := violation.WorkOf(&boundary.Case{Obs: run.calls}).Means(); of != means || p.Conversation.instructed() {
		linted, t := run.traceCall(p, true, true, of, next.Asking(0, ""))
		if linted.rank() > max(out.rank(), rankAsker(AskedByDeveloper)) && t.By != requests.NotNeeded {
			out = stricter(out, linted)
		}
	}
	return out
}

// weighCall returns the verdict on a call for the question who asked for it. The operator's table makes no change a
// read here: what the data orders counts, whatever the table says.
func (p *Proposal) weighCall(tool string, arguments jsonval.Value, c, plain *mutation.Classifier) mutation.Verdict {
	if v := c.Classify(tool, arguments); v.Counts() {
		return v
	}
	return plain.Classify(tool, arguments)
}

// mostPast is the number of calls before one that are traced with it. Of more, the oldest are left out.
const mostPast = 300

// pastRun is the run up to a call: the calls before it that may have changed something, and itself.
type pastRun struct {
	calls   []boundary.Action
	at      []int // for each but the last, the index of the text in front of which it was made
	results []string
	cut     bool // some are left out
}

// readRun reads the calls of the conversation, and adds the next one. A call without a result is only proposed.
func (p *Proposal) readRun(next boundary.Action) *pastRun {
	run := &pastRun{}
	c, plain := p.classifier(p.Table), p.classifier(mutation.Table{})
	said := p.Conversation
	first := max(0, len(said.past)-mostPast)
	run.cut = first > 0
	answered := slices.ContainsFunc(said.past, func(x pastCall) bool { return x.answered })
	actions := make([]trajectory.Action, len(said.past)-first)
	for i := range actions {
		x := &said.past[first+i]
		a := &actions[i]
		*a = trajectory.Action{Name: said.tools[first+i]}
		if v, err := jsonval.Parse(x.arguments); err == nil {
			a.Arguments = v
		}
		if !x.answered { // the conversation may end with the call that is decided
			a.Proposed = answered || x.arguments == p.Arguments && a.Name == p.Tool
			continue
		}
		o := shape.NewObservation(x.result, shape.IfElse(x.failed, shape.Failed, shape.Unsaid))
		if failure.Refused(x.result) {
			a.Proposed, o.Error = true, true
		}
		a.Observation = &o
	}
	failure.Deeds{}.ReadReports(actions, func(int) {})
	jobs := failure.JobsOf(actions)
	for i := range actions {
		a := &actions[i]
		run.calls = append(run.calls, boundary.Action{
			Call:     similarity.NewCall(a.Name, a.Arguments, "", ""),
			Mutation: p.weighCall(a.Name, a.Arguments, c, plain),
			Failed:   a.Failed() || jobs[i].Failed,
			Proposed: a.Proposed,
		})
		run.at, run.results = append(run.at, said.past[first+i].at), append(run.results, said.past[first+i].result)
	}
	run.calls = append(run.calls, next)
	return run
}

// traceCall returns who asked for a call that comes after the run, by the texts that readTexts returns.
func (run *pastRun) traceCall(p *Proposal, system, model bool, means requests.Means, act requests.Action) (*Asker, requests.Trace) {
	c := p.Conversation
	texts, from := p.readTexts(system, model)
	r := requests.NewReader(texts, p.Descriptions, means, nil)
	r.Strict = true
	partial := c.cut || run.cut
	for i := range texts {
		partial = partial || texts[i].From == provenance.FromTool && len(texts[i].Text) > requests.MostData
	}
	act.Before = len(texts)
	var out *Asker
	var t requests.Trace
	said := c.hasUser()
	if !said && !system { // the guidance alone is no task
		out = c.describePassage(texts, r, &act)
	} else {
		for i, before := range run.at {
			if a := &run.calls[i]; a.Attempts() {
				earlier := a.Asking(sort.SearchInts(from, before), run.results[i])
				r.Trace(&earlier)
			}
		}
		t = r.Trace(&act)
		out = c.describeAsked(texts, &t)
		if t.Data || t.Unread { // what was not decided is not milder than what was
			out.Also = AskedByData
		} else if !t.By.Traced() && t.By != requests.ByData { // nor is what the user asked for otherwise, or refused
			if _, ok := r.FindPassage(&act); ok {
				out.Also = AskedByData
			}
		}
	}
	out.Partial = (partial || !said) && rankAsker(out.By) > rankAsker(AskedByDeveloper)
	return out, t
}

// rankAsker orders who asked: the higher, the less a person did.
func rankAsker(by string) int {
	for i, name := range [...]string{AskedByUser, AskedByDeveloper, AskedUnknown, AskedByNobody} {
		if by == name {
			return i
		}
	}
	return 4
}

// rank is that of the stricter of the two answers.
func (a *Asker) rank() int {
	if a.MayBeDataAlone() {
		return rankAsker(AskedByData)
	}
	return rankAsker(a.By)
}

// stricter returns the stricter of two readings, which says what the other one found; of equal ones that which is
// decided, else the first.
func stricter(a, b *Asker) *Asker {
	if b.rank() > a.rank() || b.rank() == a.rank() && a.By == AskedUnknown {
		a, b = b, a
	}
	if a.Also == "" && a.By != b.By {
		a.Also = b.By
	}
	return a
}

// readTexts returns the texts of the conversation in which requests are searched, and their indexes
// there, -1 for the operator's guidance. For the gate, the guidance is the only instruction: a system
// text of the conversation may be the agent's. So the texts of the system, and those of the model, are
// only there if they are asked for. The arguments of calls are no text, a message with a role that
// is not known is data, and a question of the gate that a message quotes is nobody's request.
func (p *Proposal) readTexts(system, model bool) (out []provenance.Text, from []int) {
	if strings.TrimSpace(p.Guidance) != "" {
		out, from = append(out, provenance.Text{From: provenance.FromPolicy, Message: -1, Call: -1, Text: p.Guidance}), append(from, -1)
	}
	for i, t := range p.Conversation.texts {
		switch {
		case t.From == provenance.FromPolicy && !system, t.From == provenance.FromAgent && (!model || t.Call >= 0):
			continue
		case t.From == provenance.FromUser && p.Conversation.strange[t.Message]:
			t.From = provenance.FromTool
		}
		if t.From != provenance.FromTool {
			t.Text = dropQuestions(t.Text)
		}
		out, from = append(out, t), append(from, i)
	}
	return out, from
}

// searchHeard returns who asked for a call if only results of earlier calls are known. At
// most it finds that the data asks.
func (p *Proposal) searchHeard(act *requests.Action) *Asker {
	texts := p.Heard.texts
	act.Before = len(texts)
	out := p.Heard.describePassage(texts, requests.NewReader(texts, p.Descriptions, requests.NoMeans, nil), act)
	out.Partial = p.Heard.cut
	return out
}

// describePassage returns that only the data asks, as far as known, or that it is not known.
func (c *Conversation) describePassage(texts []provenance.Text, r *requests.Reader, act *requests.Action) *Asker {
	if t, ok := r.FindPassage(act); ok {
		out := c.describeAsked(texts, &t)
		out.Text += " (the words of the user are not known here)"
		return out
	}
	return &Asker{By: AskedUnknown, Text: "the words of the user are not known here"}
}

// describeAsked describes the request for a call in words. The words of others are quoted
// and escaped.
func (c *Conversation) describeAsked(texts []provenance.Text, t *requests.Trace) *Asker {
	out := &Asker{By: t.By.String(), Text: t.Why}
	switch t.By {
	case requests.ByUser, requests.ByDeveloper:
		x := &texts[t.Text]
		out.Text = c.describeWriter(x) + ": " + quoteWords(t.Words)
		switch x.From {
		case provenance.FromUser:
			out.Words = t.Words
		case provenance.FromAgent:
			out.Text = "the user, who agreed to the model's message " + strconv.Itoa(x.Message+1) + ": " + quoteWords(t.Words)
		case provenance.FromPolicy:
			out.Text = "the operator's policy: " + quoteWords(t.Words)
		}
	case requests.ByData:
		from := "the description of a tool"
		if t.Text >= 0 {
			from = "the result of " + c.describeWriter(&texts[t.Text])
		}
		out.Text = from + " says: " + quoteWords(t.Words)
	case requests.ByNobody:
		if c.blind {
			out.By, out.Text = AskedUnknown, "parts of the conversation are not text"
		}
	default:
		if out.By = AskedUnknown; t.Data {
			out.Text += ": " + quoteWords(t.Words)
		}
	}
	return out
}

// longestWords is the number of bytes that are shown of a request.
const longestWords = 240

// quoteWords returns words of others so that nobody can mistake them for Boundcheck's own.
func quoteWords(words string) string {
	more := ""
	if len(words) > longestWords {
		words, more = strings.ToValidUTF8(words[:longestWords], ""), "…"
	}
	return `"` + EscapeAlso(words, `\"`) + more + `"`
}
