package machine

import (
	"errors"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/match"
	"github.com/boundcheck/boundcheck/core/base/path"
	"github.com/boundcheck/boundcheck/core/gate/naming"
	"github.com/boundcheck/boundcheck/core/gate/preview"
)

// readTools reads the member "tools" of a policy. For each name or pattern it has "yes",
// "no" or "control", or an object with the members "mutating", "shell", "deny" and
// "expiry".
func (r *reader) readTools(v jsonval.Value, p *Policy) {
	r.readMembers(v, "tools", func(name string, m jsonval.Value) {
		r.checkPattern(m, name)
		t := p.toolRule(name)
		what := "tool " + name
		if m.Kind() == jsonval.String {
			t.Mutating = r.readWord(m, what, "yes", "no", "control")
		} else {
			r.readObject(m, what, map[string]func(jsonval.Value){
				"mutating": func(m jsonval.Value) { t.Mutating = r.readWord(m, "mutating of "+what, "yes", "no", "control") },
				"shell":    func(m jsonval.Value) { t.Shell = r.readShell(m).String() },
				"deny":     func(m jsonval.Value) { t.Deny = r.readString(m, "deny of "+what) },
				"expiry":   func(m jsonval.Value) { t.Expiry = r.readDuration(m, "expiry of "+what) },
				"wait":     func(m jsonval.Value) { t.Wait = r.readDuration(m, "wait of "+what) },
				"preview":  func(m jsonval.Value) { t.Preview = r.readPreview(m, "preview of "+what) },
			})
			switch {
			case t.Mutating != "" && t.Shell != "":
				r.fail(m, "invalid %s: it has both mutating and shell, but the shell matters only if the command lines decide; want one of them", what)
			case t.Preview != nil:
				r.checkPreview(m.Get("preview"), name, t.Preview.Tool)
			}
		}
	})
}

func (r *reader) readPreview(v jsonval.Value, what string) *preview.Call {
	c, err := preview.Read(v.Text())
	if err != nil {
		r.fail(v, "invalid %s: %v", what, err)
	}
	return c
}

// checkPreview checks that the server of a tool has the tool of its preview.
func (r *reader) checkPreview(v jsonval.Value, tool, read string) {
	server, of := naming.ServerOf(tool), naming.ServerOf(read)
	switch {
	case naming.IsPattern(read):
		r.fail(v, "invalid preview of tool %s: %q is a pattern; want the exact name of one tool of the same server", tool, read)
	case of != "" && server != "" && of != server:
		r.fail(v, "invalid preview of tool %s: %s is a tool of another server; want one of the same server, such as get_order(order_id)", tool, read)
	}
}

// toolRule returns the policy's rule for a name or a pattern, so that the caller can
// change it. It adds an empty rule if there is none.
func (p *Policy) toolRule(name string) *ToolRule {
	if naming.IsPattern(name) {
		for i := range p.Patterns {
			if p.Patterns[i].Pattern == name {
				return &p.Patterns[i].ToolRule
			}
		}
		p.Patterns = append(p.Patterns, ToolPattern{Pattern: name})
		return &p.Patterns[len(p.Patterns)-1].ToolRule
	}
	if p.Tools == nil {
		p.Tools = map[string]*ToolRule{}
	}
	if p.Tools[name] == nil {
		p.Tools[name] = &ToolRule{}
	}
	return p.Tools[name]
}

func (r *reader) fourEyes(v jsonval.Value, p *Policy) {
	if v.Kind() != jsonval.Array {
		r.fail(v, "invalid fourEyes: want an array of tool names, saw %s", v.Kind())
		return
	}
	for _, m := range v.Elements() {
		name := r.readString(m, "name in fourEyes")
		r.checkPattern(m, name)
		p.toolRule(name).FourEyes = true
	}
}

// readConversation reads the names of the tools that an agent's conversation may decide.
// An empty list allows none. Patterns are refused, because the list can make the gate
// milder.
func (r *reader) readConversation(v jsonval.Value, p *Policy) {
	if v.Kind() != jsonval.Array {
		r.fail(v, "invalid conversation: want an array of tool names, saw %s", v.Kind())
		return
	}
	p.Conversation = map[string]bool{}
	for _, m := range v.Elements() {
		p.Conversation[r.exactName(m, "name in conversation")] = true
	}
}

func (r *reader) readAllow(v jsonval.Value, p *Policy) {
	if v.Kind() != jsonval.Array {
		r.fail(v, "invalid allow: want an array of rules, saw %s", v.Kind())
		return
	}
	for _, m := range v.Elements() {
		var a AllowRule
		before := len(r.faults)
		r.readObject(m, "a rule in allow", map[string]func(jsonval.Value){
			"name":        func(m jsonval.Value) { a.Name = r.readString(m, "name") },
			"tool":        func(m jsonval.Value) { a.Tool = r.exactName(m, "tool") },
			"until":       func(m jsonval.Value) { a.Until = r.readInstant(m, "until") },
			"destructive": func(m jsonval.Value) { a.Destructive = r.readBool(m, "destructive") },
			"openWorld":   func(m jsonval.Value) { a.OpenWorld = r.readBool(m, "openWorld") },
			"digest":      func(m jsonval.Value) { a.Digest = r.readDigest(m) },
			"when":        func(m jsonval.Value) { r.readConditions(m, &a, nil) },
		})
		if !r.failed(before) && (a.Name == "" || a.Tool == "" || a.Until == 0 || m.Get("when").Exists() == m.Get("digest").Exists()) {
			r.fail(m, "invalid rule in allow: want name, tool, until and when (a condition on every argument, {} for no arguments), or digest (of one call) in place of when")
		}
		p.Allow = append(p.Allow, a)
	}
}

// readDigest reads the digest of a call in the form that a prompt shows.
func (r *reader) readDigest(v jsonval.Value) string {
	s, _ := v.Str()
	digits, ok := strings.CutPrefix(s, "sha256:")
	if !ok || len(digits) != 64 || strings.Trim(digits, "0123456789abcdef") != "" {
		r.fail(v, "invalid digest: want sha256: and 64 hexadecimal digits in lower case, as a prompt shows it, saw %.40s", v.Raw())
	}
	return s
}

// readConditions reads the conditions of a rule that allows. rule is nil outside the list of
// rules.
func (r *reader) readConditions(v jsonval.Value, a *AllowRule, rule *Rule) {
	r.readMembers(v, "when", func(name string, m jsonval.Value) {
		argument, err := path.CompilePlaces(name)
		switch {
		case err != nil:
			r.fail(m, "invalid condition: %v; want the path of an argument, such as items.#.id", err)
		case argument.Wild():
			r.fail(m, "invalid condition on %s: the name must not contain * or ?, because the rule makes the gate less strict. Write # for every element", name)
		}
		matcher := r.takeSources(name, m, r.readScalarMatcher(name, m), rule)
		if matcher == nil {
			matcher = match.Any()
		}
		a.When = append(a.When, Condition{argument, matcher})
	})
}

// readMatcher reads what the values of an argument may be.
func (r *reader) readMatcher(name string, v jsonval.Value) *match.Matcher {
	m, err := match.Read(v)
	if err != nil {
		r.failMatcher("invalid condition on "+name, err)
	}
	return m
}

// failMatcher adds an error of package match, which knows its value.
func (r *reader) failMatcher(what string, err error) {
	var at *match.Error
	if errors.As(err, &at) {
		r.fail(at.At, "%s: %s", what, at.Msg)
	}
}

// readScalarMatcher reads a matcher of a rule that allows. Its conditions are about each
// scalar of the arguments, so what is true only of lists and objects would never hold.
func (r *reader) readScalarMatcher(name string, v jsonval.Value) *match.Matcher {
	for _, word := range [...]string{"equals", "oneOf"} {
		values := []jsonval.Value{v.Get(word)}
		if word == "oneOf" {
			values = values[0].Elements()
		}
		for _, e := range values {
			if k := e.Kind(); k == jsonval.Array || k == jsonval.Object || k == jsonval.Null {
				r.fail(e, "invalid value in a condition: want a string, number or boolean, saw %s", k)
			}
		}
	}
	if v.Get("setOf").Exists() {
		r.fail(v, "invalid condition on %s: setOf is about a list, but a rule that allows has a condition on each of its elements. Write %s.# and oneOf", name, name)
	}
	return r.readMatcher(name, v)
}

// readDefinitions reads the tools that the operator defines. Their hints are trusted,
// because the operator wrote them.
func (r *reader) readDefinitions(v jsonval.Value, p *Policy) {
	tools, err := mutation.ReadTools(v)
	if err != nil {
		r.fail(v, "invalid definitions: %v; want a list of tools as MCP or a model's API has them", err)
		return
	}
	for i := range tools {
		tools[i].Trusted = true
	}
	p.Definitions = tools
}
