package notation

import (
	"strings"
	"sync"
)

// PlainQuotes writes each text of one line in single quotes in double quotes. It returns "" for a
// text with a backslash, with a quote inside another one or with a quote that is not closed.
func PlainQuotes(s string) string {
	if strings.ContainsAny(s, "\\`") || strings.Contains(s, "\"\"\"") || strings.Contains(s, "'''") {
		return ""
	}
	out := []byte(s)
	for i := 0; i < len(s); i++ {
		if s[i] != '"' && s[i] != '\'' {
			continue
		}
		end := strings.IndexAny(s[i+1:], "\"'\n")
		if end < 0 || s[i+1+end] != s[i] {
			return ""
		}
		out[i], out[i+1+end] = '"', '"'
		i += 1 + end
	}
	return string(out)
}

// CodeTokens returns code without the blanks that only lay it out, with one sort of quotes. Blanks at the beginning of a line
// and the lines themselves stay, but for code in which each line ends in a sign such as ; or } or has only braces.
func CodeTokens(s string) string {
	free := endsStatements(s)
	var out strings.Builder
	quote, last, blank := byte(0), byte('\n'), false
	for i := range len(s) {
		c, closed := s[i], false
		switch {
		case quote != 0:
			if c == quote && s[i-1] != '\\' {
				quote, c, closed = 0, '"', true
			}
		case c == ' ' || c == '\t' || c == '\r' || free && c == '\n':
			if last == '\n' && !free {
				break // the beginning of a line
			}
			blank = true
			continue
		case blank && isWordByte(c) && isWordByte(last):
			out.WriteByte(' ')
		}
		if quote == 0 && (s[i] == '"' || s[i] == '\'' && (i == 0 || !isWordByte(s[i-1]))) && !closed {
			quote, c = s[i], '"'
		}
		out.WriteByte(c)
		if c != ' ' && c != '\t' {
			last = c
		}
		blank = false
	}
	return strings.TrimRight(out.String(), "\n")
}

// endsStatements reports whether each line of code ends in a sign that ends or opens a statement, so that lines are layout.
func endsStatements(s string) bool {
	for line := range strings.SplitSeq(s, "\n") {
		if line = strings.TrimSpace(line); line != "" && !strings.ContainsAny(line[len(line)-1:], ";{}") || strings.Contains(line, "//") || strings.HasPrefix(line, "#") {
			return false
		}
	}
	return true
}

// PlainMarkdown writes emphasis with stars and each point of a list with a dash.
func PlainMarkdown(s string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		bare := strings.TrimLeft(line, " ")
		if strings.HasPrefix(bare, "* ") || strings.HasPrefix(bare, "+ ") {
			line = line[:len(line)-len(bare)] + "-" + bare[1:]
		}
		out := []byte(line)
		for k := range out {
			if inside := k > 0 && IsLetterByte(line[k-1]) && k+1 < len(line) && IsLetterByte(line[k+1]); out[k] == '_' && !inside {
				out[k] = '*'
			}
		}
		lines[i] = strings.TrimRight(string(out), " \r")
	}
	return strings.Join(lines, "\n")
}

// IsLetterByte reports whether a byte is a letter or a digit, or a part of one that is not ASCII.
func IsLetterByte(c byte) bool { return isWordByte(c) && strings.IndexByte("_.@#$", c) < 0 }

// styleMarks drops the blanks around the marks of CSS, and the last semicolon of a block.
var styleMarks = sync.OnceValue(func() *strings.Replacer {
	return strings.NewReplacer(" {", "{", "{ ", "{", " }", "}", "} ", "}", ": ", ":", " :", ":", "; ", ";", " ;", ";", ", ", ",")
})

// PlainStyle returns a style sheet without the blanks that mean nothing. It returns "" for one
// with quotes or comments.
func PlainStyle(s string) string {
	if strings.ContainsAny(s, "\"'") || strings.Contains(s, "/*") {
		return ""
	}
	s = styleMarks().Replace(styleMarks().Replace(SqueezeBlanks(s)))
	return strings.TrimSuffix(strings.ReplaceAll(s, ";}", "}"), ";")
}

// PlainSettings returns lines such as name = value without the blanks around the first equals sign
// and without blank lines.
func PlainSettings(s string) string {
	var out []string
	for line := range strings.SplitSeq(s, "\n") {
		name, value, ok := strings.Cut(line, "=")
		if line = strings.TrimSpace(line); ok && line[0] != '#' && line[0] != ';' {
			line = strings.TrimSpace(name) + "=" + strings.TrimSpace(value)
		}
		if line != "" {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}

// PlainTags writes empty elements such as <br/> without a slash.
func PlainTags(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, " />", ">"), "/>", ">")
}
