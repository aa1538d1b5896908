package store

import (
	"context"
	"encoding/json"
)

// Count is one cell of the meter.
type Count struct {
	Tenant, Tool, What string
	Day                int64
}

// KeepCounts adds counts to the stored counts, in one statement.
func (s *Store) KeepCounts(ctx context.Context, n map[Count]int64) error {
	type line struct {
		Tenant string `json:"tenant"`
		Tool   string `json:"tool"`
		What   string `json:"what"`
		Day    int64  `json:"day"`
		N      int64  `json:"n"`
	}
	var lines []line
	for k, v := range n {
		lines = append(lines, line{k.Tenant, k.Tool, k.What, k.Day, v})
	}
	list, err := json.Marshal(lines)
	if err != nil {
		return err
	}
	_, err = s.Change(ctx, `INSERT INTO fatigue (tenant, tool, day, what, n)
		SELECT value->>'tenant', value->>'tool', CAST(value->>'day' AS BIGINT), value->>'what', CAST(value->>'n' AS BIGINT) FROM json_each(?) WHERE true
		ON CONFLICT (tenant, tool, day, what) DO UPDATE SET n = fatigue.n + excluded.n`, []any{string(list)})
	return err
}

// Counts returns a tenant's counts by tool and kind of count, for the given day and all
// later days. A day is a number of days since 1 January 1970.
func (s *Store) Counts(ctx context.Context, tenant string, day int64) (map[string]map[string]int64, error) {
	rows, err := s.queryRead(ctx, `SELECT tool, what, sum(n) FROM fatigue WHERE tenant = ? AND day >= ? GROUP BY tool, what`, tenant, day)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	out := map[string]map[string]int64{}
	for rows.Next() {
		var tool, what string
		var n int64
		if err := rows.Scan(&tool, &what, &n); err != nil {
			return nil, err
		}
		if out[tool] == nil {
			out[tool] = map[string]int64{}
		}
		out[tool][what] = n
	}
	return out, rows.Err()
}
