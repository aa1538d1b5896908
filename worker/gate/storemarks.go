package gate

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/gate/machine"
)

// marksText returns rows as JSON for the column marks; "" for none.
func marksText(marks []machine.Mark) string {
	if len(marks) == 0 {
		return ""
	}
	rows := make([][6]string, len(marks))
	for i, m := range marks {
		rows[i] = [6]string{m.Rule, m.Key, formatStamp(m.At), strconv.FormatInt(m.Amount, 10), formatStamp(m.Until), m.Seen}
	}
	text, _ := json.Marshal(rows)
	return string(text)
}

// countCells returns a question in the form in which the statements read it.
func countCells(c machine.Count) []string {
	return []string{c.Rule, c.Key, formatStamp(c.Since), c.Rows, c.Seen}
}

// The rows of the rule and key of the question j. Their ? is the tenant.
const (
	keyRows  = ` FROM marks AS m WHERE m.tenant = ? AND m.rule = j.value->>0 AND m.key = j.value->>1`
	lateRows = keyRows + ` AND m.at > j.value->>2`
)

// countRows answers the question j: the number of its live rows, from the running counts at
// the ends of the window, or 1 if there are other rows that it asks about. sumRows is the
// sum of the live rows.
const (
	countRows = `CASE WHEN j.value->>3 = 'live' THEN ` + countLive + `
	WHEN j.value->>4 <> '' THEN EXISTS (SELECT 1` + lateRows + ` AND m.seen = j.value->>4 AND m.seen <> '' AND j.value->>3 IN ('all', m.state))
	WHEN j.value->>3 = 'all' THEN EXISTS (SELECT 1` + lateRows + `)
	ELSE EXISTS (SELECT 1` + lateRows + ` AND m.state = j.value->>3) END`
	countLive = `coalesce((SELECT m.running` + keyRows + ` ORDER BY m.at DESC, m.rowid DESC LIMIT 1), 0)
	- coalesce((SELECT m.running` + keyRows + ` AND m.at <= j.value->>2 ORDER BY m.at DESC, m.rowid DESC LIMIT 1),
		(SELECT m.running - (m.state <> 'failed')` + keyRows + ` ORDER BY m.at, m.rowid LIMIT 1), 0)`
	sumRows = `CASE WHEN j.value->>3 = 'live' THEN coalesce((SELECT m.total` + keyRows + ` ORDER BY m.at DESC, m.rowid DESC LIMIT 1), 0)
	- coalesce((SELECT m.total` + keyRows + ` AND m.at <= j.value->>2 ORDER BY m.at DESC, m.rowid DESC LIMIT 1),
		(SELECT m.total - (m.state <> 'failed') * m.amount` + keyRows + ` ORDER BY m.at, m.rowid LIMIT 1), 0) ELSE 0 END`
)

// asTenants returns the tenant for each ? of countRows and sumRows.
func asTenants(tenant string) []any {
	return slices.Repeat([]any{tenant}, strings.Count(countRows+sumRows, "?"))
}

// Tallies answers the questions of a policy's rules about the rows of a tenant, in one
// statement.
func (s *Store) Tallies(ctx context.Context, tenant string, questions []machine.Count) (map[machine.Count]machine.Tally, error) {
	out := map[machine.Count]machine.Tally{}
	if len(questions) == 0 {
		return out, nil
	}
	list := make([][]string, len(questions))
	for i, c := range questions {
		list[i] = countCells(c)
	}
	text, err := json.Marshal(list)
	if err != nil {
		return nil, err
	}
	rows, err := s.queryRead(ctx, `SELECT j.key, `+countRows+`, CAST(`+sumRows+` AS TEXT) FROM json_each(?) AS j`, append(asTenants(tenant), string(text))...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var i int
		var t machine.Tally
		var sum string
		if err := rows.Scan(&i, &t.N, &sum); err != nil {
			return nil, err
		}
		if t.Sum, err = strconv.ParseInt(sum, 10, 64); err != nil {
			return nil, err
		}
		out[questions[i]] = t
	}
	return out, rows.Err()
}

// boundsText returns what the rows must say as JSON for boundsHold.
func boundsText(bounds []machine.Bound) string {
	list := make([][]string, len(bounds))
	for i, b := range bounds {
		list[i] = append(countCells(b.Count), strconv.FormatInt(b.Least, 10), strconv.FormatInt(b.Most, 10), strconv.FormatInt(b.MostSum, 10))
	}
	text, _ := json.Marshal(list)
	return string(text)
}

// boundsHold is the condition that all bounds hold. Its parameters are boundsText and
// asTenants.
const boundsHold = `NOT EXISTS (SELECT 1 FROM json_each(?) AS j WHERE
	` + countRows + ` NOT BETWEEN CAST(j.value->>5 AS INTEGER) AND CAST(j.value->>6 AS INTEGER)
	OR ` + sumRows + ` > CAST(j.value->>7 AS INTEGER))`

// ForgetMarks deletes the rows that no window needs any more.
func (s *Store) ForgetMarks(ctx context.Context, now int64) error {
	_, err := s.execChange(ctx, `DELETE FROM marks WHERE until < ? AND state <> 'claimed'`, []any{formatStamp(now)})
	return err
}

// marksKey returns the key of the hashes in the rows. It belongs to the database, so that
// the counts survive a restart and are the same for several processes.
func (g *Gate) marksKey(ctx context.Context) ([]byte, error) {
	if key := g.rowKey.Load(); key != nil {
		return *key, nil
	}
	fresh, err := g.newNonce()
	if err != nil {
		return nil, err
	}
	var text string
	if _, err := g.Store.execChange(ctx, `INSERT INTO secrets (name, value) VALUES ('marks', ?) ON CONFLICT (name) DO UPDATE SET value = value RETURNING value`, []any{fresh}, &text); err != nil {
		return nil, err
	}
	key, err := hex.DecodeString(text)
	if err == nil {
		g.rowKey.Store(&key)
	}
	return key, err
}

// Learn sets what the rules of the policy must know from the store about the calls of a,
// for a proxy that decides about them itself.
func (g *Gate) Learn(ctx context.Context, a *machine.Ask) error {
	return g.learn(ctx, g.Policy(), a, g.Now())
}

// learn sets what the rules of a policy must know from the store about the calls of a.
func (g *Gate) learn(ctx context.Context, p *machine.Policy, a *machine.Ask, now int64) (err error) {
	if !p.Counts() {
		return nil
	}
	if a.Key, err = g.marksKey(ctx); err == nil {
		a.Known, err = g.Store.Tallies(ctx, a.By.Tenant, p.Questions(a, now))
	}
	return err
}

// handOut sets what the policy says about the claim of an approved call.
func (g *Gate) handOut(ctx context.Context, r *machine.Record, e *machine.Event, now int64) error {
	p := g.Policy()
	if e.Stop = (machine.Stop{Text: p.Objects(r)}); e.Stop.Text != "" {
		return nil
	}
	var key []byte
	var err error
	if p.Counts() {
		if key, err = g.marksKey(ctx); err != nil {
			return err
		}
	}
	h := p.Handout(r, key, now)
	known, err := g.Store.Tallies(ctx, r.Tenant, h.Counts())
	if err != nil {
		return err
	}
	e.Marks, e.Bounds = h.Marks, h.Bounds
	e.Stop, e.Logged = h.Objection(known), h.Logged(known)
	return nil
}
