package env

import (
	"fmt"
	"sync"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/plugins/taubench/py"
)

// Domain is the benchmark's domain to which a database or a tool belongs.
type Domain string

// The domains.
const (
	Airline Domain = "airline"
	Retail  Domain = "retail"
)

// Database is one domain's tables. Rows are parsed only when they are read: a run
// touches a dozen of several thousand.
type Database struct {
	Domain Domain
	tables map[string]*table
	store  store

	finished finished

	// Made on first use. An error is kept and raised again on each use.
	schedule  func() *schedule
	directory func() *directory
	models    func() models
}

func newDatabase(domain Domain) *Database {
	d := &Database{Domain: domain, tables: map[string]*table{}}
	d.schedule = sync.OnceValue(func() *schedule { return readSchedule(d) })
	d.directory = sync.OnceValue(func() *directory { return readDirectory(d) })
	d.models = sync.OnceValue(func() models { return modelsOf(domain) })
	return d
}

// table is a JSON object of rows, indexed on first use.
type table struct {
	name, text string
	index      func() rows
}

type rows struct {
	keys []string // in the order of the file
	text map[string]string
}

func newTable(name, text string) *table {
	t := &table{name: name, text: text}
	t.index = sync.OnceValue(t.readRows)
	return t
}

func (t *table) readRows() rows {
	out := rows{text: map[string]string{}}
	err := jsonval.Members(t.text, func(key, raw string) bool {
		if _, twice := out.text[key]; !twice {
			out.keys = append(out.keys, key)
		}
		out.text[key] = raw
		return true
	})
	if err != nil {
		panic(&DataError{Table: t.name, Err: err})
	}
	return out
}

// DataError says that a database file is invalid. Call and Open return it; no other
// package panics with it.
type DataError struct {
	Table, Key string
	Err        error
}

// Error returns a message that names the table and the row.
func (e *DataError) Error() string {
	if e.Key == "" {
		return fmt.Sprintf("table %s: %v", e.Table, e.Err)
	}
	return fmt.Sprintf("table %s, row %q: %v", e.Table, e.Key, e.Err)
}

// Unwrap returns the underlying error.
func (e *DataError) Unwrap() error { return e.Err }

// rawRow returns a row's text, or "" if there is no such row.
func (d *Database) rawRow(table, key string) string {
	t := d.tables[table]
	if t == nil {
		return ""
	}
	return t.index().text[key]
}

func parseObject(table, key, raw string) *py.Dict {
	v, err := py.Parse(raw)
	if err != nil {
		panic(&DataError{Table: table, Key: key, Err: err})
	}
	o, ok := v.(*py.Dict)
	if !ok {
		panic(&DataError{Table: table, Key: key, Err: fmt.Errorf("a row must be an object, but is a %s", py.TypeName(v))})
	}
	return o
}

// tableKeys returns a table's keys in the order of the file.
func (d *Database) tableKeys(table string) []string {
	t := d.tables[table]
	if t == nil {
		return nil
	}
	return t.index().keys
}

// typedRow returns a row in the form of τ². A user in a file of τ-bench has no member
// user_id, so typedRow adds this member.
func (d *Database) typedRow(table, key string, row *py.Dict) *py.Dict {
	if table == "users" && !row.Has("user_id") {
		row.Set("user_id", key)
	}
	var out *py.Dict
	if e := py.Catch(func() { out = d.models().castRecord(table, row) }); e != nil {
		panic(&DataError{Table: table, Key: key, Err: e})
	}
	return out
}
