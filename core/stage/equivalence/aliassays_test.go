package equivalence

import (
	"testing"

	"github.com/boundcheck/boundcheck/core/action/boundary"
)

// TestAliasSaysHow checks that the excuse of another name says who found it to mean the same.
func TestAliasSaysHow(t *testing.T) {
	for rule, want := range map[string]string{
		"encoder": "the name z means the same as the name k (alias by encoder: the encoder says that the names mean the same)",
		"plugin":  "the name z means the same as the name k (alias by plugin: a plugin says so)",
	} {
		c := boundary.Case{Profile: boundary.SOP, Obs: parseCalls(t, `z{"id":"a1"}`), Ref: parseCalls(t, `k{"id":"a1"}`), Steps: parseAlignment("~"),
			Alias: func(_, _ *boundary.Action) string { return rule }}
		if got := Judge(&c)[0]; got.Verdict != Excused || got.Reason != want {
			t.Errorf("%+v", got)
		}
	}
}
