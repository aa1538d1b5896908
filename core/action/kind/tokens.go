package kind

import (
	"slices"
	"strings"
	"sync"

	"github.com/boundcheck/boundcheck/core/action/readcmd"
)

// compareQueries compares two statements in SQL by their tokens. White space outside
// quotes, comments, the letter case of keywords and a semicolon at the end mean nothing.
func (p *pair) compareQueries() Outcome {
	if !isStatement(p.a.text) || !isStatement(p.b.text) || !p.named(" sql query statement command code ") && !p.tool.has(" sql query database db ") {
		return Open
	}
	a, ok := sqlTokens(p.a.text)
	b, ok2 := sqlTokens(p.b.text)
	a, b = plainNames(a), plainNames(b)
	switch {
	case !ok || !ok2:
		return Open
	case slices.Equal(a, b):
		return Same
	case slices.EqualFunc(a, b, sameButCase):
		return Unsure // some databases ignore the case of names
	case slices.Equal(sortedConditions(a), sortedConditions(b)):
		return Same
	}
	return Differs
}

// plainNames returns the tokens of a statement with simple names out of backquotes, IN of one value
// as =, and without the parentheses around all of its conditions.
func plainNames(tokens []string) []string {
	out := tokens
	for i, t := range tokens {
		if name, ok := strings.CutPrefix(t, "`"); ok {
			name = strings.TrimSuffix(name, "`")
			if isName(name) && !isListed(strings.ToLower(name), sqlKeywords) {
				if &out[0] == &tokens[0] {
					out = slices.Clone(tokens)
				}
				out[i] = name
			}
		}
	}
	for i := slices.Index(out, "in"); i > 0 && i+3 < len(out) && out[i+1] == "(" && out[i+3] == ")" && out[i+2] != "select" && out[i-1] != "not"; i = slices.Index(out, "in") {
		out = slices.Concat(out[:i], []string{"=", out[i+2]}, out[i+4:]) // IN of one value
	}
	from, last := slices.Index(out, "where")+1, len(out)-1
	if from == 0 || from >= last || out[from] != "(" || out[last] != ")" {
		return out
	}
	depth := 0
	for _, t := range out[from:last] {
		switch t {
		case "(":
			depth++
		case ")":
			depth--
		}
		if depth == 0 {
			return out
		}
	}
	return append(slices.Clone(out[:from]), out[from+1:last]...)
}

// conditionKeys end the names of arguments that hold the condition of a query.
const conditionKeys = " where filter condition query criterion criteria predicate expression jql "

// compareConditions compares two conditions that are joined by "and", whose order means nothing.
func (p *pair) compareConditions() Outcome {
	if !p.ends(conditionKeys) || !p.a.isString() || !p.b.isString() || !isCondition(p.a.text) || !isCondition(p.b.text) {
		return Open
	}
	a, ok := sqlTokens(p.a.text)
	b, ok2 := sqlTokens(p.b.text)
	where := []string{"where"}
	if !ok || !ok2 || !slices.Equal(sortedConditions(append(where, a...)), sortedConditions(append(where, b...))) {
		return Open
	}
	return Same
}

func isCondition(s string) bool { return strings.ContainsAny(s, "=<>") && !isStatement(s) }

// sortedConditions returns the tokens of a statement with the conditions behind "where" in order,
// if only "and" joins them.
func sortedConditions(tokens []string) []string {
	from := slices.Index(tokens, "where") + 1
	if from == 0 {
		return tokens
	}
	end := from + slices.IndexFunc(tokens[from:], func(t string) bool { return isListed(t, " group order having limit union returning on ") })
	if end < from {
		end = len(tokens)
	}
	var conditions []string
	depth, last := 0, from
	for i := from; i <= end; i++ {
		if i == end || depth == 0 && tokens[i] == "and" {
			conditions = append(conditions, strings.Join(tokens[last:i], "\x00"))
			last = i + 1
			continue
		}
		switch tokens[i] {
		case "(":
			depth++
		case ")":
			depth--
		case "or", "between", "select", "where":
			if depth == 0 || tokens[i] == "where" {
				return tokens
			}
		}
	}
	slices.Sort(conditions)
	return slices.Concat(tokens[:from], conditions, tokens[end:])
}

// compareGraphs compares two queries in GraphQL. Blanks, commas and comments mean nothing there
// (GraphQL, section 2.1).
func (p *pair) compareGraphs() Outcome {
	if !p.named(" query graphql mutation document ") || !isGraph(p.a.text) || !isGraph(p.b.text) {
		return Open
	}
	a, b := graphTokens(p.a.text), graphTokens(p.b.text)
	if a == nil || b == nil {
		return Open
	}
	return sameIf(slices.Equal(a, b))
}

func isGraph(s string) bool {
	first, _, ok := strings.Cut(strings.TrimSpace(s), "{")
	word, _, _ := strings.Cut(strings.TrimSpace(first), " ")
	word, _, _ = strings.Cut(word, "(")
	return ok && (word == "" || isListed(word, " query mutation subscription fragment "))
}

// graphTokens splits a query in GraphQL into tokens. It returns nil for a text that is not
// closed.
func graphTokens(s string) (out []string) {
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case strings.IndexByte(" \t\r\n,", c) >= 0:
			i++
		case c == '#':
			end := strings.IndexByte(s[i:]+"\n", '\n')
			i += end
		case c == '"':
			end := quotedEnd(s, i)
			if end < 0 {
				return nil
			}
			out, i = append(out, s[i:end]), end
		case isWordByte(c):
			end := i
			for end < len(s) && isWordByte(s[end]) {
				end++
			}
			out, i = append(out, s[i:end]), end
		default:
			out, i = append(out, s[i:i+1]), i+1
		}
	}
	if len(out) > 1 && out[0] == "query" && out[1] == "{" {
		out = out[1:]
	}
	return out
}

// sameButCase reports whether two tokens are equal or names in another letter case. Quoted
// texts keep their case.
func sameButCase(a, b string) bool {
	return a == b || a != "" && strings.IndexByte("'\"`", a[0]) < 0 && strings.EqualFold(a, b)
}

const statements = " select insert update delete merge replace create alter drop truncate with grant revoke begin commit "

// IsStatement reports whether a text begins like a statement of SQL.
func IsStatement(s string) bool { return isStatement(s) }

// Statement splits a statement of SQL into tokens, with keywords in lower case. The result is false for
// a text that this package does not read.
func Statement(s string) ([]string, bool) { return sqlTokens(s) }

func isStatement(s string) bool {
	s = strings.TrimSpace(s)
	for strings.HasPrefix(s, "--") { // lines of comments
		_, s, _ = strings.Cut(s, "\n")
		s = strings.TrimSpace(s)
	}
	first, _, _ := strings.Cut(strings.ToLower(s), " ")
	first, _, _ = strings.Cut(first, "\n")
	return isListed(first, statements)
}

const sqlKeywords = " select from where and or not insert into values update set delete join left right inner outer full cross on group by order having limit offset union all distinct as in is null true false like between exists case when then else end asc desc create table alter drop truncate add column index view primary key foreign references default constraint unique if with recursive returning using merge replace begin commit rollback transaction grant revoke to "

// sqlTokens splits a statement into tokens. Keywords are in lower case. The result is false
// for a quote or comment that is not closed, and for a comment that a database may read.
func sqlTokens(s string) (out []string, ok bool) {
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case strings.IndexByte(" \t\r\n", c) >= 0:
			i++
		case strings.HasPrefix(s[i:], "--"):
			if end := strings.IndexByte(s[i:], '\n'); end >= 0 {
				i += end
			} else {
				i = len(s)
			}
		case strings.HasPrefix(s[i:], "/*"):
			end := strings.Index(s[i+2:], "*/")
			if end < 0 || i+2 < len(s) && (s[i+2] == '!' || s[i+2] == '+') {
				return nil, false
			}
			i += end + 4
		case c == '\'' || c == '"' || c == '`':
			end := quotedEnd(s, i)
			if end < 0 {
				return nil, false
			}
			out = append(out, s[i:end])
			i = end
		case isWordByte(c):
			end := i
			for end < len(s) && isWordByte(s[end]) {
				end++
			}
			w := s[i:end]
			if l := strings.ToLower(w); isListed(l, sqlKeywords) {
				w = l
			}
			out = append(out, w)
			i = end
		default:
			n := 1
			if strings.HasPrefix(s[i:], "<>") {
				out, i = append(out, "!="), i+2
				continue
			}
			if i+1 < len(s) && isListed(s[i:i+2], " <= >= <> != || :: -> ") {
				n = 2
			}
			out = append(out, s[i:i+n])
			i += n
		}
	}
	for len(out) > 0 && out[len(out)-1] == ";" {
		out = out[:len(out)-1]
	}
	return out, true
}

// quotedEnd returns the end of the quoted text that begins at i. A doubled quote is a part
// of the text. It returns -1 for a quote that is not closed, and for a text with a
// backslash, which databases read in different ways.
func quotedEnd(s string, i int) int {
	for end := i + 1; end < len(s); end++ {
		switch {
		case s[end] == '\\':
			return -1
		case s[end] == s[i] && end+1 < len(s) && s[end+1] == s[i]:
			end++
		case s[end] == s[i]:
			return end + 1
		}
	}
	return -1
}

func isWordByte(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '.' || c == '@' || c == '#' || c == '$' || c >= 0x80
}

// compareCommands compares two lines of a shell by the words that the shell reads.
func (p *pair) compareCommands() Outcome {
	if !p.ends(" command cmd commandline line ") && !(p.tool.has(" bash shell terminal sh exec ") && p.ends(" input script ")) || !p.a.isString() || !p.b.isString() {
		return Open
	}
	a, ok := readcmd.Tokens(p.a.text)
	b, ok2 := readcmd.Tokens(p.b.text)
	if !ok || !ok2 {
		if squeezeBlanks(p.a.text) == squeezeBlanks(p.b.text) {
			return Unsure
		}
		return Differs
	}
	a, b = plainOptions(plainVariables(withoutEnd(a))), plainOptions(plainVariables(withoutEnd(b)))
	switch {
	case slices.Equal(a, b):
		return Same
	case slices.Equal(plainWords(a), plainWords(b)):
		if isListed(wordOf(a[0]), " rsync cp mv ln ") {
			return Unsure // a slash at the end of a folder may mean what is in it
		}
		return Same
	}
	return Differs
}

// plainVariables writes ${NAME} as $NAME where no letter follows.
func plainVariables(tokens []string) []string {
	out := tokens
	for i, t := range tokens {
		from := strings.Index(t, "${")
		if end := strings.IndexByte(t, '}'); from >= 0 && end > from && isName(t[from+2:end]) && !strings.Contains(t[from+2:end], ".") && (end+1 == len(t) || !isWordByte(t[end+1])) {
			if &out[0] == &tokens[0] {
				out = slices.Clone(tokens)
			}
			out[i] = t[:from] + "$" + t[from+2:end] + t[end+1:]
		}
	}
	return out
}

// optionTable has the options of commands by the command and perhaps its verb: "git commit".
var optionTable = sync.OnceValue(func() map[string][]string {
	out := map[string][]string{}
	for _, row := range codeRows("option") {
		words := strings.Fields(row)
		out[strings.Replace(words[0], "_", " ", 1)] = words[1:]
	}
	return out
})

// plainOptions writes the options of the commands in the table one by one, with their short
// names and their values apart: ls -la and ls --all -l are ls -a -l. The order of neighbouring
// options without a value means nothing.
func plainOptions(tokens []string) []string {
	var out []string
	for len(tokens) > 0 {
		end := slices.IndexFunc(tokens, isBetweenCommands)
		if end < 0 {
			end = len(tokens)
		}
		out = append(out, plainCommand(tokens[:end])...)
		if end < len(tokens) {
			out = append(out, tokens[end])
			end++
		}
		tokens = tokens[end:]
	}
	return out
}

// isBetweenCommands reports whether a token of a shell ends a command.
func isBetweenCommands(token string) bool {
	operator, ok := strings.CutPrefix(token, "operator ")
	return ok && strings.Trim(operator, "|&;\n()") == ""
}

// plainCommand returns the tokens of one command with its options one by one.
func plainCommand(tokens []string) []string {
	at := 0
	if len(tokens) > 0 && tokens[0] == "word sudo" {
		at = 1
	}
	if len(tokens) < at+2 {
		return tokens
	}
	options, ok := optionTable()[wordOf(tokens[at])]
	if !ok {
		at++
		options, ok = optionTable()[wordOf(tokens[at-1])+" "+wordOf(tokens[at])]
	}
	if !ok {
		return tokens
	}
	out, run := slices.Clone(tokens[:at+1]), at+1 // run is the beginning of the current run of options
	for at++; at < len(tokens); at++ {
		w := wordOf(tokens[at])
		if w == "--" {
			return append(out, tokens[at:]...)
		}
		if len(w) < 2 || w[0] != '-' {
			if runsOther(tokens) {
				return append(out, tokens[at:]...)
			}
			out = append(out, tokens[at])
			run = len(out)
			continue
		}
		short, value, takes := splitOptions(w, options)
		for _, s := range short {
			out = append(out, wordToken+s)
		}
		if !takes {
			slices.Sort(out[run:])
			continue
		}
		if value == "" && at+1 < len(tokens) {
			at++
			out = append(out, tokens[at])
		} else {
			out = append(out, wordToken+value)
		}
		run = len(out)
	}
	return out
}

// runsOther reports whether a command runs another one, whose options follow its first operand.
func runsOther(tokens []string) bool {
	return slices.ContainsFunc(tokens[:min(2, len(tokens))], func(t string) bool { return isListed(wordOf(t), " ssh xargs docker ") })
}

// wordToken begins a token of readcmd that is a word.
const wordToken = "word "

// wordOf returns the text of a token that is a word, or "".
func wordOf(token string) string {
	word, _ := strings.CutPrefix(token, wordToken)
	if word == token {
		return ""
	}
	return word
}

// splitOptions returns the options in a word with their short names. takes reports whether the last
// of them takes a value, which is the rest of the word if there is one.
func splitOptions(w string, options []string) (short []string, value string, takes bool) {
	if long, ok := strings.CutPrefix(w, "--"); ok {
		long, value, _ = strings.Cut(long, "=")
		for _, o := range options {
			if name, full, _ := strings.Cut(o, "="); full == long && full != "" {
				return []string{"-" + strings.TrimSuffix(name, ":")}, value, strings.HasSuffix(name, ":")
			}
		}
		return []string{w}, "", false
	}
	for i := 1; i < len(w); i++ {
		letter := w[i : i+1]
		known := slices.IndexFunc(options, func(o string) bool { return strings.HasPrefix(o, letter) })
		if known < 0 {
			return []string{w}, "", false
		}
		short = append(short, "-"+letter)
		if strings.HasPrefix(options[known][1:], ":") {
			return short, w[i+1:], true
		}
	}
	return short, "", false
}

// withoutEnd returns the tokens of a line without the semicolons at its end.
func withoutEnd(tokens []string) []string {
	for len(tokens) > 1 && tokens[len(tokens)-1] == "operator ;" {
		tokens = tokens[:len(tokens)-1]
	}
	return tokens
}

// plainWords returns the words of a command without a slash at the end of a path, and without ./
// before an operand. Before the name of a program it says which program runs.
func plainWords(words []string) []string {
	out := slices.Clone(words)
	for i, w := range out {
		if rest, ok := strings.CutPrefix(w, wordToken+"./"); ok && rest != "" && rest[0] != '-' && i > 0 && !isBetweenCommands(words[i-1]) {
			w = wordToken + rest
			out[i] = w
		}
		if trimmed := strings.TrimSuffix(w, "/"); trimmed != "" && !strings.Contains(w, "://") {
			out[i] = trimmed
		}
	}
	return out
}

// squeezeBlanks returns a text with each run of white space as one blank.
func squeezeBlanks(s string) string { return strings.Join(strings.Fields(s), " ") }

// compareFormulas compares two formulas without their blanks. The signs ^ and ** are the
// same power, and a number directly before a letter is multiplied by it.
func (p *pair) compareFormulas() Outcome {
	if !p.ends(" formula expression equation function func polynomial integrand ") || !isFormula(p.a.text) || !isFormula(p.b.text) {
		return Open
	}
	return sameIf(plainFormula(p.a.text) == plainFormula(p.b.text))
}

// isFormula reports whether a text has an operator and no quotes, and no two names that
// only a blank separates.
func isFormula(s string) bool {
	if !strings.ContainsAny(s, "+-*/^=(") || strings.ContainsAny(s, "'\"`;{}\n") {
		return false
	}
	fields := strings.Fields(s)
	for i := 1; i < len(fields); i++ {
		before, after := fields[i-1][len(fields[i-1])-1], fields[i][0]
		if isFormulaByte(before) && isFormulaByte(after) {
			return false
		}
	}
	return true
}

func isFormulaByte(c byte) bool { return isWordByte(c) && c != '$' }

func plainFormula(s string) string {
	s = strings.ReplaceAll(strings.Join(strings.Fields(s), ""), "**", "^")
	var b strings.Builder
	for i := range len(s) {
		digit := i > 0 && s[i-1] >= '0' && s[i-1] <= '9'
		if letter := s[i] >= 'a' && s[i] <= 'z' && s[i] != 'e'; letter && digit && !nameBefore(s, i) {
			b.WriteByte('*')
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// nameBefore reports whether the digits that end before i belong to a name, such as A1.
func nameBefore(s string, i int) bool {
	for i--; i >= 0 && (s[i] >= '0' && s[i] <= '9' || s[i] == '.'); i-- {
	}
	return i >= 0 && (isWordByte(s[i]) || s[i] == '_')
}

// Added returns the commands or statements that the text a has beyond the text b: before
// it, or behind it. It returns "" if a is not b with more commands, and for other kinds.
func Added(kind Name, a, b string) string {
	if kind != Command && kind != Query {
		return ""
	}
	a, b = strings.TrimSpace(a), strings.TrimSpace(b)
	if b == "" || len(a) <= len(b) {
		return ""
	}
	b = strings.TrimRight(b, "; ")
	if rest, ok := strings.CutPrefix(a, b); ok {
		return separatedCommands(rest, kind, true)
	}
	if rest, ok := strings.CutSuffix(a, b); ok {
		return separatedCommands(rest, kind, false)
	}
	return ""
}

// AddsWords reports whether a command has all words of another command, in order, and more:
// things on which it acts, or flags that force.
func AddsWords(a, b string) bool {
	x, y := strings.Fields(a), strings.Fields(b)
	if len(y) < 2 || len(x) < len(y) || strings.ContainsAny(a+b, "|&;<>\n") {
		return false
	}
	further := false
	for _, w := range x {
		if len(y) > 0 && w == y[0] {
			y = y[1:]
		} else {
			further = further || w[0] != '-' || isForcing(w)
		}
	}
	return len(y) == 0 && further
}

// isForcing reports whether an option makes a command go further.
func isForcing(option string) bool {
	return isListed(option, " -f -r -rf -fr -R --force --recursive --hard --all --delete --cascade --purge ")
}

// separatedCommands returns the commands in a text that stands behind or before others, if an
// operator separates them, and "" otherwise.
func separatedCommands(s string, kind Name, behind bool) string {
	operators := [...]string{"&&", "||", ";", "\n", "|", "&"}
	for _, op := range operators[:] {
		if kind == Query && op != ";" {
			continue
		}
		rest, ok := strings.CutPrefix(strings.TrimLeft(s, " "), op)
		if !behind {
			rest, ok = strings.CutSuffix(strings.TrimRight(s, " "), op)
		}
		if rest = strings.TrimSpace(rest); ok && rest != "" {
			return rest
		}
	}
	return ""
}
