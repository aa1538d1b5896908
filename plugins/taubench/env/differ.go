package env

import (
	"strconv"

	"github.com/boundcheck/boundcheck/plugins/taubench/py"
)

// differ finds the fields in which two rows differ.
type differ struct {
	at   rowKey
	path []byte // path of the current field, as "a.b[2]"
	out  *[]Difference
}

func (d *differ) rows(obs, ref *py.Dict) {
	if d.at.sub != "" {
		d.path = append(d.path, "dates."+d.at.sub...)
	}
	switch {
	case obs == nil:
		d.add(nil, text(ref))
	case ref == nil:
		d.add(text(obs), nil)
	default:
		d.dicts(obs, ref)
	}
}

func (d *differ) add(obs, ref *string) {
	*d.out = append(*d.out, Difference{Table: d.at.table, Key: d.at.key, Field: string(d.path), Observed: obs, Reference: ref})
}

func text(v py.Value) *string {
	s := py.Dumps(v)
	return &s
}

func (d *differ) values(obs, ref py.Value) {
	switch o := obs.(type) {
	case *py.Dict:
		if r, ok := ref.(*py.Dict); ok {
			d.dicts(o, r)
			return
		}
	case *py.List:
		if r, ok := ref.(*py.List); ok && len(r.Items) > 0 && len(o.Items) > 0 {
			d.lists(o.Items, r.Items)
			return
		}
	case string:
		if r, ok := ref.(string); ok && r == o {
			return
		}
	}
	if py.Canonical(obs) != py.Canonical(ref) {
		d.add(text(obs), text(ref))
	}
}

// dicts compares the observed members in order, then those that only the reference has.
func (d *differ) dicts(obs, ref *py.Dict) {
	end := len(d.path)
	for i := range obs.Len() {
		key, v := obs.At(i)
		d.member(end, key)
		if w, ok := ref.Get(key); ok {
			d.values(v, w)
		} else {
			d.add(text(v), nil)
		}
	}
	for i := range ref.Len() {
		if key, v := ref.At(i); !obs.Has(key) {
			d.member(end, key)
			d.add(nil, text(v))
		}
	}
	d.path = d.path[:end]
}

// member shortens the path to the given length and appends the name of a member.
func (d *differ) member(end int, key string) {
	d.path = d.path[:end]
	if end > 0 {
		d.path = append(d.path, '.')
	}
	d.path = append(d.path, key...)
}

func (d *differ) lists(obs, ref []py.Value) {
	end := len(d.path)
	for i := range max(len(obs), len(ref)) {
		d.path = append(strconv.AppendInt(append(d.path[:end], '['), int64(i), 10), ']')
		switch {
		case i >= len(ref):
			d.add(text(obs[i]), nil)
		case i >= len(obs):
			d.add(nil, text(ref[i]))
		default:
			d.values(obs[i], ref[i])
		}
	}
	d.path = d.path[:end]
}
