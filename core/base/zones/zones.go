// Package zones reads the names of time zones, and says which instant the clock of a zone shows. The law: an instant is
// what the time zone database says, or is not known.
package zones

import (
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/boundcheck/boundcheck/core/base/codes"
)

// clocks maps the name of each time zone, in lower case, to the numbers of its clock: the minutes east of
// UTC, and in zones with summer time the minutes more and the month, week, day of the week and minute at
// which it begins and ends. Week 5 is the last one.
var clocks = sync.OnceValue(func() map[string][]int {
	out := map[string][]int{}
	for _, row := range codes.Rows("clock") {
		var clock []int
		for w := range strings.FieldsSeq(strings.ToLower(row)) {
			if n, err := strconv.Atoi(w); err == nil {
				clock = append(clock, n)
				continue
			}
			region, cities, _ := strings.Cut(w, "/")
			for city := range strings.SplitSeq(cities, ",") {
				out[region+"/"+city] = clock
			}
		}
	}
	return out
})

// The years for which the rules of the table are known.
const firstClock, lastClock = 2025, 2036

// Instant returns the instant of a local time in a zone, as plaInstant writes it. The result is false if the
// clock is not known, shows this time twice, or skips it.
func Instant(local time.Time, zone string) (time.Time, bool) {
	clock := clocks()[zone]
	if clock == nil || local.Year() < firstClock || local.Year() > lastClock {
		return local, false
	}
	east := time.Duration(clock[0]) * time.Minute
	if len(clock) < 10 {
		return local.Add(-east), true
	}
	more := time.Duration(clock[1]) * time.Minute
	begin, end := ruleTime(local.Year(), clock[2:6]), ruleTime(local.Year(), clock[6:10])
	for _, turn := range [...]time.Time{begin, end} { // the clock leaves out or repeats the time around each turn
		if apart := local.Sub(turn).Abs(); apart < more.Abs() || apart == more.Abs() && local.Before(turn) {
			return local, false
		}
	}
	summer := !local.Before(begin) && local.Before(end)
	if end.Before(begin) {
		summer = !local.Before(begin) || local.Before(end)
	}
	if summer {
		east += more
	}
	return local.Add(-east), true
}

// ruleTime returns the local time of a year of which a rule names the month, the week, the day of the week
// and the minute.
func ruleTime(year int, rule []int) time.Time {
	first := time.Date(year, time.Month(rule[0]), 1, 0, 0, 0, 0, time.UTC)
	day := 1 + (rule[2]-int(first.Weekday())+7)%7 + 7*(rule[1]-1)
	for time.Date(year, time.Month(rule[0]), day, 0, 0, 0, 0, time.UTC).Month() != time.Month(rule[0]) {
		day -= 7
	}
	return first.AddDate(0, 0, day-1).Add(time.Duration(rule[3]) * time.Minute)
}

// Plain returns the name of a time zone in lower case: its main name, utc, or a difference from UTC such as +05:30. A name
// that is not known stays as it is. O(len(s)).
func Plain(s string) string {
	s = strings.ToLower(strings.ReplaceAll(strings.TrimSpace(s), " ", "_"))
	switch strings.TrimPrefix(s, "etc/") {
	case "utc", "z", "gmt", "zulu", "universal", "uct", "greenwich", "+00:00", "utc+0", "utc+00:00", "gmt+0", "gmt0", "utc±00:00", "coordinated_universal_time":
		return "utc"
	}
	for _, name := range [...]string{"utc", "gmt"} {
		s = strings.TrimPrefix(s, name)
	}
	if hours, minutes, _ := strings.Cut(s[min(1, len(s)):], ":"); len(s) > 1 && (s[0] == '+' || s[0] == '-') && areDigits(hours) && len(hours) <= 2 && (minutes == "" || areDigits(minutes)) {
		return s[:1] + ("0" + hours)[len(hours)-1:] + ":" + (minutes + "00")[:2]
	}
	if name := zoneNames()[s]; name != "" {
		return name
	}
	return s
}

// zoneNames maps the other names of a time zone to its name, both in lower case, from codes.txt.
var zoneNames = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for _, row := range codes.Rows("zone") {
		name, others, _ := strings.Cut(strings.ToLower(row), " ")
		for other := range strings.FieldsSeq(others) {
			out[other] = name
		}
	}
	return out
})

func areDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
