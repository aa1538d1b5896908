package env

import (
	"strconv"

	"github.com/boundcheck/boundcheck/plugins/taubench/py"
)

// differ finds the fields in which two rows differ.
type differ struct {
	at  rowKey
	out *[]Difference
}

func (d differ) rows(obs, ref *py.Dict) {
	field := ""
	if d.at.sub != "" {
		field = "dates." + d.at.sub
	}
	switch {
	case obs == nil:
		d.add(field, nil, text(ref))
	case ref == nil:
		d.add(field, text(obs), nil)
	default:
		d.dicts(field, obs, ref)
	}
}

func (d differ) add(field string, obs, ref *string) {
	*d.out = append(*d.out, Difference{Table: d.at.table, Key: d.at.key, Field: field, Observed: obs, Reference: ref})
}

func text(v py.Value) *string {
	s := py.Dumps(v)
	return &s
}

func (d differ) values(field string, obs, ref py.Value) {
	switch o := obs.(type) {
	case *py.Dict:
		if r, ok := ref.(*py.Dict); ok {
			d.dicts(field, o, r)
			return
		}
	case *py.List:
		if r, ok := ref.(*py.List); ok && len(r.Items) > 0 && len(o.Items) > 0 {
			d.lists(field, o.Items, r.Items)
			return
		}
	}
	if py.Canonical(obs) == py.Canonical(ref) {
		return
	}
	d.add(field, text(obs), text(ref))
}

// dicts walks the observed members in order, then those that only the reference has.
func (d differ) dicts(field string, obs, ref *py.Dict) {
	for i := range obs.Len() {
		key, v := obs.At(i)
		if w, ok := ref.Get(key); ok {
			d.values(join(field, key), v, w)
		} else {
			d.add(join(field, key), text(v), nil)
		}
	}
	for i := range ref.Len() {
		if key, v := ref.At(i); !obs.Has(key) {
			d.add(join(field, key), nil, text(v))
		}
	}
}

func (d differ) lists(field string, obs, ref []py.Value) {
	for i := range max(len(obs), len(ref)) {
		at := field + "[" + strconv.Itoa(i) + "]"
		switch {
		case i >= len(ref):
			d.add(at, text(obs[i]), nil)
		case i >= len(obs):
			d.add(at, nil, text(ref[i]))
		default:
			d.values(at, obs[i], ref[i])
		}
	}
}

func join(field, key string) string {
	if field == "" {
		return key
	}
	return field + "." + key
}
