package requests

import (
	"github.com/boundcheck/boundcheck/core/action/deed"
	"github.com/boundcheck/boundcheck/core/action/heard"
	"github.com/boundcheck/boundcheck/core/action/similarity"
)

// MostData is the number of bytes of one result that are searched for a passage.
const MostData = heard.MostData

// MayChange reports whether the name and the arguments of a call name a deed that changes
// something, whatever anybody says about its tool.
func MayChange(c *similarity.Call) bool {
	d := deed.Read(c)
	return !d.Moves && d.Kinds != 0
}

// FindPassage returns the passage of the data that asks for a change as a person asks. It
// is for conversations in which the words of the user are not known.
func (r *Reader) FindPassage(c *Action) (Trace, bool) {
	d := deed.Read(c.Call)
	return r.findPassage(&d, c, false)
}
