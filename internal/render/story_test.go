package render

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

// TestStoryComesFirst checks that the first lines of the table of one run tell what went
// wrong, with whole values, and that there are at most mostStory of them.
func TestStoryComesFirst(t *testing.T) {
	long := strings.Repeat("pay ", 80)
	var extra strings.Builder
	for _, thing := range []string{"cat", "dog", "fish", "bird"} {
		extra.WriteString(`,{"name":"delete_` + thing + `","arguments":{"` + thing + `_id":"A1"}}`)
	}
	var arguments, wanted []string
	for _, name := range strings.Fields("a b c d e f g h i j k l m n o p q r s t") {
		arguments, wanted = append(arguments, `"`+name+`":1`), append(wanted, `"`+name+`":2`)
	}
	for _, x := range []struct {
		trace, reference string
		want             []string // lines of the first five
	}{
		{`[{"name":"book","arguments":{"seat":"1A","text":"` + long + `x"}}]`, `[{"name":"book","arguments":{"seat":"2B","text":"` + long + `y"}}]`,
			[]string{"  At step 1 the agent called book with seat 1A and text a text of 321 characters.", `    seat  "1A" should be "2B"`, "    From character 321 on, text has “…pay pay pay pay pay pay x” instead of “…pay pay pay pay pay pay y”."}},
		{`[{"name":"get_order","arguments":{"order_id":"W7"}}` + extra.String() + `]`, `[{"name":"get_order","arguments":{"order_id":"W7"}}]`,
			[]string{"  At step 2 the agent called delete_cat for cat A1.", "    The reference does not have this call."}},
		{`[{"name":"set","arguments":{` + strings.Join(arguments, ",") + `}}]`, `[{"name":"set","arguments":{` + strings.Join(wanted, ",") + `}}]`,
			[]string{"    The reference has a 2, b 2, c 2, d 2, e 2, f 2, g 2, h 2 and 12 more."}},
		{`[{"name":"get_order","arguments":{"order_id":"W7"}}]`, `[{"name":"get_order","arguments":{"order_id":"W7"}}]`, []string{"  The one step kept its boundary."}},
	} {
		report := evaluateText(t, `{"trace":`+x.trace+`,"reference":`+x.reference+`}`)
		var b bytes.Buffer
		Table(&b, report, TableOptions{})
		told, _, _ := strings.Cut(b.String(), "\n\n")
		lines := strings.Split(told, "\n")
		if len(lines) > mostStory || len(told) > 4000 {
			t.Errorf("%d lines:\n%s", len(lines), told)
		}
		for _, want := range x.want {
			if !slices.Contains(lines[:min(5, len(lines))], want) {
				t.Errorf("no %q in the first lines of\n%s", want, told)
			}
		}
	}
}
