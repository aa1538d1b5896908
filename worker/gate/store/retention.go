package store

import (
	"context"
	"encoding/json"
	"strconv"

	"github.com/boundcheck/boundcheck/core/gate/machine"
)

// Kinds of data that retention empties. The store records the progress for each.
const (
	RetainAllowed = "allowed"
	RetainAudit   = "audit"
)

// FullRecords returns settled records that still have their prompts and that were created
// before the given time.
func (s *Store) FullRecords(ctx context.Context, before int64, limit int) ([]machine.Record, error) {
	return s.queryRecords(ctx, `prompt <> '' AND created <= ? AND state IN ('denied','expired','cancelled','executed','failed','ambiguous') ORDER BY created LIMIT ?+0`, Stamp(before), limit)
}

// KeepEmptied stores a record without the texts that Redacted has removed, together with
// the audit entry. It stores nothing if the record was changed since it was loaded.
func (s *Store) KeepEmptied(ctx context.Context, r *machine.Record, e machine.Entry) error {
	_, err := s.Change(ctx, `UPDATE proposals SET arguments = '', prompt = '', sources = '', supersede = '', rev = ?, life = ?, entry = ? WHERE tenant = ? AND id = ? AND rev = ? AND state = ?`,
		[]any{strconv.FormatInt(r.Rev, 10), lifeOf(r), e.Bytes(), r.Tenant, r.ID, strconv.FormatInt(r.Rev-1, 10), storedState(r)})
	return err
}

// OverdueRows holds rows of a chain that should be emptied: their positions in the
// table, their numbers in the chain, and the last row that was examined.
type OverdueRows struct {
	seqs, Numbers []int64
	Last          int64
}

// NextOverdue returns the next rows whose entries were written before the given time. It
// begins after the last row that EmptyRows has recorded.
func (s *Store) NextOverdue(ctx context.Context, tenant, what string, before int64) (out OverdueRows, err error) {
	rows, err := s.queryRead(ctx, `SELECT seq, n, entry FROM audit WHERE tenant = ? AND hash <> '' AND seq >
		coalesce((SELECT seq FROM retention WHERE tenant = ? AND what = ?), 0) ORDER BY seq LIMIT 500`, tenant, tenant, what)
	if err != nil {
		return out, err
	}
	defer rows.Close()
	for rows.Next() {
		var seq int64
		var n, text string
		if err := rows.Scan(&seq, &n, &text); err != nil {
			return out, err
		}
		var e machine.Entry
		if text != "" && json.Unmarshal([]byte(text), &e) != nil {
			continue // this program does not know the entry, so it stays
		}
		if text != "" && e.At >= before {
			break
		}
		out.Last = seq
		if text != "" && e.Event != machine.Redact && (what == RetainAudit || e.Quiet()) {
			out.seqs, out.Numbers = append(out.seqs, seq), append(out.Numbers, parseStamp(n))
		}
	}
	return out, rows.Err()
}

// EmptyRows removes the entries of the rows, and records how far retention has come.
func (s *Store) EmptyRows(ctx context.Context, tenant, what string, rows OverdueRows) error {
	if len(rows.seqs) > 0 {
		list, err := json.Marshal(asRows(rows.seqs))
		if err != nil {
			return err
		}
		if _, err := s.Change(ctx, `UPDATE audit SET entry = '' WHERE tenant = ? AND hash <> '' AND seq IN (SELECT CAST(value->>0 AS BIGINT) FROM json_each(?))`, []any{tenant, string(list)}); err != nil {
			return err
		}
	}
	_, err := s.Change(ctx, `INSERT INTO retention (tenant, what, seq) VALUES (?, ?, ?)
		ON CONFLICT (tenant, what) DO UPDATE SET seq = excluded.seq`, []any{tenant, what, rows.Last})
	return err
}
