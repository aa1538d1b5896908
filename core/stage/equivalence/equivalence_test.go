package equivalence

import (
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/math/align"
)

// parseActions parses a run from words. For example, "r1" is a read of entity 1, "w1!" is
// a failed write of entity 1, and "c" is a control action.
func parseActions(words string) []boundary.Action {
	var out []boundary.Action
	for _, w := range strings.Fields(words) {
		failed := strings.HasSuffix(w, "!")
		w = strings.TrimSuffix(w, "!")
		v := mutation.Verdict{Mutating: mutation.Yes}
		switch w[0] {
		case 'r':
			v.Mutating = mutation.No
		case 'c':
			v = mutation.Verdict{Mutating: mutation.No, Control: true}
		}
		args, _ := jsonval.Parse(`{"id":"` + w[1:] + `"}`)
		out = append(out, boundary.Action{Call: similarity.NewCall(w[:1], args, "", ""), Mutation: v, Failed: failed})
	}
	return out
}

// parseAlignment parses an alignment: "=" match, "~" substitution, "+" extra, "-"
// missing.
func parseAlignment(ops string) []align.Step {
	var out []align.Step
	obs, ref := 0, 0
	for _, op := range ops {
		s := align.Step{Obs: obs, Ref: ref}
		switch op {
		case '=':
			s.Op = align.Match
		case '~':
			s.Op = align.Substitution
		case '+':
			s.Op, s.Ref = align.Insertion, -1
		case '-':
			s.Op, s.Obs = align.Deletion, -1
		}
		if s.Obs >= 0 {
			obs++
		}
		if s.Ref >= 0 {
			ref++
		}
		out = append(out, s)
	}
	return out
}

func TestJudge(t *testing.T) {
	check := func(profile boundary.Profile, obs, ref, ops, want string) {
		t.Helper()
		c := boundary.Case{Profile: profile, Obs: parseActions(obs), Ref: parseActions(ref), Steps: parseAlignment(ops)}
		var got []string
		for _, r := range Judge(&c) {
			got = append(got, r.Verdict.String()[:1])
			if r.Verdict != Correct && r.Reason == "" {
				t.Errorf("%s | %s: %v without a reason", obs, ref, r.Verdict)
			}
		}
		if s := strings.Join(got, ""); s != want {
			t.Errorf("%v: %s | %s | %s gave %s, want %s", profile, obs, ref, ops, s, want)
		}
	}
	o, s := boundary.Outcome, boundary.SOP
	check(s, "r1 w1", "r1 w1", "==", "cc")
	check(s, "r1 r2 w1", "r1 w1", "=+=", "cec")
	check(s, "w1! w1", "w1", "+=", "ec")
	check(s, "c1 w1", "w1", "+=", "ec")
	check(s, "w1 w2", "w1", "=+", "cv")
	check(s, "w1", "r1 w1", "-=", "vc")
	check(o, "w1", "r1 w1", "-=", "nc")
	check(o, "w1", "w1 w2", "=-", "cv")
	check(s, "r2", "r1", "~", "v")
	check(o, "r2", "r1", "~", "e")
	check(o, "w2", "w1", "~", "v")
	check(s, "c2", "c1", "~", "e")
	check(s, "w1 r1", "r1 w1", "-=+", "eve") // the check came after the write
	check(o, "w1 r1", "r1 w1", "-=+", "ece") // the check came after the write, but it changes nothing
	check(s, "r2 r1 w1", "r1 r2 w1", "-=+=", "ecec")
	check(s, "w2 w1", "w1 w2", "-=+", "ece") // other entities
	check(s, "w1 w1", "w1", "=+", "cv")
	check(o, "", "w1", "-", "v")
	check(o, "w1", "", "+", "v")
}

// TestMovedOutOfASubstitution checks that a moved action is paired with its step even if
// the alignment has paired it with another step as a substitution. The other half of the
// substitution is then judged without a partner.
func TestMovedOutOfASubstitution(t *testing.T) {
	c := boundary.Case{Profile: boundary.Outcome, Obs: parseActions("w1 r1 w2"), Ref: parseActions("w2 r1 w1"), Steps: parseAlignment("~=~")}
	for i, r := range Judge(&c) {
		if r.Verdict == Violation {
			t.Errorf("row %d: %+v", i, r)
		}
	}
	c = boundary.Case{Profile: boundary.Outcome, Obs: parseActions("w1 r1"), Ref: parseActions("w2 r1 w1"), Steps: parseAlignment("~=-")}
	r := Judge(&c)
	if r[0].Kind != Missing || r[2].Verdict != Excused {
		t.Errorf("w2 is missing and w1 moved, got %+v", r)
	}
}
