// Package history reads searches among settled calls, and shows what they find, for the
// gate's API and its page.
package history

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// A page has PageSize calls unless the request sets another number, and never more than
// MaxPage.
const (
	PageSize = 50
	MaxPage  = 200
)

// maxText is the largest text of a condition in bytes.
const maxText = 200

// Names are the parameters of a search, with what they mean.
var Names = [][2]string{
	{"state", "the state, such as denied"},
	{"tool", "the exact name of the tool"},
	{"agent", "the name of the agent that proposed it"},
	{"person", "who decided, answered, revoked or edited it"},
	{"since", "proposed at this time or later: RFC 3339, or a day in UTC"},
	{"until", "proposed before this time: RFC 3339, or a day in UTC"},
	{"text", "a part of the tool's name, of the call as it was shown, of the first 65,536 characters of its arguments, of a reason or of an outcome. The case of ASCII letters does not count"},
	{"limit", "the number of calls of one page"},
	{"after", "the value of next from the previous page"},
}

// States returns the names of the states that a search takes.
func States() (names []string) {
	for _, s := range store.SettledStates {
		names = append(names, string(s))
	}
	return names
}

// Read reads a search of who from the parameters of a request. An agent sees only its own
// calls, whatever it asks for.
func Read(who machine.Principal, v url.Values) (q store.Search, err error) {
	q = store.Search{Tenant: who.Tenant, Agent: v.Get("agent"), Tool: v.Get("tool"), State: machine.State(v.Get("state")), Person: v.Get("person"), Text: v.Get("text"), Limit: PageSize}
	for _, name := range [...]string{"tool", "agent", "person", "text"} {
		if text := v.Get(name); len(text) > maxText || !utf8.ValidString(text) {
			return q, fmt.Errorf("invalid %s: want at most %d bytes of UTF-8", name, maxText)
		}
	}
	if q.State != "" && !slices.Contains(store.SettledStates, q.State) {
		names := States()
		last := len(names) - 1
		return q, fmt.Errorf("invalid state: want one of %s or %s, saw %.40q", strings.Join(names[:last], ", "), names[last], q.State)
	}
	if text := v.Get("limit"); text != "" {
		if q.Limit, err = strconv.Atoi(text); err != nil || q.Limit < 1 || q.Limit > MaxPage {
			return q, fmt.Errorf("invalid limit: want 1 to %d, saw %.20q", MaxPage, text)
		}
	}
	if q.Since, err = readTime(v, "since"); err == nil {
		q.Until, err = readTime(v, "until")
	}
	if err == nil {
		q.After, err = store.ReadPlace(v.Get("after"))
	}
	if who.Role == machine.Agent {
		if q.Agent != "" && q.Agent != who.Name {
			q.State = nobodys
		}
		q.Agent = who.Name
	}
	return q, err
}

// nobodys is a state that no record has.
const nobodys machine.State = "another agent's"

// readTime reads a time, or a day, and returns it in Unix milliseconds.
func readTime(v url.Values, name string) (int64, error) {
	text := v.Get(name)
	if text == "" {
		return 0, nil
	}
	for _, form := range [...]string{time.RFC3339, time.DateOnly} {
		if t, err := time.Parse(form, text); err == nil && t.UnixMilli() > 0 && t.Year() < 10000 {
			return t.UnixMilli(), nil
		}
	}
	return 0, fmt.Errorf(`invalid %s: want a time such as "2027-01-31T12:00:00Z" or a day such as "2027-01-31", saw %.40q`, name, text)
}

// View is a settled call in a list. Its arguments may be cut: GET /v1/proposals/{id} has
// all of it.
type View struct {
	ID        string           `json:"id"`
	State     machine.State    `json:"state"`
	Batch     string           `json:"batch,omitempty"`
	Agent     string           `json:"agent"`
	Session   string           `json:"session,omitempty"`
	Tool      string           `json:"tool"`
	Digest    string           `json:"digest"`
	Beginning string           `json:"beginning"` // of the arguments, as text; "" if they were removed
	Cut       bool             `json:"cut,omitempty"`
	Created   string           `json:"created"`
	Changed   string           `json:"changed"` // the time of the last change of state
	Rule      string           `json:"rule,omitempty"`
	Votes     []store.ToldVote `json:"votes,omitempty"`
	Outcome   string           `json:"outcome,omitempty"`
	Replaced  string           `json:"replacedBy,omitempty"`
	URL       string           `json:"url"`
}

// Page is the answer to a search. Next is "" if there are no older calls; a page may be
// empty and still have a next one.
type Page struct {
	Settled []View `json:"settled"`
	Next    string `json:"next,omitempty"`
}

// NewPage returns the page with what a search found. The function link gives the address
// of a call.
func NewPage(list []store.Found, next store.Place, link func(id string) string) Page {
	p := Page{Settled: []View{}}
	for i := range list {
		f := &list[i]
		p.Settled = append(p.Settled, View{ID: f.ID, State: f.State, Batch: f.Batch, Agent: f.Principal, Session: f.Session, Tool: f.Tool, Digest: f.Digest,
			Beginning: f.Arguments, Cut: f.Cut, Created: store.Instant(f.Created), Changed: store.Instant(f.At), Rule: f.Why.Rule,
			Votes: store.TellVotes(f.Votes), Outcome: f.Outcome.Detail, Replaced: f.Replaced, URL: link(f.ID)})
	}
	if next != (store.Place{}) {
		p.Next = next.String()
	}
	return p
}

// Older returns the query of the next page of a search.
func Older(v url.Values, next string) string {
	out := url.Values{}
	for _, n := range Names {
		if text := v.Get(n[0]); text != "" {
			out.Set(n[0], text)
		}
	}
	out.Set("after", next)
	return out.Encode()
}
