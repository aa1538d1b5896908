package proposal

import (
	"time"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// SameKey returns the digest of a call in its canonical spelling. Two calls are the same call if and
// only if they have one key: they have one directory and tool, and arguments that are equal as JSON.
// So spaces, the order of members and notations of a number do not matter. O(n log n).
func SameKey(dir, tool, arguments string) string {
	if v, err := jsonval.Parse(arguments); err == nil {
		arguments = v.Canonical()
	}
	return DigestIn(dir, tool, arguments)
}

// Unsure says that the same call was handed out before, and that nobody knows whether it ran,
// or, if that was since the question was asked, that it may have run or ran.
type Unsure struct {
	ID      string `json:"id"`
	Running bool   `json:"running,omitempty"`    // there is still time to say whether it ran
	Ran     bool   `json:"ran,omitempty"`        // its agent has said that it ran
	Since   bool   `json:"sinceAsked,omitempty"` // it was handed out after this call was proposed: an approval needs an explicit acknowledgement
	Edited  bool   `json:"edited,omitempty"`     // the two differ by an approver's edit of the same call
	At      int64  `json:"at,string"`            // when it was handed out, in Unix milliseconds
}

// Text says it for a person.
func (u *Unsure) Text() string {
	end := "nobody knows whether it ran"
	switch {
	case u.Running:
		end = "its outcome is not known yet"
	case u.Ran:
		end = "its agent says that it ran"
	}
	call := "the same call was"
	if u.Edited {
		call = "the same call, but for an approver's edit, was"
	}
	return call + " handed out at " + time.UnixMilli(u.At).UTC().Format("2006-01-02 15:04:05 UTC") + ", and " + end
}

// ModelText says it for a model, with a space before it; "" for nil.
func (u *Unsure) ModelText() string {
	if u == nil {
		return ""
	}
	return " This call may have run already: " + u.Text() + ". Check its effect before you repeat it."
}
