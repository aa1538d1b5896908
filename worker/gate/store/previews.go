package store

import (
	"context"
	"encoding/json"
)

// Preview is the state of things that was read when a call began to wait.
type Preview struct {
	ID      string // of the proposal
	At      int64
	Call    string // what was read, as tool and arguments
	Text    string // what the read returned
	Problem string // why it was not read; "" if it was
}

// PutPreview stores a preview of a tenant's proposal. The first one stays.
func (s *Store) PutPreview(ctx context.Context, tenant string, p Preview) error {
	_, err := s.Change(ctx, `INSERT INTO previews (id, tenant, at, read_call, text, problem) SELECT ?, ?, ?, ?, ?, ? WHERE EXISTS
		(SELECT 1 FROM proposals WHERE tenant = ? AND id = ? AND prompt <> '') ON CONFLICT (id) DO NOTHING`, []any{p.ID, tenant, Stamp(p.At), p.Call, p.Text, p.Problem, tenant, p.ID})
	return err
}

// Previews returns the previews of a tenant's proposals that have one.
func (s *Store) Previews(ctx context.Context, tenant string, ids ...string) (map[string]*Preview, error) {
	list, err := json.Marshal(asRows(ids))
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	rows, err := s.queryRead(ctx, `SELECT id, at, read_call, text, problem FROM previews WHERE tenant = ? AND id IN (SELECT value->>0 FROM json_each(?))`, tenant, string(list))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	out := map[string]*Preview{}
	for rows.Next() {
		var p Preview
		var at string
		if err := rows.Scan(&p.ID, &at, &p.Call, &p.Text, &p.Problem); err != nil {
			return nil, err
		}
		p.At, out[p.ID] = parseStamp(at), &p
	}
	return out, rows.Err()
}
