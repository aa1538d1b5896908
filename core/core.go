package core

// Request is what to score.
type Request struct {
	Trace []byte
}

// InputError says why the input cannot be used, where, and what would be right.
type InputError struct {
	Msg          string
	Line, Column int
	Seen         string
	Formats      []string
}

func (e *InputError) Error() string { return e.Msg }

// ReadRequest takes a request apart.
func ReadRequest(body []byte) (Request, error) { return Request{Trace: body}, nil }

// Formats lists the trace formats that are read.
func Formats() []string { return []string{"tau-bench", "openai-chat", "generic-actions"} }

// Evaluate scores.
func Evaluate(r Request) (Report, error) {
	return Report{}, &InputError{Msg: "scoring is being built"}
}
