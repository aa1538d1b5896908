package score

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/provenance"
	"github.com/boundcheck/boundcheck/core/action/requests"
	"github.com/boundcheck/boundcheck/core/action/utterance"
	"github.com/boundcheck/boundcheck/core/base/tongues"
	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/core/stage/judge"
	"github.com/boundcheck/boundcheck/core/stage/violation"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// origins finds where the values of a run's actions come from. It does so once, for all
// actions that may change something.
type origins struct {
	t                  *trajectory.Trajectory
	obs                []boundary.Action
	work               violation.Work
	texts              []provenance.Text
	before             []int                 // action → number of texts written before it
	traced             [][]provenance.Origin // by action; nil until one is needed
	asking             *requests.Reader      // nil until it is needed
	instructions       *requests.Memory      // what was read of the instructions of the run before; nil for none
	traces             []*requests.Trace     // the requests of the actions; nil where not yet traced
	lastUser, lastSaid trajectory.Last       // of the user's messages, and of what the agent said before those
	asked              struct {              // the cache of userRequest
		read int // number of messages read so far
		text strings.Builder
	}
}

// valueOrigins returns the origins of an action's values, or nil if the action only
// reads.
func (o *origins) valueOrigins(obs int) []provenance.Origin {
	if o.traced == nil {
		o.traceAll()
	}
	return o.traced[obs]
}

// requestFor returns the request for an action. The result depends on the sort of work:
// where files, pages or things are worked on, the task as a whole is the request.
func (o *origins) requestFor(obs int) requests.Trace {
	if o.traces == nil {
		o.traces = make([]*requests.Trace, len(o.obs))
		for i := range o.obs {
			if o.obs[i].Attempts() {
				o.traceRequest(i)
			}
		}
		for i := len(o.obs) - 1; i >= 0; i-- {
			o.traceMeans(i)
		}
	}
	if o.traces[obs] == nil {
		o.traceRequest(obs)
	}
	return *o.traces[obs]
}

// traceMeans traces a change of which it is open who asked for it to the request for a later one that
// uses its result: a value that stands in no earlier text.
func (o *origins) traceMeans(obs int) {
	t := o.traces[obs]
	if t == nil || t.By != requests.Undecided || o.work.Means() != requests.NoMeans {
		return
	}
	result := o.resultText(obs)
	for i := obs + 1; i < len(o.obs) && result != ""; i++ {
		later := o.traces[i]
		if later == nil || later.By != requests.ByUser {
			continue
		}
		for _, l := range o.obs[i].Leaves {
			if v := strings.Trim(l.Raw, `"`); len(v) > 1 && strings.ContainsAny(v, "0123456789") && strings.Contains(result, `"`+v+`"`) && !o.saidBefore(obs, v) {
				o.traces[obs] = &requests.Trace{By: requests.ByUser, Text: later.Text, Words: later.Words, Why: "what the user asked for needs the result of this"}
				return
			}
		}
	}
}

// saidBefore reports whether a value stands in a text that was written before an action.
func (o *origins) saidBefore(obs int, value string) bool {
	return slices.ContainsFunc(o.texts[:o.before[obs]], func(x provenance.Text) bool { return strings.Contains(x.Text, value) })
}

func (o *origins) traceRequest(obs int) {
	r := o.reader()
	a := o.obs[obs].Asking(o.before[obs], o.resultText(obs))
	t := r.Trace(&a)
	o.traces[obs] = &t
}

// reader returns the reader of the requests of the run.
func (o *origins) reader() *requests.Reader {
	if o.before == nil {
		o.collectTexts()
	}
	if o.asking == nil {
		o.asking = requests.NewReader(o.texts, o.t.ToolTexts, o.work.Means(), o.instructions)
		o.asking.Switches = o.t.Switches
	}
	return o.asking
}

// sentAway returns how an action that only looks sends away what was read before.
func (o *origins) sentAway(obs int) (requests.Trace, bool) {
	return o.reader().FindSentAway(&requests.Action{Call: &o.obs[obs].Call, Before: o.before[obs]})
}

// traceAction returns the origins of the values of a single action. It is used for runs
// with a reference, in which only a few actions need their origins.
func (o *origins) traceAction(obs int) []provenance.Origin {
	if o.traced == nil {
		o.traced = make([][]provenance.Origin, len(o.t.Actions))
	}
	if o.traced[obs] != nil {
		return o.traced[obs]
	}
	var queries []provenance.Query
	for _, l := range o.t.Actions[obs].Arguments.Leaves() {
		queries = append(queries, provenance.Query{Path: l.Path, Key: l.Key, Value: l.Value})
	}
	if o.before == nil {
		o.collectTexts()
	}
	for i := range queries {
		queries[i].Before = o.before[obs]
	}
	o.traced[obs] = provenance.Trace(o.texts, queries)
	return o.traced[obs]
}

func (o *origins) describeOrigin(p *provenance.Origin) string {
	return p.Words(o.texts, func(call int) string { return o.t.Actions[call].Name })
}

func (o *origins) resultText(obs int) string {
	if a := o.t.Actions[obs].Observation; a != nil {
		return a.Text
	}
	return ""
}

// answeredMessage returns the message that the user answered last before an action. This
// is the agent's last message before the last message of the user. If there is none, the
// result is "".
func (o *origins) answeredMessage(obs int) string {
	said := func(i int) bool {
		m := &o.t.Messages[i]
		return m.Role == "assistant" && m.Text != "" && !m.Unsaid
	}
	user := o.lastUser.Before(min(o.t.Actions[obs].Message, len(o.t.Messages)), o.t.IsOfUser)
	if i := o.lastSaid.Before(user, said); i >= 0 {
		return o.t.Messages[i].Text
	}
	return ""
}

// userRequest returns everything that the user said before an action, in lower case. Call
// it in the order of the actions.
func (o *origins) userRequest(obs int) string {
	t := o.t
	end := t.Actions[obs].Message
	if end < 0 || end > len(t.Messages) {
		end = len(t.Messages)
	}
	for ; o.asked.read < end; o.asked.read++ {
		if m := &t.Messages[o.asked.read]; m.Role == "user" {
			o.asked.text.WriteString(strings.ToLower(m.Text))
			o.asked.text.WriteByte('\n')
		}
	}
	return o.asked.text.String()
}

func (o *origins) traceAll() {
	o.traced = make([][]provenance.Origin, len(o.t.Actions))
	var queries []provenance.Query
	var owner []int
	for i := range o.t.Actions {
		if !o.obs[i].Mutation.Counts() || o.obs[i].ByUser {
			continue
		}
		for _, v := range provenance.QuotedStrings(o.t.Actions[i].Text) {
			queries = append(queries, provenance.Query{Path: "text", Key: "text", Value: v})
			owner = append(owner, i)
		}
		for _, l := range o.t.Actions[i].Arguments.Leaves() {
			queries = append(queries, provenance.Query{Path: l.Path, Key: l.Key, Value: l.Value})
			owner = append(owner, i)
		}
	}
	if len(queries) == 0 {
		return
	}
	if o.before == nil {
		o.collectTexts()
	}
	for i := range queries {
		queries[i].Before = o.before[owner[i]]
	}
	for i, origin := range provenance.Trace(o.texts, queries) {
		o.traced[owner[i]] = append(o.traced[owner[i]], origin)
	}
}

// collectTexts collects all texts of a run in order. The results of actions come directly
// after the message that contains the actions. If a message contains several actions,
// none of them knows the results of the others.
func (o *origins) collectTexts() {
	t := o.t
	o.before = make([]int, len(t.Actions))
	next := 0
	add := func(from provenance.From, message, call int, text string) {
		if text != "" {
			o.texts = append(o.texts, provenance.Text{From: from, Message: message, Call: call, Text: text})
		}
	}
	answers := func(message int) {
		at := len(o.texts)
		for ; next < len(t.Actions) && t.Actions[next].Message <= message; next++ {
			a := &t.Actions[next]
			if a.Message < 0 {
				at = len(o.texts)
			}
			o.before[next] = at
			if a.Observation != nil {
				add(provenance.FromTool, message, next, a.Observation.Text)
			}
		}
	}
	add(provenance.FromPolicy, -1, -1, t.Policy)
	answers(-1)
	for m := range t.Messages {
		switch t.Messages[m].Role {
		case "tool": // the actions hold these texts
			if len(t.Actions) == 0 {
				add(provenance.FromTool, m, -1, t.Messages[m].Text)
			}
		case "system", "developer":
			add(provenance.FromPolicy, m, -1, t.Messages[m].Text)
		case "assistant":
			add(provenance.FromAgent, m, -1, t.Messages[m].Text)
		case "ipython", "environment", "env", "observation", "tool_response", "tool_result", "tool_output", "function_response", "api", "computer", "terminal", "browser":
			add(provenance.FromTool, m, -1, t.Messages[m].Text) // no person, whatever it says
		default:
			if role := utterance.Fold(t.Messages[m].Role); role == "" || utterance.Listed("userWord", role) || utterance.Listed("personRole", role) || tongues.LineHead(t.Messages[m].Role) == "user" {
				add(provenance.FromUser, m, -1, t.Messages[m].Text)
			} else if t.Messages[m].Text != "" {
				o.texts = append(o.texts, provenance.Text{From: provenance.FromTool, Message: m, Call: -1, Text: t.Messages[m].Text, Strange: true})
			}
		}
		answers(m)
	}
	answers(len(t.Messages))
}

// factsForJudge returns the facts about an action for a judge. The facts are the origins
// of the action's values, the messages around the action, and the link to a request if it
// is open.
func (o *origins) factsForJudge(obs int) *judge.Facts {
	f := &judge.Facts{}
	if obs >= len(o.t.Actions) {
		return f
	}
	for _, p := range o.valueOrigins(obs) {
		if p.Kind != provenance.Untraced {
			f.Values = append(f.Values, judge.Value{Path: p.Path, Text: p.Raw, From: o.describeOrigin(&p)})
		}
	}
	if o.obs[obs].Attempts() {
		if t := o.requestFor(obs); !t.By.Traced() {
			f.Asked = &judge.Asked{By: t.By.String(), Why: t.Why, Words: t.Words}
		}
	}
	f.Promised = o.answeredMessage(obs)
	at := min(o.t.Actions[obs].Message, len(o.t.Messages))
	for i := at - 1; i >= 0 && f.Answered == ""; i-- {
		if m := &o.t.Messages[i]; m.Role == "user" {
			f.Answered = m.Text
		}
	}
	for i := max(at, -1) + 1; i < len(o.t.Messages) && f.Claimed == ""; i++ {
		if m := &o.t.Messages[i]; m.Role == "assistant" && !m.Unsaid {
			f.Claimed = m.Text
		}
	}
	return f
}

// wireOrigins returns the origins of one action's values for the report, or nil if the
// action only reads.
func (o *origins) wireOrigins(obs int) []report.Origin {
	var out []report.Origin
	for _, p := range o.valueOrigins(obs) {
		if p.Kind == provenance.Untraced {
			continue
		}
		w := report.Origin{Path: p.Path, Kind: p.Kind.String(), Source: o.describeOrigin(&p)}
		if p.Text >= 0 {
			x := &o.texts[p.Text]
			w.Message, w.Action = indexOrNil(x.Message), indexOrNil(x.Call)
		}
		out = append(out, w)
	}
	return out
}

// wireRequest returns the request for one action for the report, or nil if the action only
// reads, failed, or is the user's.
func (o *origins) wireRequest(obs int) *report.Asked {
	if !o.obs[obs].Attempts() {
		return nil
	}
	t := o.requestFor(obs)
	w := &report.Asked{By: t.By.String(), Why: t.Why, Words: t.Words}
	if t.Text >= 0 {
		x := &o.texts[t.Text]
		w.Message, w.Action, w.Agreed = indexOrNil(x.Message), indexOrNil(x.Call), t.Agreed && x.From == provenance.FromAgent
	}
	return w
}
