package score

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestHiddenFindings turns rules off at random and checks that the cause of a run is one of
// the findings that stay, and that there is none without a finding.
func TestHiddenFindings(t *testing.T) {
	t.Parallel()
	const body = `{"trace":[{"name":"get_order","arguments":{"id":1}},{"name":"refund_order","arguments":{"id":1,"amount":9}},{"name":"delete_user","arguments":{"id":4}}],` +
		`"reference":[{"name":"refund_order","arguments":{"id":1,"amount":5}},{"name":"cancel_order","arguments":{"id":1}},{"name":"send_email","arguments":{"to":"a"}}]}`
	rules := []string{"missing-step", "wrong-arguments", "extra-action"}
	rng := rand.New(rand.NewPCG(22, 45))
	none := 0
	for range drawn.Cases(60) {
		var off []string
		for _, rule := range rules {
			if rng.IntN(2) == 0 {
				off = append(off, `"`+rule+`"`)
			}
		}
		r, err := ReadRequest([]byte(body))
		if err != nil {
			t.Fatal(err)
		}
		list := strings.Join(off, ",")
		if len(off) > 0 {
			v, err := jsonval.Parse(`{"rules":[{"off":[` + list + `]}]}`)
			if err == nil {
				err = r.Options.ReadConfig(v)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		out, err := Evaluate(r)
		if err != nil {
			t.Fatal(err)
		}
		run := &out.Trajectories[0]
		if len(run.Violations) == 0 {
			none++
		}
		if a := run.Attribution; (a != nil) != (len(run.Violations) > 0) || a != nil && a.First >= len(run.Violations) {
			t.Errorf("off %v: %d findings and the cause %+v", off, len(run.Violations), a)
		}
		if slices.Contains(off, `"missing-step"`) {
			for i := range run.Violations {
				if run.Violations[i].Rule == "missing-step" {
					t.Errorf("off %v: %s is shown", off, run.Violations[i].Rule)
				}
			}
		}
	}
	if none == 0 {
		t.Error("no configuration hides all findings")
	}
}
