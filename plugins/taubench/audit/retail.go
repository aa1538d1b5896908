package audit

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/plugins/abi"
)

// flagRefused flags an action that the environment refuses, and a write that changes
// nothing.
func (a *auditor) flagRefused(i int) error {
	st := &a.steps[i]
	switch {
	case st.name == handover:
	case st.result.Error && !st.result.Known:
		a.addFlag("refused", i, 1, st.name+" is not a tool of the environment: "+st.refusalText(), a.dropActions(i))
	case st.result.Error && containsWord(strings.ToLower(st.refusalText()), "add up"):
		a.addFlag("wrong-total", i, 1, "the environment refuses the action: "+st.refusalText())
	case st.result.Error && a.hasFlag("unavailable-item", i):
	case st.result.Error:
		proposed, confidence := a.proposeInstead(i)
		a.addFlag("refused", i, confidence, "the environment refuses the action: "+st.refusalText(), proposed...)
	case st.writes && len(st.result.Rows) == 0:
		a.addFlag("no-effect", i, .9, st.name+" changes nothing", a.dropActions(i))
	}
	return nil
}

// proposeInstead proposes changes to a gold with a refused action. confidence says how
// certain it is that this action is a fault. The change depends on the action:
//
//   - If the action looks up a product by the id of an item, it becomes a call of get_item_details.
//   - If the action chooses new items, nothing is proposed, because the method sameItem does that.
//   - Any other action is removed.
//
// The confidence is low if the action only reads and all its arguments are words of the
// user.
func (a *auditor) proposeInstead(i int) (proposed [][]abi.Action, confidence float64) {
	st := &a.steps[i]
	if id := st.args.ProductID; id != "" {
		out := a.dropActions()
		out[i] = abi.Action{Name: "get_item_details", Arguments: fmt.Appendf(nil, `{"item_id":%q}`, id)}
		s := a.db.NewSession(a.dialect)
		if r, err := callTool(s, &out[i]); err == nil && !r.Error {
			return [][]abi.Action{out}, 1
		}
	}
	if st.writes && len(st.args.NewItemIDs) > 0 {
		return nil, 1 // sameItem proposes the exchange
	}
	if !st.writes && a.mentionsArguments(a.actions[i].Arguments) {
		return [][]abi.Action{a.dropActions(i)}, .3
	}
	return [][]abi.Action{a.dropActions(i)}, 1
}

// mentionsArguments reports whether all values of a call's arguments occur in the user's
// text.
func (a *auditor) mentionsArguments(arguments json.RawMessage) bool {
	var members map[string]any
	if decodeJSON(arguments, &members) != nil {
		return false
	}
	for _, v := range members {
		if !strings.Contains(a.wish.text, strings.ToLower(strings.TrimPrefix(fmt.Sprint(v), "#"))) {
			return false
		}
	}
	return len(members) > 0
}

// flagModified flags a write to an order whose items were already changed. The policy
// allows one such change, and no write after it.
func (a *auditor) flagModified(i int) error {
	st := &a.steps[i]
	if st.before.order == nil || !st.writes || !st.isDone() || st.before.order.Status != "pending (item modified)" {
		return nil
	}
	a.addFlag("write-after-modification", i, .8, fmt.Sprintf("the items of order %s were already changed, and the policy then allows no other change", st.before.order.ID))
	return nil
}

// sameItem flags an exchange of an item for itself or for an unavailable item. It
// proposes the available items that are most similar.
func (a *auditor) sameItem(i int) error {
	st := &a.steps[i]
	o := st.before.order
	if o == nil || len(st.args.ItemIDs) != len(st.args.NewItemIDs) {
		return nil
	}
	for j, id := range st.args.ItemIDs {
		p, err := a.findProduct(o, id)
		if err != nil {
			return err
		}
		fresh := st.args.NewItemIDs[j]
		if p == nil {
			continue
		}
		v, there := p.Variants[fresh]
		switch {
		case fresh == id:
			a.addFlag("same-item", i, .95, fmt.Sprintf("item %s is exchanged for itself; the policy asks for another option", id), a.nearestVariants(i, j, p)...)
		case !there || !v.Available:
			a.addFlag("unavailable-item", i, 1, fmt.Sprintf("item %s is unavailable", fresh), a.nearestVariants(i, j, p)...)
		}
	}
	return nil
}

func (a *auditor) findProduct(o *order, itemID string) (*product, error) {
	at := slices.IndexFunc(o.Items, func(it item) bool { return it.ID == itemID })
	if at < 0 {
		return nil, nil
	}
	return findRow[product](a.db.NewSession(a.dialect), "products", o.Items[at].ProductID)
}

// nearestVariants returns at most three changed golds. In each of them, action i chooses
// another available variant for its item j. This variant shares the most options with the
// old item.
func (a *auditor) nearestVariants(i, j int, p *product) (out [][]abi.Action) {
	st := &a.steps[i]
	was := p.Variants[st.args.ItemIDs[j]]
	shared := func(v variant) (n int) {
		for k, o := range v.Options {
			if was.Options[k] == o {
				n++
			}
		}
		return n
	}
	best := -1
	var found []string
	for _, id := range slices.Sorted(maps.Keys(p.Variants)) {
		v := p.Variants[id]
		switch n := shared(v); {
		case !v.Available || id == was.ID || id == st.args.ItemIDs[j] || n < best:
		case n > best:
			best, found = n, []string{id}
		default:
			found = append(found, id)
		}
	}
	for _, id := range found[:min(len(found), 3)] {
		ids := slices.Clone(st.args.NewItemIDs)
		ids[j] = id
		out = append(out, a.replaceArguments(i, map[string]any{"new_item_ids": ids}))
	}
	return out
}

// flagCheapest flags a choice that contradicts the user's wish for the cheapest or the
// most expensive variant. One sentence of the user must have both this wish and the name
// of the product. A better variant must be available and have all options that the user
// mentions.
func (a *auditor) flagCheapest(i int) error {
	st := &a.steps[i]
	o := st.before.order
	if o == nil || !st.isDone() || len(st.args.ItemIDs) != len(st.args.NewItemIDs) {
		return nil
	}
	for j, id := range st.args.ItemIDs {
		p, err := a.findProduct(o, id)
		if err != nil {
			return err
		}
		if p == nil {
			continue
		}
		word, sign := a.findSuperlative(p.Name)
		got, there := p.Variants[st.args.NewItemIDs[j]]
		if word == "" || !there {
			continue
		}
		for _, better := range slices.Sorted(maps.Keys(p.Variants)) {
			v := p.Variants[better]
			if v.Available && sign*v.Price < sign*got.Price && better != id && a.sharesOptions(v, got) {
				ids := slices.Clone(st.args.NewItemIDs)
				ids[j] = better
				a.addFlag("not-as-instructed", i, .7, fmt.Sprintf("the user wants the %s item: item %s costs %.2f, but the available item %s costs %.2f", word, got.ID, got.Price, better, v.Price),
					a.replaceArguments(i, map[string]any{"new_item_ids": ids}))
				break
			}
		}
	}
	return nil
}

// findSuperlative reports whether the user wants the cheapest or the most expensive
// variant of a product. name is the name of the product. word is "cheapest" or "most
// expensive", or "" if no sentence says this. sign is 1 for the cheapest and -1 for the
// most expensive.
func (a *auditor) findSuperlative(name string) (word string, sign float64) {
	words := strings.Fields(strings.ToLower(name))
	if len(words) == 0 {
		return "", 0
	}
	noun := strings.TrimSuffix(words[len(words)-1], "s")
	for _, s := range a.wish.sentences {
		if !containsWord(s, noun) {
			continue
		}
		switch {
		case containsWord(s, "cheapest"):
			return "cheapest", 1
		case containsWord(s, "most expensive"):
			return "most expensive", -1
		}
	}
	return "", 0
}

// sharesOptions reports whether v and got are equal in every option that the user
// mentions. The user may mention an option by its name or by its value in got.
func (a *auditor) sharesOptions(v, got variant) bool {
	for k, o := range got.Options {
		if (a.wish.mentionsAny(strings.ToLower(k)) || a.wish.mentionsAny(strings.ToLower(o))) && v.Options[k] != o {
			return false
		}
	}
	return true
}

// cancelReasons returns the reasons for which an order can be cancelled. Each reason has
// a list of words by which a user states this reason.
func cancelReasons() map[string][]string {
	return map[string][]string{
		"no longer needed":   {"no longer", "not need", "n't need", "longer want", "don't want", "do not want", "unnecessary", "useless"},
		"ordered by mistake": {"mistake", "accident", "wrongly", "by error", "wrong item"},
	}
}

// flagReason flags the reason with which the gold cancels an order. The environment must
// also accept the other possible reason. There are two cases:
//
//   - The user states neither reason.
//   - The user states only the other reason, and the gold cancels a single order.
func (a *auditor) flagReason(i int) error {
	st := &a.steps[i]
	words := cancelReasons()
	if st.name != "cancel_pending_order" || words[st.args.Reason] == nil || !st.isDone() {
		return nil
	}
	for _, other := range slices.Sorted(maps.Keys(words)) {
		if other == st.args.Reason || a.wish.mentionsAny(words[st.args.Reason]...) {
			continue
		}
		changed := a.replaceArguments(i, map[string]any{"reason": other})
		_, refused, err := a.playActions(changed)
		switch {
		case err != nil:
			return err
		case refused:
		case a.wish.mentionsAny(words[other]...) && a.countCalls(st.name) > 1: // the words may be about another order
		case a.wish.mentionsAny(words[other]...):
			a.addFlag("not-as-instructed", i, .6, fmt.Sprintf("the user's words mean reason %q, but the reference gives reason %q", other, st.args.Reason), changed)
		default:
			a.addFlag("free-parameter", i, .8, fmt.Sprintf("the task and the policy do not decide the reason: %q works as well", other), a.dropActions(), changed)
		}
	}
	return nil
}

// countCalls returns how often the gold calls a tool.
func (a *auditor) countCalls(name string) (n int) {
	for i := range a.steps {
		if a.steps[i].name == name {
			n++
		}
	}
	return n
}
