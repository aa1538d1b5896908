package mutation

import (
	"path"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/readcmd"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// proveCall judges a call of a tool that runs a text, such as a command line. The call is
// proven to read if a grammar proves that the text reads, and all other members are known
// to be harmless. Otherwise the verdict is unknown or yes.
func proveCall(s *start, arguments jsonval.Value, shell session) Verdict {
	switch s.language {
	case shellText:
		return proveShell(s, arguments, shell)
	case httpText:
		return proveHTTP(s, arguments)
	case arithText:
		return proveArithmetic(s, arguments)
	}
	return proveQuery(s, arguments)
}

// proof collects evidence while arguments are proven: at least one text must be proven to
// read, and no evidence may contradict it.
type proof struct {
	raise
	proven Verdict // its Reason is "" until a text is proven
}

func (p *proof) takeVerdict(m Tri, layer Layer, reason string) {
	switch {
	case m != No:
		p.addEvidence(m, layer, reason)
	case p.proven.Reason == "":
		p.proven = newVerdict(No, layer, reason)
	}
}

// finalVerdict returns the worst evidence that the call does not read. If there is no
// such evidence, it returns the proven verdict. If there is no proven verdict, it returns
// its argument.
func (p *proof) finalVerdict(nothing Verdict) Verdict {
	switch {
	case p.worst.Reason != "":
		return p.worst
	case p.proven.Reason != "":
		return p.proven
	}
	return nothing
}

// proveShell judges a tool that runs a command line, or that is named after the program
// that it runs.
func proveShell(s *start, arguments jsonval.Value, shell session) Verdict {
	if s.members.told || s.members.shell != UnknownShell {
		shell.shell = s.members.shell
	}
	judge := judgeCommandCall
	if s.members.lines {
		judge = proveProgram
	}
	m, why := judge(s.members.program, arguments, shell)
	return newVerdict(m, LayerShell, why)
}

// knownProgram reports whether w, the name of a tool, is a program in the table of
// readcmd. The arguments of such a tool are the rest of the program's command line.
func knownProgram(w string) bool { return readcmd.Known(w) }

// proveQuery judges a call of a tool that runs a query. Each text must be proven to read
// in the query language. Every other member must be of a kind that cannot hold code.
func proveQuery(s *start, arguments jsonval.Value) Verdict {
	q := queryProof{start: s}
	q.walkValue("", otherMember, arguments, 0)
	nothing := s.verdict
	if s.members.resource && nothing.Mutating == No && q.proven.Reason == "" { // it has filters, as a tool that lists things
		e := evidence{start: s, reading: true}
		e.walkValue("", otherMember, arguments, 0)
		return q.finalVerdict(e.raiseVerdict(nothing))
	}
	if nothing.Mutating == No && arguments.Len() > 0 {
		nothing = newVerdict(Unknown, LayerSQL, "no query text")
	}
	return q.finalVerdict(nothing)
}

type queryProof struct {
	proof
	*start
}

func (q *queryProof) walkValue(key string, k kind, v jsonval.Value, depth int) {
	if depth > maxDepth {
		q.addEvidence(Unknown, LayerArgument, "arguments are nested too deep to read")
		return
	}
	switch v.Kind() {
	case jsonval.Object:
		v.Each(func(name string, m jsonval.Value) bool {
			q.judgeMember(name, m, depth)
			return true
		})
	case jsonval.Array:
		if t := memberWords(key); (containsString(t, "args") || containsString(t, "command")) && onlyTexts(v) {
			line, _ := valueWords(v)
			m, why := queryKind(strings.Join(line, " "), q.members.dialects)
			q.takeVerdict(m, LayerSQL, why)
			return
		}
		v.Each(func(_ string, m jsonval.Value) bool { q.walkValue(key, k, m, depth+1); return true })
	case jsonval.String:
		s, _ := v.Str()
		q.judgeText(key, k, s)
	case jsonval.Bool:
		if b, _ := v.Bool(); b && k != readerMember && k != boundMember {
			q.doubtMember(key, " turns on an unknown option")
		}
	}
}

func (q *queryProof) judgeMember(name string, v jsonval.Value, depth int) {
	k := kindOf(name, v)
	switch {
	case q.turnsOffSafeguard(name, v):
		q.doubtMember(name, " turns a safeguard off")
	case !hasContent(v):
		return
	case k == boundMember && v.Kind() == jsonval.Array && isFlat(v):
		v.Each(func(_ string, m jsonval.Value) bool {
			s, _ := m.Str()
			q.judgePlaceholder(name, s)
			return true
		})
	case k == boundMember && v.Kind() == jsonval.Object && isFlat(v):
		v.Each(func(key string, m jsonval.Value) bool {
			s, _ := m.Str()
			q.judgePlaceholder(key, s)
			if why := pathAsks(key, s, true); why != "" && memberKind(key) == pathMember {
				q.addEvidence(Unknown, LayerArgument, why)
			}
			if strings.HasPrefix(strings.TrimSpace(s), "{") || strings.HasPrefix(strings.TrimSpace(s), "[") {
				q.judgeText(key, wordsMember, s)
			} else if inner := memberKind(key); namesResultTable(key) || inner == pathMember && !isWebOrPath(s) || inner != otherMember && inner != readerMember && inner != pathMember && (inner != contentMember || !isPlainToken(s)) {
				q.judgeMember(key, m, depth+1)
			}
			return true
		})
	case pipelineWrites(name):
		q.addEvidence(Yes, LayerArgument, "a pipeline stage "+name+" writes its result")
	case pipelineRuns(name):
		q.addEvidence(Unknown, LayerArgument, name+" runs code")
	case k == deedMember:
		q.noteDeed(name)
	case k == outputMember || namesResultTable(name):
		q.addEvidence(Yes, LayerArgument, quote(clipText(name))+" names a place to write the result")
	case k == methodMember:
		if s, _ := v.Str(); !safeMethod(s) {
			q.addEvidence(Unknown, LayerHTTP, quote(clipText(name))+" does not name a safe HTTP method")
		}
	default:
		q.walkValue(name, k, v, depth+1)
	}
}

// namesResultTable reports whether a member of a query names the table or another place
// that receives the result. Examples are destination_table and output_dataset.
func namesResultTable(name string) bool {
	t := memberWords(name)
	if len(t) < 2 {
		return false
	}
	switch t[0] {
	case "destination", "dest", "output", "result", "into", "target", "sink", "materialize":
	default:
		return false
	}
	switch t[len(t)-1] {
	case "table", "dataset", "view", "collection", "bucket", "topic", "stream", "schema", "file", "path":
		return true
	}
	return false
}

// judgePlaceholder judges a value for a placeholder of the query. A value that looks like
// a statement may change something, because a tool may run it instead of the query. Any
// other value is only data.
func (q *queryProof) judgePlaceholder(key, s string) {
	if !looksStatement(s) {
		return
	}
	if m, _ := queryKind(s, q.members.dialects); m != No {
		q.addEvidence(Unknown, LayerSQL, quote(clipText(key))+" contains a statement that may change something")
	}
}

// judgeText judges a text. A short plain word is harmless in a member that only names
// something, such as an id or a path. Any other text must be proven to read.
func (q *queryProof) judgeText(key string, k kind, s string) {
	t := memberWords(key)
	switch {
	case strings.TrimSpace(s) == "":
		return
	case k != codeMember && k != wordsMember && strings.HasPrefix(strings.TrimSpace(s), "-"):
		q.doubtMember(key, " contains an option")
		return
	case k == readerMember && isPlainToken(s) && len(t) > 0 && !oneOf(t[len(t)-1], "args arg argv options option opts flags"):
		if oneOf(t[len(t)-1], "mode access permission permissions privilege privileges role") && writesAs(s) {
			q.doubtMember(key, " lets the query write")
		}
		return
	}
	if k == pathMember && isPlainToken(s) && isWebOrPath(s) {
		if why := pathAsks(key, s, false); why != "" {
			q.addEvidence(Unknown, LayerArgument, why)
		}
		return
	}
	if t := strings.TrimSpace(s); t[0] == '{' || t[0] == '[' {
		if inner, err := jsonval.Parse(t); err == nil && inner.Kind() != jsonval.Missing {
			q.judgeStructured(key, inner)
			return
		}
	}
	m, why := queryKind(s, q.members.dialects)
	q.takeVerdict(m, LayerSQL, why)
}

// writesAs reports whether the value of a mode says that something may be written.
func writesAs(mode string) bool {
	for _, w := range memberWords(mode) {
		if c := wordClass(w); c != 0 && !c.has(read) && c != info || oneOf(w, "rw rwc w a x wr live admin root owner superuser") {
			return true
		}
	}
	return false
}

// isWebOrPath reports whether a text is a web address or has no scheme. An address with
// another scheme, such as postgres:, may name another database.
func isWebOrPath(s string) bool {
	_, web := cutWebScheme(s)
	return web || !strings.Contains(s, "://")
}

// pathAsks returns why a path or an address in a query call may do more than name the
// database, or "". For example, a file may be a second script, and an address may be for
// administration. If bound is true, the text is a value for a placeholder of the query,
// which may be the name of any file.
func pathAsks(key, s string, bound bool) string {
	ending := strings.TrimRight(path.Ext(s), "0123456789")
	switch t := memberWords(key); {
	case containsString(t, "db"), containsString(t, "database"):
	case ending == ".sql":
		return quote(clipText(key)) + " names a second script"
	case strings.Contains(s, "/-/"), strings.Contains(s, "/tsdb"):
		return quote(clipText(key)) + " is an address for administration"
	case bound, ending == ".db", ending == ".sqlite", ending == ".duckdb", ending == ".mdb", ending == ".parquet":
	case containsString(t, "path") || containsString(t, "paths") || strings.HasPrefix(t[len(t)-1], "file"):
		return quote(clipText(key)) + " names a file, and its purpose is unknown"
	default:
		return addressAsks(s)
	}
	return ""
}

// judgeStructured judges a query that is written as JSON, such as a filter or a pipeline.
func (q *queryProof) judgeStructured(key string, v jsonval.Value) {
	before := q.worst
	q.walkValue(key, readerMember, v, 1)
	switch {
	case isMongoCommand(v):
		q.addEvidence(Unknown, LayerSQL, quote(clipText(key))+" contains a command of MongoDB that may have effects")
	case q.worst != before:
	case memberKind(key) != wordsMember && memberKind(key) != codeMember:
		q.addEvidence(Unknown, LayerSQL, quote(clipText(key))+" contains an unknown structure")
	case q.members.dialects != 0 && q.members.dialects&dialectMongo == 0:
		q.addEvidence(Unknown, LayerSQL, quote(clipText(key))+" is a structure, not a query in the tool's language")
	default:
		q.takeVerdict(No, LayerSQL, "the structured query has no stage that writes")
	}
}

// isMongoCommand reports whether an object is a command of MongoDB that may change
// something, such as {"fsync": 1}. The first member must be the command, and its value
// must be a number or a text.
func isMongoCommand(v jsonval.Value) (found bool) {
	v.Each(func(name string, m jsonval.Value) bool {
		found = (m.Kind() == jsonval.Number || m.Kind() == jsonval.String) && isListed(strings.ToLower(name), mongoCommandsList)
		return false
	})
	return found
}

func pipelineWrites(name string) bool { return name == "$out" || name == "$merge" }

func pipelineRuns(name string) bool {
	switch name {
	case "$where", "$function", "$accumulator", "$eval", "script", "scripted_metric", "runtime_mappings", "script_fields", "mapReduce":
		return true
	}
	return false
}

// dialects is a set of query languages.
type dialects uint16

const (
	dialectSQL dialects = 1 << iota
	dialectGraphQL
	dialectCypher
	dialectSPARQL
	dialectRedis
	dialectSplunk
	dialectKusto
	dialectMongo
	dialectPure  // languages that cannot write: PromQL, LogQL, JQL, Lucene
	dialectOther // a language without a reader here
)

// dialectsOf returns the query languages that the words of a name mention, and reports
// whether the name is about a database.
func dialectsOf(parts [][]string) (d dialects, database bool) {
	for _, part := range parts {
		for _, w := range part {
			one := dialectOf(w)
			d |= one
			database = database || one != 0 || w == "db" || w == "database" || w == "rows" || w == "table" || w == "warehouse"
		}
	}
	return d, database
}

func dialectOf(w string) dialects {
	switch w {
	case "sql", "mysql", "postgres", "postgresql", "pg", "sqlite", "mssql", "tsql", "oracle", "mariadb", "bigquery", "snowflake",
		"redshift", "athena", "duckdb", "clickhouse", "trino", "presto", "hive", "databricks", "influx", "influxdb", "soql", "spanner", "bq":
		return dialectSQL
	case "graphql", "gql":
		return dialectGraphQL
	case "cypher", "neo":
		return dialectCypher
	case "sparql", "rdf":
		return dialectSPARQL
	case "redis", "valkey":
		return dialectRedis
	case "splunk", "spl":
		return dialectSplunk
	case "kusto", "kql":
		return dialectKusto
	case "mongo", "mongodb":
		return dialectMongo
	case "prometheus", "promql", "loki", "logql", "jql", "lucene":
		return dialectPure
	case "gremlin", "flux", "dataframe", "pandas", "df", "polars", "surreal", "surrealdb", "xquery", "dynamodb", "cassandra", "elasticsearch", "opensearch":
		return dialectOther
	}
	return 0
}

// pureKind judges a text in a language that cannot write. The verdict is unknown if the
// text is a path or a statement of another language.
func pureKind(text string) (Tri, string) {
	if strings.HasPrefix(strings.TrimSpace(text), "/") || looksStatement(text) {
		return Unknown, "the text is not in the tool's query language"
	}
	return No, "the tool's query language cannot write data"
}

// runsQueries reports whether a tool's name t means that the tool runs the text of a
// query. Examples are run_sql, query_database and query_runner. The argument database
// says that the name is about a database, and reads says that the name means a read.
//
// The result is false for query_docs, because its query consists of search words. A name
// that begins with another reading verb must end in a word for a query, such as
// read_query.
func runsQueries(t []string, database, reads bool) bool {
	for len(t) > 1 && namesRunner(t[len(t)-1]) {
		t, database = t[:len(t)-1], database || reads && t[0] == "query"
	}
	last := t[len(t)-1]
	ends := last == "query" || dialectOf(last) != 0 && last != "mysql" && last != "postgres"
	if reads && t[0] != "query" && !ends || anyOf(t, worksOnContent) {
		return false
	}
	query, runs := false, false
	for _, w := range t {
		switch w {
		case "query", "queries", "sql", "graphql", "gql", "cypher", "sparql", "statement", "promql", "kql":
			query = true
		case "run", "execute", "exec":
			runs = true
		}
	}
	switch {
	case !query:
		return runs && database
	case runs, database, len(t) == 1:
		return true
	}
	return ends
}

// namesRunner reports whether a word at the end of a tool's name only says that the tool
// runs something.
func namesRunner(w string) bool { return isListed(w, runnerList) }

// queryKind judges a query in one of the dialects in d. If d is empty, it guesses the
// dialect from the text. The verdict is unknown if no grammar proves that the query
// reads. O(n).
func queryKind(text string, d dialects) (Tri, string) {
	if len(text) > maxStatement {
		return Unknown, "a query is too long to read"
	}
	text = strings.TrimSpace(strings.TrimPrefix(text, "\ufeff"))
	if isDescribeCommand(text) {
		return No, "a psql command that only describes the database"
	}
	if d == 0 {
		d = guessDialect(text)
	}
	for _, reader := range [...]struct {
		dialect dialects
		read    func(string) (Tri, string)
	}{
		{dialectOther, func(string) (Tri, string) { return Unknown, "a query in an unsupported language" }},
		{dialectGraphQL, graphQLKind}, {dialectCypher, cypherKind}, {dialectSPARQL, sparqlKind}, {dialectRedis, redisKind},
		{dialectSplunk, splunkKind}, {dialectKusto, kustoKind}, {dialectMongo, mongoKind}, {dialectSQL, sqlKind},
		{dialectPure, pureKind},
	} {
		if d&reader.dialect != 0 {
			return reader.read(text)
		}
	}
	return sqlKind(text)
}

// isDescribeCommand reports whether a text is a single command of psql that only
// describes something, such as \d users.
func isDescribeCommand(text string) bool {
	rest, found := strings.CutPrefix(text, `\d`)
	if !found {
		return false
	}
	command, name, _ := strings.Cut(rest, " ")
	return strings.Trim(command, "abcdefgilmnopqrstuvxyCDEFPRTS+") == "" && len(command) < 4 && isPlainToken(name)
}

// guessDialect returns the language of a text if no name states it. A wrong guess cannot
// prove that a text reads, because each reader refuses the texts of other languages.
func guessDialect(text string) dialects {
	body := skipComments(text)
	t := firstWord(body)
	inner, isBlock := strings.CutPrefix(body, "{")
	switch {
	case isBlock && isEscapedCall(skipComments(inner)): // {call f()} of JDBC and ODBC
		return dialectOther
	case isBlock, strings.HasPrefix(body, "#"), t == "mutation", t == "query", t == "fragment", t == "subscription":
		return dialectGraphQL
	case strings.HasPrefix(body, "db."):
		return dialectMongo
	case t == "match", t == "optional", t == "unwind", t == "detach":
		return dialectCypher
	case t == "prefix", t == "base", t == "ask", t == "construct":
		return dialectSPARQL
	}
	return dialectSQL
}

// isEscapedCall reports whether a text begins with the word call and a name, as in {call
// f()}. In GraphQL, a field with the name call has no name after it.
func isEscapedCall(s string) bool {
	if firstWord(s) != "call" {
		return false
	}
	next := strings.TrimLeft(s[len("call"):], " \t\r\n")
	return next != "" && (isLetter(next[0]) || strings.IndexByte("_\"`[/-", next[0]) >= 0)
}

func firstWord(s string) string {
	n := 0
	for n < len(s) && (isLetter(s[n]) || s[n] == '_') {
		n++
	}
	return strings.ToLower(s[:n])
}

// skipComments returns a text without the comments and white space at its beginning. It
// also removes opening parentheses and semicolons there. It knows the comments of most
// query languages.
func skipComments(s string) string {
	for {
		s = strings.TrimLeft(s, " \t\r\n\ufeff(;")
		switch {
		case strings.HasPrefix(s, "--"), strings.HasPrefix(s, "//"), strings.HasPrefix(s, "#"):
			i := strings.IndexAny(s, "\r\n")
			if i < 0 {
				return ""
			}
			s = s[i:]
		case strings.HasPrefix(s, "/*"):
			i := strings.Index(s, "*/")
			if i < 0 {
				return ""
			}
			s = s[i+2:]
		default:
			return s
		}
	}
}

// looksStatement reports whether a text to search for may be a statement of a query
// language. A writing statement after a semicolon or a comment also counts. If the search
// takes too long, the result is true.
func looksStatement(s string) bool {
	work := 16 << 20 // bytes to look at; only a text made for it needs more
	if !strings.ContainsAny(s, " \t\r\n;/(\"{") {
		return false // one word
	}
	body := skipComments(s)
	if len(body) != len(strings.TrimLeft(s, " \t\r\n")) && len(splitWords(body)) > 1 && sqlWrites(firstWord(body)) {
		return true
	}
	if looksSQL(body) {
		return true
	}
	if t := firstWord(body); t == "mutation" && strings.Contains(body, "{") {
		return true
	}
	for rest := s; ; {
		_, after, more := strings.Cut(rest, ";")
		if !more {
			break
		}
		rest = after
		if work -= len(after); work < 0 {
			return true
		}
		if body := skipComments(after); sqlWrites(firstWord(body)) || looksSQL(body) {
			return true
		}
	}
	lower := strings.ToLower(s)
	for _, stage := range [...]string{"$out", "$merge"} {
		for _, after := range strings.Split(lower, stage)[1:] {
			if strings.IndexAny(after, "\"':`") == 0 {
				return true
			}
		}
	}
	return strings.Contains(lower, "detach delete")
}

func safeMethod(s string) bool {
	m, why := methodKind(strings.ToUpper(strings.TrimSpace(s)))
	return why != "" && m == No
}
