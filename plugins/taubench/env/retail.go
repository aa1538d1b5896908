package env

import (
	"cmp"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/plugins/taubench/py"
)

func retailTools() map[string]tool {
	return map[string]tool{
		"calculate":                      {"expression", false, calculateTool("invalid characters in expression")},
		"cancel_pending_order":           {"order_id reason", true, cancelOrder},
		"exchange_delivered_order_items": {itemParams, true, exchangeItems},
		"find_user_id_by_email":          {"email", false, func(c *call) py.Value { return findByEmail(c, "user not found") }},
		"find_user_id_by_name_zip":       {"first_name last_name zip", false, func(c *call) py.Value { return findByNameZip(c, "user not found") }},
		"get_order_details":              {"order_id", false, detailTool("orders", "order_id", "order not found")},
		"get_product_details":            {"product_id", false, detailTool("products", "product_id", "product not found")},
		"get_user_details":               {"user_id", false, detailTool("users", "user_id", "user not found")},
		"list_all_product_types":         {"", false, listProductTypes},
		"modify_pending_order_address":   {"order_id " + addressParams, true, orderAddress},
		"modify_pending_order_items":     {itemParams, true, modifyItems},
		"modify_pending_order_payment":   {"order_id payment_method_id", true, modifyPayment},
		"modify_user_address":            {"user_id " + addressParams, true, userAddress},
		"return_delivered_order_items":   {"order_id item_ids payment_method_id", true, returnItems},
		"think":                          {"thought", false, think},
		"transfer_to_human_agents":       {"summary", false, transferToHuman},
	}
}

const (
	itemParams    = "order_id item_ids new_item_ids payment_method_id"
	addressParams = "address1 address2 city state country zip"
)

// editOrder returns the order that the call names. The caller may change the result. If
// the order does not have the given status, editOrder raises an exception with the text
// refusal.
func (c *call) editOrder(status, refusal string) *py.Dict {
	o := c.s.editRow("orders", c.argKey("order_id"))
	if o == nil {
		py.Raise("order not found")
	}
	if !equalsWord(py.Index(o, "status"), status) {
		py.Raise("%s", refusal)
	}
	return o
}

func cancelOrder(c *call) py.Value {
	o := c.editOrder("pending", "non-pending order cannot be cancelled")
	if r := c.argValue("reason"); !equalsWord(r, "no longer needed") && !equalsWord(r, "ordered by mistake") {
		py.Raise("invalid reason")
	}
	history := listMember(o, "payment_history")
	var refunds []py.Value
	for _, p := range history.Items {
		id, amount := py.Index(p, "payment_method_id"), py.Index(p, "amount")
		refunds = append(refunds, py.Pairs("transaction_type", "refund", "amount", amount, "payment_method_id", id))
		if strings.Contains(py.Str(id), "gift_card") {
			creditGiftCard(dictMember(dictMember(c.editOwner(o), "payment_methods"), py.Str(id)), amount)
		}
	}
	o.Set("status", "cancelled")
	o.Set("cancel_reason", c.argValue("reason"))
	history.Append(refunds...)
	return o
}

// creditGiftCard adds an amount to a gift card, rounded to cents.
func creditGiftCard(card *py.Dict, amount py.Value) {
	card.Set("balance", py.Round(py.Add(py.Index(card, "balance"), amount)))
}

// debitGiftCard subtracts an amount from the balance of a gift card. The new balance is
// rounded to cents.
func debitGiftCard(card *py.Dict, amount py.Value) {
	card.Set("balance", py.Round(py.Sub(py.Index(card, "balance"), amount)))
}

func orderAddress(c *call) py.Value {
	o := c.editOrder("pending", "non-pending order cannot be modified")
	o.Set("address", c.addressArgs())
	return o
}

func userAddress(c *call) py.Value {
	user := c.s.editRow("users", c.argKey("user_id"))
	if user == nil {
		py.Raise("user not found")
	}
	user.Set("address", c.addressArgs())
	return user
}

func (c *call) addressArgs() *py.Dict {
	out := &py.Dict{}
	for p := range strings.FieldsSeq(addressParams) {
		out.Set(p, c.argValue(p))
	}
	return out
}

func listProductTypes(c *call) py.Value {
	type product struct{ name, id string }
	var all []product
	at := map[string]int{}
	for _, key := range c.s.db.tableKeys("products") {
		p := c.s.findRow("products", key)
		name, id := py.Str(py.Index(p, "name")), py.Str(py.Index(p, "product_id"))
		if i, twice := at[name]; twice {
			all[i].id = id
			continue
		}
		at[name] = len(all)
		all = append(all, product{name, id})
	}
	slices.SortFunc(all, func(a, b product) int { return cmp.Compare(a.name, b.name) })
	out := &py.Dict{}
	for _, p := range all {
		out.Set(p.name, p.id)
	}
	return out
}

func returnItems(c *call) py.Value {
	o := c.editOrder("delivered", "non-delivered order cannot be returned")
	id := c.argValue("payment_method_id")
	if paymentMethod(c.editOwner(o), id) == nil {
		py.Raise("payment method not found")
	}
	if !strings.Contains(py.Str(id), "gift_card") && !py.Equal(id, py.Index(firstItem(o, "payment_history"), "payment_method_id")) {
		py.Raise("payment method should be either the original payment method or a gift card")
	}
	if _, missing := findLacking(o, py.Items(c.argValue("item_ids"))); missing {
		py.Raise("some item not found")
	}
	o.Set("status", "return requested")
	o.Set("return_items", sortedList(c.argValue("item_ids")))
	o.Set("return_payment_method_id", id)
	return o
}

// firstItem returns the first item of a list member. It raises IndexError if the list is
// empty.
func firstItem(row *py.Dict, key string) py.Value {
	items := listMember(row, key).Items
	if len(items) == 0 {
		py.Raise("list index out of range")
	}
	return items[0]
}

// findLacking returns the first id in wanted that occurs more often in wanted than in the
// order's items. The bool is false if there is no such id.
func findLacking(order *py.Dict, wanted []py.Value) (py.Value, bool) {
	var held []py.Value
	for _, item := range py.Items(py.Index(order, "items")) {
		held = append(held, py.Index(item, "item_id"))
	}
	for _, id := range wanted {
		if countEqual(wanted, id) > countEqual(held, id) {
			return id, true
		}
	}
	return nil, false
}

func countEqual(list []py.Value, v py.Value) (n int) {
	for _, item := range list {
		if py.Equal(item, v) {
			n++
		}
	}
	return n
}

// sortedList returns the same list as Python's function sorted. It raises an error for
// values that have no order.
func sortedList(v py.Value) *py.List {
	items := slices.Clone(py.Items(v))
	slices.SortStableFunc(items, func(a, b py.Value) int {
		switch {
		case py.Less(a, b):
			return -1
		case py.Less(b, a):
			return 1
		}
		return 0
	})
	return py.NewList(items...)
}
