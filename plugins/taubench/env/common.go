package env

import (
	"strings"

	"github.com/boundcheck/boundcheck/plugins/taubench/py"
)

// These functions are the same in both domains.

func think(*call) py.Value { return "" }

func transferToHuman(*call) py.Value { return "Transfer successful" }

// calculateTool returns the function of a tool that evaluates arithmetic. For any other
// expression, the function raises an exception with the text refusal.
func calculateTool(refusal string) func(*call) py.Value {
	return func(c *call) py.Value {
		const allowed = "0123456789+-*/(). "
		expression, ok := c.argValue("expression").(string)
		if ok && strings.Trim(expression, allowed) != "" {
			py.Raise("%s", refusal)
		}
		if !ok {
			for _, item := range py.Items(c.argValue("expression")) {
				s, ok := item.(string)
				if !ok {
					py.Raise("'in <string>' requires string as left operand, not %s", py.TypeName(item))
				}
				if !strings.Contains(allowed, s) {
					py.Raise("%s", refusal)
				}
			}
		}
		return py.Calculate(expression)
	}
}

// detailTool returns the function of a tool that returns a row of a table. The tool's
// argument with the name param is the key of the row. If there is no such row, the
// function raises an exception with the text missing.
func detailTool(table, param, missing string) func(*call) py.Value {
	return func(c *call) py.Value {
		row := c.s.findRow(table, c.argKey(param))
		if row == nil {
			py.Raise("%s", missing)
		}
		return row
	}
}

// dictMember returns the member of v with this key, as the function Index does. The
// member must be a dict.
func dictMember(v py.Value, key string) *py.Dict {
	d, ok := py.Index(v, key).(*py.Dict)
	if !ok {
		py.Raise("'%s' object is not subscriptable", py.TypeName(py.Index(v, key)))
	}
	return d
}

// listMember returns the member of v with this key, as the function Index does. The
// member must be a list.
func listMember(v py.Value, key string) *py.List {
	l, ok := py.Index(v, key).(*py.List)
	if !ok {
		py.Raise("'%s' object is not a list", py.TypeName(py.Index(v, key)))
	}
	return l
}

// mustRow returns row, or raises KeyError with the given key if row is nil.
func mustRow(row *py.Dict, key py.Value) *py.Dict {
	if row == nil {
		py.Raise("%s", py.Repr(key))
	}
	return row
}

// editOwner returns the user to whom a row belongs. The caller may change the result.
func (c *call) editOwner(row *py.Dict) *py.Dict {
	id := py.Index(row, "user_id")
	key, _ := py.Key(id)
	return mustRow(c.s.editRow("users", key), id)
}

// paymentMethod returns a user's payment method, or nil if there is no such method.
func paymentMethod(user *py.Dict, id py.Value) *py.Dict {
	key, ok := py.Key(id)
	methods := dictMember(user, "payment_methods")
	if !ok || !methods.Has(key) {
		return nil
	}
	return dictMember(methods, key)
}

func equalsWord(v py.Value, word string) bool { return py.Equal(v, word) }

// sumMember returns the sum of the members with this key over all items. The result is 0
// if there are no items.
func sumMember(items []py.Value, key string) py.Value {
	var total py.Value = int64(0)
	for _, item := range items {
		total = py.Add(total, py.Index(item, key))
	}
	return total
}
