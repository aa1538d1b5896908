package proposal

import "strings"

// What each question of the gate begins with in a conversation, the ways in which it ends, and the first line of what it shows
// of a call.
const (
	QuestionMark = "[confirmation "
	OtherIsNo    = "Any other reply counts as no."
	OtherIsBack  = "A reply that is neither this nor a yes withdraws the call."
	allowThis    = "Allow this call?"
	runsThis     = `to run exactly this, or`
	runsThese    = `to run exactly these, or`
)

// mostQuoted is the number of questions in one text that are cut one by one.
const mostQuoted = 50

// dropQuestions returns a text without the questions of a gate that it quotes. A question names the call that it asks about, so
// whoever quotes one would seem to ask for the call. What is cut begins with the first words of a question and ends with the line
// that ends one, or else with the line of the reply that runs it, or else with the text. An end without a beginning is cut as a
// line. Behind mostQuoted questions the rest is cut, too. Who made the question is not known by its form: fewer words only make the gate stricter. O(n).
func dropQuestions(text string) string {
	var b strings.Builder
	for n := 0; text != ""; n++ {
		if n == mostQuoted {
			return b.String()
		}
		from, end := firstOf(text, QuestionMark, allowThis), firstOf(text, OtherIsNo, OtherIsBack, runsThis, runsThese)
		if from < 0 && end < 0 {
			break
		}
		if from < 0 || end >= 0 && end < from {
			from = strings.LastIndexByte(text[:end], '\n') + 1
		} else if end = firstOf(text[from:], OtherIsNo, OtherIsBack); end < 0 {
			if end = firstOf(text[from:], runsThis, runsThese); end >= 0 {
				end += from
			}
		} else {
			end += from
		}
		b.WriteString(text[:from])
		line := strings.IndexByte(text[max(end, 0):], '\n')
		if end < 0 || line < 0 {
			return b.String()
		}
		text = text[end+line:]
	}
	return b.String() + text
}

// firstOf returns where the first of some marks stands in a text, or -1.
func firstOf(text string, marks ...string) int {
	first := -1
	for _, mark := range marks {
		if at := strings.Index(text, mark); at >= 0 && (first < 0 || at < first) {
			first = at
		}
	}
	return first
}
