package machine

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

// The simple prover: it knows a small universe of calls, and asks for each rule about each
// of them. It shares no code with the rules: a condition is a function from a value to yes,
// no or unknown.

const (
	no = iota
	unknown
	yes
)

type plainTest struct {
	text string
	is   func(v string) int // v is JSON; "" for absent
}

func truthOf(b bool) int {
	if b {
		return yes
	}
	return no
}

func plainNumber(v string) (n float64, ok bool) {
	_, err := fmt.Sscanf(v, "%g", &n)
	return n, err == nil
}

// bareValue returns the element of a list of one.
func bareValue(v string) string { return strings.Trim(v, "[]") }

// equalTo compares with two constants. A list of one of them may or may not be read as it.
func equalTo(v, c, d string) int {
	switch {
	case v == c || v == d:
		return yes
	case bareValue(v) == c || bareValue(v) == d:
		return unknown
	}
	return no
}

// boundTest returns a test of a number. A text that is not a number may be one to a program.
func boundTest(text string, holds func(n float64) bool) plainTest {
	return plainTest{text, func(v string) int {
		n, ok := plainNumber(bareValue(v))
		switch {
		case v == "":
			return no
		case !ok:
			return unknown
		}
		return truthOf(holds(n))
	}}
}

// drawTest draws a test of a value.
func drawTest(g *rand.Rand, consts []string) plainTest {
	switch c := consts[g.IntN(len(consts))]; g.IntN(9) {
	case 0, 1:
		low := float64(g.IntN(4))
		return boundTest(fmt.Sprintf(`{"min":%g}`, low), func(n float64) bool { return n >= low })
	case 2:
		high := float64(g.IntN(4))
		return boundTest(fmt.Sprintf(`{"max":%g}`, high), func(n float64) bool { return n <= high })
	case 3:
		return plainTest{fmt.Sprintf(`{"equals":%s}`, c), func(v string) int { return equalTo(v, c, c) }}
	case 4:
		d := consts[g.IntN(len(consts))]
		return plainTest{fmt.Sprintf(`{"oneOf":[%s,%s]}`, c, d), func(v string) int { return equalTo(v, c, d) }}
	case 5:
		return plainTest{`{"any":true}`, func(v string) int { return truthOf(v != "" && v != "null") }}
	case 6:
		return plainTest{`{"type":"number"}`, func(v string) int { _, ok := plainNumber(v); return truthOf(ok) }}
	case 7:
		low, high := float64(g.IntN(4)), float64(g.IntN(4))
		return boundTest(fmt.Sprintf(`{"min":%g,"max":%g}`, low, high), func(n float64) bool { return n >= low && n <= high })
	default:
		inner := drawTest(g, consts)
		for strings.Contains(inner.text, "not") {
			inner = drawTest(g, consts)
		}
		return plainTest{`{"not":` + inner.text + `}`, func(v string) int { return yes - inner.is(v) }}
	}
}

type plainRule struct {
	tool, agent string
	changes     bool
	amount, env *plainTest
	hours       string // "", "inside" or "outside" of 08:00-18:00 Mon-Fri
	requires    bool
	effect      string
	people      int
	from        []string
	log         bool
	name        string
	line        int
}

type plainCall struct {
	tool, agent, amount, env string
	changes, office          bool
}

func (r *plainRule) selectsCall(c *plainCall) int {
	tool := r.tool == "" || r.tool == c.tool || strings.HasSuffix(r.tool, "*") && strings.HasPrefix(c.tool, strings.TrimSuffix(r.tool, "*"))
	out := truthOf(tool && (r.agent == "" || r.agent == c.agent) && (!r.changes || c.changes) && (r.hours == "" || (r.hours == "inside") == c.office))
	if r.amount != nil {
		out = min(out, r.amount.is(c.amount))
	}
	if r.env != nil {
		out = min(out, r.env.is(c.env))
	}
	return out
}

// isClear reports whether every condition of the rules has a sure answer about a call.
func isClear(rules []plainRule, c *plainCall) bool {
	for i := range rules {
		r := &rules[i]
		if r.effect != AllowCall && (r.amount != nil && r.amount.is(c.amount) == unknown || r.env != nil && r.env.is(c.env) == unknown) {
			return false
		}
	}
	return true
}

var plainUniverse = func() (all []plainCall) {
	amounts := []string{"", "null", "true", `"x"`}
	for n := range 9 {
		v := fmt.Sprint(float64(n-1) / 2)
		amounts = append(amounts, v, "["+v+"]")
	}
	for _, tool := range []string{"pay", "pay_x", "pays", "refund", "other"} {
		for _, agent := range []string{"a", "b", "c"} {
			for _, amount := range amounts {
				for _, env := range []string{"", `"dev"`, `"prod"`, `"x"`, "2"} {
					for bits := range 4 {
						all = append(all, plainCall{tool, agent, amount, env, bits&1 == 1, bits&2 == 2})
					}
				}
			}
		}
	}
	return all
}()

func drawRule(g *rand.Rand, i int) plainRule {
	r := plainRule{name: fmt.Sprint("r", i), line: i + 2, effect: []string{DenyCall, HoldCall, HoldCall, AllowCall}[g.IntN(4)], people: 1}
	r.tool = []string{"", "", "pay", "pay*", "pay_*", "refund"}[g.IntN(6)]
	if r.effect == AllowCall {
		r.tool = []string{"pay", "refund"}[g.IntN(2)]
	}
	if g.IntN(4) == 0 {
		r.agent = []string{"a", "b"}[g.IntN(2)]
	}
	r.changes = g.IntN(5) == 0
	if g.IntN(2) == 0 {
		t := drawTest(g, []string{"1", "2", "3"})
		r.amount = &t
	}
	if g.IntN(3) == 0 {
		t := drawTest(g, []string{`"dev"`, `"prod"`})
		for strings.Contains(t.text, "min") || strings.Contains(t.text, "max") {
			t = drawTest(g, []string{`"dev"`, `"prod"`})
		}
		r.env = &t
	}
	if g.IntN(4) == 0 {
		r.hours = []string{"inside", "outside"}[g.IntN(2)]
	}
	if r.effect == HoldCall {
		r.people = 1 + g.IntN(2)
		if g.IntN(3) == 0 {
			r.from = [][]string{{"ann", "ben"}, {"ben", "cleo"}, {"ann", "ben", "cleo"}}[g.IntN(3)]
		}
	}
	if r.effect != AllowCall {
		r.requires, r.log = g.IntN(6) == 0, g.IntN(8) == 0
	}
	return r
}

func (r *plainRule) writeRule() string {
	var b strings.Builder
	fmt.Fprintf(&b, `{"name":%q,"effect":%q`, r.name, r.effect)
	add := func(when bool, format string, a ...any) {
		if when {
			fmt.Fprintf(&b, format, a...)
		}
	}
	add(r.tool != "", `,"tool":%q`, r.tool)
	add(r.agent != "", `,"agent":%q`, r.agent)
	add(r.changes, `,"changes":true`)
	var when []string
	if r.amount != nil {
		when = append(when, `"amount":`+r.amount.text)
	}
	if r.env != nil {
		when = append(when, `"env":`+r.env.text)
	}
	add(len(when) > 0 || r.effect == AllowCall, `,"when":{%s}`, strings.Join(when, ","))
	add(r.hours != "", `,"time":{%q:"08:00-18:00 Mon-Fri UTC"}`, r.hours)
	add(r.requires, `,"atMost":{"n":1,"per":"1h"}`)
	add(r.effect == HoldCall && r.people > 1, `,"people":%d`, r.people)
	add(r.from != nil, `,"from":["%s"]`, strings.Join(r.from, `","`))
	add(r.log, `,"mode":"log"`)
	add(r.effect == AllowCall, `,"until":"2030-01-01T00:00:00Z"`)
	return b.String() + "}"
}

// acceptsCall reports whether a rule that allows may let a call through.
func (r *plainRule) acceptsCall(c *plainCall) bool {
	value := func(t *plainTest, v string) bool {
		if t == nil {
			return v == ""
		}
		return v != "" && v != "null" && v[0] != '[' && t.is(v) == yes
	}
	bare := *r
	bare.amount, bare.env = nil, nil
	return bare.selectsCall(c) == yes && value(r.amount, c.amount) && value(r.env, c.env)
}

// simpleFindings tries all calls of the universe and all ways in which requirements may be
// met.
func simpleFindings(rules []plainRule) map[string]bool {
	never, hidden, nothing := make([]bool, len(rules)), make([]bool, len(rules)), make([]bool, len(rules))
	for i := range rules {
		never[i], hidden[i], nothing[i] = true, true, true
	}
	for k := range plainUniverse {
		c := &plainUniverse[k]
		if !isClear(rules, c) {
			continue
		}
		var applies []int // rules that apply surely, if their requirement is met as seldom as possible
		for i := range rules {
			if r := &rules[i]; r.effect != AllowCall && r.selectsCall(c) == yes {
				never[i] = false
				if !r.requires && !r.log {
					applies = append(applies, i)
				}
			}
		}
		for i := range rules {
			r := &rules[i]
			stricter := false
			for _, j := range applies {
				o := &rules[j]
				list := o.effect == DenyCall || r.from == nil || o.from != nil && !slices.ContainsFunc(o.from, func(n string) bool { return !slices.Contains(r.from, n) })
				rank := func(x *plainRule) int {
					if x.effect == DenyCall {
						return 100
					}
					return x.people
				}
				stricter = stricter || j != i && list && (rank(o) > rank(r) || rank(o) == rank(r) && o.line < r.line)
			}
			if r.effect != AllowCall && !r.log && r.selectsCall(c) == yes && !stricter {
				hidden[i] = false
			}
			if r.effect == AllowCall && r.acceptsCall(c) && len(applies) == 0 {
				nothing[i] = false
			}
		}
	}
	out := map[string]bool{}
	for i := range rules {
		r := &rules[i]
		switch {
		case r.effect == AllowCall && nothing[i]:
			out[r.name+" "+AllowsNothing] = true
		case r.effect != AllowCall && never[i]:
			out[r.name+" "+NeverApplies] = true
		case r.effect != AllowCall && !r.log && hidden[i]:
			out[r.name+" "+AlwaysHidden] = true
		}
	}
	return out
}

// TestProve compares what is proved about random policies with what is true of every call
// of a small universe. Nothing that is proved may be false, and where conditions only
// compare with constants, everything that is true is proved.
func TestProve(t *testing.T) {
	g := rand.New(rand.NewPCG(47, 1))
	proved := map[string]int{}
	for range drawn.Cases(80) {
		var rules []plainRule
		var texts []string
		for i := range 1 + g.IntN(5) {
			r := drawRule(g, i)
			rules, texts = append(rules, r), append(texts, r.writeRule())
		}
		policy := "{\"rules\":[\n" + strings.Join(texts, ",\n") + "]}"
		p := mustReadPolicy(t, policy)
		if err := p.SetZone(utc); err != nil {
			t.Fatal(err)
		}
		got := p.Prove(0)
		if len(got.Open) > 0 || got.Rules != len(rules) {
			t.Fatalf("%s\n%+v", policy, got)
		}
		want := simpleFindings(rules)
		for _, f := range got.Findings {
			if f.Kind == NobodyApproves {
				checkNobody(t, policy, rules, f)
				continue
			}
			proved[f.Kind]++
			if key := f.Name + " " + f.Kind; !want[key] {
				t.Fatalf("%s\nproved, but not true: %s: %s", policy, key, f.Text)
			} else {
				delete(want, key)
			}
		}
		if len(want) > 0 {
			t.Fatalf("%s\ntrue of the whole universe, but not proved: %v", policy, want)
		}
	}
	for _, kind := range []string{NeverApplies, AlwaysHidden, AllowsNothing} {
		if proved[kind] < 3 {
			t.Errorf("only %d rules are proved %q", proved[kind], kind)
		}
	}
}

// checkNobody checks that there is a call that is held, not denied, and has too few
// approvers.
func checkNobody(t *testing.T, policy string, rules []plainRule, f Finding) {
	t.Helper()
	for k := range plainUniverse {
		c := &plainUniverse[k]
		people, approvers, denied := 0, []string{"ann", "ben", "cleo"}, false
		for i := range rules {
			r := &rules[i]
			if r.effect == AllowCall || r.log || r.selectsCall(c) != yes {
				continue
			}
			denied = denied || r.effect == DenyCall && !r.requires
			people = max(people, r.people)
			if r.from != nil {
				approvers = slices.DeleteFunc(approvers, func(n string) bool { return !slices.Contains(r.from, n) })
			}
		}
		if isClear(rules, c) && !denied && len(approvers) < people {
			return
		}
	}
	t.Fatalf("%s\nproved, but not true: %+v", policy, f)
}

// TestProveCases has what the small universe lacks: tests of a text's content, patterns,
// settings of tools, several values at a path, and times that ended.
func TestProveCases(t *testing.T) {
	for _, c := range []struct{ policy, want string }{
		{`{"rules":[{"name":"a","when":{"path":{"not":{"under":"/srv"}}},"effect":"deny"},{"name":"b","when":{"path":{"under":"/srv"}},"effect":"deny"},{"name":"c","tool":"read_file","when":{"path":{"any":true}},"effect":"hold"}]}`,
			"c always hidden a (line 1), b (line 1)"},
		{`{"rules":[{"name":"a","when":{"path":{"under":"/srv"}},"effect":"deny"},{"name":"b","when":{"path":{"under":"/srv/data"}},"effect":"hold"}]}`, ""}, // true, and not found
		{`{"rules":[{"name":"a","tool":"pay_*","effect":"deny"},{"name":"b","tool":"pay_b*","effect":"hold"},{"name":"c","tool":"*_bank","effect":"hold"}]}`, "b always hidden a (line 1)"},
		{`{"tools":{"pay_*":{"deny":"no"}},"rules":[{"name":"b","tool":"pay_bill","effect":"deny"}]}`, "b always hidden deny of the tool pay_*"},
		{`{"fourEyes":["pay"],"rules":[{"name":"b","tool":"pay","effect":"hold","people":2},{"name":"c","tool":"pay","effect":"hold","people":1,"from":["ann"]}]}`,
			"b always hidden fourEyes of pay; c nobody can approve needs 2 people"},
		{`{"groups":{"x":["ann","ben"],"y":["ben","cleo"]},"rules":[{"name":"a","tool":"pay","effect":"hold","people":2,"from":"x"},{"name":"b","when":{"env":{"equals":"prod"}},"effect":"hold","from":"y"}]}`,
			"b nobody can approve tool pay, env \"prod\""},
		{`{"groups":{"x":["ann"],"y":["ben"]},"rules":[{"name":"a","tool":"pay","effect":"hold","from":"x"},{"name":"b","when":{"env":{"equals":"prod"}},"effect":"hold","from":"y"},{"name":"d","tool":"pay","effect":"deny"}]}`, "a always hidden d (line 1)"},
		{`{"rules":[{"name":"a","when":{"items.#.price":{"min":5,"max":4}},"effect":"deny"},{"name":"b","when":{"items.#.price":{"min":5}},"effect":"deny"},{"name":"c","when":{"items.#.price":{"min":6}},"effect":"hold"}]}`,
			"a never applies value of items.#.price; c always hidden b (line 1)"},
		{`{"rules":[{"name":"a","time":{"outside":"00:00-24:00 UTC"},"effect":"deny"},{"name":"b","time":{"outside":"08:00-18:00 Mon-Fri UTC"},"effect":"deny"},{"name":"c","time":{"inside":"20:00-06:00 UTC"},"effect":"hold"}]}`,
			"a never applies time UTC; c always hidden b (line 1)"},
		{`{"rules":[{"name":"a","tool":"pay","effect":"allow","until":"1970-01-01T00:00:01Z","when":{}},{"name":"b","tool":"pay","effect":"allow","until":"2030-01-01T00:00:00Z","when":{"amount":{"max":5}}},{"name":"c","tool":"pay","when":{"amount":{"not":{"min":6}}},"effect":"hold"}]}`,
			"a allows nothing until; b allows nothing c (line 1)"},
		{`{"rules":[{"name":"a","tool":"pay","atMost":{"n":1,"per":"1h"},"effect":"deny"},{"name":"b","tool":"pay","atMost":{"n":2,"per":"1h"},"effect":"deny"},{"name":"c","tool":"pay","mode":"log","effect":"deny"}]}`, ""},
		{`{"rules":[{"name":"a","asked":"data","effect":"deny"},{"name":"b","tool":"pay","asked":"nobody","effect":"hold"},{"name":"c","tool":"pay","effect":"hold"}]}`, ""},
		{`{"rules":[{"name":"a","asked":"nobody","effect":"deny"},{"name":"b","tool":"pay","asked":"data","effect":"hold"}]}`, "b always hidden a (line 1)"},
		{`{"groups":{"x":["ann"],"y":["ben"]},"rules":[{"name":"a","asked":"data","effect":"hold","from":"x"},{"name":"b","asked":"user","effect":"hold","from":"y"}]}`, ""},
		{`{"rules":[{"name":"a","tool":"pay","asked":"nobody","effect":"deny"},{"name":"b","tool":"pay","effect":"hold","people":2},{"name":"c","tool":"pay","asked":"data","effect":"deny"}]}`, "c always hidden a (line 1)"},
		{`{"rules":[{"name":"a","asked":"user","effect":"deny"},{"name":"b","asked":"nobody","effect":"deny"},{"name":"c","effect":"hold"}]}`, ""}, // who asked is not always known
		{`{"rules":[{"name":"a","when":{"n":{"equals":1e-70}},"effect":"deny"},{"name":"b","when":{"n":{"any":true}},"effect":"hold"}]}`, "open a, b"},
	} {
		p := mustReadPolicy(t, c.policy)
		if err := p.SetZone(utc); err != nil {
			t.Fatal(err)
		}
		proof := p.Prove(2000)
		var got []string
		for _, f := range proof.Findings {
			got = append(got, f.Name+" "+f.Kind+" "+f.Text)
		}
		if len(proof.Open) > 0 {
			got = append(got, "open "+strings.Join(proof.Open, ", "))
		}
		want := strings.Split(c.want, "; ")
		if c.want == "" {
			want = nil
		}
		if len(got) != len(want) {
			t.Errorf("%s\n%q, want %q", c.policy, got, want)
			continue
		}
		for i := range want {
			for _, part := range strings.Fields(want[i]) {
				if !strings.Contains(got[i], part) {
					t.Errorf("%s\n%q, want %q", c.policy, got[i], want[i])
				}
			}
		}
	}
}
