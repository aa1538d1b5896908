package worker

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/core/wire"
	"github.com/boundcheck/boundcheck/internal/drawn"
	"github.com/boundcheck/boundcheck/internal/pace"
	"github.com/boundcheck/boundcheck/worker/api"
)

// worked counts the scores that are in progress. A body says what the score does: it takes
// some time, obeys stop or not, and may panic.
type worked struct{ now, most, all, stopped atomic.Int64 }

func (c *worked) handleCall(method string, body []byte, stop func() error) ([]byte, bool) {
	if method != "score" {
		return wire.HandleUntil(method, body, stop)
	}
	now := c.now.Add(1)
	defer c.now.Add(-1)
	c.all.Add(1)
	for most := c.most.Load(); now > most && !c.most.CompareAndSwap(most, now); most = c.most.Load() {
	}
	var ms int
	var deaf, panics bool
	fmt.Sscan(string(body), &ms, &deaf, &panics)
	for range ms {
		time.Sleep(time.Millisecond)
		if stop() != nil && !deaf {
			c.stopped.Add(1)
			return wire.Fail(wire.CodeInput, "stopped"), false
		}
	}
	if panics {
		panic("a bug")
	}
	return []byte("{}\n"), true
}

// wantQuick checks that a request beside the scores is answered at once.
func wantQuick(t *testing.T, client *http.Client, method, address, body string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), pace.Within(2*time.Second))
	defer cancel()
	r, _ := http.NewRequestWithContext(ctx, method, address, strings.NewReader(body))
	answer, err := client.Do(r)
	if err != nil {
		t.Errorf("%s beside scores: %v", address, err)
		return
	}
	io.Copy(io.Discard, answer.Body)
	if answer.Body.Close(); answer.StatusCode != 200 {
		t.Errorf("%s beside scores: status %d", address, answer.StatusCode)
	}
}

// actDrawn sends one request as a drawn client does: it waits, leaves early, sends half a
// body or one that is too large. It returns the status, or 0 if it left.
func actDrawn(random *rand.Rand, client *http.Client, server *httptest.Server) (int, *http.Response) {
	body := fmt.Sprintf("%d %t %t", random.IntN(30), random.IntN(3) == 0, random.IntN(5) == 0)
	switch random.IntN(6) {
	case 0: // half a body, then nothing
		if c, err := net.Dial("tcp", server.Listener.Addr().String()); err == nil {
			fmt.Fprintf(c, "POST /v1/score HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900\r\n\r\n%s", body)
			time.Sleep(time.Duration(random.IntN(20)) * time.Millisecond)
			c.Close()
		}
		return 0, nil
	case 1:
		body += strings.Repeat(" ", 2000)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if random.IntN(3) == 0 {
		time.AfterFunc(time.Duration(random.IntN(25))*time.Millisecond, cancel)
	}
	r, _ := http.NewRequestWithContext(ctx, "POST", server.URL+"/v1/score", strings.NewReader(body))
	answer, err := client.Do(r)
	if err != nil {
		return 0, nil
	}
	io.Copy(io.Discard, answer.Body)
	answer.Body.Close()
	return answer.StatusCode, answer
}

// TestBounds attacks the law that no more scores run at once than there are turns, with
// many drawn clients over real connections. Meanwhile the server answers health and checks,
// and afterwards it has all turns and places again.
func TestBounds(t *testing.T) {
	for seed := range uint64(drawn.Cases(3)) {
		random := rand.New(rand.NewPCG(42, seed))
		turns, places, clients := 1+random.IntN(4), 5+random.IntN(20), 40
		var c worked
		server := httptest.NewServer(Handler(Options{Limit: 1000, Handle: c.handleCall, Bounds: map[string]*api.Bounds{
			"/v1/score": api.NewBounds(places, turns, 20*time.Millisecond, 15*time.Millisecond),
			"/v1/check": api.NewBounds(9, 9, time.Second, time.Second),
		}}))
		client := server.Client()
		client.Transport.(*http.Transport).MaxIdleConnsPerHost = clients
		var seen [600]atomic.Int64
		var wait sync.WaitGroup
		for i := range clients {
			own := rand.New(rand.NewPCG(seed, uint64(i)))
			wait.Go(func() {
				for range 15 {
					status, answer := actDrawn(own, client, server)
					if seen[status].Add(1); status == 503 && answer.Header.Get("Retry-After") != "1" {
						t.Errorf("503 with the headers %v", answer.Header)
					}
				}
			})
		}
		for range 10 {
			wantQuick(t, client, "GET", server.URL+"/healthz", "")
			wantQuick(t, client, "POST", server.URL+"/v1/check", `{"tool":"get_order","arguments":{}}`)
		}
		wait.Wait()
		if most := c.most.Load(); most > int64(turns) || most == 0 {
			t.Errorf("seed %d: %d scores ran at once, and there are %d turns", seed, most, turns)
		}
		for status := range seen {
			if n := seen[status].Load(); n > 0 && !strings.Contains("0 200 413 500 503", fmt.Sprint(status)) {
				t.Errorf("seed %d: %d answers with status %d", seed, n, status)
			}
		}
		if seen[200].Load() == 0 || seen[413].Load() == 0 || seen[503].Load() == 0 || c.stopped.Load() == 0 {
			t.Errorf("seed %d: the clients saw too little: 200 %d times, 413 %d, 503 %d; %d scores were stopped", seed, seen[200].Load(), seen[413].Load(), seen[503].Load(), c.stopped.Load())
		}
		wantRoom(t, &c, server, places)
		server.Close()
	}
}

// wantRoom checks that as many requests fit in as before, after those that run have ended.
func wantRoom(t *testing.T, c *worked, server *httptest.Server, places int) {
	t.Helper()
	for c.now.Load() > 0 {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(30 * time.Millisecond) // places of connections that were just closed
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	answers := make(chan int, places)
	for range places {
		go func() { // each holds a place with a body that does not end
			body, end := io.Pipe()
			context.AfterFunc(ctx, func() { end.Close() })
			go end.Write([]byte("0"))
			r, err := http.Post(server.URL+"/v1/score", "application/json", body)
			if err != nil {
				answers <- 0
				return
			}
			r.Body.Close()
			answers <- r.StatusCode
		}()
	}
	select {
	case status := <-answers:
		t.Errorf("%d requests do not fit in any more: status %d", places, status)
	case <-time.After(100 * time.Millisecond):
	}
	r := sendBody(t, server, "0")
	if readRefusal(t, r, 503, api.CodeBusy); r.Header.Get("Retry-After") == "" {
		t.Error("a request without a place gets no Retry-After")
	}
	leave()
	for range places {
		<-answers
	}
}

func sendBody(t *testing.T, server *httptest.Server, body string) *http.Response {
	t.Helper()
	r, err := http.Post(server.URL+"/v1/score", "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Body.Close() })
	return r
}

// TestDeafWorkKeepsItsTurn checks that a score over its budget is answered at once, but
// that no other score gets its turn until it has really ended.
func TestDeafWorkKeepsItsTurn(t *testing.T) {
	var c worked
	server := httptest.NewServer(Handler(Options{Handle: c.handleCall, Bounds: map[string]*api.Bounds{"/v1/score": api.NewBounds(9, 1, 50*time.Millisecond, 20*time.Millisecond)}}))
	defer server.Close()
	if e := readRefusal(t, sendBody(t, server, "400 true false"), 413, wire.CodeTooLarge); !strings.Contains(e.Message, "20ms") || !strings.Contains(e.Message, "boundcheck") {
		t.Errorf("the message %q does not say the budget, and what to do", e.Message)
	}
	if c.now.Load() != 1 {
		t.Error("the answer came only after the work had ended")
	}
	readRefusal(t, sendBody(t, server, "0 false false"), 503, api.CodeBusy)
	for c.now.Load() > 0 {
		time.Sleep(time.Millisecond)
	}
	if r := sendBody(t, server, "0 false false"); r.StatusCode != 200 {
		t.Errorf("after the work has ended: status %d", r.StatusCode)
	}
}

// TestGoneClient checks that a real score ends soon after its client has gone.
func TestGoneClient(t *testing.T) {
	run := `{"name":"cancel_order","arguments":{"id":"X%d","why":"no longer needed"}}`
	var all bytes.Buffer
	for i := 0; all.Len() < api.BodyLimit-1000; i++ {
		fmt.Fprintf(&all, `{"id":"r%d","actions":[`+run+`],"reference":[`+run+`]},`, i, i, i+1)
	}
	body := `{"trajectories":[` + strings.TrimSuffix(all.String(), ",") + "]}"
	began, ended := make(chan bool, 1), make(chan bool, 1)
	asked := 0 // before the score learnt that the client has gone
	var left time.Time
	server := httptest.NewServer(Handler(Options{Bounds: api.NativeBounds(), Handle: func(method string, body []byte, stop func() error) ([]byte, bool) {
		answer, ok := wire.HandleUntil(method, body, func() error {
			err := stop()
			if err == nil {
				asked++
			}
			if asked == 1 && err == nil {
				began <- true
			}
			return err
		})
		ended <- ok
		return answer, ok
	}}))
	defer server.Close()
	ctx, leave := context.WithCancel(t.Context())
	go func() { <-began; left = time.Now(); leave() }()
	r, _ := http.NewRequestWithContext(ctx, "POST", server.URL+"/v1/score", strings.NewReader(body))
	if _, err := http.DefaultClient.Do(r); err == nil {
		t.Fatal("the client has not gone")
	}
	if <-ended {
		t.Error("a score whose client has gone ran to its end")
	}
	t.Logf("the score of %d bytes ended %v after its client, and began %d stages", len(body), time.Since(left), asked)
}
