//go:build !js

package gate_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
	"github.com/boundcheck/boundcheck/worker/gate"
	"github.com/boundcheck/boundcheck/worker/gate/notify"
)

// spanRead is a span as a collector reads it.
type spanRead struct {
	TraceID, SpanID, ParentSpanID, Name string
	Kind                                int
	Start                               string `json:"startTimeUnixNano"`
	End                                 string `json:"endTimeUnixNano"`
	Attributes                          []struct {
		Key   string
		Value struct{ StringValue string }
	}
	Events []struct {
		Name string
		Time string `json:"timeUnixNano"`
	}
	Status struct{ Code int }
}

func (s *spanRead) attribute(name string) string {
	for _, a := range s.Attributes {
		if a.Key == name {
			return a.Value.StringValue
		}
	}
	return ""
}

func spansIn(t *testing.T, text string) []spanRead {
	t.Helper()
	var v struct {
		ResourceSpans []struct {
			Resource   struct{ Attributes []any }
			ScopeSpans []struct {
				Scope struct{ Name string }
				Spans []spanRead
			}
		}
	}
	if err := json.Unmarshal([]byte(text), &v); err != nil || len(v.ResourceSpans) != 1 || len(v.ResourceSpans[0].ScopeSpans) != 1 || v.ResourceSpans[0].ScopeSpans[0].Scope.Name == "" || len(v.ResourceSpans[0].Resource.Attributes) != 1 {
		t.Fatal(err, text)
	}
	return v.ResourceSpans[0].ScopeSpans[0].Spans
}

// TestTracesRandom draws lives of calls, and a collector that fails now and then. Each settled
// call has one trace, the same each time it is told, with the times of the events, and
// nothing of the call's arguments and reasons.
func TestTracesRandom(t *testing.T) {
	collector := &receiver{}
	s := newTestService(t, `{"cooldown":"none","expiry":"60s","fourEyes":["wire_x"],"bypass":["alice"],"tools":{"send_x":{"wait":"20s"},"drop_x":{"deny":"never"}}}`, func(o *gate.Options) {
		to, err := notify.ReadTraces([]string{"t=https://collector.example"}, "api-key = k1,x=y")
		if err != nil {
			t.Fatal(err)
		}
		o.Traces, o.Transport = to, collector
	})
	rng := rand.New(rand.NewPCG(61, 4))
	tell := func() {
		if err := s.gate.Housekeep(t.Context()); err != nil {
			t.Fatal(err)
		}
		s.gate.Deliver(t.Context())
	}
	tell() // news begin with the first look
	type life struct {
		tool, parent, state       string
		created, decided, claimed int64
		ended                     int64
	}
	lives := map[string]*life{}
	denied := 0
	const foreign = "0af7651916cd43dd8448eb211c80319c"
	for n := range drawn.Cases(60) {
		l := &life{tool: []string{"cancel_x", "send_x", "wire_x", "drop_x"}[rng.IntN(4)], created: s.now.Load()}
		header := ""
		if rng.IntN(3) == 0 {
			l.parent = fmt.Sprintf("%016x", n+1)
			header = "00-" + foreign + "-" + l.parent + "-01"
		}
		r, _ := http.NewRequest("POST", s.url+"/v1/proposals", strings.NewReader(fmt.Sprintf(`{"tool":%q,"arguments":{"hush":%d}}`, l.tool, n)))
		r.Header.Set("Authorization", "Bearer "+agentKey)
		r.Header.Set("Traceparent", header)
		w, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		var p struct{ ID, Digest string }
		json.NewDecoder(w.Body).Decode(&p)
		w.Body.Close()
		if l.tool == "drop_x" {
			denied++
			continue
		}
		lives[p.ID] = l
		s.now.Add(1 + rng.Int64N(20_000))
		end := func(state string) { l.state, l.ended = state, s.now.Load() }
		switch rng.IntN(6) {
		case 0:
			s.callAPI("POST", "/v1/proposals/"+p.ID+"/decision", bobKey, `{"approve":false,"digest":"`+p.Digest+`","reason":"hush"}`).assertStatus(t, 200)
			l.decided = s.now.Load()
			end("denied")
			continue
		case 1:
			l.ended = l.created + 60_000
			s.now.Add(max(0, l.ended-s.now.Load()))
			s.callAPI("GET", "/v1/proposals/"+p.ID, agentKey, "").assertStatus(t, 200, `"expired"`)
			l.decided = s.now.Load()
			end("expired")
			continue
		}
		key, body := bobKey, `{"approve":true,"digest":"`+p.Digest+`"}`
		if l.tool == "wire_x" {
			key, body = aliceKey, `{"approve":true,"bypass":true,"reason":"hush","digest":"`+p.Digest+`"}`
		}
		s.callAPI("POST", "/v1/proposals/"+p.ID+"/decision", key, body).assertStatus(t, 200)
		l.decided = s.now.Load()
		s.now.Add(20_000 + rng.Int64N(5_000))
		if rng.IntN(4) == 0 {
			s.callAPI("POST", "/v1/proposals/"+p.ID+"/revoke", bobKey, `{"reason":"hush"}`).assertStatus(t, 200)
			end("denied")
			continue
		}
		grant := s.sendClaim(p.ID).assertStatus(t, 200).textField("grant")
		l.claimed = s.now.Load()
		s.now.Add(rng.Int64N(3000))
		state := []string{"executed", "failed"}[rng.IntN(2)]
		s.callAPI("POST", "/v1/proposals/"+p.ID+"/outcome", agentKey, `{"grant":"`+grant+`","status":"`+state+`","detail":"hush"}`).assertStatus(t, 200)
		end(state)
	}
	for range 400 { // until all is told
		if rng.IntN(3) == 0 {
			collector.fail = 1
		}
		tell()
		s.now.Add(3_600_000)
	}
	told := map[string]string{}
	for i, text := range collector.text {
		if strings.Contains(text, "hush") {
			t.Fatal(text)
		}
		if q := collector.got[i]; q.URL.String() != "https://collector.example/v1/traces" || q.Header.Get("Api-Key") != "k1" || q.Header.Get("X") != "y" || q.Header.Get("Content-Type") != "application/json" {
			t.Fatal(q.URL, q.Header)
		}
		spans := spansIn(t, text)
		id := spans[0].attribute("boundcheck.proposal")
		if before := told[spans[0].TraceID+spans[0].SpanID]; before != "" && before != text {
			t.Fatalf("told as\n%s\nand as\n%s", before, text)
		}
		told[spans[0].TraceID+spans[0].SpanID] = text
		l := lives[id]
		if l == nil {
			if id != "" || spans[0].attribute("boundcheck.state") != "denied" || spans[0].attribute("gen_ai.tool.name") != "drop_x" {
				t.Fatal(text)
			}
			continue
		}
		at := func(ms int64) string { return strconv.FormatInt(ms*1_000_000, 10) }
		want := map[string][2]int64{"gate " + l.tool: {l.created, l.ended}, "question": {l.created, l.decided}}
		if l.tool == "send_x" && l.decided != l.ended && l.claimed+1 > 0 && (l.claimed > 0 || l.state == "denied") {
			want["wait"] = [2]int64{l.decided, min(l.decided+20_000, l.ended)}
		}
		if l.claimed > 0 {
			want["run"] = [2]int64{l.claimed, l.ended}
		}
		if len(spans) != len(want) || spans[0].attribute("boundcheck.state") != l.state || (spans[0].Status.Code == 2) != (l.state == "failed") || spans[0].ParentSpanID != l.parent || (spans[0].TraceID == foreign) != (l.parent != "") {
			t.Fatalf("%+v:\n%s", l, text)
		}
		for _, x := range spans {
			if w, ok := want[x.Name]; !ok || x.Start != at(w[0]) || x.End != at(w[1]) || x.TraceID != spans[0].TraceID || len(x.TraceID) != 32 || len(x.SpanID) != 16 || x.Kind != 1 || x.Name != spans[0].Name && x.ParentSpanID != spans[0].SpanID {
				t.Fatalf("%+v, %s: %v\n%s", l, x.Name, w, text)
			}
		}
	}
	if len(told) != len(lives)+denied {
		t.Errorf("%d traces of %d calls", len(told), len(lives)+denied)
	}
	s.assertWhole()
}

// TestReadTraces checks the setting.
func TestReadTraces(t *testing.T) {
	for text, part := range map[string]string{"https://c.example": "want TENANT=URL", "t=http://c.example": "https://host", "t=": "TENANT=URL", "=https://c.example": "TENANT=URL"} {
		if _, err := notify.ReadTraces([]string{text}, ""); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%s: %v", text, err)
		}
	}
	if to, err := notify.ReadTraces([]string{"t=http://localhost:4318/v1/traces?a=b=c"}, ""); err != nil || to[0].Tenant != "t" || to[0].URL != "http://localhost:4318/v1/traces?a=b=c" {
		t.Error(to, err)
	}
	if _, err := notify.ReadTraces([]string{"t=https://c.example"}, "novalue"); err == nil {
		t.Error("a header without a value")
	}
}
