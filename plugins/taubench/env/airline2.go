package env

import (
	"slices"

	"strings"

	"github.com/boundcheck/boundcheck/plugins/taubench/py"
)

func airline2Tools() map[string]tool {
	return map[string]tool{
		"book_reservation":   {bookParams, true, bookReservation2},
		"calculate":          {"expression", false, calculateTool("Invalid characters in expression")},
		"cancel_reservation": {"reservation_id", true, cancelReservation2},
		"get_flight_status":  {"flight_number date", false, flightStatus2},
		"get_reservation_details": {"reservation_id", false, func(c *call) py.Value {
			return c.named2("reservations", "Reservation", c.argValue("reservation_id"), false)
		}},
		"get_user_details":              {"user_id", false, func(c *call) py.Value { return c.named2("users", "User", c.argValue("user_id"), false) }},
		"list_all_airports":             {"", false, listAirports2},
		"search_direct_flight":          {"origin destination date", false, searchDirect2},
		"search_onestop_flight":         {"origin destination date", false, searchOnestop2},
		"send_certificate":              {"user_id amount", true, sendCertificate2},
		"transfer_to_human_agents":      {"summary", false, transferToHuman},
		"update_reservation_baggages":   {"reservation_id total_baggages nonfree_baggages payment_id", true, updateBaggages2},
		"update_reservation_flights":    {"reservation_id cabin flights payment_id", true, updateFlights2},
		"update_reservation_passengers": {"reservation_id passengers", true, updatePassengers2},
	}
}

// named2 returns the row of a table with the given id. If edit is set, the caller may
// write to the row. If there is no such row, named2 raises an error that begins with the
// argument what, for example "User x not found".
func (c *call) named2(table, what string, id py.Value, edit bool) *py.Dict {
	key, ok := py.Key(id)
	find := c.s.findRow
	if edit {
		find = c.s.editRow
	}
	row := find(table, key)
	if row == nil || !ok {
		py.Raise("%s %s not found", what, py.Str(id))
	}
	return row
}

func (c *call) reservation2() *py.Dict {
	return c.named2("reservations", "Reservation", c.argValue("reservation_id"), true)
}

func (c *call) owner2(r *py.Dict) *py.Dict {
	return c.named2("users", "User", py.Index(r, "user_id"), true)
}

func bookReservation2(c *call) py.Value {
	flights := c.recordsArg("flights", "FlightInfo", "flight_number", "date")
	passengers := c.recordsArg("passengers", "Passenger", "first_name", "last_name", "dob")
	payments := c.recordsArg("payment_methods", "Payment", "payment_id", "amount")
	user := c.named2("users", "User", c.argValue("user_id"), true)
	id := ""
	for _, free := range newIDs() {
		if id == "" && c.s.findRow("reservations", free) == nil {
			id = free
		}
	}
	if id == "" {
		py.Raise("Too many reservations")
	}
	r := py.Pairs("reservation_id", id)
	for _, p := range [...]string{"user_id", "origin", "destination", "flight_type", "cabin"} {
		r.Set(p, c.argValue(p))
	}
	checkWords2(c)
	booked := py.NewList()
	r.Set("flights", booked)
	r.Set("passengers", passengers)
	r.Set("payment_history", py.DeepCopy(payments))
	r.Set("created_at", bookedAt)
	r.Set("total_baggages", castNumber("int", c.argValue("total_baggages")))
	r.Set("nonfree_baggages", castNumber("int", c.argValue("nonfree_baggages")))
	r.Set("insurance", c.argValue("insurance"))
	r.Set("status", nil)
	seats := int64(len(passengers.Items))
	var total py.Value = int64(0)
	for _, f := range flights.Items {
		flight := seat2(c, f, seats)
		booked.Append(flight)
		total = py.Add(total, py.Mul(py.Index(flight, "price"), seats))
	}
	if equalsWord(c.argValue("insurance"), "yes") {
		total = py.Add(total, 30*seats)
	}
	total = py.Add(total, py.Mul(int64(50), c.argValue("nonfree_baggages")))
	checkPayments2(user, payments.Items, total)
	deductPayments(user, payments.Items)
	take2(c, flights.Items, seats)
	c.s.putRow("reservations", id, r)
	listMember(user, "reservations").Append(id)
	return r
}

// checkWords2 raises an error for an invalid cabin, flight type or insurance.
func checkWords2(c *call) {
	for _, w := range [...][2]string{{"flight_type", "round_trip one_way"}, {"cabin", "business economy basic_economy"}, {"insurance", "yes no"}} {
		s, ok := c.argValue(w[0]).(string)
		if !ok || !slices.Contains(strings.Fields(w[1]), s) {
			py.Raise("1 validation error for Reservation\n%s\n  Input should be %s", w[0], strings.ReplaceAll(w[1], " ", " or "))
		}
	}
}

// seat2 checks that a flight can be booked and has enough seats. It returns the flight's
// record, with its price.
func seat2(c *call, info py.Value, seats int64) *py.Dict {
	number, date := py.Str(py.Index(info, "flight_number")), py.Str(py.Index(info, "date"))
	f, day := instance2(c, number, date)
	if !equalsWord(py.Index(day, "status"), "available") {
		py.Raise("Flight %s not available on date %s", number, date)
	}
	cabin := c.argValue("cabin")
	if py.Less(inCabin(day, "available_seats", cabin), seats) {
		py.Raise("Not enough seats on flight %s", number)
	}
	return py.Pairs("flight_number", number, "origin", f.origin, "destination", f.destination,
		"date", date, "price", inCabin(day, "prices", cabin))
}

func instance2(c *call, number, date string) (*flight, *py.Dict) {
	f := c.s.db.schedule().byNumber[number]
	if f == nil {
		py.Raise("Flight %s not found", number)
	}
	day := c.s.flightDay(number, date)
	if day == nil {
		py.Raise("Flight %s not found on date %s", number, date)
	}
	return f, day
}

func checkPayments2(user *py.Dict, payments []py.Value, price py.Value) {
	for _, p := range payments {
		id := py.Index(p, "payment_id")
		method := paymentMethod(user, id)
		if method == nil {
			py.Raise("Payment method %s not found", py.Str(id))
		}
		source := py.Index(method, "source")
		if (equalsWord(source, "gift_card") || equalsWord(source, "certificate")) && py.Less(py.Index(method, "amount"), py.Index(p, "amount")) {
			py.Raise("Not enough balance in payment method %s", py.Str(id))
		}
	}
	if paid := sumMember(payments, "amount"); !py.Equal(paid, price) {
		py.Raise("Payment amount does not add up, total price is %s, but paid %s", py.Str(price), py.Str(paid))
	}
}

// take2 removes the booked seats from the schedule.
func take2(c *call, flights []py.Value, seats int64) {
	for _, f := range flights {
		day := c.s.editDay(py.Str(py.Index(f, "flight_number")), py.Str(py.Index(f, "date")))
		left := dictMember(day, "available_seats")
		cabin := py.Str(c.argValue("cabin"))
		left.Set(cabin, py.Sub(py.Index(left, cabin), seats))
	}
}

func cancelReservation2(c *call) py.Value {
	r := c.reservation2()
	history := listMember(r, "payment_history")
	for _, p := range history.Items {
		history.Append(py.Pairs("payment_id", py.Index(p, "payment_id"), "amount", py.Neg(py.Index(p, "amount"))))
	}
	r.Set("status", "cancelled")
	return r
}

func sendCertificate2(c *call) py.Value {
	user := c.named2("users", "User", c.argValue("user_id"), true)
	methods := dictMember(user, "payment_methods")
	for _, id := range certificateIDs() {
		if !methods.Has(id) {
			methods.Set(id, py.Pairs("source", "certificate", "id", id, "amount", castNumber("float", c.argValue("amount"))))
			return "Certificate " + id + " added to user " + py.Str(c.argValue("user_id")) + " with amount " + py.Str(c.argValue("amount")) + "."
		}
	}
	py.Raise("Too many certificates")
	return nil
}

func updateBaggages2(c *call) py.Value {
	r := c.reservation2()
	user := c.owner2(r)
	more := py.Sub(c.argValue("nonfree_baggages"), py.Index(r, "nonfree_baggages"))
	var price py.Value = int64(0)
	if py.Less(int64(0), more) {
		price = py.Mul(int64(50), more)
	}
	charge2(c, user, r, price)
	r.Set("total_baggages", c.argValue("total_baggages"))
	r.Set("nonfree_baggages", c.argValue("nonfree_baggages"))
	return r
}

func charge2(c *call, user, r *py.Dict, price py.Value) {
	method := paymentMethod(user, c.argValue("payment_id"))
	if method == nil {
		py.Raise("Payment method not found")
	}
	source := py.Index(method, "source")
	switch {
	case equalsWord(source, "certificate"):
		py.Raise("Certificate cannot be used to update reservation")
	case equalsWord(source, "gift_card") && py.Less(py.Index(method, "amount"), price):
		py.Raise("Gift card balance is not enough")
	case equalsWord(source, "gift_card"):
		method.Set("amount", py.Sub(py.Index(method, "amount"), price))
	}
	if !py.Equal(price, int64(0)) {
		listMember(r, "payment_history").Append(py.Pairs("payment_id", c.argValue("payment_id"), "amount", castNumber("int", price)))
	}
}

func updateFlights2(c *call) py.Value {
	flights := c.recordsArg("flights", "FlightInfo", "flight_number", "date")
	r := c.reservation2()
	user := c.owner2(r)
	seats := py.Len(py.Index(r, "passengers"))
	fresh := py.NewList()
	var total py.Value = int64(0)
	for _, info := range flights.Items {
		f, _ := keptFlight(c, r, info).(*py.Dict)
		if f == nil {
			f = seat2(c, info, seats)
		}
		fresh.Append(f)
		total = py.Add(total, py.Mul(py.Index(f, "price"), seats))
	}
	total = py.Sub(total, py.Mul(sumMember(py.Items(py.Index(r, "flights")), "price"), seats))
	charge2(c, user, r, total)
	r.Set("flights", fresh)
	r.Set("cabin", c.argValue("cabin"))
	return r
}

func updatePassengers2(c *call) py.Value {
	passengers := c.recordsArg("passengers", "Passenger", "first_name", "last_name", "dob")
	r := c.reservation2()
	if int64(len(passengers.Items)) != py.Len(py.Index(r, "passengers")) {
		py.Raise("Number of passengers does not match")
	}
	r.Set("passengers", passengers)
	return r
}
