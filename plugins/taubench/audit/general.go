package audit

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/taubench/env"
)

// flagHandoff flags writes that come before the transfer of the user to a person.
func (a *auditor) flagHandoff() error {
	at := slices.IndexFunc(a.steps, func(s step) bool { return s.name == handover })
	if at < 0 {
		return nil
	}
	var writes []int
	for i := range at {
		if a.steps[i].writes {
			writes = append(writes, i)
		}
	}
	if writes != nil {
		a.addFlag("write-before-hand-off", writes[0], .8, fmt.Sprintf("%s is called before the transfer to a person", a.steps[writes[0]].name), a.dropActions(writes...))
	}
	return nil
}

// flagUnread flags a write to a reservation or an order that no earlier action reads or
// writes. It flags nothing if the gold reads no other reservation or order before that
// write.
func (a *auditor) flagUnread(i int) error {
	st := &a.steps[i]
	var read, id string
	switch {
	case !st.writes || !st.isDone():
		return nil
	case st.args.ReservationID != "":
		read, id = "get_reservation_details", st.args.ReservationID
	case st.args.OrderID != "":
		read, id = "get_order_details", st.args.OrderID
	default:
		return nil
	}
	reads := 0
	for j := range a.steps[:i] {
		s := &a.steps[j]
		if s.args.ReservationID+s.args.OrderID == id {
			return nil // it was read, or an earlier write returned it
		}
		if s.name == read {
			reads++
		}
	}
	if reads == 0 {
		return nil
	}
	member := map[bool]string{true: "reservation_id", false: "order_id"}[st.args.ReservationID != ""]
	look := abi.Action{Name: read, Arguments: fmt.Appendf(nil, `{%q:%q}`, member, id)}
	a.addFlag("unread-entity", i, .7, fmt.Sprintf("the reference reads other records, but does not read %s before the change", id), slices.Insert(a.dropActions(), i, look))
	return nil
}

// flagCalculation flags a calculation whose result is not used in a later action or in a
// required output. It also flags the calculation of a single number.
func (a *auditor) flagCalculation(i int) error {
	st := &a.steps[i]
	if st.name != "calculate" || !st.isDone() {
		return nil
	}
	single := !strings.ContainsAny(strings.Trim(st.args.Expression, " ()-+"), "+-*/")
	if !single && a.isNumberUsed(i, st.result.Output) {
		return nil
	}
	why, confidence := "its result, "+st.result.Output+", is not used in a later action and is not a required output", .6
	if single {
		why, confidence = "the calculation contains only a single number", .95
	}
	a.addFlag("stray-calculation", i, confidence, why, a.dropActions(i))
	return nil
}

// isNumberUsed reports whether a number occurs in an action after action i or in a
// required output. Numbers that differ by less than 0.5 count as equal. The result is
// true if the string result is not a number.
func (a *auditor) isNumberUsed(i int, result string) bool {
	n, err := strconv.ParseFloat(result, 64)
	if err != nil {
		return true
	}
	near := func(text string) bool {
		for _, word := range strings.FieldsFunc(strings.ReplaceAll(text, ",", ""), func(r rune) bool { return (r < '0' || r > '9') && r != '.' }) {
			if m, err := strconv.ParseFloat(strings.Trim(word, "."), 64); err == nil && m-abs(n) < .5 && abs(n)-m < .5 {
				return true
			}
		}
		return false
	}
	for _, o := range a.outputs {
		if near(o) || a.isBalanceLeft(i, n, o) {
			return true
		}
	}
	for j := i + 1; j < len(a.actions); j++ {
		if near(string(a.actions[j].Arguments)) {
			return true
		}
	}
	return false
}

// isBalanceLeft reports whether output is a balance of one of the user's payment methods
// minus n. output is a required output of the task.
func (a *auditor) isBalanceLeft(i int, n float64, output string) bool {
	said, err := strconv.ParseFloat(strings.ReplaceAll(output, ",", ""), 64)
	if err != nil {
		return false
	}
	for j := i; j < len(a.steps); j++ {
		if u := a.steps[j].before.user; u != nil {
			for _, m := range u.Methods {
				if d := m.Amount + m.Balance - n - said; abs(d) < .01 {
					return true
				}
			}
		}
	}
	return false
}

func abs(n float64) float64 { return max(n, -n) }

// flagPayment flags a payment method in action i that the task does not determine. It
// flags the method only if the user does not mention paying. The environment must accept
// another payment method that leads to another final state.
func (a *auditor) flagPayment(i int) error {
	st := &a.steps[i]
	member, given := "payment_method_id", st.args.PaymentMethod
	if given == "" {
		member, given = "payment_id", st.args.PaymentID
	}
	if given == "" || st.before.user == nil || !st.writes || !st.isDone() ||
		slices.ContainsFunc(a.wish.splitWords(), func(w string) bool { return w == "cc" || w == "gc" }) ||
		a.wish.mentionsAny("card", "ending in", "paypal", "payment", "pay ", "paying", "paid", "visa", "mastercard", "amex", "original", "certificate", "refund to", "refunded to") {
		return nil
	}
	proposed := [][]abi.Action{a.dropActions()}
	var others []string
	for _, id := range slices.Sorted(maps.Keys(st.before.user.Methods)) {
		if id == given {
			continue
		}
		changed := a.replaceArguments(i, map[string]any{member: id})
		s, refused, err := a.playActions(changed)
		if err != nil {
			return err
		}
		if !refused && len(env.Diff(s, a.end)) > 0 {
			others, proposed = append(others, id), append(proposed, changed)
		}
	}
	if others != nil {
		a.addFlag("free-parameter", i, .8, fmt.Sprintf("the task and the policy do not decide the payment method: %s works as well as %s", strings.Join(others, ", "), given), proposed...)
	}
	return nil
}

// flagInstrument flags a payment method that is not the method that the user names. The
// user can name the last digits of a card, or the gift card with the smallest or largest
// balance.
func (a *auditor) flagInstrument(i int) error {
	st := &a.steps[i]
	member, given := "payment_method_id", st.args.PaymentMethod
	if given == "" {
		member, given = "payment_id", st.args.PaymentID
	}
	if given == "" || st.before.user == nil || !st.isDone() {
		return nil
	}
	want := ""
	smallest := a.wish.mentionsAny("smallest balance", "lowest balance", "least balance", "smaller balance")
	if largest := a.wish.mentionsAny("largest balance", "highest balance", "biggest balance"); smallest != largest && a.wish.mentionsAny("gift card") {
		cards := []string{}
		for id, m := range st.before.user.Methods {
			if m.Source == "gift_card" {
				cards = append(cards, id)
			}
		}
		left := func(id string) float64 { m := st.before.user.Methods[id]; return m.Amount + m.Balance }
		slices.SortFunc(cards, func(x, y string) int {
			if d := left(x) - left(y); d < 0 == smallest && d != 0 {
				return -1
			} else if d != 0 {
				return 1
			}
			return strings.Compare(x, y)
		})
		for _, id := range cards {
			if id == given {
				break
			}
			if _, refused, err := a.playActions(a.replaceArguments(i, map[string]any{member: id})[:i+1]); err != nil {
				return err
			} else if !refused {
				want = id
				break
			}
		}
	}
	if want != "" {
		a.addFlag("not-as-instructed", i, .8, fmt.Sprintf("the user wants the gift card with the %s balance that is enough: card %s, not card %s", map[bool]string{true: "smallest", false: "largest"}[smallest], want, given),
			a.replaceArguments(i, map[string]any{member: want}))
		return nil
	}
	return a.flagNamedPayment(i, member, given)
}

// flagNamedPayment flags a payment method that contradicts the user's words. There are
// two cases:
//
//   - The user mentions only another kind of payment method.
//   - The user gives only the last digits of another card.
//
// Exactly one payment method of the user must fit these words. The flag proposes this
// method. The environment must accept it, and the final state must differ.
func (a *auditor) flagNamedPayment(i int, member, given string) error {
	u := a.steps[i].before.user
	kind := a.wish.paymentKind()
	if kind == "" || a.wish.mentionsAny("original") {
		return nil
	}
	var fitting, digits []string
	for _, id := range slices.Sorted(maps.Keys(u.Methods)) {
		m := u.Methods[id]
		if m.Source == kind {
			fitting = append(fitting, id)
			if m.Last != "" && containsWord(a.wish.text, m.Last) {
				digits = append(digits, id)
			}
		}
	}
	if len(digits) > 0 {
		fitting = digits
	}
	if len(fitting) != 1 || fitting[0] == given || u.Methods[given].Source == "" || u.Methods[given].Source == kind && digits == nil {
		return nil
	}
	changed := a.replaceArguments(i, map[string]any{member: fitting[0]})
	s, refused, err := a.playActions(changed)
	if err != nil || refused || len(env.Diff(s, a.end)) == 0 {
		return err
	}
	a.addFlag("not-as-instructed", i, .7, fmt.Sprintf("the user mentions only payment method %s, but the reference uses %s", fitting[0], given), changed)
	return nil
}

// paymentKind returns the only kind of payment method that the user mentions. The result
// is "" if the user mentions several kinds or none.
func (w wish) paymentKind() (found string) {
	for _, k := range []struct {
		source, short string
		words         []string
	}{
		{"credit_card", "cc", []string{"credit card", "visa", "mastercard", "master card", "amex", "card ending"}},
		{"paypal", "pp", []string{"paypal"}},
		{"gift_card", "gc", []string{"gift card", "giftcard"}},
		{"certificate", "certificate", []string{"certificates"}},
	} {
		if w.mentionsAny(k.words...) || slices.Contains(w.splitWords(), k.short) {
			if found != "" {
				return ""
			}
			found = k.source
		}
	}
	return found
}

// mostOrders is the largest number of writes for which every order is tried. For more,
// only neighbours are exchanged.
const mostOrders = 4

// flagOrder flags writes whose order the task does not determine. Another order of the
// writes is just as right if:
//
//   - the environment carries it out
//   - it breaks the policy no more often than the gold's order
//   - it ends in the same state
func (a *auditor) flagOrder() error {
	var writes []int
	for i := range a.steps {
		if a.steps[i].writes && a.steps[i].isDone() && len(a.steps[i].result.Rows) > 0 {
			writes = append(writes, i)
		}
	}
	if len(writes) < 2 || a.wish.hasOrder() {
		return nil
	}
	own, err := a.countViolations(a.dropActions())
	if err != nil {
		return err
	}
	var same [][]abi.Action
	for _, p := range listPermutations(len(writes)) {
		other := a.dropActions()
		for k, which := range p {
			other[writes[k]] = plainAction(a.actions[writes[which]])
		}
		s, refused, err := a.playActions(other)
		if err != nil {
			return err
		}
		if refused || len(env.Diff(s, a.end)) > 0 {
			continue
		}
		if n, err := a.countViolations(other); err != nil {
			return err
		} else if n <= own {
			same = append(same, other)
		}
	}
	if len(same) == 0 {
		return nil
	}
	a.addFlag("fixed-order", writes[0], .7, fmt.Sprintf("the reference fixes the order of %d writes, but %d other %s to the same state", len(writes), len(same),
		map[bool]string{true: "order leads", false: "orders lead"}[len(same) == 1]), append([][]abi.Action{a.dropActions()}, same...)...)
	return nil
}

// hasOrder reports whether the user asks for one thing first and for another afterwards.
func (w wish) hasOrder() bool {
	return slices.ContainsFunc(w.sentences, func(s string) bool {
		if containsWord(s, "after this", "after that", "afterwards") {
			return true
		}
		i := strings.Index(s, "first")
		return i >= 0 && containsWord(s, "first") && (containsWord(s[i:], "then") || containsWord(s, "cancel first", "first upgrade", "first cancel"))
	})
}

// listPermutations returns the permutations of n things except the identity. If n is
// large, it returns only the permutations that exchange two neighbours.
func listPermutations(n int) (out [][]int) {
	own := make([]int, n)
	for i := range own {
		own[i] = i
	}
	if n > mostOrders {
		for i := range n - 1 {
			p := slices.Clone(own)
			p[i], p[i+1] = p[i+1], p[i]
			out = append(out, p)
		}
		return out
	}
	var grow func(p, rest []int)
	grow = func(p, rest []int) {
		if len(rest) == 0 && !slices.Equal(p, own) {
			out = append(out, slices.Clone(p))
		}
		for i := range rest {
			grow(append(slices.Clone(p), rest[i]), slices.Delete(slices.Clone(rest), i, i+1))
		}
	}
	grow(nil, own)
	return out
}
