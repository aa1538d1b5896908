package store

import (
	"context"

	"github.com/boundcheck/boundcheck/core/gate/machine"
)

// Delegate stores a delegation with its audit entry.
func (s *Store) Delegate(ctx context.Context, d machine.Delegation, e machine.Entry) error {
	var id string
	_, err := s.Change(ctx, `INSERT INTO delegations (id, tenant, giver, delegate, keys, delegate_keys, created, until, revoked, entry) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, ?) RETURNING id`,
		[]any{d.ID, d.Tenant, d.Giver, d.To, d.Keys, d.ToKeys, Stamp(d.Created), Stamp(d.Until), e.Bytes()}, &id)
	return err
}

// EndDelegation ends a delegation with its audit entry, and reports whether there was one.
func (s *Store) EndDelegation(ctx context.Context, tenant, id string, e machine.Entry) (bool, error) {
	var got string
	return s.Change(ctx, `UPDATE delegations SET revoked = 1, entry = ? WHERE tenant = ? AND id = ? AND revoked = 0 RETURNING id`, []any{e.Bytes(), tenant, id}, &got)
}

// mostDelegations is the largest number of delegations that count for one delegate, and that
// are listed.
const mostDelegations = 200

// Delegations returns the delegations of a tenant that were not revoked and whose time is not
// over, oldest first: those to one approver, or all if to is "".
func (s *Store) Delegations(ctx context.Context, tenant, to string, now int64) (out []machine.Delegation, err error) {
	rows, err := s.queryRead(ctx, `SELECT id, tenant, giver, delegate, keys, delegate_keys, created, until FROM delegations
		WHERE tenant = ? AND (? = '' OR delegate = ?) AND revoked = 0 AND until > ? ORDER BY created, id LIMIT ?+0`, tenant, to, to, Stamp(now), mostDelegations)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var d machine.Delegation
		var created, until string
		if err := rows.Scan(&d.ID, &d.Tenant, &d.Giver, &d.To, &d.Keys, &d.ToKeys, &created, &until); err != nil {
			return nil, err
		}
		d.Created, d.Until = parseStamp(created), parseStamp(until)
		out = append(out, d)
	}
	return out, rows.Err()
}
