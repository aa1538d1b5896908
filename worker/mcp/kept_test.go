package mcp

import (
	"fmt"
	"strings"
	"testing"
)

// TestKeptResults checks the bound of the results that are kept: the newest stay.
func TestKeptResults(t *testing.T) {
	var x keptResults
	for i := range 10 {
		x.keep(fmt.Sprint(i), strings.Repeat("x", mostKept/4))
		x.keep("large", strings.Repeat("x", mostKept+1))
	}
	for i := range 10 {
		if kept := x.of(fmt.Sprint(i)) != ""; kept != (i >= 6) {
			t.Errorf("result %d is kept: %v", i, kept)
		}
	}
	if x.of("large") != "" || x.size != mostKept || len(x.order) != 4 || len(x.by) != 4 {
		t.Errorf("%d bytes, %d, %d", x.size, len(x.order), len(x.by))
	}
}
