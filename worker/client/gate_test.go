//go:build !js

package client

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/internal/gatefile"
	"github.com/boundcheck/boundcheck/worker/gate"
	"github.com/boundcheck/boundcheck/worker/gate/sqlite"
)

const (
	agentKey = "agent-key-0123456789abcdef"
	aliceKey = "alice-key-0123456789abcdef"
)

// desk is a real gate, with a network in front of it that a test may disturb.
type desk struct {
	t       *testing.T
	gate    *gate.Gate
	url     string
	disturb func(w http.ResponseWriter, r *http.Request, body []byte) // nil for a network without faults
}

const policy = `{"edit":[{"name":"all","arguments":["*"],"counts":true}],"tools":{"format_disk":{"deny":"never"},"wipe_cache":{"wait":"1s"},"wipe_all":{"wait":"1h"}},"allow":[{"name":"notes","tool":"save_note","until":"2099-01-01T00:00:00Z","when":{"order_id":{"any":true}}}],"rules":[{"name":"one","tool":"refund","atMost":{"n":1,"per":"1h"},"effect":"deny"}],"guidance":"Orders that were shipped cannot be cancelled. Check an order before you cancel it."}`

func newDesk(t *testing.T) *desk {
	t.Helper()
	store, err := sqlite.Open(context.Background(), gatefile.New(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	keys, err := gate.ReadKeys("t agent bot " + agentKey + "\nt approver alice " + aliceKey)
	if err != nil {
		t.Fatal(err)
	}
	p, err := machine.ReadPolicy(policy)
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{t: t}
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		if d.disturb != nil {
			d.disturb(w, r, body)
			return
		}
		d.passOn(w, r, body)
	}))
	d.url = "http://" + server.Listener.Addr().String()
	if d.gate, err = gate.New(gate.Options{Store: store, Keys: keys, Policy: p, URL: d.url, Rate: -1}); err != nil {
		t.Fatal(err)
	}
	server.Start()
	t.Cleanup(server.Close)
	return d
}

// passOn hands a request to the gate.
func (d *desk) passOn(w http.ResponseWriter, r *http.Request, body []byte) {
	r = r.Clone(context.WithoutCancel(r.Context()))
	r.Body = io.NopCloser(bytes.NewReader(body))
	d.gate.ServeHTTP(w, r)
}

// askGate sends a request to the gate without the network, and reads its answer.
func (d *desk) askGate(method, path, key, body string, into any) (status int) {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Host = "127.0.0.1"
	r.Header.Set("Authorization", "Bearer "+key)
	w := httptest.NewRecorder()
	d.gate.ServeHTTP(w, r)
	if into != nil {
		if err := json.Unmarshal(w.Body.Bytes(), into); err != nil {
			d.t.Errorf("%s: %v in %s", path, err, w.Body)
		}
	}
	return w.Code
}

type record struct {
	ID, State, Tool, Digest, Outcome, ReplacedBy string
	Arguments                                    json.RawMessage
	Votes                                        []struct {
		By      string
		Approve bool
	}
}

// waitingCalls returns the calls that wait.
func (d *desk) waitingCalls() []record {
	var page struct{ Pending []record }
	d.askGate("GET", "/v1/proposals?limit=200", aliceKey, "", &page)
	return page.Pending
}

// readRecord returns a call as it stands.
func (d *desk) readRecord(id string) (r record) {
	if status := d.askGate("GET", "/v1/proposals/"+id, aliceKey, "", &r); status != 200 {
		d.t.Errorf("record %s: %d", id, status)
	}
	return r
}

func (d *desk) decideCall(r record, approve bool) {
	body, _ := json.Marshal(map[string]any{"approve": approve, "digest": r.Digest, "reason": "so said alice", "acknowledge": true})
	d.askGate("POST", "/v1/proposals/"+r.ID+"/decision", aliceKey, string(body), nil)
}

// findClients returns the commands that run the drivers of the clients that can run here.
func findClients(t *testing.T) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	if node, err := exec.LookPath("node"); err == nil {
		all["TypeScript"] = []string{node, "testdata/driver.mjs"}
	} else {
		t.Log("SKIPPED: the client in TypeScript; install Node.js 20 or newer")
	}
	if python, err := exec.LookPath("python3"); err == nil {
		all["Python"] = []string{python, "-B", "testdata/driver.py"}
	} else {
		t.Log("SKIPPED: the client in Python; install Python 3.10 or newer")
	}
	return all
}

// call is a line to a driver.
type call struct {
	N         int    `json:"n"`
	Once      string `json:"once"`
	Wait      int    `json:"wait"`
	Fail      bool   `json:"fail"`
	Abort     int    `json:"abort,omitempty"` // milliseconds; only in TypeScript
	Ask       bool   `json:"ask,omitempty"`   // only the question about the call, which Once names after its session
	Tool      string `json:"tool"`
	Arguments any    `json:"arguments"`
	Session   string `json:"session"`
	Directory string `json:"directory,omitempty"`
}

// said is a line of a driver.
type said struct {
	N                int
	Ran, Args        string
	End, ID, Text    string
	Edited, Reported bool
}

// driveClient runs the calls with a client, and returns what it said.
func (d *desk) driveClient(command []string, retries string, calls []call) (all []said) {
	d.t.Helper()
	var in bytes.Buffer
	for _, c := range calls {
		if err := json.NewEncoder(&in).Encode(c); err != nil {
			d.t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(d.t.Context(), command[0], append(command[1:], d.url, agentKey, retries)...)
	var failed bytes.Buffer
	cmd.Stdin, cmd.Stderr = &in, &failed
	out, err := cmd.Output()
	if err != nil {
		d.t.Fatalf("%v: %v: %s", command, err, failed.Bytes())
	}
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		var s said
		if err := json.Unmarshal([]byte(line), &s); err != nil {
			d.t.Fatalf("%v in %q", err, line)
		}
		all = append(all, s)
	}
	return all
}

// decideAll decides what waits until the test has ended, as choose says.
func (d *desk) decideAll(choose func(r record)) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var wait sync.WaitGroup
	wait.Go(func() {
		seen := map[string]bool{}
		for ctx.Err() == nil {
			for _, r := range d.waitingCalls() {
				if !seen[r.ID] {
					seen[r.ID] = true
					choose(r)
				}
			}
			pauseShortly(ctx)
		}
	})
	return func() { cancel(); wait.Wait() }
}
