//go:build library

package main

import "github.com/boundcheck/boundcheck/internal/library"

// answerMethod calls a method of the npm package and returns its answer. The result ok is
// false if the answer is an error envelope.
func answerMethod(method string, body []byte) (answer []byte, ok bool) {
	return library.Handle(method, body)
}

// prepareScore converts the body of a score call to JSON. The body may contain YAML.
func prepareScore(body []byte) ([]byte, error) { return library.FromYAML(body) }
