package trajectory

import (
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/failure"
)

// flag says if a call failed, as the format records it. It is unsaid if the format
// has no such member, or if the member is absent.
type flag uint8

const (
	unsaid flag = iota
	fine
	failed
)

// newObservation returns an observation with the given text. Its Error is true if f is
// failed. It is also true if f is unsaid and the text describes an error.
// newObservation is not inlined, to keep the wasm module small.
//
//go:noinline
func newObservation(text string, f flag) Observation {
	return Observation{Text: text, Error: f == failed || f == unsaid && failure.Says(text)}
}

// errorFlag returns failed if v is true or any other value that is not empty, such as an
// error message. It returns fine if v is false, and unsaid if v is missing, null or
// empty.
func errorFlag(v jsonval.Value) flag {
	if b, ok := v.Bool(); ok {
		return ifElse(b, failed, fine)
	}
	if v.Exists() && v.Kind() != jsonval.Null && v.Text() != "" {
		return failed
	}
	return unsaid
}

// successFlag returns fine if v is true, failed if v is false, and unsaid for any other
// value.
func successFlag(v jsonval.Value) flag {
	b, ok := v.Bool()
	return ifElse(!ok, unsaid, ifElse(b, fine, failed))
}

// statusFlag returns the flag for a word that describes the status of a call, such as
// "completed" (fine) or "timeout" (failed). It returns unsaid for an unknown word.
func statusFlag(v jsonval.Value) flag { return wordState(v.Text()).flag }

// exitFlag returns fine if v is the exit code 0, failed for any other exit code, and
// unsaid if v is not an integer.
func exitFlag(v jsonval.Value) flag {
	n, ok := v.Int()
	return ifElse(!ok, unsaid, ifElse(n == 0, fine, failed))
}

// strictestFlag returns the strictest of the given flags, in the order unsaid < fine <
// failed. Without any flags it returns unsaid.
func strictestFlag(flags ...flag) flag {
	out := unsaid
	for _, f := range flags {
		out = max(out, f)
	}
	return out
}

func ifElse[T any](condition bool, yes, no T) T {
	if condition {
		return yes
	}
	return no
}
