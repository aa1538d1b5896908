package kind

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/action/notation"
)

// pathKeys has the last words of the names of arguments that hold a path.
const pathKeys = " path file filename dir directory folder source src destination dest dst target output input location root cwd from to old new "

// comparePaths compares two paths. The parts "." and "..", a doubled slash and a slash at
// the end mean nothing. A link that ".." follows is not known here.
func (p *pair) comparePaths() Outcome {
	if !p.ends(pathKeys) || !p.a.isString() || !p.b.isString() || !strings.ContainsAny(p.a.text+p.b.text, "/\\.") || strings.ContainsAny(p.a.text+p.b.text, "\n@") || strings.HasSuffix(p.a.text, "%") && strings.HasSuffix(p.b.text, "%") {
		return Open
	}
	a, b := p.a.text, p.b.text
	if a == "" || b == "" {
		return Open
	}
	if notation.CleanPath(a) != notation.CleanPath(b) {
		if notation.IsDrive(a) && notation.IsDrive(b) && strings.EqualFold(notation.CleanPath(a), notation.CleanPath(b)) {
			return Same // Windows ignores case
		}
		if strings.EqualFold(notation.CleanPath(a), notation.CleanPath(b)) {
			return Likely // some file systems ignore case
		}
		if x, y := notation.CleanPath(a), notation.CleanPath(b); strings.HasSuffix(x, "/"+y) || strings.HasSuffix(y, "/"+x) || strings.EqualFold(notation.Joined(x), notation.Joined(y)) {
			return Likely // only the folder in which the tool works says where a path begins
		}
		if notation.EndsAlike(a, b) || notation.EndsAlike(b, a) {
			return Unsure // only a shell knows the folder of the user
		}
		if !strings.ContainsAny(a, "/\\") && !strings.ContainsAny(b, "/\\") && !p.named(" path file filename dir directory folder ") {
			return Open
		}
		return Differs
	}
	if p.tool.has(" rsync sync mirror ") && p.ends(" source src from path folder ") && strings.HasSuffix(a, "/") != strings.HasSuffix(b, "/") {
		return Unsure // rsync copies a folder, or what is in it
	}
	return Same
}

// compareAddresses compares two web addresses (RFC 3986, section 6.2.2 and 6.2.3). Letter
// case of scheme and host, the scheme's own port, and an empty path are notation.
func (p *pair) compareAddresses() Outcome {
	a, ok := notation.PlainAddress(escapeBlanks(p.a.text))
	b, ok2 := notation.PlainAddress(escapeBlanks(p.b.text))
	switch {
	case p.isContent() || !ok && !ok2:
		return Open
	case !ok || !ok2:
		x, okX := notation.PlainAddress("https://" + strings.TrimPrefix(p.a.text, "https://"))
		y, okY := notation.PlainAddress("https://" + strings.TrimPrefix(p.b.text, "https://"))
		if okX && okY && strings.TrimSuffix(x, "/") == strings.TrimSuffix(y, "/") {
			return Unsure // the scheme is missing on one side
		}
		return Open
	case a == b:
		return Same
	case strings.TrimSuffix(a, "/") == strings.TrimSuffix(b, "/"):
		return Unsure // many servers answer both alike
	case notation.SortedQuery(a) == notation.SortedQuery(b) && haveOwnNames(a):
		return Same
	case notation.SortedQuery(a) == notation.SortedQuery(b):
		return Unsure // the order of the members of a query rarely means something
	case strings.TrimPrefix(a, "https") == strings.TrimPrefix(b, "http"), strings.TrimPrefix(a, "http") == strings.TrimPrefix(b, "https"):
		return Likely // most servers send one to the other
	case strings.EqualFold(strings.TrimSuffix(strings.Replace(a, "://www.", "://", 1), "/"), strings.TrimSuffix(strings.Replace(b, "://www.", "://", 1), "/")):
		return Likely // some servers answer both alike
	}
	return Differs
}

// haveOwnNames reports whether the members of an address's query have different names, so that their order means nothing.
func haveOwnNames(address string) bool {
	_, query, _ := strings.Cut(address, "?")
	query, _, _ = strings.Cut(query, "#")
	seen := map[string]bool{}
	for member := range strings.SplitSeq(query, "&") {
		name, _, ok := strings.Cut(member, "=")
		if !ok || name == "" || seen[name] || strings.HasSuffix(name, "]") {
			return false
		}
		seen[name] = true
	}
	return true
}

// escapeBlanks writes the blanks inside an address as %20, as each client does before it sends it.
func escapeBlanks(text string) string {
	if strings.HasPrefix(text, "http") && strings.Contains(text, "://") && strings.TrimSpace(text) == text {
		return strings.ReplaceAll(text, " ", "%20")
	}
	return text
}
