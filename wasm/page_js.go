//go:build !library

package main

import (
	"github.com/boundcheck/boundcheck/core/compare"
	"github.com/boundcheck/boundcheck/core/wire"
)

// door answers a request of the page: a method of package wire, or compare, which the
// Worker does not have.
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

// prepare converts the body of a score to what package wire reads.
func prepare(body []byte) ([]byte, error) { return body, nil }
