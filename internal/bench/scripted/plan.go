package scripted

import (
	"encoding/json"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/boundcheck/boundcheck/internal/bench/env"
)

// The planner contains no knowledge about particular tasks. It reads only the request: the
// tools and their parameters, the operator's rules, the user's messages, and the tools'
// answers. It understands only sentences with one of the verbs below.

// means is a tool, as its definition in a request describes it.
type means struct {
	name   string
	verb   string          // the name's first word
	params map[string]bool // true for a list
}

// reader holds the content of a request.
type reader struct {
	tools    []means
	rules    []string // sentences of the system messages
	system   string
	words    []string // sentences of the user's messages
	user     string
	observed map[string]string // answers by the signature of the call
	answers  []string
}

// change is one change that the user asks for.
type change struct {
	verb    string
	targets []string       // what to change: ids or paths
	more    map[string]any // further arguments by name
}

var (
	idWord     = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b[A-Z]+-\d+\b`) })
	pathWord   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`/[\w.-]+(?:/[\w.-]+)*`) })
	fileWord   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b[\w-]+\.[a-z]{2,4}\b`) })
	emailWord  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[\w.+-]+@[\w-]+\.[\w.-]*\w`) })
	sentence   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[.!?](?:\s|$)`) })
	fromFolder = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b(?:[Ff]rom|[Ii]n) (/[\w/-]+)(?:[ ,.]|$)`) })
	intoFolder = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b(?:in)?to (/[\w/-]+)(?:[ ,.]|$)`) })
	goTo       = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\bgo to ([^,]+)`) })
	ofOrder    = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?:\b(?:return|send) |^)(?:the )?([\w ,]+?) of [A-Z]+-\d+`)
	})
	amountOf = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\b(?:[Mm]ake it (\d+) (\w+)|[Ss]et (\w+) to (\d+)) in\b`)
	})
	setKey     = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b[Ss]et the (\w+) to (\S+) in (/\S+)`) })
	appendLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b[Aa]ppend the line (.+?) to (/.*)`) })
	listed     = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`, | and `) })
)

// synonyms match the words that people use for a tool's verb.
var synonyms = sync.OnceValue(func() map[string]*regexp.Regexp {
	return map[string]*regexp.Regexp{
		"cancel": regexp.MustCompile(`(?i)\bcancel`),
		"delete": regexp.MustCompile(`(?i)\b(?:delete|remove|can go\b)`),
		"move":   regexp.MustCompile(`(?i)\bmove`),
		"return": regexp.MustCompile(`(?i)\b(?:return|go back|back$)`),
		"find":   regexp.MustCompile(`(?i)\bfind `),
		"list":   regexp.MustCompile(`(?i)\blist `),
		"read":   regexp.MustCompile(`(?i)\b(?:read|look) `),
		"get":    regexp.MustCompile(`(?i)\blook `),
		"send":   regexp.MustCompile(`(?i)\bsend `),
		"verify": regexp.MustCompile(`(?i)\bverify `),
	}
})

func readRequestWords(q *request) *reader {
	r := &reader{observed: map[string]string{}}
	for _, raw := range q.Tools {
		var t struct {
			Function struct {
				Name       string
				Parameters json.RawMessage
			}
			Name   string
			Schema json.RawMessage `json:"input_schema"`
		}
		if json.Unmarshal(raw, &t) != nil {
			continue
		}
		name, takes := t.Function.Name, t.Function.Parameters
		if name == "" {
			name, takes = t.Name, t.Schema
		}
		var s struct {
			Properties map[string]struct{ Type string }
		}
		if json.Unmarshal(takes, &s) != nil {
			continue
		}
		m := means{name: name, params: map[string]bool{}}
		m.verb, _, _ = strings.Cut(name, "_")
		for p, of := range s.Properties {
			m.params[p] = of.Type == "array"
		}
		r.tools = append(r.tools, m)
	}
	calls := map[string]string{}
	for _, m := range q.Messages {
		for _, c := range m.ToolCalls {
			calls[c.ID] = callSignature(c.Function.Name, c.Function.Arguments)
		}
		switch m.Role {
		case "system":
			r.system += m.Content + "\n"
		case "user":
			r.user += m.Content + "\n"
		case "tool":
			r.observed[calls[m.ToolCallID]] = m.Content
			r.answers = append(r.answers, m.Content)
		}
	}
	r.rules, r.words = splitSentences(r.system), splitSentences(r.user)
	return r
}

func splitSentences(text string) (all []string) {
	for line := range strings.Lines(text) {
		for _, s := range sentence().Split(strings.TrimSpace(line), -1) {
			if s = strings.TrimSpace(strings.TrimPrefix(s, "- ")); s != "" && !slices.Contains(all, s) {
				all = append(all, s)
			}
		}
	}
	return all
}

// findChanges returns the changes that the user asks for, in order.
func (r *reader) findChanges() (all []change) {
	for _, s := range r.words {
		asked, _, _ := strings.Cut(s, ", and verify")
		if c, ok := r.parseChange(asked); ok {
			all = append(all, c)
		}
	}
	return all
}

func (r *reader) parseChange(s string) (c change, ok bool) {
	ids := idWord().FindAllString(s, -1)
	if m := setKey().FindStringSubmatch(s); m != nil {
		return change{"write", []string{m[3]}, map[string]any{"key": m[1], "value": m[2]}}, true
	}
	if m := appendLine().FindStringSubmatch(s); m != nil {
		return change{"append", pathWord().FindAllString(m[2], -1), map[string]any{"line": m[1]}}, true
	}
	if m := amountOf().FindStringSubmatch(s); m != nil && len(ids) > 0 {
		n, _ := strconv.ParseFloat(m[1]+m[4], 64)
		return change{"set", ids, map[string]any{"item_id": m[2] + m[3], "quantity": n}}, true
	}
	if m := goTo().FindStringSubmatch(s); m != nil && len(ids) > 0 {
		return change{"change", ids, map[string]any{"address": strings.TrimSpace(m[1])}}, true
	}
	for _, verb := range []string{"cancel", "return", "delete", "move"} {
		if !synonyms()[verb].MatchString(s) {
			continue
		}
		c = change{verb: verb, targets: ids, more: map[string]any{}}
		if m := ofOrder().FindStringSubmatch(s); m != nil && verb == "return" {
			for _, item := range listed().Split(m[1], -1) {
				words := strings.Fields(strings.ToLower(item))
				if len(words) > 0 {
					c.more["items"] = append(toTexts(c.more["items"]), words[len(words)-1])
				}
			}
		}
		if len(ids) == 0 {
			c.targets = r.findPaths(s)
		}
		if m := intoFolder().FindStringSubmatch(s); m != nil && verb == "move" {
			c.more["folder"] = m[1]
			c.targets = slices.DeleteFunc(c.targets, func(p string) bool { return p == m[1] })
		}
		return c, len(c.targets) > 0
	}
	return c, false
}

func toTexts(v any) []string { all, _ := v.([]string); return all }

// findPaths returns the paths in a sentence. If file names have no folder, they get the
// folder that the sentence names.
func (r *reader) findPaths(s string) (all []string) {
	for _, p := range pathWord().FindAllString(s, -1) {
		if strings.Contains(path.Base(p), ".") {
			all = append(all, p)
		}
	}
	if m := fromFolder().FindStringSubmatch(s); m != nil && len(all) == 0 {
		for _, f := range fileWord().FindAllString(s, -1) {
			all = append(all, path.Join(m[1], f))
		}
	}
	return all
}

// chooseTool returns the tool for a verb, or nil if there is none. If one tool takes a
// list of targets and another tool takes a single target, these rules decide:
//
//   - A rule with "one by one" selects the tool for a single target.
//   - A rule with "single" selects the tool for a list.
//   - Without such a rule, several selects the tool for a list.
func (r *reader) chooseTool(verb string, several bool) *means {
	var one, many *means
	for i := range r.tools {
		t := &r.tools[i]
		if t.verb != verb {
			continue
		}
		list := false
		for _, l := range t.params {
			list = list || l
		}
		if list && many == nil {
			many = t
		} else if !list && one == nil {
			one = t
		}
	}
	switch {
	case one == nil || many == nil:
		if one == nil {
			return many
		}
		return one
	case r.hasRule(verb, "one by one"):
		several = false
	case r.hasRule(verb, "single"):
		several = true
	}
	if several {
		return many
	}
	return one
}

// hasRule reports whether a rule about the verb contains the given words.
func (r *reader) hasRule(verb, words string) bool {
	return slices.ContainsFunc(r.rules, func(s string) bool {
		at := synonyms()[verb]
		return at != nil && at.MatchString(s) && strings.Contains(s, words)
	})
}

// findNamedTool returns the tool that a clause names, or nil. The clause must contain the
// tool's verb, and the tool's noun or the word "each". If writes is true, the verb must
// be send. Otherwise it must be another verb.
func (r *reader) findNamedTool(clause string, writes bool) *means {
	for i := range r.tools {
		t := &r.tools[i]
		at := synonyms()[t.verb]
		if at == nil || !at.MatchString(clause) || writes != (t.verb == "send") {
			continue
		}
		_, noun, _ := strings.Cut(t.name, "_")
		if strings.Contains(clause, noun) || strings.Contains(clause, "each") {
			return t
		}
	}
	return nil
}

// newCall returns a call of a tool for one target.
func (r *reader) newCall(t *means, target string, more map[string]any) env.Call {
	c := env.Call{Name: t.name, Arguments: map[string]any{}}
	for p, list := range t.params {
		switch v, ok := more[p]; {
		case ok:
			c.Arguments[p] = v
		case p == "email":
			c.Arguments[p] = emailWord().FindString(r.user)
		case p == "folder":
			c.Arguments[p] = path.Dir(target)
		case list:
			c.Arguments[p] = []string{target}
		default:
			c.Arguments[p] = target
		}
	}
	return c
}

// planCalls returns the calls that the planner makes in this run. Calls that need an
// answer which is not known yet are left out. The function falls reports whether the
// planner makes a given type of mistake.
func (r *reader) planCalls(falls func(kind string) bool) (steps []env.Call) {
	add := func(c env.Call) {
		raw, err := json.Marshal(c.Arguments)
		if err != nil {
			return
		}
		if !slices.ContainsFunc(steps, func(s env.Call) bool {
			other, err := json.Marshal(s.Arguments)
			return err == nil && s.Name == c.Name && string(other) == string(raw)
		}) {
			steps = append(steps, c)
		}
	}
	all := r.findChanges()
	if len(all) == 0 {
		return nil
	}
	if last := &all[len(all)-1]; falls("under-action") && len(last.targets) > 1 {
		last.targets = last.targets[:len(last.targets)-1]
	}
	looks := func() {
		for _, c := range all {
			for _, look := range r.planReads(&c) {
				add(look)
			}
		}
	}
	late := falls("start-boundary")
	if !late {
		looks()
	}
	for _, c := range all {
		for _, step := range r.carryOut(&c, falls) {
			add(step)
		}
	}
	if late {
		looks()
	}
	if falls("over-action") {
		if extra, ok := r.extraCall(all); ok {
			if add(extra); strings.HasPrefix(extra.Name, "list_") {
				return steps // the list's answer is needed first
			}
		}
	}
	if falls("end-boundary") {
		return steps
	}
	for _, after := range r.atEnd(all) {
		add(after)
	}
	return steps
}

// planReads returns the reading calls that the rules require before a change.
func (r *reader) planReads(c *change) (looks []env.Call) {
	for _, s := range r.rules {
		if rest, ok := strings.CutPrefix(s, "Before you change anything, "); ok {
			for _, clause := range regexp.MustCompile(`,? and `).Split(rest, -1) {
				if t := r.findNamedTool(clause, false); t != nil {
					for _, target := range c.targets {
						looks = append(looks, r.newCall(t, target, nil))
					}
				}
			}
			continue
		}
		for _, clause := range strings.Split(s, ", and ") {
			what, when, ok := strings.Cut(clause, " before you ")
			edits := ok && strings.HasPrefix(when, "edit") && (c.verb == "write" || c.verb == "append")
			if at := synonyms()[c.verb]; !ok || !edits && (at == nil || !at.MatchString(when)) {
				continue
			}
			if t := r.findNamedTool(what+" ", false); t != nil {
				for _, target := range c.targets {
					looks = append(looks, r.newCall(t, target, nil))
				}
			}
		}
		if at := synonyms()[c.verb]; at != nil && at.MatchString(s) && strings.Contains(s, "a look at each") {
			if t := r.findNamedTool("look at each", false); t != nil {
				for _, target := range c.targets {
					looks = append(looks, r.newCall(t, target, nil))
				}
			}
		}
	}
	return looks
}

// carryOut returns the calls for one change, and then the calls that the rules require
// after such a change.
func (r *reader) carryOut(c *change, falls func(string) bool) (steps []env.Call) {
	items := toTexts(c.more["items"])
	several := len(c.targets) > 1 || len(items) > 1
	t := r.chooseTool(c.verb, several)
	if other := r.otherTool(t, c.verb); other != nil && (falls("over-granular") && several && takesList(t) || falls("under-granular") && several && !takesList(t)) {
		t = other
	}
	if t == nil {
		return nil
	}
	var targets [][]string
	switch list := takesList(t); {
	case items != nil && list:
		targets = [][]string{items}
	case items != nil:
		for _, i := range items {
			targets = append(targets, []string{i})
		}
	case list:
		targets = [][]string{c.targets}
	default:
		for _, one := range c.targets {
			targets = append(targets, []string{one})
		}
	}
	for _, group := range targets {
		more := map[string]any{}
		for k, v := range c.more {
			more[k] = v
		}
		target := c.targets[0]
		if items == nil {
			target = group[0]
		}
		for p, list := range t.params {
			switch {
			case list:
				more[p] = group
			case p == "item_id" && items != nil:
				more[p] = group[0]
			case p == "content":
				more[p] = r.editedText(target, c)
			}
		}
		steps = append(steps, r.newCall(t, target, more))
	}
	if !falls("end-boundary") {
		for _, s := range r.rules {
			rest, ok := strings.CutPrefix(s, "After a")
			if head, _, _ := strings.Cut(rest, " send "); !ok || !synonyms()["send"].MatchString(rest) || synonyms()[c.verb] == nil || !synonyms()[c.verb].MatchString(strings.ReplaceAll(head, "cancellation", "cancel")) {
				continue
			}
			if t := r.findNamedTool(rest, true); t != nil {
				for _, target := range c.targets {
					steps = append(steps, r.newCall(t, target, nil))
				}
			}
		}
	}
	return steps
}

func takesList(t *means) bool {
	if t == nil {
		return false
	}
	for _, list := range t.params {
		if list {
			return true
		}
	}
	return false
}

// otherTool returns the tool for verb that takes a list if t takes a single target, or a
// single target if t takes a list. It returns nil if there is no such tool, or if t is
// nil.
func (r *reader) otherTool(t *means, verb string) *means {
	for i := range r.tools {
		if o := &r.tools[i]; t != nil && o.verb == verb && takesList(o) != takesList(t) {
			return o
		}
	}
	return nil
}

// editedText returns a file's text with one changed setting. If the file was not read, or
// does not have the setting, it returns only the setting.
func (r *reader) editedText(target string, c *change) string {
	key, _ := c.more["key"].(string)
	value, _ := c.more["value"].(string)
	for _, look := range r.planReads(c) {
		raw, err := json.Marshal(look.Arguments)
		if err != nil {
			continue
		}
		if text, ok := r.observed[callSignature(look.Name, string(raw))]; ok {
			setting := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(key) + `(\s*[=:]\s*).*$`)
			if setting.MatchString(text) {
				return setting.ReplaceAllString(text, key+"${1}"+strings.ReplaceAll(value, "$", "$$"))
			}
		}
	}
	return key + "=" + value + "\n"
}

// extraCall returns a call that the user did not ask for. It repeats the last change, for
// a similar target. The target comes from a tool's answer, and the user did not mention
// it. If there is no such target, extraCall returns a call that lists targets. The second
// result is false if neither call is possible.
func (r *reader) extraCall(all []change) (env.Call, bool) {
	last := all[len(all)-1]
	t := r.chooseTool(last.verb, false)
	if t == nil || last.more["items"] != nil {
		return env.Call{}, false
	}
	want := similarPattern(last.targets[0])
	for _, a := range r.answers {
		for _, m := range regexp.MustCompile(`[\w./-]+`).FindAllString(a, -1) {
			if !want.MatchString(m) || strings.Contains(r.user, path.Base(m)) {
				continue
			}
			more := map[string]any{}
			for k, v := range last.more {
				more[k] = v
			}
			if takesList(t) {
				for p, list := range t.params {
					if list {
						more[p] = []string{m}
					}
				}
			}
			return r.newCall(t, m, more), true
		}
	}
	for i := range r.tools {
		l := &r.tools[i]
		for p := range l.params {
			if l.verb != "list" || len(l.params) != 1 || !strings.HasSuffix(p, "_id") {
				continue
			}
			for _, a := range r.answers {
				if id := idWord().FindString(a); id == a && id != "" { // an answer that consists of an id
					return env.Call{Name: l.name, Arguments: map[string]any{p: id}}, true
				}
			}
		}
	}
	return env.Call{}, false
}

// similarPattern makes a regular expression that matches similar targets. For an id,
// these are the ids with the same letters and any digits. For a path, these are the paths
// of the same form.
func similarPattern(target string) *regexp.Regexp {
	parts := regexp.MustCompile(`[A-Za-z]+|\d+`)
	form := parts.ReplaceAllStringFunc(regexp.QuoteMeta(target), func(w string) string {
		switch {
		case w[0] >= '0' && w[0] <= '9':
			return `\d+`
		case strings.HasPrefix(target, "/"):
			return `\w+`
		}
		return w
	})
	return regexp.MustCompile(`^` + form + `$`)
}

// atEnd returns the calls that the rules require at the end of a task.
func (r *reader) atEnd(all []change) (steps []env.Call) {
	for _, s := range r.rules {
		rest, ok := strings.CutPrefix(s, "After the last change of a task ")
		if !ok || !strings.HasPrefix(rest, "append one line to ") {
			continue
		}
		if t := r.chooseTool("append", false); t != nil {
			steps = append(steps, r.newCall(t, pathWord().FindString(rest), map[string]any{"line": "done"}))
		}
	}
	if !strings.Contains(r.user, "verify") || !slices.ContainsFunc(r.rules, func(s string) bool { return strings.Contains(s, "asks for it, verify") }) {
		return steps
	}
	_, what, _ := strings.Cut(r.user, "verify")
	t := r.chooseTool("verify", false)
	last := all[len(all)-1]
	target := last.targets[len(last.targets)-1]
	if folder, ok := last.more["folder"].(string); ok {
		target = path.Join(folder, path.Base(target))
	}
	if p := append(pathWord().FindAllString(what, 1), idWord().FindAllString(what, 1)...); len(p) > 0 {
		target = p[0]
	}
	if t != nil {
		steps = append(steps, r.newCall(t, target, nil))
	}
	return steps
}

// plannedAnswer returns the planner's next text or call.
func (p *Policy) plannedAnswer(q *request) (text string, call *env.Call) {
	r := readRequestWords(q)
	steps := r.planCalls(func(kind string) bool { return p.makesPlanMistake(q, kind, r.user) })
	if len(steps) == 0 {
		return "I cannot help with that.", nil
	}
	next := nextCall(q, steps)
	if next != nil {
		return "", next
	}
	return "This is done.", nil
}

// makesPlanMistake reports whether the planner makes a type of mistake in this run. All
// of these must be true:
//
//   - The policy allows the mistake.
//   - The random number from the seed selects the mistake.
//   - No instruction in the request prevents the mistake.
func (p *Policy) makesPlanMistake(q *request, kind, user string) bool {
	first, _, _ := strings.Cut(user, "\n")
	if !slices.Contains(p.Blind, kind) || drawRandom("slips", kind, q.seedText(), first) >= p.Rate {
		return false
	}
	return !hasWarning(q, kind)
}
