package score

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/config"
	"github.com/boundcheck/boundcheck/core/read"
	"github.com/boundcheck/boundcheck/core/stage/attribution"
	"github.com/boundcheck/boundcheck/core/stage/violation"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// ReadConfig reads a configuration into o.Config. v is an object, or a string that
// contains the object as JSON. If v is a string of white space, o does not change. The
// error is an *InputError.
func (o *Options) ReadConfig(v jsonval.Value) error {
	text, isText := v.Str()
	if isText && strings.TrimSpace(text) == "" {
		return nil
	}
	var err error
	if isText {
		v, err = jsonval.Parse(text)
	}
	if err == nil {
		o.Config, err = config.Read(v)
	}
	if err != nil {
		return &InputError{Msg: "invalid configuration: " + err.Error()}
	}
	return nil
}

// applyConfig copies the profile, the tool table and the vocabulary from the
// configuration to the options, if the options do not have them.
func (o *Options) applyConfig() {
	c := o.Config
	if c == nil {
		return
	}
	if o.Profile == "" {
		o.Profile = c.Profile
	}
	if o.Table == nil && o.Vocabulary == nil {
		o.Table, o.Vocabulary = c.Table, c.Vocabulary
	}
}

// Decode parses a source. If the source names no format, Decode uses the mapping of the
// configuration in two cases:
//
//   - the parser does not recognise the format;
//   - the parser only guessed which parts of the source are calls.
func (o *Options) Decode(s *Source) (trajectory.Document, error) {
	decode := read.Options{Format: s.Format, Cores: o.Cores}
	if o.Cache != nil {
		decode.Golds = &o.Cache.golds
	}
	doc, err := decode.Decode(s.Data)
	if o.Config == nil || o.Config.Map == nil || s.Format != "" || err == nil && !doc.Guessed() {
		return doc, err
	}
	generic, _, unmapped := o.Config.Map.Apply(s.Data)
	switch {
	case unmapped != nil && err == nil:
		doc.Warnings = append(doc.Warnings, trajectory.Warning{Code: "map-not-used", Message: "the input was read as " + doc.Format + ", because the \"map\" of the configuration could not be applied: " + unmapped.Error()})
		return doc, nil
	case unmapped != nil:
		return doc, unmapped
	}
	s.Derived = true
	doc, err = read.Decode(generic)
	doc.Bytes = len(s.Data)
	return doc, err
}

// hideFindings removes the findings of rules that are turned off for the run's file. The
// figures of the run still count these findings, and its cause is one of those that stay.
func (e *evaluator) hideFindings(r *run) {
	c := e.request.Options.Config
	if c == nil || len(c.Off) == 0 {
		return
	}
	var findings []violation.Finding
	var seconds []*second
	for i, f := range r.findings {
		if c.IsOff(f.Rule, r.path) {
			r.hidden = true
			continue
		}
		findings, seconds = append(findings, f), append(seconds, r.seconds[i])
	}
	r.findings, r.seconds = findings, seconds
	if r.hidden && r.referenced {
		r.cause, r.caused = attribution.Attribute(&r.Case, r.findings)
	}
}
