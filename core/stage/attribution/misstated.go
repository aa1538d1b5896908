package attribution

import (
	"fmt"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/stage/violation"
)

// findMisstatement reports whether the agent told the user a wrong figure, for example
// eleven options instead of ten. The wrong figure must not appear in what the agent had
// been given. It must have as many digits before and after the point as the right figure.
// If an action is wrong as well, the result is false, because the figure may follow from
// this action.
func (a *attributor) findMisstatement(f *violation.Finding) (Cause, bool) {
	if !a.acted || f.Rule != violation.OutputNotSaid || len(f.Evidence) == 0 || a.Known == nil {
		return Cause{}, false
	}
	want := f.Evidence[0].Reference
	if all := findFigures(want); len(all) != 1 || len(all[0]) != len(strings.ReplaceAll(want, ",", "")) {
		return Cause{}, false
	}
	var known []string
	for _, said := range a.Said {
		for _, figure := range findFigures(said) {
			if digitCounts(figure) != digitCounts(want) {
				continue
			}
			if known == nil {
				known = append([]string{want}, findFigures(a.Known(len(a.Obs)))...)
			}
			if !slices.Contains(known, figure) {
				return Cause{Mode: Reasoning, Confidence: 0.65, Evidence: sentenceWith(said, figure),
					Reason: fmt.Sprintf("the agent told the user the number %s, but the right number is %s. The number %s is in no earlier observation", figure, want, figure)}, true
			}
		}
	}
	return Cause{}, false
}

// sentenceWith returns the first sentence of a text that contains a figure, or the entire
// text if no sentence does.
func sentenceWith(text, figure string) string {
	for _, s := range splitSentences(text) {
		if slices.Contains(findFigures(s), figure) {
			return s
		}
	}
	return text
}

// findFigures returns the separate numbers of a text, without thousands commas. Numbers
// inside words, identifiers, dates and times do not count.
func findFigures(text string) (all []string) {
	for i := 0; i < len(text); {
		if !isDigitAt(text, i) {
			i++
			continue
		}
		end := i
		for isDigitAt(text, end) || end < len(text) && (text[end] == ',' || text[end] == '.') && isDigitAt(text, end+1) {
			end++
		}
		number := strings.ReplaceAll(text[i:end], ",", "")
		if !isPartOfWord(text, i-1, i-2) && !isPartOfWord(text, end, end+1) && strings.Count(number, ".") < 2 {
			all = append(all, number)
		}
		i = end
	}
	return all
}

func isDigitAt(text string, i int) bool {
	return i >= 0 && i < len(text) && text[i] >= '0' && text[i] <= '9'
}

// isPartOfWord reports whether the text on one side of a number makes it part of a longer
// word, such as 12 in A12. The argument beside is the index of the byte next to the
// number. The argument beyond is the index of the byte after that, in the same direction.
func isPartOfWord(text string, beside, beyond int) bool {
	if beside < 0 || beside >= len(text) {
		return false
	}
	switch b := text[beside]; {
	case b == '_', b == '#', b == '/', b == '\\':
		return true
	case b == '-', b == ':', b == '.':
		return isDigitAt(text, beyond) || b == '-' && beyond >= 0 && beyond < len(text) && isLetter(text[beyond])
	default:
		return isLetter(b)
	}
}

func isLetter(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' }

// digitCounts returns the number of digits before the point and after it.
func digitCounts(number string) [2]int {
	whole, decimals, _ := strings.Cut(strings.ReplaceAll(number, ",", ""), ".")
	return [2]int{len(whole), len(decimals)}
}
