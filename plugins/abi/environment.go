package abi

import (
	"encoding/json"
	"fmt"
)

// EnvironmentFiles says which of the user's files a plugin wants to be given by
// env.load.
type EnvironmentFiles struct {
	Summary string   `json:"summary"`
	Names   []string `json:"names"` // of files, whatever directory they lie in
}

// LoadRequest asks for env.load. The request's JSON is followed by a zero byte
// and the files' bytes, one after another, in this order and of these lengths.
type LoadRequest struct {
	Op          string       `json:"op"`
	Environment string       `json:"environment"` // the name that later requests use
	Attachments []Attachment `json:"attachments"`
}

// Attachment says which bytes follow a request.
type Attachment struct {
	Name   string `json:"name"` // a path with slashes, relative to what the user gave
	Length int    `json:"length"`
}

// Loaded is the answer to env.load.
type Loaded struct {
	Environment string   `json:"environment"`
	Summary     []string `json:"summary"` // what was found, a line each
}

// File is one file for env.load.
type File struct {
	Name string
	Data []byte
}

// Load makes the request of env.load: the header, a zero byte, and the files.
func Load(environment string, files []File) []byte {
	r := LoadRequest{Op: OpEnvironmentLoad, Environment: environment, Attachments: []Attachment{}}
	size := 0
	for _, f := range files {
		r.Attachments = append(r.Attachments, Attachment{Name: f.Name, Length: len(f.Data)})
		size += len(f.Data)
	}
	head, err := json.Marshal(r)
	if err != nil { // names and lengths always encode
		panic(err)
	}
	out := make([]byte, 0, len(head)+1+size)
	out = append(append(out, head...), 0)
	for _, f := range files {
		out = append(out, f.Data...)
	}
	return out
}

// Attached takes the attachments apart; the files' data share b. An error says
// which length is not kept.
func (r *LoadRequest) Attached(b []byte) ([]File, error) {
	out := make([]File, len(r.Attachments))
	for i, a := range r.Attachments {
		if a.Length < 0 || a.Length > len(b) {
			return nil, fmt.Errorf("attachment %d (%s): %d bytes announced, %d there", i, a.Name, a.Length, len(b))
		}
		out[i], b = File{Name: a.Name, Data: b[:a.Length:a.Length]}, b[a.Length:]
	}
	if len(b) > 0 {
		return nil, fmt.Errorf("%d bytes after the last attachment", len(b))
	}
	return out, nil
}
