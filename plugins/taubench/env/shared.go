package env

import (
	"sync"

	"github.com/boundcheck/boundcheck/plugins/taubench/py"
)

// shared is a row of the database, parsed once for all runs and never written to. Runs
// of one benchmark read the same few rows again and again.
type shared struct {
	value            *py.Dict // nil if the database has no such row
	text             int      // number of bytes that it was parsed from
	order, canonical func() string
}

// sharedLimit bounds the rows that are kept, in bytes of their text. Parsed rows need
// about ten times as much memory.
const sharedLimit = 2 << 20

// store holds the shared rows of a database, by row and dialect.
type store struct {
	mu   sync.Mutex
	rows map[storeKey]*shared
	size int
}

type storeKey struct {
	rowKey
	dialect Dialect
}

// sharedRow returns a row of the database in the form of the dialect. The value of the
// result is nil if the database has no such row.
func (d *Database) sharedRow(k rowKey, dialect Dialect) *shared {
	d.store.mu.Lock()
	defer d.store.mu.Unlock()
	at := storeKey{k, dialect}
	if s := d.store.rows[at]; s != nil {
		return s
	}
	s := &shared{text: len(d.rowText(k))}
	s.value = d.decodeRow(k, dialect)
	s.order = sync.OnceValue(func() string { return dumpRow(s.value) })
	s.canonical = sync.OnceValue(func() string { return canonicalText(s.value) })
	if d.store.size += s.text; d.store.rows == nil || d.store.size > sharedLimit {
		d.store.rows, d.store.size = map[storeKey]*shared{}, s.text
	}
	d.store.rows[at] = s
	return s
}

// rowText returns the text of a row, or "" if there is no such row.
func (d *Database) rowText(k rowKey) string {
	if k.sub == "" {
		return d.rawRow(k.table, k.key)
	}
	f := d.schedule().byNumber[k.key]
	if f == nil {
		return ""
	}
	return f.dayText(k.sub)
}

func (d *Database) decodeRow(k rowKey, dialect Dialect) *py.Dict {
	text := d.rowText(k)
	if text == "" {
		return nil
	}
	row := parseObject(k.table, k.key, text)
	if dialect == Tau2 && k.sub == "" {
		row = d.typedRow(k.table, k.key, row)
	}
	return row
}
