package gate

import (
	"context"
	"encoding/json"
	"strconv"

	"github.com/boundcheck/boundcheck/core/gate/machine"
)

// sealed is one row of the audit in the form in which Seal writes it.
type sealed struct {
	Seq  int64  `json:"seq"`
	N    string `json:"n"`
	Prev string `json:"prev"`
	Hash string `json:"hash"`
}

// Seal adds all new audit entries to the hash chains of their tenants. Several processes
// may call Seal at the same time, because all of them write the same bytes. After a
// crash, the next call continues.
func (s *Store) Seal(ctx context.Context) error {
	tenants, err := s.queryTexts(ctx, `SELECT DISTINCT tenant FROM audit WHERE hash = '' LIMIT 100`)
	if err != nil {
		return err
	}
	for _, t := range tenants {
		for more := true; more; {
			if more, err = s.sealSome(ctx, t); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *Store) queryTexts(ctx context.Context, query string, args ...any) (out []string, err error) {
	rows, err := s.queryRead(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, err
		}
		out = append(out, text)
	}
	return out, rows.Err()
}

// sealSome seals some rows of one tenant, and reports whether there may be more.
func (s *Store) sealSome(ctx context.Context, tenant string) (more bool, err error) {
	const piece = 500
	rows, err := s.queryRead(ctx, `SELECT seq, entry, n, hash FROM audit WHERE tenant = ? AND seq >=
		coalesce((SELECT max(seq) FROM audit WHERE tenant = ? AND seq < (SELECT min(seq) FROM audit WHERE tenant = ? AND hash = '')), 0) ORDER BY seq LIMIT ?+0`,
		tenant, tenant, tenant, piece)
	if err != nil {
		return false, err
	}
	defer rows.Close()
	var list []sealed
	var prev machine.Link
	for rows.Next() {
		var seq int64
		var entry, n, hash string
		if err := rows.Scan(&seq, &entry, &n, &hash); err != nil {
			return false, err
		}
		if hash != "" {
			prev = machine.Link{N: parseStamp(n), Hash: hash}
			continue
		}
		prev = machine.Seal(tenant, prev, entry)
		list = append(list, sealed{seq, strconv.FormatInt(prev.N, 10), prev.Prev, prev.Hash})
	}
	if err := rows.Err(); err != nil || len(list) == 0 {
		return false, err
	}
	text, err := json.Marshal(list)
	if err != nil {
		return false, err
	}
	_, err = s.execChange(ctx, `UPDATE audit SET n = j.n, prev = j.prev, hash = j.hash
		FROM (SELECT value->>'seq' AS seq, value->>'n' AS n, value->>'prev' AS prev, value->>'hash' AS hash FROM json_each(?)) AS j
		WHERE audit.seq = j.seq AND audit.hash = ''`, []any{string(text)})
	return len(list) >= piece-1, err
}

// Tenants returns the sorted list of tenants that have audit entries. The time is
// O(tenants).
func (s *Store) Tenants(ctx context.Context) ([]string, error) {
	return s.queryTexts(ctx, `WITH RECURSIVE each(tenant) AS (SELECT min(tenant) FROM audit
		UNION ALL SELECT (SELECT min(tenant) FROM audit WHERE tenant > each.tenant) FROM each WHERE each.tenant IS NOT NULL)
		SELECT tenant FROM each WHERE tenant IS NOT NULL`)
}

// Chain calls fn for each sealed row of a tenant's audit, in order.
func (s *Store) Chain(ctx context.Context, tenant string, fn func(machine.Link) error) error {
	return s.eachLink(ctx, fn, `SELECT n, prev, entry, hash FROM audit WHERE tenant = ? AND hash <> '' ORDER BY seq`, tenant)
}

// WholeChain calls fn for each row of a tenant's audit, in order, and reads them at one
// moment. Rows that are not sealed yet come with the seal that Seal will write, and the
// parameter stored is false for them. A row that lost its seal in the middle of the chain
// is left out, so that its absence is found.
func (s *Store) WholeChain(ctx context.Context, tenant string, fn func(l machine.Link, stored bool) error) error {
	var last machine.Link
	return s.eachLink(ctx, func(l machine.Link) error {
		stored := l.Hash != ""
		if !stored {
			l = machine.Seal(tenant, last, l.Entry)
		}
		last = l
		return fn(l, stored)
	}, `SELECT n, prev, entry, hash FROM audit WHERE tenant = ? AND
		(hash <> '' OR seq > coalesce((SELECT max(seq) FROM audit WHERE tenant = ? AND hash <> ''), 0)) ORDER BY seq`, tenant, tenant)
}

// Row is a row of the audit with its place in the table.
type Row struct {
	machine.Link
	Seq    int64
	Tenant string
}

// ChainAfter returns at most limit sealed rows with sequence numbers above seq. If tenant
// is "", it returns rows of all tenants. The result ends before the first row that is not
// sealed yet, so a caller that continues after the last received row misses no row.
func (s *Store) ChainAfter(ctx context.Context, tenant string, seq int64, limit int) (out []Row, err error) {
	const columns, sealed = `SELECT seq, tenant, n, prev, entry, hash FROM audit WHERE `, ` AND seq < coalesce((SELECT min(seq) FROM audit WHERE hash = '' `
	query, args := columns+`seq > ?`+sealed+`), 9007199254740991) ORDER BY seq LIMIT ?+0`, []any{seq, limit}
	if tenant != "" { // by the tenant's index: a tenant may have few rows among many
		query = columns + `tenant = ? AND seq > ?` + sealed + `AND tenant = ?), 9007199254740991) ORDER BY seq LIMIT ?+0`
		args = []any{tenant, seq, tenant, limit}
	}
	rows, err := s.queryRead(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var r Row
		var n string
		if err := rows.Scan(&r.Seq, &r.Tenant, &n, &r.Prev, &r.Entry, &r.Hash); err != nil {
			return nil, err
		}
		r.N = parseStamp(n)
		out = append(out, r)
	}
	return out, rows.Err()
}

func (s *Store) eachLink(ctx context.Context, fn func(machine.Link) error, query string, args ...any) error {
	rows, err := s.queryRead(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var l machine.Link
		var n string
		if err := rows.Scan(&n, &l.Prev, &l.Entry, &l.Hash); err != nil {
			return err
		}
		l.N = parseStamp(n)
		if err := fn(l); err != nil {
			return err
		}
	}
	return rows.Err()
}

// Numbered returns the number of audit rows that were ever added, and the number of rows
// that the database still has. If the second is smaller, rows were removed.
func (s *Store) Numbered(ctx context.Context) (ever, now int64, err error) {
	if _, err = s.queryOne(ctx, `SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'audit'`, nil, &ever); err != nil {
		return 0, 0, err
	}
	_, err = s.queryOne(ctx, `SELECT count(*) FROM audit`, nil, &now)
	return ever, now, err
}
