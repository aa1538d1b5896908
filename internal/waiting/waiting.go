// Package waiting plays with a call that may run only some time after its approval, at one
// door of a gate, and compares what happens with a simple model. It is for tests.
package waiting

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// The times of Policy, in milliseconds.
const (
	expiry = 60_000
	wait   = 40_000
)

// Policy is the policy of the gate: calls of every tool wait.
const Policy = `{"expiry":"60s","cooldown":"none","tools":{"*":{"wait":"40s"}}}`

// Door is one way to a gate with Policy.
type Door struct {
	// Call lets the agent make the call with these arguments, which it makes at each turn
	// again. It reports whether the call ran, and what the agent was told.
	Call func(arguments string) (ran bool, told string)
	// Send sends a request of an approver to the gate's API.
	Send func(method, path, body string) (status int, text string)
	Now  func() int64 // the gate's time
	Pass func(ms int64)
}

// record is what the model knows of a proposal: only the times at which things happened.
type record struct {
	id, digest    string
	asked, yes    int64 // yes is 0 without one
	ended, handed bool  // it was denied or taken back; it ran
}

func (r *record) isOpen(now int64) bool {
	return !r.ended && r.yes == 0 && now < r.asked+expiry
}

func (r *record) isApproved(now int64) bool {
	return !r.ended && !r.handed && r.yes != 0 && now < r.asked+expiry+wait
}

// Play makes random steps: the agent makes its call, time passes, a person approves, denies
// or takes back. An approved call must run exactly once, at the first call at or after its
// time, and a call before that must change nothing. It returns how often the call ran, how
// often it came early, and how often a yes came too late.
func Play(t *testing.T, rng *rand.Rand, d Door, name string, steps int) (runs, early, late int) {
	t.Helper()
	arguments := fmt.Sprintf(`{"id":%q}`, name)
	var all []*record
	last := func() *record {
		if len(all) == 0 {
			return &record{ended: true}
		}
		return all[len(all)-1]
	}
	see := func(r *record) string {
		status, text := d.Send("GET", "/v1/proposals/"+r.id, "")
		if status != 200 {
			t.Fatalf("%s: %d %s", name, status, text)
		}
		return text
	}
	for step := range steps {
		r, now := last(), d.Now()
		switch k := rng.IntN(12); {
		case k < 4:
			d.Pass([]int64{1, 1000, wait - 1, wait, wait, expiry - 1, rng.Int64N(wait), rng.Int64N(2 * expiry)}[rng.IntN(8)])
		case k < 8:
			before, due := "", r.isApproved(now) && now >= r.yes+wait
			if r.isApproved(now) {
				before = see(r)
			}
			ran, told := d.Call(arguments)
			switch {
			case ran != due:
				t.Fatalf("%s, step %d: ran %v, want %v, %d after the yes and %d after the question: %s", name, step, ran, due, now-r.yes, now-r.asked, told)
			case ran:
				r.handed = true
				runs++
			case r.isApproved(now):
				if after := see(r); after != before {
					t.Fatalf("%s: an early claim changed\n%s\nto\n%s", name, before, after)
				}
				if !strings.Contains(told, "run only from") || strings.Contains(told, "not approved") {
					t.Fatalf("%s: of an early claim it is said: %s", name, told)
				}
				early++
			}
			all = append(all, listNewest(t, d, arguments, all, now)...)
		case k < 11:
			if r.id == "" {
				continue
			}
			want := r.isOpen(now)
			status, text := d.Send("POST", "/v1/proposals/"+r.id+"/decision", `{"approve":true,"digest":"`+r.digest+`"}`)
			if (status == 200) != want {
				t.Fatalf("%s, step %d: a yes %d after the question: %d %s", name, step, now-r.asked, status, text)
			}
			if want {
				r.yes = now
			} else if r.yes == 0 && !r.ended {
				late++
			}
		default:
			what, body := "/revoke", `{}`
			if r.yes == 0 {
				what, body = "/decision", `{"approve":false,"digest":"`+r.digest+`"}`
			}
			if r.id != "" && rng.IntN(2) == 0 {
				want := r.isOpen(now) || r.isApproved(now)
				if status, text := d.Send("POST", "/v1/proposals/"+r.id+what, body); (status == 200) != want {
					t.Fatalf("%s: %s: %d %s", name, what, status, text)
				}
				r.ended = r.ended || want
			}
		}
	}
	return runs, early, late
}

// listNewest returns the proposals of the call that wait and are not known yet.
func listNewest(t *testing.T, d Door, arguments string, known []*record, now int64) (out []*record) {
	t.Helper()
	_, text := d.Send("GET", "/v1/proposals?limit=200", "")
	var list struct {
		Pending []struct {
			ID, Digest string
			Arguments  json.RawMessage
		}
	}
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		t.Fatal(err, text)
	}
	seen := map[string]bool{}
	for _, r := range known {
		seen[r.id] = true
	}
	for _, p := range list.Pending {
		if string(p.Arguments) == arguments && !seen[p.ID] {
			out = append(out, &record{id: p.ID, digest: p.Digest, asked: now})
		}
	}
	return out
}
