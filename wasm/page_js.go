//go:build !library

package main

import (
	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/reading"
	"github.com/boundcheck/boundcheck/core/study/causes"
	"github.com/boundcheck/boundcheck/core/study/compare"
	"github.com/boundcheck/boundcheck/core/study/fork"
	"github.com/boundcheck/boundcheck/core/wire"
	"github.com/boundcheck/boundcheck/internal/export"
	"github.com/boundcheck/boundcheck/internal/words"
)

const readRuns = 10 // the runs of a file that the answer of read lists

// answerMethod calls a method of the page and returns its answer. The page has the
// methods of package wire and also causes, compare, consensus, export, fork and read. The result ok is false
// if the answer is an error envelope.
func answerMethod(method string, body []byte) (answer []byte, ok bool) {
	switch method {
	case "causes":
		return wire.Guard(method, groupCauses, body)
	case "compare":
		return wire.Guard(method, compareReports, body)
	case "consensus":
		return wire.Guard(method, compareTrials, body)
	case "export":
		return wire.Guard(method, export.Answer, body)
	case "fork":
		return wire.Guard(method, alignRuns, body)
	case "read":
		return wire.Guard(method, readTraces, body)
	}
	return wire.Handle(method, body)
}

func groupCauses(body []byte) (any, error) { return causes.Read(body) }

func compareReports(body []byte) (any, error) { return compare.Read(body) }

func alignRuns(body []byte) (any, error) { return fork.Read(body) }

func compareTrials(body []byte) (any, error) { return compare.ReadTrials(body) }

// understood is what boundcheck read prints about a file.
type understood struct {
	File  string       `json:"file"`
	Lines []words.Line `json:"lines"`
}

// readTraces says what was understood of the traces of a request. Each is read as the command
// reads a file: it may be a request itself.
func readTraces(body []byte) (any, error) {
	r, err := core.ReadRequest(body)
	if err != nil {
		return nil, err
	}
	files := []understood{}
	for i := range r.Inputs {
		for _, f := range readTrace(&r, &r.Inputs[i]) {
			files = append(files, understood{f.Name, words.Reading(&f, readRuns, "boundcheck read prints all")})
		}
	}
	return files, nil
}

func readTrace(r *core.Request, in *core.Source) []reading.File {
	own, err := core.ReadRequest(in.Data)
	if err != nil {
		return []reading.File{reading.Refused(in.Name, len(in.Data), err)}
	}
	if own.Options.Config == nil {
		own.Options.Config = r.Options.Config
	}
	return reading.All(in.Name, &own)
}

// prepareScore returns the body of a score call unchanged, because the page converts YAML
// before the call.
func prepareScore(body []byte) ([]byte, error) { return body, nil }
