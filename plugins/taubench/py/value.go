package py

// Value is any of the kinds that the package comment lists.
type Value = any

// Long is an integer literal beyond 64 bits, its digits as they stood. It can be
// kept, compared and printed; arithmetic on it goes through float64.
type Long string

// List is a Python list: shared by reference, like Python's.
type List struct{ Items []Value }

// NewList makes a list of items, which it takes over.
func NewList(items ...Value) *List { return &List{Items: items} }

// Append adds at the end.
func (l *List) Append(v ...Value) { l.Items = append(l.Items, v...) }

// Dict is a Python dict with string keys: it keeps the order of insertion, and is
// shared by reference. Lookups are linear: the benchmark's objects are small.
type Dict struct {
	keys []string
	vals []Value
}

// Pairs makes a dict of alternating keys and values.
func Pairs(kv ...Value) *Dict {
	d := &Dict{keys: make([]string, 0, len(kv)/2), vals: make([]Value, 0, len(kv)/2)}
	for i := 0; i < len(kv); i += 2 {
		d.Set(kv[i].(string), kv[i+1])
	}
	return d
}

// Len is the number of members.
func (d *Dict) Len() int { return len(d.keys) }

// At gives the i-th member in order.
func (d *Dict) At(i int) (string, Value) { return d.keys[i], d.vals[i] }

// Get finds a member.
func (d *Dict) Get(key string) (Value, bool) {
	if i := d.index(key); i >= 0 {
		return d.vals[i], true
	}
	return nil, false
}

// Has tells whether there is such a member.
func (d *Dict) Has(key string) bool { return d.index(key) >= 0 }

// Set changes a member in its place, or adds it at the end.
func (d *Dict) Set(key string, v Value) {
	if i := d.index(key); i >= 0 {
		d.vals[i] = v
		return
	}
	if d.keys == nil { // most rows have about this many members
		d.keys, d.vals = make([]string, 0, 8), make([]Value, 0, 8)
	}
	d.keys, d.vals = append(d.keys, key), append(d.vals, v)
}

// Delete takes a member out; the others keep their order.
func (d *Dict) Delete(key string) {
	if i := d.index(key); i >= 0 {
		d.keys = append(d.keys[:i], d.keys[i+1:]...)
		d.vals = append(d.vals[:i], d.vals[i+1:]...)
	}
}

// Update sets every member of other, as dict.update does.
func (d *Dict) Update(other *Dict) {
	for i, k := range other.keys {
		d.Set(k, other.vals[i])
	}
}

// Copy is a shallow copy: members are shared.
func (d *Dict) Copy() *Dict {
	return &Dict{keys: append([]string(nil), d.keys...), vals: append([]Value(nil), d.vals...)}
}

func (d *Dict) index(key string) int {
	for i, k := range d.keys {
		if k == key {
			return i
		}
	}
	return -1
}

// DeepCopy copies lists and dicts all the way down.
func DeepCopy(v Value) Value {
	switch v := v.(type) {
	case *List:
		out := &List{Items: make([]Value, len(v.Items))}
		for i, item := range v.Items {
			out.Items[i] = DeepCopy(item)
		}
		return out
	case *Dict:
		out := &Dict{keys: append([]string(nil), v.keys...), vals: make([]Value, len(v.vals))}
		for i, item := range v.vals {
			out.vals[i] = DeepCopy(item)
		}
		return out
	}
	return v
}

// TypeName is Python's name for the kind of a value.
func TypeName(v Value) string {
	switch v.(type) {
	case nil:
		return "NoneType"
	case bool:
		return "bool"
	case int64, Long:
		return "int"
	case float64:
		return "float"
	case string:
		return "str"
	case *List:
		return "list"
	}
	return "dict"
}
