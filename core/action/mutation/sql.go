package mutation

import (
	"math/bits"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxStatement is the largest size of a statement, in bytes.
const maxStatement = 256 << 10

// sqlKind judges whether a text is SQL that only reads. The verdict is No if all of these
// are true for each statement:
//
//   - The statement begins with a reading keyword.
//   - It has no writing keyword outside strings.
//   - It calls only functions that are known to be pure.
//
// If dialects read the quotes of the text in different ways, sqlKind judges each way and
// returns the strictest verdict. The verdict is Unknown if dialects differ in another
// way, for example in "#" or nested comments. It is also Unknown if a quote stays open in
// each way. O(n).
func sqlKind(text string) (Tri, string) {
	if len(text) > maxStatement {
		return Unknown, "SQL is too long to read"
	}
	differ := quotesDiffer(text)
	if len(text)<<bits.OnesCount8(uint8(differ)) > 4*maxStatement {
		return Unknown, "SQL is too long to check with every quote style"
	}
	m, why, whole := sqlReading(text, 0)
	for style := sqlStyle(1); style <= differ; style++ {
		if style&^differ != 0 {
			continue
		}
		other, reason, closed := sqlReading(text, style)
		if why == "" || other.rank() > m.rank() {
			m, why = other, reason
		}
		whole = whole || closed && style&tripleQuotes == 0
	}
	if !whole && m == No {
		return Unknown, "SQL with a quote that is not closed"
	}
	return m, why
}

// sqlStyle is a set of the properties in which dialects read quotes differently.
type sqlStyle uint8

const (
	escapesSingle   sqlStyle = 1 << iota // a backslash in '' escapes the next character
	escapesDouble                        // so in ""
	escapesBacktick                      // so in ``
	escapesPrefixed                      // so in E'', r"" and others after a letter
	tripleQuotes                         // three quote marks begin a string that three end
)

// quotesDiffer returns the properties of a dialect that decide how the quotes in a text
// are read.
func quotesDiffer(text string) (differ sqlStyle) {
	if strings.Contains(text, "'''") || strings.Contains(text, `"""`) {
		differ = tripleQuotes
	}
	if !strings.Contains(text, "\\") {
		return differ
	}
	for i, mark := range "'\"`" {
		if strings.ContainsRune(text, mark) {
			differ |= 1<<i | escapesPrefixed
		}
	}
	return differ
}

// sqlReading judges a text in one of the ways to read quotes. The result whole is false
// if a quote stays open. In that case, only the statements before the quote are judged.
// The result why is "" if there are no such statements.
func sqlReading(text string, style sqlStyle) (m Tri, why string, whole bool) {
	l := sqlLexer{text: text, style: style, backslash: strings.Contains(text, "\\")}
	tokens, problem := l.readTokens()
	if problem != "" {
		return Unknown, problem, true
	}
	m = No
	for len(tokens) > 0 {
		end := 0
		for end < len(tokens) && tokens[end].text != ";" {
			end++
		}
		if end == len(tokens) && l.open {
			break
		}
		if end > 0 {
			one, reason := sqlStatement(tokens[:end])
			if why == "" || one.rank() > m.rank() {
				m, why = one, reason
			}
		}
		tokens = tokens[min(end+1, len(tokens)):]
	}
	if why == "" && !l.open {
		return Unknown, "no SQL statement", true
	}
	return m, why, !l.open
}

func sqlStatement(tokens []sqlToken) (Tri, string) {
	lead := 0
	for lead < len(tokens) && tokens[lead].text == "(" {
		lead++
	}
	if lead == len(tokens) || !tokens[lead].word {
		return Unknown, "no SQL statement"
	}
	first := tokens[lead].text
	for i, t := range tokens {
		if first == "show" && i == lead+1 && t.text == "create" {
			continue
		}
		if t.word && i != lead+1 && isListed(t.text, sqlBareList) && beginsStatement(tokens, i) {
			return Yes, "SQL " + strings.ToUpper(t.text)
		}
		if t.word && sqlWrites(t.text) && !(t.text == "replace" && i > lead && precedesParen(tokens, i)) {
			return Yes, "SQL " + strings.ToUpper(t.text)
		}
	}
	if first == "pragma" && sqlDescribes(tokenText(tokens, lead+1)) && !hasToken(tokens, "=") {
		return No, "SQL PRAGMA " + tokenText(tokens, lead+1) + " only reads"
	}
	if !sqlReads(first) {
		return Unknown, "SQL " + strings.ToUpper(clipText(first)) + " is not a known read-only statement"
	}
	for i, t := range tokens {
		switch next := tokenText(tokens, i+1); {
		case t.word && (t.text == "analyze" || t.text == "analyse") && first != "select" && first != "with":
			return Unknown, "SQL EXPLAIN ANALYZE runs the statement"
		case t.word && isListed(t.text+"_"+next, sqlPairList):
			return Yes, "SQL " + strings.ToUpper(t.text+" "+next) + " changes, locks or consumes something"
		case t.word && t.text == "nextval":
			return Yes, "SQL NEXTVAL advances a sequence"
		case t.word && (t.text == "procedure" || t.text == "using" && (next == "'" || next == "\"")), t.text == ":=":
			return Unknown, "SQL " + strings.ToUpper(t.text) + " may have effects"
		case precedesParen(tokens, i) && (t.quoted || t.word && (tokenText(tokens, i-1) == "." || !sqlPure(t.text))):
			return Unknown, "SQL function " + clipText(t.text) + " is not known to be pure"
		}
	}
	if name := callWithoutParens(tokens); name != "" {
		return Unknown, "SQL " + clipText(name) + " may be a function that is called without parentheses"
	}
	return No, "SQL " + strings.ToUpper(first) + " only reads"
}

// callWithoutParens returns the name of a function that a query may call without
// parentheses, or "". Oracle runs a package's function in this way, for example in
// "select maintenance.purge_all from dual". The name must have a verb for a change. It
// must be part of a dotted name that does not begin with a table of the query, or the
// query must read only from dual, which has no such column.
func callWithoutParens(tokens []sqlToken) string {
	t := readTables(tokens)
	for i, name := range tokens {
		if !name.word && !name.quoted || t.within[i] || tokenText(tokens, i+1) == "." || precedesParen(tokens, i) {
			continue
		}
		first := i
		for first > 1 && tokens[first-1].text == "." {
			first -= 2
		}
		switch {
		case first == i:
			if before := tokens[max(i-1, 0)]; t.some || !t.dual || name.text == "'" || isListed(name.text, sqlClauseList) || before.text == "as" || before.quoted || before.text == ")" {
				continue
			}
		case t.names[tokens[first].identifier()]:
			continue
		}
		if name.quoted && first < i {
			return "a quoted name"
		}
		if anyOf(splitWords(name.text+name.name), func(w string) bool { // of a quoted name, text is only the quote mark
			return sqlWrites(w) || wordClass(w).has(write|vague) && !wordClass(w).has(noun)
		}) {
			return name.identifier()
		}
	}
	return ""
}

// sqlTables are the tables of a statement.
type sqlTables struct {
	names  map[string]bool // parts of the tables' names, and aliases
	within []bool          // for each token: it names a table
	some   bool            // there is a table other than dual
	dual   bool            // there is the table dual
}

// readTables returns the tables of a statement, with those of its subqueries.
func readTables(tokens []sqlToken) sqlTables {
	t := sqlTables{names: map[string]bool{}, within: make([]bool, len(tokens))}
	add := func(i int) bool {
		if i >= len(tokens) || !tokens[i].word && !tokens[i].quoted || isListed(tokens[i].text, sqlClauseList) {
			return false
		}
		t.names[tokens[i].identifier()], t.within[i] = true, true
		return true
	}
	closing := closingParens(tokens)
	queries := []bool{true} // for each open parenthesis: it contains a query, not the arguments of a function
	for i := range tokens {
		switch {
		case tokens[i].text == "(":
			queries = append(queries, oneOf(tokenText(tokens, i+1), "select with values"))
		case tokens[i].text == ")" && len(queries) > 1:
			queries = queries[:len(queries)-1]
		}
		from := tokens[i].text == "from" && queries[len(queries)-1] && tokenText(tokens, i-1) != "distinct"
		if !tokens[i].word || !from && tokens[i].text != "join" {
			continue
		}
		for next := i + 1; ; next++ {
			begin := next
			for add(next) {
				next++
				if tokenText(tokens, next) != "." {
					break
				}
				next++
			}
			dual := next == begin+1 && tokens[begin].identifier() == "dual"
			t.some, t.dual = t.some || next > begin && !dual, t.dual || dual
			if precedesParen(tokens, next-1) {
				t.some = true
				next = closing[next] + 1
			}
			if tokenText(tokens, next) == "as" {
				next++
			}
			if add(next) {
				if dual { // a package may have the name of this alias
					delete(t.names, tokens[next].identifier())
				}
				next++
			}
			if tokenText(tokens, next) != "," {
				break
			}
		}
	}
	return t
}

// closingParens returns, for the index of each opening parenthesis, the index of the
// closing one, or of the last token if there is none.
func closingParens(tokens []sqlToken) []int {
	var open []int
	closing := make([]int, len(tokens))
	for i := range tokens {
		closing[i] = len(tokens) - 1
		switch tokens[i].text {
		case "(":
			open = append(open, i)
		case ")":
			if n := len(open) - 1; n >= 0 {
				closing[open[n]] = i
				open = open[:n]
			}
		}
	}
	return closing
}

// beginsStatement reports whether the word at index i may begin a statement in a dialect
// that needs no semicolon. The word before it must end an operand. The next token must
// not show that the word is only an alias.
func beginsStatement(tokens []sqlToken, i int) bool {
	if i == 0 {
		return true
	}
	before, next := tokens[i-1], tokenText(tokens, i+1)
	if before.text == "." && i > 1 && isDigit(tokens[i-2].text[0]) { // 1.
		before = tokens[i-2]
	}
	if before.word && isListed(before.text, sqlClauseList) || !before.word && !before.quoted && strings.Trim(before.text, "0123456789)]") != "" {
		return false
	}
	return next == "" || next == "select" || next == "all" || isIdentifier(next) && next != "." && !isListed(next, sqlClauseList)
}

func tokenText(tokens []sqlToken, i int) string {
	if i < 0 || i >= len(tokens) {
		return ""
	}
	return tokens[i].text
}

func hasToken(tokens []sqlToken, text string) bool {
	for _, t := range tokens {
		if t.text == text {
			return true
		}
	}
	return false
}

// sqlDescribes reports whether a word is a SQLite pragma that only describes a schema.
func sqlDescribes(w string) bool {
	switch w {
	case "table_info", "table_xinfo", "table_list", "index_list", "index_info", "index_xinfo", "foreign_key_list", "database_list",
		"collation_list", "function_list", "compile_options":
		return true
	}
	return false
}

func precedesParen(tokens []sqlToken, i int) bool { return tokenText(tokens, i+1) == "(" }

func sqlReads(w string) bool {
	switch w {
	case "select", "show", "explain", "describe", "desc", "values", "table", "with":
		return true
	}
	return false
}

func sqlWrites(w string) bool {
	return isListed(w, sqlWritesList)
}

// sqlPure reports whether a word before an opening parenthesis is a keyword, a type or a
// function without effects. Any other function is not known to be safe.
func sqlPure(w string) bool { return sqlPureName(w) || sqlPureFamily(w) }

func sqlPureName(w string) bool {
	return isListed(w, sqlPureNameList)
}

// sqlPureFamily reports whether a function has the prefix of a family of functions
// without effects. A name with the word to or with a verb for a change does not count,
// because it may be a user's own function.
func sqlPureFamily(w string) bool {
	for _, prefix := range [...]string{"st_", "json_", "jsonb_", "array_", "regexp_", "date_", "timestamp_", "datetime_",
		"approx_", "stddev_", "var_", "covar_", "regr_", "percentile_", "is_"} {
		rest, found := strings.CutPrefix(w, prefix)
		if !found || rest == "" {
			continue
		}
		return !strings.HasPrefix(rest, "create") && !anyOf(splitWords(rest), func(w string) bool {
			return w != "extract" && wordClass(w).has(write|vague) && !wordClass(w).has(noun) || w == "to"
		})
	}
	return false
}

// sqlToken is a word (lower-case), a punctuation mark, or a quoted text, which is
// represented by its quote mark.
type sqlToken struct {
	text         string
	word, quoted bool
	name         string // the content of a quoted text
}

// identifier returns the name that a token may be, in lower case.
func (t *sqlToken) identifier() string {
	if t.quoted {
		return strings.ToLower(t.name)
	}
	return t.text
}

type sqlLexer struct {
	text  string
	pos   int
	style sqlStyle
	last  int  // the offset after the last string
	open  bool // the text ends in a string that is not closed

	backslash bool // the text has a backslash
}

// readTokens splits the text into tokens. If that cannot be done safely, problem says
// why.
func (l *sqlLexer) readTokens() (tokens []sqlToken, problem string) {
	for l.pos < len(l.text) {
		c := l.text[l.pos]
		rest := l.text[l.pos:]
		switch {
		case c == '\r' && !strings.HasPrefix(rest, "\r\n"):
			return nil, "SQL with a carriage return without a line feed"
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			l.pos++
		case c < ' ' || c == 0x7f:
			return nil, "SQL with control characters"
		case strings.HasPrefix(rest, "--"), strings.HasPrefix(rest, "/*"):
			problem = l.skipComment(rest)
		case c == '\'' || c == '"' || c == '`':
			from := l.pos + 1
			if problem = l.readQuoted(c, tokens); l.open {
				return tokens, ""
			}
			tokens = append(tokens, sqlToken{text: string(c), quoted: true, name: l.text[min(from, l.pos):max(from, l.pos-1)]})
		case c == '[':
			problem = l.skipBracket(rest)
			tokens = append(tokens, sqlToken{text: "["})
		case c == '#' || c == '\\':
			return nil, "SQL with " + string(c) + ", which databases read differently"
		case c == '$' && !(len(rest) > 1 && isDigit(rest[1])):
			return nil, "SQL with dollar quotes"
		case strings.HasPrefix(rest, ":="):
			tokens = append(tokens, sqlToken{text: ":="})
			l.pos += 2
		default:
			var t sqlToken
			if t, problem = l.readWordOrMark(rest); problem == "" {
				tokens = append(tokens, t)
			}
		}
		if problem != "" {
			return nil, problem
		}
	}
	return tokens, ""
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// readWordOrMark reads a word or one punctuation mark at the beginning of rest, the text
// that is not read yet. The second result is the problem with the text, or "".
func (l *sqlLexer) readWordOrMark(rest string) (sqlToken, string) {
	n := 0
	for n < len(rest) {
		r, size := utf8.DecodeRuneInString(rest[n:])
		if r != '_' && !unicode.IsLetter(r) && (n == 0 || !(r < 0x80 && isDigit(byte(r)))) {
			break
		}
		n += size
	}
	if n > 0 && isPlainWord(rest[:n]) {
		l.pos += n
		return sqlToken{text: strings.ToLower(rest[:n]), word: true}, ""
	}
	if n > 0 || rest[0] >= 0x80 {
		return sqlToken{}, "SQL with unusual characters outside quotes"
	}
	l.pos++
	return sqlToken{text: rest[:1]}, ""
}

func (l *sqlLexer) skipComment(rest string) string {
	if rest[0] == '-' {
		if len(rest) > 2 && rest[2] > ' ' {
			return "SQL with --, which databases read differently"
		}
		end := strings.IndexByte(rest, '\n')
		if end < 0 {
			end = len(rest)
		}
		if strings.Contains(strings.TrimSuffix(rest[:end], "\r"), "\r") {
			return "SQL with a carriage return without a line feed"
		}
		l.pos += end
		return ""
	}
	body, _, closed := strings.Cut(rest[2:], "*/")
	switch {
	case !closed:
		return "SQL with a comment that is not closed"
	case strings.Contains(body, "/*"), strings.HasPrefix(body, "!"), strings.HasPrefix(body, "+"),
		strings.HasPrefix(body, "M!"):
		return "SQL with a comment that databases read differently"
	}
	l.pos += len(body) + 4
	return ""
}

// readQuoted skips a string or a quoted name with the quote mark q. It returns why
// dialects read the string differently, or "". The argument tokens has the tokens before
// the string.
func (l *sqlLexer) readQuoted(q byte, tokens []sqlToken) string {
	var before sqlToken
	if len(tokens) > 0 {
		before = tokens[len(tokens)-1]
	}
	switch {
	case before.quoted && before.text == string(q) && strings.Contains(l.text[l.last:l.pos], "\n") && l.backslash:
		return "SQL with a string that continues on another line"
	case q == '\'' && (before.text == "q" || before.text == "nq"):
		return "SQL with a custom quote mark, as in q'[text]'"
	}
	l.skipQuoted(q)
	return ""
}

// skipQuoted skips a string or a quoted name with the quote mark q. Two quote marks in a
// row do not end the string. If the quote is not closed, skipQuoted sets l.open.
func (l *sqlLexer) skipQuoted(q byte) {
	escapes, mark := l.style&escapesOf(l.text[:l.pos], q) != 0, l.text[l.pos:l.pos+1]
	if triple := mark + mark + mark; l.style&tripleQuotes != 0 && q != '`' && strings.HasPrefix(l.text[l.pos:], triple) {
		escapes, mark = true, triple
	}
	for i := l.pos + len(mark); i < len(l.text); i++ {
		switch {
		case l.text[i] == '\\':
			if escapes {
				i++
			}
		case !strings.HasPrefix(l.text[i:], mark):
		case len(mark) == 1 && i+1 < len(l.text) && l.text[i+1] == q:
			i++
		default:
			l.pos = i + len(mark)
			l.last = l.pos
			return
		}
	}
	l.open = true
}

// escapesOf returns the property that decides whether a backslash is an escape in a
// string with the quote mark q. The first argument is the text in front of the quote
// mark.
func escapesOf(before string, q byte) sqlStyle {
	n := len(before)
	switch {
	case q == '`':
		return escapesBacktick
	case n > 0 && strings.IndexByte("eErRbB", before[n-1]) >= 0 && (n == 1 || !isIdentifier(before[n-2:n-1]) && before[n-2] < 0x80):
		return escapesPrefixed
	case q == '"':
		return escapesDouble
	}
	return escapesSingle
}

// skipBracket skips only the character "[", so that the text in the brackets is read as
// words. It returns a problem if databases read the text in the brackets differently, for
// example because of quotes or comments. Otherwise it returns "".
func (l *sqlLexer) skipBracket(rest string) string {
	inside, _, closed := strings.Cut(rest[1:], "]")
	if !closed || strings.ContainsAny(inside, "['\"`#$\\;") || strings.Contains(inside, "--") || strings.Contains(inside, "/*") {
		return "SQL with brackets that databases read differently"
	}
	l.pos++
	return ""
}

// sqlLeads are the first words of the statements that looksSQL knows.
const sqlLeads = "select call exec execute delete load comment lock refresh set vacuum reindex attach detach " +
	"insert replace merge update with explain drop alter create truncate grant revoke"

// looksSQL reports whether a text looks like an SQL statement. The first keyword alone is
// not enough, as in "select shoes". A second keyword must follow, such as "from" after
// "select", or the call of a function, as in "select f()".
func looksSQL(text string) bool {
	if !oneOf(leadWord(text), sqlLeads) {
		return false
	}
	t := splitWords(text)
	if len(t) < 2 {
		return false
	}
	partner := func(names ...string) bool {
		for _, w := range t[1:] {
			for _, n := range names {
				if w == n {
					return true
				}
			}
		}
		return false
	}
	switch t[0] {
	case "select", "call":
		return partner("from") || callsFunction(text)
	case "exec", "execute":
		return callsFunction(text) || len(t) > 2 && strings.ContainsAny(secondWord(text), "_.")
	case "delete":
		return partner("from")
	case "load":
		return partner("infile")
	case "comment":
		return t[1] == "on" && partner("table", "column", "view", "database", "schema", "function")
	case "lock", "refresh", "set", "vacuum", "reindex", "attach", "detach":
		return isListed(t[1], sqlPartnerList)
	case "insert", "replace", "merge":
		return partner("into")
	case "update":
		return partner("set")
	case "with":
		return partner("as") && partner("select", "insert", "update", "delete")
	case "explain":
		return partner("select", "insert", "update", "delete")
	case "drop", "alter", "create", "truncate":
		return namesObject(text, t, "table", "index", "view", "database", "schema", "function", "role", "trigger", "user") ||
			t[0] == "drop" && len(t) > 2 && t[1] == "series" && t[2] == "from" // of InfluxDB
	case "grant", "revoke":
		return partner("on", "to")
	}
	return false
}

// namesObject reports whether a text has one of the given words, such as "table", and a
// name after this word. The argument found has all words of the text.
func namesObject(text string, found []string, words ...string) bool {
	lower := strings.ToLower(text)
	for _, w := range words {
		if i := strings.Index(lower, w); i >= 0 && containsString(found, w) && strings.Trim(lower[i+len(w):], " ;\t\r\n") != "" {
			return true
		}
	}
	return false
}

// callsFunction reports whether a text has an opening parenthesis directly after a word.
func callsFunction(text string) bool {
	for i := 1; i < len(text); i++ {
		if text[i] == '(' && (isLetter(text[i-1]) || isDigit(text[i-1]) || text[i-1] == '_') {
			return true
		}
	}
	return false
}

// secondWord returns the second word of a text, up to the next space.
func secondWord(text string) string {
	if t := strings.Fields(text); len(t) > 1 {
		return t[1]
	}
	return ""
}
