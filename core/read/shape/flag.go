package shape

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/failure"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// Flag says if a call failed, as the format records it. It is unsaid if the format
// has no such member, or if the member is absent.
type Flag uint8

const (
	Unsaid Flag = iota // the format does not say
	Fine               // the call succeeded
	Failed             // the call failed
)

// NewObservation returns an observation with the given text. Its Error is true if f is
// failed. It is also true if f is unsaid and the text describes an error.
// NewObservation is not inlined, to keep the wasm module small.
//
//go:noinline
func NewObservation(text string, f Flag) trajectory.Observation {
	read := f == Unsaid && failure.Says(text)
	return trajectory.Observation{Text: text, Error: f == Failed || read, Read: read}
}

// ErrorFlag returns failed if v is true or any other value that is not empty, such as an
// error message. It returns fine if v is false, and unsaid if v is missing, null or
// empty.
func ErrorFlag(v jsonval.Value) Flag {
	if b, ok := v.Bool(); ok {
		return IfElse(b, Failed, Fine)
	}
	if v.Exists() && v.Kind() != jsonval.Null && v.Text() != "" {
		return Failed
	}
	return Unsaid
}

// SuccessFlag returns fine if v is true, failed if v is false, and unsaid for any other
// value. The words yes and no, and 1 and 0, count as these.
func SuccessFlag(v jsonval.Value) Flag {
	switch v.Kind() {
	case jsonval.Bool, jsonval.Number, jsonval.String:
		if text := v.Text(); len(text) < 6 {
			switch strings.ToLower(text) {
			case "true", "yes", "y", "1":
				return Fine
			case "false", "no", "n", "0":
				return Failed
			}
		}
	}
	return Unsaid
}

// StatusFlag returns the flag for a word that describes the status of a call, such as
// "completed" (fine) or "timeout" (failed). It returns unsaid for an unknown word.
func StatusFlag(v jsonval.Value) Flag { return WordState(v.Text()).Flag }

// ExitFlag returns fine if v is the exit code 0, failed for any other exit code, and
// unsaid if v is not an integer.
func ExitFlag(v jsonval.Value) Flag {
	n, ok := v.Int()
	return IfElse(!ok, Unsaid, IfElse(n == 0, Fine, Failed))
}

// StrictestFlag returns the strictest of the given flags, in the order unsaid < fine <
// failed. Without any flags it returns unsaid.
func StrictestFlag(flags ...Flag) Flag {
	out := Unsaid
	for _, f := range flags {
		out = max(out, f)
	}
	return out
}

// IfElse returns yes if the condition is true, and no otherwise. Both are evaluated.
func IfElse[T any](condition bool, yes, no T) T {
	if condition {
		return yes
	}
	return no
}
