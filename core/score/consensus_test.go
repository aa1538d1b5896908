package score

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/internal/recordings"
)

func TestAgree(t *testing.T) {
	run := func(task, actions string) string {
		return fmt.Sprintf(`{"task":%q,"actions":[%s]}`, task, actions)
	}
	get, a, b := `{"name":"get_order","arguments":{"id":"W-1"}}`, `{"name":"cancel_order","arguments":{
		"id": "W-1"}}`, `{"name":"cancel_order","arguments":{"id":"W-2"}}`
	failed := `{"name":"cancel_order","arguments":{"id":"W-2"},"error":"locked"}`
	request, err := ReadRequest([]byte(`{"trace":[` + strings.Join([]string{run("t1", get+","+a+","+b), run("t1", b+","+a), run("t1", a+","+failed), run("t2", a), run("t3", get), run("t3", "")}, ",") + `]}`))
	if err != nil {
		t.Fatal(err)
	}
	r, err := Evaluate(request)
	if err != nil {
		t.Fatal(err)
	}
	got := report.Agree(&r)
	if len(got) != 2 || got[0].Task != "t1" || got[1].Task != "t3" || got[0].Runs != 3 || len(got[0].Clusters) != 2 || len(got[1].Clusters) != 1 {
		t.Fatalf("%+v", got)
	}
	share, majority := got[0].Support()
	if share != 2.0/3 || !majority || len(got[0].Clusters[0].Runs) != 2 || len(got[0].Clusters[0].Effects) != 2 {
		t.Errorf("%v %v %+v", share, majority, got[0])
	}
	if e := got[0].Clusters[0].Effects; e[0] != `cancel_order {"id":"W-1"}` || e[1] != `cancel_order {"id":"W-2"}` {
		t.Errorf("%q", e)
	}
	p := got[0].Clusters[1].Parting
	if p == nil || p.Own != -1 || p.Other != 2 || !strings.Contains(p.OtherText, "W-2") || got[0].Clusters[0].Parting != nil {
		t.Errorf("%+v", p)
	}
}

// TestConsensusRecorded prints how well the other trials of a task predict the outcome of
// a run. A run with the same changes as most other trials should be a success. A run with
// different changes should be a failure.
func TestConsensusRecorded(t *testing.T) {
	r, err := Evaluate(Request{Inputs: []Source{{Data: recordings.Read(t, "tau-bench/gpt-4o-airline.json")}}, Options: Options{Unreferenced: true}})
	if err != nil {
		t.Fatal(err)
	}
	truth, right, n, alone, failed := readReplayLabels(t)["gpt-4o-airline.json"], 0, 0, 0, 0
	success, flagged := map[string]bool{}, map[string]bool{}
	for i := range r.Trajectories {
		success[r.Trajectories[i].ID], flagged[r.Trajectories[i].ID] = truth[i], r.Trajectories[i].Flagged
	}
	both, bothFailed := 0, 0
	for _, c := range report.Agree(&r) {
		for _, cluster := range c.Clusters {
			for _, id := range cluster.Runs {
				most, apart := 0, true // among the other runs
				for _, other := range c.Clusters {
					size := len(other.Runs)
					if &other.Runs[0] == &cluster.Runs[0] {
						size--
					}
					if 2*size > c.Runs-1 {
						most, apart = size, &other.Runs[0] != &cluster.Runs[0]
					}
				}
				if most == 0 {
					continue
				}
				n++
				if success[id] == !apart {
					right++
				}
				if apart {
					alone++
					if !success[id] {
						failed++
					}
					if flagged[id] {
						both++
						if !success[id] {
							bothFailed++
						}
					}
				}
			}
		}
	}
	t.Logf("%d of %d runs with a majority of other trials: it agrees with the outcome (%.2f); of %d that stand apart %d failed (%.2f); of %d of these that the lint flags, too, %d failed",
		right, n, fractionOf(right, n), alone, failed, fractionOf(failed, alone), both, bothFailed)
	if fractionOf(right, n) < 0.6 {
		t.Errorf("%.2f agree, want at least 0.60", fractionOf(right, n))
	}
}

// TestReferenceByConsensus checks the choice of a reference by majority. The reference of
// a run is another run of its task, and most of the other runs must have made the same
// changes as this reference. Without a majority there is no reference.
func TestReferenceByConsensus(t *testing.T) {
	run := func(task, id string) string {
		return fmt.Sprintf(`{"task":%q,"actions":[{"name":"cancel_order","arguments":{"id":%q}}]}`, task, id)
	}
	runs := []string{run("t1", "W-1"), run("t1", "W-1"), run("t1", "W-1"), run("t1", "W-2"), run("t2", "W-1"), run("t2", "W-1"), run("t3", "W-1"), run("t3", "W-1"), run("t3", "W-2")}
	check := func(share float64, want string) {
		t.Helper()
		r, err := Evaluate(Request{Inputs: []Source{{Data: []byte("[" + strings.Join(runs, ",") + "]")}}, Options: Options{Consensus: share}})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for i := range r.Trajectories {
			x := &r.Trajectories[i]
			switch {
			case x.Support == nil && x.Reference == nil:
				got = append(got, "-")
			case x.Support == nil || x.Reference == nil:
				t.Errorf("%s: support %v, reference %v", x.ID, x.Support, x.Reference)
			default:
				if x.Support.Run == x.ID {
					t.Errorf("%s supports itself", x.ID)
				}
				got = append(got, fmt.Sprintf("%d/%d %v", x.Support.Agree, x.Support.Of, x.Flagged))
			}
		}
		if s := strings.Join(got, ", "); s != want {
			t.Errorf("%v: %s, want %s", share, s, want)
		}
		if n := len(r.Warnings); n == 0 || r.Warnings[n-1].Code != "reference-by-consensus" {
			t.Errorf("%+v", r.Warnings)
		}
	}
	check(0.5, "2/3 false, 2/3 false, 2/3 false, 3/3 true, -, -, -, -, 2/2 true")
	check(0.8, "-, -, -, 3/3 true, -, -, -, -, 2/2 true")
}

// TestConsensusReferenceRecorded prints how often the verdict equals the recorded outcome
// if the reference comes from the majority of the other runs.
func TestConsensusReferenceRecorded(t *testing.T) {
	r, err := Evaluate(Request{Inputs: []Source{{Data: recordings.Read(t, "tau-bench/gpt-4o-airline.json")}}, Options: Options{Consensus: 0.5}})
	if err != nil {
		t.Fatal(err)
	}
	truth := readReplayLabels(t)["gpt-4o-airline.json"]
	var n, right, all, allRight int
	for i := range r.Trajectories {
		x := &r.Trajectories[i]
		if x.Support == nil {
			continue
		}
		n++
		if x.Flagged != truth[i] {
			right++
		}
		if x.Support.Agree == x.Support.Of {
			all++
			if x.Flagged != truth[i] {
				allRight++
			}
		}
	}
	t.Logf("%d of %d runs have a reference by consensus; the verdict is the outcome's in %d (%.0f %%), where all others agree in %d of %d", n, len(r.Trajectories), right, 100*fractionOf(right, n), allRight, all)
}

// TestAgreeAsStageTwo checks with random runs that two runs are in one group exactly if
// each makes the changes of the other, however their arguments are written: in another
// order of actions, members and entities, with white space, or with null members.
func TestAgreeAsStageTwo(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 51))
	type act struct{ order, items, amount int } // items has a bit for each item
	write := func(acts []act) string {
		var out []string
		for _, i := range r.Perm(len(acts)) {
			a := acts[i]
			var items []string
			for _, k := range r.Perm(4) {
				if a.items&(1<<k) != 0 {
					items = append(items, fmt.Sprintf(`"i%d"`, k))
				}
			}
			members := []string{fmt.Sprintf(`"order_id":" #W%d"`, a.order), `"item_ids":[` + strings.Join(items, ", ") + `]`, fmt.Sprintf(`"amount":%d%s`, a.amount, []string{"", ".0"}[r.IntN(2)])}
			if r.IntN(2) == 0 {
				members = append(members, `"note":null`)
			}
			r.Shuffle(len(members), func(i, k int) { members[i], members[k] = members[k], members[i] })
			out = append(out, `{"name":"return_items","arguments":{`+strings.Join(members, ",")+`}}`)
		}
		return `{"task":"t","actions":[` + strings.Join(out, ",") + `]}`
	}
	draw := func() (acts []act) {
		for range 1 + r.IntN(2) {
			acts = append(acts, act{r.IntN(2), 1 + r.IntN(15), 5 + r.IntN(2)})
		}
		return acts
	}
	sorted := func(acts []act) string {
		acts = slices.Clone(acts)
		slices.SortFunc(acts, func(a, b act) int { return cmp.Compare(a.order<<8|a.items<<4|a.amount, b.order<<8|b.items<<4|b.amount) })
		return fmt.Sprint(acts)
	}
	for range 150 {
		a, b := draw(), draw()
		if r.IntN(2) == 0 {
			b = a
		}
		scored, err := Evaluate(Request{Inputs: []Source{{Data: []byte("[" + write(a) + "," + write(b) + "]")}}})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := len(report.Agree(&scored)[0].Clusters) == 1, sorted(a) == sorted(b); got != want {
			t.Fatalf("%v and %v: one group: %v, want %v", a, b, got, want)
		}
	}
}

// TestParting checks that the first difference shows what differs, and not the beginning
// that two changes share.
func TestParting(t *testing.T) {
	long := strings.Repeat("The same words. ", 40)
	call := func(name, arguments string) string {
		return fmt.Sprintf(`{"name":%q,"arguments":%s}`, name, arguments)
	}
	for _, c := range []struct{ most, one, own, other string }{
		{call("send_mail", `{"to":"a@x.org","body":"`+long+`Yes, gladly."}`), call("send_mail", `{"to":"a@x.org","body":"`+long+`No, sorry."}`),
			`send_mail {…,"body":…No, sorry."}`, `send_mail {…,"body":…Yes, gladly."}`},
		{call("return_items", `{"order_id":"W1","item_ids":["i1","i2"]}`), call("return_items", `{"order_id":"W1","item_ids":["i2","i3"]}`),
			`return_items {…,"item_ids[0]":"i2","item_ids[1]":"i3"}`, `return_items {…,"item_ids[0]":"i1","item_ids[1]":"i2"}`},
		{call("pay", `{"id":"p1"}`), call("pay", `{"id":"p1","tip":4}`), `pay {…,"tip":4}`, `pay {…}`},
		{call("pay", `{"id":"p1"}`), call("refund", `{"id":"p1"}`), `refund {"id":"p1"}`, `pay {"id":"p1"}`},
		{call("a", `{"id":1}`) + "," + call("pay", `{"id":2}`), call("pay", `{"id":3}`) + "," + call("a", `{"id":1}`), `pay {"id":3}`, `pay {"id":2}`},
	} {
		run := func(acts string) string { return `{"task":"t","actions":[` + acts + `]}` }
		scored, err := Evaluate(Request{Inputs: []Source{{Data: []byte("[" + run(c.most) + "," + run(c.most) + "," + run(c.one) + "]")}}})
		if err != nil {
			t.Fatal(err)
		}
		p := report.Agree(&scored)[0].Clusters[1].Parting
		if p == nil || p.OtherText != c.other && !endsAlike(p.OtherText, c.other) || p.OwnText != c.own && !endsAlike(p.OwnText, c.own) {
			t.Errorf("%+v, want %q and %q", p, c.own, c.other)
		}
	}
}

// endsAlike reports whether a text begins and ends as another text that has an ellipsis
// for the middle.
func endsAlike(text, want string) bool {
	at := strings.LastIndex(want, "…")
	return at > 0 && len(text) < 120 && strings.HasPrefix(text, want[:at]) && strings.HasSuffix(text, want[at+len("…"):])
}
