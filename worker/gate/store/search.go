package store

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/gate/machine"
)

// Search says which settled records a list has. Of the conditions, each that is not zero
// must be met.
type Search struct {
	Tenant string
	Agent  string        // who proposed it
	Tool   string        // its exact name
	State  machine.State // one of SettledStates
	Person string        // who decided, by themselves or through a delegate, answered, revoked or edited
	Since  int64         // proposed at this time or later
	Until  int64         // proposed before this time
	Text   string        // a part of the tool's name, of the call as it was shown, of its first 65,536 characters, of a reason, or of an outcome; case of ASCII does not count
	After  Place         // only records behind this place in the list, newest first
	Limit  int           // records of one page
}

// SettledStates are the states of records that wait for nobody's decision.
var SettledStates = []machine.State{machine.Approved, machine.Denied, machine.Answered, machine.Superseded, machine.Expired, machine.Cancelled,
	machine.Claimed, machine.Executed, machine.Failed, machine.Ambiguous}

// Found is a record in the result of a search: its life without the sources and the
// prompt, and the beginning of its arguments.
type Found struct {
	machine.Record
	Cut bool // Arguments has only the beginning
}

// mostBeginning is the number of characters of the arguments in a Found.
const mostBeginning = 1000

// window is the number of records that one search examines. The equal conditions and the
// times are met by an index, the others by looking at each of these.
const window = 2000

// Search returns the newest settled records that meet the conditions, and the place from
// which the next page continues. A page may be short or empty although there are more
// records: next is the zero place only if there are none. A page reads at most window
// records, so its time does not grow with the store.
func (s *Store) Search(ctx context.Context, q Search) (list []Found, next Place, err error) {
	where, args := q.indexedWhere()
	var end Place
	more, err := s.queryOne(ctx, `SELECT created, id FROM proposals WHERE `+where+` ORDER BY created DESC, id DESC LIMIT 1 OFFSET `+strconv.Itoa(window-1), args, &end.Created, &end.ID)
	if err != nil {
		return nil, next, err
	}
	if more {
		next = end
	}
	const has = `replace(lower(prompt), ?, '') <> lower(prompt) OR replace(lower(substr(arguments, 1, 65536)), ?, '') <> lower(substr(arguments, 1, 65536)) OR replace(lower(tool), ?, '') <> lower(tool)`
	text, person := lowerASCII(q.Text), ""
	if q.Person != "" {
		person = quoteText(q.Person)
	}
	inLife := strings.Trim(quoteText(text), `"`)
	rows, err := s.queryRead(ctx, `SELECT id, batch, session, principal, tool, digest, needs, state, replaced, rev, created, expires, why, life, substr(arguments, 1, `+strconv.Itoa(mostBeginning)+`), length(arguments),
		CASE WHEN ? = '' OR `+has+` THEN 1 ELSE 0 END FROM proposals WHERE `+where+` AND (created, id) >= (?, ?)
		AND (? = '' OR replace(life, ?, '') <> life OR replace(life, ?, '') <> life OR replace(why, ?, '') <> why)
		AND (? = '' OR `+has+` OR replace(lower(life), ?, '') <> lower(life)) ORDER BY created DESC, id DESC LIMIT ?+0`,
		slices.Concat([]any{text, text, text, text}, args, []any{end.Created, end.ID, person, `"by":` + person, `"for":` + person, person, text, text, text, text, inLife, q.Limit + 1})...)
	if err != nil {
		return nil, next, err
	}
	defer rows.Close()
	var last Place
	for n := 0; rows.Next(); n++ {
		if n == q.Limit {
			next = last
			break
		}
		f, hit, err := scanFound(rows.Scan)
		if err != nil {
			return nil, next, err
		}
		f.Tenant, last = q.Tenant, Place{Stamp(f.Created), f.ID}
		if q.acceptsFound(&f, hit) {
			list = append(list, f)
		}
	}
	return list, next, rows.Err()
}

// indexedWhere returns the conditions that an index meets. The states are written out, because
// partial indexes name them.
func (q *Search) indexedWhere() (where string, args []any) {
	before := q.After
	if until := (Place{Created: Stamp(q.Until)}); q.Until > 0 && (before == Place{} || until.Created <= before.Created) {
		before = until
	}
	before = before.orNewest()
	where, args = `tenant = ? AND created >= ? AND (created, id) < (?, ?)`, []any{q.Tenant, Stamp(q.Since), before.Created, before.ID}
	if q.Agent != "" {
		where, args = where+` AND principal = ?`, append(args, q.Agent)
	}
	if q.Tool != "" {
		where, args = where+` AND tool = ?`, append(args, q.Tool)
	}
	switch q.State {
	case "":
		where += ` AND state <> 'pending'`
	case machine.Superseded:
		where += ` AND state = 'denied' AND replaced <> ''`
	case machine.Denied, machine.Answered:
		where += ` AND state = 'denied' AND replaced = ''`
	default:
		if slices.Contains(SettledStates, q.State) {
			where += ` AND state = '` + string(q.State) + `'`
		} else {
			where += ` AND 1 = 0`
		}
	}
	return where, args
}

// scanFound reads one row of the result. The result hit reports whether the database has
// found the text in the call.
func scanFound(scan func(...any) error) (f Found, hit bool, err error) {
	var state, rev, created, expires, why, life string
	var length, found int
	if err = scan(&f.ID, &f.Batch, &f.Session, &f.Principal, &f.Tool, &f.Digest, &f.Needs, &state, &f.Replaced, &rev, &created, &expires, &why, &life, &f.Arguments, &length, &found); err != nil {
		return f, false, err
	}
	if err = json.Unmarshal([]byte(why), &f.Why); err == nil {
		err = json.Unmarshal([]byte(life), &f.Life)
	}
	f.Created, f.Expires, f.Rev = parseStamp(created), parseStamp(expires), parseStamp(rev)
	f.State, f.Cut = fullState(&f.Record, state), length > mostBeginning
	return f, found != 0, err
}

// acceptsFound reports whether a record meets the conditions that the database only narrows:
// it finds a name or a text also in another member of a JSON text.
func (q *Search) acceptsFound(f *Found, hit bool) bool {
	if q.State != "" && f.State != q.State {
		return false
	}
	by := func(v machine.Vote) bool { return v.By == q.Person || v.Giver == q.Person }
	if q.Person != "" && !slices.ContainsFunc(f.Votes, by) && (f.Why.Edit == nil || !slices.Contains(f.Why.Edit.Editors, q.Person)) {
		return false
	}
	text := lowerASCII(q.Text)
	return hit || strings.Contains(lowerASCII(f.Outcome.Detail), text) ||
		slices.ContainsFunc(f.Votes, func(v machine.Vote) bool { return strings.Contains(lowerASCII(v.Reason), text) })
}

// lowerASCII lowers the letters that the databases lower, too.
func lowerASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}, s)
}

// quoteText returns a text as JSON, as the records are stored.
func quoteText(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}
