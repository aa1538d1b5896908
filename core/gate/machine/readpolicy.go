package machine

import (
	"fmt"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/match"
)

// ReadPolicy reads a policy in the JSON form that docs/gate-policy.md describes. An unknown or
// repeated member is an error, so that a misspelt rule is noticed. The error is a
// *jsonval.SyntaxError if the text is not JSON, and otherwise Faults.
func ReadPolicy(text string) (*Policy, error) { return ReadPolicyIn(text, nil) }

// ReadPolicyIn also sets the clock of time zones, as SetZone does. A nil clock is none.
func ReadPolicyIn(text string, zone Zone) (*Policy, error) {
	v, err := jsonval.Parse(text)
	if err != nil {
		return nil, err
	}
	p := Default()
	p.Version, p.Zone = TextHash(text), zone
	r := reader{text: text, zone: zone}
	var rules, groups, edits, remember, escalate, bypass, delegate jsonval.Value
	r.readObject(v, "the policy", map[string]func(jsonval.Value){
		"mode":             func(m jsonval.Value) { p.Mode = r.readWord(m, "mode", Strict, Faithful) },
		"expiry":           func(m jsonval.Value) { p.Expiry = r.readDuration(m, "expiry") },
		"outcomeWithin":    func(m jsonval.Value) { p.Grace = r.readDuration(m, "outcomeWithin") },
		"cooldown":         func(m jsonval.Value) { p.Cooldown = r.readCooldown(m) },
		"guidance":         func(m jsonval.Value) { p.Guidance = r.readString(m, "guidance") },
		"tools":            func(m jsonval.Value) { r.readTools(m, p) },
		"fourEyes":         func(m jsonval.Value) { r.fourEyes(m, p) },
		"allow":            func(m jsonval.Value) { r.readAllow(m, p) },
		"hosts":            func(m jsonval.Value) { r.readHosts(m, p) },
		"shell":            func(m jsonval.Value) { p.InShell = r.readShell(m) },
		"readOnlyCommands": func(m jsonval.Value) { p.Reads = r.readPlainLines(m) },
		"definitions":      func(m jsonval.Value) { r.readDefinitions(m, p) },
		"conversation":     func(m jsonval.Value) { r.readConversation(m, p) },
		"ungrounded":       func(m jsonval.Value) { p.Ungrounded = r.readWord(m, "ungrounded", Hold, Deny) },
		"hostedTools":      func(m jsonval.Value) { p.Hosted = r.readHosted(m) },
		"rules":            func(m jsonval.Value) { rules = m },
		"remember":         func(m jsonval.Value) { remember = m },
		"escalate":         func(m jsonval.Value) { escalate = m },
		"bypass":           func(m jsonval.Value) { bypass = m },
		"delegate":         func(m jsonval.Value) { delegate = m },
		"edit":             func(m jsonval.Value) { edits = m },
		"groups":           func(m jsonval.Value) { groups = m },
		"readings":         func(m jsonval.Value) { r.readReadings(m, p) },
		"claim":            func(m jsonval.Value) { p.ClaimAllowed = r.readWord(m, "claim", "counted", "allowed") == "allowed" },
		"audit":            func(m jsonval.Value) { r.readAudit(m, p) },
		"retention":        func(m jsonval.Value) { r.readRetention(m, p) },
	})
	known := r.readGroups(groups)
	r.readRules(rules, known, p)
	r.readEdits(edits, known, p)
	r.readRemember(remember, known, p)
	r.readEscalate(escalate, known, p)
	r.readDelegate(delegate, known, p)
	if bypass.Exists() {
		p.bypass = r.readFrom(bypass, "bypass", known)
	}
	p.people = r.people
	if len(r.faults) > 0 {
		slices.SortStableFunc(r.faults, func(a, b *jsonval.SyntaxError) int { return a.Offset - b.Offset })
		return nil, r.faults
	}
	p.table = tableOf(p.Tools)
	return p, nil
}

func tableOf(rules map[string]*ToolRule) mutation.Table {
	table := mutation.Table{}
	for name, t := range rules {
		switch t.Mutating {
		case "yes":
			table[name] = mutation.Entry{Mutating: mutation.Yes}
		case "no":
			table[name] = mutation.Entry{Mutating: mutation.No}
		case "control":
			table[name] = mutation.Entry{Mutating: mutation.No, Control: true}
		default:
			if shell, err := mutation.ReadShell(t.Shell); err == nil {
				table[name] = mutation.Entry{Runs: true, Shell: shell}
			}
		}
	}
	return table
}

// Faults are all errors of a policy, in the order of its text. Each has its line and column,
// and says what is accepted.
type Faults []*jsonval.SyntaxError

// Error returns the errors, one a line.
func (f Faults) Error() string {
	lines := make([]string, len(f))
	for i, e := range f {
		lines[i] = e.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns the errors.
func (f Faults) Unwrap() []error {
	out := make([]error, len(f))
	for i, e := range f {
		out[i] = e
	}
	return out
}

// reader collects the errors of a policy.
type reader struct {
	text   string
	zone   Zone
	faults Faults
	people []person
}

// person is a name of an approver in a policy.
type person struct {
	name, what string
	at         *jsonval.SyntaxError // without a text
}

// Strangers returns an error for each name of an approver in the policy that is not one of the
// known ones: nobody can act under it.
func (p *Policy) Strangers(known []string) (out Faults) {
	for _, x := range p.people {
		if !slices.Contains(known, x.name) {
			e := *x.at
			e.Msg = fmt.Sprintf("unknown approver %q in %s%s. The approvers of the keys are %s", x.name, x.what, match.Hint(x.name, known), orNone(known))
			out = append(out, &e)
		}
	}
	slices.SortFunc(out, func(a, b *jsonval.SyntaxError) int { return a.Offset - b.Offset })
	return out
}

// mostFaults is the number of errors that are reported at once.
const mostFaults = 100

// fail adds an error. Of one value, only the first error counts.
func (r *reader) fail(v jsonval.Value, format string, a ...any) {
	if len(r.faults) < mostFaults && !slices.ContainsFunc(r.faults, func(e *jsonval.SyntaxError) bool { return e.Offset == v.Offset() }) {
		r.faults = append(r.faults, jsonval.ErrorAt(r.text, v.Offset(), fmt.Sprintf(format, a...)))
	}
}

// failed reports whether there were errors since there were n. What is missing because a
// part could not be read is no error of its own.
func (r *reader) failed(n int) bool { return len(r.faults) > n }

// readObject reads an object with a fixed set of members. The map known has a function
// for the name of each allowed member, and readObject calls this function with the
// member's value. Unknown and repeated members are errors.
func (r *reader) readObject(v jsonval.Value, what string, known map[string]func(jsonval.Value)) {
	if v.Kind() != jsonval.Object {
		r.fail(v, "invalid %s: want an object, saw %s", what, v.Kind())
		return
	}
	seen := map[string]bool{}
	v.Each(func(key string, m jsonval.Value) bool {
		read := known[key]
		switch {
		case read == nil:
			r.fail(m, "unknown member %q of %s%s. The known members are %s", key, what, match.Hint(key, memberNames(known)), strings.Join(memberNames(known), ", "))
		case seen[key]:
			r.fail(m, "the member %q of %s appears twice; want it once", key, what)
		default:
			read(m)
		}
		seen[key] = true
		return true
	})
}

// readMembers reads an object whose member names are free, such as names of tools. It
// passes each member to the function read. It refuses empty and repeated names.
func (r *reader) readMembers(v jsonval.Value, what string, read func(name string, m jsonval.Value)) {
	if v.Kind() != jsonval.Object {
		r.fail(v, "invalid %s: want an object, saw %s", what, v.Kind())
		return
	}
	seen := map[string]bool{}
	v.Each(func(key string, m jsonval.Value) bool {
		if seen[key] || key == "" {
			r.fail(m, "invalid %s: the name %q is empty or appears twice; want each name once", what, key)
		} else {
			read(key, m)
		}
		seen[key] = true
		return true
	})
}

func (r *reader) readString(v jsonval.Value, what string) string {
	s, ok := v.Str()
	switch {
	case !ok:
		r.fail(v, "invalid %s: want a string, saw %s", what, v.Kind())
	case strings.TrimSpace(s) == "":
		r.fail(v, "invalid %s: want a text, saw an empty one", what)
	}
	return s
}

// readName reads a text that is compared with names, in which a blank at an end is a
// mistake.
func (r *reader) readName(v jsonval.Value, what string) string {
	name := r.readString(v, what)
	if plain, _ := match.Plain(name); plain != name {
		r.fail(v, "invalid %s %q: it has blanks around it, or characters that show nothing or look like others; want %q", what, name, plain)
	}
	return name
}

func (r *reader) readWord(v jsonval.Value, what string, words ...string) string {
	s, _ := v.Str()
	for _, w := range words {
		if s == w {
			return s
		}
	}
	r.fail(v, "invalid %s: want %s, saw %.40s%s", what, strings.Join(words, " or "), v.Raw(), match.Hint(s, words))
	return ""
}

// readShell reads the name of a shell that reads command lines.
func (r *reader) readShell(v jsonval.Value) mutation.Shell {
	word, _ := v.Str()
	shell, err := mutation.ReadShell(word)
	if err != nil {
		r.fail(v, "%v", err)
	}
	return shell
}

// readHosted reads the types of tools that the model's server may run by itself.
func (r *reader) readHosted(v jsonval.Value) []string {
	return r.readNames(v, "hostedTools", func(m jsonval.Value, name string) {
		switch {
		case name == "function" || name == "custom":
			r.fail(m, "invalid hostedTools: the agent runs tools of type %s, so their calls come by the gate; want a type that the model's server runs, such as web_search", name)
		case strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789_-.") != "":
			r.fail(m, "invalid hostedTools: %q is not a type of a tool; want an exact type such as web_search, without * and ?", name)
		}
	})
}

// readPlainLines reads command lines that only read.
func (r *reader) readPlainLines(v jsonval.Value) []string {
	return r.readNames(v, "readOnlyCommands", func(m jsonval.Value, line string) {
		if err := mutation.CheckPlainLine(line); err != nil {
			r.fail(m, "invalid readOnlyCommands: %v; want a plain command line, such as \"git status\"", err)
		}
	})
}

func (r *reader) readBool(v jsonval.Value, what string) bool {
	b, ok := v.Bool()
	if !ok {
		r.fail(v, "invalid %s: want true or false, saw %s", what, v.Kind())
	}
	return b
}

// readDuration reads a time such as "15m" and returns it in milliseconds. It must be at
// least a second and at most a week.
func (r *reader) readDuration(v jsonval.Value, what string) int64 {
	s, _ := v.Str()
	d, err := time.ParseDuration(s)
	if err != nil || d < time.Second || d > 7*24*time.Hour {
		r.fail(v, "invalid %s: want a time between 1s and 168h such as \"15m\", saw %.40s", what, v.Raw())
	}
	return d.Milliseconds()
}

// readCooldown reads a duration, or "none".
func (r *reader) readCooldown(v jsonval.Value) int64 {
	if s, _ := v.Str(); s == "none" {
		return 0
	}
	return r.readDuration(v, "cooldown (or \"none\")")
}

func (r *reader) readInstant(v jsonval.Value, what string) int64 {
	s, _ := v.Str()
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		r.fail(v, "invalid %s: want a time such as \"2027-01-31T12:00:00Z\", saw %.40s", what, v.Raw())
	}
	return t.UnixMilli()
}

func memberNames(known map[string]func(jsonval.Value)) (all []string) {
	for name := range known {
		all = append(all, name)
	}
	sort.Strings(all)
	return all
}
