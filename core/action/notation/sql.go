package notation

import (
	"slices"
	"strings"
)

// IsCondition reports whether a text compares something and is no statement.
func IsCondition(s string) bool { return strings.ContainsAny(s, "=<>") && !IsStatement(s) }

// IsGraph reports whether a text begins like a query in GraphQL.
func IsGraph(s string) bool {
	first, _, ok := strings.Cut(strings.TrimSpace(s), "{")
	word, _, _ := strings.Cut(strings.TrimSpace(first), " ")
	word, _, _ = strings.Cut(word, "(")
	return ok && (word == "" || isListed(word, " query mutation subscription fragment "))
}

// GraphTokens splits a query in GraphQL into tokens. It returns nil for a text that is not
// closed.
func GraphTokens(s string) (out []string) {
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

// SameButNames reports whether two tokens of PlainStatement are equal, apart from the letter case, the
// double quotes and the tables of names. Texts in single quotes keep their case.
func SameButNames(a, b string) bool {
	x, y := strings.Split(a, "\x00"), strings.Split(b, "\x00")
	return slices.EqualFunc(x, y, func(a, b string) bool {
		if a == b || a == "" || b == "" || a[0] == '\'' || b[0] == '\'' || IsDigitByte(a[0]) {
			return a == b
		}
		return strings.EqualFold(bareName(a), bareName(b))
	})
}

// bareName returns a name in SQL without its quotes and without the table before it.
func bareName(s string) string {
	s = strings.Trim(s, "\"`")
	return s[strings.LastIndexByte(s, '.')+1:]
}

const statements = " select insert update delete merge replace create alter drop truncate with grant revoke begin commit "

// IsStatement reports whether a text begins like a statement of SQL.
func IsStatement(s string) bool {
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

// sqlFunctions are functions of SQL, whose letter case means nothing before their arguments.
const sqlFunctions = " count sum avg min max coalesce nullif lower upper abs round floor ceil ceiling length char_length substring trim concat cast extract now current_timestamp row_number rank dense_rank lag lead first_value last_value "

// Statement splits a statement into tokens. Keywords are in lower case. The result is false
// for a quote or comment that is not closed, and for a comment that a database may read.
func Statement(s string) (out []string, ok bool) {
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
			if l := strings.ToLower(w); isListed(l, sqlKeywords) || isListed(l, sqlFunctions) && strings.HasPrefix(strings.TrimLeft(s[end:], " \t\r\n"), "(") {
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

// OneByOne returns for a statement that deletes or updates the rows with one of several values, by a single
// IN with a list of values in its last condition, the statements about one value each. It returns nil for any other one.
func OneByOne(s string) (out [][]string) {
	t, ok := Statement(s)
	if !ok || len(t) < 8 || t[0] != "delete" && t[0] != "update" || slices.Contains(t, "or") || slices.Contains(t, "not") || slices.Contains(t, "select") {
		return nil
	}
	where, at := slices.Index(t, "where"), slices.Index(t, "in")
	if where < 0 || at < where || slices.Contains(t[at+1:], "in") || t[len(t)-1] != ")" || t[at+1] != "(" {
		return nil
	}
	values := t[at+2 : len(t)-1]
	for i, v := range values {
		switch {
		case i%2 == 1 && v != ",", i%2 == 0 && v[0] != '\'' && !IsDigitByte(v[0]), i == len(values)-1 && i%2 == 1:
			return nil
		case i%2 == 0:
			out = append(out, slices.Concat(t[:at], []string{"=", v}))
		}
	}
	return out
}
