package env

import "github.com/boundcheck/boundcheck/plugins/taubench/py"

// words2 holds the differences between exchanging and modifying items: τ² words their
// errors differently, and only a modification refuses to replace an item by itself.
type words2 struct {
	lacking, number string
	refuseSame      bool
}

// price2 checks that items can be exchanged one for one. diff is the difference in price,
// and last is the new variant of the last item.
func price2(c *call, o *py.Dict, w words2) (diff py.Value, last *py.Dict) {
	old, fresh := py.Items(c.argValue("item_ids")), py.Items(c.argValue("new_item_ids"))
	if id, missing := findLacking(o, old); missing {
		py.Raise(w.lacking, py.Str(id))
	}
	if len(old) != len(fresh) {
		py.Raise("%s", w.number)
	}
	diff = int64(0)
	for i, id := range old {
		if w.refuseSame && py.Equal(id, fresh[i]) {
			py.Raise("The new item id should be different from the old item id")
		}
		item := item2(o, id)
		if last = variant2(c, item, fresh[i]); !is2(py.Index(last, "available")) {
			py.Raise("New item %s not found or available", py.Str(fresh[i]))
		}
		diff = py.Add(diff, py.Sub(py.Index(last, "price"), py.Index(item, "price")))
	}
	return diff, last
}

func item2(o *py.Dict, id py.Value) *py.Dict {
	for _, item := range py.Items(py.Index(o, "items")) {
		if py.Equal(py.Index(item, "item_id"), id) {
			return item.(*py.Dict)
		}
	}
	py.Raise("Item %s not found", py.Str(id))
	return nil
}

func variant2(c *call, item *py.Dict, id py.Value) *py.Dict {
	key, _ := py.Key(py.Index(item, "product_id"))
	product := c.s.findRow("products", key)
	if product == nil {
		py.Raise("Product not found")
	}
	variants := dictMember(product, "variants")
	if v, ok := py.Key(id); ok && variants.Has(v) {
		return dictMember(variants, v)
	}
	py.Raise("Variant not found")
	return nil
}

func exchangeItems2(c *call) py.Value {
	o := c.order2()
	status2(o, "delivered", "Non-delivered order cannot be exchanged")
	diff, _ := price2(c, o, words2{lacking: "Number of %s not found.", number: "The number of items to be exchanged should match."})
	diff = py.Round(diff)
	if m := c.method2(o, c.argValue("payment_method_id")); giftCard(m) && py.Less(py.Index(m, "balance"), diff) {
		py.Raise("Insufficient gift card balance to pay for the price difference")
	}
	o.Set("status", "exchange requested")
	o.Set("exchange_items", sortedList(c.argValue("item_ids")))
	o.Set("exchange_new_items", sortedList(c.argValue("new_item_ids")))
	o.Set("exchange_payment_method_id", c.argValue("payment_method_id"))
	o.Set("exchange_price_difference", diff)
	return o
}

// modifyItems2 exchanges items of an order. As in the benchmark, every item gets the
// price and the options of the last item's new variant.
func modifyItems2(c *call) py.Value {
	o := c.order2()
	status2(o, "pending", "Non-pending order cannot be modified")
	diff, last := price2(c, o, words2{lacking: "%s not found", number: "The number of items to be exchanged should match", refuseSame: true})
	method := c.method2(o, c.argValue("payment_method_id"))
	if giftCard(method) && py.Less(py.Index(method, "balance"), diff) {
		py.Raise("Insufficient gift card balance to pay for the new item")
	}
	kind := "refund"
	if py.Less(int64(0), diff) {
		kind = "payment"
	}
	listMember(o, "payment_history").Append(paid2(kind, py.Abs(diff), c.argValue("payment_method_id")))
	if giftCard(method) {
		debitGiftCard(method, diff)
	}
	fresh := py.Items(c.argValue("new_item_ids"))
	for i, id := range py.Items(c.argValue("item_ids")) {
		item := item2(o, id)
		item.Set("item_id", fresh[i])
		item.Set("price", py.Index(last, "price"))
		item.Set("options", py.Index(last, "options"))
	}
	o.Set("status", "pending (item modified)")
	return o
}
