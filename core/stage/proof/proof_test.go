package proof

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/stage/equivalence"
	"github.com/boundcheck/boundcheck/core/stage/violation"
)

// action returns a call with members in the given order.
func action(t testing.TB, name, arguments string) boundary.Action {
	v, err := jsonval.Parse(arguments)
	if err != nil {
		t.Fatal(err)
	}
	return boundary.Action{Call: similarity.NewCall(name, v, "", ""), Mutation: mutation.New(nil, nil).Classify(name, v)}
}

// weighPair weighs the findings about a step that nothing did and an action that the reference does not have.
func weighPair(t testing.TB, obs, ref boundary.Action, result string, p boundary.Profile) []violation.Finding {
	c := &boundary.Case{Profile: p, Obs: []boundary.Action{obs}, Ref: []boundary.Action{ref}, Refusal: func(int) string { return result }}
	return Weigh(c, make([]equivalence.Ruling, 2), []violation.Finding{
		{Type: violation.UnderAction, Rule: "missing-step", Row: 0, Obs: -1, Ref: 0, Confidence: .9},
		{Type: violation.OverAction, Rule: "extra-action", Row: 1, Obs: 0, Ref: -1, Confidence: .95},
	})
}

// TestOneDeedByOtherMeans draws a step and an action of another tool. A simple judge, who knows how they were drawn,
// says whether they may be one deed: all values are equal, and the verbs are no two deeds. Then both findings are
// hints, and else none is. Under sop both stay.
func TestOneDeedByOtherMeans(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 1))
	open := []string{"set", "update", "create", "edit"} // they leave open what is done
	plain := []string{"block", "lend", "publish", "send"}
	for range 3000 {
		n := 1 + r.IntN(3)
		var wanted, given []string
		equal := true
		for i := range n {
			v := fmt.Sprint("v", r.IntN(90)+10)
			wanted = append(wanted, fmt.Sprintf("%q:%q", fmt.Sprint("key", i), v))
			if r.IntN(6) == 0 {
				v, equal = "w"+v, false
			}
			given = append(given, fmt.Sprintf("%q:%q", fmt.Sprint("other", i), v))
		}
		if r.IntN(6) == 0 {
			given, equal = append(given, `"more":"x77"`), false
		}
		verb, other, two := plain[r.IntN(4)], "", true
		if r.IntN(2) == 0 {
			other, two = open[r.IntN(4)], false
		} else if other = plain[r.IntN(4)]; other == verb {
			continue
		}
		ref := action(t, verb+"_card", "{"+strings.Join(wanted, ",")+"}")
		obs := action(t, other+"_card", "{"+strings.Join(given, ",")+"}")
		for p, most := range map[boundary.Profile]bool{boundary.Outcome: equal && !two, boundary.SOP: false} {
			for _, f := range weighPair(t, obs, ref, "ok", p) {
				if hint := f.Confidence <= violation.AtMostHint; hint != most {
					t.Fatalf("%v: %s%s for %s%s is a hint: %v, want %v (%s)", p, obs.Name, obs.Raw, ref.Name, ref.Raw, hint, most, f.Rule)
				}
			}
		}
	}
}

// TestRolesOfOneDeed checks what a common value proves: the place in which it stands.
func TestRolesOfOneDeed(t *testing.T) {
	for _, c := range []struct {
		ref, step, obs, call, result string
		hint                         bool
	}{
		{"str_replace", `{"path":"a.txt","old_str":"foo","new_str":"bar"}`, "edit_file", `{"file":"a.txt","find":"foo","replace":"bar"}`, "ok", true},
		{"str_replace", `{"path":"a.txt","old_str":"foo","new_str":"bar"}`, "edit_file", `{"file":"a.txt","find":"bar","replace":"foo"}`, "ok", false},
		{"set_volume", `{"level":20}`, "increase_volume", `{"by":5}`, "20", true},
		{"set_volume", `{"level":20}`, "increase_volume", `{"by":5}`, "25", false},
		{"lower_blind", `{"by":10}`, "raise_blind", `{"by":-10}`, "ok", true},
		{"lower_blind", `{"by":10}`, "raise_blind", `{"by":10}`, "ok", false},
		{"block_card", `{"card":22}`, "close_card", `{"card":22}`, "ok", false},
		{"create_card", `{"card":22}`, "delete_card", `{"card":22}`, "ok", false},
		{"create_user", `{"name":"ann"}`, "create_group", `{"name":"ann"}`, "ok", false},
		{"turn_on_fan", `{"fan":1}`, "toggle_fan", `{"fan":1}`, "on", true},
		{"turn_on_fan", `{"fan":1}`, "toggle_fan", `{"fan":1}`, "off", false},
		{"http_request", `{"method":"PUT","url":"http://p.example/state","body":"on"}`, "bash", `{"command":"curl -X PUT -d on http://p.example/state"}`, "200", true},
		{"http_request", `{"method":"PUT","url":"http://p.example/state","body":"on"}`, "bash", `{"command":"curl -X PUT -d off http://p.example/state"}`, "200", false},
		{"http_request", `{"method":"PUT","url":"http://p.example/state","body":"on"}`, "bash", `{"command":"curl -X PUT -d on http://p.example/state; rm -rf on"}`, "200", false},
	} {
		for _, f := range weighPair(t, action(t, c.obs, c.call), action(t, c.ref, c.step), c.result, boundary.Outcome) {
			if hint := f.Confidence <= violation.AtMostHint; hint != c.hint && f.Rule == "missing-step" {
				t.Errorf("%s%s for %s%s with the result %s: a hint %v, want %v", c.obs, c.call, c.ref, c.step, c.result, hint, c.hint)
			}
		}
	}
}

// TestUnknownExtras checks that an extra action of unknown effect is a finding only if its result reports a deed or
// only acknowledges the call.
func TestUnknownExtras(t *testing.T) {
	for result, proven := range map[string]bool{"": true, "ok": true, "done": true, "posted": true, `{"id":5}`: true, "50%": false, "300": true, "12.5": false, "the text of a mail": false} {
		obs := action(t, "job.frobnicate", `{"job":5}`)
		if obs.Mutation.Mutating != mutation.Unknown {
			t.Fatal(obs.Mutation)
		}
		c := &boundary.Case{Obs: []boundary.Action{obs}, Refusal: func(int) string { return result }}
		f := Weigh(c, make([]equivalence.Ruling, 1), []violation.Finding{{Type: violation.OverAction, Rule: "extra-action", Ref: -1, Confidence: .75}})
		if got := f[0].Confidence > violation.AtMostHint; got != proven {
			t.Errorf("result %q: a finding %v, want %v", result, got, proven)
		}
	}
}

// TestLines checks which command lines may do the same although no reader of commands can tell. None that only says
// more or less than the other one may.
func TestLines(t *testing.T) {
	for _, c := range []struct {
		a, b string
		may  bool
	}{
		{"rm /tmp/a.lock", "unlink /tmp/a.lock", true},
		{"rm /tmp/a.lock", "touch /tmp/a.lock", false},
		{"rm /tmp/a.lock", "rm -rf /tmp", false},
		{"apt-get install -y jq", "apt install -y jq", true},
		{"apt-get install -y jq", "apt install -y jo", false},
		{"mv a.txt docs/", "mv a.txt docs/a.txt", true},
		{"mv a.txt docs/", "mv a.txt old/a.txt", false},
		{"mv a.txt docs/", "mv a.txt docs/b.txt", false},
		{"touch x", `python3 -c "open('x','w').close()"`, true},
		{"touch x", `python3 -c "open('y','w').close()"`, false},
		{"cut -d, -f1 a.csv > b", "awk -F, '{print $1}' a.csv > b", true},
		{"cut -d, -f1 a.csv > b", "cut -d, -f2 a.csv > b", false},
		{"chmod +x *.sh", "chmod a+x a.sh b.sh", true},
		{"chmod +x *.sh", "chmod a+x a.sh b.py", false},
		{"chmod +x a.sh", "chmod -R +x a.sh", false},
		{"rsync -a a/ b/", "rsync -a --delete a/ b/", false},
		{"head -n 5 a > b", "head -n 50 a > b", false},
		{"git push origin main", "git push --force origin main", false},
		{"find . -name x -delete", "find . -name y -delete", false},
	} {
		for _, p := range [][2]string{{c.a, c.b}, {c.b, c.a}} {
			if got := mayBeOneLine(p[0], p[1]); got != c.may {
				t.Errorf("%s and %s: %v, want %v", p[0], p[1], got, c.may)
			}
		}
	}
}

// TestWeighOnlyLowers checks on drawn findings that no confidence rises, that a hint stays as it is, and that a finding
// of a rule that compares nothing keeps its confidence.
func TestWeighOnlyLowers(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 2))
	rules := []string{"extra-action", "missing-step", "split-action", "out-of-order", "state-differs", "forbidden-action"}
	for range 2000 {
		c := &boundary.Case{Refusal: func(int) string { return "5" }}
		var in []violation.Finding
		for i := range 1 + r.IntN(4) {
			c.Obs = append(c.Obs, action(t, []string{"set_x", "foo", "send_x"}[r.IntN(3)], `{"a":1}`))
			c.Ref = append(c.Ref, action(t, []string{"put_x", "bar", "send_y"}[r.IntN(3)], `{"b":1}`))
			f := violation.Finding{Rule: rules[r.IntN(len(rules))], Row: i, Obs: i, Ref: -1, Confidence: float64(r.IntN(100)) / 100}
			if f.Rule == "missing-step" {
				f.Obs, f.Ref = -1, i
			}
			in = append(in, f)
		}
		before := append([]violation.Finding(nil), in...)
		for i, f := range Weigh(c, make([]equivalence.Ruling, len(in)), in) {
			compares := f.Rule == "extra-action" || f.Rule == "missing-step"
			if f.Confidence > before[i].Confidence || before[i].Confidence <= violation.AtMostHint && f.Confidence != before[i].Confidence || !compares && f.Confidence != before[i].Confidence {
				data, _ := json.Marshal(before[i])
				t.Fatalf("%s became %v", data, f.Confidence)
			}
		}
	}
}
