package pairing

import (
	"testing"

	"github.com/boundcheck/boundcheck/core/action/kind"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// TestZoneBeside checks a time zone that stands in the value in one call and beside it in the
// other. The clock of a named zone is not known, so only a judge can say it.
func TestZoneBeside(t *testing.T) {
	for _, row := range []struct {
		a, b string
		want kind.Outcome
	}{
		{`{"start":"2024-05-01T14:00:00+02:00"}`, `{"start":"2024-05-01T14:00:00","timezone":"+02:00"}`, kind.Same},
		{`{"start":"2024-05-01T14:00:00+02:00","timezone":"Europe/Rome"}`, `{"start":"2024-05-01T12:00:00","timezone":"UTC"}`, kind.Same},
		{`{"start":"2024-05-01T14:00:00","time_zone":"UTC+2"}`, `{"start":"2024-05-01T12:00:00","time_zone":"Etc/UTC"}`, kind.Same},
		{`{"start":"2024-05-01T14:00:00+03:00"}`, `{"start":"2024-05-01T14:00:00","timezone":"+02:00"}`, kind.Differs},
		{`{"start":"2024-05-01T14:00:00-04:00"}`, `{"start":"2024-05-01T14:00:00","timezone":"America/New_York"}`, kind.Unsure},
		{`{"start":"2024-05-01T14:00:00-04:00","timezone":"America/New_York"}`, `{"start":"2024-05-01T14:00:00","timezone":"America/New_York"}`, kind.Unsure},
		{`{"start":"2024-05-02T14:00:00-04:00"}`, `{"start":"2024-05-01T14:00:00","timezone":"America/New_York"}`, kind.Differs},
		{`{"start":"2024-05-01T14:00:00","timezone":"Europe/Rome"}`, `{"start":"2024-05-01T14:00:00","timezone":"America/New_York"}`, kind.Differs},
		{`{"start":"2024-05-01T14:00:00","timezone":"Europe/Rome"}`, `{"start":"2024-05-01T14:00:00"}`, kind.Differs},
	} {
		for _, swapped := range []bool{false, true} {
			if swapped {
				row.a, row.b = row.b, row.a
			}
			var calls [2]similarity.Call
			for i, arguments := range []string{row.a, row.b} {
				v, err := jsonval.Parse(arguments)
				if err != nil {
					t.Fatal(err)
				}
				calls[i] = similarity.NewCall("create_event", v, "", "")
			}
			d := similarity.Compare(&calls[0], &calls[1], nil)
			k := Settle(&calls[0], &calls[1], nil, &d)
			if got := max(k.Certainty, kind.Same); k.Equal() != (row.want == kind.Same) || !k.Equal() && got != row.want {
				t.Errorf("%s and %s: %v, %+v", row.a, row.b, got, k.Rest)
			}
		}
	}
}

// TestMatcherHasNoNotations checks that no kind excuses a value that a person's matcher
// refuses, also if its words are the same value in another notation.
func TestMatcherHasNoNotations(t *testing.T) {
	d := similarity.Difference{Changed: []similarity.Pair{
		{Path: "amount", Key: "amount", Observed: `"1,000"`, Reference: "1000", Wanted: true},
		{Path: "limit", Key: "limit", Observed: `"1,000"`, Reference: "1000"},
	}}
	call := &similarity.Call{Name: "pay"}
	got := Settle(call, call, &similarity.Terms{}, &d)
	if len(got.Rest.Changed) != 1 || got.Rest.Changed[0].Path != "amount" || got.Certainty != kind.Differs || len(got.Same) != 1 {
		t.Errorf("%+v", got)
	}
}
