package host

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/plugins/abi"
)

// trial is one request that can be sent to every plugin, and the answer that is expected.
type trial struct {
	name    string
	request []byte
	want    func(*said) error // nil: any one envelope
	roomy   bool              // the request is so large that a guest may refuse it for lack of memory
}

// said is a plugin's answer to one request. err is an error of the host or of the plugin.
type said struct {
	plugin   *Plugin
	answer   []byte
	ok       json.RawMessage
	err      error
	refusal  *abi.Error
	describe []byte // the plugin's answer to a bare describe
}

const describeRequest = `{"op":"describe"}`

// bulk is the largest size of a request.
const bulk = abi.MaxMessage

// conformanceTrials returns the conformance cases that every plugin must pass. They
// depend on the operations and templates in the plugin's description.
func conformanceTrials(d *abi.Description) []trial {
	all := []trial{
		{name: "describe", request: []byte(describeRequest), want: sameDescription},
		{name: "describe again", request: []byte(describeRequest), want: sameDescription},
		{name: "unknown member", request: []byte(`{"later":[{"op":1}],"op":"describe"}`), want: sameDescription},
		{name: "unknown operation", request: []byte(`{"op":"no-such-operation"}`), want: refusalCheck(abi.CodeUnknownOperation)},
		{name: "no operation", request: []byte(`{}`), want: refusalCheck(abi.CodeUnknownOperation, abi.CodeInvalidRequest)},
		{name: "operation of the wrong type", request: []byte(`{"op":7}`), want: refusalCheck(abi.CodeInvalidRequest)},
		{name: "empty request", request: []byte(" "), want: refusalCheck(abi.CodeInvalidRequest)},
		{name: "request cut off", request: []byte(`{"op":"describe"`), want: refusalCheck(abi.CodeInvalidRequest)},
		{name: "request not an object", request: []byte(`["describe"]`), want: refusalCheck(abi.CodeInvalidRequest)},
		{name: "request not JSON", request: []byte("certainly! describe"), want: refusalCheck(abi.CodeInvalidRequest)},
		{name: "request not UTF-8", request: []byte("{\"op\":\"describe\",\"x\":\"\xff\"}"), want: refusalCheck(abi.CodeInvalidRequest)},
		{name: "unexpected attachments", request: []byte(describeRequest + "\x00file"), want: refusalCheck(abi.CodeInvalidRequest)},
		{name: "request of 1 MiB", request: paddedRequest(1 << 20), want: sameDescription},
		{name: "junk of 64 MiB", request: bytes.Repeat([]byte("x"), bulk), want: refusalCheck(abi.CodeInvalidRequest), roomy: true},
		{name: "describe after the bad requests", request: []byte(describeRequest), want: sameDescription},
	}
	for _, op := range operations {
		if !slices.Contains(d.Operations, op) {
			all = append(all, trial{name: op + ", an operation that the plugin does not offer", request: newRequest(op, nil), want: refusalCheck(abi.CodeUnknownOperation)})
		}
	}
	for _, op := range d.Operations {
		all = append(all, ofOperation(op)...)
	}
	for _, t := range d.Templates {
		all = append(all, ofTemplate(t)...)
	}
	return all
}

// ofOperation returns the trials for one operation: a request without members, and
// requests with invalid members.
func ofOperation(op string) []trial {
	if op == abi.OpDescribe {
		return nil
	}
	all := []trial{{name: op + " with no members", request: newRequest(op, nil)}}
	switch op {
	case abi.OpPromptRender:
		all = append(all,
			trial{name: op + " of an unknown template", request: newRequest(op, map[string]any{"template": "no such template"}), want: refusalCheck()},
			trial{name: op + " with members of the wrong type", request: newRequest(op, map[string]any{"template": 1, "variables": "x"}), want: refusalCheck(abi.CodeInvalidRequest)})
	case abi.OpEnvironmentLoad:
		missing := []abi.Attachment{{Name: "a.json", Length: 9}}
		all = append(all, trial{name: op + " without the listed files", want: refusalCheck(),
			request: append(newRequest(op, map[string]any{"environment": "e", "attachments": missing}), 0)})
	case abi.OpToolsClassify:
		all = append(all,
			trial{name: op + " of no tools", request: newRequest(op, map[string]any{"tools": []any{}}), want: checkNoTools},
			trial{name: op + " with members of the wrong type", request: newRequest(op, map[string]any{"tools": 1}), want: refusalCheck(abi.CodeInvalidRequest)})
	case abi.OpTraceDecode:
		all = append(all,
			trial{name: op + " of unknown data", request: abi.Decode("x", []byte("\x00\x01 certainly")), want: refusalCheck(abi.CodeUnknownFormat)},
			trial{name: op + " without the listed file", request: append(newRequest(op, map[string]any{"attachments": []abi.Attachment{{Name: "x", Length: 9}}}), 0),
				want: refusalCheck(abi.CodeInvalidRequest)})
	case abi.OpGoldAudit:
		all = append(all,
			trial{name: op + " in an unknown environment", want: refusalCheck(abi.CodeUnknownEnvironment),
				request: newRequest(op, map[string]any{"environment": "no such environment", "actions": []any{}})},
			trial{name: op + " with members of the wrong type", request: newRequest(op, map[string]any{"actions": 1}), want: refusalCheck(abi.CodeInvalidRequest)})
	case abi.OpStateReplay, abi.OpEquivalenceCheck:
		all = append(all,
			trial{name: op + " in an unknown environment", want: refusalCheck(abi.CodeUnknownEnvironment),
				request: newRequest(op, map[string]any{"environment": "no such environment", "observed": []any{}, "reference": []any{}, "alignment": []any{}})},
			trial{name: op + " with members of the wrong type", request: newRequest(op, map[string]any{"observed": 1}), want: refusalCheck(abi.CodeInvalidRequest)})
	}
	return all
}

// ofTemplate returns the trials for one template: a request with an unknown variable,
// and a request without variables.
func ofTemplate(t abi.Template) []trial {
	op := abi.OpPromptRender
	all := []trial{{name: "template " + t.ID + " with an unknown variable", want: refusalCheck(),
		request: newRequest(op, map[string]any{"template": t.ID, "variables": map[string]any{"no such variable": "x"}})}}
	if slices.ContainsFunc(t.Variables, func(v abi.Variable) bool { return v.Required }) {
		return append(all, trial{name: "template " + t.ID + " without its required variables", request: newRequest(op, map[string]any{"template": t.ID}), want: refusalCheck()})
	}
	return append(all, trial{name: "template " + t.ID, request: newRequest(op, map[string]any{"template": t.ID}), want: renderingCheck(t)})
}

// newRequest returns a request with these members. op is its first member, as in the
// requests of hosts.
func newRequest(op string, members map[string]any) []byte {
	head, err := json.Marshal(abi.Request{Op: op})
	if err == nil && len(members) > 0 {
		var rest []byte
		rest, err = json.Marshal(members)
		head = append(append(head[:len(head)-1], ','), rest[1:]...)
	}
	if err != nil { // strings and numbers can always be encoded
		panic(err)
	}
	return head
}

func paddedRequest(n int) []byte {
	return newRequest(abi.OpDescribe, map[string]any{"padding": strings.Repeat("x", n)})
}

func sameDescription(s *said) error {
	if s.err != nil {
		return s.err
	}
	if !bytes.Equal(s.answer, s.describe) {
		return newError(s.plugin.name, InvalidAnswer, "the answer to describe differs from the first answer: %s", answerExcerpt(s.answer))
	}
	return nil
}

// refusalCheck returns a function that checks that a plugin refused a request with one of
// the given error codes. If no codes are given, every code is allowed.
func refusalCheck(codes ...string) func(*said) error {
	return func(s *said) error {
		switch {
		case s.err != nil && s.refusal == nil:
			return s.err
		case s.refusal == nil:
			return newError(s.plugin.name, InvalidAnswer, "accepts a bad request: %s", answerExcerpt(s.answer))
		case len(codes) > 0 && !slices.Contains(codes, s.refusal.Code):
			return newError(s.plugin.name, InvalidAnswer, "the plugin refused the request with code %q; the code must be %s", s.refusal.Code, strings.Join(codes, " or "))
		}
		return nil
	}
}

// checkNoTools checks that the answer is {"tools":[]}.
func checkNoTools(s *said) error {
	if s.err == nil && string(s.ok) != `{"tools":[]}` {
		return newError(s.plugin.name, InvalidAnswer, `the plugin answered %s to a request without tools; the answer must be {"tools":[]}`, answerExcerpt(s.answer))
	}
	return s.err
}

// renderingCheck returns a function that checks a plugin's answer for the template t. The
// answer must be a text with the version and the token estimate that t declares.
func renderingCheck(t abi.Template) func(*said) error {
	return func(s *said) error {
		var r abi.Rendered
		if s.err != nil {
			return s.err
		}
		if err := json.Unmarshal(s.ok, &r); err != nil {
			return newError(s.plugin.name, InvalidAnswer, "invalid answer: %v", err)
		}
		if r.Template != t.ID || r.Version != t.Version || r.Tokens != t.Tokens || r.Text == "" || strings.HasSuffix(r.Text, "\n") {
			return newError(s.plugin.name, InvalidAnswer, "the plugin rendered template %q version %s with %d tokens and %d bytes of text. The declared template is %q version %s with %d tokens, and the text must not be empty or end with a line break",
				r.Template, r.Version, r.Tokens.About, len(r.Text), t.ID, t.Version, t.Tokens.About)
		}
		return nil
	}
}

func answerExcerpt(b []byte) string {
	const most = 120
	return strings.ToValidUTF8(string(b[:min(len(b), most)]), "?")
}

// runTrials runs all trials on two plugins and returns the results. The second plugin
// runs the trials in reverse order. If the two plugins give different answers, a plugin's
// answers depend on earlier calls, and the result reports this.
func runTrials(ctx context.Context, p, other *Plugin) (all []Verified) {
	ts := conformanceTrials(&p.Description)
	describe, _ := p.Raw(ctx, []byte(describeRequest))
	answers := make([][]byte, len(ts))
	for i, t := range ts {
		s := p.callAndSplit(ctx, t.request)
		s.describe, answers[i] = describe, s.answer
		all = append(all, t.verifyAnswer(s))
	}
	return append(all, compareAnswers(ctx, other, ts, answers))
}

// callAndSplit makes one call and splits the answer into its result and its error.
func (p *Plugin) callAndSplit(ctx context.Context, request []byte) *said {
	s := &said{plugin: p}
	if s.answer, s.err = p.Raw(ctx, request); s.err != nil {
		return s
	}
	s.ok, s.err = p.openAnswer(s.answer)
	if e, is := s.err.(*Error); is {
		s.refusal, _ = e.Err.(*abi.Error)
	}
	return s
}

func (t *trial) verifyAnswer(s *said) Verified {
	v := Verified{Name: t.name}
	var own *Error
	if e, is := s.err.(*Error); is {
		own = e
	}
	switch {
	case t.roomy && own != nil && own.Code == RequestTooLarge:
		v.Note = "the request is too large, and the plugin reported this correctly"
		return v
	case s.refusal != nil:
		v.Note = s.refusal.Code
		v.Err = s.wellSaid()
	case s.err != nil:
		v.Err = s.err
	default:
		v.Note = fmt.Sprintf("%d bytes", len(s.answer))
	}
	if v.Err == nil && t.want != nil {
		v.Err = t.want(s)
	}
	return v
}

// wellSaid checks the form of an error that a plugin returned. The code must be in
// kebab-case and must not be "internal". The message must be one line.
func (s *said) wellSaid() error {
	r := s.refusal
	if !kebab().MatchString(r.Code) || r.Message == "" || strings.ContainsAny(r.Message, "\r\n") {
		return newError(s.plugin.name, InvalidAnswer, "invalid error with code %q and message %q: the code must be kebab-case, and the message must be one line", r.Code, r.Message)
	}
	if r.Code == abi.CodeInternal {
		return newError(s.plugin.name, InvalidAnswer, "a bug in the plugin: %s", r.Message)
	}
	return nil
}

func compareAnswers(ctx context.Context, other *Plugin, ts []trial, answers [][]byte) Verified {
	v := Verified{Name: "a second instance gives the same answers to the requests in reverse order"}
	n := 0
	for i := len(ts) - 1; i >= 0; i-- {
		if answers[i] == nil || ts[i].roomy { // the trial failed, which is reported already, or it takes a second
			continue
		}
		n++
		got, err := other.Raw(ctx, ts[i].request)
		if err == nil && !bytes.Equal(got, answers[i]) {
			err = newError(other.name, InvalidAnswer, "%s: answers %s, but earlier %s", ts[i].name, answerExcerpt(got), answerExcerpt(answers[i]))
		}
		if err != nil {
			v.Err = err
			return v
		}
	}
	v.Note = fmt.Sprintf("%d answers", n)
	return v
}
