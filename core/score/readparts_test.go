package score

import "testing"

// TestReadsInParts checks when reading several things in one call, or in several calls, stands
// in for the reference's reads.
func TestReadsInParts(t *testing.T) {
	const (
		both   = `{"name":"get_contacts","arguments":{"contact_ids":["c-1","c-2"]},"result":"ok"}`
		one    = `{"name":"get_contact","arguments":{"contact_id":"c-1"},"result":"ok"}`
		two    = `{"name":"get_contact","arguments":{"contact_id":"c-2"},"result":"ok"}`
		three  = `{"name":"get_contact","arguments":{"contact_id":"c-3"},"result":"ok"}`
		failed = `{"name":"get_contacts","arguments":{"contact_ids":["c-1","c-2"]},"error":"not found"}`
		others = `{"name":"get_orders","arguments":{"order_ids":["c-1","c-2"]},"result":"ok"}`
		change = `{"name":"merge_contacts","arguments":{"id":"c-1","other":"c-2"},"result":"ok"}`
	)
	singles := `["get_contact(contact_id=c-1)","get_contact(contact_id=c-2)","merge_contacts(id=c-1, other=c-2)"]`
	bulk := `[{"name":"get_contacts","arguments":{"contact_ids":["c-2","c-1"]}},"merge_contacts(id=c-1, other=c-2)"]`
	for _, c := range []struct {
		run, reference string
		flagged        bool
	}{
		{both + "," + change, singles, false},
		{one + "," + two + "," + change, bulk, false},
		{change + "," + both, singles, true},
		{one + "," + change + "," + two, bulk, true},
		{one + "," + change, bulk, true},
		{one + "," + three + "," + change, bulk, true},
		{failed + "," + change, singles, true},
		{others + "," + change, singles, true},
	} {
		report := evaluateTrace(t, "["+c.run+"]", c.reference, "sop")
		if run := report.Trajectories[0]; run.Flagged != c.flagged {
			t.Errorf("%s: flagged %v, want %v: %s", c.run, run.Flagged, c.flagged, reasonsOf(&run))
		}
	}
}
