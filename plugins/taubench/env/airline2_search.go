package env

import (
	"github.com/boundcheck/boundcheck/plugins/taubench/py"
)

func flightStatus2(c *call) py.Value {
	_, day := instance2(c, py.Str(c.argValue("flight_number")), py.Str(c.argValue("date")))
	return py.Index(day, "status")
}

func listAirports2(*call) py.Value {
	out := py.NewList()
	a := airportCities()
	for i := 0; i < len(a); i += 2 {
		out.Append(py.Pairs("iata", a[i], "city", a[i+1]))
	}
	return out
}

func searchDirect2(c *call) py.Value {
	return direct2(c, c.argValue("origin"), c.argValue("destination"), c.argValue("date"), "", nil)
}

// direct2 returns the flights from origin on a day. The parameter after is the earliest
// time of departure. If destination is nil, the flights may go to any airport. Each
// flight gets date as a member, which is null if date is nil.
func direct2(c *call, origin, destination, day py.Value, after string, date py.Value) *py.List {
	out := py.NewList()
	on, ok := py.Key(day)
	for _, f := range c.s.flightsFrom(origin) {
		if !ok || destination != nil && !equalsWord(destination, f.destination) || f.timeMember("scheduled_departure_time_est") < after {
			continue
		}
		if d := availableDay(c, f, on); d != nil {
			out.Append(py.Pairs("flight_number", f.number, "origin", f.origin, "destination", f.destination, "status", "available",
				"scheduled_departure_time_est", f.timeMember("scheduled_departure_time_est"),
				"scheduled_arrival_time_est", f.timeMember("scheduled_arrival_time_est"), "date", date,
				"available_seats", py.Index(d, "available_seats"), "prices", py.Index(d, "prices")))
		}
	}
	return out
}

func searchOnestop2(c *call) py.Value {
	out := py.NewList()
	date := c.argValue("date")
	for _, first := range direct2(c, c.argValue("origin"), nil, date, "", date).Items {
		arrival := py.Str(py.Index(first, "scheduled_arrival_time_est"))
		next := connectionDate(date, arrival)
		for _, second := range direct2(c, py.Index(first, "destination"), c.argValue("destination"), next, arrival, next).Items {
			out.Append(py.NewList(first, second))
		}
	}
	return out
}
