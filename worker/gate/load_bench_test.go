//go:build unix

package gate_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/worker/gate"
)

// The benchmarks here compare two loads in one run, because a rate alone depends more
// on the machine than on the gate. Each reports rates and their ratio.

// loaded is a server with a client that keeps enough connections.
type loaded struct {
	url    string
	client *http.Client
}

func startLoaded(b *testing.B, h http.Handler) *loaded {
	server := httptest.NewServer(h)
	b.Cleanup(server.Close)
	transport := &http.Transport{MaxIdleConns: 4000, MaxIdleConnsPerHost: 4000}
	b.Cleanup(transport.CloseIdleConnections)
	return &loaded{server.URL, &http.Client{Transport: transport}}
}

// sendRequest makes one request and reads the whole answer.
func (l *loaded) sendRequest(method, path, key, body string) (int, map[string]any, error) {
	r, err := http.NewRequest(method, l.url+path, strings.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	r.Header.Set("Authorization", "Bearer "+key)
	w, err := l.client.Do(r)
	if err != nil {
		return 0, nil, err
	}
	defer w.Body.Close()
	text, err := io.ReadAll(w.Body)
	var out map[string]any
	json.Unmarshal(text, &out)
	return w.StatusCode, out, err
}

// measureFor calls the function work again and again for the duration d, on one goroutine
// for each client. It returns the number of calls a second.
func measureFor(b *testing.B, clients int, d time.Duration, work func(n int64) error) float64 {
	b.Helper()
	var n atomic.Int64
	var wait sync.WaitGroup
	begun := time.Now()
	for range clients {
		wait.Go(func() {
			for time.Since(begun) < d {
				if err := work(n.Add(1)); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	wait.Wait()
	return float64(n.Load()) / time.Since(begun).Seconds()
}

// measureCalls calls the function work until there were count calls in total, on one
// goroutine for each client. It returns the number of calls a second.
func measureCalls(b *testing.B, clients int, count int64, work func(n int64) error) float64 {
	b.Helper()
	var n atomic.Int64
	var wait sync.WaitGroup
	begun := time.Now()
	for range clients {
		wait.Go(func() {
			for i := n.Add(1); i <= count; i = n.Add(1) {
				if err := work(i); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	wait.Wait()
	return float64(count) / time.Since(begun).Seconds()
}

// loadGate starts a gate and its background work, as the command "boundcheck gate" does,
// but without limits on the rate of requests.
func loadGate(b *testing.B, change ...func(*gate.Options)) (*gate.Gate, *loaded) {
	store, _ := open(b)
	keys, _ := gate.ReadKeys(keyFile)
	o := gate.Options{Store: store, Keys: keys, URL: "http://localhost", Rate: -1, Waiting: 1 << 30}
	for _, c := range change {
		c(&o)
	}
	g, err := gate.New(o)
	if err != nil {
		b.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { g.Run(ctx, func(err error) { b.Log(err) }); close(ended) }()
	b.Cleanup(func() { stop(); <-ended })
	return g, startLoaded(b, g)
}

// insertHandler starts a server that stores the body of each request as one row, synced
// to disk. The benchmarks compare the gate with this server, because a gate that holds a
// proposal cannot do less.
func insertHandler(b *testing.B) *loaded {
	db, err := sql.Open("sqlite", "file:"+filepath.Join(b.TempDir(), "floor.db")+"?_pragma=busy_timeout(5000)&_pragma=synchronous(FULL)&_pragma=journal_mode(WAL)")
	if err != nil {
		b.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	b.Cleanup(func() { db.Close() })
	if _, err := db.Exec(`CREATE TABLE floor (id INTEGER PRIMARY KEY, text TEXT NOT NULL)`); err != nil {
		b.Fatal(err)
	}
	return startLoaded(b, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err == nil {
			_, err = db.Exec(`INSERT INTO floor (text) VALUES (?)`, string(body))
		}
		if err != nil {
			w.WriteHeader(503)
			return
		}
		io.WriteString(w, `{"ok":true}`)
	}))
}

// cpuTime returns the CPU time of this process, which includes the clients. Other load on
// the machine hardly changes it.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func wantStatus(want, got int, err error) error {
	if err == nil && got != want {
		err = fmt.Errorf("answered %d, want %d", got, want)
	}
	return err
}

// sendProposal sends one proposal, which is held.
func (l *loaded) sendProposal(key string, n int64) (map[string]any, error) {
	status, out, err := l.sendRequest("POST", "/v1/proposals", key, fmt.Sprintf(`{"tool":"cancel_order","arguments":{"order_id":"#W%d"}}`, n))
	return out, wantStatus(202, status, err)
}

// runFlow sends the four requests propose, approve, claim and outcome for one call.
func (l *loaded) runFlow(n int64) error {
	p, err := l.sendProposal(agentKey, n)
	if err != nil {
		return err
	}
	path := "/v1/proposals/" + p["id"].(string)
	status, _, err := l.sendRequest("POST", path+"/decision", aliceKey, `{"approve":true,"digest":"`+p["digest"].(string)+`"}`)
	if err := wantStatus(200, status, err); err != nil {
		return err
	}
	status, c, err := l.sendRequest("POST", path+"/claim", agentKey, "")
	if err := wantStatus(200, status, err); err != nil {
		return err
	}
	status, _, err = l.sendRequest("POST", path+"/outcome", agentKey, `{"grant":"`+c["grant"].(string)+`","status":"executed"}`)
	return wantStatus(200, status, err)
}

// piece is the time for which one side of a comparison runs before the other side's
// turn.
const piece = 1500 * time.Millisecond

// BenchmarkHeldRatio compares the rate of held proposals with the rate of requests to
// insertHandler. Both have 16 clients. The target for the ratio is 0.6.
func BenchmarkHeldRatio(b *testing.B) {
	floor := insertHandler(b)
	var held, inserts, rounds float64
	var cpuHeld, cpuInserts time.Duration
	for b.Loop() {
		cpu := cpuTime()
		_, l := loadGate(b, func(o *gate.Options) { o.Waiting = 0 }) // the default limits
		held += measureCalls(b, 16, 950, func(n int64) error { _, err := l.sendProposal(agentKey, n); return err })
		cpuHeld += cpuTime() - cpu
		cpu = cpuTime()
		inserts += measureCalls(b, 16, 950, func(int64) error {
			status, _, err := floor.sendRequest("POST", "/", "", `{"tool":"cancel_order","arguments":{"order_id":"#W1"}}`)
			return wantStatus(200, status, err)
		})
		cpuInserts += cpuTime() - cpu
		rounds++
	}
	b.ReportMetric(float64(cpuHeld.Microseconds())/950/rounds, "held-cpu-µs")
	b.ReportMetric(float64(cpuInserts.Microseconds())/950/rounds, "insert-cpu-µs")
	b.ReportMetric(held/rounds, "held/s")
	b.ReportMetric(inserts/rounds, "inserts/s")
	b.ReportMetric(held/inserts, "ratio")
}

// BenchmarkFlowBesidePolls measures how often 8 clients can call runFlow in a second,
// without other requests and while 1,000 long polls wait. The target for the second rate
// divided by the first is 0.5.
func BenchmarkFlowBesidePolls(b *testing.B) {
	_, l := loadGate(b)
	const polls = 1000
	ids := make([]string, polls)
	for i := range ids {
		p, err := l.sendProposal(agentKey, int64(i))
		if err != nil {
			b.Fatal(err)
		}
		ids[i] = p["id"].(string)
	}
	var alone, beside float64
	rounds := 0.0
	for b.Loop() {
		alone += measureFor(b, 8, piece, l.runFlow)
		beside += besidePolls(b, l, ids)
		rounds++
	}
	b.ReportMetric(alone/rounds, "alone/s")
	b.ReportMetric(beside/rounds, "beside/s")
	b.ReportMetric(beside/alone, "ratio")
}

// besidePolls returns how often runFlow runs in a second while other clients wait for
// decisions. Each of these clients waits for the proposal with one of the ids.
func besidePolls(b *testing.B, l *loaded, ids []string) float64 {
	ctx, stop := context.WithCancel(context.Background())
	var wait sync.WaitGroup
	for _, id := range ids {
		wait.Go(func() {
			for ctx.Err() == nil {
				r, _ := http.NewRequestWithContext(ctx, "GET", l.url+"/v1/proposals/"+id+"?wait=50", nil)
				r.Header.Set("Authorization", "Bearer "+agentKey)
				if w, err := l.client.Do(r); err == nil {
					if w.StatusCode != 200 {
						b.Errorf("a poll was answered %d", w.StatusCode)
					}
					io.Copy(io.Discard, w.Body)
					w.Body.Close()
				}
			}
		})
	}
	time.Sleep(3 * time.Second) // until all polls wait
	defer wait.Wait()
	defer stop()
	return measureFor(b, 8, piece, l.runFlow)
}

// BenchmarkAllowRatio compares the rate of allowed calls with the rate of refusals of
// unreadable bodies. Both have 16 clients. A refusal stores nothing.
func BenchmarkAllowRatio(b *testing.B) {
	_, l := loadGate(b)
	var allowed, floor float64
	rounds := 0.0
	for b.Loop() {
		allowed += measureFor(b, 16, piece, func(n int64) error {
			status, _, err := l.sendRequest("POST", "/v1/proposals", agentKey, fmt.Sprintf(`{"tool":"get_order","arguments":{"order_id":"#W%d"}}`, n))
			return wantStatus(200, status, err)
		})
		floor += measureFor(b, 16, piece, func(n int64) error {
			status, _, err := l.sendRequest("POST", "/v1/proposals", agentKey, fmt.Sprintf(`{"tool":"get_order","arguments":{"order_id":"#W%d","order_id":2}}`, n))
			return wantStatus(400, status, err)
		})
		rounds++
	}
	b.ReportMetric(allowed/rounds, "allowed/s")
	b.ReportMetric(floor/rounds, "floor/s")
	b.ReportMetric(allowed/floor, "ratio")
}
