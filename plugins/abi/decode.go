package abi

import (
	"encoding/json"
	"errors"
)

// DecodeRequest is a request for trace.decode. The file is the request's one
// attachment.
type DecodeRequest struct {
	Op          string       `json:"op"`
	Attachments []Attachment `json:"attachments"`
}

// Decoded is the answer to trace.decode: the runs of a file, in a format that every
// host reads.
type Decoded struct {
	Format string          `json:"format"` // the plugin's name for what it read, kebab-case
	Trace  json.RawMessage `json:"trace"`  // a list of calls, or {"trajectories": [...]}; see ABI.md
	Notes  []string        `json:"notes,omitempty"`
}

// CodeUnknownFormat is the error code for a file in a format that a plugin does not
// know.
const CodeUnknownFormat = "unknown-format"

// Decode returns the trace.decode request for a file with this name and content.
func Decode(name string, data []byte) []byte {
	return attachFiles(func(a []Attachment) any { return DecodeRequest{OpTraceDecode, a} }, []File{{name, data}})
}

// Check returns an error if the format is missing, or if the trace is neither a list nor
// an object. A host cannot use such an answer.
func (d *Decoded) Check() error {
	if d.Format == "" {
		return errors.New("missing format")
	}
	if len(d.Trace) == 0 || d.Trace[0] != '[' && d.Trace[0] != '{' {
		return errors.New("missing trace")
	}
	return nil
}
