package store

import (
	"context"
	"slices"

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

// mostListed is the number of delegations, or of remembered decisions, of one page.
const mostListed = 200

// Delegations returns a page of the delegations of a tenant that were not revoked and whose time is not over, oldest first:
// those to one approver, or all if to is "". next is the place behind it, or the zero place at the end.
func (s *Store) Delegations(ctx context.Context, tenant, to string, now int64, after Place) (out []machine.Delegation, next Place, err error) {
	out, err = s.queryDelegations(ctx, `(? = '' OR delegate = ?) AND (created, id) > (?, ?)`, tenant, now, to, to, after.Created, after.ID)
	out, more := onePage(out)
	if more {
		last := &out[len(out)-1]
		next = Place{Stamp(last.Created), last.ID}
	}
	return out, next, err
}

// onePage returns the rows of a page, and whether there are more.
func onePage[T any](all []T) (page []T, more bool) {
	return all[:min(len(all), mostListed)], len(all) > mostListed
}

// Delegation returns the delegation with an id, if it has not ended.
func (s *Store) Delegation(ctx context.Context, tenant, id string, now int64) ([]machine.Delegation, error) {
	return s.queryDelegations(ctx, `id = ?`, tenant, now, id)
}

func (s *Store) queryDelegations(ctx context.Context, where, tenant string, now int64, args ...any) (out []machine.Delegation, err error) {
	rows, err := s.queryRead(ctx, `SELECT id, tenant, giver, delegate, keys, delegate_keys, created, until FROM delegations
		WHERE tenant = ? AND revoked = 0 AND until > ? AND `+where+` ORDER BY created, id LIMIT ?+0`, slices.Concat([]any{tenant, Stamp(now)}, args, []any{mostListed + 1})...)
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
