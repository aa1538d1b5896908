package provenance

import (
	"slices"
	"strings"
	"time"

	"github.com/boundcheck/boundcheck/core/base/dates"
)

// date is a day; year is 0 if a text does not contain it.
type date struct{ year, month, day int }

// shifts holds words by which people move a date, such as "tomorrow". If the user says
// one of them, a date that is not found counts as computed and not as made up.
var shifts = [...]string{"today", "tomorrow", "yesterday", "tonight", "day", "days", "week", "weeks", "weekend", "month", "months", "year", "years",
	"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "next", "following", "later", "earlier", "asap", "soonest", "earliest", "latest",
	"heute", "morgen", "übermorgen", "gestern", "tag", "tage", "tagen", "woche", "wochen", "monat", "monats", "jahr", "montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag",
	"sonntag", "nächste", "nächsten", "nächster", "aujourd", "demain", "hier", "jour", "jours", "semaine", "semaines", "mois", "lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi",
	"dimanche", "prochain", "prochaine", "hoy", "mañana", "ayer", "día", "días", "semana", "semanas", "mes", "lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo",
	"próximo", "próxima", "oggi", "domani", "ieri", "giorno", "giorni", "settimana", "settimane", "mese", "lunedì", "martedì", "mercoledì", "giovedì", "venerdì", "sabato", "domenica",
	"prossimo", "prossima", "hoje", "amanhã", "ontem", "dia", "dias", "mês", "segunda", "terça", "quarta", "quinta", "sexta", "vandaag", "gisteren", "dag", "dagen", "week", "weken",
	"night", "nights", "nacht", "nächte", "nuit", "nuits", "noche", "noches", "notte", "notti", "noite", "noites", "nachten", "monatsende", "monatsanfang",
	"quartalsende", "jahresende", "maand", "maandag", "dinsdag", "woensdag", "donderdag", "vrijdag", "zaterdag", "zondag", "volgende"}

// shiftSigns are the same in Chinese and Japanese, which have no spaces.
var shiftSigns = [...]string{"今天", "明天", "后天", "昨天", "周", "星期", "下个月", "月底", "今日", "明日", "明後日", "曜", "来週", "今週", "来月", "週末"}

// weekdays holds the names of the days of the week in seven languages, from Sunday on.
var weekdays = [7]string{" sunday sonntag dimanche domingo domenica zondag ", " monday montag lundi lunes lunedì segunda maandag ",
	" tuesday dienstag mardi martes martedì terça dinsdag ", " wednesday mittwoch mercredi miércoles mercoledì quarta woensdag ",
	" thursday donnerstag jeudi jueves giovedì quinta donderdag ", " friday freitag vendredi viernes venerdì sexta vrijdag ",
	" saturday samstag samedi sábado sabato zaterdag "}

// isOn reports whether a word is the name of the day of the week of a date.
func (d date) isOn(word string) bool {
	day := time.Date(d.year, time.Month(d.month), d.day, 0, 0, 0, 0, time.UTC).Weekday()
	return len(word) > 4 && strings.Contains(weekdays[day], " "+word+" ")
}

// beforeDay holds words before the number of a day, as in "am 12." and "el 12".
var beforeDay = [...]string{"am", "vom", "zum", "bis", "le", "el", "día", "il", "dia", "giorno", "den", "op"}

// isDayAlone reports whether the token at i is the number of a day, and not any number: "the 7th",
// "am 12.".
func isDayAlone(tokens []string, i int) bool {
	t := tokens[i]
	return isDigit(t[0]) && !isDigit(t[len(t)-1]) || i > 0 && slices.Contains(beforeDay[:], tokens[i-1])
}

// readDate parses a value that is a date, with or without a time after it.
func readDate(s string) (date, bool) {
	if len(s) > 10 && (s[10] == 'T' || s[10] == ' ') {
		s = s[:10]
	}
	part := strings.FieldsFunc(s, func(r rune) bool { return r == '-' || r == '/' || r == '.' })
	if len(part) != 3 || len(s) < 8 || len(s) > 10 {
		return date{}, false
	}
	var n [3]int
	for i, p := range part {
		for _, c := range []byte(p) {
			if !isDigit(c) {
				return date{}, false
			}
			n[i] = n[i]*10 + int(c-'0')
		}
	}
	d := date{n[0], n[1], n[2]}
	if len(part[0]) != 4 {
		d = date{n[2], n[0], n[1]}
		if d.month > 12 {
			d.month, d.day = d.day, d.month
		}
	}
	return d, d.year > 1000 && d.month >= 1 && d.month <= 12 && d.day >= 1 && d.day <= 31
}

// isEdge reports whether a day is the first or the last one of its month.
func (d date) isEdge() bool {
	return d.day == 1 || d.day == dates.Days(d.month) || d.month == 2 && d.day == 28
}

// IsDate reports whether a value is a date, with or without a time after it, or a week of a year.
func IsDate(value string) bool {
	_, ok := readDate(value)
	return ok || len(value) == 8 && value[4:6] == "-W" && yearOf(value[:4]) > 0
}

// mayBeSameDay reports whether two dates may be the same day. A missing year equals any
// year.
func (d date) mayBeSameDay(o date) bool {
	return d.month == o.month && d.day == o.day && (d.year == o.year || d.year == 0 || o.year == 0)
}

// datesIn calls fn for every date in the tokens of a text. It finds forms such as
// 2024-05-20, 05/20/2024, 5/20, May 20, 20th of May and the end of May. If either number
// may be the month, as in 5/6, it calls fn for both dates.
func datesIn(tokens []string, fn func(date)) {
	for i, t := range tokens {
		if m := dates.MonthOf(t); m > 0 {
			year := 0
			if i+2 < len(tokens) {
				year = yearOf(tokens[i+2])
			}
			if i+1 < len(tokens) {
				if day := dayOf(tokens[i+1]); day > 0 && (!isVerbMonth(t) || isDigit(tokens[i+1][0])) {
					fn(date{year, m, day})
				}
			}
			if i >= 2 && tokens[i-1] == "of" {
				for _, day := range edgeDays(tokens[i-2], m) {
					fn(date{0, m, day})
				}
			}
			for back := 1; back <= 2 && i >= back; back++ {
				if day := dayOf(tokens[i-back]); day > 0 && (back == 2 && tokens[i-1] == "of" || back == 1 && (!isVerbMonth(t) || isDigit(tokens[i-1][0]))) {
					y := 0
					if i+1 < len(tokens) {
						y = yearOf(tokens[i+1])
					}
					fn(date{y, m, day})
				}
			}
			continue
		}
		if i+1 >= len(tokens) || len(t) > 4 || !isDigit(t[0]) {
			continue
		}
		a, b, c := dayOf(t), dayOf(tokens[i+1]), 0
		if i+2 < len(tokens) {
			c = dayOf(tokens[i+2])
		}
		if y := yearOf(t); y > 0 && b > 0 && c > 0 {
			fn(date{y, b, c})
		}
		if a > 0 && b > 0 {
			y := 0
			if i+2 < len(tokens) {
				y = yearOf(tokens[i+2])
			}
			if a <= 12 {
				fn(date{y, a, b})
			}
			if b <= 12 {
				fn(date{y, b, a})
			}
		}
	}
}

// signDates calls fn for every date such as 4月10日 in a text.
func signDates(text string, fn func(date)) {
	for at := strings.Index(text, "月"); at >= 0; {
		rest := text[at+len("月"):]
		from := at
		for from > 0 && isDigit(text[from-1]) {
			from--
		}
		to := 0
		for to < len(rest) && isDigit(rest[to]) {
			to++
		}
		if month, day := dayOf(text[from:at]), dayOf(rest[:to]); month > 0 && month <= 12 && day > 0 {
			fn(date{0, month, day})
		}
		next := strings.Index(rest, "月")
		if next < 0 {
			return
		}
		at += len("月") + next
	}
}

// isVerbMonth reports whether a month's name is also a verb, as in "you may first ask".
// The word "first" next to such a name is usually not a day.
func isVerbMonth(t string) bool { return t == "may" || t == "march" }

// edgeDays returns the days of a month that the words "start", "beginning" and "end"
// mean. For "end" it returns the last day of the month. For the end of February it
// returns both 28 and 29.
func edgeDays(word string, month int) []int {
	switch word {
	case "start", "beginning":
		return []int{1}
	case "end":
		if month == 2 {
			return []int{28, 29}
		}
		return []int{dates.Days(month)}
	}
	return nil
}

// ordinals holds the words for days that people write out.
var ordinals = [...]string{"first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth",
	"sixteenth", "seventeenth", "eighteenth", "nineteenth", "twentieth"}

// dayOf returns the day that a token means, for example 5 for "5", "05", "5th" and
// "fifth". It returns 0 for a token that is not a day from 1 to 31.
func dayOf(t string) int {
	if len(t) >= 5 && !isDigit(t[0]) {
		return slices.Index(ordinals[:], t) + 1
	}
	n, i := 0, 0
	for i < len(t) && i < 3 && isDigit(t[i]) {
		n, i = n*10+int(t[i]-'0'), i+1
	}
	switch t[i:] {
	case "", "st", "nd", "rd", "th":
		if i > 0 && n >= 1 && n <= 31 {
			return n
		}
	}
	return 0
}

func yearOf(t string) int {
	if len(t) != 4 {
		return 0
	}
	n := 0
	for i := range 4 {
		if !isDigit(t[i]) {
			return 0
		}
		n = n*10 + int(t[i]-'0')
	}
	if n < 1900 || n > 2200 {
		return 0
	}
	return n
}
