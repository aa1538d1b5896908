package score

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/ref/reference"
)

// Cache keeps two things from earlier requests: what depends only on the name and the
// arguments of a call, and the references of tasks. It is for requests that are evaluated
// one after the other, such as the lines of a file, because trials and references repeat
// the same calls and the same tasks. All these requests must have the same Classifier. The
// zero value is empty. Several calls of Evaluate must not use it at the same time.
type Cache struct {
	known map[spelling]*prepared
	bytes int // of the spellings in known
	golds reference.Golds
}

// A Cache keeps the calls whose spelling has at most longestSpelling bytes. It forgets all
// calls when their spellings have more than callsLimit bytes. A prepared call has about ten
// times the size of its spelling.
const (
	longestSpelling = 2 << 10
	callsLimit      = 256 << 10
)

// prepared holds the results that are equal for all calls with the same spelling.
type prepared struct {
	call     similarity.Call
	mutation mutation.Verdict
	memo     boundary.Memo
}

type spelling struct{ name, text, arguments, broken string }

func (s *spelling) sizeOf() int { return len(s.name) + len(s.text) + len(s.arguments) + len(s.broken) }

// clone returns a copy that shares no memory with the text of a trace.
func (s *spelling) clone() spelling {
	return spelling{strings.Clone(s.name), strings.Clone(s.text), strings.Clone(s.arguments), strings.Clone(s.broken)}
}

// prepareCall prepares a call for comparison. Calls with the same spelling share the
// result, because trials and references repeat the same calls.
func (e *evaluator) prepareCall(name, text string, arguments jsonval.Value, broken string) *prepared {
	key := spelling{name, text, arguments.Raw(), broken}
	if e.earlier != nil && key.sizeOf() <= longestSpelling {
		return e.earlier.prepareCall(e, key)
	}
	p := e.calls[key]
	if p == nil {
		p = e.newPrepared(key, arguments)
		e.calls[key] = p
		e.callBytes += key.sizeOf()
	}
	return p
}

// requestLimit bounds the spellings of the calls that are kept while the runs of one request
// are scored, in bytes.
const requestLimit = 1 << 18

// forgetCalls forgets the calls of earlier runs if there are too many, so that the memory for
// a file of many runs does not grow with its calls.
func (e *evaluator) forgetCalls() {
	if e.callBytes > requestLimit {
		e.calls, e.callBytes = map[spelling]*prepared{}, 0
	}
}

func (e *evaluator) newPrepared(s spelling, arguments jsonval.Value) *prepared {
	p := &prepared{call: similarity.NewCall(s.name, arguments, s.broken, s.text)}
	if s.text != "" {
		p.mutation = mutation.ClassifyText(s.text)
	} else {
		p.mutation = e.classifier.Classify(s.name, arguments)
	}
	return p
}

// prepareCall returns the cached call with the spelling s. If there is none, it prepares a copy
// of the call, so that the cache keeps no trace in memory.
func (c *Cache) prepareCall(e *evaluator, s spelling) *prepared {
	if p := c.known[s]; p != nil {
		return p
	}
	s = s.clone()
	arguments, _ := jsonval.Parse(s.arguments) // a value of a trace; Missing if there is none
	p := e.newPrepared(s, arguments)
	if c.bytes += s.sizeOf(); c.known == nil || c.bytes > callsLimit {
		c.known, c.bytes = map[spelling]*prepared{}, s.sizeOf()
	}
	c.known[s] = p
	return p
}
