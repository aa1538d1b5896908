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
	mux     bool // the name leaves the verb to an argument
	ending  bool // a control action that an id in the arguments would refute
	outputs []string

	properties jsonval.Value // of the schema; Missing without one
}

func factsOf(t Tool, parts [][]string, v Verdict, found bool) facts {
	f := facts{mux: !found, properties: t.Parameters.Get("properties")}
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
		case "manage", "manager", "management", "administer", "crud", "handle", "operate", "operation":
			f.mux = true
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
func argued(b base, arguments jsonval.Value, shell ShellReader) Verdict {
	if b.verdict.Mutating == Yes {
		return b.verdict
	}
	e := evidence{facts: b.facts, reading: b.verdict.Mutating == No, control: b.verdict.Control, reader: shell}
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
	depth            int // of the object that is being read; 1 = the arguments

	lower   Verdict // why an unknown call only reads
	lowered bool
	raised  Verdict // the strictest reason against; Reason "" without one

	reader ShellReader // nil for none
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
// and Yes raise; No lowers, the first such reason being kept, but only where
// the tool is known to obey that argument, by its schema or else by its name:
// an agent may add "operation": "list" to any call.
func (e *evidence) settle(m Tri, layer Layer, reason, key string, fits bool) {
	if m != No {
		e.raise(m, layer, reason)
		return
	}
	if e.properties.Len() > 0 {
		fits = e.properties.Get(key).Exists()
	}
	if fits && e.depth <= 1 && !e.lowered {
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
		e.depth++
		defer func() { e.depth-- }()
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
	switch strings.ToLower(key) {
	case "operation", "op", "action", "method", "command", "cmd", "verb", "mode", "subcommand", "http_method", "httpmethod":
		e.operation(key, s)
	case "sql":
		e.statement(key, s)
	case "query", "statement", "stmt", "q", "queries", "statements":
		e.query(key, s)
	case "mutation":
		e.raise(Yes, LayerArgument, "a mutation is given")
	case "script", "shell", "commands", "bash", "command_line", "cmdline":
		if e.shell || !e.reading {
			e.settleShell(key, s)
		}
	default:
		if e.reading && (outputKey(key) || contains(e.outputs, key)) {
			e.raise(Yes, LayerArgument, quote(clip(key))+" names a file to write")
		}
	}
}

func (e *evidence) settleShell(key, s string) {
	m, why := shellKind(s, e.reader)
	e.settle(m, LayerShell, why, key, e.shell)
}

func (e *evidence) statement(key, s string) {
	m, why := sqlKind(s)
	e.settle(m, LayerSQL, why, key, e.sql)
}

// query: the text may be SQL, GraphQL, or words to search for.
func (e *evidence) query(key, s string) {
	if t := words(s); len(t) > 0 && t[0] == "mutation" && strings.Contains(s, "{") {
		e.raise(Yes, LayerArgument, "a GraphQL mutation")
		return
	}
	if looksSQL(s) || e.sql && !e.reading {
		e.statement(key, s)
	}
}

// operation: the argument carries the verb of a multiplexed tool, an HTTP
// method, or a whole command line.
func (e *evidence) operation(key, s string) {
	if m, why := methodKind(s); why != "" {
		e.settle(m, LayerHTTP, why, key, e.mux)
		return
	}
	k := strings.ToLower(key)
	if (k == "command" || k == "cmd") && (e.shell || !identifier(s)) {
		e.settleShell(key, s)
		return
	}
	t := words(s)
	if len(t) == 0 || !identifier(s) {
		return
	}
	v, found := judge(t)
	reason := quote(k) + " is " + quote(clip(s))
	switch {
	case v.Mutating == Yes:
		e.raise(Yes, LayerArgument, reason)
	case k == "mode":
	case v.Mutating == No && found:
		e.settle(No, LayerArgument, reason, key, e.mux)
	case !e.reading:
		e.raise(Unknown, LayerArgument, reason)
	}
}

// methodKind judges an HTTP method, in capitals; the reason is "" when the text
// is none.
func methodKind(s string) (Tri, string) {
	switch s {
	case "GET", "HEAD", "OPTIONS":
		return No, s + " is a safe method"
	case "POST", "QUERY":
		return Unknown, s + " may change state"
	case "PUT", "PATCH", "DELETE", "CONNECT", "TRACE":
		return Yes, s + " is not a safe method"
	}
	return Unknown, ""
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
		switch strings.ToLower(key) {
		case "operation", "op", "action", "method", "command", "verb", "subcommand":
			p.Get("enum").Each(func(_ string, m jsonval.Value) bool {
				if s, ok := m.Str(); ok {
					e.operation(key, s)
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
