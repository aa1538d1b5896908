package attribution

import (
	"fmt"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/violation"
)

// unsaid is the rule of a text that the user was not told.
const unsaid = "output-not-said"

// misstated asks whether a figure that the user was not told was told wrongly: the agent
// said another one of the same form (as many digits before and after the point) that
// stands nowhere in what it had been given. It had what it needed and drew a wrong
// conclusion: eleven options where the list has ten. Where an action is wrong as well, a
// wrong figure may follow from that, and says nothing by itself.
func (a *attributor) misstated(f *violation.Finding) (Cause, bool) {
	if !a.acted || f.Rule != unsaid || len(f.Evidence) == 0 || a.Known == nil {
		return Cause{}, false
	}
	want := f.Evidence[0].Reference
	if all := figures(want); len(all) != 1 || len(all[0]) != len(strings.ReplaceAll(want, ",", "")) {
		return Cause{}, false
	}
	var known []string
	for _, said := range a.Said {
		for _, figure := range figures(said) {
			if form(figure) != form(want) {
				continue
			}
			if known == nil {
				known = append([]string{want}, figures(a.Known(len(a.Obs)))...)
			}
			if !slices.Contains(known, figure) {
				return Cause{Mode: Reasoning, Confidence: 0.65, Evidence: sentenceWith(said, figure),
					Reason: fmt.Sprintf("the user was told %s where %s is right; %s stands nowhere in what the agent had seen", figure, want, figure)}, true
			}
		}
	}
	return Cause{}, false
}

// sentenceWith returns the first sentence of a text that has a figure in it.
func sentenceWith(text, figure string) string {
	for _, s := range sentences(text) {
		if slices.Contains(figures(s), figure) {
			return s
		}
	}
	return text
}

// figures returns the numbers of a text that stand by themselves, without commas between
// thousands. Parts of words, identifiers, dates and times are none.
func figures(text string) (all []string) {
	for i := 0; i < len(text); {
		if !digit(text, i) {
			i++
			continue
		}
		end := i
		for digit(text, end) || end < len(text) && (text[end] == ',' || text[end] == '.') && digit(text, end+1) {
			end++
		}
		number := strings.ReplaceAll(text[i:end], ",", "")
		if !sticks(text, i-1, i-2) && !sticks(text, end, end+1) && strings.Count(number, ".") < 2 {
			all = append(all, number)
		}
		i = end
	}
	return all
}

func digit(text string, i int) bool {
	return i >= 0 && i < len(text) && text[i] >= '0' && text[i] <= '9'
}

// sticks reports whether the byte beside a number makes it a part of something longer;
// beyond is the next byte in the same direction.
func sticks(text string, beside, beyond int) bool {
	if beside < 0 || beside >= len(text) {
		return false
	}
	switch b := text[beside]; {
	case b == '_', b == '#', b == '/', b == '\\':
		return true
	case b == '-', b == ':', b == '.':
		return digit(text, beyond) || b == '-' && beyond >= 0 && beyond < len(text) && letter(text[beyond])
	default:
		return letter(b)
	}
}

func letter(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' }

// form is the numbers of digits before and after the point.
func form(number string) [2]int {
	whole, decimals, _ := strings.Cut(strings.ReplaceAll(number, ",", ""), ".")
	return [2]int{len(whole), len(decimals)}
}
