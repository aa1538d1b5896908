package machine

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
)

// Retention holds the times in milliseconds after which stored texts are emptied; 0 keeps
// them. An emptied row keeps its place and its hash.
type Retention struct {
	Arguments int64 // arguments, prompts and reasons of settled proposals
	Allowed   int64 // audit entries of calls that were let through without a question
	Audit     int64 // all audit entries except those of redactions
}

// Redact is the event of an audit entry that records which rows were emptied.
const Redact = "redact"

// readAudit reads the policy's settings for the audit.
func (r *reader) readAudit(v jsonval.Value, p *Policy) {
	r.readObject(v, "audit", map[string]func(jsonval.Value){
		"arguments": func(m jsonval.Value) { p.AuditArguments = r.readWord(m, "arguments", "digest", "full") == "full" },
	})
}

// readRetention reads the times after which stored texts are removed.
func (r *reader) readRetention(v jsonval.Value, p *Policy) {
	r.readObject(v, "retention", map[string]func(jsonval.Value){
		"arguments": func(m jsonval.Value) { p.Retention.Arguments = r.readPeriod(m, "arguments") },
		"allowed":   func(m jsonval.Value) { p.Retention.Allowed = r.readPeriod(m, "allowed") },
		"audit":     func(m jsonval.Value) { p.Retention.Audit = r.readPeriod(m, "audit") },
	})
}

// maxPeriod is the longest time in a policy, a hundred years.
const maxPeriod = 36_500 * 24 * time.Hour

// readPeriod reads a time that may be long: a number of days such as "30d", or a duration
// such as "36h". The minimum is an hour, so that texts do not disappear while somebody
// reads them.
func (r *reader) readPeriod(m jsonval.Value, what string) int64 {
	text, _ := m.Str()
	d, err := time.ParseDuration(text)
	if days, whole := strings.CutSuffix(text, "d"); whole {
		var n uint64
		n, err = strconv.ParseUint(days, 10, 16)
		d = time.Duration(n) * 24 * time.Hour
	}
	if err != nil || d < time.Hour || d > maxPeriod {
		r.fail(m, "invalid %s: want a time from \"1h\" to \"36500d\", saw %s", what, m.Raw())
		return 0
	}
	return d.Milliseconds()
}

// Redacted returns the record without the texts that a person or a model wrote, and the
// audit entry for this change. now is the time of the change. It returns an error if the
// record is not settled.
func Redacted(r Record, policy string, now int64) (Record, Entry, error) {
	if !r.State.Terminal() {
		return r, Entry{}, fmt.Errorf("proposal %s has the state %s. The content of a proposal can be deleted only after the proposal is settled", r.ID, r.State)
	}
	from := r.State
	r.Arguments, r.Prompt, r.Outcome.Detail, r.Sources = "", "", "", nil
	if a := r.Why.Asked; a != nil { // its text has words of the conversation
		r.Why.Asked = &proposal.Asker{By: a.By, Also: a.Also, Partial: a.Partial}
	}
	r.Votes = append([]Vote(nil), r.Votes...)
	for i := range r.Votes {
		r.Votes[i].Reason = ""
	}
	r.Rev++
	e := entryOf(&r, from, Event{Kind: Redact}, now)
	e.Policy, e.Text = policy, "arguments, prompt and reasons"
	return r, e, nil
}

// WriteRows returns numbers in ascending order as ranges, such as "3-17,20".
func WriteRows(rows []int64) string {
	var b strings.Builder
	for i := 0; i < len(rows); {
		j := i
		for j+1 < len(rows) && rows[j+1] == rows[j]+1 {
			j++
		}
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.FormatInt(rows[i], 10))
		if j > i {
			b.WriteString("-" + strconv.FormatInt(rows[j], 10))
		}
		i = j + 1
	}
	return b.String()
}

// rowSpan is a range of rows, both ends included.
type rowSpan struct{ from, to int64 }

// readRows reads a text that WriteRows returned. ok is false if the text has another
// form.
func readRows(text string) (out []rowSpan, ok bool) {
	for _, part := range strings.Split(text, ",") {
		first, last, ranged := strings.Cut(part, "-")
		from, err := strconv.ParseInt(first, 10, 64)
		to := from
		if ranged && err == nil {
			to, err = strconv.ParseInt(last, 10, 64)
		}
		if err != nil || from < 1 || to < from {
			return nil, false
		}
		out = append(out, rowSpan{from, to})
	}
	return out, true
}
