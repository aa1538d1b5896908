package store

import (
	"context"
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
		rows[i] = [6]string{m.Rule, m.Key, Stamp(m.At), strconv.FormatInt(m.Amount, 10), Stamp(m.Until), m.Seen}
	}
	text, _ := json.Marshal(rows)
	return string(text)
}

// countCells returns a question in the form in which the statements read it.
func countCells(c machine.Count) []string {
	return []string{c.Rule, c.Key, Stamp(c.Since), c.Rows, c.Seen}
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
	WHEN j.value->>4 <> '' AND EXISTS (SELECT 1` + lateRows + ` AND m.seen = j.value->>4 AND m.seen <> '' AND j.value->>3 IN ('all', m.state)) THEN 1
	WHEN j.value->>4 <> '' THEN 0
	WHEN j.value->>3 = 'all' AND EXISTS (SELECT 1` + lateRows + `) THEN 1
	WHEN EXISTS (SELECT 1` + lateRows + ` AND m.state = j.value->>3) THEN 1 ELSE 0 END`
	countLive = `coalesce((SELECT m.running` + keyRows + ` ORDER BY m.at DESC, m.rowid DESC LIMIT 1), 0)
	- coalesce((SELECT m.running` + keyRows + ` AND m.at <= j.value->>2 ORDER BY m.at DESC, m.rowid DESC LIMIT 1),
		(SELECT m.running - CASE WHEN m.state <> 'failed' THEN 1 ELSE 0 END` + keyRows + ` ORDER BY m.at, m.rowid LIMIT 1), 0)`
	sumRows = `CASE WHEN j.value->>3 = 'live' THEN coalesce((SELECT m.total` + keyRows + ` ORDER BY m.at DESC, m.rowid DESC LIMIT 1), 0)
	- coalesce((SELECT m.total` + keyRows + ` AND m.at <= j.value->>2 ORDER BY m.at DESC, m.rowid DESC LIMIT 1),
		(SELECT m.total - CASE WHEN m.state <> 'failed' THEN m.amount ELSE 0 END` + keyRows + ` ORDER BY m.at, m.rowid LIMIT 1), 0) ELSE 0 END`
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
	` + countRows + ` NOT BETWEEN CAST(j.value->>5 AS BIGINT) AND CAST(j.value->>6 AS BIGINT)
	OR ` + sumRows + ` > CAST(j.value->>7 AS BIGINT))`

// ForgetMarks deletes the rows that no window needs any more.
func (s *Store) ForgetMarks(ctx context.Context, now int64) error {
	_, err := s.Change(ctx, `DELETE FROM marks WHERE until < ? AND state <> 'claimed'`, []any{Stamp(now)})
	return err
}
