package gate

import (
	"context"
	"encoding/json"
	"strconv"

	"github.com/boundcheck/boundcheck/core/gate/machine"
)

// Kinds of data that retention empties. The store records the progress for each.
const (
	retainAllowed = "allowed"
	retainAudit   = "audit"
)

// applyRetention removes texts that are older than the policy's limits. Each call removes
// at most a fixed number of them.
func (g *Gate) applyRetention(ctx context.Context) error {
	p := g.Policy()
	if p.Retention.Arguments > 0 {
		if err := g.retainArguments(ctx, p); err != nil {
			return err
		}
	}
	if p.Retention.Allowed == 0 && p.Retention.Audit == 0 {
		return nil
	}
	tenants, err := g.Store.Tenants(ctx)
	if err != nil {
		return err
	}
	for _, t := range tenants {
		for what, after := range map[string]int64{retainAllowed: p.Retention.Allowed, retainAudit: p.Retention.Audit} {
			if after == 0 {
				continue
			}
			if err := g.retainRows(ctx, t, what, p.Version, g.Now()-after); err != nil {
				return err
			}
		}
	}
	return nil
}

// retainArguments removes the arguments, prompts and reasons of old settled proposals.
func (g *Gate) retainArguments(ctx context.Context, p *machine.Policy) error {
	list, err := g.Store.fullRecords(ctx, g.Now()-p.Retention.Arguments, 100)
	if err != nil {
		return err
	}
	for i := range list {
		r, e, err := machine.Redacted(list[i], p.Version, g.Now())
		if err != nil {
			return err
		}
		if err := g.Store.storeEmptied(ctx, &r, e); err != nil {
			return err
		}
	}
	return nil
}

// retainRows removes the entries of old audit rows, but not the rows. It first writes an
// entry into the chain that says which rows will be emptied, and seals this entry. After
// a crash, some of these rows may still have their entries.
func (g *Gate) retainRows(ctx context.Context, tenant, what, policy string, before int64) error {
	rows, err := g.Store.nextOverdue(ctx, tenant, what, before)
	if err != nil || rows.last == 0 {
		return err
	}
	if len(rows.numbers) > 0 {
		e := machine.Entry{Version: 1, Tenant: tenant, Event: machine.Redact, At: g.Now(), Policy: policy, Rows: machine.WriteRows(rows.numbers), Before: before, Text: what}
		if err := g.Store.Note(ctx, e); err != nil {
			return err
		}
		if err := g.Store.Seal(ctx); err != nil {
			return err
		}
	}
	return g.Store.emptyRows(ctx, tenant, what, rows)
}

// fullRecords returns settled records that still have their prompts and that were created
// before the given time.
func (s *Store) fullRecords(ctx context.Context, before int64, limit int) ([]machine.Record, error) {
	return s.queryRecords(ctx, `prompt <> '' AND created <= ? AND state IN ('denied','expired','cancelled','executed','failed','ambiguous') ORDER BY created LIMIT ?+0`, formatStamp(before), limit)
}

// storeEmptied stores a record without the texts that Redacted has removed, together with
// the audit entry. It stores nothing if the record was changed since it was loaded.
func (s *Store) storeEmptied(ctx context.Context, r *machine.Record, e machine.Entry) error {
	_, err := s.execChange(ctx, `UPDATE proposals SET arguments = '', prompt = '', sources = '', rev = ?, life = ?, entry = ? WHERE tenant = ? AND id = ? AND rev = ? AND state = ?`,
		[]any{strconv.FormatInt(r.Rev, 10), lifeOf(r), e.Bytes(), r.Tenant, r.ID, strconv.FormatInt(r.Rev-1, 10), string(r.State)})
	return err
}

// overdueRows holds rows of a chain that should be emptied: their positions in the
// table, their numbers in the chain, and the last row that was examined.
type overdueRows struct {
	seqs, numbers []int64
	last          int64
}

// nextOverdue returns the next rows whose entries were written before the given time. It
// begins after the last row that emptyRows has recorded.
func (s *Store) nextOverdue(ctx context.Context, tenant, what string, before int64) (out overdueRows, err error) {
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
		out.last = seq
		if text != "" && e.Event != machine.Redact && (what == retainAudit || e.Quiet()) {
			out.seqs, out.numbers = append(out.seqs, seq), append(out.numbers, parseStamp(n))
		}
	}
	return out, rows.Err()
}

// emptyRows removes the entries of the rows, and records how far retention has come.
func (s *Store) emptyRows(ctx context.Context, tenant, what string, rows overdueRows) error {
	if len(rows.seqs) > 0 {
		list, err := json.Marshal(rows.seqs)
		if err != nil {
			return err
		}
		if _, err := s.execChange(ctx, `UPDATE audit SET entry = '' WHERE tenant = ? AND hash <> '' AND seq IN (SELECT value FROM json_each(?))`, []any{tenant, string(list)}); err != nil {
			return err
		}
	}
	_, err := s.execChange(ctx, `INSERT INTO retention (tenant, what, seq) VALUES (?, ?, ?)
		ON CONFLICT (tenant, what) DO UPDATE SET seq = excluded.seq`, []any{tenant, what, rows.last})
	return err
}
