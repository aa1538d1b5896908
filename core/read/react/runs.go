package react

import "strings"

// Run is the text of one run among several.
type Run struct {
	ID   string // of the heading above it, such as brew-3 in ##### run brew-3 #####; "" for none
	Text string
}

// Runs cuts a text into its runs: a question behind a final answer begins another one. O(n).
func Runs(text string) (runs []Run) {
	for strings.TrimSpace(text) != "" {
		end := endOfAnswer(text)
		id, own := cutHeading(text[:end])
		runs, text = append(runs, Run{id, own}), text[end:]
	}
	return runs
}

// endOfAnswer returns the length of the first run of a text: up to the question behind its final answer, and up to the
// heading directly before that question.
func endOfAnswer(text string) int {
	answered, at, heading := false, 0, -1
	for line := range strings.Lines(text) {
		switch key, _ := Key(line); {
		case key == "question" && answered:
			if heading >= 0 {
				return heading
			}
			return at
		case key == "final answer":
			answered, heading = true, -1
		case strings.TrimSpace(line) == "":
			heading = at + len(line)
		case key != "":
			heading = -1
		}
		at += len(line)
	}
	return len(text)
}

// cutHeading returns the id in the heading of a run, such as ##### run brew-3 #####, and the text behind the heading. The id
// is the last word and has a digit. It is "" if the text has no such heading.
func cutHeading(text string) (id, rest string) {
	line, rest, _ := strings.Cut(strings.TrimLeft(text, "\r\n"), "\n")
	words := strings.Fields(strings.Trim(line, "#=-*_[]>~ \t\r"))
	if len(words) == 0 || len(words) > 3 || strings.IndexByte("#=-*_[>~", line[0]) < 0 || !strings.ContainsAny(words[len(words)-1], "0123456789") {
		return "", text
	}
	if key, _ := Key(line); key != "" {
		return "", text
	}
	return words[len(words)-1], rest
}
