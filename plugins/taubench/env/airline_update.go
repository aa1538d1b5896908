package env

import "github.com/boundcheck/boundcheck/plugins/taubench/py"

func updateBaggages(c *call) py.Value {
	r := c.editReservation()
	more := py.Sub(c.argValue("nonfree_baggages"), py.Index(r, "nonfree_baggages"))
	var price py.Value = int64(0)
	if py.Less(int64(0), more) {
		price = py.Mul(int64(50), more)
	}
	method := updateMethod(c, r, price)
	r.Set("total_baggages", c.argValue("total_baggages"))
	r.Set("nonfree_baggages", c.argValue("nonfree_baggages"))
	chargeMethod(c, r, method, price)
	return r
}

// updateMethod returns the payment method of an update. It raises an exception if the
// method does not exist or cannot pay the price.
func updateMethod(c *call, r *py.Dict, price py.Value) *py.Dict {
	method := paymentMethod(c.editOwner(r), c.argValue("payment_id"))
	if method == nil {
		py.Raise("payment method not found")
	}
	switch source := py.Index(method, "source"); {
	case equalsWord(source, "certificate"):
		py.Raise("certificate cannot be used to update reservation")
	case equalsWord(source, "gift_card") && py.Less(py.Index(method, "amount"), price):
		py.Raise("gift card balance is not enough")
	}
	return method
}

func chargeMethod(c *call, r, method *py.Dict, price py.Value) {
	if equalsWord(py.Index(method, "source"), "gift_card") {
		method.Set("amount", py.Sub(py.Index(method, "amount"), price))
	}
	if !py.Equal(price, int64(0)) {
		listMember(r, "payment_history").Append(py.Pairs("payment_id", c.argValue("payment_id"), "amount", price))
	}
}

// updateFlights replaces the flights of a reservation, charges the difference in price,
// and returns the reservation. As in the benchmark, it does not store the new cabin and
// does not change the seats in the schedule.
func updateFlights(c *call) py.Value {
	r := c.editReservation()
	flights := py.DeepCopy(c.argValue("flights"))
	passengers := func() int64 { return py.Len(py.Index(r, "passengers")) }
	var total py.Value = int64(0)
	for _, item := range py.Items(flights) {
		price := py.Value(nil)
		if kept := keptFlight(c, r, item); kept != nil {
			price = py.Index(kept, "price")
			total = py.Add(total, py.Mul(price, passengers()))
			for _, k := range [...]string{"price", "origin", "destination"} {
				item.(*py.Dict).Set(k, py.Index(kept, k))
			}
			continue
		}
		price = checkSeats(c, item, passengers)
		total = py.Add(total, py.Mul(price, passengers()))
	}
	total = py.Sub(total, py.Mul(sumMember(py.Items(py.Index(r, "flights")), "price"), passengers()))
	method := updateMethod(c, r, total)
	r.Set("flights", flights)
	chargeMethod(c, r, method, total)
	return r
}

// keptFlight returns the flight of the reservation r that has the same number and day as
// item. The result is nil if there is no such flight, or if the update changes the cabin.
func keptFlight(c *call, r *py.Dict, item py.Value) py.Value {
	for _, f := range py.Items(py.Index(r, "flights")) {
		if py.Equal(py.Index(f, "flight_number"), py.Index(item, "flight_number")) &&
			py.Equal(py.Index(f, "date"), py.Index(item, "date")) &&
			py.Equal(c.argValue("cabin"), py.Index(r, "cabin")) {
			return f
		}
	}
	return nil
}

func updatePassengers(c *call) py.Value {
	r := c.editReservation()
	if py.Len(c.argValue("passengers")) != py.Len(py.Index(r, "passengers")) {
		py.Raise("number of passengers does not match")
	}
	r.Set("passengers", c.argValue("passengers"))
	return r
}
