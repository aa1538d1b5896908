package notation

import (
	"slices"
	"strings"
)

// PlainNames returns the tokens of a statement with simple names out of backquotes, IN of one value
// as =, and without the parentheses around all of its conditions.
func PlainNames(tokens []string) []string {
	out := tokens
	for i, t := range tokens {
		if name, ok := strings.CutPrefix(t, "`"); ok {
			name = strings.TrimSuffix(name, "`")
			if IsName(name) && !isListed(strings.ToLower(name), sqlKeywords) {
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

// IsCondition reports whether a text compares something and is no statement.
func IsCondition(s string) bool { return strings.ContainsAny(s, "=<>") && !IsStatement(s) }

// SortedConditions returns the tokens of a statement with the conditions behind "where" in order,
// if only "and" joins them.
func SortedConditions(tokens []string) []string {
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

// SameButCase reports whether two tokens are equal or names in another letter case. Quoted
// texts keep their case.
func SameButCase(a, b string) bool {
	return a == b || a != "" && strings.IndexByte("'\"`", a[0]) < 0 && strings.EqualFold(a, b)
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
