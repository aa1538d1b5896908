//go:build !js

package gate_test

import (
	"context"
	"encoding/json"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
	"github.com/boundcheck/boundcheck/worker/gate"
)

// postDirect sends a POST request to the handler without a network connection. It checks
// the status and returns the body.
func postDirect(b *testing.B, h *gate.Gate, path, key, body string, want int) map[string]any {
	r := httptest.NewRequest("POST", path, strings.NewReader(body))
	r.Host = "localhost"
	r.Header.Set("Authorization", "Bearer "+key)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if w.Code != want {
		b.Fatalf("%s: %d %s", path, w.Code, w.Body)
	}
	var out map[string]any
	json.Unmarshal(w.Body.Bytes(), &out)
	return out
}

func benchGate(b *testing.B) *gate.Gate {
	store, _ := open(b)
	keys, _ := gate.ReadKeys(keyFile)
	g, err := gate.New(gate.Options{Store: store, Keys: keys, URL: "http://localhost", Rate: -1, Waiting: 1 << 30})
	if err != nil {
		b.Fatal(err)
	}
	return g
}

// BenchmarkAllow measures a proposal of a read, which the handler allows at once. Only an
// audit entry is stored.
func BenchmarkAllow(b *testing.B) {
	g := benchGate(b)
	b.ReportAllocs()
	for b.Loop() {
		postDirect(b, g, "/v1/proposals", agentKey, `{"tool":"get_order","arguments":{"order_id":"#W123"}}`, 200)
	}
}

// BenchmarkRound measures propose, approve, claim and outcome through the handler. Each
// is synced to disk before it is answered.
func BenchmarkRound(b *testing.B) {
	g := benchGate(b)
	b.ReportAllocs()
	for b.Loop() {
		p := postDirect(b, g, "/v1/proposals", agentKey, `{"tool":"cancel_order","arguments":{"order_id":"#W123"}}`, 202)
		path := "/v1/proposals/" + p["id"].(string)
		postDirect(b, g, path+"/decision", aliceKey, `{"approve":true,"digest":"`+p["digest"].(string)+`"}`, 200)
		c := postDirect(b, g, path+"/claim", agentKey, ``, 200)
		postDirect(b, g, path+"/outcome", agentKey, `{"grant":"`+c["grant"].(string)+`","status":"executed"}`, 200)
	}
}

// BenchmarkInsert measures one statement that stores a record with its audit entry,
// synced to disk. No change of a record can be faster.
func BenchmarkInsert(b *testing.B) {
	store, _ := open(b)
	for n := 0; b.Loop(); n++ {
		a := machine.Ask{By: bot, Calls: []proposal.Proposal{{Tool: "cancel_order", Arguments: "{}"}}, IDs: []string{"p" + strconv.Itoa(n)}}
		plan := machine.Propose(machine.Default(), a, start)
		if err := store.Insert(context.Background(), plan.Records, plan.Entries); err != nil {
			b.Fatal(err)
		}
	}
}
