package env

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

const shopPolicy = `You work at the desk of an online shop.

- Before you change anything, find the customer by the email that they give, and look at the order that is to change.
- Change only orders of that customer.
- Only pending orders can be cancelled, or get another address or quantity. Only delivered items can be returned.
- Return all items of one order in a single call. Cancel orders one by one, after a look at each.
- Where the customer asks for it, verify the order after the last change.
- After a return or a cancellation send one receipt for that order, and after nothing else.
- The customer's request is their consent. Do what was asked, no more and no less, and then tell the customer what was done.`

func shopTools() []tool {
	read := func(name, what string, run func(state, arguments) (string, error), params ...string) tool {
		return tool{Tool{name, what, paramSchema(params...), false}, run}
	}
	write := func(name, what string, run func(state, arguments) (string, error), params ...string) tool {
		return tool{Tool{name, what, paramSchema(params...), true}, run}
	}
	return []tool{
		read("find_customer", "Find a customer by email.", findCustomer, "email"),
		read("list_orders", "List the ids and statuses of a customer's orders.", listOrders, "customer_id"),
		read("get_order", "Get an order with its items.", getOrder, "order_id"),
		read("verify_order", "Verify what an order's status is now.", verifyOrder, "order_id"),
		write("cancel_order", "Cancel one pending order.", cancelOrder, "order_id"),
		write("cancel_orders", "Cancel several pending orders at once, without a look at each.", cancelOrders, "order_ids*"),
		write("change_address", "Set the address of a pending order.", changeAddress, "order_id", "address"),
		write("set_quantity", "Set how many of an item a pending order has.", setQuantity, "order_id", "item_id", "quantity#"),
		write("return_items", "Return items of one delivered order.", returnItems, "order_id", "item_ids*"),
		write("return_item", "Return a single item of a delivered order.", returnItem, "order_id", "item_id"),
		write("send_receipt", "Send the customer a receipt for an order.", sendReceipt, "order_id"),
	}
}

func findRow(s state, table, what, id string) (map[string]any, error) {
	if r, ok := s[table][id]; ok {
		return r, nil
	}
	return nil, fmt.Errorf("unknown %s %q", what, id)
}

func encodeValue(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // strings, numbers and lists only
	}
	return string(text)
}

func findCustomer(s state, a arguments) (string, error) {
	for id, c := range s["customers"] { // emails are unique
		if strings.EqualFold(c["email"].(string), a.textArg("email")) {
			return id, nil
		}
	}
	return "", errors.New("no customer has this email")
}

func orderIDs(s state, customer string) (ids []string) {
	for id, o := range s["orders"] {
		if o["customer_id"] == customer {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

func listOrders(s state, a arguments) (string, error) {
	if _, err := findRow(s, "customers", "customer", a.textArg("customer_id")); err != nil {
		return "", err
	}
	lines := []string{}
	for _, id := range orderIDs(s, a.textArg("customer_id")) {
		lines = append(lines, id+": "+s["orders"][id]["status"].(string))
	}
	return encodeValue(lines), nil
}

func getOrder(s state, a arguments) (string, error) {
	o, err := findRow(s, "orders", "order", a.textArg("order_id"))
	if err != nil {
		return "", err
	}
	return encodeValue(o), nil
}

// inStatus returns the order with the given id. It returns an error if the order does not
// exist or has another status.
func inStatus(s state, id, status string) (map[string]any, error) {
	o, err := findRow(s, "orders", "order", id)
	if err == nil && o["status"] != status {
		err = fmt.Errorf("order %s is %s, not %s", id, o["status"], status)
	}
	return o, err
}

func cancelOrder(s state, a arguments) (string, error) {
	o, err := inStatus(s, a.textArg("order_id"), "pending")
	if err != nil {
		return "", err
	}
	o["status"] = "cancelled"
	return encodeValue(o), nil
}

func cancelOrders(s state, a arguments) (string, error) {
	ids := a.textsArg("order_ids")
	for _, id := range ids {
		if _, err := inStatus(s, id, "pending"); err != nil {
			return "", err
		}
	}
	for _, id := range ids {
		s["orders"][id]["status"] = "cancelled"
	}
	return encodeValue(ids), nil
}

func verifyOrder(s state, a arguments) (string, error) {
	o, err := findRow(s, "orders", "order", a.textArg("order_id"))
	if err != nil {
		return "", err
	}
	return o["status"].(string), nil
}

func changeAddress(s state, a arguments) (string, error) {
	o, err := inStatus(s, a.textArg("order_id"), "pending")
	if err != nil {
		return "", err
	}
	o["address"] = a.textArg("address")
	return encodeValue(o), nil
}

func setQuantity(s state, a arguments) (string, error) {
	o, err := inStatus(s, a.textArg("order_id"), "pending")
	if err != nil {
		return "", err
	}
	items := o["items"].(map[string]any)
	if n := a.numberArg("quantity"); n < 1 || n > 99 || n != float64(int(n)) {
		return "", errors.New("invalid quantity: want a whole number from 1 to 99")
	}
	if _, ok := items[a.textArg("item_id")]; !ok {
		return "", fmt.Errorf("unknown item %q in this order", a.textArg("item_id"))
	}
	items[a.textArg("item_id")] = a.numberArg("quantity")
	return encodeValue(o), nil
}

func takeBack(s state, order string, ids []string) (string, error) {
	o, err := inStatus(s, order, "delivered")
	if err != nil {
		return "", err
	}
	items := o["items"].(map[string]any)
	returned, _ := o["returned"].([]any)
	for i, id := range ids {
		if _, ok := items[id]; !ok || slices.Contains(ids[:i], id) || slices.Contains(returned, any(id)) {
			return "", fmt.Errorf("this order does not contain item %q, or the item was returned", id)
		}
	}
	for _, id := range ids {
		returned = append(returned, id)
	}
	slices.SortFunc(returned, func(x, y any) int { return strings.Compare(x.(string), y.(string)) })
	o["returned"] = returned
	return encodeValue(o), nil
}

func returnItems(s state, a arguments) (string, error) {
	return takeBack(s, a.textArg("order_id"), a.textsArg("item_ids"))
}

func returnItem(s state, a arguments) (string, error) {
	return takeBack(s, a.textArg("order_id"), []string{a.textArg("item_id")})
}

func sendReceipt(s state, a arguments) (string, error) {
	o, err := findRow(s, "orders", "order", a.textArg("order_id"))
	if err != nil {
		return "", err
	}
	n, _ := o["receipts"].(float64)
	o["receipts"] = n + 1
	return "sent", nil
}
