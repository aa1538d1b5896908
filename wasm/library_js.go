//go:build library

package main

import "github.com/boundcheck/boundcheck/internal/library"

// door answers a request of the npm package.
func door(method string, body []byte) (answer []byte, ok bool) { return library.Handle(method, body) }

// prepare converts the body of a score to what package wire reads.
func prepare(body []byte) ([]byte, error) { return library.FromYAML(body) }
