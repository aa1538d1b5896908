package equivalence

import (
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/path"
	"github.com/boundcheck/boundcheck/core/math/align"
)

// parseCalls parses a list of actions. Each action is "r", "w" or "c" (read, write,
// control) with arguments, for example `w{"id":"a"}`. There may be a sign before the
// letter. The sign "!" means failed, "@" means done by the user, and "*" means required.
func parseCalls(t *testing.T, list ...string) []boundary.Action {
	t.Helper()
	var out []boundary.Action
	for _, w := range list {
		var a boundary.Action
		for ; strings.ContainsRune("!@*", rune(w[0])); w = w[1:] {
			a.Failed, a.ByUser, a.Required = a.Failed || w[0] == '!', a.ByUser || w[0] == '@', a.Required || w[0] == '*'
		}
		args, err := jsonval.Parse(w[1:])
		if err != nil {
			t.Fatal(err)
		}
		a.Call = similarity.NewCall(w[:1], args, "", "")
		a.Mutation = mutation.Verdict{Mutating: mutation.Yes}
		if w[0] != 'w' {
			a.Mutation = mutation.Verdict{Mutating: mutation.No, Control: w[0] == 'c'}
		}
		out = append(out, a)
	}
	return out
}

func ignorePaths(a boundary.Action, paths ...string) boundary.Action {
	a.Terms = &similarity.Terms{Key: strings.Join(paths, ","), Ignore: path.MustPlaces(paths...)}
	return a
}

// verdictWords returns one word for each row: the verdict, or the kind of a violation.
func verdictWords(rulings []Ruling) string {
	kinds := [...]string{"none", "extra", "missing", "wrong", "state", "late"}
	var out []string
	for _, r := range rulings {
		word := r.Verdict.String()
		if r.Verdict == Violation {
			word = kinds[r.Kind]
		}
		out = append(out, word)
	}
	return strings.Join(out, " ")
}

func TestVerdictNames(t *testing.T) {
	for v, want := range []string{"correct", "excused", "note", "violation"} {
		if got := Verdict(v).String(); got != want {
			t.Errorf("verdict %d is called %s, want %s", v, got, want)
		}
	}
}

func TestEmptySides(t *testing.T) {
	if got := Judge(&boundary.Case{}); len(got) != 0 {
		t.Errorf("nothing against nothing: %v", got)
	}
	c := boundary.Case{Profile: boundary.SOP, Obs: parseActions("r1 c1 w1! w1"), Steps: parseAlignment("++++")}
	if got := verdictWords(Judge(&c)); got != "excused excused excused extra" {
		t.Errorf("against nothing: %s", got)
	}
	c = boundary.Case{Profile: boundary.Outcome, Ref: parseActions("r1 c1 w1"), Steps: parseAlignment("---")}
	if got := verdictWords(Judge(&c)); got != "note note missing" {
		t.Errorf("nothing done: %s", got)
	}
	c.Profile = boundary.SOP
	if got := verdictWords(Judge(&c)); got != "missing missing missing" {
		t.Errorf("nothing done under sop: %s", got)
	}
}

// TestReasons checks the texts of the reasons. For a moved action or step, the reason
// names the position of its other half, counted from 1.
func TestReasons(t *testing.T) {
	check := func(profile boundary.Profile, obs, ref, ops string, want ...string) {
		t.Helper()
		c := boundary.Case{Profile: profile, Obs: parseActions(obs), Ref: parseActions(ref), Steps: parseAlignment(ops)}
		for i, r := range Judge(&c) {
			if r.Reason != want[i] {
				t.Errorf("%s | %s, row %d: %q, want %q", obs, ref, i, r.Reason, want[i])
			}
			if (r.Stage == Effect) != (r.Verdict == Excused) {
				t.Errorf("%s | %s, row %d: stage %q of %v", obs, ref, i, r.Stage, r.Verdict)
			}
		}
	}
	s, o := boundary.SOP, boundary.Outcome
	check(s, "w1 w2", "w1", "=+", "", "w is not in the reference and may change state (mutating: yes)")
	check(s, "w1", "r1 w1", "-=", "the required step r is missing", "")
	check(o, "w1", "r1 w1", "-=", "the step r was not done, but this step changes no state", "")
	check(s, "r1 c1 w1!", "", "+++", "an extra read changes nothing", "a control action changes nothing", "the observation of this action is an error, so the action changed nothing")
	check(s, "c2", "c1", "~", "the wording of a control action may differ")
	check(o, "r2", "r1", "~", "the two reads differ, but no read changes anything")
	check(s, "w2", "w1", "~", "w was called with arguments that differ from the reference")
	check(s, "w2 w1", "w1 w2", "-=+", "the step was done in another position, as action 2", "", "this is reference step 1, done in another position")
	check(s, "w1 r1", "r1 w1", "-=+", "the step was done in another position, as action 2", "the action w is in the wrong position (before r). The reference has the opposite order", "this is reference step 1, done in another position")
	check(s, "w2 r1", "r1 w2", "+=-", "the action w is in the wrong position (before r). The reference has the opposite order", "", "the step was done in another position, as action 1")
	check(s, "w1 w2", "w2 w1", "~~", "the action and the step each have a match in another row", "the action and the step each have a match in another row")
}

// TestComparedPairs checks that the verdict on two paired actions depends on how their
// arguments differ.
func TestComparedPairs(t *testing.T) {
	check := func(name string, profile boundary.Profile, op align.Op, obs, ref string, want string) {
		t.Helper()
		c := boundary.Case{Profile: profile, Obs: parseCalls(t, obs), Ref: parseCalls(t, ref), Steps: []align.Step{{Op: op}}}
		if got := verdictWords(Judge(&c)); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	s, o, sub := boundary.SOP, boundary.Outcome, align.Substitution
	check("the same read with more arguments", s, sub, `r{"id":"a","limit":5}`, `r{"id":"a"}`, "excused")
	check("a read with fewer arguments", s, sub, `r{"id":"a"}`, `r{"id":"a","limit":5}`, "wrong")
	check("a read with fewer arguments changes nothing", o, sub, `r{"id":"a"}`, `r{"id":"a","limit":5}`, "excused")
	check("another required read", o, sub, `r{"id":"b"}`, `*r{"id":"a"}`, "wrong")
	check("a required read with more", o, sub, `r{"id":"a","limit":5}`, `*r{"id":"a"}`, "excused")
	check("a write with more arguments", o, sub, `w{"id":"a","force":1}`, `w{"id":"a"}`, "wrong")
	check("a match that differs", o, align.Match, `w{"id":"a","b":1,"c":2,"d":3}`, `w{"id":"a","b":1,"c":2}`, "wrong")
	check("a match", s, align.Match, `w{"id":"a"}`, `w{"id":"a"}`, "correct")
	check("the user's own match", o, align.Match, `@w{"id":"a"}`, `w{"id":"a"}`, "correct")
	check("the user's own other write", o, sub, `@w{"id":"b"}`, `w{"id":"a"}`, "missing")
	check("the user's own other read", o, sub, `@r{"id":"b"}`, `r{"id":"a"}`, "note")
	check("the user's own other required read", o, sub, `@r{"id":"b"}`, `*r{"id":"a"}`, "missing")
}

func TestExtrasOfTheUserAreExcused(t *testing.T) {
	c := boundary.Case{Profile: boundary.SOP, Obs: parseCalls(t, `@w{"id":"a"}`), Steps: parseAlignment("+")}
	if r := Judge(&c)[0]; r.Verdict != Excused || r.Reason != "the user did this action, not the agent" {
		t.Errorf("%+v", r)
	}
}

// TestWrongCarriesTheDifference checks that the ruling on a wrong pair contains the
// differences of the arguments, without those that the step's terms of comparison ignore.
func TestWrongCarriesTheDifference(t *testing.T) {
	ref := parseCalls(t, `w{"id":"a","note":"x","seat":"1"}`)
	ref[0] = ignorePaths(ref[0], "note")
	c := boundary.Case{Obs: parseCalls(t, `w{"id":"a","note":"y","seat":"2"}`), Ref: ref, Steps: parseAlignment("~")}
	r := Judge(&c)[0]
	if r.Kind != Wrong || r.About(c.Steps[0]) != (Pair{0, 0}) || len(r.Diff.Changed) != 1 || r.Diff.Changed[0].Path != "seat" || r.Diff.Same != 1 {
		t.Errorf("%+v", r)
	}
}

func TestRestatedFactsInsideEntities(t *testing.T) {
	seen, asked := `trip T-1 from Ulm to Bonn at 9`, -1
	check := func(name string, profile boundary.Profile, obs, ref string, want string) {
		t.Helper()
		asked = -1
		c := boundary.Case{Profile: profile, Obs: parseCalls(t, `r{}`, obs), Ref: parseCalls(t, `r{}`, ref),
			Steps: parseAlignment("=~"), Seen: func(obs int) string { asked = obs; return seen }}
		if got := verdictWords(Judge(&c)[1:]); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	o, s := boundary.Outcome, boundary.SOP
	ref := `w{"leg":{"no":"T-1"}}`
	check("seen before", o, `w{"leg":{"no":"T-1","from":"Ulm","at":9}}`, ref, "excused")
	if asked != 1 {
		t.Errorf("looked at what came before action %d, want 1", asked)
	}
	check("an object whose key is empty", o, `w{"":{"no":"T-1","from":"Ulm"}}`, `w{"":{"no":"T-1"}}`, "excused")
	check("each step counts", s, `w{"leg":{"no":"T-1","from":"Ulm"}}`, ref, "wrong")
	check("one of two seen", o, `w{"leg":{"no":"T-1","from":"Ulm","by":"bus"}}`, ref, "wrong")
	check("on the top", o, `w{"leg":{"no":"T-1"},"from":"Ulm"}`, ref, "wrong")
	check("one more element", o, `w{"legs":["T-1","T-1"]}`, `w{"legs":["T-1"]}`, "wrong")
	check("a list inside", o, `w{"leg":{"no":"T-1","via":["Ulm"]}}`, ref, "wrong")
	check("another object", o, `w{"leg":{"no":"T-1"},"car":{"from":"Ulm"}}`, ref, "wrong")
	check("an empty value", o, `w{"leg":{"no":"T-1","from":""}}`, ref, "wrong")
	check("with a change", o, `w{"leg":{"no":"T-2","from":"Ulm"}}`, ref, "wrong")
	check("with a gap", o, `w{"leg":{"no":"T-1","from":"Ulm"}}`, `w{"leg":{"no":"T-1","to":"Bonn"}}`, "wrong")
	c := boundary.Case{Obs: parseCalls(t, `w{"leg":{"no":"T-1","from":"Ulm"}}`), Ref: parseCalls(t, ref), Steps: parseAlignment("~")}
	if got := verdictWords(Judge(&c)); got != "wrong" {
		t.Errorf("nothing is known of what came back: %s", got)
	}
}

// TestLateNamesTheStepItIsLateFor checks that a late action names the step that was done in
// the wrong order with the action.
func TestLateNamesTheStepItIsLateFor(t *testing.T) {
	c := boundary.Case{Profile: boundary.SOP, Obs: parseActions("w1 r9 r1"), Ref: parseActions("r9 r1 w1"), Steps: parseAlignment("+==-")}
	r := Judge(&c)
	if got := verdictWords(r); got != "late correct correct excused" {
		t.Fatalf("got %s", got)
	}
	if about := r[0].About(c.Steps[0]); about != (Pair{0, 0}) {
		t.Errorf("about %+v, want action 0 and step 0", about)
	}
}

// TestLateStaysBesideOtherRulings checks rows that have two violations, because both halves
// of a substitution belong elsewhere or are missing. Each late action is one violation in
// its own row, and the row keeps the other violation.
func TestLateStaysBesideOtherRulings(t *testing.T) {
	check := func(obs, ref, ops, want string, late ...*Pair) {
		t.Helper()
		c := boundary.Case{Profile: boundary.SOP, Obs: parseCalls(t, strings.Fields(obs)...), Ref: parseCalls(t, strings.Fields(ref)...), Steps: parseAlignment(ops)}
		r := Judge(&c)
		if got := verdictWords(r); got != want {
			t.Fatalf("%s | %s: %s, want %s", obs, ref, got, want)
		}
		for row := range late {
			var got *Pair
			for one := &r[row]; one != nil; one = one.Also {
				if one.Kind == Late {
					about := one.About(c.Steps[row])
					got = &about
				}
			}
			if (got == nil) != (late[row] == nil) || got != nil && *got != *late[row] {
				t.Errorf("%s | %s, row %d: late for %+v, want %+v", obs, ref, row, got, late[row])
			}
		}
	}
	// The four permuted calls of the first report: steps 4, 2, 1, 3.
	check(`w{"n":1} w{"n":2} w{"n":3} w{"n":4}`, `w{"n":4} w{"n":2} w{"n":1} w{"n":3}`, "~=~~", "late late late excused",
		&Pair{0, 0}, &Pair{1, 0}, &Pair{2, 0}, nil)
	// The step in the row of a late action is missing.
	check(`w{"n":1} w{"n":2}`, `w{"n":9} w{"n":2} w{"n":1}`, "~=-", "missing correct excused", &Pair{0, 1}, nil, nil)
}

func TestMovedUnderTerms(t *testing.T) {
	judged := func(profile boundary.Profile, obs, ref []boundary.Action, ops string) string {
		return verdictWords(Judge(&boundary.Case{Profile: profile, Obs: obs, Ref: ref, Steps: parseAlignment(ops)}))
	}
	o := boundary.Outcome
	step := ignorePaths(parseCalls(t, `w{"id":"a","note":"x"}`)[0], "note")
	other := parseCalls(t, `w{"id":"b"}`)[0]
	done := func(list ...string) []boundary.Action { return parseCalls(t, list...) }
	ref := []boundary.Action{step, other}
	if got := judged(o, done(`w{"id":"b"}`, `w{"id":"a","note":"y"}`), ref, "-=+"); got != "excused correct excused" {
		t.Errorf("another note: %s", got)
	}
	if got := judged(o, done(`w{"id":"b"}`, `!w{"id":"a","note":"y"}`), ref, "-=+"); got != "missing correct excused" {
		t.Errorf("a failed one: %s", got)
	}
	if got := judged(o, done(`w{"id":"b"}`, `w{"id":"c","note":"x"}`), ref, "-=+"); got != "missing correct extra" {
		t.Errorf("another entity: %s", got)
	}
	if got := judged(o, done(`w{"id":"b"}`, `w{"id":"a"}`, `w{"id":"a","note":"z"}`), ref, "-=++"); got != "excused correct excused extra" {
		t.Errorf("the first of two: %s", got)
	}
	// two such steps need one action each
	two := []boundary.Action{step, step, other}
	if got := judged(o, done(`w{"id":"b"}`, `w{"id":"a"}`, `w{"id":"a","note":"z"}`), two, "--=++"); got != "excused excused correct excused excused" {
		t.Errorf("two of two: %s", got)
	}
	if got := judged(o, done(`w{"id":"b"}`, `w{"id":"a"}`), two, "--=+"); got != "excused missing correct excused" {
		t.Errorf("two of one: %s", got)
	}
	// a matched action is not used again
	if got := judged(o, done(`w{"id":"a","note":"q"}`, `w{"id":"b"}`), []boundary.Action{step, step, other}, "=-="); got != "correct missing correct" {
		t.Errorf("the matched one: %s", got)
	}
}

// TestMovedPlainStepsTakeOneActionEach checks that each step without special terms of
// comparison is paired with a different action, in order.
func TestMovedPlainStepsTakeOneActionEach(t *testing.T) {
	c := boundary.Case{Obs: parseActions("w9 w1"), Ref: parseActions("w1 w1 w9"), Steps: parseAlignment("--=+")}
	if got := verdictWords(Judge(&c)); got != "excused missing correct excused" {
		t.Errorf("two of one: %s", got)
	}
	c = boundary.Case{Obs: parseActions("w9 w1!"), Ref: parseActions("w1 w9"), Steps: parseAlignment("-=+")}
	if got := verdictWords(Judge(&c)); got != "missing correct excused" {
		t.Errorf("a failed one: %s", got)
	}
}

// TestNearPairs checks that a step that was done elsewhere with different arguments gives
// one finding and not two. Among several actions, the action with the most equal
// arguments is chosen, and the first one on a tie.
func TestNearPairs(t *testing.T) {
	check := func(name string, obs, ref []string, ops, want string) []Ruling {
		t.Helper()
		r := Judge(&boundary.Case{Obs: parseCalls(t, obs...), Ref: parseCalls(t, ref...), Steps: parseAlignment(ops)})
		if got := verdictWords(r); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
		return r
	}
	list := func(s ...string) []string { return s }
	anchor := `r{"id":"z"}`
	r := check("the nearest", list(anchor, `w{"id":"a","x":1,"y":9,"z":9}`, `w{"id":"a","x":1,"y":2,"z":9}`), list(`w{"id":"a","x":1,"y":2,"z":3}`, anchor), "-=++", "note correct extra wrong")
	if r[3].About(parseAlignment("-=++")[3]) != (Pair{2, 0}) || r[0].Reason != "the step w was done as action 3, but with other arguments" || r[0].Stage != "" {
		t.Errorf("%+v", r)
	}
	check("a tie", list(anchor, `w{"id":"a","x":8}`, `w{"id":"a","x":9}`), list(`w{"id":"a","x":1}`, anchor), "-=++", "note correct wrong extra")
	check("each extra once", list(anchor, `w{"id":"a","x":8}`), list(`w{"id":"a","x":1}`, `w{"id":"a","x":2}`, anchor), "--=+", "note missing correct wrong")
	check("two of two", list(anchor, `w{"id":"a","x":8}`, `w{"id":"a","x":9}`), list(`w{"id":"a","x":1}`, `w{"id":"a","x":2}`, anchor), "--=++", "note note correct wrong wrong")
	check("another entity", list(anchor, `w{"id":"b","x":1}`), list(`w{"id":"a","x":1}`, anchor), "-=+", "missing correct extra")
	check("no entity", list(anchor, `w{"x":1,"y":2}`), list(`w{"x":1,"y":3}`, anchor), "-=+", "missing correct extra")
	check("a failed one", list(anchor, `!w{"id":"a","x":2}`), list(`w{"id":"a","x":1}`, anchor), "-=+", "missing correct excused")
	check("reads", list(anchor, `r{"id":"a","x":2}`), list(`r{"id":"a","x":1}`, anchor), "-=+", "note correct excused")
	check("one of two entities", list(anchor, `w{"a_id":"a","b_id":"c"}`), list(`w{"a_id":"a","b_id":"b"}`, anchor), "-=+", "note correct wrong")
}

// TestMovedBeforeNear checks that an action that equals a step at another position is not
// paired with a second step that has other arguments.
func TestMovedBeforeNear(t *testing.T) {
	obs, ref := parseCalls(t, `r{"id":"z"}`, `w{"id":"a","x":1}`), parseCalls(t, `w{"id":"a","x":1}`, `w{"id":"a","x":2}`, `r{"id":"z"}`)
	if got := verdictWords(Judge(&boundary.Case{Obs: obs, Ref: ref, Steps: parseAlignment("--=+")})); got != "excused missing correct excused" {
		t.Errorf("got %s", got)
	}
}

// TestHalvesOfASubstitution checks that, if one side of a substitution moved, the other
// side is judged as an extra action or a missing step.
func TestHalvesOfASubstitution(t *testing.T) {
	check := func(obs, ref, ops, want string) {
		t.Helper()
		c := boundary.Case{Obs: parseActions(obs), Ref: parseActions(ref), Steps: parseAlignment(ops)}
		if got := verdictWords(Judge(&c)); got != want {
			t.Errorf("%s | %s: %s, want %s", obs, ref, got, want)
		}
	}
	check("w1 r1", "w2 r1 w1", "~=-", "missing correct excused")
	check("w2 r1 w1", "w1 r1", "~=+", "extra correct excused")
	check("w1 r1 w2", "w2 r1 w1", "~=~", "excused correct excused")
}

// TestOrderThatMatters checks which steps must keep their order.
func TestOrderThatMatters(t *testing.T) {
	check := func(name string, profile boundary.Profile, obs, ref []string, ops, want string) {
		t.Helper()
		c := boundary.Case{Profile: profile, Obs: parseCalls(t, obs...), Ref: parseCalls(t, ref...), Steps: parseAlignment(ops)}
		if got := verdictWords(Judge(&c)); got != want {
			t.Errorf("%s under %v: %s, want %s", name, profile, got, want)
		}
	}
	list := func(s ...string) []string { return s }
	o, s := boundary.Outcome, boundary.SOP
	a, b := `w{"id":"a"}`, `w{"id":"b"}`
	both, late, moved := list(a, b), "excused late excused", "excused correct excused"
	check("writes on two entities", s, list(b, a), both, "-=+", moved)
	first, second := `w{"id":"a","x":1}`, `w{"id":"a","x":2}`
	check("writes on one entity", s, list(second, first), list(first, second), "-=+", late)
	check("writes on one entity", o, list(second, first), list(first, second), "-=+", moved)
	check("a common entity among several", s, list(`w{"a_id":"m","b_id":"z"}`, `w{"a_id":"c","b_id":"m"}`), list(`w{"a_id":"c","b_id":"m"}`, `w{"a_id":"m","b_id":"z"}`), "-=+", late)
	check("writes without an entity", s, list(`w{"x":2}`, `w{"x":1}`), list(`w{"x":1}`, `w{"x":2}`), "-=+", late)
	check("one deed for two persons", s, list(`w{"patient":"Pia","at":2}`, `w{"patient":"Ole","at":1}`), list(`w{"patient":"Ole","at":1}`, `w{"patient":"Pia","at":2}`), "-=+", moved)
	check("one write without an entity", s, list(b, `w{"x":1}`), list(`w{"x":1}`, b), "-=+", late)
	check("a read after a write of another entity", s, list(b, `r{"id":"a"}`), list(`r{"id":"a"}`, b), "-=+", late)
	check("a read after a write", o, list(b, `r{"id":"a"}`), list(`r{"id":"a"}`, b), "-=+", moved)
	check("a required read after a write", o, list(b, `r{"id":"a"}`), list(`*r{"id":"a"}`, b), "-=+", late)
	check("a closing read before its write", s, list(`r{"id":"a"}`, b), list(b, `r{"id":"a"}`), "+=-", "excused correct excused")
	check("two reads", s, list(`r{"id":"b"}`, `r{"id":"a"}`), list(`r{"id":"a"}`, `r{"id":"b"}`), "-=+", moved)
	// also in relation to another moved step
	check("two that moved", s, list(`w{"id":"q"}`, second, first), list(first, second, `w{"id":"q"}`), "--=++", "excused excused correct late late")
	// a step that was never done does not make another one late
	check("against a missing one", s, list(`r{"id":"z"}`, first), list(first, second, `r{"id":"z"}`), "--=+", "excused missing correct excused")
}

// TestOneActionIsNotTwoSteps checks two steps that both match the same action, one with
// special terms of comparison and one without. Only one of the two steps may be paired
// with the action.
func TestOneActionIsNotTwoSteps(t *testing.T) {
	for name, swap := range map[string]bool{"terms first": false, "plain first": true} {
		ref := parseCalls(t, `w{"id":"a","note":"x"}`, `w{"id":"a","note":"y"}`, `w{"id":"b"}`)
		ref[0] = ignorePaths(ref[0], "note")
		if swap {
			ref[0], ref[1] = ref[1], ref[0]
		}
		c := boundary.Case{Obs: parseCalls(t, `w{"id":"b"}`, `w{"id":"a","note":"y"}`), Ref: ref, Steps: parseAlignment("--=+")}
		if got := verdictWords(Judge(&c)); got != "excused missing correct excused" {
			t.Errorf("%s: %s", name, got)
		}
	}
}
