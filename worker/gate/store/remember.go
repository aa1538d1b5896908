package store

import (
	"context"

	"github.com/boundcheck/boundcheck/core/gate/machine"
)

// stillRemembered is the condition under which a row of remembered as m has not ended, at a
// time that is bound to ?.
const stillRemembered = `m.revoked = 0 AND m.until > ? AND NOT EXISTS (SELECT 1 FROM freezes AS f WHERE f.tenant = m.tenant AND f.agent IN ('', m.agent) AND f.since >= m.created)`

// Remember stores a remembered yes with its audit entry, if the call that was approved
// still is. It reports whether it did.
func (s *Store) Remember(ctx context.Context, m machine.Remembered, digest string, e machine.Entry) (bool, error) {
	var id string
	return s.Change(ctx, `INSERT INTO remembered (id, tenant, agent, session, tool, bounds, definition, policy, rule, approver, keys, source, created, until, revoked, entry)
		SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ? WHERE EXISTS (SELECT 1 FROM proposals AS p WHERE p.tenant = ? AND p.id = ? AND p.digest = ? AND p.state IN ('approved','claimed','executed')) RETURNING id`,
		[]any{m.ID, m.Tenant, m.Agent, m.Session, m.Tool, m.Bounds, m.Definition, m.Policy, m.Rule, m.By, m.Keys, m.Source, Stamp(m.Created), Stamp(m.Until), e.Bytes(), m.Tenant, m.Source, digest}, &id)
}

// EndRemembered ends a remembered yes with its audit entry, and reports whether there was one.
func (s *Store) EndRemembered(ctx context.Context, tenant, id string, e machine.Entry) (bool, error) {
	var got string
	return s.Change(ctx, `UPDATE remembered SET revoked = 1, entry = ? WHERE tenant = ? AND id = ? AND revoked = 0 RETURNING id`, []any{e.Bytes(), tenant, id}, &got)
}

// RememberedIn returns the remembered decisions of an agent's session that have not ended, at most mostListed: the others
// let nothing through.
func (s *Store) RememberedIn(ctx context.Context, tenant, agent, session string, now int64) ([]machine.Remembered, error) {
	all, err := s.queryRemembered(ctx, `m.tenant = ? AND m.agent = ? AND m.session = ? AND `, tenant, agent, session, Stamp(now))
	all, _ = onePage(all)
	return all, err
}

// Remembered returns a page of the remembered decisions of a tenant that have not ended, oldest first. next is the place
// behind it, or the zero place at the end.
func (s *Store) Remembered(ctx context.Context, tenant string, now int64, after Place) (out []machine.Remembered, next Place, err error) {
	out, err = s.queryRemembered(ctx, `m.tenant = ? AND (m.created, m.id) > (?, ?) AND `, tenant, after.Created, after.ID, Stamp(now))
	out, more := onePage(out)
	if more {
		last := &out[len(out)-1]
		next = Place{Stamp(last.Created), last.ID}
	}
	return out, next, err
}

// RememberedAs returns the remembered yes with an id, if it has not ended.
func (s *Store) RememberedAs(ctx context.Context, tenant, id string, now int64) ([]machine.Remembered, error) {
	return s.queryRemembered(ctx, `m.tenant = ? AND m.id = ? AND `, tenant, id, Stamp(now))
}

func (s *Store) queryRemembered(ctx context.Context, where string, args ...any) (out []machine.Remembered, err error) {
	rows, err := s.queryRead(ctx, `SELECT id, tenant, agent, session, tool, bounds, definition, policy, rule, approver, keys, source, created, until FROM remembered AS m
		WHERE `+where+stillRemembered+` ORDER BY created, id LIMIT ?+0`, append(args, mostListed+1)...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var m machine.Remembered
		var created, until string
		if err := rows.Scan(&m.ID, &m.Tenant, &m.Agent, &m.Session, &m.Tool, &m.Bounds, &m.Definition, &m.Policy, &m.Rule, &m.By, &m.Keys, &m.Source, &created, &until); err != nil {
			return nil, err
		}
		m.Created, m.Until = parseStamp(created), parseStamp(until)
		out = append(out, m)
	}
	return out, rows.Err()
}
