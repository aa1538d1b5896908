package lines

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/wire"
)

// The fields of an error say where in the file it is. Its message must not say another
// place.
func TestErrorHasOnePlace(t *testing.T) {
	for _, c := range []struct {
		text         string
		line, column int
	}{
		{`{x}`, 3, 2},
		{`{"messages":[}`, 3, 14},
		{"{\n x}", 4, 2},
	} {
		var got struct{ Error wire.Error }
		if err := json.Unmarshal((&Scorer{}).Score("runs.jsonl", At{Line: 3, Column: 1}, []byte(c.text)).Fault, &got); err != nil {
			t.Fatal(err)
		}
		e := got.Error
		if e.Line != c.line || e.Column != c.column || strings.Contains(e.Message, " at line ") || !strings.Contains(e.Message, "invalid JSON: ") {
			t.Errorf("%s: %+v, want line %d column %d in the fields only", c.text, e, c.line, c.column)
		}
	}
}
