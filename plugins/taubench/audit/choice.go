package audit

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/taubench/env"
	"github.com/boundcheck/boundcheck/plugins/taubench/py"
)

// variants flags a new item that the task does not determine, because another variant of
// the product fits the user's words as well. The other variant must be available. It must
// have the same options as the gold's variant, as far as the user mentions options. It
// must not differ from the old item in more options than the gold's variant does.
// variants proposes each such variant that the environment accepts.
func (a *auditor) variants(i int) error {
	st := &a.steps[i]
	o := st.before.order
	if o == nil || !st.done() || len(st.args.ItemIDs) != len(st.args.NewItemIDs) || a.ranked() {
		return nil
	}
	for j, id := range st.args.ItemIDs {
		p, err := a.product(o, id)
		if err != nil {
			return err
		}
		if p == nil || st.args.NewItemIDs[j] == id || contains(a.wish.text, strings.ToLower(st.args.NewItemIDs[j])) {
			continue
		}
		had, there := p.Variants[id]
		got, offered := p.Variants[st.args.NewItemIDs[j]]
		if !there || !offered {
			continue
		}
		spoken := a.spoken(p)
		proposed := [][]abi.Action{a.without()}
		var others []string
		for _, other := range slices.Sorted(maps.Keys(p.Variants)) {
			v := p.Variants[other]
			if other == id || other == got.ID || !v.Available || !agrees(v, got, spoken) || apart(v, had) > apart(got, had) {
				continue
			}
			ids := slices.Clone(st.args.NewItemIDs)
			ids[j] = other
			changed := a.with(i, map[string]any{"new_item_ids": ids})
			s, refused, err := a.play(changed)
			if err != nil {
				return err
			}
			if !refused && len(env.Diff(s, a.end)) > 0 {
				others, proposed = append(others, other), append(proposed, changed)
			}
		}
		if others != nil {
			a.flag("free-parameter", i, .6, fmt.Sprintf("neither the task nor the policy decides the variant: %s has everything that the user mentions, as %s does, and keeps as much of item %s", strings.Join(others, ", "), got.ID, id), proposed...)
		}
	}
	return nil
}

// ranked reports whether the user ranks variants by something other than an option: the
// price, or a wish for more or less of an option.
func (a *auditor) ranked() bool {
	return a.wish.says("cheap", "expensive", "price", "cost", "money", "refund", "balance", "save", "most", "least", "best", "more ", "less ", "bigger", "smaller", "larger", "higher", "lower", "upgrade", "max", "min", "better", "easier", "similar", "same")
}

// spoken returns the options of a product that the user mentions, by name or by a
// value.
func (a *auditor) spoken(p *product) map[string]bool {
	out := map[string]bool{}
	for _, v := range p.Variants {
		for k, value := range v.Options {
			if a.wish.says(strings.ToLower(k)) || slices.ContainsFunc(strings.FieldsFunc(strings.ToLower(value), func(r rune) bool { return r > 127 || !letter(byte(r)) }),
				func(word string) bool { return slices.Contains(a.wish.words(), word) }) {
				out[k] = true
			}
		}
	}
	return out
}

func agrees(v, got variant, options map[string]bool) bool {
	for k := range options {
		if v.Options[k] != got.Options[k] {
			return false
		}
	}
	return true
}

// apart counts the options in which two variants differ.
func apart(v, w variant) (n int) {
	for k, value := range v.Options {
		if w.Options[k] != value {
			n++
		}
	}
	return n
}

// offered is a flight that can be booked, or a connection of two flights.
type offered struct {
	legs  []leg
	price float64
}

// connections returns the flights and connections on a day with enough seats in a
// cabin.
func (a *auditor) connections(from, to, date, cabin string, seats int) ([]offered, error) {
	s := a.db.NewSession(a.dialect)
	raw, err := json.Marshal(map[string]string{"origin": from, "destination": to, "date": date})
	if err != nil {
		return nil, err
	}
	var out []offered
	for _, tool := range []string{"search_direct_flight", "search_onestop_flight"} {
		r, err := call(s, &abi.Action{Name: tool, Arguments: raw})
		if err != nil {
			return nil, err
		}
		var found []json.RawMessage
		if r.Error || json.Unmarshal([]byte(r.Output), &found) != nil {
			continue
		}
		for _, f := range found {
			var parts []json.RawMessage
			if json.Unmarshal(f, &parts) != nil {
				parts = []json.RawMessage{f}
			}
			if o, ok := bookable(parts, date, cabin, seats); ok {
				out = append(out, o)
			}
		}
	}
	return out, nil
}

func bookable(parts []json.RawMessage, date, cabin string, seats int) (o offered, ok bool) {
	for _, raw := range parts {
		var f struct {
			Number string             `json:"flight_number"`
			Date   string             `json:"date"`
			Seats  map[string]float64 `json:"available_seats"`
			Prices map[string]float64 `json:"prices"`
		}
		if json.Unmarshal(raw, &f) != nil || f.Seats[cabin] < float64(seats) || f.Prices[cabin] == 0 {
			return o, false
		}
		if f.Date == "" {
			f.Date = date
		}
		o.legs = append(o.legs, leg{Number: f.Number, Date: f.Date, Price: f.Prices[cabin]})
		o.price += f.Prices[cabin]
	}
	return o, len(o.legs) > 0
}

// condition holds words that limit which flights the user accepts, other than by price.
// They are not interpreted: with one of them the rule is silent.
var condition = []string{"am ", "pm ", "am.", "pm.", "am,", "pm,", "before", "after", "earlier", "later", "earliest", "latest", "morning", "afternoon", "evening", "night", "depart", "arriv", "layover", "stop", "direct", "hour", "fast", "short", "time", "second", "same flight", "cheapest business", "between"}

// flights flags flights that are not the cheapest, if the user wants the cheapest flights
// and sets no other condition. It flags them only if a flight or connection that can be
// booked on the same day costs less.
func (a *auditor) flights(i int) error {
	st := &a.steps[i]
	if len(st.args.Flights) == 0 || !st.done() || !a.wish.says("cheapest", "lowest price", "least expensive", "lowest cost") || a.wish.says(condition...) {
		return nil
	}
	seats, cabin := len(st.args.Passengers), st.args.Cabin
	kept := []leg{}
	if r := st.before.reservation; r != nil {
		seats, kept = len(r.Passengers), r.Flights
	}
	s := a.db.NewSession(a.dialect)
	for from := 0; from < len(st.args.Flights); {
		to, start, end, err := trip(s, st.args.Flights, from)
		if err != nil || start == "" {
			return err
		}
		part := st.args.Flights[from:to]
		paid := 0.0
		if !slices.ContainsFunc(part, func(f leg) bool {
			return slices.ContainsFunc(kept, func(k leg) bool { return k.Number == f.Number && k.Date == f.Date })
		}) {
			all, err := a.connections(start, end, part[0].Date, cabin, seats)
			if err != nil {
				return err
			}
			var best *offered
			for n := range all {
				if slices.EqualFunc(all[n].legs, part, func(x, y leg) bool { return x.Number == y.Number && x.Date == y.Date }) {
					paid = all[n].price
				}
				if best == nil || all[n].price < best.price {
					best = &all[n]
				}
			}
			if best != nil && best.price < paid {
				var names []string
				for _, l := range best.legs {
					names = append(names, l.Number)
				}
				a.flag("not-as-instructed", i, .6, fmt.Sprintf("the user wants the cheapest flights: from %s to %s on %s the gold costs %v per person, but %s, which can also be booked, costs %v", start, end, part[0].Date, paid, strings.Join(names, " and "), best.price))
			}
		}
		from = to
	}
	return nil
}

// trip finds the trip that begins at the index from in a list of flights. A trip is one
// flight or two. The second flight must begin where the first ends, and must not lead
// back to the start. to is the index after the trip. start and end are the two airports
// of the trip; they are "" if a flight is not known.
func trip(s *env.Session, flights []leg, from int) (to int, start, end string, err error) {
	for to = from; to < len(flights); to++ {
		a, b, ok, err := s.Route(flights[to].Number)
		if err != nil || !ok {
			return to, "", "", err
		}
		if to == from {
			start = a
		} else if a != end || b == start || to-from == 2 {
			break
		}
		end = b
	}
	return to, start, end, nil
}

// names returns the words of the text that have the form of a user's id, such as
// ana_li_1.
func (w wish) names() []string {
	all := strings.FieldsFunc(w.text, func(r rune) bool { return r > 127 || !letter(byte(r)) && r != '_' })
	all = slices.DeleteFunc(all, func(word string) bool { return strings.Count(word, "_") < 2 })
	return slices.Compact(slices.Sorted(slices.Values(all)))
}

// empty flags a gold that changes nothing although the user wants to cancel a reservation
// or an order. The user must name the reservation or order, and the policy must allow the
// cancellation.
func (a *auditor) empty() error {
	for i := range a.steps {
		if a.steps[i].writes && a.steps[i].done() || a.steps[i].name == handover {
			return nil
		}
	}
	if !a.wish.says("cancel") || a.wish.says("don't want to cancel", "do not want to cancel", "not to cancel", "don't cancel", "do not cancel", "not want to cancel") {
		return nil
	}
	s := a.db.NewSession(a.dialect)
	if a.db.Domain == env.Retail {
		return a.emptyRetail(s)
	}
	for _, id := range a.wish.names() {
		u, err := lookup[user](s, "users", id)
		if err != nil {
			return err
		}
		if u == nil {
			continue
		}
		for _, id := range u.Reservations {
			r, err := lookup[reservation](s, "reservations", id)
			if err != nil {
				return err
			}
			if r == nil || !contains(a.wish.text, strings.ToLower(id)) {
				continue
			}
			if may, why, err := a.cancellable(r); err != nil {
				return err
			} else if may {
				a.missing("cancel_reservation", map[string]string{"reservation_id": id}, fmt.Sprintf("the gold changes nothing; the user wants %s cancelled, and the policy allows that: %s", id, why))
			}
		}
	}
	return nil
}

func (a *auditor) emptyRetail(s *env.Session) error {
	for _, word := range slices.Compact(slices.Sorted(slices.Values(a.wish.words()))) {
		id := "#" + strings.ToUpper(word)
		if len(word) < 6 || word[0] != 'w' {
			continue
		}
		o, err := lookup[order](s, "orders", id)
		if err != nil {
			return err
		}
		if o == nil || o.Status != "pending" || !slices.ContainsFunc(a.wish.sentences, func(t string) bool { return contains(t, "cancel") && contains(t, word) }) {
			continue
		}
		all := reasons()
		for _, reason := range slices.Sorted(maps.Keys(all)) {
			if a.wish.says(all[reason]...) {
				a.missing("cancel_pending_order", map[string]string{"order_id": id, "reason": reason}, fmt.Sprintf("the gold changes nothing; the user wants %s cancelled, which is pending", id))
				break
			}
		}
	}
	return nil
}

// cancellable reports whether the policy lets a reservation be cancelled, and why.
func (a *auditor) cancellable(r *reservation) (may bool, why string, err error) {
	flown, cancelled, err := a.days(r)
	switch {
	case err != nil || flown != "":
		return false, "", err
	case cancelled != "":
		return true, "the airline cancelled " + cancelled, nil
	case r.Cabin == "business":
		return true, "it is business", nil
	case fresh(r.Created):
		return true, "it was booked less than a day ago, on " + r.Created, nil
	case r.Insurance == "yes" && a.ill():
		return true, "it is insured, and the user has a reason of health or weather", nil
	}
	return false, "", nil
}

// missing flags an action that the gold lacks, if the environment carries it out.
func (a *auditor) missing(tool string, arguments map[string]string, why string) {
	raw, err := json.Marshal(arguments)
	if err != nil {
		return
	}
	fixed := append(a.without(), abi.Action{Name: tool, Arguments: raw})
	if _, refused, err := a.play(fixed); err == nil && !refused {
		a.flag("empty-gold", -1, .7, why, fixed)
	}
}

// asked holds words for results of a search that are not needed for a booking: prices
// and times.
var asked = []string{"hour", "minute", "time", "duration", "long", "short", "fast", "cost", "fee", "price", "cheap", "expensive", "pay", "budget", "how many", "how much", "total", "nonstop", "non-stop", "direct", "stop",
	"layover", "depart", "arriv", "before", "after", "early", "earl", "late", "possible", "available", "option"}

// needless flags an action that searches or lists something, if a later action writes but
// no later action uses the result. It flags nothing if the task requires outputs, or if
// the user asks for something that the search shows.
func (a *auditor) needless(i int) error {
	st := &a.steps[i]
	if !strings.HasPrefix(st.name, "search_") && st.name != "list_all_airports" && st.name != "list_all_product_types" || !st.done() || len(a.outputs) > 0 || a.wish.says(asked...) || strings.Contains(a.wish.text, "$") {
		return nil
	}
	v, err := py.Parse(st.result.Output)
	if err != nil {
		return nil
	}
	later, writes := "", false
	for j := i + 1; j < len(a.steps); j++ {
		later += string(a.actions[j].Arguments)
		writes = writes || a.steps[j].writes && a.steps[j].done()
	}
	if !writes || mentions(v, later) {
		return nil
	}
	a.flag("needless-read", i, .5, st.name+" finds nothing that a later action uses", a.without(i))
	return nil
}

// mentions reports whether the arguments of later actions, given as a text, use anything
// from the value v, which is the result of a search. It looks for the ids of flights,
// airports and products.
func mentions(v py.Value, text string) bool {
	switch v := v.(type) {
	case *py.List:
		return slices.ContainsFunc(v.Items, func(e py.Value) bool { return mentions(e, text) })
	case *py.Dict:
		for i := range v.Len() {
			key, e := v.At(i)
			if s, ok := e.(string); ok && (key == "flight_number" || len(s) > 5) && strings.Contains(text, `"`+s+`"`) || mentions(e, text) || len(key) == 3 && strings.Contains(text, `"`+key+`"`) {
				return true
			}
		}
	}
	return false
}
