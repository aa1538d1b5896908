package machine

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/match"
	"github.com/boundcheck/boundcheck/core/base/path"
)

// Limits of what a rule may say.
const (
	mostPeople = 10
	mostClaims = 1_000_000
	longestPer = 366 * dayMS
)

// readGroups reads the member "groups" of a policy: lists of approvers by name.
func (r *reader) readGroups(v jsonval.Value) map[string][]string {
	known := map[string][]string{}
	if v.Exists() {
		r.readMembers(v, "groups", func(name string, m jsonval.Value) { known[name] = r.readPeople(m, "group "+name) })
	}
	return known
}

// readRules reads the member "rules" of a policy. Rules that deny or hold go to p.Rules,
// rules that allow to p.Allow.
func (r *reader) readRules(v jsonval.Value, known map[string][]string, p *Policy) {
	if !v.Exists() {
		return
	}
	if v.Kind() != jsonval.Array {
		r.fail(v, "invalid rules: want a list of rules, saw %s", v.Kind())
		return
	}
	names := map[string]bool{}
	for _, m := range v.Elements() {
		rule, allow := r.readRule(m, known, p)
		switch {
		case rule.Name == "": // an error
		case names[rule.Name]:
			r.fail(m, "two rules have the name %q, but the rows of a rule are counted under its name; want another name", rule.Name)
		case rule.Effect == AllowCall:
			p.Allow = append(p.Allow, allow)
		default:
			p.Rules = append(p.Rules, rule)
		}
		names[rule.Name] = true
	}
}

// readRule reads one rule. For a rule that allows, it also returns the allow rule.
func (r *reader) readRule(v jsonval.Value, groups map[string][]string, p *Policy) (rule Rule, allow AllowRule) {
	rule.Line = jsonval.ErrorAt(r.text, v.Offset(), "").Line
	rule.Effect, _ = v.Get("effect").Str()
	var when jsonval.Value
	before := len(r.faults)
	r.readObject(v, "a rule", map[string]func(jsonval.Value){
		"name":         func(m jsonval.Value) { rule.Name = r.readString(m, "name") },
		"tool":         func(m jsonval.Value) { rule.Tool = r.readPattern(m, "tool") },
		"agent":        func(m jsonval.Value) { rule.Agent = r.readPattern(m, "agent") },
		"when":         func(m jsonval.Value) { when = m },
		"changes":      func(m jsonval.Value) { rule.Changes = r.readTrue(m, "changes") },
		"asked":        func(m jsonval.Value) { rule.Asked = r.readAsked(m, v.Get("effect")) },
		"time":         func(m jsonval.Value) { rule.Time = r.readTime(m) },
		"atMost":       func(m jsonval.Value) { rule.AtMost = r.readLimit(m) },
		"after":        func(m jsonval.Value) { rule.After = r.readAfter(m) },
		"afterReading": func(m jsonval.Value) { rule.AfterReading = r.readReadingName(m, p) },
		"hosts":        func(m jsonval.Value) { rule.Hosts = r.readOnlyHosts(m) },
		"effect":       func(m jsonval.Value) { rule.Effect = r.readWord(m, "effect", DenyCall, HoldCall, AllowCall) },
		"people":       func(m jsonval.Value) { rule.People = int(r.readWhole(m, "people", 1, mostPeople)) },
		"from":         func(m jsonval.Value) { rule.From = r.readFrom(m, "from", groups) },
		"mode":         func(m jsonval.Value) { rule.Log = r.readWord(m, "mode", "log") == "log" },
		"reason":       func(m jsonval.Value) { rule.Reason = r.readString(m, "reason") },
		"until":        func(m jsonval.Value) { allow.Until = r.readInstant(m, "until") },
		"destructive":  func(m jsonval.Value) { allow.Destructive = r.readBool(m, "destructive") },
		"openWorld":    func(m jsonval.Value) { allow.OpenWorld = r.readBool(m, "openWorld") },
		"digest":       func(m jsonval.Value) { allow.Digest = r.readDigest(m) },
	})
	whole := !r.failed(before)
	if rule.Effect == AllowCall {
		r.readAllowed(v, when, &rule, &allow, whole)
		return rule, allow
	}
	if whole {
		r.checkStrict(v, &rule)
	}
	if when.Exists() {
		rule.When = r.readDemands(when, &rule)
	}
	return rule, allow
}

// checkStrict checks a rule that denies or holds.
func (r *reader) checkStrict(v jsonval.Value, rule *Rule) {
	for _, name := range [...]string{"until", "destructive", "openWorld", "digest"} {
		if v.Get(name).Exists() {
			r.fail(v, "the rule %q has %s, which only a rule with effect allow has; want it without", rule.Name, name)
		}
	}
	switch {
	case rule.Name == "" || rule.Effect == "":
		r.fail(v, "invalid rule: want a name, an effect (deny, hold or allow), and what it is about")
	case rule.Effect == DenyCall && (rule.People > 0 || rule.From != nil):
		r.fail(v, "the rule %q denies, so nobody is asked: people and from belong to effect hold; want hold, or neither of them", rule.Name)
	case rule.Effect == HoldCall:
		rule.People = max(rule.People, 1)
		if rule.From != nil && len(rule.From) < rule.People {
			r.fail(v, "the rule %q needs %d people, but only %d may approve; want as many names in from, or fewer people", rule.Name, rule.People, len(rule.From))
		}
	}
}

// readAllowed reads what only a rule with effect allow has. whole says that its members have
// no errors.
func (r *reader) readAllowed(v, when jsonval.Value, rule *Rule, allow *AllowRule, whole bool) {
	switch {
	case !whole:
	case rule.Log || rule.People > 0 || rule.From != nil:
		r.fail(v, "the rule %q allows: mode, people and from belong to the other effects; want none of them", rule.Name)
	case rule.Name == "" || rule.Tool == "" || allow.Until == 0 || when.Exists() == v.Get("digest").Exists():
		r.fail(v, "invalid rule with effect allow: want name, tool, until and when (a condition on every argument, {} for no arguments), or digest (of one call) in place of when")
	}
	if tool := v.Get("tool"); tool.Exists() {
		r.exactName(tool, "tool")
	}
	allow.Name, allow.Tool, allow.rule = rule.Name, rule.Tool, rule
	if when.Exists() {
		r.readConditions(when, allow, rule)
	}
}

// readDemands reads conditions on arguments. rule is nil for those of a reading.
func (r *reader) readDemands(v jsonval.Value, rule *Rule) (out []Demand) {
	r.readMembers(v, "when", func(name string, m jsonval.Value) {
		argument, err := path.CompilePlaces(name)
		if err != nil {
			r.fail(m, "invalid condition: %v", err)
		}
		if rest := r.takeSources(name, m, r.readMatcher(name, m), rule); rest != nil {
			out = append(out, Demand{argument, rest})
		}
	})
	return out
}

// readOnlyHosts reads the hosts that calls of a rule may reach.
func (r *reader) readOnlyHosts(v jsonval.Value) *match.Hosts {
	hosts, err := match.ReadHosts(v)
	if err != nil {
		r.failMatcher("invalid hosts", err)
	}
	return hosts
}

func (r *reader) readPattern(v jsonval.Value, what string) string {
	name := r.readName(v, what)
	r.checkPattern(v, name)
	return name
}

func (r *reader) readTrue(v jsonval.Value, what string) bool {
	if b, ok := v.Bool(); !ok || !b {
		r.fail(v, "invalid %s: want true, saw %.40s. A rule about calls that only read needs no such member", what, v.Raw())
	}
	return true
}

func (r *reader) readWhole(v jsonval.Value, what string, low, high int64) int64 {
	n, ok := v.Int()
	if !ok || n < low || n > high {
		r.fail(v, "invalid %s: want a whole number from %d to %d, saw %.40s", what, low, high, v.Raw())
	}
	return n
}

// readNames reads a list of names, each once, and calls check for each of them.
func (r *reader) readNames(v jsonval.Value, what string, check func(m jsonval.Value, name string)) (out []string) {
	if v.Kind() != jsonval.Array || v.Len() == 0 {
		r.fail(v, "invalid %s: want a list of names, saw %.40s", what, v.Raw())
		return nil
	}
	for _, m := range v.Elements() {
		name := r.readString(m, "name in "+what)
		if slices.Contains(out, name) {
			r.fail(m, "invalid %s: the name %q appears twice; want each name once", what, name)
		}
		check(m, name)
		out = append(out, name)
	}
	return out
}

// readPeople reads a list of approvers.
func (r *reader) readPeople(v jsonval.Value, what string) []string {
	return r.readNames(v, what, func(m jsonval.Value, name string) {
		if strings.ContainsAny(name, "*? \t\r\n") {
			r.fail(m, "invalid %s: %q cannot be an approver; want the exact name of a person, without * and ?", what, name)
		}
		r.people = append(r.people, person{name, what, jsonval.ErrorAt(r.text, m.Offset(), "")})
	})
}

// readFrom reads the name of a group, or a list of approvers.
func (r *reader) readFrom(v jsonval.Value, what string, groups map[string][]string) []string {
	if v.Kind() != jsonval.String {
		return r.readPeople(v, what)
	}
	var names []string
	for name := range groups {
		names = append(names, name)
	}
	slices.Sort(names)
	list, ok := groups[v.Text()]
	if !ok {
		r.fail(v, "unknown group %q%s. The groups of the policy are %s", v.Text(), match.Hint(v.Text(), names), orNone(names))
	}
	return list
}

func orNone(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

func (r *reader) readTime(v jsonval.Value) (w *Window) {
	read := func(m jsonval.Value, outside bool) {
		text, _ := m.Str()
		var err error
		if w, err = parseWindow(text); err != nil {
			r.fail(m, "invalid time: %v; want such as \"08:00-18:00 Mon-Fri Europe/Berlin\", saw %.60s", err, m.Raw())
			return
		}
		if r.zone != nil && !w.isKnownIn(r.zone) {
			r.fail(m, "unknown time zone %s; want a name such as Europe/Berlin or UTC", w.Zone)
		}
		w.Outside = outside
	}
	before := len(r.faults)
	r.readObject(v, "time", map[string]func(jsonval.Value){
		"inside":  func(m jsonval.Value) { read(m, false) },
		"outside": func(m jsonval.Value) { read(m, true) },
	})
	if !r.failed(before) && v.Len() != 1 {
		r.fail(v, `invalid time: want inside or outside, such as {outside: "08:00-18:00 Mon-Fri Europe/Berlin"}`)
	}
	return w
}

// readSpan reads a time such as 30d or 1h in milliseconds.
func (r *reader) readSpan(v jsonval.Value, what string) int64 {
	s, _ := v.Str()
	var ms int64
	if days, ok := strings.CutSuffix(s, "d"); ok {
		if n, err := strconv.ParseUint(days, 10, 16); err == nil {
			ms = int64(n) * dayMS
		}
	} else if d, err := time.ParseDuration(s); err == nil {
		ms = d.Milliseconds()
	}
	if ms < 1000 || ms > longestPer {
		r.fail(v, `invalid %s: want a time from 1s to 366d such as "1h" or "30d", saw %.40s`, what, v.Raw())
	}
	return ms
}

func (r *reader) readLimit(v jsonval.Value) *Limit {
	l := &Limit{}
	before := len(r.faults)
	r.readObject(v, "atMost", map[string]func(jsonval.Value){
		"n":        func(m jsonval.Value) { l.N = r.readWhole(m, "n of atMost", 1, mostClaims) },
		"sum":      func(m jsonval.Value) { l.Sum = r.readPlace(m, "sum of atMost") },
		"max":      func(m jsonval.Value) { l.Max = r.readAmount(m) },
		"currency": func(m jsonval.Value) { l.Currency = r.readString(m, "currency of atMost") },
		"per":      func(m jsonval.Value) { l.Per = r.readSpan(m, "per of atMost") },
		"by":       func(m jsonval.Value) { r.readBy(m, l) },
	})
	switch {
	case r.failed(before):
	case l.Per == 0:
		r.fail(v, `invalid atMost: want the window, such as per: 1h`)
	case (l.N > 0) == (l.Sum != nil) || (l.Sum != nil) != v.Get("max").Exists():
		r.fail(v, "invalid atMost: want n (of calls), or sum (the argument that is added up) with max")
	case l.Currency != "" && l.Sum == nil:
		r.fail(v, "invalid atMost: currency belongs to sum; want sum and max, or no currency")
	}
	return l
}

// readPlace reads the path of one value.
func (r *reader) readPlace(v jsonval.Value, what string) *path.Path {
	text := r.readString(v, what)
	p, err := path.CompilePlaces(text)
	switch {
	case err != nil:
		r.fail(v, "invalid %s: %v", what, err)
	case !p.One():
		r.fail(v, "invalid %s: want the path of one value, without #, * and ?, saw %s", what, text)
	}
	return p
}

func (r *reader) readAmount(v jsonval.Value) int64 {
	number, ok := match.ReadNumber(v)
	n := int64(0)
	if ok {
		n, ok = number.Scaled(6)
	}
	if !ok {
		r.fail(v, "invalid max of atMost: want a number from 0 to 999999999.999999 with at most six decimals, saw %.40s", v.Raw())
	}
	return n
}

func (r *reader) readBy(v jsonval.Value, l *Limit) {
	if v.Kind() != jsonval.Array || v.Len() == 0 {
		r.fail(v, "invalid by of atMost: want a list of agent and paths of arguments, such as [agent, order_id], saw %.40s", v.Raw())
	}
	for _, m := range v.Elements() {
		switch name := m.Text(); {
		case name == "agent":
			l.ByAgent = true
		case name == "tool":
			r.fail(m, `invalid by of atMost: tool is no argument. A rule counts all tools of its pattern together; for a count of each, write a rule for each. For an argument of this name, write "[\"tool\"]"`)
		default:
			l.By = append(l.By, r.readPlace(m, "by of atMost"))
		}
	}
}

func (r *reader) readAfter(v jsonval.Value) *Earlier {
	e := &Earlier{Within: dayMS}
	before := len(r.faults)
	r.readObject(v, "after", map[string]func(jsonval.Value){
		"tool":     func(m jsonval.Value) { e.Tool = r.readPattern(m, "tool of after") },
		"where":    func(m jsonval.Value) { e.Where = r.readWhere(m) },
		"executed": func(m jsonval.Value) { e.Executed = r.readBool(m, "executed of after") },
		"within":   func(m jsonval.Value) { e.Within = r.readSpan(m, "within of after") },
	})
	if !r.failed(before) && e.Tool == "" {
		r.fail(v, "invalid after: want the tool that must come first")
	}
	for _, s := range e.Where {
		if s.Result && !e.Executed {
			r.fail(v, "invalid after: a value in the result is known only if executed is true; want executed: true")
		}
	}
	return e
}

// readWhere reads, for each argument of the call, where the earlier call has the same
// value: "same" for its argument of the same name, or {argument: path} or {result: path}.
func (r *reader) readWhere(v jsonval.Value) (out []Same) {
	r.readMembers(v, "where of after", func(name string, m jsonval.Value) {
		what := "where of after"
		p, err := path.CompilePlaces(name)
		if err != nil || !p.One() {
			r.fail(m, "invalid %s: want the path of one argument, saw %s", what, name)
			return
		}
		s := Same{Argument: p, Earlier: p}
		if m.Text() != "same" || m.Kind() != jsonval.String {
			if m.Kind() != jsonval.Object || m.Len() != 1 {
				r.fail(m, "invalid %s: want same, {argument: path} or {result: path}, saw %.40s", what, m.Raw())
				return
			}
			r.readObject(m, what, map[string]func(jsonval.Value){
				"argument": func(m jsonval.Value) { s.Earlier = r.readPlace(m, what) },
				"result":   func(m jsonval.Value) { s.Earlier, s.Result = r.readPlace(m, what), true },
			})
		}
		out = append(out, s)
	})
	return out
}

// readReadings reads the member "readings": for each name the calls after which something
// sensitive has been read.
func (r *reader) readReadings(v jsonval.Value, p *Policy) {
	p.Readings = map[string]Reading{}
	r.readMembers(v, "readings", func(name string, m jsonval.Value) {
		reading := Reading{}
		list := []jsonval.Value{m}
		if m.Kind() == jsonval.Array {
			list = m.Elements()
		}
		for _, e := range list {
			var s Selector
			r.readObject(e, "reading "+name, map[string]func(jsonval.Value){
				"tool":   func(m jsonval.Value) { s.Tool = r.readPattern(m, "tool") },
				"agent":  func(m jsonval.Value) { s.Agent = r.readPattern(m, "agent") },
				"when":   func(m jsonval.Value) { s.When = r.readDemands(m, nil) },
				"within": func(m jsonval.Value) { reading.Within = max(reading.Within, r.readSpan(m, "within")) },
			})
			reading.Any = append(reading.Any, s)
		}
		if reading.Within == 0 {
			reading.Within = dayMS
		}
		if len(reading.Any) == 0 {
			r.fail(m, "invalid reading %s: want the calls that read it, such as {tool: read_*}", name)
		}
		p.Readings[name] = reading
		p.readingNames = append(p.readingNames, name)
	})
	slices.Sort(p.readingNames)
}

// readReadingName reads the name of a reading. The rules are read after all other members.
func (r *reader) readReadingName(v jsonval.Value, p *Policy) string {
	name := r.readString(v, "afterReading")
	if _, ok := p.Readings[name]; !ok {
		r.fail(v, "unknown reading %q%s. The readings of the policy are %s", name, match.Hint(name, p.readingNames), orNone(p.readingNames))
	}
	return name
}
