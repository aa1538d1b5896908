package env

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// File is one of the user's files. Name is its path with slashes, from whatever
// directory the user gave.
type File struct {
	Name string
	Data string
}

// World holds all databases found among the files.
type World struct{ databases []source }

// source is a database and the folder in which it was found. single means that one file
// holds all tables, as for τ².
type source struct {
	*Database
	dir    string
	single bool
}

// FileNames returns the names of the files that hold databases. Such a file may be in any
// directory. A file of τ-bench has one table, and a file of τ² has all tables.
func FileNames() []string {
	return []string{"db.json", "flights.json", "orders.json", "products.json", "reservations.json", "users.json"}
}

// Open returns the databases in files. The tables in one directory form a database, and
// so do the members of one db.json. The tables of a database determine its domain. Files
// with other names are ignored. The databases share the memory of the files' texts.
func Open(files []File) (*World, error) {
	byDir := map[string]map[string]string{}
	w := &World{}
	for _, f := range files {
		dir, base := path.Split(strings.ReplaceAll(f.Name, `\`, "/"))
		switch {
		case !slices.Contains(FileNames(), base):
		case base == "db.json":
			tables := map[string]string{}
			err := jsonval.Members(f.Data, func(key, raw string) bool { tables[key] = raw; return true })
			if err != nil {
				return nil, fmt.Errorf("%s: %w", f.Name, err)
			}
			w.addTables(dir, tables, true)
		default:
			if byDir[dir] == nil {
				byDir[dir] = map[string]string{}
			}
			byDir[dir][strings.TrimSuffix(base, ".json")] = f.Data
		}
	}
	for dir, tables := range byDir {
		w.addTables(dir, tables, false)
	}
	if len(w.databases) == 0 {
		return nil, fmt.Errorf("no database found. Give the files of flights, reservations and users, the files of orders, products and users, or one db.json with these tables")
	}
	slices.SortFunc(w.databases, func(a, b source) int { return strings.Compare(a.dir, b.dir) })
	if err := w.checkTables(); err != nil {
		return nil, err
	}
	for _, d := range w.databases {
		d.prepareSearches()
	}
	return w, nil
}

func (w *World) addTables(dir string, tables map[string]string, single bool) {
	for domain, wants := range map[Domain][]string{
		Airline: {"flights", "reservations", "users"},
		Retail:  {"orders", "products", "users"},
	} {
		d := newDatabase(domain)
		for _, name := range wants {
			if text, ok := tables[name]; ok {
				d.tables[name] = newTable(name, text)
			}
		}
		if len(d.tables) == len(wants) {
			w.databases = append(w.databases, source{Database: d, dir: dir, single: single})
		}
	}
}

// checkTables reads the outer form of the tables, so that a wrong file is found at once.
// A row is read when a run needs it.
func (w *World) checkTables() (err error) {
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(*DataError)
			if !ok {
				panic(r)
			}
			err = e
		}
	}()
	for _, d := range w.databases {
		for _, t := range d.tables {
			t.index()
		}
	}
	return nil
}

// Database returns the domain's database, or nil if there is none. If there are several,
// it prefers a database in the form of the dialect. This form is a single file for τ²,
// and a file for each table for τ-bench. If no database has this form, the result is the
// first by directory.
func (w *World) Database(domain Domain, dialect Dialect) *Database {
	if w == nil {
		return nil
	}
	var found *Database
	for _, s := range w.databases {
		if s.Domain != domain {
			continue
		}
		if s.single == (dialect == Tau2) {
			return s.Database
		}
		if found == nil {
			found = s.Database
		}
	}
	return found
}

// Summary returns a line for each database, with the numbers of rows of its tables.
func (w *World) Summary() []string {
	out := []string{}
	for _, s := range w.databases {
		line := string(s.Domain)
		for i, name := range slices.Sorted(maps.Keys(s.tables)) {
			line += fmt.Sprintf("%s %d %s", map[bool]string{true: ":", false: ","}[i == 0], len(s.tableKeys(name)), name)
		}
		if s.dir != "" {
			line += " (" + strings.TrimSuffix(s.dir, "/") + ")"
		}
		out = append(out, line)
	}
	return out
}
