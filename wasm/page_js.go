//go:build !library

package main

import (
	"github.com/boundcheck/boundcheck/core/compare"
	"github.com/boundcheck/boundcheck/core/wire"
	"github.com/boundcheck/boundcheck/internal/export"
)

// answerMethod calls a method of the page and returns its answer. The page has the
// methods of package wire and also compare, consensus and export. The result ok is false
// if the answer is an error envelope.
func answerMethod(method string, body []byte) (answer []byte, ok bool) {
	switch method {
	case "compare":
		return wire.Guard(method, compareReports, body)
	case "consensus":
		return wire.Guard(method, compareTrials, body)
	case "export":
		return wire.Guard(method, export.Answer, body)
	}
	return wire.Handle(method, body)
}

func compareReports(body []byte) (any, error) { return compare.Read(body) }

func compareTrials(body []byte) (any, error) { return compare.ReadTrials(body) }

// prepareScore returns the body of a score call unchanged, because the page converts YAML
// before the call.
func prepareScore(body []byte) ([]byte, error) { return body, nil }
