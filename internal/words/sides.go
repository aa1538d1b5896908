package words

import "github.com/boundcheck/boundcheck/core/base/secrets"

// mostWhole is the length of the longest value that is shown whole where two values differ, in characters.
const mostWhole = 200

// around is how many characters of longer values stand before the place where they differ, and half of those
// behind it.
const around = 40

// Sides returns the two values of an argument that differs, as JSON texts for a line: secrets are hidden, and of long
// values the place where they differ is shown, with … where something is left out. An empty value is a dash. O(n).
func Sides(path, observed, reference string) (string, string) {
	observed, reference = secrets.HideValue(path, observed), secrets.HideValue(path, reference)
	a, b := []rune(observed), []rune(reference)
	if max(len(a), len(b)) <= mostWhole {
		return OrNothing(observed), OrNothing(reference)
	}
	at := 0
	for at < min(len(a), len(b)) && a[at] == b[at] {
		at++
	}
	return OrNothing(clipAround(a, at)), OrNothing(clipAround(b, at))
}

func clipAround(text []rune, at int) string {
	from, to := max(0, at-around), min(len(text), at+2*around)
	s := string(text[from:to])
	if from > 0 {
		s = "…" + s
	}
	if to < len(text) {
		s += "…"
	}
	return s
}
