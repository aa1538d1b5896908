package taubench

import (
	"slices"

	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/taubench/env"
	"github.com/boundcheck/boundcheck/plugins/taubench/py"
)

// byEffects compares the calls of both sides that write, by their arguments and in any
// order. It is used if there is no database. A call whose observation is an error wrote
// nothing.
func (o *replayed) byEffects(world *env.World, r *abi.ReplayRequest) error {
	o.Basis = abi.BasisWrites
	obs, err := listEffects(r.Observed, "observed")
	if err != nil {
		return err
	}
	ref, err := listEffects(r.Reference, "reference")
	if err != nil {
		return err
	}
	for i, a := range r.Observed {
		o.Calls = append(o.Calls, abi.ReplayedCall{Index: i, Changed: isWrite(&a), Error: a.Failed})
	}
	o.StateChanged = len(obs) > 0
	o.StateEqual = o.subtractWrites(obs, ref)
	switch {
	case len(obs)+len(ref) == 0:
	case world == nil:
		o.addNote("no database was given, so the requested writes are compared, not the resulting states")
	default:
		o.addNote("no database was given for this domain, so the requested writes are compared, not the resulting states")
	}
	return nil
}

// effect is one write: the index of the action, the tool, and its arguments in normal
// form.
type effect struct {
	index           int
	name, arguments string
}

// alone holds the actions whose write the other side does not have.
type alone struct{ obs, ref map[int]bool }

func isWrite(a *abi.Action) bool {
	w, _ := env.Writes(a.Name)
	return w && !a.Failed
}

func listEffects(actions []abi.Action, side string) ([]effect, error) {
	var out []effect
	for i, a := range actions {
		if !isWrite(&a) {
			continue
		}
		args, err := parseArguments(&a, side, i)
		if err != nil {
			return nil, err
		}
		text := string(a.Arguments) // a text that is not an object equals only itself
		if args != nil {
			text = py.Canonical(normalizeArguments(args))
		}
		out = append(out, effect{i, a.Name, text})
	}
	return out, nil
}

// normalizeArguments sorts lists whose order does not matter, and writes whole numbers as
// integers. Items and their replacements are sorted as pairs.
func normalizeArguments(args *py.Dict) *py.Dict {
	out := normalizeNumbers(args).(*py.Dict)
	old, ok := listMember(out, "item_ids")
	fresh, pairs := listMember(out, "new_item_ids")
	switch {
	case ok && pairs && len(old.Items) == len(fresh.Items):
		var both []py.Value
		for i := range old.Items {
			both = append(both, py.NewList(old.Items[i], fresh.Items[i]))
		}
		out.Delete("new_item_ids")
		out.Set("item_ids", byText(both))
	case ok && !pairs:
		out.Set("item_ids", byText(old.Items))
	}
	return out
}

func listMember(d *py.Dict, key string) (*py.List, bool) {
	v, _ := d.Get(key)
	l, ok := v.(*py.List)
	return l, ok
}

func byText(items []py.Value) *py.List {
	items = slices.Clone(items)
	slices.SortStableFunc(items, func(a, b py.Value) int {
		switch x, y := py.Canonical(a), py.Canonical(b); {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
	return py.NewList(items...)
}

func normalizeNumbers(v py.Value) py.Value {
	switch v := v.(type) {
	case float64:
		if n := int64(v); float64(n) == v {
			return n
		}
	case *py.List:
		out := py.NewList()
		for _, item := range v.Items {
			out.Append(normalizeNumbers(item))
		}
		return out
	case *py.Dict:
		out := &py.Dict{}
		for i := range v.Len() {
			key, item := v.At(i)
			out.Set(key, normalizeNumbers(item))
		}
		return out
	}
	return v
}

// subtractWrites finds the writes that only one side makes, and adds them to o.alone and
// to Differences. The result is true if there are no such writes.
func (o *replayed) subtractWrites(obs, ref []effect) bool {
	o.alone = alone{obs: map[int]bool{}, ref: map[int]bool{}}
	left := slices.Clone(ref)
	for _, e := range obs {
		same := func(r effect) bool { return r.name == e.name && r.arguments == e.arguments }
		if i := slices.IndexFunc(left, same); i >= 0 {
			left = slices.Delete(left, i, i+1)
			continue
		}
		o.alone.obs[e.index] = true
		o.Differences = append(o.Differences, abi.Difference{Table: "writes", Key: e.name, Field: "arguments", Observed: []byte(e.arguments)})
	}
	for _, e := range left {
		o.alone.ref[e.index] = true
		o.Differences = append(o.Differences, abi.Difference{Table: "writes", Key: e.name, Field: "arguments", Reference: []byte(e.arguments)})
	}
	return len(o.Differences) == 0
}
