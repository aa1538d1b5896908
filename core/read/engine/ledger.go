package engine

import "github.com/boundcheck/boundcheck/core/base/jsonval"

// ledger decides which messages and calls are new if each span of a trace repeats the
// whole history. It recognises a call by its id. Anything without an id is counted: the
// k-th occurrence in one history is new if fewer than k occurrences were recorded before.
// taken counts the recorded occurrences, and local those in the current history.
type ledger struct {
	taken, local map[string]int
	repeats      bool // what is read now only repeats a history
}

func newLedger() *ledger { return &ledger{taken: map[string]int{}, local: map[string]int{}} }

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

// recordCall reports whether a call is new, and records it. A call in a repeated history may
// have another id there than in the answer that made it. So there it is new only if the
// history has more calls with its name and arguments than were recorded.
func (l *ledger) recordCall(c *Call) bool {
	if c.ID == "" {
		return l.recordKey(c.spelling())
	}
	spelling := c.spelling()
	l.local[spelling]++
	if l.taken[c.ledgerKey()] > 0 {
		return false
	}
	l.taken[c.ledgerKey()]++
	if l.repeats && l.local[spelling] <= l.taken[spelling] {
		return false
	}
	l.taken[spelling]++
	return true
}

// recordExecuted records a call of which only the execution was found.
func (l *ledger) recordExecuted(c *Call) {
	l.taken[c.spelling()]++
	if c.ID != "" {
		l.taken[c.ledgerKey()]++
	}
}

// ledgerKey returns the key by which a ledger recognises a call: its id, or else its name
// and arguments.
func (c *Call) ledgerKey() string {
	if c.ID != "" {
		return "id\x00" + c.ID
	}
	return c.spelling()
}

// spelling returns the name and the arguments of a call as one text.
func (c *Call) spelling() string {
	arguments := c.Arguments
	if s, ok := arguments.Str(); ok {
		if v, err := jsonval.Parse(s); err == nil {
			arguments = v
		}
	}
	return "call\x00" + c.Name + "\x00" + c.Text + "\x00" + arguments.Canonical()
}
