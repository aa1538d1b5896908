package env

import (
	"sync"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/plugins/taubench/py"
)

// schedule indexes the flights table for the searches. It is shared and read-only; a
// run's changes are in its Session.
type schedule struct {
	byNumber map[string]*flight
	byOrigin map[string][]*flight
}

// flight holds one flight's own members, and its dates as text.
type flight struct {
	number              string
	head                *py.Dict // all but dates
	origin, destination string
	dates               func() map[string]string // by day, as text
}

func readSchedule(d *Database) *schedule {
	s := &schedule{byNumber: map[string]*flight{}, byOrigin: map[string][]*flight{}}
	for _, number := range d.tableKeys("flights") {
		f := readFlight(number, d.rawRow("flights", number))
		s.byNumber[number] = f
		s.byOrigin[f.origin] = append(s.byOrigin[f.origin], f)
	}
	return s
}

// prepareSearches indexes the flights, because a host may begin each run in the state after
// Open. A flight that cannot be read is the error of the runs that search.
func (d *Database) prepareSearches() {
	if d.Domain == Airline {
		var again error // schedule raises it for each run
		defer recoverUnreadable(&again)
		d.schedule()
	}
}

func readFlight(number, raw string) *flight {
	f := &flight{number: number, head: &py.Dict{}}
	dates := "{}"
	err := jsonval.Members(raw, func(key, raw string) bool {
		if key == "dates" {
			dates = raw
			return true
		}
		v, err := py.Parse(raw)
		if err != nil {
			panic(&DataError{Table: "flights", Key: number, Err: err})
		}
		f.head.Set(key, v)
		return true
	})
	if err != nil {
		panic(&DataError{Table: "flights", Key: number, Err: err})
	}
	f.origin, _ = py.Index(f.head, "origin").(string)
	f.destination, _ = py.Index(f.head, "destination").(string)
	f.dates = sync.OnceValue(func() map[string]string { return readDates(number, dates) })
	return f
}

func readDates(number, text string) map[string]string {
	out := map[string]string{}
	err := jsonval.Members(text, func(key, raw string) bool {
		out[key] = raw
		return true
	})
	if err != nil {
		panic(&DataError{Table: "flights", Key: number, Err: err})
	}
	return out
}

// dayText returns the text of one day of a flight, or "" if the flight does not take
// place on that day.
func (f *flight) dayText(day string) string { return f.dates()[day] }

// timeMember returns the text of the flight's member key, which must be a time of day.
func (f *flight) timeMember(key string) string { return py.Str(py.Index(f.head, key)) }
