package kind

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/boundcheck/boundcheck/core/action/notation"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/base/dates"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/units"
	"github.com/boundcheck/boundcheck/core/base/zones"
)

// dateKeys has words of the names of arguments that hold a date or a time.
const dateKeys = " date day due deadline start end begin birthday dob from to until since arrival departure check in out checkin checkout expiry expires on when at time scheduled timestamp "

// compareDates compares two days. A date such as 9/5/2025 has two readings; if one of them
// is the other date, only a judge can say.
func (p *pair) compareDates() Outcome {
	a, ok := p.readDays(p.a.text)
	b, ok2 := p.readDays(p.b.text)
	switch {
	case !ok && !ok2:
		return Open
	case !ok || !ok2:
		if p.named(" date day due deadline birthday dob ") || p.isMidnightOf(a, p.b.text) || p.isMidnightOf(b, p.a.text) {
			return Unsure
		}
		return Open
	case len(a) == 1 && len(b) == 1:
		return sameIf(a[0] == b[0])
	}
	for _, x := range a {
		for _, y := range b {
			if x == y {
				return Unsure
			}
		}
	}
	return Differs
}

// compareCalendarWords compares two names of a month or of a day of the week, in any letter
// case and by their first letters, or a month's name and its number.
func (p *pair) compareCalendarWords() Outcome {
	a, b := strings.ToLower(strings.TrimSuffix(p.a.text, ".")), strings.ToLower(strings.TrimSuffix(p.b.text, "."))
	switch {
	case dates.IsWeekday(a) && dates.IsWeekday(b):
		return sameIf(a[:3] == b[:3])
	case dates.Month(a) > 0 && dates.Month(b) > 0:
		return sameIf(dates.Month(a) == dates.Month(b))
	case p.ends(" month ") && notation.AreDigits(a) && notation.AreDigits(b):
		return sameIf(strings.TrimPrefix(a, "0") == strings.TrimPrefix(b, "0"))
	case p.ends(" month ") && dates.Month(a) > 0 && notation.AreDigits(b):
		return sameIf(strconv.Itoa(dates.Month(a)) == strings.TrimPrefix(b, "0"))
	case p.ends(" month ") && dates.Month(b) > 0 && notation.AreDigits(a):
		return sameIf(strconv.Itoa(dates.Month(b)) == strings.TrimPrefix(a, "0"))
	}
	return Open
}

// comparePeriods compares two quarters, months or weeks of a year, such as Q1 2025, March 2025
// and 2025-W10.
func (p *pair) comparePeriods() Outcome {
	if !p.a.isString() || !p.b.isString() || p.ends(" number no reference ref file path name ") {
		return Open
	}
	a := readPeriod(p.a.text)
	if a == "" {
		return Open
	}
	b := readPeriod(p.b.text)
	if b == "" {
		return Open
	}
	return sameIf(a == b)
}

// periodMarks writes the parts of a period with blanks between them.
var periodMarks = strings.NewReplacer("-", " ", "/", " ", " of ", " ", ",", " ", "first quarter", "q1", "second quarter", "q2", "third quarter", "q3", "fourth quarter", "q4",
	"1st quarter", "q1", "2nd quarter", "q2", "3rd quarter", "q3", "4th quarter", "q4", "quarter ", "q", "week ", "w")

// readPeriod returns a quarter, a month or a week of a year as a text such as 2025 q1, or "".
func readPeriod(s string) string {
	if s = strings.TrimSpace(s); len(s) < 6 || len(s) > 24 || !hasYear(s) {
		return ""
	}
	s = strings.ToLower(s)
	if len(s) > 4 && notation.AreDigits(s[:4]) && (s[4] == 'q' || s[4] == 'w') {
		s = s[:4] + " " + s[4:]
	}
	parts := strings.Fields(periodMarks.Replace(s))
	if len(parts) != 2 {
		return ""
	}
	year, part := parts[0], parts[1]
	if !notation.AreDigits(year) || len(year) != 4 {
		year, part = part, year
	}
	if !notation.AreDigits(year) || len(year) != 4 {
		return ""
	}
	number := strings.TrimPrefix(strings.TrimLeft(part, "qwm"), "0")
	n, err := strconv.Atoi(number)
	switch {
	case dates.Month(part) > 0:
		return year + "/m" + strconv.Itoa(dates.Month(part))
	case err != nil || n < 1 || n > 53:
	case part[0] == 'q' && n <= 4, part[0] == 'w':
		return year + "/" + part[:1] + number
	case notation.AreDigits(part) && len(part) <= 2 && n <= 12:
		return year + "/m" + number
	}
	return ""
}

// hasYear reports whether a text begins or ends with four digits.
func hasYear(s string) bool { return notation.AreDigits(s[:4]) || notation.AreDigits(s[len(s)-4:]) }

// readDays returns the days that a text may mean, as YYYY-MM-DD.
func (p *pair) readDays(s string) (days []string, ok bool) {
	s = strings.TrimSpace(s)
	if first, rest, ok := strings.Cut(s, " "); ok && dates.IsWeekday(strings.ToLower(strings.TrimRight(first, ",."))) {
		if days, ok = p.readDays(rest); !ok {
			return nil, false
		}
		days = slices.DeleteFunc(days, func(day string) bool { return weekdayOf(day) != dates.Weekday(strings.TrimRight(first, ",.")) })
		return days, len(days) > 0
	}
	if len(s) == 8 && notation.AreDigits(s) && p.named(dateKeys) {
		s = s[:4] + "-" + s[4:6] + "-" + s[6:]
	}
	if day := normalDay(s); day != "" {
		return []string{day}, true
	}
	if day := countedDay(s); day != "" {
		return []string{day}, true
	}
	if plain := plainDate(s); plain != "" {
		day := normalDay(plain)
		return []string{day}, day != ""
	}
	parts := strings.FieldsFunc(s, func(r rune) bool { return r == '-' || r == '/' || r == '.' })
	if len(parts) != 3 || !notation.AreDigits(parts[0]) || !notation.AreDigits(parts[1]) || !notation.AreDigits(parts[2]) {
		return nil, false
	}
	if len(parts[0]) == 4 {
		return oneDay(nil, parts[0], parts[1], parts[2])
	}
	if len(parts[2]) != 4 || len(s) < 8 {
		return nil, false
	}
	days, _ = oneDay(days, parts[2], parts[0], parts[1])
	if strings.Contains(s, ".") { // 5.9.2025 has the day first
		days = nil
	}
	if parts[0] != parts[1] || days == nil {
		days, _ = oneDay(days, parts[2], parts[1], parts[0])
	}
	return days, len(days) > 0
}

// weekdayOf returns the place of a day, as YYYY-MM-DD, among the days of the week.
func weekdayOf(day string) int {
	year, _ := strconv.Atoi(day[:4])
	month, _ := strconv.Atoi(day[5:7])
	number, _ := strconv.Atoi(day[8:])
	return dates.WeekdayOf(year, month, number)
}

// countedDay returns the day of a text that counts weeks or days from the beginning of a year,
// such as 2026-W10-1 and 2026-061 (ISO 8601), or "".
func countedDay(s string) string {
	if len(s) < 7 || len(s) > 10 || !notation.AreDigits(s[:4]) {
		return ""
	}
	year, _ := strconv.Atoi(s[:4])
	rest := strings.TrimPrefix(s[4:], "-")
	if week, ok := strings.CutPrefix(rest, "W"); ok {
		week = strings.Replace(week, "-", "", 1)
		if len(week) != 3 || !notation.AreDigits(week) || week[2] < '1' || week[2] > '7' {
			return ""
		}
		n, _ := strconv.Atoi(week[:2])
		fourth := time.Date(year, time.January, 4, 0, 0, 0, 0, time.UTC) // is in week 1
		monday := fourth.AddDate(0, 0, -(int(fourth.Weekday())+6)%7)
		if n < 1 || n > 53 || n == 53 && fourth.AddDate(1, 0, 0).Sub(monday) < 53*7*24*time.Hour && monday.AddDate(0, 0, 7*52).Add(3*24*time.Hour).Year() != year {
			return "" // few years have a week 53
		}
		return monday.AddDate(0, 0, 7*(n-1)+int(week[2]-'1')).Format(time.DateOnly)
	}
	if n, err := strconv.Atoi(rest); err == nil && len(rest) == 3 && len(s) == 8 && n > 0 && n < 367 && (n < 366 || dates.Exists(year, 2, 29)) {
		return time.Date(year, time.January, n, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
	}
	return ""
}

// plainDate returns a date with a month's name without the day of the week, endings such as th,
// and signs between its parts. It returns "" for a text that has none of these.
func plainDate(s string) string {
	if len(s) > 40 || strings.IndexFunc(s, func(r rune) bool { return r|' ' >= 'a' && r|' ' <= 'z' }) < 0 {
		return ""
	}
	var day, month, year string
	weekday := -1
	for w := range strings.FieldsFuncSeq(strings.ToLower(s), func(r rune) bool { return strings.ContainsRune(" -,./", r) }) {
		digits := strings.TrimRight(w, "stndrh")
		switch {
		case w == "of", w == "the":
		case dates.IsWeekday(w):
			weekday = dates.Weekday(w)
		case dates.Month(w) > 0 && month == "":
			month = w
		case notation.AreDigits(w) && len(w) == 4 && year == "":
			year = w
		case notation.AreDigits(digits) && len(digits) <= 2 && (w == digits || isListed(w[len(digits):], " st nd rd th ")) && day == "":
			day = digits
		default:
			return ""
		}
	}
	if day == "" || month == "" || year == "" {
		return ""
	}
	y, _ := strconv.Atoi(year)
	d, _ := strconv.Atoi(day)
	if weekday >= 0 && (!dates.Exists(y, dates.Month(month), d) || weekday != dates.WeekdayOf(y, dates.Month(month), d)) {
		return "" // it names two days
	}
	return day + " " + month + " " + year
}

// normalDay returns the day of a text that the plain comparison reads, or "".
func normalDay(s string) string {
	v, err := jsonval.Parse(jsonval.Quoted(s))
	if err != nil {
		return ""
	}
	day := strings.Trim(similarity.NormalText(v), `"`)
	if _, err := time.Parse(time.DateOnly, day); err != nil {
		return ""
	}
	return day
}

func oneDay(days []string, year, month, day string) ([]string, bool) {
	y, _ := strconv.Atoi(year)
	m, _ := strconv.Atoi(month)
	d, _ := strconv.Atoi(day)
	if !dates.Exists(y, m, d) || y > 9999 {
		return days, false
	}
	t := time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC)
	return append(days, t.Format(time.DateOnly)), true
}

// compareClocks compares two times of day, such as "2:00 PM" and "14:00".
func (p *pair) compareClocks() Outcome {
	if p.named(" ratio score aspect duration length verse version result ") || !p.a.isString() || !p.b.isString() {
		return Open
	}
	if a, ok := zonedClock(p.a.text); ok {
		if b, ok := zonedClock(p.b.text); ok {
			return sameIf(a == b)
		}
	}
	a, ok := p.readClock(p.a.text)
	b, ok2 := p.readClock(p.b.text)
	switch {
	case ok && ok2 && (isHalfDay(p.a.text, a, b) || isHalfDay(p.b.text, b, a) || isNoon(p.a.text, p.b.text, a, b) || isNoon(p.b.text, p.a.text, b, a)):
		return Likely
	case ok && ok2:
		return sameIf(a == b)
	case (ok || ok2) && p.named(" time at hour clock ") && !strings.ContainsAny(p.a.text+p.b.text, "TZ/"):
		return Unsure
	}
	return Open
}

// zonedClock returns the seconds from midnight of UTC to a time of day with a zone, such as 12:00Z and 14:00+02:00.
// They are negative where it is the day before in UTC.
func zonedClock(s string) (seconds int, ok bool) {
	if len(s) > len("15:04:05+00:00") {
		return 0, false
	}
	for _, layout := range [...]string{"15:04Z07:00", "15:04:05Z07:00"} {
		if t, err := time.Parse(layout, s); err == nil {
			_, east := t.Zone()
			return t.Hour()*3600 + t.Minute()*60 + t.Second() - east, true
		}
	}
	return 0, false
}

// isNoon reports whether a text such as 12:00 does not say which half of the day it means, and the other one is the same
// time in the first half, such as 12:00 AM.
func isNoon(text, other string, seconds, otherSeconds int) bool {
	text, other = strings.TrimSpace(text), strings.TrimSpace(other)
	return strings.HasPrefix(text, "12") && notation.IsDigitByte(text[len(text)-1]) && !notation.IsDigitByte(other[len(other)-1]) && otherSeconds == seconds-12*3600
}

// isHalfDay reports whether a text such as 9:00 does not say which half of the day it means,
// and the other time is the same in the other half.
func isHalfDay(text string, seconds, other int) bool {
	text = strings.TrimSpace(text)
	last := text[len(text)-1]
	return other == seconds+12*3600 && text[0] != '0' && (last <= '9' || last != 'm' && last != '.' && text[0] > '9')
}

// readClock is like the function readClock. It also reads 14h00, 14.00 and 1400 in an argument
// that is a time.
func (p *pair) readClock(s string) (seconds int, ok bool) {
	if seconds, ok = readClock(s); ok || !p.named(" time at hour clock ") {
		return seconds, ok
	}
	s = strings.TrimSuffix(halfMarks.Replace(strings.TrimSpace(strings.ToLower(s))), " hrs")
	if len(s) == 4 && notation.AreDigits(s) && s[0] < '3' {
		return readClock(s[:2] + ":" + s[2:])
	}
	if seconds, ok = spokenClock(s); ok {
		return seconds, ok
	}
	s = strings.TrimSpace(strings.TrimSuffix(strings.TrimSuffix(s, "h"), "uhr"))
	return readClock(strings.NewReplacer("h", ":", ".", ":").Replace(s))
}

// spokenClock reads "half past seven", "quarter to 8" and "7 o'clock", in lower case.
func spokenClock(s string) (seconds int, ok bool) {
	minutes, hour := 0, strings.TrimSuffix(s, " o'clock")
	if hour == s {
		for _, m := range [...]struct {
			words   string
			minutes int
		}{{"half past ", 30}, {"quarter past ", 15}, {"a quarter past ", 15}, {"quarter to ", -15}, {"a quarter to ", -15}} {
			if rest, found := strings.CutPrefix(s, m.words); found {
				minutes, hour = m.minutes, rest
			}
		}
		if minutes == 0 {
			return 0, false
		}
	}
	half := ""
	for _, end := range [...][2]string{{" pm", "pm"}, {" am", "am"}, {" in the afternoon", "pm"}, {" in the evening", "pm"}, {" in the morning", "am"}, {" at night", "night"}} {
		if rest, found := strings.CutSuffix(halfMarks.Replace(hour), end[0]); found {
			hour, half = rest, end[1]
		}
	}
	switch {
	case hour == "noon":
		return 12*3600 + minutes*60, true
	case hour == "midnight":
		return (24*3600 + minutes*60) % (24 * 3600), true
	}
	n, ok := smallNumber(hour)
	if notation.AreDigits(hour) && len(hour) <= 2 {
		n, _ = strconv.Atoi(hour)
		ok = true
	}
	if !ok || n < 1 || n > 12 {
		return 0, false
	}
	switch {
	case half == "pm" && n < 12, half == "night" && n > 6 && n < 12:
		n += 12
	case n == 12 && (half == "am" || half == "night"):
		n = 24
	}
	return (n*3600 + minutes*60) % (24 * 3600), true
}

// halfMarks shortens the halves of a day.
var halfMarks = strings.NewReplacer("a.m.", "am", "p.m.", "pm", "a.m", "am", "p.m", "pm")

// readClock returns the seconds from midnight to a time of day. A bare number is no time.
func readClock(s string) (seconds int, ok bool) {
	s = strings.ToLower(strings.TrimSpace(s))
	switch s {
	case "noon", "12 noon", "midday":
		return 12 * 3600, true
	case "midnight", "12 midnight":
		return 0, true
	}
	s = halfMarks.Replace(s)
	half := ""
	for _, end := range [...]string{"am", "pm"} {
		if rest, found := strings.CutSuffix(s, end); found {
			half, s = end, strings.TrimSpace(rest)
		}
	}
	if hours, minutes, found := strings.Cut(s, "h"); found && notation.AreDigits(hours) && (minutes == "" || len(minutes) == 2) { // 18h45
		s = hours + ":" + minutes
		if minutes == "" {
			s += "00"
		}
	}
	parts := strings.Split(s, ":")
	if len(parts) > 3 || len(parts) == 1 && half == "" {
		return 0, false
	}
	for i, part := range parts {
		if !notation.AreDigits(part) || len(part) > 2 || i > 0 && len(part) != 2 {
			return 0, false
		}
		n, _ := strconv.Atoi(part)
		if i > 0 && n > 59 {
			return 0, false
		}
		if i == 0 {
			if n, ok = hourOf(n, half); !ok {
				return 0, false
			}
		}
		seconds += n * [...]int{3600, 60, 1}[i]
	}
	return seconds, true
}

func hourOf(n int, half string) (int, bool) {
	switch {
	case half == "":
		return n, n < 24
	case n < 1 || n > 12:
		return 0, false
	case half == "am":
		return n % 12, true
	}
	return n%12 + 12, true
}

// zoneKeys has the words that end the names of arguments with a time zone.
const zoneKeys = " timezone tz zone "

// compareInstants compares two dates with a time of day. Without a zone on one side, equal
// local times may be different instants. A zone may stand in the value, or as UTC or as a
// difference from it beside the value. A number is a count of seconds or milliseconds since
// 1970.
func (p *pair) compareInstants() Outcome {
	a, zoned, ok := p.instantOf(&p.a)
	b, zoned2, ok2 := p.instantOf(&p.b)
	switch {
	case !ok || !ok2:
		return Open
	case zoned == zoned2:
		return sameIf(a.Equal(b))
	case a.Equal(b):
		return Unsure // the zone is missing on one side
	case a.Sub(b).Abs() <= 14*time.Hour:
		return Unsure
	}
	return Differs
}

// zones counts the two instants whose zone is known to the function read.
func (p *pair) zones(read func(*pair, *value) (time.Time, bool, bool)) (n int) {
	for _, v := range [...]*value{&p.a, &p.b} {
		if _, zoned, ok := read(p, v); ok && zoned {
			n++
		}
	}
	return n
}

// readZone reads an instant with the zone that stands in the value.
func readZone(p *pair, v *value) (time.Time, bool, bool) { return p.readInstant(v.text) }

// instantOf reads an instant with the zone beside it.
func (p *pair) instantOf(v *value) (t time.Time, zoned, ok bool) {
	if t, zoned, ok = p.readInstant(v.text); !ok || zoned {
		return t, zoned, ok
	}
	zone := v.other(zoneKeys)
	if zone == "" {
		return t, false, true
	}
	zone = zones.Plain(zone)
	if zone == "utc" {
		return t, true, true
	}
	if clock, err := time.Parse("-07:00", zone); err == nil {
		_, east := clock.Zone()
		return t.Add(-time.Duration(east) * time.Second), true, true
	}
	t, zoned = zones.Instant(t, zone)
	return t, zoned, true
}

// isMidnightOf reports whether a text is the point in time at which one of some days begins.
func (p *pair) isMidnightOf(days []string, s string) bool {
	if len(days) != 1 {
		return false
	}
	t, _, ok := p.readInstant(s)
	return ok && t.Format(time.DateTime) == days[0]+" 00:00:00"
}

// hasZone reports whether the end of a text says that it is an instant of UTC.
func hasZone(s string) bool { return strings.HasSuffix(s, "Z") || strings.HasSuffix(s, "+00:00") }

// namedZones has the abbreviations of zones that mean one difference from UTC.
var namedZones = [...][2]string{{" EST", "-05:00"}, {" EDT", "-04:00"}, {" MST", "-07:00"}, {" MDT", "-06:00"}, {" PST", "-08:00"}, {" PDT", "-07:00"}, {" CET", "+01:00"}, {" CEST", "+02:00"}, {" JST", "+09:00"}}

func (p *pair) readInstant(s string) (t time.Time, zoned, ok bool) {
	s = strings.TrimSpace(s)
	if notation.AreDigits(s) && (len(s) == 10 || len(s) == 13) && (p.named(dateKeys) || p.a.isString() != p.b.isString() && (hasZone(p.a.text) || hasZone(p.b.text))) {
		n, _ := strconv.ParseInt(s, 10, 64)
		if len(s) == 10 {
			n *= 1000
		}
		return time.UnixMilli(n), true, true
	}
	if rest, found := strings.CutSuffix(s, " GMT"); found && len(rest) > 4 && rest[3] == ',' {
		if t, err := time.Parse(time.RFC1123, s); err == nil { // dates of mails and of HTTP
			return t, true, true
		}
	}
	for _, zone := range [...]string{"UTC", "GMT"} {
		if rest, found := strings.CutSuffix(s, zone); found && rest != "" && (rest[len(rest)-1] == ' ' || notation.IsDigitByte(rest[len(rest)-1])) {
			s = strings.TrimSpace(rest) + "Z"
		}
	}
	for _, layout := range [...]string{time.RFC3339Nano, "2006-01-02T15:04Z07:00", "20060102T150405Z07:00", "2006-01-02T15:04:05Z0700"} {
		if len(s) < 16 || len(s) > 40 {
			break
		}
		if t, err := time.Parse(layout, strings.ReplaceAll(strings.Replace(s, " ", "T", 1), " ", "")); err == nil {
			return t, true, true
		}
	}
	for _, zone := range namedZones {
		local, found := strings.CutSuffix(s, zone[0])
		if !found {
			continue
		}
		if t, zoned, ok := p.readInstant(local); ok && !zoned {
			east, _ := time.Parse("-07:00", zone[1])
			_, seconds := east.Zone()
			return t.Add(-time.Duration(seconds) * time.Second), true, true
		}
	}
	if local, zone, found := cutZone(s); found {
		if t, zoned, ok := p.readInstant(local); ok && !zoned {
			if t, zoned = zones.Instant(t, zones.Plain(zone)); zoned {
				return t, true, true
			}
		}
		return t, false, false
	}
	for _, cut := range [...]string{"T", " at ", ", ", " "} {
		for i := strings.LastIndex(s, cut); i > 0; i = strings.LastIndex(s[:i], cut) {
			clock := s[i+len(cut):]
			days, ok := p.readDays(strings.TrimSuffix(s[:i], ","))
			seconds, ok2 := readClock(clock)
			if clock == "24:00" || clock == "24:00:00" { // the end of a day (ISO 8601)
				seconds, ok2 = 24*3600, true
			}
			if ok && ok2 && len(days) == 1 {
				day, _ := time.Parse(time.DateOnly, days[0])
				return day.Add(time.Duration(seconds) * time.Second), false, true
			}
		}
	}
	return t, false, false
}

// cutZone cuts the name of a zone such as Europe/Rome off the end of a time, where it stands in brackets or behind a blank.
func cutZone(s string) (local, zone string, ok bool) {
	slash := strings.LastIndexByte(s, '/')
	if slash < 16 || !notation.IsLetterByte(s[slash-1]) {
		return s, "", false
	}
	at := strings.LastIndexAny(s[:slash], " [")
	if at < 0 {
		return s, "", false
	}
	return strings.TrimSpace(s[:at]), strings.TrimRight(s[at+1:], "]"), true
}

// compareZones compares two names of a time zone. The names of UTC are equal. Letter case
// means nothing.
func (p *pair) compareZones() Outcome {
	if !p.named(" timezone tz zone ") && !p.ends(" offset ") || !p.a.isString() || !p.b.isString() || p.named(" dns hosted availability ") {
		return Open
	}
	a, b := zones.Plain(p.a.text), zones.Plain(p.b.text)
	if p.ends(" offset ") && (!isOffset(a) || !isOffset(b)) {
		return Open
	}
	if a != b && isAbbreviation(p.a.text) != isAbbreviation(p.b.text) {
		return Unsure // CET is Europe/Berlin for half of the year
	}
	return sameIf(a == b)
}

// isOffset reports whether a zone, as zones.Plain writes it, is UTC or a difference from it.
func isOffset(zone string) bool { return zone == "utc" || len(zone) == 6 && zone[3] == ':' }

func isAbbreviation(s string) bool { return !strings.ContainsAny(s, "/+-") && zones.Plain(s) != "utc" }

// durationKeys has words of the names of arguments that hold a length of time.
const durationKeys = " duration timeout interval delay ttl period wait timer length expires expiration age snooze lifetime seconds second minutes minute hours hour days day ms millisecond "

// compareMonths compares two lengths of time of which one counts months or years. Such a
// length and one in days may be the same.
func (p *pair) compareMonths() Outcome {
	a, ok := readMonths(p.a.text)
	b, ok2 := readMonths(p.b.text)
	switch {
	case !ok && !ok2:
		return Open
	case ok && ok2:
		return sameIf(sameNumber(a, b))
	}
	months, days := a, &p.b
	if ok2 {
		months, days = b, &p.a
	}
	seconds, bare, ok := p.readDuration(days)
	if !ok || bare {
		return Open
	}
	if n := seconds.approx / 86400; n >= 28*months.approx && n <= 31*months.approx {
		return Unsure
	}
	return Differs
}

// readMonths reads a count of months or years, such as "3 months", "one year" and P1Y.
func readMonths(s string) (n number, ok bool) {
	if s = strings.TrimSpace(s); len(s) < 3 || len(s) > 24 || strings.IndexByte("shrySHRYmM", s[len(s)-1]) < 0 { // months, month, year, P1Y, P2M
		return n, false
	}
	s = strings.ToLower(s)
	count, unit, found := strings.Cut(s, " ")
	if s[0] == 'p' && !found {
		count, unit = s[1:len(s)-1], s[len(s)-1:]
		if unit != "y" && unit != "m" {
			return n, false
		}
	}
	if n, ok = wordNumber(count); !ok {
		return n, false
	}
	switch unit {
	case "month", "months", "m":
		return n, found == (unit != "m")
	case "year", "years", "y":
		return n.times(12), found == (unit != "y")
	}
	return n, false
}

// compareDurations compares two lengths of time, such as PT5M, "5 minutes" and 300. A bare
// number counts the unit in the argument's name or beside it, and otherwise seconds.
func (p *pair) compareDurations() Outcome {
	a, bareA, ok := p.readDuration(&p.a)
	b, bareB, ok2 := p.readDuration(&p.b)
	if !ok && !ok2 || bareA && bareB || (bareA || bareB || isLetterSpan(p.a.text, p.b.text) || isLetterSpan(p.b.text, p.a.text)) && !p.named(durationKeys) {
		return Open
	}
	if !ok || !ok2 {
		return p.compareTrack(a, b, ok)
	}
	if sameNumber(a, b) {
		return Same
	}
	for _, unit := range [...]float64{60, 3600, 86400} { // a bare number may count another unit than seconds
		if bareA && sameNumber(a.times(unit), b) || bareB && sameNumber(a, b.times(unit)) {
			return Unsure
		}
	}
	return Differs
}

// isLetterSpan reports whether a text is a number with one letter behind it, such as 10 m, which
// is a length of time only where the argument says so, or the other side has the word: 90d and 90 days.
func isLetterSpan(s, other string) bool {
	number, name := splitUnit(s)
	if number == "" || len(name) != 1 || !strings.ContainsAny(name, "mMsShHdD") {
		return false
	}
	_, word := splitUnit(other)
	return word == "" || len(word) == 1 || name == "m" || name == "M" || units.Span(strings.ToLower(word)) == 0
}

// compareTrack compares a length of time with one such as 3:45, which may count minutes and seconds,
// or hours and minutes. read says which of the two was read.
func (p *pair) compareTrack(a, b number, read bool) Outcome {
	seconds, text := a, p.b.text
	if !read {
		seconds, text = b, p.a.text
	}
	above, below, ok := strings.Cut(text, ":")
	if !ok || !p.named(durationKeys) || !notation.AreDigits(above) || !notation.AreDigits(below) || len(below) != 2 {
		return Open
	}
	x, _ := readNumber(above)
	y, _ := readNumber(below)
	units := number{approx: float64(x.approx*60) + y.approx}
	if sameNumber(units, seconds) || sameNumber(units.times(60), seconds) {
		return Unsure
	}
	return Differs
}

// readDuration returns a length of time in seconds. bare reports whether it is a number for
// which nothing names the unit.
func (p *pair) readDuration(v *value) (seconds number, bare, ok bool) {
	if n, ok := v.readNumber(v.text); ok {
		unit := 0.0
		if beside := strings.ToLower(v.other(" unit ")); beside != "" {
			unit = units.Span(beside)
		} else if len(p.name) > 1 || p.many {
			unit = units.Span(p.name[len(p.name)-1])
		}
		if p.ends(" ms millisecond milli ") {
			return n.times(1e-3), false, true
		}
		if unit == 0 {
			return n, true, true
		}
		return n.times(unit), false, true
	}
	text := strings.TrimSpace(v.text)
	if strings.HasPrefix(text, "P") {
		seconds, ok = isoDuration(text)
		return seconds, false, ok
	}
	if minutes, rest, found := strings.Cut(text, ":"); found && notation.AreDigits(minutes) && len(rest) == 2 && notation.AreDigits(rest) {
		switch { // 3:45 in seconds, 1:15 in minutes
		case p.ends(" second seconds sec secs "):
			seconds, ok = wordDuration(minutes + "m" + rest + "s")
			return seconds, false, ok
		case p.ends(" minute minutes min mins "):
			seconds, ok = wordDuration(minutes + "h" + rest + "m")
			return seconds, false, ok
		}
	}
	if parts := strings.Split(text, ":"); len(parts) == 3 && notation.AreDigits(parts[0]) && notation.AreDigits(parts[1]) && notation.AreDigits(parts[2]) {
		seconds, ok = wordDuration(parts[0] + "h" + parts[1] + "m" + parts[2] + "s")
		return seconds, false, ok && p.named(durationKeys)
	}
	seconds, ok = wordDuration(strings.ToLower(text))
	return seconds, false, ok
}

// isoDuration reads a duration of ISO 8601 without years and months, such as P1DT2H.
func isoDuration(s string) (n number, ok bool) {
	day, clock, _ := strings.Cut(s[1:], "T")
	if strings.ContainsAny(day, "YM") || day+clock == "" {
		return n, false
	}
	return wordDuration(strings.ToLower(day + " " + clock))
}

// spanMarks drops what stands between the parts of a duration.
var spanMarks = strings.NewReplacer(" and ", " ", ",", " ")

// wordDuration reads pairs of a number and a unit, such as "1h 30m" and "90 minutes".
func wordDuration(s string) (total number, found bool) {
	s = spanMarks.Replace(s)
	if first, rest, found := strings.Cut(s, " "); found && first != "" && first[0] >= 'a' {
		n, ok := smallNumber(first)
		switch {
		case strings.HasPrefix(s, "half an "):
			total, found = wordDuration("1 " + s[len("half an "):])
			return total.times(0.5), found
		case first == "a" || first == "an":
			s = "1 " + rest
		case ok:
			s = strconv.Itoa(n) + " " + rest
		}
	}
	if hours, minutes, found := strings.Cut(s, "h"); found && notation.AreDigits(hours) && notation.AreDigits(minutes) && len(minutes) == 2 {
		s += "m" // 1h30
	}
	for s = strings.TrimSpace(s); s != ""; s = strings.TrimSpace(s) {
		end := strings.IndexFunc(s, func(r rune) bool { return r != '.' && (r < '0' || r > '9') })
		if end <= 0 {
			return total, false
		}
		n, ok := readNumber(s[:end])
		s = strings.TrimLeft(s[end:], " -")
		end = strings.IndexFunc(s, func(r rune) bool { return r < 'a' || r > 'z' })
		if end < 0 {
			end = len(s)
		}
		unit := units.Span(strings.TrimSuffix(s[:end], "."))
		if !ok || unit == 0 {
			return total, false
		}
		total.approx += float64(n.approx * unit)
		s, found = strings.TrimPrefix(s[end:], "."), true
	}
	return total, found
}
