package trajectory

import "github.com/boundcheck/boundcheck/core/jsonval"

// ledger decides which messages and calls are new if each span of a trace repeats the
// whole history. It recognises a call by its id. Anything without an id is counted: the
// k-th occurrence in one history is new if fewer than k occurrences were recorded before.
// taken counts the recorded occurrences, and local those in the current history.
type ledger struct{ taken, local map[string]int }

func newLedger() *ledger { return &ledger{map[string]int{}, map[string]int{}} }

// beginHistory starts a new history. The new history may repeat all messages and calls
// that were recorded so far.
func (l *ledger) beginHistory() { l.local = map[string]int{} }

func (l *ledger) recordKey(key string) bool {
	if l.local[key]++; l.local[key] <= l.taken[key] {
		return false
	}
	l.taken[key]++
	return true
}

// recordCall reports whether a call is new, and records it.
func (l *ledger) recordCall(c *call) bool {
	if key := c.ledgerKey(); c.id == "" || l.taken[key] == 0 {
		return l.recordKey(key)
	}
	return false
}

// ledgerKey returns the key by which a ledger recognises a call: its id, or else its name
// and arguments.
func (c *call) ledgerKey() string {
	if c.id != "" {
		return "id\x00" + c.id
	}
	arguments := c.arguments
	if s, ok := arguments.Str(); ok {
		if v, err := jsonval.Parse(s); err == nil {
			arguments = v
		}
	}
	return "call\x00" + c.name + "\x00" + c.text + "\x00" + arguments.Canonical()
}
