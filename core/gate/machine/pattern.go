package machine

import (
	"maps"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/match"
	"github.com/boundcheck/boundcheck/core/gate/naming"
)

// ToolPattern is a rule for all tools whose name matches a pattern, in which * matches
// any number of characters, even none, and ? matches one.
type ToolPattern struct {
	Pattern string
	ToolRule
}

// Rule returns the policy's rule for a tool. named is false if the policy has neither the
// name of the tool nor a pattern that matches it. Deny and FourEyes apply if the rule for
// the exact name, for any matching pattern, or for a name that may mean the same tool has
// them. Mutating, Shell and Expiry come from
// the rule for the exact name. If this rule does not set them, they come from the strictest
// matching pattern.
func (p *Policy) Rule(tool string) (rule ToolRule, named bool) {
	var exact ToolRule
	if known := p.Tools[tool]; known != nil {
		exact, named = *known, true
	}
	rule = exact
	read := naming.Read(tool)
	for _, name := range slices.Sorted(maps.Keys(p.Tools)) {
		if read.Fits(name) == match.Unknown {
			rule.addStrict(p.Tools[name])
			if other := p.Tools[name].Mutating; other == "yes" && exact.Mutating == "" {
				rule.Mutating, named = other, true
			}
		}
	}
	for i := range p.Patterns {
		r := &p.Patterns[i]
		fits := read.Fits(r.Pattern)
		if fits != match.No {
			rule.addStrict(&r.ToolRule)
		}
		if fits != match.Yes {
			continue
		}
		if named = true; rule.Preview == nil {
			rule.Preview = r.Preview
		}
		if exact.Mutating == "" && strictnessRank(r.Mutating) > strictnessRank(rule.Mutating) {
			rule.Mutating = r.Mutating
		}
		if exact.Shell == "" && shellRank(r.Shell) > shellRank(rule.Shell) {
			rule.Shell = r.Shell
		}
		if exact.Expiry == 0 && r.Expiry > 0 && (rule.Expiry == 0 || r.Expiry < rule.Expiry) {
			rule.Expiry = r.Expiry
		}
	}
	return rule, named
}

// addStrict adds what makes a rule stricter.
func (t *ToolRule) addStrict(other *ToolRule) {
	if t.Deny == "" {
		t.Deny = other.Deny
	}
	t.FourEyes = t.FourEyes || other.FourEyes
	t.Wait = max(t.Wait, other.Wait)
}

// strictnessRank returns the rank of a value of "mutating". In ascending order, the
// values are "", "control", "no" and "yes".
func strictnessRank(word string) int {
	return slices.Index([]string{"", "control", "no", "yes"}, word)
}

// shellRank returns the rank of a value of "shell". In ascending order, the values are "",
// "posix", "unknown" and "windows".
func shellRank(word string) int {
	return slices.Index([]string{"", "posix", "unknown", "windows"}, word)
}

// tableFor returns a table for the classifier that contains the policy's rule for the
// given tool, if there is one. It may contain the rules for other tools, too.
func (p *Policy) tableFor(tool string) mutation.Table {
	if len(p.Patterns) == 0 && (len(p.Tools) == 0 || p.Tools[tool] != nil) {
		return p.table
	}
	rule, named := p.Rule(tool)
	if !named {
		return nil
	}
	return tableOf(map[string]*ToolRule{tool: &rule})
}

// checkPattern checks the name of a tool, which may be a pattern. It refuses brackets and
// braces, because they look like parts of a pattern but would match nothing.
func (r *reader) checkPattern(v jsonval.Value, name string) {
	if strings.ContainsAny(name, "[]{}") {
		r.fail(v, "invalid tool name %q: want a name, or a pattern with * and ? and no brackets or braces", name)
	}
}

// exactName reads the name of one tool, for a rule that makes the gate less strict. It
// refuses a pattern.
func (r *reader) exactName(v jsonval.Value, what string) string {
	name := r.readName(v, what)
	if naming.IsPattern(name) || strings.ContainsAny(name, "[]{}") {
		r.fail(v, "invalid %s %q: want the exact name of one tool, not a pattern, because this rule makes the gate less strict", what, name)
	}
	return name
}

// readHosts reads the names of the host tables that the policy selects. A host table is a
// reviewed list of the tools that one agent program has, such as claude-code.
func (r *reader) readHosts(v jsonval.Value, p *Policy) {
	if v.Kind() != jsonval.Array {
		r.fail(v, "invalid hosts: want an array of names of host tables, or [] for no table; saw %s", v.Kind())
		return
	}
	var known, chosen []string
	for _, t := range mutation.HostTables() {
		known = append(known, t.Name)
	}
	for _, m := range v.Elements() {
		name := r.readString(m, "name in hosts")
		if !slices.Contains(known, name) {
			r.fail(m, "unknown host table %q%s. The known host tables are %s", name, match.Hint(name, known), strings.Join(known, ", "))
		}
		chosen = append(chosen, name)
	}
	p.Hosts = mutation.OnlyHosts(chosen...)
}
