package respell

import (
	"testing"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// TestRespellKeepsValues checks that only names change, and that a name which the reference has
// twice, or the call already uses, stays.
func TestRespellKeepsValues(t *testing.T) {
	for _, c := range []struct{ reference, call, want string }{
		{`{"order_id":1}`, `{"orderId":2}`, `{"order_id":2}`},
		{`{"color":1}`, `{"Colour":"x"}`, `{"color":"x"}`},
		{`{"order_id":1,"orderId":2}`, `{"OrderID":3}`, `{"OrderID":3}`},
		{`{"order_id":1}`, `{"orderId":2,"order_id":3}`, `{"orderId":2,"order_id":3}`},
		{`{"order_id":1}`, `{"order_ids":[1,2]}`, `{"order_ids":[1,2]}`},
		{`{"id_order":1}`, `{"order_id":2}`, `{"order_id":2}`},
		{`{"source":"a","to":"b"}`, `{"src":"x","recipient":"y"}`, `{"source":"x","to":"y"}`},
		{`{"source":"a","to":"b"}`, `{"from":"x","origin":"y"}`, `{"source":"x","origin":"y"}`},
		{`{"origin":"a","pay":[{"id":1}]}`, `{"origin":"a","pay":[{"source":"x","id":1}]}`, `{"origin":"a","pay":[{"source":"x","id":1}]}`}, // another thing's source
		{`{"pay":[{"from":"a"}]}`, `{"pay":[{"source":"x"}]}`, `{"pay":[{"from":"x"}]}`},
		{`{"env":{"DB_HOST":"x"}}`, `{"env":{"db-host":"x"}}`, `{"env":{"db-host":"x"}}`}, // data, and no parameters
		{`{"env":{"PATH":"x"}}`, `{"env":{"path":"x"}}`, `{"env":{"path":"x"}}`},
		{`{"metadata":{"a":{"B":1}}}`, `{"metadata":{"a":{"b":1}}}`, `{"metadata":{"a":{"b":1}}}`},
		{`{"job_variables":{"userName":"x"}}`, `{"jobVariables":{"user_name":"x"}}`, `{"job_variables":{"user_name":"x"}}`},
		{`{"options":{"userName":"x"}}`, `{"options":{"user_name":"x"}}`, `{"options":{"userName":"x"}}`},
		{`{"items":[{"item_id":1}]}`, `{"items":[{"itemId":"a\"b"},{"item_id":2}]}`, `{"items":[{"item_id":"a\"b"},{"item_id":2}]}`},
	} {
		k := (&Run{}).newArgumentKeys("update_thing")
		reference, _ := jsonval.Parse(c.reference)
		call, _ := jsonval.Parse(c.call)
		k.add(reference, "")
		if got, differs := k.respell(call, ""); got != c.want || differs != (c.want != c.call) {
			t.Errorf("%s for %s: %s, %v, want %s", c.call, c.reference, got, differs, c.want)
		}
	}
}
