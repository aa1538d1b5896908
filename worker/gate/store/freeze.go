package store

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

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

// Like names calls of an agent to which a record must be equal (see package past).
type Like struct {
	Tenant, Agent string
	tools, keys   []string
}

// LikeOf returns what names the calls of records of one agent, at least one.
func LikeOf(records ...*machine.Record) Like {
	l := Like{Tenant: records[0].Tenant, Agent: records[0].Principal}
	for _, r := range records {
		l.tools, l.keys = append(l.tools, r.Tool), append(l.keys, r.Key(), r.RootKey(), r.Digest, r.Root())
	}
	return l
}

// LikeAsked returns what names the calls that an agent asks about now.
func LikeAsked(a *machine.Ask) Like {
	all := a.Asked()
	list := make([]*machine.Record, len(all))
	for i := range all {
		list[i] = &all[i]
	}
	return LikeOf(list...)
}

// The keys of a row of proposals as o (see machine.Record.Key): rows of older versions have only
// their digests.
const (
	sameKey = `coalesce(nullif(o.same, ''), o.digest)`
	rootKey = `coalesce(nullif(o.same_root, ''), nullif(o.stands_for, ''), o.digest)`
)

// equalToRow is the condition that a row of proposals as o is equal to the row proposals.
var equalToRow = func() string {
	own := strings.NewReplacer("o.", "proposals.")
	return ` AND o.tenant = proposals.tenant AND o.principal = proposals.principal AND o.tool = proposals.tool AND (` +
		sameKey + ` IN (` + own.Replace(sameKey) + `, proposals.digest) OR ` + rootKey + ` = ` + own.Replace(rootKey) + `)`
}()

// ofKeys is the condition that a row of proposals as o has one of some keys, which are two parameters.
const ofKeys = ` AND (` + sameKey + ` IN (SELECT value->>0 FROM json_each(?)) OR ` + rootKey + ` IN (SELECT value->>0 FROM json_each(?)))`

// takenTwins is the condition that a row of proposals as o was handed out and did not fail.
const takenTwins = ` AND o.state||'' IN ('claimed', 'ambiguous', 'executed')`

// Denied returns an agent's denied records that are equal to some calls, newest first. It returns at
// most 100 records, and only those that were proposed since the given time.
func (s *Store) Denied(ctx context.Context, like Like, since int64) ([]machine.Record, error) {
	return s.earlier(ctx, denied, like, since)
}

// Unsure returns, as Denied does, the records that were handed out and have no known outcome.
func (s *Store) Unsure(ctx context.Context, like Like, since int64) ([]machine.Record, error) {
	return s.earlier(ctx, unsure, like, since)
}

func (s *Store) earlier(ctx context.Context, states string, like Like, since int64) ([]machine.Record, error) {
	tools, err := json.Marshal(asRows(like.tools))
	keys, wrong := json.Marshal(asRows(like.keys))
	if err = errors.Join(err, wrong); err != nil {
		return nil, err
	}
	return s.queryRecords(ctx, `id IN (SELECT o.id FROM proposals AS o WHERE o.`+states+` AND o.tenant = ? AND o.principal = ? AND o.tool IN (SELECT value->>0 FROM json_each(?)) AND o.created >= ?`+ofKeys+
		` ORDER BY o.created DESC LIMIT 100) ORDER BY created DESC`, like.Tenant, like.Agent, string(tools), Stamp(since), string(keys), string(keys))
}

// MostTwins is the largest number of records that Taken returns.
const MostTwins = 1000

// Taken returns, newest first, the records of an agent that were handed out, have not failed, were
// proposed since the given time, and are equal to some calls: at most MostTwins. Each has what
// past.RanSince needs, and no prompt; it has no arguments and reasons unless it is of an older
// version, whose keys are made of them.
func (s *Store) Taken(ctx context.Context, like Like, since int64) (out []machine.Record, err error) {
	keys, err := json.Marshal(asRows(like.keys))
	if err != nil {
		return nil, err
	}
	rows, err := s.queryRead(ctx, `SELECT o.id, o.batch, o.tool, o.same, o.same_root, o.created, o.state, o.life, CASE o.same WHEN '' THEN o.arguments ELSE '' END, CASE o.same WHEN '' THEN o.why ELSE '{}' END
		FROM proposals AS o WHERE o.tenant = ? AND o.principal = ? AND o.created >= ?`+takenTwins+ofKeys+` ORDER BY o.created DESC LIMIT 1000`,
		like.Tenant, like.Agent, Stamp(since), string(keys), string(keys))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		w := row{tenant: like.Tenant, principal: like.Agent, rev: "0"}
		if err := rows.Scan(&w.id, &w.batch, &w.tool, &w.same, &w.sameRoot, &w.created, &w.state, &w.life, &w.arguments, &w.why); err != nil {
			return nil, err
		}
		r, err := w.toRecord()
		if err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, rows.Err()
}

// Equal returns the calls of an agent that wait for a person, or are approved and may still be
// claimed, and are equal to some calls: their keys and batch alone, at most MaxListed.
func (s *Store) Equal(ctx context.Context, like Like, now int64) (out []machine.Record, err error) {
	keys, err := json.Marshal(asRows(like.keys))
	if err != nil {
		return nil, err
	}
	rows, err := s.queryRead(ctx, `SELECT o.id, o.batch, `+sameKey+`, `+rootKey+` FROM proposals AS o WHERE o.tenant = ? AND o.principal = ? AND o.state IN ('pending', 'approved') AND (o.expires > ? OR o.due > ?)`+ofKeys+` LIMIT 10000`,
		like.Tenant, like.Agent, Stamp(now), Stamp(now), string(keys), string(keys))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var r machine.Record
		if err := rows.Scan(&r.ID, &r.Batch, &r.Same, &r.SameRoot); err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, rows.Err()
}

// Approved returns the tenant's records that people approved and that may still be
// claimed, newest first: those behind the given place, or from the newest on if it is zero.
func (s *Store) Approved(ctx context.Context, tenant string, now int64, after Place, limit int) ([]machine.Record, error) {
	after = after.orNewest()
	return s.queryRecords(ctx, `tenant = ? AND state = 'approved' AND needs > 0 AND due > ? AND (created, id) < (?, ?) ORDER BY created DESC, id DESC LIMIT ?+0`,
		tenant, Stamp(now), after.Created, after.ID, limit)
}
