package env

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/plugins/taubench/py"
)

// Session is one run on a fresh copy of a database: a row is copied when a tool first
// reads it, so a run copies only what it touches. It is not safe for concurrent use.
type Session struct {
	db      *Database
	tools   map[string]signed
	dialect Dialect
	rows    map[rowKey]*row
	touched []*row  // by the current call
	peeked  *shared // the last row that was only read
}

// Row names a row of a table.
type Row struct{ Table, Key string }

// rowKey names a row; sub is a day of a flight, and "" for other rows.
type rowKey struct{ table, key, sub string }

type row struct {
	rowKey
	from    *shared  // the row in the database
	value   *py.Dict // nil while the row does not exist
	touched bool     // by the current call
	known   bool     // order is set
	order   string   // its text before the current call, with members in their order
	written bool     // base and now are set
	base    string   // its canonical text in the database; "" if it did not exist
	now     string   // its canonical text after the last call
}

// NewSession returns a session for a new run on the database.
func (d *Database) NewSession(dialect Dialect) *Session {
	return &Session{db: d, dialect: dialect, tools: toolsOf(d.Domain, dialect), rows: map[rowKey]*row{}}
}

// ownRow returns the run's own copy of a row. If the run has no copy yet, it makes one.
func (s *Session) ownRow(k rowKey) *row {
	if r := s.rows[k]; r != nil {
		return r
	}
	r := &row{rowKey: k, from: s.db.sharedRow(k, s.dialect)}
	if r.from.value != nil {
		r.value = py.DeepCopy(r.from.value).(*py.Dict)
	}
	s.rows[k] = r
	return r
}

// currentRow returns a row in its current state. This is the run's own copy of the row,
// or the row of the database if the run has no copy.
func (s *Session) currentRow(k rowKey) *py.Dict {
	if r := s.rows[k]; r != nil {
		return r.value
	}
	return s.db.sharedRow(k, s.dialect).value
}

// peekRow returns a row in its current state, only for reading. It stores a row that
// comes from the database in s.peeked.
func (s *Session) peekRow(k rowKey) *py.Dict {
	if r := s.rows[k]; r != nil {
		return r.value
	}
	s.peeked = s.db.sharedRow(k, s.dialect)
	return s.peeked.value
}

// findRow returns a row that the tool will not write to, or nil if there is no such row.
func (s *Session) findRow(table, key string) *py.Dict {
	return s.peekRow(rowKey{table: table, key: key})
}

// editRow returns a row that the tool may write to, or nil if there is no such row.
func (s *Session) editRow(table, key string) *py.Dict {
	return s.touchRow(rowKey{table: table, key: key}).value
}

// flightDay returns one day of a flight, or nil if the flight does not take place on that
// day.
func (s *Session) flightDay(number, date string) *py.Dict {
	return s.peekRow(rowKey{"flights", number, date})
}

// editDay does the same as flightDay, but the tool may write to the result.
func (s *Session) editDay(number, date string) *py.Dict {
	return s.touchRow(rowKey{"flights", number, date}).value
}

// putRow creates or replaces a row.
func (s *Session) putRow(table, key string, v *py.Dict) {
	s.touchRow(rowKey{table: table, key: key}).value = v
}

func (s *Session) touchRow(k rowKey) *row {
	r := s.ownRow(k)
	if !r.known {
		if r.order, r.known = r.from.order(), true; r.written {
			r.order = dumpRow(r.value)
		}
	}
	if !r.touched {
		r.touched = true
		s.touched = append(s.touched, r)
	}
	return r
}

func dumpRow(v *py.Dict) string {
	if v == nil {
		return ""
	}
	return py.Dumps(v)
}

// dumpMatches reports whether a text equals the dump of v. If v is nil, the text must be
// "".
func dumpMatches(text string, v *py.Dict) bool {
	if v == nil {
		return text == ""
	}
	return py.Reads(text, v)
}

func canonicalText(v *py.Dict) string {
	if v == nil {
		return ""
	}
	return py.Canonical(v)
}

// settleCall returns the rows that the last call changed. reordered is true if the text
// of any row changed, even if only the order of its members changed.
func (s *Session) settleCall() (changed []Row, reordered bool) {
	for _, r := range s.touched {
		r.touched = false
		if dumpMatches(r.order, r.value) {
			continue
		}
		r.known, reordered = false, true
		if !r.written {
			r.base = r.from.canonical()
			r.now, r.written = r.base, true
		}
		if now := canonicalText(r.value); now != r.now {
			changed = append(changed, Row{r.table, r.key})
			r.now = now
		}
	}
	s.touched = s.touched[:0]
	return changed, reordered
}

// Changed reports whether the run changed the database.
func (s *Session) Changed() bool {
	for _, r := range s.rows {
		if r.written && r.base != r.now {
			return true
		}
	}
	return false
}

// addChangedRows adds each row that differs from the database to a set. The set is the
// parameter into.
func (s *Session) addChangedRows(into map[rowKey]bool) {
	for k, r := range s.rows {
		if r.written && r.base != r.now {
			into[k] = true
		}
	}
}

// rowState returns a row's current canonical text.
func (s *Session) rowState(k rowKey) string {
	if r := s.rows[k]; r != nil && r.written {
		return r.now
	}
	return s.db.sharedRow(k, s.dialect).canonical()
}

// Difference is one place where two final states differ. Observed or Reference is JSON,
// or nil if that side has no such value.
type Difference struct {
	Table, Key, Field   string
	Observed, Reference *string
}

// Diff compares the final states of two runs on one database, without changing them.
// The result is ordered by table, key and position of the field.
func Diff(obs, ref *Session) []Difference {
	either := map[rowKey]bool{}
	obs.addChangedRows(either)
	ref.addChangedRows(either)
	keys := make([]rowKey, 0, len(either))
	for k := range either {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b rowKey) int {
		return cmp.Or(cmp.Compare(a.table, b.table), cmp.Compare(a.key, b.key), cmp.Compare(a.sub, b.sub))
	})
	var out []Difference
	for _, k := range keys {
		if obs.rowState(k) != ref.rowState(k) {
			d := differ{at: k, out: &out}
			d.compareRows(obs.currentRow(k), ref.currentRow(k))
		}
	}
	return out
}

// State returns a text with the rows that the run changed, sorted by table and key. A row
// that was removed has the text "". Two runs on one database end in the same state if and
// only if these texts are equal.
func (s *Session) State() string {
	rows := map[rowKey]bool{}
	s.addChangedRows(rows)
	var lines []string
	for k := range rows {
		lines = append(lines, fmt.Sprintf("%q %q %q %s\n", k.table, k.key, k.sub, s.rowState(k)))
	}
	slices.Sort(lines)
	return strings.Join(lines, "")
}
