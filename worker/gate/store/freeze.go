package store

import (
	"context"
	"encoding/json"

	"github.com/boundcheck/boundcheck/core/gate/machine"
)

// Freezes returns the tenant's current freezes. A freeze of the whole tenant comes
// first.
func (s *Store) Freezes(ctx context.Context, tenant string) (out []machine.Freeze, err error) {
	rows, err := s.queryRead(ctx, `SELECT agent, approver, reason, since FROM freezes WHERE tenant = ? AND frozen = 1 ORDER BY agent`, tenant)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		f, since := machine.Freeze{Tenant: tenant}, ""
		if err := rows.Scan(&f.Agent, &f.By, &f.Reason, &since); err != nil {
			return nil, err
		}
		f.At = parseStamp(since)
		out = append(out, f)
	}
	return out, rows.Err()
}

// SetFreeze stores a freeze together with an audit entry, and reports whether anything
// changed. If frozen is false, it stores the end of the freeze. A freeze that already
// exists stays unchanged.
func (s *Store) SetFreeze(ctx context.Context, f machine.Freeze, frozen bool, e machine.Entry) (bool, error) {
	on := 0
	if frozen {
		on = 1
	}
	var agent string
	return s.write.Write(ctx, `INSERT INTO freezes (tenant, agent, frozen, approver, reason, since, entry)
		SELECT ?, ?, ?, ?, ?, ?, ? WHERE ? = 1 OR EXISTS (SELECT 1 FROM freezes WHERE tenant = ? AND agent = ?)
		ON CONFLICT (tenant, agent) DO UPDATE SET frozen = excluded.frozen, approver = excluded.approver, reason = excluded.reason,
			since = excluded.since, entry = excluded.entry WHERE freezes.frozen <> excluded.frozen RETURNING agent`,
		[]any{f.Tenant, f.Agent, on, f.By, f.Reason, Stamp(f.At), e.Bytes(), on, f.Tenant, f.Agent}, &agent)
}

// The states of the indexes proposals_denied and proposals_unsure.
const (
	denied = `state = 'denied'`
	unsure = `state IN ('claimed', 'ambiguous')`
)

// Denied returns an agent's denied records of the given tools, newest first. It returns
// at most 100 records, and only those that were proposed since the given time.
func (s *Store) Denied(ctx context.Context, tenant, principal string, tools []string, since int64) ([]machine.Record, error) {
	return s.earlier(ctx, denied, tenant, principal, tools, since)
}

// Unsure returns, as Denied does, the records that were handed out and have no known outcome.
func (s *Store) Unsure(ctx context.Context, tenant, principal string, tools []string, since int64) ([]machine.Record, error) {
	return s.earlier(ctx, unsure, tenant, principal, tools, since)
}

// Executed returns, as Denied does, the records with these digests whose agent has said that they ran.
func (s *Store) Executed(ctx context.Context, tenant, principal string, digests []string, since int64) ([]machine.Record, error) {
	list, err := json.Marshal(asRows(digests))
	if err != nil {
		return nil, err
	}
	return s.queryRecords(ctx, `tenant = ? AND principal = ? AND created >= ? AND state||'' = 'executed' AND digest IN (SELECT value->>0 FROM json_each(?)) ORDER BY created DESC LIMIT 1000`,
		tenant, principal, Stamp(since), string(list))
}

// Equal returns how many calls of an agent wait for a person, for each of the digests.
func (s *Store) Equal(ctx context.Context, tenant, principal string, digests []string) (map[string]int, error) {
	list, err := json.Marshal(asRows(digests))
	if err != nil {
		return nil, err
	}
	rows, err := s.queryRead(ctx, `SELECT digest, count(*) FROM proposals WHERE tenant = ? AND principal = ? AND state = 'pending' AND digest IN (SELECT value->>0 FROM json_each(?)) GROUP BY digest`,
		tenant, principal, string(list))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	out := map[string]int{}
	for rows.Next() {
		var digest string
		var n int
		if err := rows.Scan(&digest, &n); err != nil {
			return nil, err
		}
		out[digest] = n
	}
	return out, rows.Err()
}

func (s *Store) earlier(ctx context.Context, states, tenant, principal string, tools []string, since int64) ([]machine.Record, error) {
	list, err := json.Marshal(asRows(tools))
	if err != nil {
		return nil, err
	}
	return s.queryRecords(ctx, states+` AND tenant = ? AND principal = ? AND tool IN (SELECT value->>0 FROM json_each(?)) AND created >= ?
		ORDER BY created DESC LIMIT 100`, tenant, principal, string(list), Stamp(since))
}

// Approved returns the tenant's records that people approved and that may still be
// claimed, newest first: those behind the given place, or from the newest on if it is zero.
func (s *Store) Approved(ctx context.Context, tenant string, now int64, after Place, limit int) ([]machine.Record, error) {
	after = after.orNewest()
	return s.queryRecords(ctx, `tenant = ? AND state = 'approved' AND needs > 0 AND due > ? AND (created, id) < (?, ?) ORDER BY created DESC, id DESC LIMIT ?+0`,
		tenant, Stamp(now), after.Created, after.ID, limit)
}
