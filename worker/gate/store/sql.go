package store

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/boundcheck/boundcheck/core/gate/machine"
)

// Quota limits the proposals that may wait for people: those of the tenant, and those
// of the agent that proposes. 0 means no limit.
type Quota struct{ Tenant, Agent int }

// ErrFull and ErrAgentFull mean that too many proposals of the tenant, or of the
// agent, wait for people already.
var (
	ErrFull      error = fullError("too many proposals are waiting for a decision; let people decide first")
	ErrAgentFull error = fullError("too many proposals of this agent are waiting for a decision; let people decide first, or cancel some")
)

// fullError lets ErrAgentFull also match ErrFull.
type fullError string

func (e fullError) Error() string { return string(e) }

// Is reports whether target is ErrFull. The function errors.Is calls this method.
func (e fullError) Is(target error) bool { return target == ErrFull }

// ErrAssumed means that what a decision assumed is not so: nothing was stored.
var ErrAssumed = errors.New("the store holds a freeze, a denial or an earlier run that the decision did not know")

// Assumed is what a decision took for granted without asking the store. The statement that
// stores the decision checks it, so that an ordinary call costs no other statement.
type Assumed struct {
	Thawed bool     // no freeze covers the agent
	Tools  []string // no call of these tools that the agent has proposed since Since was denied, or was handed out without a known outcome; nil for not assumed
	Since  int64
}

// conditionSQL returns what must hold of the store in SQL, as a part of a WHERE clause, with
// its parameters.
func (a Assumed) conditionSQL(tenant, agent string) (sql string, args []any, err error) {
	if a.Thawed {
		sql = ` AND NOT EXISTS (SELECT 1 FROM freezes AS f WHERE f.tenant = ? AND f.agent IN ('', ?) AND f.frozen = 1)`
		args = append(args, tenant, agent)
	}
	if a.Tools != nil {
		list, err := json.Marshal(asRows(a.Tools))
		if err != nil {
			return "", nil, err
		}
		for _, states := range []string{denied, unsure} {
			sql += ` AND NOT EXISTS (SELECT 1 FROM proposals AS d WHERE d.` + states + ` AND d.tenant = ? AND d.principal = ? AND d.tool IN (SELECT value->>0 FROM json_each(?)) AND d.created >= ?)`
			args = append(args, tenant, agent, string(list), Stamp(a.Since))
		}
	}
	return sql, args, nil
}

// Insert stores the records of one plan with their audit entries, in one statement. It
// stores all of them or none.
func (s *Store) Insert(ctx context.Context, records []machine.Record, entries []machine.Entry) error {
	return s.InsertWithin(ctx, records, entries, Quota{}, Assumed{})
}

// InsertWithin stores records as Insert does, if what was assumed is so and the quota
// permits. Otherwise it stores nothing, and the error is ErrAssumed, ErrFull or
// ErrAgentFull. With an assumption, ErrAssumed stands for all of them: whoever has looked
// asks again without one. The statement itself counts the waiting proposals, so that
// parallel requests cannot exceed the quota together.
func (s *Store) InsertWithin(ctx context.Context, records []machine.Record, entries []machine.Entry, quota Quota, assumed Assumed) error {
	if len(records) == 0 {
		return nil
	}
	rows, waiting := make([]*row, len(records)), 0
	for i := range records {
		rows[i] = rowOf(&records[i], entries[i])
		if records[i].State.Undecided() {
			waiting++
		}
	}
	query, order, args, err := insertStatement(rows)
	if err != nil {
		return err
	}
	condition := `WHERE true`
	bound := func(limit int, where string, names ...any) {
		if limit > 0 {
			condition += ` AND (SELECT count(*) FROM (SELECT 1 FROM proposals WHERE ` + where + ` AND state = 'pending' LIMIT ?+0) AS held) <= ?`
			args = append(append(args, names...), limit+1, limit-waiting)
		}
	}
	bound(quota.Tenant, `tenant = ?`, records[0].Tenant)
	bound(quota.Agent, `tenant = ? AND principal = ?`, records[0].Tenant, records[0].Principal)
	also, more, err := assumed.conditionSQL(records[0].Tenant, records[0].Principal)
	if err != nil {
		return err
	}
	var id string
	stored, err := s.Change(ctx, query+condition+also+order+` RETURNING id`, append(args, more...), &id)
	if err != nil || stored {
		return err
	}
	if also != "" {
		return ErrAssumed
	}
	if n, err := s.Waiting(ctx, records[0].Tenant); err != nil || quota.Tenant > 0 && n+waiting > quota.Tenant {
		return errors.Join(ErrFull, err)
	}
	return ErrAgentFull
}

// insertStatement returns an SQL statement that inserts rows, in the two parts query and
// order. The caller must put a condition between the two parts. The list args has the
// values of the statement.
func insertStatement(rows []*row) (query, order string, args []any, err error) {
	if len(rows) == 1 {
		return insertProposal(), "", rows[0].columnValues(), nil
	}
	lists := make([][]any, len(rows))
	for i := range rows {
		lists[i] = rows[i].columnValues()
	}
	text, err := json.Marshal(lists)
	return insertProposals(), ` ORDER BY key`, []any{string(text)}, err
}

// Load returns one record of the tenant. The error is ErrNone if there is no such record.
func (s *Store) Load(ctx context.Context, tenant, id string) (machine.Record, error) {
	all, err := s.queryRecords(ctx, `tenant = ? AND id = ?`, tenant, id)
	if err != nil {
		return machine.Record{}, err
	}
	if len(all) == 0 {
		return machine.Record{}, ErrNone
	}
	return all[0], nil
}

// Batch returns the records of a batch in order, without those that another one replaces. The error is ErrNone if there is no such
// batch.
func (s *Store) Batch(ctx context.Context, tenant, batch string) ([]machine.Record, error) {
	if batch == "" {
		return nil, ErrNone
	}
	all, err := s.queryRecords(ctx, `tenant = ? AND batch = ? AND batch <> '' AND replaced = '' ORDER BY place`, tenant, batch)
	if err == nil && len(all) == 0 {
		err = ErrNone
	}
	return all, err
}

// Pending returns the tenant's records that wait for a person, oldest first.
func (s *Store) Pending(ctx context.Context, tenant string, limit int) ([]machine.Record, error) {
	return s.queryRecords(ctx, `tenant = ? AND state = 'pending' ORDER BY created, id LIMIT ?+0`, tenant, limit)
}

// MaxListed is the largest number of records in a list of all that wait in a tenant.
const MaxListed = 10_000

// Outline returns the tenant's waiting records, oldest first, without their arguments,
// prompts and reasons.
func (s *Store) Outline(ctx context.Context, tenant string, limit int) ([]machine.Record, error) {
	rows, err := s.queryRead(ctx, `SELECT id, batch, tool, digest, expires FROM proposals WHERE tenant = ? AND state = 'pending' ORDER BY created, id LIMIT ?+0`, tenant, limit)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []machine.Record
	for rows.Next() {
		r := machine.Record{Tenant: tenant, Life: machine.Life{State: machine.Pending}}
		var expires string
		if err := rows.Scan(&r.ID, &r.Batch, &r.Tool, &r.Digest, &expires); err != nil {
			return nil, err
		}
		r.Expires = parseStamp(expires)
		out = append(out, r)
	}
	return out, rows.Err()
}

// Revisions returns a mark for each of the topics (see topicOf) that names a stored
// proposal or batch. A mark is a text that changes whenever the proposal, or a proposal
// of the batch, changes.
func (s *Store) Revisions(ctx context.Context, topics []string) (map[string]string, error) {
	pairs := make([][2]string, len(topics))
	for i, topic := range topics {
		pairs[i][0], pairs[i][1], _ = strings.Cut(topic, "\n")
	}
	list, err := json.Marshal(pairs)
	if err != nil {
		return nil, err
	}
	rows, err := s.queryRead(ctx, `SELECT j.key, p.rev FROM json_each(?) AS j JOIN proposals AS p ON p.id = j.value->>1 AND p.tenant = j.value->>0
		UNION ALL SELECT j.key, CAST(sum(CAST(p.rev AS BIGINT)) AS TEXT) FROM json_each(?) AS j JOIN proposals AS p
			ON p.batch = j.value->>1 AND p.batch <> '' AND p.tenant = j.value->>0 GROUP BY j.key`,
		string(list), string(list))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	out := map[string]string{}
	for rows.Next() {
		var i int
		var mark string
		if err := rows.Scan(&i, &mark); err != nil {
			return nil, err
		}
		out[topics[i]] = mark
	}
	return out, rows.Err()
}

// Page returns the tenant's records that wait for a person, oldest first. It returns only
// records after the given place in the list. If principal is not "", it returns only the
// records of this agent.
func (s *Store) Page(ctx context.Context, tenant, principal string, after Place, limit int) ([]machine.Record, error) {
	if principal == "" {
		return s.queryRecords(ctx, `tenant = ? AND state = 'pending' AND (created, id) > (?, ?) ORDER BY created, id LIMIT ?+0`, tenant, after.Created, after.ID, limit)
	}
	return s.queryRecords(ctx, `tenant = ? AND principal = ? AND state = 'pending' AND (created, id) > (?, ?) ORDER BY created, id LIMIT ?+0`,
		tenant, principal, after.Created, after.ID, limit)
}

// Open returns an agent's records of one session that are pending or approved, newest
// first: those of a digest, and the edited ones in their place. It omits calls that belong to a batch.
func (s *Store) Open(ctx context.Context, tenant, principal, session, digest string) ([]machine.Record, error) {
	return s.queryRecords(ctx, `tenant = ? AND state IN ('pending', 'approved') AND principal = ? AND session = ? AND (digest = ? OR stands_for = ?) AND batch = ''
		ORDER BY created DESC, id LIMIT 10`, tenant, principal, session, digest, digest)
}

// Approvals returns an agent's records of one session that are approved and not claimed,
// oldest first, also those of batches: at most 64 after the given place.
func (s *Store) Approvals(ctx context.Context, tenant, principal, session string, after Place) ([]machine.Record, error) {
	return s.queryRecords(ctx, `tenant = ? AND state IN ('approved') AND principal = ? AND session = ? AND (created, id) > (?, ?) ORDER BY created, id LIMIT 64`,
		tenant, principal, session, after.Created, after.ID)
}

// PlaceOf returns the place of a record in lists that begin with the oldest.
func PlaceOf(r *machine.Record) Place { return Place{Stamp(r.Created), r.ID} }

// ClaimedInSession returns an agent's records of one session that were claimed and have no
// outcome yet: those of a digest, then those with the same arguments in other directories, and
// behind them all edited ones of the tool, each oldest first. It omits calls that belong to a batch.
func (s *Store) ClaimedInSession(ctx context.Context, tenant, principal, session, tool, arguments, digest string) ([]machine.Record, error) {
	return s.queryRecords(ctx, `tenant = ? AND state = 'claimed' AND principal = ? AND session = ? AND tool = ? AND (arguments = ? OR edit_of <> '') AND batch = ''
		ORDER BY digest <> ?, arguments <> ?, created, id LIMIT 10`, tenant, principal, session, tool, arguments, digest, arguments)
}

// Due returns the records of all tenants whose deadline has passed.
func (s *Store) Due(ctx context.Context, now int64, limit int) ([]machine.Record, error) {
	return s.queryRecords(ctx, `due <> '' AND due <= ? ORDER BY due LIMIT ?+0`, Stamp(now), limit)
}

// Claimed returns records of all tenants that were claimed and have no outcome yet.
func (s *Store) Claimed(ctx context.Context, limit int) ([]machine.Record, error) {
	return s.queryRecords(ctx, `state = 'claimed' AND due <> '' ORDER BY due LIMIT ?+0`, limit)
}

func (s *Store) queryRecords(ctx context.Context, where string, args ...any) ([]machine.Record, error) {
	rows, err := s.queryRead(ctx, selectProposals()+where, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []machine.Record
	for rows.Next() {
		var w row
		if err := rows.Scan(w.columnCells(columnsRead)...); err != nil {
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

// Waiting returns the number of the tenant's records that wait for a person.
func (s *Store) Waiting(ctx context.Context, tenant string) (n int, err error) {
	_, err = s.queryOne(ctx, `SELECT count(*) FROM proposals WHERE tenant = ? AND state = 'pending'`, []any{tenant}, &n)
	return n, err
}

// Update stores a change if the change's condition is still true, and reports whether it
// did so. For example, it returns false if another change came first.
func (s *Store) Update(ctx context.Context, c machine.Change) (bool, error) {
	r, w := &c.Record, c.Write
	if c.Next != nil {
		return s.supersede(ctx, c)
	}
	alive, settled, thawed := "", "", ""
	if w.Thawed {
		thawed = r.Principal
	}
	if w.Alive != 0 {
		if alive = Stamp(w.Alive); w.From == machine.Approved {
			alive = Stamp(w.Alive - r.Why.Wait) // its end is that much later than the column says
		}
	}
	if w.Settled && r.Batch != "" {
		settled = r.Batch
	}
	marks, bounds, more := marksText(c.Marks), "", []any(nil)
	if len(w.Bounds) > 0 {
		bounds, more = "AND "+boundsHold, append([]any{boundsText(w.Bounds)}, asTenants(r.Tenant)...)
	}
	if w.Recalled != "" {
		bounds += " AND EXISTS (SELECT 1 FROM remembered AS m WHERE m.id = ? AND m.tenant = proposals.tenant AND m.agent = proposals.principal AND m.session = proposals.session AND m.tool = proposals.tool AND " + stillRemembered + ")" +
			" AND NOT EXISTS (SELECT 1 FROM proposals AS o WHERE o." + unsure + " AND o.created >= ?" + equalToRow + ")"
		more = append(more, w.Recalled, Stamp(w.Alive), Stamp(w.Alive-machine.Recall))
	}
	if t := w.Twins; t != nil {
		known, err := json.Marshal(asRows(t.Known))
		if err != nil {
			return false, err
		}
		bounds += " AND NOT EXISTS (SELECT 1 FROM proposals AS o WHERE o.created >= ? AND (o.batch = '' OR o.batch <> proposals.batch)" + takenTwins + equalToRow + " AND o.id NOT IN (SELECT value->>0 FROM json_each(?)))"
		more = append(more, Stamp(t.Since), string(known))
	}
	if w.Delegation != "" {
		bounds += " AND EXISTS (SELECT 1 FROM delegations AS d WHERE d.id = ? AND d.tenant = proposals.tenant AND d.revoked = 0 AND d.until > ?)"
		more = append(more, w.Delegation, Stamp(w.Alive))
	}
	var rev string
	return s.Change(ctx, `UPDATE proposals SET state = ?, rev = ?, life = ?, due = ?, entry = ?, marks = ?
		WHERE tenant = ? AND id = ? AND state||'' = ? AND rev = ? AND digest = ? AND (? = '' OR expires > ?)
		AND (? = '' OR NOT EXISTS (SELECT 1 FROM proposals AS other WHERE other.batch = ? AND other.batch <> '' AND other.state = 'pending'))
		AND (? = '' OR NOT EXISTS (SELECT 1 FROM freezes WHERE freezes.tenant = proposals.tenant AND freezes.agent IN ('', ?) AND freezes.frozen = 1))
		`+bounds+` RETURNING rev`,
		append([]any{storedState(r), strconv.FormatInt(r.Rev, 10), lifeOf(r), Stamp(r.Due()), c.Entry.Bytes(), marks,
			r.Tenant, r.ID, string(w.From), strconv.FormatInt(w.Rev, 10), w.Digest, alive, alive, settled, settled, thawed, thawed}, more...), &rev)
}

// supersede stores an edited call in the place of the one before, which it settles in the
// same statement.
func (s *Store) supersede(ctx context.Context, c machine.Change) (bool, error) {
	r, w := &c.Record, c.Write
	next := rowOf(c.Next, c.NextEntry)
	before, err := json.Marshal([]string{strconv.FormatInt(r.Rev, 10), lifeOf(r), c.Entry.Bytes()})
	if err != nil {
		return false, err
	}
	next.supersede = string(before)
	var id string
	return s.Change(ctx, insertProposal()+`WHERE EXISTS (SELECT 1 FROM proposals AS o WHERE o.tenant = ? AND o.id = ? AND o.state||'' = ? AND o.rev = ? AND o.digest = ? AND o.expires > ?) RETURNING id`,
		append(next.columnValues(), r.Tenant, r.ID, string(w.From), strconv.FormatInt(w.Rev, 10), w.Digest, Stamp(w.Alive)), &id)
}

// Note appends audit entries that do not belong to a change of a record. It appends all
// of them or none.
func (s *Store) Note(ctx context.Context, entries ...machine.Entry) error {
	return s.NoteAssumed(ctx, Assumed{}, entries...)
}

// NoteAssumed appends the entries of an agent's calls as Note does, if what was assumed of
// the agent is so. Otherwise it appends nothing, and the error is ErrAssumed.
func (s *Store) NoteAssumed(ctx context.Context, assumed Assumed, entries ...machine.Entry) error {
	if len(entries) == 0 {
		return nil
	}
	condition, more, err := assumed.conditionSQL(entries[0].Tenant, entries[0].By)
	if err != nil {
		return err
	}
	query, order, args := `SELECT ?, ? WHERE true`, "", []any{entries[0].Tenant, entries[0].Bytes()}
	if len(entries) > 1 {
		rows := make([][2]string, len(entries))
		for i, e := range entries {
			rows[i] = [2]string{e.Tenant, e.Bytes()}
		}
		list, err := json.Marshal(rows)
		if err != nil {
			return err
		}
		query, order, args = `SELECT value->>0, value->>1 FROM json_each(?) WHERE true`, ` ORDER BY key`, []any{string(list)}
	}
	var seq int64
	stored, err := s.Change(ctx, `INSERT INTO audit (tenant, entry) `+query+condition+order+` RETURNING seq`, append(args, more...), &seq)
	if err == nil && !stored {
		err = ErrAssumed
	}
	return err
}

// Place is the end of a page of waiting proposals: the time and the id of its last
// proposal. The zero place is before the first.
type Place struct{ Created, ID string }

// String returns the place as text. Clients send this text to request the next page of
// the list of waiting proposals.
func (p Place) String() string {
	return base64.RawURLEncoding.EncodeToString([]byte(p.Created + " " + p.ID))
}

// orNewest returns the place, or, for the zero place, one before all records of a list that
// begins with the newest.
func (p Place) orNewest() Place {
	if p == (Place{}) {
		p.Created = strings.Repeat("9", 16)
	}
	return p
}

// ReadPlace parses the result of Place.String. The text "" is the zero place.
func ReadPlace(text string) (p Place, err error) {
	if text == "" {
		return p, nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(text)
	created, id, ok := strings.Cut(string(raw), " ")
	if _, digits := strconv.ParseUint(created, 10, 64); err != nil || !ok || digits != nil || len(created) != 16 {
		return p, fmt.Errorf(`the parameter "after" must be the value of "next" from the previous page; got %.60q`, text)
	}
	return Place{created, id}, nil
}

// Instant formats a time in Unix milliseconds as a UTC time that people and
// programs can read. It returns "" for 0.
func Instant(ms int64) string {
	if ms == 0 {
		return ""
	}
	return time.UnixMilli(ms).UTC().Format("2006-01-02T15:04:05.000Z")
}
