// Package library provides further methods besides those of core/wire. The npm package
// exports all of them. Like package wire, it accepts bytes, returns one JSON text that ends
// in a newline, and never panics.
package library

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/explain"
	"github.com/boundcheck/boundcheck/core/read"
	"github.com/boundcheck/boundcheck/core/trajectory"
	"github.com/boundcheck/boundcheck/core/wire"
	"github.com/boundcheck/boundcheck/internal/snapshot"
	"github.com/boundcheck/boundcheck/internal/yamljson"
	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/prompts"
)

// methodHandlers returns a function for each method name. This function answers one
// request, which must be a JSON object. It returns an error if the request has an unknown
// member.
func methodHandlers() map[string]func(body []byte) (any, error) {
	return map[string]func(body []byte) (any, error){
		"lint":            lintTraces,
		"convert":         typedHandler(convertTrace),
		"explain":         typedHandler(explainWords),
		"prompt":          typedHandler(renderPrompt),
		"reference.new":   typedHandler(newReference),
		"reference.check": typedHandler(checkReference),
	}
}

// Methods returns the methods that Handle knows in addition to those of package wire.
func Methods() []string {
	return slices.Sorted(maps.Keys(methodHandlers()))
}

// Handle answers one call of a method of this package or of package wire. A request for
// the methods score and run may contain YAML. ok is false if the answer is an error
// envelope.
func Handle(method string, body []byte) (answer []byte, ok bool) {
	defer func() {
		if p := recover(); p != nil {
			answer, ok = wire.Fail(wire.CodeInternal, fmt.Sprintf("internal error in %q: %v; please report it with the input", method, p)), false
		}
	}()
	var err error
	h := methodHandlers()[method]
	if h == nil {
		if method == "score" || method == "run" {
			body, err = FromYAML(body)
		}
		if err != nil {
			return wire.FailWith(err), false
		}
		return wire.Handle(method, body)
	}
	out, err := h(body)
	if err != nil {
		return wire.FailWith(err), false
	}
	return wire.Marshal(out), true
}

// typedHandler returns a function that decodes a request into an In and calls f. The
// returned function returns an error if the request has a member that In does not have.
func typedHandler[In any](f func(In) (any, error)) func([]byte) (any, error) {
	return func(body []byte) (any, error) {
		var in In
		d := json.NewDecoder(strings.NewReader(string(body)))
		d.DisallowUnknownFields()
		if err := d.Decode(&in); err != nil {
			return nil, &core.InputError{Msg: "invalid request: " + strings.TrimPrefix(err.Error(), "json: ")}
		}
		return f(in)
	}
}

// FromYAML converts the YAML in a request to JSON. A request may have YAML as its
// reference and as its configuration. FromYAML does not change an invalid reference,
// because the core reports that error. For an invalid configuration, it returns an
// *InputError.
func FromYAML(body []byte) ([]byte, error) {
	if !bytes.Contains(body, []byte(`"reference"`)) && !bytes.Contains(body, []byte(`"config"`)) {
		return body, nil
	}
	v, err := jsonval.Parse(string(body))
	if err != nil || !v.Get("trace").Exists() && !v.Get("traces").Exists() {
		return body, nil
	}
	var members []string
	changed := false
	v.Each(func(key string, m jsonval.Value) bool {
		value := m.Raw()
		text, isText := m.Str()
		switch {
		case isText && key == "reference" && yamljson.Is("", text):
			if json, err := yamljson.ToJSON(text); err == nil {
				value, changed = json, true
			}
		case isText && key == "config":
			changed = true
			value, err = configJSON(text)
		}
		members = append(members, jsonval.Quoted(key)+":"+value)
		return err == nil
	})
	if err != nil || !changed {
		return body, err
	}
	return []byte("{" + strings.Join(members, ",") + "}"), nil
}

// configJSON converts a configuration from YAML to JSON. For an empty configuration it
// returns "null".
func configJSON(text string) (string, error) {
	json, err := yamljson.ToJSON(text)
	if errors.Is(err, yamljson.ErrEmpty) {
		return "null", nil
	}
	if err != nil {
		return "", &core.InputError{Msg: "invalid configuration: " + err.Error()}
	}
	return json, nil
}

func readRequest(body []byte) (core.Request, error) {
	body, err := FromYAML(body)
	if err != nil {
		return core.Request{}, err
	}
	return core.ReadRequest(body)
}

// lintTraces scores a request without references. It returns the same report as
// boundcheck lint.
func lintTraces(body []byte) (any, error) {
	r, err := readRequest(body)
	if err != nil {
		return nil, err
	}
	r.Options.Unreferenced = true
	return core.Evaluate(r)
}

type convertRequest struct{ Trace, To, From string }

// Converted is the answer to "convert".
type Converted struct {
	Format   string         `json:"format"` // the trace's format
	Text     string         `json:"text"`   // the trace in the requested format
	Warnings []core.Warning `json:"warnings"`
}

func convertTrace(in convertRequest) (any, error) {
	if !slices.Contains(trajectory.Targets(), in.To) {
		return nil, fmt.Errorf(`unknown format %q in "to": want one of %s`, in.To, strings.Join(trajectory.Targets(), ", "))
	}
	doc, err := read.DecodeAs(in.From, []byte(in.Trace))
	if err != nil {
		return nil, err
	}
	text, err := trajectory.Encode(&doc, in.To)
	if err != nil {
		return nil, err
	}
	out := Converted{Format: doc.Format, Text: string(text), Warnings: []core.Warning{}}
	for _, w := range doc.Warnings {
		out.Warnings = append(out.Warnings, core.Warning{Code: w.Code, Message: w.Message, Trajectory: w.Trajectory, Line: w.Line, Column: w.Column})
	}
	return out, nil
}

type explainRequest struct{ Words []string }

// Explained is one name of a report with its meaning.
type Explained struct {
	Word  string `json:"word"`
	Kind  string `json:"kind"`
	Short string `json:"short"`          // one sentence
	Long  string `json:"long,omitempty"` // how a finding is made, and what to do about it
}

func explainWords(in explainRequest) (any, error) {
	out := []Explained{}
	for _, word := range in.Words {
		e, ok := explain.Of(word)
		if !ok {
			return nil, fmt.Errorf("unknown word %q; give no words to get all words", word)
		}
		out = append(out, Explained(e))
	}
	if len(in.Words) == 0 {
		for _, e := range explain.All() {
			out = append(out, Explained(e))
		}
	}
	return out, nil
}

type promptRequest struct {
	Template  string
	Variables map[string]json.RawMessage
}

// renderPrompt renders a template of the prompts plugin. If the request names no
// template, renderPrompt returns the list of templates.
func renderPrompt(in promptRequest) (any, error) {
	if in.Template == "" {
		return prompts.Plugin().Description.Templates, nil
	}
	return prompts.Render(abi.RenderRequest{Op: abi.OpPromptRender, Template: in.Template, Variables: in.Variables})
}

type newRequest struct {
	Traces []string
	Names  []string        // names of the traces for the comment at the top; may be empty
	Format string          // yaml (or "") or json
	Config json.RawMessage // a boundcheck.yaml, whose mapping is used; may be absent
}

// Proposed is the answer to "reference.new".
type Proposed struct {
	Text string   `json:"text"`
	Left []string `json:"left"` // ids of runs that were left out because they are known to have failed
}

func newReference(in newRequest) (any, error) {
	if in.Format != "" && in.Format != "yaml" && in.Format != "json" {
		return nil, fmt.Errorf("unknown format %q: want yaml or json", in.Format)
	}
	var o core.Options
	if err := readConfig(&o, in.Config); err != nil {
		return nil, err
	}
	var runs []*trajectory.Trajectory
	out := Proposed{Left: []string{}}
	for i, trace := range in.Traces {
		r, err := core.ReadRequest([]byte(trace))
		if err != nil {
			return nil, err
		}
		doc, err := o.Decode(&r.Inputs[0])
		if err != nil {
			return nil, err
		}
		if i >= len(in.Names) {
			in.Names = append(in.Names, fmt.Sprintf("trace %d", i+1))
		}
		unread := doc.Unread()
		for k := range doc.Trajectories {
			if t := &doc.Trajectories[k]; t.Success != nil && !*t.Success {
				out.Left = append(out.Left, t.ID)
			} else if why := snapshot.Unusable(t, unread[t.ID]); why != "" {
				return nil, fmt.Errorf("run %s cannot make a reference: %s", t.ID, why)
			} else {
				runs = append(runs, t)
			}
		}
	}
	if len(runs) == 0 {
		return nil, errors.New("cannot make a reference: every run failed, or the traces contain no run")
	}
	suite, err := snapshot.Of(runs, in.Names)
	if err != nil {
		return nil, err
	}
	write := suite.YAML
	if in.Format == "json" {
		write = suite.JSON
	}
	text, err := write()
	out.Text = string(text)
	return out, err
}

// readConfig decodes a configuration into o. raw is a JSON object, or a JSON string that
// contains YAML or JSON. If raw is nil, readConfig changes nothing.
func readConfig(o *core.Options, raw json.RawMessage) error {
	if raw == nil {
		return nil
	}
	v, err := jsonval.Parse(string(raw))
	if err != nil {
		return err
	}
	if text, ok := v.Str(); ok {
		if text, err = configJSON(text); err != nil {
			return err
		}
		if v, err = jsonval.Parse(text); err != nil {
			return err
		}
	}
	return o.ReadConfig(v)
}

type checkRequest struct{ Reference, Name string }

// Checked is one task of a reference file.
type Checked struct {
	Task string `json:"task"` // "" if the file is for all runs
	Size string `json:"size"` // its size, such as "2 steps"
}

func checkReference(in checkRequest) (any, error) {
	one, byTask, err := snapshot.Read(in.Name, []byte(in.Reference))
	if err != nil {
		return nil, err
	}
	out := []Checked{}
	if one != nil {
		out = append(out, Checked{"", snapshot.Size(one)})
	}
	for _, id := range slices.Sorted(maps.Keys(byTask)) {
		out = append(out, Checked{id, snapshot.Size(byTask[id])})
	}
	return out, nil
}
