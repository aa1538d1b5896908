//go:build !js

package client

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math/big"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/core/gate/proposal"
	"github.com/boundcheck/boundcheck/internal/drawn"
)

func pauseShortly(ctx context.Context) {
	select {
	case <-ctx.Done():
	case <-time.After(5 * time.Millisecond):
	}
}

// network loses, doubles, delays, repeats and cuts what goes through it.
type network struct {
	d    *desk
	mu   sync.Mutex
	draw *rand.Rand
	kept map[string]*httptest.ResponseRecorder // the last good answer to each claim
	late sync.WaitGroup

	repeated int
}

// repeatAnswers answers with the first answer that says that a call is approved, or claimed, whenever
// the same is asked again.
func (n *network) repeatAnswers(w http.ResponseWriter, r *http.Request, body []byte) {
	n.mu.Lock()
	a := n.kept[r.URL.Path]
	n.mu.Unlock()
	if a == nil {
		a = httptest.NewRecorder()
		n.d.passOn(a, r, body)
	}
	n.mu.Lock()
	if first := n.kept[r.URL.Path]; first != nil {
		a, n.repeated = first, n.repeated+1
	} else if text := a.Body.String(); strings.Contains(text, `"state":"approved"`) || strings.Contains(text, `"grant":"`) {
		n.kept[r.URL.Path] = a
	}
	n.mu.Unlock()
	w.WriteHeader(a.Code)
	w.Write(a.Body.Bytes())
}

// drawBelow draws a number; handlers run at once.
func (n *network) drawBelow(most int) int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.draw.IntN(most)
}

func (n *network) serveBadly(w http.ResponseWriter, r *http.Request, body []byte) {
	ask := func() *httptest.ResponseRecorder {
		a := httptest.NewRecorder()
		n.d.passOn(a, r, body)
		if a.Code == 200 && strings.HasSuffix(r.URL.Path, "/claim") {
			n.mu.Lock()
			n.kept[r.URL.Path] = a
			n.mu.Unlock()
		}
		return a
	}
	drop := func() { panic(http.ErrAbortHandler) }
	send := func(a *httptest.ResponseRecorder, text []byte) {
		for name, values := range a.Header() {
			w.Header()[name] = values
		}
		w.WriteHeader(a.Code)
		w.Write(text)
	}
	switch n.drawBelow(16) {
	case 0: // the request is lost
		drop()
	case 1, 2: // the answer is lost
		ask()
		drop()
	case 3: // the request comes twice, and one of the answers
		first, second := ask(), ask()
		if n.drawBelow(2) == 0 {
			first = second
		}
		send(first, first.Body.Bytes())
	case 4: // the request comes after its sender has given up
		n.late.Go(func() {
			time.Sleep(time.Duration(n.drawBelow(150)) * time.Millisecond)
			ask()
		})
		drop()
	case 5: // the answer is cut, and says so by its length
		a := ask()
		send(a, a.Body.Bytes()[:n.drawBelow(a.Body.Len())])
		drop()
	case 6: // the answer is cut, and does not say so
		a := ask()
		a.Header().Del("Content-Length")
		send(a, a.Body.Bytes()[:n.drawBelow(a.Body.Len())])
	case 7: // something between answers
		w.WriteHeader([]int{502, 503, 504}[n.drawBelow(3)])
		fmt.Fprint(w, "<html>no answer</html>")
	case 8: // an earlier answer to the same claim comes again
		n.mu.Lock()
		a := n.kept[r.URL.Path]
		n.mu.Unlock()
		if a == nil {
			a = ask()
		}
		send(a, a.Body.Bytes())
	case 9:
		time.Sleep(time.Duration(n.drawBelow(80)) * time.Millisecond)
		fallthrough
	default:
		a := ask()
		send(a, a.Body.Bytes())
	}
}

// drawCalls draws calls, of which some are made twice with one key.
func drawCalls(draw *rand.Rand, round, count int) (all []call) {
	values := []any{"#W1", 7, 1.5, true, nil, "Ω \"quoted\"\n</p>", []any{1, "x"}, map[string]any{"b": 1, "a": "\u2028"}}
	for n := range count {
		c := call{N: n, Once: fmt.Sprintf("round %d call %d", round, n), Wait: 1, Fail: draw.IntN(4) == 0, Session: fmt.Sprint("s", round),
			Tool: []string{"get_order", "cancel_order", "cancel_order", "send_mail", "format_disk", "save_note"}[draw.IntN(6)]}
		arguments := map[string]any{"order_id": fmt.Sprint("#W", n)}
		for range draw.IntN(3) {
			arguments[fmt.Sprint("m", draw.IntN(4))] = values[draw.IntN(len(values))]
		}
		c.Arguments = arguments
		all = append(all, c)
		if draw.IntN(4) == 0 {
			c.N += count
			all = append(all, c)
		}
	}
	return all
}

// sameJSON reports whether two texts are the same value, each number exactly.
func sameJSON(a, b string) bool {
	read := func(s string) (v any) {
		d := json.NewDecoder(strings.NewReader(s))
		d.UseNumber()
		if err := d.Decode(&v); err != nil {
			return err
		}
		return numbersExactly(v)
	}
	return reflect.DeepEqual(read(a), read(b))
}

// numbersExactly replaces each number by its fraction.
func numbersExactly(v any) any {
	switch v := v.(type) {
	case json.Number:
		r, _ := new(big.Rat).SetString(v.String())
		return r.RatString()
	case []any:
		for i := range v {
			v[i] = numbersExactly(v[i])
		}
	case map[string]any:
		for name := range v {
			v[name] = numbersExactly(v[name])
		}
	}
	return v
}

// TestRunsWhatWasClaimed checks the law of the clients: through a network with every fault, a
// tool runs only with the arguments that were claimed, at most once for a claim, and only
// after the approver's yes to these bytes.
func TestRunsWhatWasClaimed(t *testing.T) {
	for name, command := range findClients(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ends := map[string]int{}
			edited := 0
			enough := func() bool {
				return ends["ran"] >= 5 && ends["denied"] > 0 && ends["lost"]+ends["claimed"] > 0 && edited > 0
			}
			for round := 0; round < drawn.Cases(1) || !enough() && round < 6; round++ { // on a busy machine more calls end in time-outs
				draw := rand.New(rand.NewPCG(86, uint64(round)))
				d := newDesk(t)
				n := &network{d: d, draw: rand.New(rand.NewPCG(49, uint64(round))), kept: map[string]*httptest.ResponseRecorder{}}
				d.disturb = n.serveBadly
				calls := drawCalls(draw, round, 60)
				stop := d.decideAll(func(r record) {
					edited := func(arguments string) {
						d.askGate("POST", "/v1/proposals/"+r.ID+"/edit", aliceKey, `{"digest":"`+r.Digest+`","arguments":`+arguments+`}`, nil)
					}
					hash := fnv.New32()
					hash.Write(r.Arguments)
					switch hash.Sum32() % 8 {
					case 0:
						d.decideCall(r, false)
					case 1:
						d.askGate("POST", "/v1/proposals/"+r.ID+"/answer", aliceKey, `{"digest":"`+r.Digest+`","answer":"ask first"}`, nil)
					case 2:
						if !bytes.Contains(r.Arguments, []byte("#E")) { // else nobody decides
							edited(`{"order_id": "#E` + r.ID + `", "big":9007199254740993 }`)
						}
					case 3, 4:
						if !bytes.Contains(r.Arguments, []byte("#E")) {
							edited(`{"order_id": "#E` + r.ID + `","x":1.50e2}`)
							break
						}
						fallthrough
					default:
						d.decideCall(r, true)
					}
				})
				lines := d.driveClient(command, "5", calls)
				stop()
				n.late.Wait()
				checkRuns(t, d, calls, lines)
				for _, s := range lines {
					if s.End != "" {
						ends[s.End]++
					}
					if s.Edited {
						edited++
					}
				}
			}
			if t.Failed() {
				t.Log(ends)
			}
			if !enough() {
				t.Errorf("few calls ran or were denied, no claim was lost or made twice, or none was edited: %v, %d", ends, edited)
			}
		})
	}
}

// checkRuns compares what ran with what the gate knows.
func checkRuns(t *testing.T, d *desk, calls []call, lines []said) {
	t.Helper()
	of := map[int]call{}
	for _, c := range calls {
		of[c.N] = c
	}
	bytesOf, ran, ended := map[int]string{}, map[int]int{}, map[int]said{}
	for _, s := range lines {
		if s.End != "" {
			ended[s.N] = s
			continue
		}
		if ran[s.N]++; ran[s.N] > 1 {
			t.Errorf("call %d ran twice", s.N)
		}
		if bytesOf[s.N] = s.Ran; !sameJSON(s.Ran, s.Args) {
			t.Errorf("call %d ran with %s, not with %s", s.N, s.Args, s.Ran)
		}
	}
	claims := claimedCalls(d)
	runs := map[string]int{}
	for n, c := range of {
		s, again := ended[n], bytesOf[n]
		if s.End == "" {
			t.Errorf("call %d has no end", n)
		}
		if ran[n] == 0 {
			if s.End == "ran" || s.End == "thrown" {
				t.Errorf("call %d did not run, and ended as %q", n, s.End)
			}
			continue
		}
		if s.End != "ran" && s.End != "thrown" {
			t.Errorf("call %d ran, and ended as %q", n, s.End)
		}
		digest := proposal.DigestIn(c.Directory, c.Tool, again)
		own, _ := json.Marshal(c.Arguments)
		allowed := (c.Tool == "get_order" || c.Tool == "save_note") && s.ID == "" && claims[digest] == 0 && sameJSON(again, string(own))
		if c.Tool == "get_order" && allowed {
			continue // it only reads
		}
		if runs[digest+c.Once]++; allowed && runs[digest+c.Once] == 1 {
			continue
		}
		if claims[digest] == 0 || runs[digest+c.Once] > 1 {
			t.Errorf("call %d ran %s %s: %d claims, run %d", n, c.Tool, again, claims[digest], runs[digest+c.Once])
		}
		if s.ID == "" {
			continue // the tool failed
		}
		r := d.readRecord(s.ID)
		if r.Digest != digest || string(r.Arguments) != again {
			t.Errorf("call %d ran %s, the gate has %s", n, again, r.Arguments)
		}
		if len(r.Votes) == 0 || !r.Votes[len(r.Votes)-1].Approve || r.Votes[len(r.Votes)-1].By != "alice" {
			t.Errorf("call %d ran without a yes: %+v", n, r.Votes)
		}
		if s.Reported && r.State != "executed" {
			t.Errorf("call %d was reported, and is %s", n, r.State)
		}
	}
	total := map[string]int{}
	for n, again := range bytesOf {
		if of[n].Tool != "get_order" && of[n].Tool != "save_note" || ended[n].ID != "" {
			total[proposal.DigestIn(of[n].Directory, of[n].Tool, again)]++
		}
	}
	for digest, count := range total {
		if count > claims[digest] {
			t.Errorf("%s ran %d times for %d claims", digest, count, claims[digest])
		}
	}
}

// claimedCalls returns how many claimed calls the gate has of each digest.
func claimedCalls(d *desk) map[string]int {
	claims, after := map[string]int{}, ""
	for {
		var page struct {
			Settled []struct{ Digest, State string }
			Next    string
		}
		d.askGate("GET", "/v1/history?limit=200&after="+url.QueryEscape(after), aliceKey, "", &page)
		for _, r := range page.Settled {
			if slices.Contains([]string{"claimed", "executed", "failed", "ambiguous"}, r.State) {
				claims[r.Digest]++
			}
		}
		if after = page.Next; after == "" {
			return claims
		}
	}
}

// TestEveryEnd checks each way in which a call ends, over a network without faults: what
// ran, what was reported, and the words for the model.
func TestEveryEnd(t *testing.T) {
	for name, command := range findClients(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t)
			stop := d.decideAll(func(r record) {
				switch order := string(r.Arguments); {
				case strings.Contains(order, "deny"):
					d.decideCall(r, false)
				case strings.Contains(order, "ask"):
					d.askGate("POST", "/v1/proposals/"+r.ID+"/answer", aliceKey, `{"digest":"`+r.Digest+`","answer":"which one?"}`, nil)
				case strings.Contains(order, "edit"):
					d.askGate("POST", "/v1/proposals/"+r.ID+"/edit", aliceKey, `{"digest":"`+r.Digest+`","arguments":{ "order_id":"new" }}`, nil)
				case strings.Contains(order, "round"):
					d.askGate("POST", "/v1/proposals/"+r.ID+"/edit", aliceKey, `{"digest":"`+r.Digest+`","arguments":{"order_id":"new","n":1.00000000000000000001}}`, nil)
				case strings.Contains(order, "wait"):
				default:
					d.decideCall(r, true)
				}
			})
			defer stop()
			var calls []call
			for i, order := range []string{"yes", "deny", "ask", "edit", "round", "wait", "fail"} {
				calls = append(calls, call{N: i, Once: order, Wait: 2, Fail: order == "fail", Tool: "cancel_order", Arguments: map[string]any{"order_id": order}})
			}
			calls[0].Directory, calls[3].Directory = "/srv/é", "/srv/b"
			calls = append(calls, call{N: 7, Once: "read", Tool: "get_order", Arguments: map[string]any{"order_id": "1"}},
				call{N: 8, Once: "never", Tool: "format_disk", Arguments: map[string]any{}})
			for i, tool := range []string{"refund", "refund", "wipe_cache", "wipe_all"} {
				calls = append(calls, call{N: 9 + i, Once: fmt.Sprint(i), Wait: 2, Tool: tool, Arguments: map[string]any{"n": i}})
			}
			lines := d.driveClient(command, "0", calls)
			checkRuns(t, d, calls, lines)
			got, state := map[int]string{}, map[int]string{}
			for _, s := range lines {
				if s.End != "" {
					got[s.N] = s.End + " " + s.Text
					if s.ID != "" {
						state[s.N] = d.readRecord(s.ID).State
					}
				}
			}
			for n, want := range []string{"ran ", "denied Not executed: an approver denied this call. They wrote: so said alice", "answered Not executed: an approver answered this call in place of a yes or a no. They wrote: which one?",
				"ran ", "doubt Not executed: ", "waiting Not executed yet: ", "thrown the tool failed", "ran ", "denied Not executed: the policy denies this call: never", "", "", "ran ", "waiting Not executed yet: this call is approved, and may run after 20"} {
				if !strings.HasPrefix(got[n], want) {
					t.Errorf("call %d ended as %q, want %q", n, got[n], want)
				}
			}
			stopped := `stopped Not executed: the call was approved, but it may not run now: the rule "one"`
			if (got[9] == "ran ") == (got[10] == "ran ") || !strings.HasPrefix(got[9], stopped) && !strings.HasPrefix(got[10], stopped) {
				t.Errorf("of two refunds, one may run: %q, %q", got[9], got[10])
			}
			for n, want := range map[int]string{0: "executed", 1: "denied", 2: "answered", 3: "executed", 4: "failed", 5: "pending"} {
				if state[n] != want {
					t.Errorf("call %d is %q at the gate, want %q", n, state[n], want)
				}
			}
			if again := d.driveClient(command, "0", calls[:1]); len(again) != 1 || again[0].End != "claimed" {
				t.Errorf("the same call with the same key: %+v", again)
			}
		})
	}
}

// TestAllowedRunsOnce checks that of many attempts with one key, in several processes and also after a question about it,
// one runs a call that the policy allows, and that a call that only reads runs each time. Later requests and questions, also
// under a freeze, say that the call may have run.
func TestAllowedRunsOnce(t *testing.T) {
	for name, command := range findClients(t) {
		d := newDesk(t)
		for round, once := range []string{"s a", "s b"} {
			var calls []call
			for n := range 6 {
				tool := []string{"save_note", "get_order"}[n%2]
				calls = append(calls, call{N: n, Once: once, Wait: 1, Fail: round == 1, Tool: tool, Session: "s", Arguments: map[string]any{"order_id": "1"}})
			}
			ran := map[string]int{}
			for range 3 {
				for _, s := range d.driveClient(command, "0", calls) {
					if s.End == "" {
						ran[calls[s.N].Tool]++
					} else if s.End == "claimed" && !strings.HasPrefix(s.Text, "Not executed again: this call was allowed before") {
						t.Errorf("%s: %q", name, s.Text)
					}
				}
			}
			if ran["save_note"] != 1 || ran["get_order"] != 9 {
				t.Errorf("%s: round %d: the runs of 9 attempts: %v", name, round, ran)
			}
			asked := calls[0]
			asked.Ask = true
			for _, frozen := range []string{"true", "false"} {
				d.askGate("POST", "/v1/freezes", aliceKey, `{"frozen":`+frozen+`}`, nil)
				for _, c := range []call{calls[0], asked} {
					s := d.driveClient(command, "0", []call{c})
					if len(s) != 1 || s[0].End != "claimed" || !strings.HasPrefix(s[0].Text, "Not executed again: this call was allowed before") || !strings.Contains(s[0].Text, "may have run") {
						t.Errorf("%s: frozen %s, question %v: %+v", name, frozen, c.Ask, s)
					}
				}
			}
		}
	}
}

// TestAbortedRunLeavesNothing checks that a run without a key, whose caller leaves at a drawn moment, leaves no question, no
// approval and no claim: nobody could run its call. With a key, the question stays for the next run.
func TestAbortedRunLeavesNothing(t *testing.T) {
	command := findClients(t)["TypeScript"]
	if command == nil {
		t.Skip("SKIPPED: there is no Node.js")
	}
	d, draw := newDesk(t), rand.New(rand.NewPCG(10, 49))
	stop := d.decideAll(func(r record) {
		if !strings.Contains(string(r.Arguments), "nobody") {
			d.decideCall(r, true)
		}
	})
	d.disturb = func(w http.ResponseWriter, r *http.Request, body []byte) {
		time.Sleep(time.Duration(3+len(body)%7) * time.Millisecond)
		d.passOn(w, r, body)
	}
	var calls []call
	for n := range 24 {
		calls = append(calls, call{N: n, Wait: 20, Abort: 1 + draw.IntN(8000), Tool: "cancel_order", Arguments: map[string]any{"order_id": n, "who": []string{"nobody", "alice"}[draw.IntN(2)]}})
	}
	calls = append(calls, call{N: 24, Once: "kept", Wait: 20, Abort: 8000, Tool: "cancel_order", Arguments: map[string]any{"who": "nobody kept"}})
	ended := map[string]int{}
	for _, s := range d.driveClient(command, "5", calls) {
		ended[s.End]++
	}
	stop()
	if ended["thrown"] == 0 {
		t.Errorf("the runs ended as %v", ended)
	}
	if left := d.waitingCalls(); len(left) != 1 || !strings.Contains(string(left[0].Arguments), "kept") {
		t.Errorf("left: %d questions: %+v", len(left), left)
	}
	var page struct{ Settled []record }
	d.askGate("GET", "/v1/history?limit=200", aliceKey, "", &page)
	for _, r := range page.Settled {
		if r.State != "executed" && r.State != "cancelled" && r.State != "failed" {
			t.Errorf("%s is %s", r.Arguments, r.State)
		}
	}
}

// TestArgumentsHaveNames checks that arguments which are no object are refused before anything is proposed, also the text of one.
func TestArgumentsHaveNames(t *testing.T) {
	for name, command := range findClients(t) {
		d := newDesk(t)
		var calls []call
		for i, arguments := range []any{`{"order_id":"1"}`, "", []any{1}, 5, true} {
			calls = append(calls, call{N: i, Once: fmt.Sprint(i), Wait: 1, Tool: "cancel_order", Arguments: arguments})
		}
		for _, s := range d.driveClient(command, "0", calls) {
			if s.End != "thrown" {
				t.Errorf("%s: arguments %v: %+v", name, calls[s.N].Arguments, s)
			}
		}
		var list struct{ Pending []record }
		if d.askGate("GET", "/v1/proposals", aliceKey, "", &list); len(list.Pending) > 0 {
			t.Errorf("%s: %d calls were proposed", name, len(list.Pending))
		}
	}
}

// TestAnswerToALaterRun checks that a run which no longer waits gets an approver's answer when it is made again.
func TestAnswerToALaterRun(t *testing.T) {
	for name, command := range findClients(t) {
		d := newDesk(t)
		one := call{Once: "a", Wait: 1, Tool: "cancel_order", Arguments: map[string]any{"order_id": "1"}}
		first := d.driveClient(command, "0", []call{one})
		r := d.readRecord(first[0].ID)
		d.askGate("POST", "/v1/proposals/"+r.ID+"/answer", aliceKey, `{"digest":"`+r.Digest+`","answer":"which one?"}`, nil)
		for i, want := range []string{"answered Not executed: an approver answered this call in place of a yes or a no. They wrote: which one?", "waiting "} {
			one.Once = fmt.Sprint("b", i)
			if s := d.driveClient(command, "0", []call{one})[0]; !strings.HasPrefix(s.End+" "+s.Text, want) {
				t.Errorf("%s: run %d: %+v, want %s", name, i, s, want)
			}
		}
	}
}

// TestClosed checks that nothing runs if there is no gate, an unknown key, a redirect, or an
// answer that is about another call.
func TestClosed(t *testing.T) {
	answers := map[string]http.HandlerFunc{
		"nobody": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"redirect": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/elsewhere?decision=allow", http.StatusTemporaryRedirect)
		},
		"another digest": func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(202)
			fmt.Fprint(w, `{"decision":"confirm","id":"p_1","digest":"sha256:00","prompt":"x"}`)
		},
		"no decision": func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, `{}`) },
		"a word":      func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, `"allow"`) },
		"an error": func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprint(w, `{"decision":"allow","error":{"code":"internal","message":"x"}}`)
		},
		"unauthorized": func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(401)
			fmt.Fprint(w, `{"error":{"code":"unauthorized","message":"send a key"}}`)
		},
	}
	for client, command := range findClients(t) {
		for name, answer := range answers {
			t.Run(client+" "+name, func(t *testing.T) {
				t.Parallel()
				d := newDesk(t)
				d.disturb = func(w http.ResponseWriter, r *http.Request, _ []byte) {
					if r.URL.Path == "/elsewhere" {
						t.Error("a redirect was followed, with the key")
					}
					answer(w, r)
				}
				lines := d.driveClient(command, "1", []call{{Once: "x", Tool: "cancel_order", Arguments: map[string]any{}}})
				if len(lines) != 1 || lines[0].End != "unavailable" && lines[0].End != "doubt" {
					t.Errorf("it ended as %+v", lines)
				}
			})
		}
	}
}

// TestRepeatedGrant checks that an answer to a claim that comes again, to the same call made
// once more in the same program, runs nothing.
func TestRepeatedGrant(t *testing.T) {
	for client, command := range findClients(t) {
		t.Run(client, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t)
			n := &network{d: d, kept: map[string]*httptest.ResponseRecorder{}}
			d.disturb = n.repeatAnswers
			defer d.decideAll(func(r record) { d.decideCall(r, true) })()
			one := call{Once: "x", Wait: 5, Tool: "cancel_order", Arguments: map[string]any{"order_id": "1"}}
			two := one
			two.N = 1
			lines := d.driveClient(command, "1", []call{one, two})
			ends := map[string]int{}
			for _, s := range lines {
				ends[s.End]++
			}
			// the other call hears that it was claimed, by its own claim or by the decision
			if n.repeated == 0 || ends["ran"] != 1 || ends["claimed"]+ends["stopped"] != 1 || ends[""] != 1 {
				t.Errorf("repeated %d, it ended as %+v", n.repeated, lines)
			}
		})
	}
}

// TestForgedGrants checks that a grant for another call, other bytes or another tool runs
// nothing.
func TestForgedGrants(t *testing.T) {
	for client, command := range findClients(t) {
		for _, forged := range []struct{ was, is string }{{`"id":"p_`, `"id":"p_x`}, {`"tool":"cancel_order"`, `"tool":"delete_order"`}, {`"bytes":"{`, `"bytes":"{ `}, {`"digest":"sha256:`, `"digest":"sha256:0`}, {`"grant":"`, `"grant":"","grand":"`}} {
			t.Run(client+" "+forged.is, func(t *testing.T) {
				t.Parallel()
				d := newDesk(t)
				changed := false
				d.disturb = func(w http.ResponseWriter, r *http.Request, body []byte) {
					a := httptest.NewRecorder()
					d.passOn(a, r, body)
					text := a.Body.Bytes()
					if strings.HasSuffix(r.URL.Path, "/claim") {
						text = bytes.Replace(text, []byte(forged.was), []byte(forged.is), 1)
						changed = !bytes.Equal(text, a.Body.Bytes())
					}
					w.WriteHeader(a.Code)
					w.Write(text)
				}
				defer d.decideAll(func(r record) { d.decideCall(r, true) })()
				lines := d.driveClient(command, "1", []call{{Once: "x", Wait: 5, Tool: "cancel_order", Arguments: map[string]any{"order_id": "1"}}})
				if !changed || len(lines) != 1 || lines[0].End != "doubt" {
					t.Errorf("changed %v, it ended as %+v", changed, lines)
				}
			})
		}
	}
}
