package env

import "github.com/boundcheck/boundcheck/plugins/taubench/py"

func updateBaggages(c *call) py.Value {
	r := c.reservation()
	more := py.Sub(c.arg("nonfree_baggages"), py.Index(r, "nonfree_baggages"))
	var price py.Value = int64(0)
	if py.Less(int64(0), more) {
		price = py.Mul(int64(50), more)
	}
	method := updateMethod(c, r, price)
	r.Set("total_baggages", c.arg("total_baggages"))
	r.Set("nonfree_baggages", c.arg("nonfree_baggages"))
	charge(c, r, method, price)
	return r
}

// updateMethod returns the payment method of an update, checked in the benchmark's
// order.
func updateMethod(c *call, r *py.Dict, price py.Value) *py.Dict {
	method := payment(c.owner(r), c.arg("payment_id"))
	if method == nil {
		py.Raise("payment method not found")
	}
	switch source := py.Index(method, "source"); {
	case is(source, "certificate"):
		py.Raise("certificate cannot be used to update reservation")
	case is(source, "gift_card") && py.Less(py.Index(method, "amount"), price):
		py.Raise("gift card balance is not enough")
	}
	return method
}

func charge(c *call, r, method *py.Dict, price py.Value) {
	if is(py.Index(method, "source"), "gift_card") {
		method.Set("amount", py.Sub(py.Index(method, "amount"), price))
	}
	if !py.Equal(price, int64(0)) {
		list(r, "payment_history").Append(py.Pairs("payment_id", c.arg("payment_id"), "amount", price))
	}
}

// updateFlights does not store the new cabin and does not change the seats in the
// schedule, as in the benchmark.
func updateFlights(c *call) py.Value {
	r := c.reservation()
	flights := py.DeepCopy(c.arg("flights"))
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
		price = seat(c, item, passengers)
		total = py.Add(total, py.Mul(price, passengers()))
	}
	total = py.Sub(total, py.Mul(sum(py.Items(py.Index(r, "flights")), "price"), passengers()))
	method := updateMethod(c, r, total)
	r.Set("flights", flights)
	charge(c, r, method, total)
	return r
}

// keptFlight returns the flight of the reservation that has the same number and day as
// item, a flight in the update. It returns nil if there is none, or if the update changes
// the cabin.
func keptFlight(c *call, r *py.Dict, item py.Value) py.Value {
	for _, f := range py.Items(py.Index(r, "flights")) {
		if py.Equal(py.Index(f, "flight_number"), py.Index(item, "flight_number")) &&
			py.Equal(py.Index(f, "date"), py.Index(item, "date")) &&
			py.Equal(c.arg("cabin"), py.Index(r, "cabin")) {
			return f
		}
	}
	return nil
}

func updatePassengers(c *call) py.Value {
	r := c.reservation()
	if py.Len(c.arg("passengers")) != py.Len(py.Index(r, "passengers")) {
		py.Raise("number of passengers does not match")
	}
	r.Set("passengers", c.arg("passengers"))
	return r
}
