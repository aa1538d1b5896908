package notation

import (
	"slices"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/dates"
)

// cronFields has the least and the largest value of each field of a schedule: minutes, hours,
// days of the month, months and days of the week.
var cronFields = [...][2]int{{0, 59}, {0, 23}, {1, 31}, {1, 12}, {0, 6}}

// cronNames has schedules that have a name.
var cronNames = [...][2]string{{"@hourly", "0 * * * *"}, {"@daily", "0 0 * * *"}, {"@midnight", "0 0 * * *"}, {"@weekly", "0 0 * * 0"}, {"@monthly", "0 0 1 * *"}, {"@yearly", "0 0 1 1 *"}, {"@annually", "0 0 1 1 *"}}

// PlainCron returns a schedule of cron with the values of each field. It returns "" for any
// other text.
func PlainCron(s string) string {
	s = strings.TrimSpace(strings.ToLower(s))
	for _, n := range cronNames {
		if s == n[0] {
			s = n[1]
		}
	}
	fields := strings.Fields(s)
	if len(fields) != len(cronFields) {
		return ""
	}
	var out []string
	for i, f := range fields {
		values := cronValues(f, i)
		if values == "" {
			return ""
		}
		out = append(out, values)
	}
	if fields[2] != "*" && fields[4] != "*" { // a star means another thing than all values here
		for _, i := range [...]int{2, 4} {
			if strings.HasPrefix(fields[i], "*") {
				out[i] = fields[i]
			}
		}
	}
	return strings.Join(out, " ")
}

// cronValues returns the values of a field as a sorted list, or "" if it is not one.
func cronValues(field string, i int) string {
	first, last := cronFields[i][0], cronFields[i][1]
	var set [60]bool
	for part := range strings.SplitSeq(field, ",") {
		part, by, stepped := strings.Cut(part, "/")
		step := 1
		if n, err := strconv.Atoi(by); stepped && (err != nil || n < 1) {
			return ""
		} else if stepped {
			step = n
		}
		from, to := first, last
		if part != "*" {
			low, high, isRange := strings.Cut(part, "-")
			from = cronValue(low, i)
			switch {
			case isRange:
				to = cronValue(high, i)
			case !stepped:
				to = from
			}
			if i == 4 && to == 0 && from > 0 {
				to = 7 // until Sunday
			}
			if isDay := i == 4; from < first || from > to || to > last && !(isDay && to == 7) {
				return ""
			}
		}
		for v := from; v <= to; v += step {
			if i == 4 {
				set[v%7] = true // 7 is Sunday, too
			} else {
				set[v] = true
			}
		}
	}
	var out []string
	for v, in := range set {
		if in {
			out = append(out, strconv.Itoa(v))
		}
	}
	return strings.Join(out, ",")
}

// cronValue returns the number of a value, or -1. Months and days of the week have names.
func cronValue(s string, field int) int {
	if n, err := strconv.Atoi(s); err == nil {
		return n
	}
	switch {
	case len(s) != 3:
	case field == 3 && dates.Month(s) > 0:
		return dates.Month(s)
	case field == 4 && dates.Weekday(s) >= 0:
		return (dates.Weekday(s) + 1) % 7 // Sunday is 0
	}
	return -1
}

// PlainRecurrence returns a rule of calendars (RFC 5545, section 3.3.10) with its parts in
// order and without what is the default. It returns "" for any other text.
func PlainRecurrence(s string) string {
	s, _ = strings.CutPrefix(strings.ToUpper(strings.TrimSpace(s)), "RRULE:")
	if !strings.Contains(s, "FREQ=") {
		return ""
	}
	var parts []string
	for part := range strings.SplitSeq(strings.Trim(s, ";"), ";") {
		name, value, ok := strings.Cut(part, "=")
		if !ok {
			return ""
		}
		if strings.HasPrefix(name, "BY") {
			list := strings.Split(value, ",")
			slices.Sort(list)
			part = name + "=" + strings.Join(list, ",")
		}
		if part != "INTERVAL=1" && part != "WKST=MO" {
			parts = append(parts, part)
		}
	}
	slices.Sort(parts)
	return strings.Join(parts, ";")
}
