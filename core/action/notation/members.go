package notation

import (
	"slices"
	"strings"
)

// TextMembers reads names with values, such as a=1&b=2 and lines of a file of settings.
func TextMembers(s string) string {
	var out []string
	for _, cut := range [...]string{"&", "\n", ";", ","} {
		if strings.Contains(s, cut) || cut == "," {
			for part := range strings.SplitSeq(s, cut) {
				if part = strings.TrimSpace(part); part == "" {
					continue
				}
				out = append(out, part)
			}
			break
		}
	}
	return MemberForm(out)
}

// MemberForm returns members such as a=1 in order. It returns "" if one has no name, or if two
// have the same name.
func MemberForm(members []string) string {
	seen := map[string]bool{}
	for i, m := range members {
		name, value, ok := strings.Cut(m, "=")
		if name = strings.TrimSpace(name); !ok || name == "" || seen[name] || strings.ContainsAny(name, " \t") {
			return ""
		}
		seen[name] = true
		members[i] = name + "=" + strings.TrimSpace(value)
	}
	slices.Sort(members)
	return strings.Join(members, "\x00")
}
