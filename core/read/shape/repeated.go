package shape

import (
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/failure"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// Repeated keeps what was read from texts that the runs of a file often repeat: the results of
// equal calls, and system messages. The zero value is empty.
type Repeated struct {
	contents map[string]string // by the raw text of a string: its content
	failures map[string]bool   // by the text of a result: whether it says that the call failed
}

// Texts shorter than shortestKept are read again in less time than a lookup takes. Of each
// sort, at most mostKept are kept, so that a file whose texts all differ costs little.
const (
	shortestKept = 48
	mostKept     = 1 << 12
)

// readOnce returns what read makes of a text, or what it made of it before.
func readOnce[T any](known *map[string]T, text string, read func() T) T {
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

// Text is ContentText.
func (k *Repeated) Text(v jsonval.Value) string {
	if v.Kind() != jsonval.String {
		return ContentText(v)
	}
	return readOnce(&k.contents, v.Raw(), v.Text)
}

// Observe is NewObservation.
func (k *Repeated) Observe(text string, f Flag) trajectory.Observation {
	if f != Unsaid {
		return NewObservation(text, f)
	}
	fails := readOnce(&k.failures, text, func() bool { return failure.Says(text) })
	return trajectory.Observation{Text: text, Error: fails, Read: fails}
}
