package proposal

import (
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/provenance"
	"github.com/boundcheck/boundcheck/core/action/requests"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
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
	// Also is who would have asked if the model had written nothing, if that differs.
	Also string `json:"also,omitempty"`
	// Partial is set if the data is too long to be searched completely.
	Partial bool `json:"partial,omitempty"`
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
func (p *Proposal) traceAsked(arguments jsonval.Value, v mutation.Verdict) *Asker {
	if !p.Conversation.Speaks() && p.Heard == nil && (p.Conversation == nil || p.Recorded != nil) {
		return p.Recorded
	}
	call := similarity.NewCall(p.Tool, arguments, "", "")
	if !v.Counts() && !requests.MayChange(&call) {
		return nil
	}
	act := requests.Action{Call: &call, Sure: v.Mutating == mutation.Yes, Told: v.Counts()}
	if !p.Conversation.Speaks() && p.Heard != nil {
		return p.searchHeard(&act)
	}
	if p.Conversation.size > mostSaid {
		return nil
	}
	out, agreed := p.traceIn(p.askTexts(true), &act)
	if alone, _ := p.traceIn(p.askTexts(false), &act); !agreed && alone.By != out.By {
		if rankAsker(alone.By) > rankAsker(out.By) {
			out, alone = alone, out
		}
		out.Also = alone.By
	}
	return out
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

// askTexts returns the texts of the conversation in which requests are searched, with or
// without those of the model. The operator's guidance is the only instruction: a system
// text of the conversation may be the agent's. A message with a role that is not known is
// data.
func (p *Proposal) askTexts(model bool) []provenance.Text {
	var out []provenance.Text
	if strings.TrimSpace(p.Guidance) != "" {
		out = append(out, provenance.Text{From: provenance.FromPolicy, Message: -1, Call: -1, Text: p.Guidance})
	}
	for _, t := range p.Conversation.texts {
		switch {
		case t.From == provenance.FromPolicy, t.From == provenance.FromAgent && !model:
			continue
		case t.From == provenance.FromUser && p.Conversation.strange[t.Message]:
			t.From = provenance.FromTool
		}
		out = append(out, t)
	}
	return out
}

// traceIn returns who asked for a call in texts, and whether the user agreed to words of
// the model.
func (p *Proposal) traceIn(texts []provenance.Text, act *requests.Action) (out *Asker, agreed bool) {
	act.Before = len(texts)
	means := requests.NoMeans
	if p.Files {
		means = requests.FileMeans
	}
	r := requests.NewReader(texts, p.Descriptions, means, nil)
	partial := p.Conversation.cut
	said := p.Conversation.hasUser()
	for i := range texts {
		partial = partial || texts[i].From == provenance.FromTool && len(texts[i].Text) > requests.MostData
	}
	if !said { // the guidance alone is no task
		out = p.Conversation.describePassage(texts, r, act)
	} else {
		t := r.Trace(act)
		out = p.Conversation.describeAsked(texts, &t)
		agreed = t.By == requests.ByUser && t.Text >= 0 && texts[t.Text].From == provenance.FromAgent
	}
	out.Partial = (partial || !said) && rankAsker(out.By) > rankAsker(AskedByDeveloper)
	return out, agreed
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
		out.By = AskedUnknown
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
