// Package waiting plays with calls that may run only some time after their approval, at one
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
	// Others is how many other calls the agent makes in the same session in between.
	Others int
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

// Play makes random steps: the agent makes one of its calls, time passes, a person approves,
// denies or takes back. An approved call must run exactly once, at the first call at or after
// its time, and a call before that must change nothing. It returns how often a call ran, how
// often one came early, and how often a yes came too late.
func Play(t *testing.T, rng *rand.Rand, d Door, name string, steps int) (runs, early, late int) {
	t.Helper()
	p := &player{t: t, rng: rng, d: d}
	calls := make([]called, 1+d.Others)
	for i := range calls {
		calls[i].arguments = fmt.Sprintf(`{"id":"%s, %d"}`, name, i)
	}
	for range steps * len(calls) {
		c := &calls[rng.IntN(len(calls))]
		switch k := rng.IntN(12); {
		case k < 4:
			d.Pass([]int64{1, 1000, wait - 1, wait, wait, expiry - 1, rng.Int64N(wait), rng.Int64N(2 * expiry)}[rng.IntN(8)])
		case k < 8:
			p.makeCall(c)
		case k < 11:
			p.approveNewest(c)
		default:
			p.endNewest(c)
		}
	}
	return p.runs, p.early, p.late
}

type player struct {
	t                 *testing.T
	rng               *rand.Rand
	d                 Door
	runs, early, late int
}

// called is one of the agent's calls, with its proposals.
type called struct {
	arguments string
	all       []*record
}

func (c *called) newest() *record {
	if len(c.all) == 0 {
		return &record{ended: true}
	}
	return c.all[len(c.all)-1]
}

func (p *player) lookUp(r *record) string {
	status, text := p.d.Send("GET", "/v1/proposals/"+r.id, "")
	if status != 200 {
		p.t.Fatalf("%s: %d %s", r.id, status, text)
	}
	return text
}

// makeCall lets the agent make a call.
func (p *player) makeCall(c *called) {
	p.t.Helper()
	r, now := c.newest(), p.d.Now()
	before, due := "", r.isApproved(now) && now >= r.yes+wait
	if r.isApproved(now) {
		before = p.lookUp(r)
	}
	ran, told := p.d.Call(c.arguments)
	switch {
	case ran != due:
		p.t.Fatalf("%s: ran %v, want %v, %d after the yes and %d after the question: %s", c.arguments, ran, due, now-r.yes, now-r.asked, told)
	case ran:
		r.handed = true
		p.runs++
	case r.isApproved(now):
		if after := p.lookUp(r); after != before {
			p.t.Fatalf("%s: an early claim changed\n%s\nto\n%s", c.arguments, before, after)
		}
		if !strings.Contains(told, "run only from") || strings.Contains(told, "not approved") {
			p.t.Fatalf("%s: of an early claim it is said: %s", c.arguments, told)
		}
		p.early++
	}
	p.findNewest(c, now)
}

// approveNewest lets a person say yes to the newest proposal of a call.
func (p *player) approveNewest(c *called) {
	p.t.Helper()
	r, now := c.newest(), p.d.Now()
	if r.id == "" {
		return
	}
	want := r.isOpen(now)
	status, text := p.d.Send("POST", "/v1/proposals/"+r.id+"/decision", `{"approve":true,"digest":"`+r.digest+`"}`)
	if (status == 200) != want {
		p.t.Fatalf("%s: a yes %d after the question: %d %s", c.arguments, now-r.asked, status, text)
	}
	if want {
		r.yes = now
	} else if r.yes == 0 && !r.ended {
		p.late++
	}
}

// endNewest lets a person deny the newest proposal of a call, or take its approval back, now and then.
func (p *player) endNewest(c *called) {
	p.t.Helper()
	r, now := c.newest(), p.d.Now()
	what, body := "/revoke", `{}`
	if r.yes == 0 {
		what, body = "/decision", `{"approve":false,"digest":"`+r.digest+`"}`
	}
	if r.id == "" || p.rng.IntN(2) != 0 {
		return
	}
	want := r.isOpen(now) || r.isApproved(now)
	if status, text := p.d.Send("POST", "/v1/proposals/"+r.id+what, body); (status == 200) != want {
		p.t.Fatalf("%s: %s: %d %s", c.arguments, what, status, text)
	}
	r.ended = r.ended || want
}

// findNewest adds the proposals of the call that wait and are not known yet.
func (p *player) findNewest(c *called, now int64) {
	p.t.Helper()
	_, text := p.d.Send("GET", "/v1/proposals?limit=200", "")
	var list struct {
		Pending []struct {
			ID, Digest string
			Arguments  json.RawMessage
		}
	}
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		p.t.Fatal(err, text)
	}
	seen := map[string]bool{}
	for _, r := range c.all {
		seen[r.id] = true
	}
	for _, w := range list.Pending {
		if string(w.Arguments) == c.arguments && !seen[w.ID] {
			c.all = append(c.all, &record{id: w.ID, digest: w.Digest, asked: now})
		}
	}
}
