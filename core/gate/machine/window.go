package machine

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/match"
)

// Zone returns the offset of a time zone from UTC in seconds at a time in Unix
// milliseconds. ok is false for a zone that is not known.
type Zone func(name string, at int64) (offset int, ok bool)

// Window is a part of the day, on some days of the week, in a time zone. It begins at From
// and ends before To, in minutes of the day. If To is not after From, it ends on the next
// day.
type Window struct {
	From, To int
	Days     [7]bool // from Sunday
	Zone     string
	Outside  bool // the rule is about the times outside the window
	text     string
}

var dayNames = []string{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"}

// parseWindow parses a text such as "08:00-18:00 Mon-Fri Europe/Berlin". Without days, it
// is every day.
func parseWindow(text string) (*Window, error) {
	fields := strings.Fields(text)
	w := &Window{text: text}
	if len(fields) < 2 || len(fields) > 3 {
		return nil, fmt.Errorf(`want hours, days and a zone, such as "08:00-18:00 Mon-Fri Europe/Berlin"`)
	}
	from, to, ok := strings.Cut(fields[0], "-")
	var err1, err2 error
	w.From, err1 = parseClock(from)
	w.To, err2 = parseClock(to)
	if !ok || err1 != nil || err2 != nil || w.From == w.To || w.From == 24*60 {
		return nil, fmt.Errorf("invalid hours %q: want 08:00-18:00", fields[0])
	}
	w.Zone = fields[len(fields)-1]
	days := "Sun-Sat"
	if len(fields) == 3 {
		days = fields[1]
	}
	for _, part := range strings.Split(days, ",") {
		first, last, span := strings.Cut(part, "-")
		if !span {
			last = first
		}
		a, b := slices.Index(dayNames, first), slices.Index(dayNames, last)
		if a < 0 || b < 0 {
			return nil, fmt.Errorf("invalid days %q: want days such as Mon-Fri or Mon,Wed", days)
		}
		for d := a; ; d = (d + 1) % 7 {
			w.Days[d] = true
			if d == b {
				break
			}
		}
	}
	return w, nil
}

// parseClock parses 08:00 to minutes. 24:00 is the end of the day.
func parseClock(text string) (int, error) {
	hours, minutes, _ := strings.Cut(text, ":")
	h, err := strconv.ParseUint(hours, 10, 8)
	m, err2 := strconv.ParseUint(minutes, 10, 8)
	if err != nil || err2 != nil || len(text) != 5 || m > 59 || h*60+m > 24*60 {
		return 0, fmt.Errorf("invalid time %q", text)
	}
	return int(h*60 + m), nil
}

// String returns when the rule is in force.
func (w *Window) String() string {
	if w.Outside {
		return "not allowed outside " + w.text
	}
	return "not allowed in " + w.text
}

// holds reports whether the rule is in force at a time.
func (w *Window) holds(zone Zone, now int64) match.Answer {
	if zone == nil {
		return match.Unknown
	}
	offset, ok := zone(w.Zone, now)
	if !ok {
		return match.Unknown
	}
	if w.contains(now/1000+int64(offset)) != w.Outside {
		return match.Yes
	}
	return match.No
}

// contains reports whether a local time, in seconds since 1970, lies in the window.
func (w *Window) contains(local int64) bool {
	const day = 24 * 60 * 60
	days := local / day
	if local%day < 0 {
		days--
	}
	minute := int(local-days*day) / 60
	weekday := int((days%7 + 4 + 7) % 7) // 1970-01-01 was a Thursday
	if w.From < w.To {
		return w.Days[weekday] && minute >= w.From && minute < w.To
	}
	return w.Days[weekday] && minute >= w.From || w.Days[(weekday+6)%7] && minute < w.To
}

// isKnownIn reports whether a clock knows the window's zone.
func (w *Window) isKnownIn(zone Zone) bool {
	_, ok := zone(w.Zone, 0)
	return ok
}

// SetZone sets the clock of time zones. It returns an error that names the rule if the
// policy has a zone that is not known.
func (p *Policy) SetZone(zone Zone) error {
	for i := range p.Rules {
		if w := p.Rules[i].Time; w != nil && !w.isKnownIn(zone) {
			return fmt.Errorf("line %d: the rule %q has the unknown time zone %s; want a name such as Europe/Berlin or UTC", p.Rules[i].Line, p.Rules[i].Name, w.Zone)
		}
	}
	p.Zone = zone
	return nil
}
