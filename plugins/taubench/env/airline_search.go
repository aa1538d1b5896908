package env

import (
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/plugins/taubench/py"
)

// airportCities returns a list in which each airport's code is followed by its city, in
// the benchmark's order.
func airportCities() []string {
	return []string{
		"SFO", "San Francisco", "JFK", "New York", "LAX", "Los Angeles", "ORD", "Chicago", "DFW", "Dallas",
		"DEN", "Denver", "SEA", "Seattle", "ATL", "Atlanta", "MIA", "Miami", "BOS", "Boston",
		"PHX", "Phoenix", "IAH", "Houston", "LAS", "Las Vegas", "MCO", "Orlando", "EWR", "Newark",
		"CLT", "Charlotte", "MSP", "Minneapolis", "DTW", "Detroit", "PHL", "Philadelphia", "LGA", "LaGuardia",
	}
}

func listAirports(*call) py.Value {
	out := &py.Dict{}
	a := airportCities()
	for i := 0; i < len(a); i += 2 {
		out.Set(a[i], a[i+1])
	}
	return out
}

// availableDay returns a flight's record for a day if it can be booked, otherwise nil.
func availableDay(c *call, f *flight, date string) *py.Dict {
	day := c.s.flightDay(f.number, date)
	if day == nil || !equalsWord(py.Index(day, "status"), "available") {
		return nil
	}
	return day
}

func searchDirect(c *call) py.Value {
	out := py.NewList()
	to := destinationArg(c)
	for _, f := range c.s.flightsFrom(c.argValue("origin")) {
		if f.destination != to {
			continue
		}
		if day := availableDay(c, f, c.argKey("date")); day != nil {
			out.Append(newOffer(f, day, nil))
		}
	}
	return out
}

// destinationArg returns the requested airport. If the argument is not a text, it returns
// a name that no flight has.
func destinationArg(c *call) string {
	if s, ok := c.argValue("destination").(string); ok {
		return s
	}
	return "\x00"
}

// flightsFrom returns the flights that leave an airport.
func (s *Session) flightsFrom(origin py.Value) []*flight {
	o, _ := origin.(string)
	return s.db.schedule().byOrigin[o]
}

// newOffer returns a dict with the members of a flight and those of one of its days. If
// date is not nil, it is added as a member.
func newOffer(f *flight, day *py.Dict, date py.Value) *py.Dict {
	out := f.head.Copy()
	out.Update(day)
	if date != nil {
		out.Set("date", date)
	}
	return out
}

// searchOnestop returns the connections of two flights. It keeps two errors of the
// benchmark:
//
//   - If the second flight leaves on the next day, its seats and prices are those of the first day.
//   - The times of arrival and departure are compared as text.
func searchOnestop(c *call) py.Value {
	out := py.NewList()
	to := destinationArg(c)
	for _, first := range c.s.flightsFrom(c.argValue("origin")) {
		for _, second := range c.s.flightsFrom(first.destination) {
			if second.destination != to {
				continue
			}
			arrival := first.timeMember("scheduled_arrival_time_est")
			next := connectionDate(c.argValue("date"), arrival)
			if arrival > second.timeMember("scheduled_departure_time_est") {
				continue
			}
			if pair := newConnection(c, first, second, next); pair != nil {
				out.Append(pair)
			}
		}
	}
	return out
}

func newConnection(c *call, first, second *flight, next py.Value) *py.List {
	date := c.argKey("date")
	on, _ := py.Key(next)
	day1 := availableDay(c, first, date)
	if day1 == nil || availableDay(c, second, on) == nil {
		return nil
	}
	priced := mustRow(c.s.flightDay(second.number, date), date)
	return py.NewList(newOffer(first, day1, date), newOffer(second, priced, next))
}

// connectionDate returns the date of the second flight of a connection. This is the day
// after date if the first flight lands after midnight, otherwise date.
func connectionDate(date py.Value, arrival string) py.Value {
	if !strings.Contains(arrival, "+1") {
		return date
	}
	s, ok := date.(string)
	if !ok {
		py.Raise("'%s' object is not subscriptable", py.TypeName(date))
	}
	end := s[max(0, len(s)-2):]
	n, err := strconv.Atoi(strings.TrimSpace(end))
	if err != nil {
		py.Raise("invalid literal for int() with base 10: %s", py.Repr(end))
	}
	return "2024-05-" + strconv.Itoa(n+1)
}
