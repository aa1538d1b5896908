package audit

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/taubench/env"
)

// flagPassengers flags passengers in action i who contradict the user's profile. There
// are two cases:
//
//   - The profile has the same name with another birth date.
//   - In a new booking, the profile has the same birth date and last name with another first name.
func (a *auditor) flagPassengers(i int) error {
	st := &a.steps[i]
	if len(st.args.Passengers) == 0 || st.before.user == nil {
		return nil
	}
	known, err := a.knownPeople(st.before.user)
	if err != nil {
		return err
	}
	booking := st.before.reservation == nil
	fixed := slices.Clone(st.args.Passengers)
	var wrong []string
	for j, p := range st.args.Passengers {
		if slices.Contains(known, p) || containsWord(a.wish.text, strings.ToLower(p.Born)) {
			continue
		}
		for _, k := range known {
			switch {
			case k.fullName() == p.fullName():
				wrong = append(wrong, fmt.Sprintf("the reference gives passenger %s the birth date %s, but the profile has the birth date %s", p.fullName(), p.Born, k.Born))
				fixed[j] = k
			case booking && k.Born == p.Born && k.Last == p.Last && !slices.ContainsFunc(known, func(o person) bool { return o.fullName() == p.fullName() }):
				wrong = append(wrong, fmt.Sprintf("passenger %s has the birth date %s, but in the profile this date belongs to %s", p.fullName(), p.Born, k.fullName()))
				fixed[j] = k
			default:
				continue
			}
			break
		}
	}
	if wrong != nil {
		a.addFlag("other-person", i, .95, strings.Join(wrong, "; "), a.replaceArguments(i, map[string]any{"passengers": fixed}))
	}
	return nil
}

// knownPeople returns the people of a profile and of its reservations before the task.
func (a *auditor) knownPeople(u *user) ([]person, error) {
	out := append([]person{{u.Name.First, u.Name.Last, u.Born}}, u.Saved...)
	fresh := a.db.NewSession(a.dialect)
	for _, id := range u.Reservations {
		r, err := findRow[reservation](fresh, "reservations", id)
		if err != nil {
			return nil, err
		}
		if r == nil {
			continue
		}
		for _, p := range r.Passengers {
			if !slices.Contains(out, p) {
				out = append(out, p)
			}
		}
	}
	return out, nil
}

// flagCancellation flags a cancellation that the policy forbids.
func (a *auditor) flagCancellation(i int) error {
	st := &a.steps[i]
	r := st.before.reservation
	if st.name != "cancel_reservation" || r == nil || !st.isDone() {
		return nil
	}
	flown, cancelled, err := a.flightStates(r)
	switch {
	case err != nil:
		return err
	case flown != "":
		a.addFlag("ineligible-cancellation", i, .95, "a part of the trip has already been flown: "+flown, a.dropActions(i))
	case cancelled != "" || r.Cabin == "business" || isWithinDay(r.Created):
	case r.Insurance == "yes" && a.hasInsuredReason():
	default:
		why := "no insurance was bought"
		if r.Insurance == "yes" {
			why = "the insurance is only for reasons of health or weather, and the user names no such reason"
		}
		proposed := [][]abi.Action{a.dropActions(i)}
		if up := a.upgradeCabin(i); up != nil {
			proposed = append([][]abi.Action{up}, proposed...)
		}
		a.addFlag("ineligible-cancellation", i, .9, fmt.Sprintf("reservation %s (cabin %s, booked on %s) has no cancelled flight, and %s", r.ID, r.Cabin, r.Created, why), proposed...)
	}
	return nil
}

// hasInsuredReason reports whether the user names one of the reasons that an insurance
// covers.
func (a *auditor) hasInsuredReason() bool {
	return a.wish.mentionsAny("sick", "ill ", "unwell", "health", "hospital", "weather", "storm", "injur", "medical", "flu ", "feel")
}

// upgradeCabin returns a changed gold in which action i cancels a reservation in business
// class. For this, it changes an earlier action that updates the flights of the same
// reservation. The result is nil if there is no such action, or if the environment
// refuses each change.
func (a *auditor) upgradeCabin(i int) []abi.Action {
	for j := range i {
		if st := &a.steps[j]; st.name == "update_reservation_flights" && st.args.ReservationID == a.steps[i].args.ReservationID && st.args.Cabin != "business" {
			out := a.replaceArguments(j, map[string]any{"cabin": "business"})
			if _, refused, err := a.playActions(out); err == nil && !refused {
				return out
			}
		}
	}
	return nil
}

// flightStates looks at the flights of a reservation. flown describes the first flight
// that has taken off. cancelled is the number of the first flight that the airline
// cancelled. Each is "" if there is no such flight.
func (a *auditor) flightStates(r *reservation) (flown, cancelled string, err error) {
	s := a.db.NewSession(a.dialect)
	for _, f := range r.Flights {
		day, err := s.Day(f.Number, f.Date)
		if err != nil {
			return "", "", err
		}
		status := ""
		if day != nil {
			v, _ := day.Get("status")
			status, _ = v.(string)
		}
		switch {
		case flown == "" && (status == "landed" || status == "flying"):
			flown = fmt.Sprintf("%s of %s is %s", f.Number, f.Date, status)
		case cancelled == "" && status == "cancelled":
			cancelled = f.Number
		}
	}
	return flown, cancelled, nil
}

// isWithinDay reports whether the time created is at most one day before the
// environment's current time.
func isWithinDay(created string) bool {
	const form = "2006-01-02T15:04:05"
	then, err := time.Parse(form, created)
	now, _ := time.Parse(form, env.Now())
	return err == nil && now.Sub(then) <= 24*time.Hour
}

// freeBags returns the number of free bags for all passengers. The number depends on the
// membership and the cabin.
func freeBags(membership, cabin string, passengers int) float64 {
	free := map[string][3]int{"regular": {0, 1, 2}, "silver": {1, 2, 3}, "gold": {2, 3, 3}}[membership]
	return float64(passengers * free[max(0, slices.Index([]string{"basic_economy", "economy", "business"}, cabin))])
}

// flagBags flags three faults:
//
//   - A free bag is paid.
//   - A bag beyond the allowance is not paid.
//   - A bag is removed.
func (a *auditor) flagBags(i int) error {
	st := &a.steps[i]
	if st.args.Total == nil || st.args.Nonfree == nil || st.before.user == nil || !st.isDone() {
		return nil
	}
	u, cabin, n, had := st.before.user, st.args.Cabin, len(st.args.Passengers), 0.0
	if r := st.before.reservation; r != nil {
		cabin, n, had = r.Cabin, len(r.Passengers), r.Total
	}
	free := freeBags(u.Membership, cabin, n)
	paid := max(0, *st.args.Total-free)
	if r := st.before.reservation; r != nil {
		paid = max(paid, r.Nonfree)
	}
	switch {
	case *st.args.Total < had:
		a.addFlag("removed-bag", i, .9, fmt.Sprintf("the number of bags falls from %v to %v, but the policy only allows more bags", had, *st.args.Total), a.dropActions(i))
	case *st.args.Nonfree > paid:
		a.addFlag("paid-free-bag", i, .95, fmt.Sprintf("%v of %v bags are paid. For membership %s, passenger count %d and cabin %s, the number of free bags is %v", *st.args.Nonfree, *st.args.Total, u.Membership, n, cabin, free),
			a.replaceArguments(i, map[string]any{"nonfree_baggages": int(paid)}))
	case *st.args.Nonfree < paid:
		a.addFlag("unpaid-bag", i, .9, fmt.Sprintf("%v of %v bags are paid. For membership %s, passenger count %d and cabin %s, the number of free bags is only %v", *st.args.Nonfree, *st.args.Total, u.Membership, n, cabin, free),
			a.replaceArguments(i, map[string]any{"nonfree_baggages": int(paid)}))
	}
	return nil
}

// flagRoute flags a change of flights that the policy forbids. Such a change leads to
// other airports, or changes a basic economy ticket.
func (a *auditor) flagRoute(i int) error {
	st := &a.steps[i]
	r := st.before.reservation
	if st.name != "update_reservation_flights" || r == nil || len(st.args.Flights) == 0 || !st.isDone() {
		return nil
	}
	s := a.db.NewSession(a.dialect)
	var stops []string
	for _, f := range st.args.Flights {
		from, to, ok, err := s.Route(f.Number)
		if err != nil || !ok {
			return err
		}
		stops = append(stops, from, to)
	}
	last := r.Destination
	if r.Trip == "round_trip" {
		last = r.Origin
	}
	switch {
	case stops[0] != r.Origin || stops[len(stops)-1] != last || !slices.Contains(stops, r.Destination):
		a.addFlag("other-route", i, .95, fmt.Sprintf("reservation %s goes from %s to %s, but the new flights have the route %s. Another route needs another reservation", r.ID, r.Origin, r.Destination, strings.Join(stops, " ")))
	case r.Cabin == "basic_economy" && !slices.EqualFunc(st.args.Flights, r.Flights, func(x, y leg) bool { return x.Number == y.Number && x.Date == y.Date }):
		a.addFlag("basic-economy-change", i, .8, fmt.Sprintf("reservation %s is basic economy, and basic economy flights cannot be changed", r.ID))
	}
	return nil
}

// flagCompensation flags a certificate that the policy does not offer. It flags nothing
// in two cases:
//
//   - An earlier action changes or cancels a reservation of the user.
//   - The user does not mention a delay, and the airline cancelled one of the user's flights.
func (a *auditor) flagCompensation(i int) error {
	st := &a.steps[i]
	if st.name != "send_certificate" || st.before.user == nil || !st.isDone() {
		return nil
	}
	for j := range i {
		other := &a.steps[j]
		if r := other.before.reservation; r != nil && r.UserID == st.args.UserID && other.isDone() && other.writes {
			return nil
		}
	}
	if !a.wish.mentionsAny("delay") {
		s := a.db.NewSession(a.dialect)
		for _, id := range st.before.user.Reservations {
			r, err := findRow[reservation](s, "reservations", id)
			if err != nil {
				return err
			}
			if r != nil {
				if _, cancelled, err := a.flightStates(r); err != nil || cancelled != "" {
					return err
				}
			}
		}
	}
	a.addFlag("compensation-without-change", i, .95, "a certificate for a delay needs a changed or cancelled reservation, but the reference changes or cancels no reservation", a.dropActions(i))
	return nil
}
