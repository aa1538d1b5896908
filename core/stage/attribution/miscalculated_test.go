package attribution

import (
	"fmt"
	"testing"
)

func TestFindEquations(t *testing.T) {
	for text, want := range map[string]string{
		"Three kegs hold 3 x 50 = 120 litres.":        "3 x 50 = 120: 150 120",
		"So 2 × $240.50 + 10 = $491.00, and no more.": "2 × $240.50 + 10 = $491.00: 491 491",
		"100 / 3 = 33.33":                             "100 / 3 = 33.33: 33.33333333333333 33.33",
		"10 - 2 - 3 = 5.":                             "10 - 2 - 3 = 5: 5 5",
		"1,200 * 2 = 2,400":                           "1,200 * 2 = 2,400: 2400 2400",
		"id=7, x = 3 and a == b":                      "",
		"5 / 0 = 1":                                   "",
		"12 = 12":                                     "",
		"= 4":                                         "",
		"2 + = 4":                                     "",
		"version 1.2.3 + 1 = 4":                       "",
	} {
		got := ""
		for _, q := range findEquations(text) {
			got += fmt.Sprintf("%s: %v %v", q.text, q.left, q.right)
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
