package mutation

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/action/readcmd"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// Classifier judges calls by the definitions of known tools, and by the words in the
// names of others. The zero value and a nil *Classifier use the lexicon alone. It is safe
// for use from several goroutines.
type Classifier struct {
	table Table
	tools map[string][]Tool
	shell session
	hosts Hosts

	advisor Advisor

	names nameMemo[start] // starts by tool name
}

// cacheLimit limits the number of names that a Classifier caches: names come from traces.
const cacheLimit = 4096

// New returns a Classifier for tool definitions and the operator's table of overrides.
// Both may be nil. If several definitions have the same name, the strictest counts. New
// does not copy the table, so do not change it afterwards.
func New(tools []Tool, table Table) *Classifier {
	c := &Classifier{table: table}
	if len(tools) > 0 {
		c.tools = make(map[string][]Tool, len(tools))
	}
	for _, t := range tools {
		c.tools[t.Name] = append(c.tools[t.Name], t)
	}
	return c
}

// Reading sets the Classifier's reader of command lines. Call it before the first use.
func (c *Classifier) Reading(shell ShellReader) *Classifier {
	c.shell.reader = shell
	return c
}

// Elsewhere tells the Classifier that the shell runs in a directory with a foreign git
// configuration. Such a configuration can make git run programs, so no git command counts
// as a read. Call Elsewhere before the first use of the Classifier.
func (c *Classifier) Elsewhere() *Classifier {
	c.shell.place = readcmd.Elsewhere
	return c
}

// Classify judges one call of a tool. If the arguments are Missing, it judges the
// strictest call that the schema of the tool allows. Tool names are case-sensitive.
// O(size of the arguments).
func (c *Classifier) Classify(name string, arguments jsonval.Value) Verdict {
	return c.applyAdvice(name, c.weighCall(c.cachedStart(name), arguments))
}

// Once is like Classify, but caches nothing. Use Once for a Classifier that judges only
// one call.
func (c *Classifier) Once(name string, arguments jsonval.Value) Verdict {
	return c.applyAdvice(name, c.weighCall(c.judgeName(name), arguments))
}

// InShell tells the Classifier which shell reads the command lines of the tools whose names
// name none. The operator's table overrides it. Call it before the first use.
func (c *Classifier) InShell(s Shell) *Classifier {
	c.shell.shell = s
	return c
}

// ReadingLines tells the Classifier which command lines only read, as the operator says.
// Each is the whole line of a call, in the session's own directory, and passes
// CheckPlainLine. Call it before the first use.
func (c *Classifier) ReadingLines(lines []string) *Classifier {
	c.shell.reads = lines
	return c
}

// Advisor returns a verdict on a tool from another source, such as a plugin. ok is
// false for a tool that it does not know. Safe for concurrent use.
type Advisor interface {
	Advise(t Tool) (word Tri, reason string, ok bool)
}

// Advised sets the Advisor of the Classifier. If the argument is nil, the Classifier has
// no Advisor. Call Advised before the first use. The Advisor can only make a verdict
// stricter, and cannot change a verdict from the operator's table.
func (c *Classifier) Advised(a Advisor) *Classifier {
	c.advisor = a
	return c
}

// applyAdvice asks the Advisor about each definition of the tool. It returns the
// strictest of v and the Advisor's verdicts.
func (c *Classifier) applyAdvice(name string, v Verdict) Verdict {
	if c == nil || c.advisor == nil {
		return v
	}
	defs := c.tools[name]
	if len(defs) == 0 {
		defs = []Tool{{Name: name}}
	}
	for _, t := range defs {
		if word, reason, ok := c.advisor.Advise(t); ok {
			v = v.Raise(word, LayerPlugin, reason)
		}
	}
	return v
}

func (c *Classifier) weighCall(s start, arguments jsonval.Value) Verdict {
	var shell session
	if c != nil {
		shell = c.shell
	}
	return weighArguments(&s, arguments, shell)
}

func (c *Classifier) cachedStart(name string) start {
	if c == nil {
		return c.judgeName(name)
	}
	return c.names.of(name, c.judgeName)
}

func (e Entry) tableVerdict() Verdict {
	reason := "the operator's table has this entry for the tool: " + e.Mutating.String()
	if e.Control {
		return controlVerdict(LayerTable, "the operator's table has this entry for the tool: control")
	}
	return newVerdict(e.Mutating, LayerTable, reason)
}

// WithHosts selects the reviewed host tables. Call it before the first use. By default
// all of them count.
func (c *Classifier) WithHosts(h Hosts) *Classifier {
	c.hosts = h
	return c
}

// judgeName judges a tool before its arguments are read. It uses the first of these
// sources that contains the tool:
//
//   - the operator's table
//   - a reviewed host table
//   - the operator's definitions
//   - the words of the tool's name
func (c *Classifier) judgeName(name string) start {
	if c == nil {
		return judgeHosted(Hosts{}, Tool{Name: name})
	}
	e, listed := c.table[name]
	switch {
	case listed && !e.Runs:
		return start{verdict: e.tableVerdict(), final: true}
	case listed:
		return c.judgeDefined(name).ofShell(e.Shell)
	}
	return c.judgeDefined(name)
}

// judgeDefined judges a tool by everything but the operator's table.
func (c *Classifier) judgeDefined(name string) start {
	defs := c.tools[name]
	if len(defs) == 0 {
		return judgeHosted(c.hosts, Tool{Name: name})
	}
	b := judgeHosted(c.hosts, defs[0])
	for _, d := range defs[1:] {
		b = mergeStarts(b, judgeHosted(c.hosts, d))
	}
	return b
}

// httpMethod returns the verdict on a tool that sends a request with the given HTTP
// method. A safe method such as GET changes the verdict unknown to no, and no other
// verdict. Any other method can only make the verdict stricter.
func httpMethod(v Verdict, method string) Verdict {
	if method == "" {
		return v
	}
	m, why := methodKind(strings.ToUpper(method))
	switch {
	case why == "":
		return stricterVerdict(v, newVerdict(Unknown, LayerHTTP, quote(clipText(method))+" is not a known HTTP method"))
	case m != No:
		return stricterVerdict(v, newVerdict(m, LayerHTTP, why))
	case v.Mutating == Unknown:
		return newVerdict(No, LayerHTTP, why)
	}
	return v
}

// applyAnnotations applies the hints of the tool t to a verdict. A hint can always make
// the verdict stricter. A hint can make the verdict milder only if the operator trusts
// the author of the tool. If two hints contradict each other, the stricter hint counts.
func applyAnnotations(v Verdict, t Tool) Verdict {
	a := t.Annotations
	switch {
	case a.ReadOnly != nil && !*a.ReadOnly:
		return stricterVerdict(v, newVerdict(Yes, LayerAnnotation, "annotated as not read-only"))
	case a.Destructive != nil && *a.Destructive:
		return stricterVerdict(v, newVerdict(Yes, LayerAnnotation, "annotated as destructive"))
	case a.ReadOnly != nil && t.Trusted && v.Mutating != No && v.Layer != LayerHTTP:
		return newVerdict(No, LayerAnnotation, "annotated as read-only by a trusted server")
	}
	return v
}
