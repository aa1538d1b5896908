package match

import "strings"

// ContainsNumber reports whether a text contains another one such that no number at its edges goes
// on: "42" is in "42 dollars." and "$42", but not in "142", "42.50" or "42,000". O(n·m).
func ContainsNumber(text, want string) bool {
	for at := 0; want != ""; at++ {
		i := strings.Index(text[at:], want)
		if i < 0 {
			return false
		}
		at += i
		if !(isDigitAt(want, 0) && endsNumber(text[:at])) && !(isDigitAt(want, len(want)-1) && beginsNumber(text[at+len(want):])) {
			return true
		}
	}
	return true
}

// endsNumber reports whether a text ends in digits, perhaps with a point after them.
func endsNumber(text string) bool {
	n := len(text)
	return isDigitAt(text, n-1) || n > 1 && (text[n-1] == '.' || text[n-1] == ',') && isDigitAt(text, n-2)
}

// beginsNumber reports whether a text begins with the rest of a number. Zeros behind the point
// are none.
func beginsNumber(text string) bool {
	if text == "" || text[0] != '.' && text[0] != ',' || !isDigitAt(text, 1) {
		return isDigitAt(text, 0)
	}
	fraction := text[1 : 1+len(text[1:])-len(strings.TrimLeft(text[1:], "0123456789"))]
	return text[0] == ',' || strings.Trim(fraction, "0") != ""
}

func isDigitAt(text string, at int) bool {
	return at >= 0 && at < len(text) && text[at] >= '0' && text[at] <= '9'
}
