package engine

import (
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/failure"
	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// repeated keeps what was read from the texts of results, because the runs of a file often make
// the same calls. The zero value is empty.
type repeated struct {
	results  map[string]string // by the raw text of a string: its content
	failures map[string]bool   // by the text of a result: whether it says that the call failed
}

// Texts shorter than shortestKept are read again in less time than a lookup takes. Of each
// sort, at most mostKept are kept, so that a file whose texts all differ costs little.
const (
	shortestKept = 48
	mostKept     = 1 << 12
)

// remember returns what read makes of a text, or what it made of it before.
func remember[T any](known *map[string]T, text string, read func() T) T {
	if len(text) < shortestKept {
		return read()
	}
	if out, ok := (*known)[text]; ok {
		return out
	}
	out := read()
	if *known == nil {
		*known = map[string]T{}
	}
	if len(*known) < mostKept {
		(*known)[text] = out
	}
	return out
}

// resultText returns the text of a result.
func (k *repeated) resultText(v jsonval.Value) string {
	if v.Kind() != jsonval.String {
		return shape.ContentText(v)
	}
	return remember(&k.results, v.Raw(), v.Text)
}

// observation is shape.NewObservation.
func (k *repeated) observation(text string, f shape.Flag) trajectory.Observation {
	if f != shape.Unsaid {
		return shape.NewObservation(text, f)
	}
	fails := remember(&k.failures, text, func() bool { return failure.Says(text) })
	return trajectory.Observation{Text: text, Error: fails}
}
