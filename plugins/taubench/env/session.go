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

// NewSession starts a run.
func (d *Database) NewSession(dialect Dialect) *Session {
	return &Session{db: d, dialect: dialect, tools: toolsOf(d.Domain, dialect), rows: map[rowKey]*row{}}
}

// at returns the run's own copy of a row. If the run has no copy yet, it makes one.
func (s *Session) at(k rowKey) *row {
	if r := s.rows[k]; r != nil {
		return r
	}
	r := &row{rowKey: k, from: s.db.shared(k, s.dialect)}
	if r.from.value != nil {
		r.value = py.DeepCopy(r.from.value).(*py.Dict)
	}
	s.rows[k] = r
	return r
}

// value returns the current row: the run's own, or the database's.
func (s *Session) value(k rowKey) *py.Dict {
	if r := s.rows[k]; r != nil {
		return r.value
	}
	return s.db.shared(k, s.dialect).value
}

// peek returns the current row, as the method value does, but only for reading. It
// remembers a row of the database in s.peeked.
func (s *Session) peek(k rowKey) *py.Dict {
	if r := s.rows[k]; r != nil {
		return r.value
	}
	s.peeked = s.db.shared(k, s.dialect)
	return s.peeked.value
}

// look returns a row that the tool will not write to; nil if there is none.
func (s *Session) look(table, key string) *py.Dict { return s.peek(rowKey{table: table, key: key}) }

// edit returns a row that the tool may write to; nil if there is none.
func (s *Session) edit(table, key string) *py.Dict {
	return s.touch(rowKey{table: table, key: key}).value
}

// day returns one day of a flight; nil if it does not fly on that day.
func (s *Session) day(number, date string) *py.Dict {
	return s.peek(rowKey{"flights", number, date})
}

// editDay does the same as day, for writing.
func (s *Session) editDay(number, date string) *py.Dict {
	return s.touch(rowKey{"flights", number, date}).value
}

// put creates or replaces a row.
func (s *Session) put(table, key string, v *py.Dict) {
	s.touch(rowKey{table: table, key: key}).value = v
}

func (s *Session) touch(k rowKey) *row {
	r := s.at(k)
	if !r.known {
		if r.order, r.known = r.from.order(), true; r.written {
			r.order = dumps(r.value)
		}
	}
	if !r.touched {
		r.touched = true
		s.touched = append(s.touched, r)
	}
	return r
}

func dumps(v *py.Dict) string {
	if v == nil {
		return ""
	}
	return py.Dumps(v)
}

// reads reports whether a text equals the dump of v. For nil, the text must be "".
func reads(text string, v *py.Dict) bool {
	if v == nil {
		return text == ""
	}
	return py.Reads(text, v)
}

func canonical(v *py.Dict) string {
	if v == nil {
		return ""
	}
	return py.Canonical(v)
}

// settle returns the rows that the last call changed. It also reports whether the text of
// any row changed, even if only the order of its members did.
func (s *Session) settle() (changed []Row, reordered bool) {
	for _, r := range s.touched {
		r.touched = false
		if reads(r.order, r.value) {
			continue
		}
		r.known, reordered = false, true
		if !r.written {
			r.base = r.from.canonical()
			r.now, r.written = r.base, true
		}
		if now := canonical(r.value); now != r.now {
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

// changed finds the rows that differ from the database, and adds them to the set that it
// is given.
func (s *Session) changed(into map[rowKey]bool) {
	for k, r := range s.rows {
		if r.written && r.base != r.now {
			into[k] = true
		}
	}
}

// state returns a row's current canonical text.
func (s *Session) state(k rowKey) string {
	if r := s.rows[k]; r != nil && r.written {
		return r.now
	}
	return s.db.shared(k, s.dialect).canonical()
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
	obs.changed(either)
	ref.changed(either)
	keys := make([]rowKey, 0, len(either))
	for k := range either {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b rowKey) int {
		return cmp.Or(cmp.Compare(a.table, b.table), cmp.Compare(a.key, b.key), cmp.Compare(a.sub, b.sub))
	})
	var out []Difference
	for _, k := range keys {
		if obs.state(k) != ref.state(k) {
			d := differ{at: k, out: &out}
			d.rows(obs.value(k), ref.value(k))
		}
	}
	return out
}

// State returns the rows that the run changed, by table and key, each with its canonical
// text or "" if it was removed. Two runs on one database end in the same state if and
// only if the texts are equal.
func (s *Session) State() string {
	rows := map[rowKey]bool{}
	s.changed(rows)
	var lines []string
	for k := range rows {
		lines = append(lines, fmt.Sprintf("%q %q %q %s\n", k.table, k.key, k.sub, s.state(k)))
	}
	slices.Sort(lines)
	return strings.Join(lines, "")
}
