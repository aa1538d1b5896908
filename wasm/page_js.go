//go:build !library

package main

import (
	"github.com/boundcheck/boundcheck/core/compare"
	"github.com/boundcheck/boundcheck/core/wire"
	"github.com/boundcheck/boundcheck/internal/export"
)

// door answers a request with the methods of the page. These are the methods of package
// wire, and compare, consensus and export, which the Worker does not have.
func door(method string, body []byte) (answer []byte, ok bool) {
	switch method {
	case "compare":
		return wire.Guard(method, compared, body)
	case "consensus":
		return wire.Guard(method, agreed, body)
	case "export":
		return wire.Guard(method, export.Answer, body)
	}
	return wire.Handle(method, body)
}

func compared(body []byte) (any, error) { return compare.Read(body) }

func agreed(body []byte) (any, error) { return compare.ReadTrials(body) }

// prepare returns the body of a score call unchanged, because the page converts YAML
// before the call.
func prepare(body []byte) ([]byte, error) { return body, nil }
