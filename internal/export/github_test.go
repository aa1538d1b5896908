package export

import (
	"bytes"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core"
)

// TestGitHub checks that a trace cannot inject a workflow command.
func TestGitHub(t *testing.T) {
	report, err := core.Evaluate(core.Request{Inputs: []core.Source{
		{Name: "a,b:c.json", Data: []byte(`{"trajectories":[{"id":"x","actions":[{"name":"delete_order","arguments":{"id":"7\n::error::forged"}}]}]}`)},
		{Name: "b.json", Data: []byte("nonsense {")}}, Options: core.Options{Lines: true}})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	writeGitHub(&b, &report, nil)
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	for _, l := range lines {
		if !strings.HasPrefix(l, "::notice file=a%2Cb%3Ac.json,line=1,title=hint (") && !strings.HasPrefix(l, "::notice file=a%2Cb%3Ac.json,title=cannot-tell::Cannot tell: nobody asked for delete_order") && !strings.HasPrefix(l, "::error file=b.json,title=file-not-read::") {
			t.Errorf("got %q", l)
		}
	}
	if len(lines) < 2 {
		t.Errorf("got %q", lines)
	}
}
