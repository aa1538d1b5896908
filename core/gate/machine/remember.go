package machine

import (
	"slices"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/match"
	"github.com/boundcheck/boundcheck/core/gate/naming"
)

// This file holds one law: a remembered yes never covers more than its bounds, its agent
// and session, its time, and the definition and policy under which a person gave it. All of
// these are fixed when it is given, by the person's bytes and not by those of the model.

// RememberRule lets approvers remember their yes to calls of a tool.
type RememberRule struct {
	Name        string
	Line        int // in the policy's text
	Tool        string
	Agent       string
	By          []string // approvers; nil for all of the tenant
	Within      int64    // the longest time, in milliseconds
	Destructive bool     // also calls that cannot be undone
	OpenWorld   bool     // also tools that state that they reach outside their own system
}

// Remembered is one person's yes to more calls like one that they approved.
type Remembered struct {
	ID, Tenant string
	Agent      string
	Session    string
	Tool       string
	Bounds     string // JSON: {"digest":"sha256:…"} or {"directory"?,"when":{…}}, as of a rule that allows
	Definition string // definitionHash of what the agent's program said of the tool
	Policy     string // version of the policy under which it was given
	Rule       string // of the policy's rules in remember
	By         string
	Keys       string // names the approver's keys at that time, for the driver
	Source     string // id of the approved call
	Created    int64
	Until      int64
}

// Recalled says which remembered yes let a call through.
type Recalled struct {
	ID    string `json:"id"`
	By    string `json:"by"`
	Until int64  `json:"until,string"`
}

// readRemember reads the member "remember".
func (r *reader) readRemember(v jsonval.Value, groups map[string][]string, p *Policy) {
	if !v.Exists() {
		return
	}
	if v.Kind() != jsonval.Array {
		r.fail(v, "invalid remember: want a list of rules, saw %s", v.Kind())
		return
	}
	names := map[string]bool{}
	for _, m := range v.Elements() {
		rule := RememberRule{Line: jsonval.ErrorAt(r.text, m.Offset(), "").Line}
		before := len(r.faults)
		r.readObject(m, "a rule in remember", map[string]func(jsonval.Value){
			"name":        func(m jsonval.Value) { rule.Name = r.readString(m, "name") },
			"tool":        func(m jsonval.Value) { rule.Tool = r.exactName(m, "tool") },
			"agent":       func(m jsonval.Value) { rule.Agent = r.readPattern(m, "agent") },
			"by":          func(m jsonval.Value) { rule.By = r.readFrom(m, "by", groups) },
			"within":      func(m jsonval.Value) { rule.Within = r.readDuration(m, "within of remember") },
			"destructive": func(m jsonval.Value) { rule.Destructive = r.readBool(m, "destructive") },
			"openWorld":   func(m jsonval.Value) { rule.OpenWorld = r.readBool(m, "openWorld") },
		})
		switch {
		case r.failed(before):
		case rule.Name == "" || rule.Tool == "" || rule.Within == 0:
			r.fail(m, `invalid rule in remember: want name, tool (one exact name) and within (the longest time, such as 8h)`)
		case !rule.Destructive && slices.ContainsFunc(splitWords(rule.Tool), isFinalVerb):
			r.fail(m, "the rule %q in remember can never apply: calls of %s perhaps cannot be undone; want destructive: true, or another tool", rule.Name, rule.Tool)
		case names[rule.Name]:
			r.fail(m, "two rules in remember have the name %q; want another name", rule.Name)
		}
		names[rule.Name] = true
		p.Remember = append(p.Remember, rule)
	}
}

// RuleToRemember returns the first rule by which an approver may remember a yes to calls
// like r; nil for none.
func (p *Policy) RuleToRemember(r *Record, name string) *RememberRule {
	for i := range p.Remember {
		if m := &p.Remember[i]; m.isFor(r.Tool, r.Principal, name) && (m.Destructive || !r.Why.Destructive) {
			return m
		}
	}
	return nil
}

func (m *RememberRule) isFor(tool, agent, by string) bool {
	return m.Tool == tool && (m.Agent == "" || match.Name(m.Agent, agent)) && (m.By == nil || slices.Contains(m.By, by))
}

// mostBounds is the largest size of the bounds of a remembered yes.
const mostBounds = 8 << 10

// bounds are those of a remembered yes: a rule and, with conditions, its call's directory.
type bounds struct {
	AllowRule
	dir string
}

// cover reports whether the bounds cover a call.
func (b *bounds) cover(dir, arguments, digest string) bool {
	return b.Digest == digest || b.Digest == "" && b.dir == dir && b.acceptsArguments(arguments)
}

// readBounds reads the bounds of a remembered yes to calls of a tool.
func readBounds(text, tool string) (*bounds, error) {
	v, err := jsonval.Parse(text)
	if err != nil {
		return nil, err
	}
	r := reader{text: text}
	a := &bounds{AllowRule: AllowRule{Tool: tool}}
	r.readObject(v, "bounds", map[string]func(jsonval.Value){
		"digest":    func(m jsonval.Value) { a.Digest = r.readDigest(m) },
		"directory": func(m jsonval.Value) { a.dir = r.readString(m, "directory") },
		"when":      func(m jsonval.Value) { r.readConditions(m, &a.AllowRule, nil) },
	})
	if len(r.faults) == 0 && v.Get("when").Exists() == v.Get("digest").Exists() {
		r.fail(v, "invalid bounds: want when (a condition on every argument), or digest (of one call)")
	}
	if len(r.faults) > 0 {
		return nil, r.faults
	}
	return a, nil
}

// Remember returns a remembered yes to calls like the approved call r, with its audit
// entry. bounds is "" for exactly this call, or JSON as in Remembered. id is fresh. If the
// answer's code is not OK, nothing is remembered.
func Remember(p *Policy, r *Record, by Principal, channel, digest, bounds, id string, until, now int64) (Remembered, Entry, Answer) {
	no := func(c Code, text string) (Remembered, Entry, Answer) {
		return Remembered{}, Entry{}, Answer{Code: c, Text: text}
	}
	rule := p.RuleToRemember(r, by.Name)
	switch {
	case by.Role != Approver || by.Tenant != r.Tenant:
		return no(Forbidden, "only an approver can let the gate remember a yes")
	case len(p.Remember) == 0:
		return no(Forbidden, "the policy lets nobody remember a yes: it has no rule in remember")
	case rule == nil && r.Why.Destructive && slices.ContainsFunc(p.Remember, func(m RememberRule) bool { return m.isFor(r.Tool, r.Principal, by.Name) }):
		return no(Forbidden, "a yes to this call of "+r.Tool+" is not remembered, because perhaps it cannot be undone: the policy's rule in remember has not destructive: true")
	case rule == nil:
		return no(Forbidden, "the policy has no rule in remember that lets "+by.Name+" remember a yes to this call of "+r.Tool)
	case !secretsEqual(digest, r.Digest):
		return no(Conflict, "the digest belongs to another call; want the digest of the call that was approved")
	case r.State != Approved && r.State != Claimed && r.State != Executed || !slices.ContainsFunc(r.Votes, func(v Vote) bool { return v.By == by.Name && v.Approve && v.Giver == "" }):
		return no(Conflict, "only who approved this call can let the gate remember the yes")
	case r.Why.Mutating != mutation.Yes:
		return no(Conflict, "the effect of this call is not known, so a yes to it is never remembered")
	case r.Needs != 1:
		return no(Conflict, "this call needs several people, so a yes to it is never remembered")
	case r.Why.SecondAct() || r.Why.AskedOnlyByData() || r.Why.Edit != nil:
		return no(Conflict, "this call needs a look each time, so a yes to it is never remembered")
	case r.Session == "":
		return no(Conflict, "the agent gave no session, so a yes has none to be remembered for; want a proposal with session")
	case until <= now || until > now+rule.Within:
		return no(Invalid, "invalid until: the rule "+rule.Name+" lets a yes be remembered for at most "+formatSpan(rule.Within))
	case len(bounds) > mostBounds:
		return no(Invalid, "the bounds have "+strconv.Itoa(len(bounds))+" bytes; want at most "+strconv.Itoa(mostBounds))
	}
	if bounds == "" {
		bounds = `{"digest":"` + r.Digest + `"}`
	} else if object, open := strings.CutPrefix(bounds, "{"); open && r.Why.Dir != "" {
		bounds = `{"directory":` + jsonval.Quoted(r.Why.Dir) + "," + object
	}
	a, err := readBounds(bounds, r.Tool)
	if err != nil {
		return no(Invalid, err.Error())
	}
	if !a.cover(r.Why.Dir, r.Arguments, r.Digest) {
		return no(Invalid, "the bounds do not cover the call that was approved, so they may not mean what they should; want conditions on all of its arguments that it meets")
	}
	m := Remembered{ID: id, Tenant: r.Tenant, Agent: r.Principal, Session: r.Session, Tool: r.Tool, Bounds: bounds, Definition: r.Why.Definition, Policy: r.Why.Policy,
		Rule: rule.Name, By: by.Name, Source: r.ID, Created: now, Until: until}
	if m.Policy != p.Version {
		return no(Conflict, "the policy has changed since this call was proposed; want a call that was proposed since")
	}
	e := Entry{Version: 1, Tenant: r.Tenant, Event: "remember", At: now, By: by.Name, Role: by.Role, Channel: channel, Session: r.Session, Tool: r.Tool, Digest: r.Digest,
		Expires: until, Policy: m.Policy, Rule: rule.Name, Agent: r.Principal, Text: bounds, Remembered: id, Of: r.ID}
	return m, e, Answer{}
}

// ForgetEntry returns the audit entry of the end of a remembered yes.
func ForgetEntry(tenant, id string, by Principal, channel, why string, now int64) Entry {
	return Entry{Version: 1, Tenant: tenant, Event: "forget", At: now, By: by.Name, Role: by.Role, Channel: channel, Remembered: id, Text: why}
}

// recall lets a call that a person must decide through by a remembered yes, if there is one
// that surely covers it. Denials, requirements of several people, approvers who may not
// decide it, and everything that needs a look each time are stricter.
func (c *judged) recall(p *Policy, f *facts, a *Ask) {
	if len(a.Remembered) == 0 || !c.asked() || c.ruling.deny != "" || c.ruling.people > 1 || a.edits != nil || a.Session == "" ||
		c.why.Mutating != mutation.Yes || c.why.SecondAct() || c.why.AskedOnlyByData() {
		return
	}
	if p.Ungrounded != "" && (c.decision.Sources == nil || c.ungroundedPaths() != "") {
		return
	}
	for i := range a.Remembered {
		m := &a.Remembered[i]
		if !m.isOf(a, f, p) || a.By.For != "" && a.By.For != m.By || m.Definition != c.why.Definition {
			continue
		}
		may, _ := c.why.MayApprove(m.By)
		at := slices.IndexFunc(p.Remember, func(r RememberRule) bool { return r.Name == m.Rule })
		if !may || at < 0 {
			continue
		}
		rule := &p.Remember[at]
		if !rule.isFor(c.tool, a.By.Name, m.By) || c.why.Destructive && !rule.Destructive || c.beyond && !rule.OpenWorld || f.now >= m.Created+rule.Within {
			continue
		}
		bounds, err := readBounds(m.Bounds, m.Tool)
		if err == nil && bounds.cover(c.why.Dir, c.arguments, c.decision.Digest) {
			c.why.Recalled = &Recalled{m.ID, m.By, m.Until}
			return
		}
	}
}

// isOf reports whether a remembered yes is of the agent, session, tool, time and policy of a
// call.
func (m *Remembered) isOf(a *Ask, f *facts, p *Policy) bool {
	return m.Tenant == a.By.Tenant && m.Agent == a.By.Name && m.Session == a.Session && m.Tool == f.tool && m.Created <= f.now+skew && f.now < m.Until && m.Policy == p.Version
}

// definitionHash returns a hash of what the agent's program says about a tool; "" if it says
// nothing.
func definitionHash(tools []mutation.Tool, name string) string {
	fields := []string{"boundcheck.definition/1"}
	read := naming.Read(name)
	for i := range tools {
		t := &tools[i]
		if read.Fits(t.Name) == match.No {
			continue
		}
		fields = append(fields, t.Name, t.Description, t.Method, t.Parameters.Raw())
		for _, hint := range [...]*bool{t.Annotations.ReadOnly, t.Annotations.Destructive, t.Annotations.Idempotent, t.Annotations.OpenWorld} {
			word := ""
			if hint != nil {
				word = strings.ToLower(map[bool]string{true: "yes", false: "no"}[*hint])
			}
			fields = append(fields, word)
		}
	}
	if len(fields) == 1 {
		return ""
	}
	return hashOf(fields...)
}

// forgotten returns the reason why a call that a remembered yes let through may no longer
// run; "" if it may.
func (p *Policy) forgotten(r *Record) string {
	if m := r.Why.Recalled; m != nil && r.Why.Policy != p.Version {
		return "the policy has changed since " + m.By + "'s yes: propose the call again"
	}
	return ""
}
