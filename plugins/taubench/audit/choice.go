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

// flagVariants flags a new item in action i if another variant of the product fits the
// user's words as well. Such a variant must:
//
//   - be available
//   - have the same options as the gold's variant, as far as the user mentions options
//   - differ from the old item in at most as many options as the gold's variant
//   - lead to another final state
//
// The flag proposes each such variant that the environment accepts.
func (a *auditor) flagVariants(i int) error {
	st := &a.steps[i]
	o := st.before.order
	if o == nil || !st.isDone() || len(st.args.ItemIDs) != len(st.args.NewItemIDs) || a.ranksVariants() {
		return nil
	}
	for j, id := range st.args.ItemIDs {
		p, err := a.findProduct(o, id)
		if err != nil {
			return err
		}
		if p == nil || st.args.NewItemIDs[j] == id || containsWord(a.wish.text, strings.ToLower(st.args.NewItemIDs[j])) {
			continue
		}
		had, there := p.Variants[id]
		got, offered := p.Variants[st.args.NewItemIDs[j]]
		if !there || !offered {
			continue
		}
		spoken := a.mentionedOptions(p)
		proposed := [][]abi.Action{a.dropActions()}
		var others []string
		for _, other := range slices.Sorted(maps.Keys(p.Variants)) {
			v := p.Variants[other]
			if other == id || other == got.ID || !v.Available || !optionsMatch(v, got, spoken) || countDifferent(v, had) > countDifferent(got, had) {
				continue
			}
			ids := slices.Clone(st.args.NewItemIDs)
			ids[j] = other
			changed := a.replaceArguments(i, map[string]any{"new_item_ids": ids})
			s, refused, err := a.playActions(changed)
			if err != nil {
				return err
			}
			if !refused && len(env.Diff(s, a.end)) > 0 {
				others, proposed = append(others, other), append(proposed, changed)
			}
		}
		if others != nil {
			a.addFlag("free-parameter", i, .6, fmt.Sprintf("the task and the policy do not decide the variant. Variant %s fits the user's words as well as %s, and is as close to item %s", strings.Join(others, ", "), got.ID, id), proposed...)
		}
	}
	return nil
}

// ranksVariants reports whether the user's text has a word that compares variants, such
// as cheap, best or larger.
func (a *auditor) ranksVariants() bool {
	return a.wish.mentionsAny("cheap", "expensive", "price", "cost", "money", "refund", "balance", "save", "most", "least", "best", "more ", "less ", "bigger", "smaller", "larger", "higher", "lower", "upgrade", "max", "min", "better", "easier", "similar", "same")
}

// mentionedOptions returns the options of a product that the user mentions, by name or by
// a value.
func (a *auditor) mentionedOptions(p *product) map[string]bool {
	out := map[string]bool{}
	for _, v := range p.Variants {
		for k, value := range v.Options {
			if a.wish.mentionsAny(strings.ToLower(k)) || slices.ContainsFunc(strings.FieldsFunc(strings.ToLower(value), func(r rune) bool { return r > 127 || !isWordByte(byte(r)) }),
				func(word string) bool { return slices.Contains(a.wish.splitWords(), word) }) {
				out[k] = true
			}
		}
	}
	return out
}

func optionsMatch(v, got variant, options map[string]bool) bool {
	for k := range options {
		if v.Options[k] != got.Options[k] {
			return false
		}
	}
	return true
}

// countDifferent counts the options in which two variants differ.
func countDifferent(v, w variant) (n int) {
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

// findConnections returns the flights and connections on a day with enough seats in a
// cabin.
func (a *auditor) findConnections(from, to, date, cabin string, seats int) ([]offered, error) {
	s := a.db.NewSession(a.dialect)
	raw, err := json.Marshal(map[string]string{"origin": from, "destination": to, "date": date})
	if err != nil {
		return nil, err
	}
	var out []offered
	for _, tool := range []string{"search_direct_flight", "search_onestop_flight"} {
		r, err := callTool(s, &abi.Action{Name: tool, Arguments: raw})
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
			if o, ok := bookableOffer(parts, date, cabin, seats); ok {
				out = append(out, o)
			}
		}
	}
	return out, nil
}

func bookableOffer(parts []json.RawMessage, date, cabin string, seats int) (o offered, ok bool) {
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
// They are not interpreted: if the user's text contains one of them, no flight is
// flagged.
var condition = []string{"am ", "pm ", "am.", "pm.", "am,", "pm,", "before", "after", "earlier", "later", "earliest", "latest", "morning", "afternoon", "evening", "night", "depart", "arriv", "layover", "stop", "direct", "hour", "fast", "short", "time", "second", "same flight", "cheapest business", "between"}

// flagFlights flags flights that are not the cheapest, if the user wants the cheapest
// flights and sets no other condition. A cheaper flight or connection must be available
// on the same day.
func (a *auditor) flagFlights(i int) error {
	st := &a.steps[i]
	if len(st.args.Flights) == 0 || !st.isDone() || !a.wish.mentionsAny("cheapest", "lowest price", "least expensive", "lowest cost") || a.wish.mentionsAny(condition...) {
		return nil
	}
	seats, cabin := len(st.args.Passengers), st.args.Cabin
	kept := []leg{}
	if r := st.before.reservation; r != nil {
		seats, kept = len(r.Passengers), r.Flights
	}
	s := a.db.NewSession(a.dialect)
	for from := 0; from < len(st.args.Flights); {
		to, start, end, err := findTrip(s, st.args.Flights, from)
		if err != nil || start == "" {
			return err
		}
		part := st.args.Flights[from:to]
		paid := 0.0
		if !slices.ContainsFunc(part, func(f leg) bool {
			return slices.ContainsFunc(kept, func(k leg) bool { return k.Number == f.Number && k.Date == f.Date })
		}) {
			all, err := a.findConnections(start, end, part[0].Date, cabin, seats)
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
				a.addFlag("not-as-instructed", i, .6, fmt.Sprintf("the user wants the cheapest flights. From %s to %s on %s the reference costs %v per person, but the available option %s costs %v", start, end, part[0].Date, paid, strings.Join(names, " and "), best.price))
			}
		}
		from = to
	}
	return nil
}

// findTrip finds the trip that begins at the index from in a list of flights. A trip is
// one flight, or two flights that connect and do not lead back to the start. to is the
// index after the trip. start and end are the first and the last airport of the trip, or
// "" if a flight is not known.
func findTrip(s *env.Session, flights []leg, from int) (to int, start, end string, err error) {
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

// userIDs returns the words of the text that have the form of a user's id, such as
// ana_li_1.
func (w wish) userIDs() []string {
	all := strings.FieldsFunc(w.text, func(r rune) bool { return r > 127 || !isWordByte(byte(r)) && r != '_' })
	all = slices.DeleteFunc(all, func(word string) bool { return strings.Count(word, "_") < 2 })
	return slices.Compact(slices.Sorted(slices.Values(all)))
}

// flagEmpty flags a gold that changes nothing although the user wants to cancel a
// reservation or an order. The user must name the reservation or order, and the policy
// must allow the cancellation.
func (a *auditor) flagEmpty() error {
	for i := range a.steps {
		if a.steps[i].writes && a.steps[i].isDone() || a.steps[i].name == handover {
			return nil
		}
	}
	if !a.wish.mentionsAny("cancel") || a.wish.mentionsAny("don't want to cancel", "do not want to cancel", "not to cancel", "don't cancel", "do not cancel", "not want to cancel") {
		return nil
	}
	s := a.db.NewSession(a.dialect)
	if a.db.Domain == env.Retail {
		return a.emptyRetail(s)
	}
	for _, id := range a.wish.userIDs() {
		u, err := findRow[user](s, "users", id)
		if err != nil {
			return err
		}
		if u == nil {
			continue
		}
		for _, id := range u.Reservations {
			r, err := findRow[reservation](s, "reservations", id)
			if err != nil {
				return err
			}
			if r == nil || !containsWord(a.wish.text, strings.ToLower(id)) {
				continue
			}
			if may, why, err := a.isCancellable(r); err != nil {
				return err
			} else if may {
				a.flagMissing("cancel_reservation", map[string]string{"reservation_id": id}, fmt.Sprintf("the reference changes nothing, but the user wants to cancel reservation %s. The policy allows the cancellation: %s", id, why))
			}
		}
	}
	return nil
}

func (a *auditor) emptyRetail(s *env.Session) error {
	for _, word := range slices.Compact(slices.Sorted(slices.Values(a.wish.splitWords()))) {
		id := "#" + strings.ToUpper(word)
		if len(word) < 6 || word[0] != 'w' {
			continue
		}
		o, err := findRow[order](s, "orders", id)
		if err != nil {
			return err
		}
		if o == nil || o.Status != "pending" || !slices.ContainsFunc(a.wish.sentences, func(t string) bool { return containsWord(t, "cancel") && containsWord(t, word) }) {
			continue
		}
		all := cancelReasons()
		for _, reason := range slices.Sorted(maps.Keys(all)) {
			if a.wish.mentionsAny(all[reason]...) {
				a.flagMissing("cancel_pending_order", map[string]string{"order_id": id, "reason": reason}, fmt.Sprintf("the reference changes nothing, but the user wants to cancel the pending order %s", id))
				break
			}
		}
	}
	return nil
}

// isCancellable reports whether the policy allows the cancellation of a reservation. If
// the policy allows it, why is the reason.
func (a *auditor) isCancellable(r *reservation) (may bool, why string, err error) {
	flown, cancelled, err := a.flightStates(r)
	switch {
	case err != nil || flown != "":
		return false, "", err
	case cancelled != "":
		return true, "the airline cancelled " + cancelled, nil
	case r.Cabin == "business":
		return true, "it is business", nil
	case isWithinDay(r.Created):
		return true, "the reservation was booked less than a day ago, on " + r.Created, nil
	case r.Insurance == "yes" && a.hasInsuredReason():
		return true, "the reservation is insured, and the user has a reason of health or weather", nil
	}
	return false, "", nil
}

// flagMissing flags a gold that lacks a call of tool with these arguments. It flags
// nothing if the environment refuses this call. why is the evidence in the flag.
func (a *auditor) flagMissing(tool string, arguments map[string]string, why string) {
	raw, err := json.Marshal(arguments)
	if err != nil {
		return
	}
	fixed := append(a.dropActions(), abi.Action{Name: tool, Arguments: raw})
	if _, refused, err := a.playActions(fixed); err == nil && !refused {
		a.addFlag("empty-gold", -1, .7, why, fixed)
	}
}

// asked holds words for results of a search that are not needed for a booking: prices
// and times.
var asked = []string{"hour", "minute", "time", "duration", "long", "short", "fast", "cost", "fee", "price", "cheap", "expensive", "pay", "budget", "how many", "how much", "total", "nonstop", "non-stop", "direct", "stop",
	"layover", "depart", "arriv", "before", "after", "early", "earl", "late", "possible", "available", "option"}

// flagNeedless flags an action that searches or lists something, if no later action uses
// the result. It flags nothing in three cases:
//
//   - No later action writes.
//   - The task requires outputs.
//   - The user asks for something that the search shows.
func (a *auditor) flagNeedless(i int) error {
	st := &a.steps[i]
	if !strings.HasPrefix(st.name, "search_") && st.name != "list_all_airports" && st.name != "list_all_product_types" || !st.isDone() || len(a.outputs) > 0 || a.wish.mentionsAny(asked...) || strings.Contains(a.wish.text, "$") {
		return nil
	}
	v, err := py.Parse(st.result.Output)
	if err != nil {
		return nil
	}
	later, writes := "", false
	for j := i + 1; j < len(a.steps); j++ {
		later += string(a.actions[j].Arguments)
		writes = writes || a.steps[j].writes && a.steps[j].isDone()
	}
	if !writes || mentionsResult(v, later) {
		return nil
	}
	a.addFlag("needless-read", i, .5, st.name+" has a result that no later action uses", a.dropActions(i))
	return nil
}

// mentionsResult reports whether text contains the id of a flight, an airport or a
// product from v. v is the result of a search. text has the arguments of later actions.
func mentionsResult(v py.Value, text string) bool {
	switch v := v.(type) {
	case *py.List:
		return slices.ContainsFunc(v.Items, func(e py.Value) bool { return mentionsResult(e, text) })
	case *py.Dict:
		for i := range v.Len() {
			key, e := v.At(i)
			if s, ok := e.(string); ok && (key == "flight_number" || len(s) > 5) && strings.Contains(text, `"`+s+`"`) || mentionsResult(e, text) || len(key) == 3 && strings.Contains(text, `"`+key+`"`) {
				return true
			}
		}
	}
	return false
}
