package dates

import "strings"

// ShortWeekdays has the days of the week in order, by their first three letters.
var ShortWeekdays = [...]string{"mon", "tue", "wed", "thu", "fri", "sat", "sun"}

// Weekday returns the place of a day of the week in ShortWeekdays, or -1. The word may be the full name
// or its first two or three letters, in any letter case.
func Weekday(s string) int {
	s = strings.ToLower(strings.TrimSpace(s))
	for i, day := range ShortWeekdays {
		if s == day[:2] || strings.HasPrefix(s, day) && IsWeekday(s) {
			return i
		}
	}
	return -1
}
