package env

import (
	"sync"

	"github.com/boundcheck/boundcheck/plugins/taubench/py"
)

// shared is a row as the database has it, read once for all runs and written to by
// none. Runs of one benchmark ask for the same few rows again and again.
type shared struct {
	value            *py.Dict // nil where the database has no such row
	text             int      // bytes that it was read from
	order, canonical func() string
}

// sharedLimit bounds the rows that are kept, in bytes of their text: parsed they take
// some ten times as much.
const sharedLimit = 2 << 20

// store is the shared rows of a database, by row and dialect.
type store struct {
	mu   sync.Mutex
	rows map[storeKey]*shared
	size int
}

type storeKey struct {
	rowKey
	dialect Dialect
}

// shared gives a row, nil value included.
func (d *Database) shared(k rowKey, dialect Dialect) *shared {
	d.store.mu.Lock()
	defer d.store.mu.Unlock()
	at := storeKey{k, dialect}
	if s := d.store.rows[at]; s != nil {
		return s
	}
	s := &shared{text: len(d.text(k))}
	s.value = d.read(k, dialect)
	s.order = sync.OnceValue(func() string { return dumps(s.value) })
	s.canonical = sync.OnceValue(func() string { return canonical(s.value) })
	if d.store.size += s.text; d.store.rows == nil || d.store.size > sharedLimit {
		d.store.rows, d.store.size = map[storeKey]*shared{}, s.text
	}
	d.store.rows[at] = s
	return s
}

// text is what a row is read from, "" where there is none.
func (d *Database) text(k rowKey) string {
	if k.sub == "" {
		return d.raw(k.table, k.key)
	}
	f := d.schedule().byNumber[k.key]
	if f == nil {
		return ""
	}
	return f.date(k.sub)
}

func (d *Database) read(k rowKey, dialect Dialect) *py.Dict {
	text := d.text(k)
	if text == "" {
		return nil
	}
	row := object(k.table, k.key, text)
	if dialect == Tau2 && k.sub == "" {
		row = d.typed(k.table, k.key, row)
	}
	return row
}
