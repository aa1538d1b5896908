//go:build !library

package main

import "github.com/boundcheck/boundcheck/core/wire"

// door answers what the page asks.
func door(method string, body []byte) (answer []byte, ok bool) { return wire.Handle(method, body) }

// prepare makes of a score's body what package wire reads.
func prepare(body []byte) ([]byte, error) { return body, nil }
