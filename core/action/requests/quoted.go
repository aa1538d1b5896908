package requests

import "strings"

// A mail that the user pastes is data, although it stands in his message. What he says about it
// decides.

// splitQuoted returns the own words of a message, and the mails that it quotes.
func splitQuoted(text string) (own, quoted string) {
	if !strings.ContainsAny(text, ">:-") || !strings.Contains(text, "\n") {
		return text, ""
	}
	var mine, others []string
	inMail := false
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		switch trimmed := strings.TrimSpace(line); {
		case strings.HasPrefix(trimmed, ">"):
			others = append(others, strings.TrimLeft(trimmed, "> "))
		case beginsMail(lines[i:]):
			inMail = true
			others = append(others, line)
		case inMail && isRule(trimmed), inMail && trimmed == "" && !isMuch(mine) && !isMuch(others):
			inMail = inMail && !isRule(trimmed)
		case inMail:
			others = append(others, line)
		default:
			mine = append(mine, line)
		}
	}
	if inMail && !isMuch(mine) { // the last paragraph after the mail is a comment
		if at := strings.LastIndex(strings.TrimRight(text, " \n"), "\n\n"); at > 0 && strings.Count(text[:at], "\n\n") > 0 {
			return text[at:], text[:at]
		}
	}
	if !isMuch(mine) {
		return text, ""
	}
	return strings.Join(mine, "\n"), strings.Join(others, "\n")
}

// isMuch reports whether lines have any words.
func isMuch(lines []string) bool {
	for _, line := range lines {
		if strings.TrimSpace(line) != "" {
			return true
		}
	}
	return false
}

// isRule reports whether a line only separates two parts.
func isRule(line string) bool { return len(line) > 2 && strings.Trim(line, "-=_* ") == "" }

// beginsMail reports whether the first of some lines is the head of a mail: two fields such as From
// and Subject, or a line that says that what follows was forwarded.
func beginsMail(lines []string) bool {
	first := foldText(strings.TrimSpace(lines[0]))
	if strings.HasPrefix(first, "---") && holdsListed(first, "forwarded") {
		return true
	}
	if !hasField(first) {
		return false
	}
	_, rest, _ := strings.Cut(first, ":")
	for _, w := range strings.Fields(rest) {
		if hasField(w) {
			return true
		}
	}
	return len(lines) > 1 && hasField(foldText(strings.TrimSpace(lines[1])))
}

// hasField reports whether a folded line begins with the name of a field of a mail.
func hasField(line string) bool {
	name, _, ok := strings.Cut(line, ":")
	return ok && isListed("mailField", strings.Trim(name, "* "))
}
