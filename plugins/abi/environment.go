package abi

import (
	"encoding/json"
	"fmt"
)

// EnvironmentFiles says which of the user's files a plugin needs in env.load.
type EnvironmentFiles struct {
	Summary string   `json:"summary"`
	Names   []string `json:"names"` // names of files, which may be in any directory
}

// LoadRequest is a request for env.load. After its JSON come a zero byte and the bytes of
// the files, in the order and with the lengths of Attachments.
type LoadRequest struct {
	Op          string       `json:"op"`
	Environment string       `json:"environment"` // the name that later requests use
	Attachments []Attachment `json:"attachments"`
}

// Attachment describes one file whose bytes follow a request.
type Attachment struct {
	Name   string `json:"name"` // a path with slashes, relative to what the user gave
	Length int    `json:"length"`
}

// Loaded is the answer to env.load.
type Loaded struct {
	Environment string   `json:"environment"`
	Summary     []string `json:"summary"` // one line for each thing that was found
}

// File is one file for env.load.
type File struct {
	Name string
	Data []byte
}

// Load returns a request for env.load. The request consists of a JSON header, a zero
// byte, and the bytes of the files.
func Load(environment string, files []File) []byte {
	return attachFiles(func(a []Attachment) any { return LoadRequest{OpEnvironmentLoad, environment, a} }, files)
}

// attachFiles returns a request with files: the JSON of a value, a zero byte, and the
// bytes of the files. The function request makes this value from a description of each
// file.
func attachFiles(request func([]Attachment) any, files []File) []byte {
	all, size := make([]Attachment, 0, len(files)), 0
	for _, f := range files {
		all = append(all, Attachment{Name: f.Name, Length: len(f.Data)})
		size += len(f.Data)
	}
	head, err := json.Marshal(request(all))
	if err != nil { // names and lengths can always be encoded
		panic(err)
	}
	out := make([]byte, 0, len(head)+1+size)
	out = append(append(out, head...), 0)
	for _, f := range files {
		out = append(out, f.Data...)
	}
	return out
}

// Attached returns the files of the request r. b contains the bytes after the request's
// zero byte, and the files share these bytes. Attached returns an error if b does not
// have exactly as many bytes as r says.
func (r *LoadRequest) Attached(b []byte) ([]File, error) { return Files(r.Attachments, b) }

// Files splits b into the files that the attachments describe. b contains the bytes after
// a request's zero byte, and the files share these bytes. Files returns an error if b
// does not have exactly as many bytes as the attachments say.
func Files(attachments []Attachment, b []byte) ([]File, error) {
	out := make([]File, len(attachments))
	for i, a := range attachments {
		if a.Length < 0 || a.Length > len(b) {
			return nil, fmt.Errorf("attachment %d (%s) should have %d bytes, but only %d bytes follow", i, a.Name, a.Length, len(b))
		}
		out[i], b = File{Name: a.Name, Data: b[:a.Length:a.Length]}, b[a.Length:]
	}
	if len(b) > 0 {
		return nil, fmt.Errorf("there are %d extra bytes after the last attachment", len(b))
	}
	return out, nil
}
