package proposal

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
	"github.com/boundcheck/boundcheck/internal/recordings"
)

// recordedTurn is a message of a recorded run.
type recordedTurn struct {
	Role    string `json:"role"`
	Content any    `json:"content"`
	CallID  string `json:"tool_call_id,omitempty"`
	Calls   []struct {
		ID       string `json:"id"`
		Type     string `json:"type"`
		Function struct {
			Name      string `json:"name"`
			Arguments string `json:"arguments"`
		} `json:"function"`
	} `json:"tool_calls,omitempty"`
}

// TestBurdenOnRecordings counts for how many changing calls of recorded runs the burden of proof is turned round and not met.
// No result of these runs orders anything, so each is a person who is told without need that perhaps only the data asks.
// It takes every fourth run, and all with BOUNDCHECK_LONG=1.
func TestBurdenOnRecordings(t *testing.T) {
	for _, x := range []struct {
		file, writes string
		sample, most int // as many of every fourth run, and of all, as it was when this test was written
	}{
		{"tau-bench/gpt-4o-airline.json", "book_reservation cancel_reservation send_certificate update_reservation_baggages update_reservation_flights update_reservation_passengers", 0, 1},
		{"tau-bench/gpt-4o-retail.json", "cancel_pending_order exchange_delivered_order_items modify_pending_order_address modify_pending_order_items modify_pending_order_payment modify_user_address return_delivered_order_items", 7, 16},
	} {
		var runs []struct{ Traj []recordedTurn }
		if err := json.Unmarshal(recordings.Read(t, x.file), &runs); err != nil || len(runs) < 100 {
			t.Fatalf("%d runs: %v", len(runs), err)
		}
		changing, held := 0, 0
		for n, run := range runs {
			if !drawn.InShare(n, 4) {
				continue
			}
			for i, m := range run.Traj {
				if len(m.Calls) == 0 || !slices.Contains(strings.Fields(x.writes), m.Calls[0].Function.Name) {
					continue
				}
				messages, err := json.Marshal(run.Traj[:i])
				if err != nil {
					t.Fatal(err)
				}
				f := m.Calls[0].Function
				p, err := Read(fmt.Sprintf(`{"tool":%q,"arguments":%s,"messages":%s}`, f.Name, f.Arguments, messages))
				if err != nil {
					t.Fatal(err)
				}
				changing++
				if d := Check(p); d.Asked.MayBeDataAlone() {
					held++
					t.Logf("run %d, message %d, %s: %s", n, i, f.Name, d.Asked.Line())
				}
			}
		}
		t.Logf("%s: %d of %d held", x.file, held, changing)
		most := x.sample
		if drawn.InShare(1, 4) {
			most = x.most
		}
		if held > most {
			t.Errorf("%s: %d are held, at most %d", x.file, held, most)
		}
	}
}
