package py

import "slices"

// Value is any of the kinds that the package comment lists.
type Value = any

// Long is an integer literal beyond 64 bits, with its digits unchanged. It can be kept,
// compared and printed; arithmetic converts it to float64.
type Long string

// List is a Python list: shared by reference, like Python's.
type List struct{ Items []Value }

// NewList returns a list that uses items without a copy.
func NewList(items ...Value) *List { return &List{Items: items} }

// Append adds values at the end.
func (l *List) Append(v ...Value) { l.Items = append(l.Items, v...) }

// Dict is a Python dict with string keys. It keeps the order of insertion and is shared
// by reference. Lookups are linear, because the benchmark's objects are small.
type Dict struct{ members []member }

type member struct {
	key   string
	value Value
}

// Pairs returns a dict of alternating keys and values.
func Pairs(kv ...Value) *Dict {
	d := &Dict{members: make([]member, 0, len(kv)/2)}
	for i := 0; i < len(kv); i += 2 {
		d.Set(kv[i].(string), kv[i+1])
	}
	return d
}

// Len returns the number of members.
func (d *Dict) Len() int { return len(d.members) }

// At returns the key and the value of the i-th member.
func (d *Dict) At(i int) (string, Value) { return d.members[i].key, d.members[i].value }

// Get returns the value of a member. The bool is false if the dict has no such member.
func (d *Dict) Get(key string) (Value, bool) {
	if i := d.memberIndex(key); i >= 0 {
		return d.members[i].value, true
	}
	return nil, false
}

// Has reports whether the dict has a member with this key.
func (d *Dict) Has(key string) bool { return d.memberIndex(key) >= 0 }

// Set gives the member with this key a new value. A new member is added at the end.
func (d *Dict) Set(key string, v Value) {
	if i := d.memberIndex(key); i >= 0 {
		d.members[i].value = v
		return
	}
	if d.members == nil { // most new objects have about this many members
		d.members = make([]member, 0, 8)
	}
	d.members = append(d.members, member{key, v})
}

// Delete removes a member. The other members keep their order.
func (d *Dict) Delete(key string) {
	if i := d.memberIndex(key); i >= 0 {
		d.members = slices.Delete(d.members, i, i+1)
	}
}

// Update sets every member of other in d, as Python's dict.update does.
func (d *Dict) Update(other *Dict) {
	for i := range other.members {
		d.Set(other.At(i))
	}
}

// Copy returns a shallow copy of d. The copy and d share their values.
func (d *Dict) Copy() *Dict {
	return &Dict{members: slices.Clone(d.members)}
}

func (d *Dict) memberIndex(key string) int { return findMember(d.members, key) }

func findMember(members []member, key string) int {
	for i := range members {
		if members[i].key == key {
			return i
		}
	}
	return -1
}

// DeepCopy copies lists and dicts recursively.
func DeepCopy(v Value) Value {
	switch v := v.(type) {
	case *List:
		out := &List{Items: make([]Value, len(v.Items))}
		for i, item := range v.Items {
			out.Items[i] = DeepCopy(item)
		}
		return out
	case *Dict:
		out := v.Copy()
		for i := range out.members {
			switch m := &out.members[i]; m.value.(type) {
			case *List, *Dict:
				m.value = DeepCopy(m.value)
			}
		}
		return out
	}
	return v
}

// TypeName returns Python's name for the type of a value.
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
