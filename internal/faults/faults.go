// Package faults makes the scoring of chosen runs panic. Only tests import it: they check
// that a bug in the scoring of one run loses no other run, at every door.
package faults

import (
	_ "unsafe" // for go:linkname

	_ "github.com/boundcheck/boundcheck/core" // has onRun
)

// onRun is the variable of package core that has the same name.
//
//go:linkname onRun github.com/boundcheck/boundcheck/core/score.onRun
var onRun func(id string)

// Cause makes the scoring of every run panic whose id satisfies broken, until the returned
// function is called. Tests that run at the same time must not call it.
func Cause(broken func(id string) bool) (end func()) {
	onRun = func(id string) {
		if broken(id) {
			panic("a bug in run " + id)
		}
	}
	return func() { onRun = nil }
}
