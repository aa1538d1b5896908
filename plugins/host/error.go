package host

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/boundcheck/boundcheck/plugins/abi"
)

// Code is a stable word for what is wrong with a plugin.
type Code string

// What the host itself finds wrong. A plugin's own refusals carry the
// plugin's code and unwrap to *abi.Error.
const (
	NotFound         Code = "not-found"          // no such plugin where it was looked for
	BuildFailed      Code = "build-failed"       // its source did not build
	TooLarge         Code = "module-too-large"   // over Limits.ModuleBytes, or too much in it to compile
	HashMismatch     Code = "hash-mismatch"      // not the bytes that were pinned
	InvalidModule    Code = "invalid-module"     // not WebAssembly
	ImportNotGranted Code = "import-not-granted" // wants something from the host that it does not get
	MissingExport    Code = "missing-export"     // an export is absent or has another type
	WrongVersion     Code = "abi-version"        // speaks another ABI
	VersionRange     Code = "version-range"      // not of the versions that Manifest.Accepts takes
	WrongName        Code = "wrong-name"         // describes itself as another plugin
	NotDescribed     Code = "op-not-described"   // asked for what it does not offer
	RequestTooLarge  Code = "request-too-large"  // over Limits.RequestBytes, or the guest gave no room
	AnswerTooLarge   Code = "answer-too-large"   // over Limits.AnswerBytes
	OutOfRange       Code = "out-of-range"       // a pointer outside the guest's memory
	InvalidAnswer    Code = "invalid-answer"     // not one JSON envelope
	Deadline         Code = "deadline"           // ran longer than Limits.Deadline, or took Limits.Compile to compile
	OverBudget       Code = "over-budget"        // all plugins together have used their Budget
	Canceled         Code = "canceled"           // the caller gave up
	OutOfMemory      Code = "memory-limit"       // wanted more than Limits.MemoryPages
	Trap             Code = "trap"               // crashed: trap, exit, stack overflow
	Internal         Code = "internal"           // our bug
)

// Error is a failure of a plugin: its name, the kind of failure, and the reason in
// words.
type Error struct {
	Plugin string
	Code   Code
	Msg    string
	Err    error // the cause, where there is one
}

// Error returns `plugin "name": why (code)`.
func (e *Error) Error() string { return fmt.Sprintf("plugin %q: %s (%s)", e.Plugin, e.Msg, e.Code) }

// Unwrap returns the cause. It is an *abi.Error if the plugin itself refused.
func (e *Error) Unwrap() error { return e.Err }

func failure(plugin string, c Code, format string, args ...any) *Error {
	return &Error{Plugin: plugin, Code: c, Msg: visible(fmt.Sprintf(format, args...), c == BuildFailed)}
}

// visible spells out what would not print: a plugin must not be able to write to a
// terminal. What the Go toolchain says has several lines.
func visible(s string, lines bool) string {
	var b strings.Builder
	for _, r := range s {
		if unicode.IsPrint(r) || lines && (r == '\n' || r == '\t') {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "\\u{%X}", r)
		}
	}
	return b.String()
}

// refusal is the plugin's own "no", said in its envelope.
func refusal(plugin string, e *abi.Error) *Error {
	return &Error{Plugin: plugin, Code: Code(e.Code), Msg: visible(e.Message, false), Err: e}
}
