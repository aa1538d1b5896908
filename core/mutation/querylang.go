package mutation

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/jsonval"
)

// This file holds the closed readers of query languages other than SQL. Each proves that
// a text reads, or leaves it unknown; none parses the whole language.

// lexWords splits a text into lower-case words and single punctuation marks. It omits
// comments, and replaces each string or quoted name by one quote. If the text cannot be
// split safely, problem says why. lineComments lists the marks that begin a comment up to
// the end of the line.
func lexWords(s string, lineComments ...string) (tokens []string, problem string) {
	for i := 0; i < len(s); {
		c := s[i]
		if n := commentLength(s[i:], lineComments); n != 0 {
			if n < 0 {
				return nil, "a query with a comment that is not closed"
			}
			i += n
			continue
		}
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			i++
		case c < ' ' || c == 0x7f:
			return nil, "a query with control characters"
		case c == '"' || c == '\'' || c == '`':
			end := quoteEnd(s, i)
			if end == 0 {
				return nil, "a query with a quote that is not closed"
			}
			tokens = append(tokens, s[i:i+1])
			i = end + 1
		case isLetter(c) || c == '_' || c == '$' || c == '@':
			n := i + 1
			for n < len(s) && (isLetter(s[n]) || isDigit(s[n]) || s[n] == '_') {
				n++
			}
			tokens = append(tokens, strings.ToLower(s[i:n]))
			i = n
		default:
			tokens = append(tokens, s[i:i+1])
			i++
		}
	}
	return tokens, ""
}

// commentLength returns the length of the comment at the beginning of s, 0 if there is
// none, -1 if it does not end.
func commentLength(s string, lineComments []string) int {
	for _, mark := range lineComments {
		if strings.HasPrefix(s, mark) {
			if i := strings.IndexByte(s, '\n'); i >= 0 {
				return i + 1
			}
			return len(s)
		}
	}
	if strings.HasPrefix(s, "/*") {
		i := strings.Index(s[2:], "*/")
		if i < 0 {
			return -1
		}
		return i + 4
	}
	return 0
}

// graphQLKind judges a GraphQL document. Every operation must be a query, because the
// document does not say which of its operations runs.
func graphQLKind(s string) (Tri, string) {
	s = strings.ReplaceAll(s, `"""`, `"`)
	tokens, problem := lexWords(strings.ReplaceAll(s, "\ufeff", " "), "#")
	if problem != "" {
		return Unknown, problem
	}
	depth, queries, lead := 0, 0, true
	for _, t := range tokens {
		switch t {
		case "{", "(", "[":
			if depth == 0 && t == "{" && lead {
				queries++
			}
			depth++
			lead = false
		case "}", ")", "]":
			depth--
			lead = depth == 0 && t == "}"
		default:
			if depth > 0 || !lead {
				continue
			}
			lead = false
			switch t {
			case "query":
				queries++
			case "fragment":
			case "mutation":
				return Yes, "a GraphQL mutation"
			default:
				return Unknown, "not a GraphQL query"
			}
		}
		if depth < 0 {
			break
		}
	}
	if depth != 0 || queries == 0 {
		return Unknown, "not a complete GraphQL query"
	}
	return No, "each operation of the document is a GraphQL query"
}

// cypherKind judges a Cypher query: its clauses must match and return; none may write or
// call a procedure.
func cypherKind(s string) (Tri, string) {
	tokens, problem := lexWords(s, "//")
	if problem != "" || len(tokens) == 0 {
		return Unknown, "not a Cypher query"
	}
	switch tokens[0] {
	case "match", "optional", "return", "with", "unwind", "show", "explain":
	default:
		if cypherWrites(tokens[0]) {
			return Yes, "Cypher " + strings.ToUpper(tokens[0])
		}
		return Unknown, "not a Cypher query that is known to only read"
	}
	for i, t := range tokens {
		switch {
		case cypherWrites(t):
			return Yes, "Cypher " + strings.ToUpper(t)
		case t == "call" || t == "load" || t == "use" || t == "foreach" || t == ";" && i < len(tokens)-1:
			return Unknown, "Cypher " + strings.ToUpper(t) + " may have effects"
		case t == "(" && i > 1 && tokens[i-2] == ".":
			return Unknown, "a Cypher procedure that is not known to be pure"
		}
	}
	return No, "the Cypher clauses only match and return"
}

func cypherWrites(w string) bool {
	return isListed(w, cypherWritesList)
}

// sparqlKind judges a SPARQL query. It must have a query form, such as SELECT, and must
// not contain an update or access another service.
func sparqlKind(s string) (Tri, string) {
	tokens, problem := lexWords(stripIRIs(s), "#")
	if problem != "" {
		return Unknown, problem
	}
	form := ""
	for _, t := range tokens {
		switch t {
		case "insert", "delete", "load", "clear", "create", "drop", "copy", "move", "add":
			return Yes, "SPARQL " + strings.ToUpper(t)
		case "service", "with", "using":
			return Unknown, "SPARQL " + strings.ToUpper(t) + " reaches elsewhere"
		case "select", "ask", "construct", "describe":
			form = t
		}
	}
	if form == "" || tokens[0] != form && tokens[0] != "prefix" && tokens[0] != "base" {
		return Unknown, "not a SPARQL query"
	}
	return No, "SPARQL " + strings.ToUpper(form) + " only reads"
}

// stripIRIs returns a text without IRIs in angle brackets, which may contain any word.
func stripIRIs(s string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(s, "<")
		b.WriteString(before)
		inside, after, closed := strings.Cut(rest, ">")
		if !found || !closed || strings.ContainsAny(inside, " \n\t{}\"'") {
			b.WriteString(rest)
			return b.String()
		}
		b.WriteByte(' ')
		s = after
	}
}

// redisKind judges a Redis command: it must be one command that is known to read.
func redisKind(s string) (Tri, string) {
	t := firstWord(s)
	if strings.ContainsAny(s, "\r\n;|") {
		return Unknown, "more than one Redis command"
	}
	switch t {
	case "get", "mget", "exists", "ttl", "pttl", "type", "strlen", "getrange", "hget", "hgetall", "hmget", "hkeys", "hvals", "hlen",
		"hexists", "hscan", "lrange", "llen", "lindex", "smembers", "scard", "sismember", "sscan", "sinter", "sunion", "sdiff", "zrange", "zcard",
		"zscore", "zrank", "zrevrank", "zrevrange", "zrangebyscore", "zcount", "zscan", "keys", "scan", "dbsize", "info", "ping", "time",
		"randomkey", "bitcount", "getbit", "xrange", "xrevrange", "xlen", "geopos", "geodist":
		return No, "Redis " + strings.ToUpper(t) + " only reads"
	}
	return Unknown, "Redis " + strings.ToUpper(clipText(t)) + " is not known to only read"
}

// splunkKind judges a Splunk search, which may be piped through commands that only shape
// the results.
func splunkKind(s string) (Tri, string) {
	tokens, problem := lexWords(s)
	if problem != "" || len(tokens) == 0 {
		return Unknown, "not a Splunk search"
	}
	for i, t := range tokens {
		if t != "|" && t != "[" {
			continue
		}
		next := at2(tokens, i+1)
		if next == "delete" || next == "collect" || next == "outputlookup" || next == "sendemail" || next == "outputcsv" {
			return Yes, "Splunk | " + next
		}
		if !splunkShapes(next) {
			return Unknown, "Splunk | " + clipText(next) + " is not known to only read"
		}
	}
	return No, "the Splunk search only reads"
}

func at2(tokens []string, i int) string {
	if i < len(tokens) {
		return tokens[i]
	}
	return ""
}

func splunkShapes(w string) bool {
	return isListed(w, splunkShapesList)
}

// kustoKind judges a Kusto query. A management command, which begins with a full stop, is
// a change unless it is a show command. A plugin makes the verdict unknown, because it
// may access other systems.
func kustoKind(s string) (Tri, string) {
	tokens, problem := lexWords(s, "//")
	if problem != "" || len(tokens) == 0 {
		return Unknown, "not a Kusto query"
	}
	for i, t := range tokens {
		switch {
		case t == "." && (i == 0 || tokens[i-1] == ";" || tokens[i-1] == "|") && at2(tokens, i+1) != "show":
			return Yes, "a Kusto management command"
		case t == "evaluate" || t == "externaldata" || t == "external_table" || t == "invoke" || t == "into":
			return Unknown, "Kusto " + t + " may read or change other data"
		}
	}
	return No, "the Kusto query only reads"
}

// mongoKind judges a MongoDB query, which is JSON or an expression of the MongoDB shell.
// The expression must find, count or aggregate, without a stage that writes and without
// code.
func mongoKind(s string) (Tri, string) {
	if v, err := jsonval.Parse(s); err == nil && v.Kind() != jsonval.String {
		q := queryProof{start: &start{}}
		q.judgeStructured("", v)
		if q.worst.Reason != "" {
			return q.worst.Mutating, q.worst.Reason
		}
		return No, "a structured query without a stage that writes"
	}
	tokens, problem := lexWords(s, "//")
	if problem != "" || at2(tokens, 0) != "db" {
		return Unknown, "not a MongoDB query that is known to only read"
	}
	calls := 0
	for i, t := range tokens {
		switch {
		case t == "=" || t == ">" || t == ";" && i < len(tokens)-1 || t == "function" || t == "$out" || t == "$merge" || t == "$where" || t == "$function" || t == "$accumulator":
			return Unknown, "MongoDB " + t + " may have effects"
		case t == "(" && i > 0:
			calls++
			if !mongoReads(tokens[i-1]) {
				return Unknown, "MongoDB " + clipText(tokens[i-1]) + " is not known to only read"
			}
		case (t == "\"" || t == "'") && (strings.Contains(s, "$out") || strings.Contains(s, "$merge") || strings.Contains(s, "$where") || strings.Contains(s, "$function") || strings.Contains(s, "$accumulator")):
			return Unknown, "a pipeline stage that may have effects"
		}
	}
	if calls == 0 {
		return Unknown, "not a MongoDB query that is known to only read"
	}
	return No, "the MongoDB calls only read"
}

func mongoReads(w string) bool {
	return isListed(w, mongoReadsList)
}
