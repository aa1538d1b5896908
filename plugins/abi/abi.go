// Package abi is the plugin contract of ABI.md as Go names: exports,
// operations, limits and the JSON messages that hosts and guests exchange.
package abi

import (
	"encoding/json"
	"fmt"
	"slices"
)

// Version is the result of the export boundcheck_abi. It changes only when an older
// host cannot use a newer plugin any more.
const Version = 1

// Names of the exports that every plugin has.
const (
	ExportMemory  = "memory"
	ExportInit    = "_initialize"
	ExportVersion = "boundcheck_abi"
	ExportAlloc   = "alloc"
	ExportInvoke  = "invoke"
)

// Names of the exports of a module that holds several plugins. ExportPlugins returns
// their number. ExportSelect chooses by index, from 0, the plugin that answers until
// the next choice.
const (
	ExportPlugins = "boundcheck_plugins"
	ExportSelect  = "boundcheck_select"
)

// Names of the operations. A plugin must implement describe, and may implement any of the
// others. A host calls only operations that the plugin's description lists.
const (
	OpDescribe         = "describe"
	OpPromptRender     = "prompt.render"
	OpEnvironmentLoad  = "env.load"
	OpStateReplay      = "state.replay"
	OpEquivalenceCheck = "equivalence.check"
	OpToolsClassify    = "tools.classify"
	OpTraceDecode      = "trace.decode"
	OpGoldAudit        = "gold.audit"
)

// MaxMessage is the largest size in bytes of a request or answer. Each side may set a
// lower limit.
const MaxMessage = 64 << 20

// Error codes that every plugin may use in its answers. A plugin may also have codes of
// its own.
const (
	CodeInvalidRequest   = "invalid-request"
	CodeUnknownOperation = "unknown-operation"
	CodeInternal         = "internal"
	CodeFailed           = "failed"

	// CodeUnknownBenchmark: the request names a benchmark that the plugin does not
	// know.
	CodeUnknownBenchmark = "unknown-benchmark"

	// CodeUnknownEnvironment: the request names an environment that this
	// instance was not given.
	CodeUnknownEnvironment = "unknown-environment"
)

// Answer is the envelope of every answer. Exactly one of OK and Error is set.
type Answer struct {
	OK    json.RawMessage `json:"ok,omitempty"`
	Error *Error          `json:"error,omitempty"`
}

// Error is a plugin's answer to a request that it cannot carry out. Code is kebab-case
// and stable; Message is for people.
type Error struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// Error returns the message without the code.
func (e *Error) Error() string { return e.Message }

// Request is the part that all requests share.
type Request struct {
	Op string `json:"op"`
}

// Description is the answer to describe: who the plugin is and what it does.
type Description struct {
	ABI        int        `json:"abi"`
	Name       string     `json:"name"`
	Version    string     `json:"version"`
	Summary    string     `json:"summary"`
	Operations []string   `json:"operations"`
	Templates  []Template `json:"templates,omitempty"`

	// What a checker is for, and the files that it needs.
	Benchmarks  []Benchmark       `json:"benchmarks,omitempty"`
	Environment *EnvironmentFiles `json:"environment,omitempty"`

	// groups of names that have the same meaning if the arguments are equal
	Aliases      [][]string    `json:"aliases,omitempty"`      // groups of names that mean the same with the same arguments
	Compositions []Composition `json:"compositions,omitempty"` // actions that consist of other actions
}

// Composition says that one action is the same as at least two others together, in this
// order.
type Composition struct {
	Whole string   `json:"whole"`
	Parts []string `json:"parts"`
}

// CheckNames returns an error if the aliases or compositions are invalid.
func (d *Description) CheckNames() error {
	for i, group := range d.Aliases {
		if len(group) < 2 || slices.Contains(group, "") {
			return fmt.Errorf("invalid entry %d of aliases: want two or more names, and no empty name", i+1)
		}
	}
	for i, c := range d.Compositions {
		if c.Whole == "" || len(c.Parts) < 2 || slices.Contains(c.Parts, "") {
			return fmt.Errorf("invalid entry %d of compositions: want a whole and two or more parts, and no empty name", i+1)
		}
	}
	return nil
}

// Template describes one prompt template. Tokens is its length without optional
// variables.
type Template struct {
	ID        string     `json:"id"`
	Version   string     `json:"version"`
	Summary   string     `json:"summary"`
	Variables []Variable `json:"variables"`
	Tokens    Tokens     `json:"tokens"`
}

// Variable is one input of a template.
type Variable struct {
	Name     string `json:"name"`
	Kind     Kind   `json:"kind"`
	Required bool   `json:"required"`
	Summary  string `json:"summary"`
}

// Kind is the kind of JSON value that a variable takes.
type Kind string

// The kinds of version 1.
const (
	KindText  Kind = "text"  // a string
	KindTexts Kind = "texts" // an array of strings
	KindTools Kind = "tools" // tool definitions: OpenAI, MCP tools/list, or plain
)

// Tokens is an estimate of how many tokens a text costs a model. Method says how the
// estimate was made. The number is never exact, because no model is named.
type Tokens struct {
	About  int    `json:"about"`
	Method string `json:"method"`
}

// RenderRequest asks for prompt.render.
type RenderRequest struct {
	Op        string                     `json:"op"`
	Template  string                     `json:"template"`
	Variables map[string]json.RawMessage `json:"variables,omitempty"`
}

// Rendered is the answer to prompt.render: the text, ready to be placed in a
// system prompt, and what it costs.
type Rendered struct {
	Template string `json:"template"`
	Version  string `json:"version"`
	Tokens   Tokens `json:"tokens"`
	Text     string `json:"text"`
}
