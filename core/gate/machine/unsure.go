package machine

import (
	"time"

	"github.com/boundcheck/boundcheck/core/gate/proposal"
)

// Unsure says that the same call was handed out before, and that nobody knows whether it ran.
type Unsure struct {
	ID    string `json:"id"`
	State State  `json:"state"`     // Claimed or Ambiguous
	At    int64  `json:"at,string"` // when it was handed out
}

// UnsureBefore returns the latest of the records that is the same call (see RefusedBefore),
// was handed out and has no known outcome. It returns nil if there is none. O(size of the
// records).
func UnsureBefore(taken []Record, tool, arguments string) *Unsure {
	var found *Unsure
	for r := range sameCalls(taken, tool, arguments) {
		if (r.State == Claimed || r.State == Ambiguous) && (found == nil || r.Claim.At > found.At) {
			found = &Unsure{r.ID, r.State, r.Claim.At}
		}
	}
	return found
}

// Text says it for a person and for a model.
func (u *Unsure) Text() string {
	end := "nobody knows whether it ran"
	if u.State == Claimed {
		end = "its outcome is not known yet"
	}
	return "the same call was handed out at " + time.UnixMilli(u.At).UTC().Format("2006-01-02 15:04:05 UTC") + ", and " + end
}

// ModelText says it for a model, with a space before it; "" for nil.
func (u *Unsure) ModelText() string {
	if u == nil {
		return ""
	}
	return " This call may have run already: " + u.Text() + ". Check its effect before you repeat it."
}

// warnUnsure makes the question about a call, and its reason, say that the call may have run
// already.
func (c *judged) warnUnsure(u *Unsure) {
	c.why.Unsure = u
	c.why.Reason += "; it may have run already: " + u.Text()
	c.decision.Confirmation = proposal.Warn(c.decision.Confirmation, "MAY HAVE RUN ALREADY: "+u.Text()+".")
}
