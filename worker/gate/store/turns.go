package store

import (
	"context"
	"encoding/json"
)

// Turn is one turn of a conversation that a proxy answered itself or released.
type Turn struct {
	Key     string // hash of the conversation up to and including the turn
	Session string // OpenTurns counts the turns of one session together
	Open    int64  // the time until which a person may answer it; 0 if no answer is awaited
	Value   string // data of the proxy
}

// PutTurn stores a turn. If a turn with the same key is stored, PutTurn replaces only its
// Open and Value.
func (s *Store) PutTurn(ctx context.Context, tenant, principal string, t Turn, now int64) error {
	_, err := s.Change(ctx, `INSERT INTO turns (tenant, principal, key, session, open, value, created) VALUES (?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (tenant, principal, key) DO UPDATE SET open = excluded.open, value = excluded.value`, []any{tenant, principal, t.Key, t.Session, Stamp(t.Open), t.Value, Stamp(now)})
	return err
}

// Turns returns the stored turns of a principal that have one of the given keys.
func (s *Store) Turns(ctx context.Context, tenant, principal string, keys []string) ([]Turn, error) {
	list, err := json.Marshal(asRows(keys))
	if err != nil {
		return nil, err
	}
	rows, err := s.queryRead(ctx, `SELECT key, session, open, value FROM turns WHERE tenant = ? AND principal = ?
		AND key IN (SELECT value->>0 FROM json_each(?))`, tenant, principal, string(list))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []Turn
	for rows.Next() {
		var t Turn
		var open string
		if err := rows.Scan(&t.Key, &t.Session, &open, &t.Value); err != nil {
			return nil, err
		}
		t.Open = parseStamp(open)
		out = append(out, t)
	}
	return out, rows.Err()
}

// OpenTurns returns the number of turns of a session that a person may still answer.
func (s *Store) OpenTurns(ctx context.Context, tenant, principal, session string, now int64) (n int, err error) {
	_, err = s.queryOne(ctx, `SELECT count(*) FROM turns WHERE tenant = ? AND principal = ? AND session = ? AND open <> '' AND open > ?`,
		[]any{tenant, principal, session, Stamp(now)}, &n)
	return n, err
}

// ForgetTurns deletes turns that were stored before the given time.
func (s *Store) ForgetTurns(ctx context.Context, before int64) error {
	_, err := s.Change(ctx, `DELETE FROM turns WHERE created < ?`, []any{Stamp(before)})
	return err
}
