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

// trial is one request that every plugin can be asked, with the answer that is
// expected.
type trial struct {
	name    string
	request []byte
	want    func(*said) error // nil: any one envelope
	roomy   bool              // a guest may have no room for it
}

// said is a plugin's answer. err is an error of the host or of the plugin.
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

// trials returns the conformance cases that every plugin must pass. A request of zero
// bytes is not among them, because ABI.md has no such requests.
func trials(d *abi.Description) []trial {
	all := []trial{
		{name: "describe", request: []byte(describeRequest), want: sameDescription},
		{name: "describe again", request: []byte(describeRequest), want: sameDescription},
		{name: "unknown member", request: []byte(`{"later":[{"op":1}],"op":"describe"}`), want: sameDescription},
		{name: "unknown operation", request: []byte(`{"op":"no-such-operation"}`), want: refuses(abi.CodeUnknownOperation)},
		{name: "no operation", request: []byte(`{}`), want: refuses(abi.CodeUnknownOperation, abi.CodeInvalidRequest)},
		{name: "operation of the wrong type", request: []byte(`{"op":7}`), want: refuses(abi.CodeInvalidRequest)},
		{name: "empty request", request: []byte(" "), want: refuses(abi.CodeInvalidRequest)},
		{name: "request cut off", request: []byte(`{"op":"describe"`), want: refuses(abi.CodeInvalidRequest)},
		{name: "request not an object", request: []byte(`["describe"]`), want: refuses(abi.CodeInvalidRequest)},
		{name: "request not JSON", request: []byte("certainly! describe"), want: refuses(abi.CodeInvalidRequest)},
		{name: "request not UTF-8", request: []byte("{\"op\":\"describe\",\"x\":\"\xff\"}"), want: refuses(abi.CodeInvalidRequest)},
		{name: "unexpected attachments", request: []byte(describeRequest + "\x00file"), want: refuses(abi.CodeInvalidRequest)},
		{name: "request of 1 MiB", request: padded(1 << 20), want: sameDescription},
		{name: "junk of 64 MiB", request: bytes.Repeat([]byte("x"), bulk), want: refuses(abi.CodeInvalidRequest), roomy: true},
		{name: "describe after the bad requests", request: []byte(describeRequest), want: sameDescription},
	}
	for _, op := range operations {
		if !slices.Contains(d.Operations, op) {
			all = append(all, trial{name: op + ", which is not offered", request: request(op, nil), want: refuses(abi.CodeUnknownOperation)})
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
	all := []trial{{name: op + " with no members", request: request(op, nil)}}
	switch op {
	case abi.OpPromptRender:
		all = append(all,
			trial{name: op + " of an unknown template", request: request(op, map[string]any{"template": "no such template"}), want: refuses()},
			trial{name: op + " with members of the wrong type", request: request(op, map[string]any{"template": 1, "variables": "x"}), want: refuses(abi.CodeInvalidRequest)})
	case abi.OpEnvironmentLoad:
		missing := []abi.Attachment{{Name: "a.json", Length: 9}}
		all = append(all, trial{name: op + " without the files that it lists", want: refuses(),
			request: append(request(op, map[string]any{"environment": "e", "attachments": missing}), 0)})
	case abi.OpToolsClassify:
		all = append(all,
			trial{name: op + " of no tools", request: request(op, map[string]any{"tools": []any{}}), want: classifies},
			trial{name: op + " with members of the wrong type", request: request(op, map[string]any{"tools": 1}), want: refuses(abi.CodeInvalidRequest)})
	case abi.OpTraceDecode:
		all = append(all,
			trial{name: op + " of unknown data", request: abi.Decode("x", []byte("\x00\x01 certainly")), want: refuses(abi.CodeUnknownFormat)},
			trial{name: op + " without the file that it lists", request: append(request(op, map[string]any{"attachments": []abi.Attachment{{Name: "x", Length: 9}}}), 0),
				want: refuses(abi.CodeInvalidRequest)})
	case abi.OpGoldAudit:
		all = append(all,
			trial{name: op + " in an unknown environment", want: refuses(abi.CodeUnknownEnvironment),
				request: request(op, map[string]any{"environment": "no such environment", "actions": []any{}})},
			trial{name: op + " with members of the wrong type", request: request(op, map[string]any{"actions": 1}), want: refuses(abi.CodeInvalidRequest)})
	case abi.OpStateReplay, abi.OpEquivalenceCheck:
		all = append(all,
			trial{name: op + " in an unknown environment", want: refuses(abi.CodeUnknownEnvironment),
				request: request(op, map[string]any{"environment": "no such environment", "observed": []any{}, "reference": []any{}, "alignment": []any{}})},
			trial{name: op + " with members of the wrong type", request: request(op, map[string]any{"observed": 1}), want: refuses(abi.CodeInvalidRequest)})
	}
	return all
}

// ofTemplate returns the trials for one template: a request with an unknown variable,
// and a request without variables.
func ofTemplate(t abi.Template) []trial {
	op := abi.OpPromptRender
	all := []trial{{name: "template " + t.ID + " with an unknown variable", want: refuses(),
		request: request(op, map[string]any{"template": t.ID, "variables": map[string]any{"no such variable": "x"}})}}
	if slices.ContainsFunc(t.Variables, func(v abi.Variable) bool { return v.Required }) {
		return append(all, trial{name: "template " + t.ID + " without its required variables", request: request(op, map[string]any{"template": t.ID}), want: refuses()})
	}
	return append(all, trial{name: "template " + t.ID, request: request(op, map[string]any{"template": t.ID}), want: renders(t)})
}

// request returns a request with these members. op is its first member, as in the
// requests of hosts.
func request(op string, members map[string]any) []byte {
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

func padded(n int) []byte {
	return request(abi.OpDescribe, map[string]any{"padding": strings.Repeat("x", n)})
}

func sameDescription(s *said) error {
	if s.err != nil {
		return s.err
	}
	if !bytes.Equal(s.answer, s.describe) {
		return failure(s.plugin.name, InvalidAnswer, "describe returns other bytes than before: %s", excerpt(s.answer))
	}
	return nil
}

// refuses returns a function that checks an answer: the plugin must have refused the
// request with one of the given error codes. If no codes are given, any code is right.
func refuses(codes ...string) func(*said) error {
	return func(s *said) error {
		switch {
		case s.err != nil && s.refusal == nil:
			return s.err
		case s.refusal == nil:
			return failure(s.plugin.name, InvalidAnswer, "accepts a bad request: %s", excerpt(s.answer))
		case len(codes) > 0 && !slices.Contains(codes, s.refusal.Code):
			return failure(s.plugin.name, InvalidAnswer, "refuses with code %q, want %s", s.refusal.Code, strings.Join(codes, " or "))
		}
		return nil
	}
}

// classifies checks that the answer is {"tools":[]}.
func classifies(s *said) error {
	if s.err == nil && string(s.ok) != `{"tools":[]}` {
		return failure(s.plugin.name, InvalidAnswer, "answers %s, but there was nothing to classify", excerpt(s.answer))
	}
	return s.err
}

// renders returns a function that checks an answer: it must be a text of the template t,
// with the version and the estimate of tokens that t declares.
func renders(t abi.Template) func(*said) error {
	return func(s *said) error {
		var r abi.Rendered
		if s.err != nil {
			return s.err
		}
		if err := json.Unmarshal(s.ok, &r); err != nil {
			return failure(s.plugin.name, InvalidAnswer, "invalid answer: %v", err)
		}
		if r.Template != t.ID || r.Version != t.Version || r.Tokens != t.Tokens || r.Text == "" || strings.HasSuffix(r.Text, "\n") {
			return failure(s.plugin.name, InvalidAnswer, "renders %q %s with %d tokens, described as %q %s with %d; the text has %d bytes and no line end at its end",
				r.Template, r.Version, r.Tokens.About, t.ID, t.Version, t.Tokens.About, len(r.Text))
		}
		return nil
	}
}

func excerpt(b []byte) string {
	const most = 120
	return strings.ToValidUTF8(string(b[:min(len(b), most)]), "?")
}

// conform runs all trials on the first plugin in order, and on the second plugin in
// reverse order. If an answer depends on earlier calls, the two plugins give different
// answers, and the result reports this.
func conform(ctx context.Context, p, other *Plugin) (all []Verified) {
	ts := trials(&p.Description)
	describe, _ := p.Raw(ctx, []byte(describeRequest))
	answers := make([][]byte, len(ts))
	for i, t := range ts {
		s := p.hear(ctx, t.request)
		s.describe, answers[i] = describe, s.answer
		all = append(all, t.verified(s))
	}
	return append(all, compare(ctx, other, ts, answers))
}

// hear makes one call and splits the answer into its result and its error.
func (p *Plugin) hear(ctx context.Context, request []byte) *said {
	s := &said{plugin: p}
	if s.answer, s.err = p.Raw(ctx, request); s.err != nil {
		return s
	}
	s.ok, s.err = p.open(s.answer)
	if e, is := s.err.(*Error); is {
		s.refusal, _ = e.Err.(*abi.Error)
	}
	return s
}

func (t *trial) verified(s *said) Verified {
	v := Verified{Name: t.name}
	var own *Error
	if e, is := s.err.(*Error); is {
		own = e
	}
	switch {
	case t.roomy && own != nil && own.Code == RequestTooLarge:
		v.Note = "no room for it; reported correctly"
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

// wellSaid checks the form of the plugin's error: a code in kebab-case other than
// "internal", and a message of one line.
func (s *said) wellSaid() error {
	r := s.refusal
	if !kebab.MatchString(r.Code) || r.Message == "" || strings.ContainsAny(r.Message, "\r\n") {
		return failure(s.plugin.name, InvalidAnswer, "invalid error: code %q and message %q; want kebab-case and one line", r.Code, r.Message)
	}
	if r.Code == abi.CodeInternal {
		return failure(s.plugin.name, InvalidAnswer, "a bug in the plugin: %s", r.Message)
	}
	return nil
}

func compare(ctx context.Context, other *Plugin, ts []trial, answers [][]byte) Verified {
	v := Verified{Name: "same answers from a second instance in the opposite order"}
	n := 0
	for i := len(ts) - 1; i >= 0; i-- {
		if answers[i] == nil || ts[i].roomy { // the trial failed, which is reported already, or it takes a second
			continue
		}
		n++
		got, err := other.Raw(ctx, ts[i].request)
		if err == nil && !bytes.Equal(got, answers[i]) {
			err = failure(other.name, InvalidAnswer, "%s: answers %s, but earlier %s", ts[i].name, excerpt(got), excerpt(answers[i]))
		}
		if err != nil {
			v.Err = err
			return v
		}
	}
	v.Note = fmt.Sprintf("%d answers", n)
	return v
}
