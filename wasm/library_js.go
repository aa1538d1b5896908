//go:build library

package main

import "github.com/boundcheck/boundcheck/internal/library"

// door answers what the npm package asks.
func door(method string, body []byte) (answer []byte, ok bool) { return library.Handle(method, body) }

// prepare makes of a score's body what package wire reads.
func prepare(body []byte) ([]byte, error) { return library.FromYAML(body) }
