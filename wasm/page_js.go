//go:build !library

package main

import (
	"github.com/boundcheck/boundcheck/core/compare"
	"github.com/boundcheck/boundcheck/core/wire"
)

// door answers what the page asks: the methods of package wire, and compare, which the
// Worker does without.
func door(method string, body []byte) (answer []byte, ok bool) {
	if method != "compare" {
		return wire.Handle(method, body)
	}
	c, err := compare.Read(body)
	if err != nil {
		return wire.Fail(wire.CodeInput, err.Error()), false
	}
	return wire.Marshal(c), true
}

// prepare makes of a score's body what package wire reads.
func prepare(body []byte) ([]byte, error) { return body, nil }
