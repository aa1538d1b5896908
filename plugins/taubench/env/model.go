package env

import (
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/plugins/taubench/py"
)

// τ² stores its rows as typed records: members in the record's order, missing optional
// members as null, decimals as floats. A shape converts a row to the same form.
//
// A shape is written as its members in order, each as NAME or NAME:KIND. A missing member
// with "?" after its name becomes null. A missing member with "!" after its name stays
// missing. The kinds int and float cast a number. The kind [S] is a list and {S} a dict
// of the shape S; S alone is a record.
type shape []modelMember

type modelMember struct {
	name, kind string
	optional   bool
}

// recordShapes returns the shapes of a domain's records, by name. The shape of a table's
// rows has the name of the table.
func recordShapes(domain Domain) map[string]string {
	if domain == Airline {
		return map[string]string{
			"users":        "user_id name:name address:address email dob payment_methods:{method} saved_passengers:[passenger] membership reservations",
			"name":         "first_name last_name",
			"address":      "address1 address2? city country state zip",
			"method":       "source id brand! last_four! amount!:float",
			"passenger":    "first_name last_name dob",
			"reservations": "reservation_id user_id origin destination flight_type cabin flights:[flight] passengers:[passenger] payment_history:[payment] created_at total_baggages:int nonfree_baggages:int insurance status?",
			"flight":       "flight_number origin destination date price:int",
			"payment":      "payment_id amount:int",
		}
	}
	return map[string]string{
		"users":       "user_id name:name address:address email payment_methods:{method} orders",
		"name":        "first_name last_name",
		"address":     "address1 address2 city country state zip",
		"method":      "source id brand! last_four! balance!:float",
		"products":    "name product_id variants:{variant}",
		"variant":     "item_id options available price:float",
		"orders":      "order_id user_id address:address items:[item] status fulfillments:[fulfillment] payment_history:[payment] cancel_reason? exchange_items? exchange_new_items? exchange_payment_method_id? exchange_price_difference?:float return_items? return_payment_method_id?",
		"item":        "name product_id item_id price:float options",
		"fulfillment": "tracking_id item_ids",
		"payment":     "transaction_type amount:float payment_method_id",
	}
}

// models holds a domain's parsed shapes.
type models map[string]shape

func modelsOf(domain Domain) models {
	out := models{}
	for name, text := range recordShapes(domain) {
		var s shape
		for f := range strings.FieldsSeq(text) {
			m := modelMember{}
			m.name, m.kind, _ = strings.Cut(f, ":")
			if n, ok := strings.CutSuffix(m.name, "?"); ok {
				m.name, m.optional = n, true
			}
			s = append(s, m)
		}
		out[name] = s
	}
	return out
}

// castRecord returns a row, cast to the shape with this name. The result is nil if row is
// nil. The members are treated as follows:
//
//   - A member that the shape does not have is dropped.
//   - A missing member that the shape marks with "?" becomes null.
//   - A missing member that the shape marks with "!" stays missing.
//   - Any other missing member raises an exception.
func (m models) castRecord(name string, row *py.Dict) *py.Dict {
	if row == nil {
		return nil
	}
	out := &py.Dict{}
	for _, f := range m[name] {
		key, may := strings.CutSuffix(f.name, "!")
		v, ok := row.Get(key)
		switch {
		case ok:
			out.Set(key, m.castValue(f.kind, v))
		case f.optional:
			out.Set(key, nil)
		case !may:
			py.Raise("missing member %s of a %s", key, name)
		}
	}
	return out
}

func (m models) castValue(kind string, v py.Value) py.Value {
	switch {
	case kind == "" || v == nil:
		return v
	case kind == "float" || kind == "int":
		return castNumber(kind, v)
	case kind[0] == '[':
		l, ok := v.(*py.List)
		if !ok {
			return v
		}
		out := py.NewList()
		for _, item := range l.Items {
			out.Append(m.castValue(kind[1:len(kind)-1], item))
		}
		return out
	}
	d, ok := v.(*py.Dict)
	if !ok {
		return v
	}
	if kind[0] != '{' {
		return m.castRecord(kind, d)
	}
	out := &py.Dict{}
	for i := range d.Len() {
		key, item := d.At(i)
		out.Set(key, m.castValue(kind[1:len(kind)-1], item))
	}
	return out
}

// castNumber casts a value to an int or a float, as pydantic does in lax mode. A string
// of digits is accepted. A float with a fraction is not accepted as an int.
func castNumber(kind string, v py.Value) py.Value {
	if s, ok := v.(string); ok {
		if n, err := strconv.ParseInt(strings.TrimSpace(s), 10, 64); err == nil {
			v = n
		} else if f, err := strconv.ParseFloat(strings.TrimSpace(s), 64); err == nil {
			v = f
		}
	}
	switch n := v.(type) {
	case int64:
		if kind == "float" {
			return float64(n)
		}
		return n
	case float64:
		if kind == "float" {
			return n
		}
		if i := int64(n); float64(i) == n {
			return i
		}
		py.Raise("Input should be a valid integer, got a number with a fractional part")
	case bool:
		return castNumber(kind, py.Add(n, int64(0)))
	}
	py.Raise("Input should be a valid %s", map[string]string{"int": "integer", "float": "number"}[kind])
	return nil
}

// recordsArg returns the list argument param. Each item is cast to a record with the
// required members. An item that is not a dict, or that lacks a required member, raises
// an exception.
func (c *call) recordsArg(param, class string, required ...string) *py.List {
	items := py.Items(c.argValue(param))
	out := py.NewList()
	for _, item := range items {
		d, ok := item.(*py.Dict)
		if !ok {
			py.Raise("'%s' object has no attribute '%s'", py.TypeName(item), required[0])
		}
		out.Append(c.validateRecord(d, class, required))
	}
	return out
}

// validateRecord returns a record with the required members of d. If members are missing,
// it raises an exception with a shorter form of pydantic's message.
func (c *call) validateRecord(d *py.Dict, class string, required []string) *py.Dict {
	var missing []string
	out := &py.Dict{}
	for _, name := range required {
		v, ok := d.Get(name)
		if !ok {
			missing = append(missing, "\n"+name+"\n  Field required")
		}
		if name == "amount" && ok {
			v = castNumber("int", v)
		}
		out.Set(name, v)
	}
	if n := len(missing); n > 0 {
		py.Raise("%d validation error%s for %s%s", n, map[bool]string{true: "s"}[n > 1], class, strings.Join(missing, ""))
	}
	return out
}
