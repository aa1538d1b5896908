package notation

import (
	"maps"
	"strings"
	"testing"
)

// TestSchemeWords checks that SchemeWords has just the words of the schemes.
func TestSchemeWords(t *testing.T) {
	got, want := map[string]bool{}, map[string]bool{}
	for i := range schemes {
		for w := range strings.FieldsSeq(schemes[i].names) {
			want[w] = true
		}
	}
	for w := range strings.FieldsSeq(SchemeWords) {
		got[w] = true
	}
	if !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
