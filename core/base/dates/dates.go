// Package dates knows the names of months and weekdays.
package dates

import "strings"

var months = [...]string{"january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"}

var weekdays = [...]string{"sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"}

var days = [...]int{31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}

// Month returns the number, 1 to 12, of the month that a lower-case word names. The word
// may be the full name, its first three letters, or "sept". The result is 0 for any other
// word.
func Month(word string) int {
	for i, name := range months {
		if word == name || word == name[:3] || word == "sept" && i == 8 {
			return i + 1
		}
	}
	return 0
}

// Days returns the largest number of days that a month from 1 to 12 can have. For
// example, it returns 29 for February.
func Days(month int) int { return days[month-1] }

// Exists reports whether a day is one of the calendar. The month is from 1 to 12; any other one has no days.
func Exists(year, month, day int) bool {
	if month < 1 || month > 12 || day < 1 || day > days[month-1] {
		return false
	}
	return month != 2 || day < 29 || year%4 == 0 && (year%100 != 0 || year%400 == 0)
}

// WeekdayOf returns the place in ShortWeekdays of a day that exists, with a year of at least 1.
func WeekdayOf(year, month, day int) int {
	if month < 3 { // the year begins in March here, so that the leap day is its last one
		year, month = year-1, month+12
	}
	return (day + (13*(month+1))/5 + year + year/4 - year/100 + year/400 + 5) % 7
}

// IsWeekday reports whether a lower-case word names a day of the week, in full or by its
// first three letters.
func IsWeekday(word string) bool {
	for _, name := range weekdays {
		if word == name || word == name[:3] {
			return true
		}
	}
	return false
}

// foreign holds the names of the months in German, French, Spanish, Italian, Portuguese and Dutch.
const foreign = " januar janvier enero gennaio janeiro januari " + "| februar février fevrier febrero febbraio fevereiro februari " +
	"| märz maerz mars marzo março marco maart " + "| avril abril aprile " + "| mai mayo maggio maio mei " +
	"| juni juin junio giugno junho " + "| juli juillet julio luglio julho " + "| août aout agosto augustus " +
	"| septembre septiembre settembre setembro " + "| oktober octobre octubre ottobre outubro " +
	"| novembre noviembre novembro " + "| dezember décembre decembre diciembre dicembre dezembro "

// MonthOf is like Month, for names in other languages, too.
func MonthOf(word string) int {
	if m := Month(word); m > 0 || len(word) < 3 {
		return m
	}
	if at := strings.Index(foreign, " "+word+" "); at >= 0 {
		return strings.Count(foreign[:at], "|") + 1
	}
	return 0
}
