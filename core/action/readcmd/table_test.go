package readcmd

import (
	"strings"
	"testing"
)

// TestTable checks that all rows follow the notation, so that no row allows more than
// intended.
func TestTable(t *testing.T) {
	seen := map[string]bool{}
	rows := 0
	for _, g := range table() {
		if len(g.source) < 10 {
			t.Errorf("a group without a source: %.60s", g.rows)
		}
		for line := range strings.SplitSeq(g.rows, "\n") {
			names, spec, found := strings.Cut(line, ":")
			if !found || strings.TrimSpace(line) == "" {
				t.Errorf("%q is not a row", line)
			}
			if strings.Contains(line, ",:,") {
				names, spec, _ = strings.Cut(line, ": ")
			}
			for name := range strings.SplitSeq(names, ",") {
				rows++
				if seen[name] {
					t.Errorf("%s has two rows", name)
				}
				seen[name] = true
				if parent, _, sub := cutLast(name, " "); sub {
					if r, found := findRow(parent); !found || !r.sub {
						t.Errorf("%s cannot be reached: %s takes no command", name, parent)
					}
				}
			}
			for token := range strings.FieldsSeq(spec) {
				if !wellFormed(token) {
					t.Errorf("%s: the token %s", names, token)
				}
			}
		}
	}
	t.Logf("%d rows of %d sources", rows, len(table()))
}

func cutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// wellFormed reports whether a token follows the notation of a row (see the type row).
func wellFormed(token string) bool {
	body := strings.TrimPrefix(token, "=")
	switch {
	case body == "*" || body == ">" || body == "+" || body == "|" || body == "!" || body == "/" || body == "-#":
		return true
	case strings.HasPrefix(body, ":"):
		return strings.Contains(" date number plain page local registry ip format branch config ghapi remote stdout sql ", " "+body[1:]+" ")
	case strings.HasPrefix(body, "@"):
		return len(body) == 2 && isDigit(body[1])
	case strings.HasPrefix(body, "--"), strings.HasPrefix(body, "^"):
		name := strings.TrimLeft(strings.TrimRight(body, "=?"), "-^")
		return name != "" && strings.Trim(name, letters+digits+"-_.") == "" && !strings.HasSuffix(name, "-") && len(body)-len(strings.TrimRight(body, "=?")) <= 1
	case strings.HasPrefix(body, "-") && strings.ContainsAny(body[1:], ":?"):
		return len(body) == 3
	case strings.HasPrefix(body, "-"):
		return len(body) > 1 && strings.Trim(body[1:], letters+digits+".") == ""
	}
	return false
}
