package env

import (
	"github.com/boundcheck/boundcheck/plugins/taubench/py"
)

func airlineTools() map[string]tool {
	return map[string]tool{
		"book_reservation":              {bookParams, true, bookReservation},
		"calculate":                     {"expression", false, calculateTool("invalid characters in expression")},
		"cancel_reservation":            {"reservation_id", true, cancelReservation},
		"get_reservation_details":       {"reservation_id", false, detailTool("reservations", "reservation_id", "user not found")},
		"get_user_details":              {"user_id", false, detailTool("users", "user_id", "user not found")},
		"list_all_airports":             {"", false, listAirports},
		"search_direct_flight":          {"origin destination date", false, searchDirect},
		"search_onestop_flight":         {"origin destination date", false, searchOnestop},
		"send_certificate":              {"user_id amount", true, sendCertificate},
		"think":                         {"thought", false, think},
		"transfer_to_human_agents":      {"summary", false, transferToHuman},
		"update_reservation_baggages":   {"reservation_id total_baggages nonfree_baggages payment_id", true, updateBaggages},
		"update_reservation_flights":    {"reservation_id cabin flights payment_id", true, updateFlights},
		"update_reservation_passengers": {"reservation_id passengers", true, updatePassengers},
	}
}

const bookParams = "user_id origin destination flight_type cabin flights passengers payment_methods total_baggages nonfree_baggages insurance"

// bookedAt is the time of the environment's clock, which does not advance.
const bookedAt = "2024-05-15T15:00:00"

// newIDs returns the ids of new bookings, in order.
func newIDs() [3]string { return [...]string{"HATHAT", "HATHAU", "HATHAV"} }

// newID returns the first free id. If the first two ids are not free, the result is the
// third id, even if this id is not free.
func newID(s *Session) string {
	ids := newIDs()
	for _, id := range ids[:2] {
		if s.findRow("reservations", id) == nil {
			return id
		}
	}
	return ids[2]
}

func bookReservation(c *call) py.Value {
	user := c.s.editRow("users", c.argKey("user_id"))
	if user == nil {
		py.Raise("user not found")
	}
	id := newID(c.s)
	flights := py.DeepCopy(c.argValue("flights"))
	r := py.Pairs("reservation_id", id)
	for _, p := range [...]string{"user_id", "origin", "destination", "flight_type", "cabin"} {
		r.Set(p, c.argValue(p))
	}
	r.Set("flights", flights)
	r.Set("passengers", c.argValue("passengers"))
	r.Set("payment_history", c.argValue("payment_methods"))
	r.Set("created_at", bookedAt)
	for _, p := range [...]string{"total_baggages", "nonfree_baggages", "insurance"} {
		r.Set(p, c.argValue(p))
	}
	price := bookPrice(c, flights)
	payments := py.Items(c.argValue("payment_methods"))
	checkPayments(user, payments, price)
	deductPayments(user, payments)
	c.s.putRow("reservations", id, r)
	listMember(user, "reservations").Append(id)
	return r
}

// bookPrice checks the flights of a booking and returns the total price. It also writes
// the price and the route of each flight into flights.
func bookPrice(c *call, flights py.Value) py.Value {
	var total py.Value = int64(0)
	for _, item := range py.Items(flights) {
		price := checkSeats(c, item, func() int64 { return py.Len(c.argValue("passengers")) })
		total = py.Add(total, py.Mul(price, py.Len(c.argValue("passengers"))))
	}
	if equalsWord(c.argValue("insurance"), "yes") {
		total = py.Add(total, 30*py.Len(c.argValue("passengers")))
	}
	return py.Add(total, py.Mul(int64(50), c.argValue("nonfree_baggages")))
}

// checkSeats checks that a flight has enough seats on its day, and returns the price. It
// copies the price and the two airports of the flight to the dict item. The function
// seats returns the number of seats that are needed, and is called after the other
// checks.
func checkSeats(c *call, item py.Value, seats func() int64) py.Value {
	number := py.Index(item, "flight_number")
	key, _ := py.Key(number)
	f := c.s.db.schedule().byNumber[key]
	if f == nil {
		py.Raise("flight %s not found", py.Str(number))
	}
	date := py.Index(item, "date")
	on, _ := py.Key(date)
	day := c.s.flightDay(key, on)
	if day == nil {
		py.Raise("flight %s not found on date %s", key, py.Str(date))
	}
	if !equalsWord(py.Index(day, "status"), "available") {
		py.Raise("flight %s not available on date %s", key, on)
	}
	cabin := c.argValue("cabin")
	if py.Less(inCabin(day, "available_seats", cabin), seats()) {
		py.Raise("not enough seats on flight %s", key)
	}
	flight := item.(*py.Dict) // py.Index above accepted it, so it is a dict
	flight.Set("price", inCabin(day, "prices", cabin))
	flight.Set("origin", f.origin)
	flight.Set("destination", f.destination)
	return py.Index(flight, "price")
}

func inCabin(day *py.Dict, what string, cabin py.Value) py.Value {
	key, ok := py.Key(cabin)
	if !ok {
		py.Raise("%s", py.Repr(cabin))
	}
	return py.Index(py.Index(day, what), key)
}

func checkPayments(user *py.Dict, payments []py.Value, price py.Value) {
	for _, p := range payments {
		id, amount := py.Index(p, "payment_id"), py.Index(p, "amount")
		method := paymentMethod(user, id)
		if method == nil {
			py.Raise("payment method %s not found", py.Str(id))
		}
		source := py.Index(method, "source")
		if (equalsWord(source, "gift_card") || equalsWord(source, "certificate")) && py.Less(py.Index(method, "amount"), amount) {
			py.Raise("not enough balance in payment method %s", py.Str(id))
		}
	}
	if paid := sumMember(payments, "amount"); !py.Equal(paid, price) {
		py.Raise("payment amount does not add up, total price is %s, but paid %s", py.Str(price), py.Str(paid))
	}
}

// deductPayments deducts the payments from the user's payment methods. A certificate can
// be used only once, so a second use raises KeyError. As in the benchmark, the deductions
// before the error stay.
func deductPayments(user *py.Dict, payments []py.Value) {
	methods := dictMember(user, "payment_methods")
	for _, p := range payments {
		id := py.Str(py.Index(p, "payment_id"))
		method := dictMember(methods, id)
		switch source := py.Index(method, "source"); {
		case equalsWord(source, "gift_card"):
			method.Set("amount", py.Sub(py.Index(method, "amount"), py.Index(p, "amount")))
		case equalsWord(source, "certificate"):
			methods.Delete(id)
		}
	}
}

func cancelReservation(c *call) py.Value {
	r := c.editReservation()
	history := listMember(r, "payment_history")
	for _, p := range history.Items {
		history.Append(py.Pairs("payment_id", py.Index(p, "payment_id"), "amount", py.Neg(py.Index(p, "amount"))))
	}
	r.Set("status", "cancelled")
	return r
}

// editReservation returns the reservation that the call names. The caller may change the
// result.
func (c *call) editReservation() *py.Dict {
	r := c.s.editRow("reservations", c.argKey("reservation_id"))
	if r == nil {
		py.Raise("reservation not found")
	}
	return r
}

func sendCertificate(c *call) py.Value {
	user := c.s.editRow("users", c.argKey("user_id"))
	if user == nil {
		py.Raise("user not found")
	}
	methods := dictMember(user, "payment_methods")
	for _, id := range certificateIDs() {
		if !methods.Has(id) {
			methods.Set(id, py.Pairs("source", "certificate", "amount", c.argValue("amount"), "id", id))
			return "Certificate " + id + " added to user " + py.Str(c.argValue("user_id")) + " with amount " + py.Str(c.argValue("amount")) + "."
		}
	}
	return "None" // all three ids are in use: the benchmark's function then returns nothing
}

// certificateIDs returns the ids of new certificates, in order.
func certificateIDs() [3]string {
	return [...]string{"certificate_3221322", "certificate_3221323", "certificate_3221324"}
}
