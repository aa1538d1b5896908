package mutation

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/jsonval"
)

// facts are what the argument layers want to know about a tool beyond the
// verdict on its name. All of them follow from the name and the schema.
type facts struct {
	shell   bool // the name says that a command line is run
	sql     bool // the name says that a query is run
	ending  bool // a control action that an id in the arguments would refute
	outputs []string
}

func factsOf(t Tool, v Verdict) facts {
	var f facts
	parts := segments(t.Name)
	if len(parts) == 0 {
		return f
	}
	last := parts[len(parts)-1]
	for i, w := range last {
		switch w {
		case "shell", "bash", "sh", "zsh", "terminal", "command", "cmd", "console", "powershell":
			f.shell = true
		case "sql", "database", "db":
			f.sql = true
		case "query":
			f.sql = f.sql || i > 0 && i == len(last)-1
		}
	}
	f.ending = v.Control && v.Layer == LayerName && addressable(last)
	f.outputs = schemaOutputs(t.Parameters)
	return f
}

// addressable tells whether a control name could also be done to a thing of its
// own (complete_task, reply): an id in the arguments then says that it is.
func addressable(t []string) bool {
	switch t[len(t)-1] {
	case "task", "reply", "respond", "answer", "escalate", "stop", "terminate":
		return true
	}
	return false
}

// argued judges what the arguments add to the verdict on the tool: evidence in
// them raises any verdict, and lowers one that is unknown.
func argued(b base, arguments jsonval.Value) Verdict {
	if b.verdict.Mutating == Yes {
		return b.verdict
	}
	e := evidence{facts: b.facts, reading: b.verdict.Mutating == No, control: b.verdict.Control}
	e.walk("", arguments, 0)
	v := b.verdict
	if v.Mutating == Unknown && e.lowered && e.raised.Mutating != Yes && e.raised.Reason == "" {
		v = e.lower
	}
	if e.raised.Reason == "" {
		return v
	}
	return stricter(e.raised, v) // on a tie the arguments say more than the name
}

// evidence collects what a call's arguments say, member by member.
type evidence struct {
	facts
	reading, control bool

	lower   Verdict // why an unknown call only reads
	lowered bool
	raised  Verdict // the strictest reason against; Reason "" without one
}

func (e *evidence) raise(m Tri, layer Layer, reason string) {
	v := says(m, layer, reason)
	if e.raised.Reason == "" {
		e.raised = v
		return
	}
	e.raised = stricter(e.raised, v)
}

// settle takes a verdict on a whole statement, command or operation. Unknown
// and Yes raise; No lowers, the first such reason being kept.
func (e *evidence) settle(m Tri, layer Layer, reason string) {
	if m != No {
		e.raise(m, layer, reason)
		return
	}
	if !e.lowered {
		e.lower, e.lowered = says(No, layer, reason), true
	}
}

// maxDepth bounds how deep arguments are looked into: every level costs the
// size of what is below it.
const maxDepth = 64

func (e *evidence) walk(key string, v jsonval.Value, depth int) {
	if depth > maxDepth {
		e.raise(Unknown, LayerArgument, "arguments nested too deep to look into")
		return
	}
	switch v.Kind() {
	case jsonval.Object:
		v.Each(func(k string, m jsonval.Value) bool {
			if k == "$out" || k == "$merge" {
				e.raise(Yes, LayerArgument, "a pipeline stage "+k+" writes its result")
			}
			e.walk(k, m, depth+1)
			return true
		})
	case jsonval.Array:
		v.Each(func(_ string, m jsonval.Value) bool { e.walk(key, m, depth+1); return true })
	case jsonval.String:
		if key != "" {
			s, _ := v.Str()
			e.text(key, s)
		}
	case jsonval.Number:
		e.id(key)
	}
}

func (e *evidence) id(key string) {
	if e.ending && strings.HasSuffix(strings.ToLower(key), "id") {
		e.raise(Unknown, LayerArgument, "an id names something that is acted on")
	}
}

// text judges one string argument by what its name says it is.
func (e *evidence) text(key, s string) {
	e.id(key)
	if e.control || strings.TrimSpace(s) == "" {
		return
	}
	switch k := strings.ToLower(key); k {
	case "operation", "op", "action", "method", "command", "cmd", "verb", "mode", "subcommand", "http_method", "httpmethod":
		e.operation(k, s)
	case "sql":
		e.statement(s)
	case "query", "statement", "stmt", "q", "queries", "statements":
		e.query(s)
	case "mutation":
		e.raise(Yes, LayerArgument, "a mutation is given")
	case "script", "shell", "commands", "bash", "command_line", "cmdline":
		if e.shell || !e.reading {
			e.settleShell(s)
		}
	default:
		if e.reading && (outputKey(key) || contains(e.outputs, key)) {
			e.raise(Yes, LayerArgument, quote(clip(key))+" names a file to write")
		}
	}
}

func (e *evidence) settleShell(s string) {
	m, why := shellKind(s)
	e.settle(m, LayerShell, why)
}

func (e *evidence) statement(s string) {
	m, why := sqlKind(s)
	e.settle(m, LayerSQL, why)
}

// query: the text may be SQL, GraphQL, or words to search for.
func (e *evidence) query(s string) {
	if t := words(s); len(t) > 0 && t[0] == "mutation" && strings.ContainsAny(s, "{") {
		e.raise(Yes, LayerArgument, "a GraphQL mutation")
		return
	}
	switch {
	case looksSQL(s):
		m, why := sqlKind(s)
		if m != No || e.sql {
			e.settle(m, LayerSQL, why)
		}
	case e.sql && !e.reading:
		m, why := sqlKind(s)
		e.settle(m, LayerSQL, why)
	}
}

// operation: the argument carries the verb of a multiplexed tool, an HTTP
// method, or a whole command line.
func (e *evidence) operation(key, s string) {
	switch s {
	case "GET", "HEAD", "OPTIONS":
		e.settle(No, LayerHTTP, s+" is a safe method")
		return
	case "POST", "QUERY":
		e.settle(Unknown, LayerHTTP, s+" may change state")
		return
	case "PUT", "PATCH", "DELETE", "CONNECT", "TRACE":
		e.settle(Yes, LayerHTTP, s+" is not a safe method")
		return
	}
	command := key == "command" || key == "cmd"
	if command && (e.shell || !identifier(s)) {
		e.settleShell(s)
		return
	}
	t := words(s)
	if len(t) == 0 || !identifier(s) {
		return
	}
	v, found := judge(t)
	switch {
	case v.Mutating == Yes:
		e.raise(Yes, LayerArgument, quote(key)+" is "+quote(clip(s)))
	case v.Mutating == No && found && key != "mode":
		e.settle(No, LayerArgument, quote(key)+" is "+quote(clip(s)))
	case !e.reading && key != "mode":
		e.raise(Unknown, LayerArgument, quote(key)+" is "+quote(clip(s)))
	}
}

// identifier tells whether a text is one name, not a sentence or a command.
func identifier(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; !letter(c) && !digit(c) && c != '_' && c != '-' && c != '.' {
			return false
		}
	}
	return s != ""
}

// outputKey tells whether an argument's name says that a file is written there:
// a word for output together with a word for a place, or run together.
func outputKey(key string) bool {
	t := words(key)
	out, place := false, false
	for _, w := range t {
		switch w {
		case "out", "output", "save", "dest", "destination", "export", "download", "write", "dump":
			out = true
		case "path", "file", "filename", "filepath", "dir", "directory", "folder", "to", "paths", "files":
			place = true
		case "outfile", "outpath", "outdir", "outputfile", "outputpath", "outputdir", "saveto", "savepath", "savefile":
			return true
		}
	}
	return out && place && len(t) > 0 && t[0] != "from"
}

func contains(list []string, s string) bool {
	for _, e := range list {
		if e == s {
			return true
		}
	}
	return false
}

// schemaOutputs lists the properties that name a file to write, by their own
// name or by what their description says about a path.
func schemaOutputs(schema jsonval.Value) (out []string) {
	schema.Get("properties").Each(func(key string, p jsonval.Value) bool {
		if outputKey(key) || pathKey(key) && saves(p.Get("description").Text()) {
			out = append(out, key)
		}
		return true
	})
	return out
}

func pathKey(key string) bool {
	for _, w := range words(key) {
		switch w {
		case "path", "file", "filename", "filepath", "output", "directory", "dir", "folder", "paths":
			return true
		}
	}
	return false
}

func saves(description string) bool {
	for _, w := range words(description) {
		switch w {
		case "save", "saves", "saved", "saving", "write", "writes", "written", "writing", "store", "stored", "output":
			return true
		}
	}
	return false
}

// schemaVerdict judges a tool without a call at hand by what its schema allows:
// the strictest of its operations, and a file it may write.
func schemaVerdict(v Verdict, f facts, schema jsonval.Value) Verdict {
	if v.Mutating == Yes || v.Control {
		return v
	}
	if v.Mutating == No && len(f.outputs) > 0 {
		return says(Yes, LayerArgument, quote(clip(f.outputs[0]))+" names a file it may write")
	}
	e := evidence{facts: f, reading: v.Mutating == No}
	schema.Get("properties").Each(func(key string, p jsonval.Value) bool {
		switch k := strings.ToLower(key); k {
		case "operation", "op", "action", "method", "command", "verb", "subcommand":
			p.Get("enum").Each(func(_ string, m jsonval.Value) bool {
				if s, ok := m.Str(); ok {
					e.operation(k, s)
				}
				return true
			})
		}
		return true
	})
	if e.raised.Reason != "" {
		return stricter(v, e.raised)
	}
	if v.Mutating == Unknown && e.lowered {
		return e.lower
	}
	return v
}
