package mutation

import (
	"strings"
	"unicode"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// This file holds the closed readers of query languages other than SQL. Each proves that
// a text reads, or leaves it unknown; none parses the whole language.

// grammar says how a query language writes comments, strings and words.
type grammar struct {
	comment string // the mark of a comment up to the end of the line, or ""
	block   bool   // a comment may stand between /* and */
	quotes  string // the quote marks of strings and names
	plain   string // the quote marks between which a backslash is a plain character
	long    string // marks that begin and end a string if they come three times in a row
	lines   bool   // a string may have several lines
	words   string // what a word may have, in addition to letters, digits and "_"
	script  bool   // JavaScript: regular expressions, and escapes for any character
	iris    bool   // IRIs in angle brackets, which may contain any word
	at      bool   // after @, a backslash in a string is a plain character
}

var (
	graphQLText = grammar{comment: "#", quotes: `"`, long: `"`}
	cypherText  = grammar{comment: "//", block: true, quotes: "'\"`", plain: "`", lines: true}
	sparqlText  = grammar{comment: "#", quotes: `'"`, long: `'"`, words: ":-", iris: true}
	kustoText   = grammar{comment: "//", quotes: `'"`, long: "`~", at: true}
	mongoText   = grammar{comment: "//", block: true, quotes: `'"`, script: true}
	splunkText  = grammar{quotes: `"`, lines: true}
	splunkNames = grammar{quotes: `"'`, lines: true}
)

// absoluteIRI and relativeIRI stand for an IRI with and without its scheme.
const absoluteIRI, relativeIRI = "<://>", "<>"

// lexWords splits a text into lower-case words and single punctuation marks. It omits
// comments. Each string or quoted name becomes one quote, and each IRI becomes one token.
// If the text cannot be split safely, problem says why. O(n).
func (g *grammar) lexWords(s string) (tokens []string, problem string) {
	if strings.ContainsAny(strings.ReplaceAll(s, "\r\n", ""), "\r\u0085\u2028\u2029") {
		return nil, "a query with an unusual line ending"
	}
	for i := 0; i < len(s); {
		c, n := s[i], 1
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
		case c < ' ' || c == 0x7f:
			return nil, "a query with control characters"
		case g.comment != "" && strings.HasPrefix(s[i:], g.comment):
			n = len(s) - i
			if end := strings.IndexByte(s[i:], '\n'); end >= 0 {
				n = end
			}
		case g.block && strings.HasPrefix(s[i:], "/*"):
			end := strings.Index(s[i+2:], "*/")
			if end < 0 {
				return nil, "a query with a comment that is not closed"
			}
			n = end + 4
		case strings.IndexByte(g.quotes, c) >= 0 || g.isLong(s[i:]), c == '/' && g.script:
			if c == '/' {
				n = regexLength(s[i:])
			} else {
				n = g.stringLength(s[i:], g.at && i > 0 && s[i-1] == '@')
			}
			if n == 0 || c == '/' && (len(tokens) == 0 || !strings.Contains(":(,[", tokens[len(tokens)-1])) {
				return nil, "a query with a string that is not closed or is ambiguous"
			}
			tokens = append(tokens, s[i:i+1])
		case isLetter(c) || c == '_' || c == '$' || c == '@':
			for i+n < len(s) && (isLetter(s[i+n]) || isDigit(s[i+n]) || s[i+n] == '_' || strings.IndexByte(g.words, s[i+n]) >= 0) {
				n++
			}
			if !isPlainWord(s[i : i+n]) {
				return nil, "a query with unusual characters outside quotes"
			}
			tokens = append(tokens, strings.ToLower(s[i:i+n]))
		case c == '<' && g.iris && iriLength(s[i:]) > 0:
			n = iriLength(s[i:])
			token := absoluteIRI
			if !strings.Contains(s[i:i+n], "://") {
				token = relativeIRI
			}
			tokens = append(tokens, token)
		default:
			tokens = append(tokens, s[i:i+1])
		}
		i += n
	}
	return tokens, ""
}

// isPlainWord reports whether all characters of a word outside ASCII are plain letters. A
// letter is not plain if a language may read it as an ASCII letter or as white space.
func isPlainWord(w string) bool {
	return !strings.ContainsFunc(w, func(r rune) bool {
		return r >= 0x80 && (!unicode.IsLetter(r) || r >= 0xff00 && r < 0xfff0 || unicode.ToLower(r) < 0x80 || unicode.ToUpper(r) < 0x80)
	})
}

// isLong reports whether s begins with the three marks of a long string.
func (g *grammar) isLong(s string) bool {
	return strings.IndexByte(g.long, s[0]) >= 0 && len(s) > 2 && s[1] == s[0] && s[2] == s[0]
}

// stringLength returns the length of the string literal at the beginning of s. It returns
// 0 if the literal has no end or is not safe to skip. If raw is true, a backslash is a
// plain character.
func (g *grammar) stringLength(s string, raw bool) int {
	c := s[0]
	if g.isLong(s) {
		body, _, closed := strings.Cut(s[3:], s[:3])
		if !closed || !g.at && (strings.HasSuffix(body, `\`) || strings.Contains(body, `\`+s[:1])) {
			return 0
		}
		return len(body) + 6
	}
	raw = raw || strings.IndexByte(g.plain, c) >= 0
	for k := 1; k < len(s); k++ {
		switch escape := s[k] == '\\' && !raw; {
		case escape && k+1 < len(s) && !(g.script && s[k+1] != 'n' && s[k+1] != 't' && (isLetter(s[k+1]) || isDigit(s[k+1]))) && s[k+1] != '\n':
			k++
		case escape, s[k] == '\n' && !g.lines:
			return 0
		case s[k] != c:
		case raw && k+1 < len(s) && s[k+1] == c:
			k++
		default:
			return k + 1
		}
	}
	return 0
}

// regexLength returns the length of the JavaScript regular expression at the beginning of
// s. It returns 0 if the expression is not complete.
func regexLength(s string) int {
	class := false
	for k := 1; k < len(s); k++ {
		switch s[k] {
		case '\n':
			return 0
		case '\\':
			k++
		case '[':
			class = true
		case ']':
			class = false
		case '/':
			if !class {
				return k + 1
			}
		}
	}
	return 0
}

// graphQLKind judges a GraphQL document. Every operation must be a query, because the
// document does not say which of its operations runs.
func graphQLKind(s string) (Tri, string) {
	tokens, problem := graphQLText.lexWords(strings.ReplaceAll(s, "\ufeff", " "))
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
		case "?", ";", "'":
			return Unknown, "not a GraphQL query"
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

// cypherKind judges a Cypher query. The clauses of the query may only match and return.
// They must not write or call a procedure.
func cypherKind(s string) (Tri, string) {
	tokens, problem := cypherText.lexWords(s)
	if problem != "" || len(tokens) == 0 || hasCodePoints(s) {
		return Unknown, "the text cannot be read safely as a Cypher query"
	}
	switch tokens[0] {
	case "match", "optional", "return", "with", "unwind", "show", "explain":
	default:
		if cypherWrites(tokens[0]) {
			return Yes, "Cypher " + strings.ToUpper(tokens[0])
		}
		return Unknown, "cannot prove that the Cypher query only reads"
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

// hasCodePoints reports whether a text has an escape such as \u0044. Some languages
// replace such escapes in the whole text, even outside strings.
func hasCodePoints(s string) bool { return strings.Contains(s, `\u`) || strings.Contains(s, `\U`) }

// sparqlKind judges a SPARQL query. It must have a query form, such as SELECT, and must
// not contain an update, access another service, or call a function of the server.
func sparqlKind(s string) (Tri, string) {
	tokens, problem := sparqlText.lexWords(s)
	if problem != "" || hasCodePoints(s) {
		return Unknown, "the text cannot be read safely as a SPARQL query"
	}
	lower := strings.ToLower(s)
	for _, scheme := range [...]string{"bif:", "sql:", "java:", "schemas/bif", "schemas/sql"} {
		if strings.Contains(lower, scheme) {
			return Unknown, "SPARQL with " + scheme + " may run SQL or programs"
		}
	}
	form, relative := "", containsString(tokens, relativeIRI)
	for i, t := range tokens {
		if t == "(" && i > 0 && callsExtension(tokens[:i], relative) {
			return Unknown, "SPARQL function " + clipText(tokens[i-1]) + " is not known to be pure"
		}
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

// callsExtension reports whether the tokens before a parenthesis end in the name of a
// function that may have effects. Such a name is an IRI or has a prefix. Some prefixes of
// pure functions are allowed. If relative is true, no prefix is allowed, because a prefix
// may then mean anything.
func callsExtension(tokens []string, relative bool) bool {
	last := len(tokens) - 1
	prefix, _, prefixed := strings.Cut(tokens[last], ":")
	switch prefix {
	case "xsd", "xs", "fn", "math", "geof", "ofn", "afn", "spif", "text":
		return prefixed && relative
	case "<", relativeIRI:
		return true
	case "filter", "bind", "values":
		return prefixed
	}
	return prefixed || isLetter(prefix[0]) && last > 0 && (tokens[last-1] == ":" || tokens[last-1] == ".")
}

// iriLength returns the length of the IRI in angle brackets at the beginning of s, or 0 if
// there is none.
func iriLength(s string) int {
	if end := strings.IndexAny(s[1:], "<> \r\n\t{}\"`|^\\"); end >= 0 && s[1+end] == '>' {
		return end + 2
	}
	return 0
}

// splunkKind judges a Splunk search. All commands after a pipe must only shape the
// results. An apostrophe may begin a name or be a plain character, so the search must be
// safe in both readings.
func splunkKind(s string) (Tri, string) {
	tokens, problem := splunkText.lexWords(s)
	if problem != "" || len(tokens) == 0 || strings.Contains(s, "`") {
		return Unknown, "the text cannot be read safely as a Splunk search"
	}
	if first := at2(tokens, 0); first != "delete" && first != "collect" && isListed(first, splunkWritesList) && at2(tokens, 1) != "=" {
		return Unknown, "Splunk " + first + " may have effects"
	}
	if m, why := splunkPipes(tokens); m != No {
		return m, why
	}
	if tokens, problem = splunkNames.lexWords(s); problem == "" {
		return splunkPipes(tokens)
	}
	return No, "the Splunk search only reads"
}

// splunkPipes judges the commands of a Splunk search after each pipe.
func splunkPipes(tokens []string) (Tri, string) {
	for i, t := range tokens {
		if t != "|" && t != "[" {
			continue
		}
		next := at2(tokens, i+1)
		if splunkShapes(next) {
			continue
		}
		if isListed(next, splunkWritesList) {
			return Yes, "Splunk | " + next
		}
		return Unknown, "Splunk | " + clipText(next) + " is not known to be read-only"
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
// a change, except for a show command. A plugin makes the verdict unknown, because it may
// access other systems.
func kustoKind(s string) (Tri, string) {
	tokens, problem := kustoText.lexWords(s)
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
// The expression may only find, count or aggregate. It must not contain code or a stage
// that writes.
func mongoKind(s string) (Tri, string) {
	if v, err := jsonval.Parse(s); err == nil && v.Kind() != jsonval.String {
		q := queryProof{start: &start{}}
		q.judgeStructured("", v)
		if q.worst.Reason != "" {
			return q.worst.Mutating, q.worst.Reason
		}
		return No, "the structured query has no stage that writes"
	}
	tokens, problem := mongoText.lexWords(s)
	if problem != "" || at2(tokens, 0) != "db" {
		return Unknown, "cannot prove that the MongoDB query only reads"
	}
	for _, stage := range [...]string{"$out", "$merge", "$where", "$function", "$accumulator"} {
		if strings.Contains(s, stage) {
			return Unknown, "a pipeline stage that may have effects"
		}
	}
	calls := 0
	for i, t := range tokens {
		switch {
		case t == ";" && i < len(tokens)-1, t == "." && at2(tokens, i+1) == ".", mongoRuns(t):
			return Unknown, "MongoDB " + clipText(t) + " may have effects"
		case t == "(" && i > 0:
			calls++
			if !mongoReads(tokens[i-1]) {
				return Unknown, "MongoDB " + clipText(tokens[i-1]) + " is not known to be read-only"
			}
		}
	}
	if calls == 0 {
		return Unknown, "cannot prove that the MongoDB query only reads"
	}
	return No, "the MongoDB calls only read"
}

// mongoRuns reports whether a token of JavaScript assigns, builds a text or a template, or
// may run code in another way.
func mongoRuns(t string) bool {
	switch t {
	case "=", "<", ">", "+", "`", "\\", "function", "__proto__":
		return true
	}
	return false
}

func mongoReads(w string) bool {
	return isListed(w, mongoReadsList)
}
