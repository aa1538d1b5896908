package kind

import (
	"slices"
	"strings"

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
	switch {
	case !ok || !ok2:
		return Open
	case slices.Equal(a, b):
		return Same
	case slices.EqualFunc(a, b, sameButCase):
		return Unsure // some databases ignore the case of names
	}
	return Differs
}

// sameButCase reports whether two tokens are equal or names in another letter case. Quoted
// texts keep their case.
func sameButCase(a, b string) bool {
	return a == b || a != "" && strings.IndexByte("'\"`", a[0]) < 0 && strings.EqualFold(a, b)
}

const statements = " select insert update delete merge replace create alter drop truncate with grant revoke begin commit "

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

const sqlKeywords = " select from where and or not insert into values update set delete join left right inner outer full cross on group by order having limit offset union all distinct as in is null like between exists case when then else end asc desc create table alter drop truncate add column index view primary key foreign references default constraint unique if with recursive returning using merge replace begin commit rollback transaction grant revoke to "

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
	switch {
	case slices.Equal(a, b):
		return Same
	case slices.Equal(plainWords(a), plainWords(b)):
		if isListed(a[0], " rsync cp mv ln ") {
			return Unsure // a slash at the end of a folder may mean what is in it
		}
		return Same
	}
	return Differs
}

// plainWords returns the words of a command without a slash at the end of a path.
func plainWords(words []string) []string {
	out := slices.Clone(words)
	for i, w := range out {
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
