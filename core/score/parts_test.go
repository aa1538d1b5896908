package score

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

// splitCall is a call, and calls that may do the same in parts.
type splitCall struct {
	name, part string
	whole      map[string]any
	parts      []map[string]any
	sort       string // objects, sum or fields
}

func drawSplit(r *rand.Rand) (s splitCall) {
	n := 2 + r.IntN(3)
	switch r.IntN(3) {
	case 0:
		s = splitCall{name: "update_prices", part: "update_price", sort: "objects", whole: map[string]any{"shop": "x1"}}
		var list []any
		for i := range n {
			object := map[string]any{"sku": fmt.Sprint("s", i), "price": 1 + r.IntN(3), "tier": []string{"a", "b"}[r.IntN(2)]}
			list = append(list, object)
			part := map[string]any{"shop": "x1"}
			for k, v := range object {
				part[k] = v
			}
			s.parts = append(s.parts, part)
		}
		s.whole["prices"] = list
	case 1:
		s = splitCall{name: "restock_item", part: "restock_item", sort: "sum", whole: map[string]any{"sku": "s1"}}
		total := 0
		for range n {
			k := 1 + r.IntN(9)
			total += k
			s.parts = append(s.parts, map[string]any{"sku": "s1", "quantity": k})
		}
		s.whole["quantity"] = total
	default:
		s = splitCall{name: "update_contact", part: "update_contact", sort: "fields", whole: map[string]any{"contact_id": "c1"}}
		for i := range n {
			key, value := []string{"email", "phone", "city", "title"}[i], fmt.Sprint("v", r.IntN(9))
			s.whole[key] = value
			s.parts = append(s.parts, map[string]any{"contact_id": "c1", key: value})
		}
	}
	return s
}

// spoilParts changes a split call: a value of a part, a part too few, or values that two parts exchange.
func (s *splitCall) spoilParts(r *rand.Rand) {
	i, k := r.IntN(len(s.parts)), r.IntN(len(s.parts))
	switch r.IntN(4) {
	case 0:
		for key := range s.parts[i] {
			s.parts[i][key] = []any{"s9", 77, "c9"}[r.IntN(3)]
			break
		}
	case 1:
		if len(s.parts) > 2 {
			s.parts = slices.Delete(s.parts, i, i+1)
		}
	case 2:
		for _, key := range []string{"price", "tier", "quantity"} {
			if a, ok := s.parts[i][key]; ok {
				s.parts[i][key], s.parts[k][key] = s.parts[k][key], a
			}
		}
	}
}

// isWhole is the second, simple program: whether the parts have exactly the values of the
// whole.
func (s *splitCall) isWhole() bool {
	have, want := []string{}, []string{}
	switch s.sort {
	case "objects":
		for _, p := range s.parts {
			have = append(have, mustJSON(p))
		}
		for _, o := range s.whole["prices"].([]any) {
			object := map[string]any{"shop": "x1"}
			for k, v := range o.(map[string]any) {
				object[k] = v
			}
			want = append(want, mustJSON(object))
		}
	case "sum":
		total := 0
		for _, p := range s.parts {
			n, ok := p["quantity"].(int)
			if total += n; !ok || p["sku"] != "s1" {
				return false
			}
		}
		return total == s.whole["quantity"]
	default:
		all := map[string]any{}
		for _, p := range s.parts {
			for k, v := range p {
				if was, ok := all[k]; ok && was != v || p["contact_id"] == nil {
					return false
				}
				all[k] = v
			}
		}
		return mustJSON(all) == mustJSON(s.whole)
	}
	slices.Sort(have)
	slices.Sort(want)
	return slices.Equal(have, want)
}

// TestPartsAreTheWhole draws calls and calls that may do the same in parts. They are excused
// exactly if the parts together have the values of the whole, in both directions.
func TestPartsAreTheWhole(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 2))
	same, other := 0, 0
	for range drawn.Cases(600) {
		s := drawSplit(r)
		if r.IntN(2) == 0 {
			s.spoilParts(r)
		}
		r.Shuffle(len(s.parts), func(i, j int) { s.parts[i], s.parts[j] = s.parts[j], s.parts[i] })
		whole := fmt.Sprintf(`[{"name":%q,"arguments":%s}]`, s.name, mustJSON(s.whole))
		var calls []string
		for _, p := range s.parts {
			calls = append(calls, fmt.Sprintf(`{"name":%q,"arguments":%s}`, s.part, mustJSON(p)))
		}
		parts, want := listJSON(calls...), s.isWhole()
		for _, pair := range [...][2]string{{parts, whole}, {whole, parts}} {
			got, _, _ := evaluateRun(t, `{"trace":`+pair[0]+`,"reference":`+pair[1]+`,"profile":"outcome"}`)
			if (got == "") != want {
				t.Fatalf("%s for %s: %q, want the same: %v", pair[0], pair[1], got, want)
			}
		}
		if want {
			same++
		} else {
			other++
		}
	}
	if same < 200 || other < 100 {
		t.Errorf("%d are the whole, %d are not", same, other)
	}
}
