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

// ChainPrefix begins the keys of turns that TurnsUpTo follows. Other keys are hashes.
const ChainPrefix = "response "

// ForgetChained deletes turns with ChainPrefix that were stored before the given time.
func (s *Store) ForgetChained(ctx context.Context, before int64) error {
	_, err := s.Change(ctx, `DELETE FROM turns WHERE created < ? AND key LIKE '`+ChainPrefix+`%'`, []any{Stamp(before)})
	return err
}

// TurnsUpTo returns the values of a turn and of those before it, oldest first, where the
// session of each turn is the key of the one before. It returns at most the given number. It
// returns none if one of them is missing.
func (s *Store) TurnsUpTo(ctx context.Context, tenant, principal, key string, most int) (list []string, err error) {
	rows, err := s.queryRead(ctx, `WITH RECURSIVE chain(n, session, value) AS (
		SELECT 1, session, value FROM turns WHERE tenant = ? AND principal = ? AND key = ?
		UNION ALL SELECT chain.n + 1, t.session, t.value FROM chain JOIN turns AS t ON t.tenant = ? AND t.principal = ? AND t.key = chain.session
		WHERE chain.session <> '' AND chain.n < ?+0) SELECT session, value FROM chain ORDER BY n DESC`, tenant, principal, key, tenant, principal, most)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var before, value string
		if err := rows.Scan(&before, &value); err != nil {
			return nil, err
		}
		if len(list) == 0 && before != "" {
			return nil, nil // the first of them is gone
		}
		list = append(list, value)
	}
	return list, rows.Err()
}
