package store

import (
	"cmp"
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

// takenTwins is the condition that a row of proposals as o was handed out, did not fail, and has
// one of some digests, itself or before an edit. Its parameters are two times these.
const takenTwins = ` AND o.state||'' IN ('claimed', 'ambiguous', 'executed')` + ofTwins

const ofTwins = ` AND (o.digest IN (SELECT value->>0 FROM json_each(?)) OR o.stands_for IN (SELECT value->>0 FROM json_each(?)))`

// MostTwins is the largest number of records that Taken returns.
const MostTwins = 1000

// Taken returns, as Denied does, the records with these digests, of themselves or before an edit,
// that were handed out and have not failed: at most MostTwins.
func (s *Store) Taken(ctx context.Context, tenant, principal string, digests []string, since int64) ([]machine.Record, error) {
	list, err := json.Marshal(asRows(digests))
	if err != nil {
		return nil, err
	}
	return s.queryRecords(ctx, `id IN (SELECT o.id FROM proposals AS o WHERE o.tenant = ? AND o.principal = ? AND o.created >= ?`+takenTwins+` ORDER BY o.created DESC LIMIT 1000) ORDER BY created DESC`,
		tenant, principal, Stamp(since), string(list), string(list))
}

// Equal returns how many calls of an agent wait for a person, or are approved and may still be
// claimed: of those with one of the digests, of themselves or before an edit, the number of each
// digest together with that before an edit, which is the same without one.
func (s *Store) Equal(ctx context.Context, tenant, principal string, digests []string, now int64) (map[[2]string]int, error) {
	list, err := json.Marshal(asRows(digests))
	if err != nil {
		return nil, err
	}
	rows, err := s.queryRead(ctx, `SELECT o.digest, o.stands_for, count(*) FROM proposals AS o WHERE o.tenant = ? AND o.principal = ? AND o.state IN ('pending', 'approved') AND (o.expires > ? OR o.due > ?)`+ofTwins+` GROUP BY o.digest, o.stands_for`,
		tenant, principal, Stamp(now), Stamp(now), string(list), string(list))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	out := map[[2]string]int{}
	for rows.Next() {
		var digest, root string
		var n int
		if err := rows.Scan(&digest, &root, &n); err != nil {
			return nil, err
		}
		out[[2]string{digest, cmp.Or(root, digest)}] += n
	}
	return out, rows.Err()
}

// ApprovedOf returns, as Denied does, the records that are approved and not claimed.
func (s *Store) ApprovedOf(ctx context.Context, tenant, principal string, tools []string, since int64) ([]machine.Record, error) {
	return s.earlier(ctx, `state = 'approved'`, tenant, principal, tools, since)
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
