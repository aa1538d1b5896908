package machine

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Link is one row of the audit chain: the bytes of an entry, bound to all rows before it.
// Every tenant has its own chain.
type Link struct {
	N     int64  `json:"n,string"` // place in the chain, from 1
	Prev  string `json:"prev"`     // hash of the row before; "" for the first
	Entry string `json:"entry"`    // canonical bytes; "" for a redacted row
	Hash  string `json:"hash"`
}

// Seal returns the row that follows the row prev in the chain and has the given entry.
// For the first row, prev is the zero Link. Sealing a row again returns the same bytes.
func Seal(tenant string, prev Link, entry string) Link {
	l := Link{N: prev.N + 1, Prev: prev.Hash, Entry: entry}
	l.Hash = l.chainHash(tenant)
	return l
}

func (l Link) chainHash(tenant string) string {
	return hashOf("boundcheck.audit/1", tenant, strconv.FormatInt(l.N, 10), l.Prev, l.Entry)
}

// Fault reports a row of a chain that is not as it was written.
type Fault struct {
	N    int64 // the row's number in the chain
	Kind string
	Text string
}

// Kinds of faults.
const (
	Changed   = "changed"
	Removed   = "removed"
	Reordered = "reordered"
	Rewritten = "rewritten" // valid in itself, but not the row that its successor or the head refers to
	Emptied   = "emptied"   // redacted, but no later row records this
)

// Verify returns the faults of a chain, such as rows that were changed, removed or
// reordered. rows is the number of rows that the chain should have, and head is the hash
// of its last row. If these are not known (0 and ""), Verify cannot find rows that are
// missing at the end. A redacted row is valid if the next row refers to its hash, and if
// a later row says that it was redacted. O(n log n).
func Verify(tenant string, links []Link, rows int64, head string) (faults []Fault) {
	add := func(n int64, kind, format string, a ...any) {
		faults = append(faults, Fault{n, kind, fmt.Sprintf(format, a...)})
	}
	place := make(map[int64]int, len(links))
	for i, l := range links {
		if l.Entry != "" && l.chainHash(tenant) != l.Hash {
			add(l.N, Changed, "row %d (line %d) was changed: its hash does not match", l.N, i+1)
		}
		if first, twice := place[l.N]; twice {
			add(l.N, Rewritten, "row %d appears twice, on lines %d and %d", l.N, first+1, i+1)
			continue
		}
		place[l.N] = i
	}
	before := Link{}
	at := -1
	for _, n := range sortedRows(place) {
		i := place[n]
		l := links[i]
		switch {
		case n != before.N+1:
			add(before.N+1, Removed, "%s missing", spanText(before.N+1, n-1))
		case l.Prev != before.Hash:
			add(n, Rewritten, "row %d does not contain the hash of the row before it: one of the two was rewritten", n)
		}
		if i < at {
			add(n, Reordered, "the rows are in the wrong order: row %d (line %d) comes before row %d (line %d)", n, i+1, before.N, at+1)
		}
		before, at = l, i
	}
	if rows > before.N {
		add(before.N+1, Removed, "%s missing", spanText(before.N+1, rows))
	} else if head != "" && before.Hash != head {
		add(before.N, Rewritten, "row %d is the last row, but the hash of this row differs from the recorded head of the chain", before.N)
	}
	for _, n := range undeclaredRows(links) {
		add(n, Emptied, "row %d was redacted, but no later row records the redaction", n)
	}
	return faults
}

// Redactions returns the number of redacted rows in a chain.
func Redactions(links []Link) (n int) {
	for _, l := range links {
		if l.Entry == "" {
			n++
		}
	}
	return n
}

// undeclaredRows returns the numbers of the redacted rows for which no later row says
// that they were redacted.
func undeclaredRows(links []Link) (out []int64) {
	var empty []int64
	for _, l := range links {
		if l.Entry == "" {
			empty = append(empty, l.N)
		}
	}
	slices.Sort(empty)
	said := map[int64]bool{}
	for _, l := range links {
		for _, s := range redactedRows(l) {
			at, _ := slices.BinarySearch(empty, s.from)
			for ; at < len(empty) && empty[at] <= s.to && empty[at] < l.N; at++ {
				said[empty[at]] = true
			}
		}
	}
	for _, n := range empty {
		if !said[n] {
			out = append(out, n)
		}
	}
	return out
}

// redactedRows returns the numbers of the rows that a redaction entry names. It returns
// nil if the row has another entry.
func redactedRows(l Link) []rowSpan {
	if !strings.Contains(l.Entry, `"event":"redact"`) {
		return nil
	}
	var e Entry
	if json.Unmarshal([]byte(l.Entry), &e) != nil || e.Event != Redact || e.Rows == "" {
		return nil
	}
	spans, _ := readRows(e.Rows)
	return spans
}

func spanText(from, to int64) string {
	if from == to {
		return fmt.Sprintf("row %d is", from)
	}
	return fmt.Sprintf("rows %d to %d are", from, to)
}

func sortedRows(place map[int64]int) []int64 {
	all := make([]int64, 0, len(place))
	for n := range place {
		all = append(all, n)
	}
	slices.Sort(all)
	return all
}
