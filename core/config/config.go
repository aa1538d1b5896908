// Package config reads the settings of a project from boundcheck.yaml. The caller
// converts the YAML to JSON first. The same members apply in the command, the page, the
// npm package and the Worker.
package config

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	arguments "github.com/boundcheck/boundcheck/core/base/path"
	"github.com/boundcheck/boundcheck/core/read/mapping"
	"github.com/boundcheck/boundcheck/core/stage/violation"
)

// Name is the name of a project's configuration file.
const Name = "boundcheck.yaml"

// Config holds the settings of a project. Its zero value changes nothing. Package core
// uses Profile, Ignore, Off, Table, Vocabulary and Map. Commands use the other fields.
type Config struct {
	Traces, References string // folders of "boundcheck test", next to the file; "" for its defaults

	Profile       string               // auto, outcome or sop; "" for no setting
	FailOn        string               // the findings that make a command fail; "" for no setting
	MinConfidence float64              // from 0 to 1; findings below it do not make a command fail
	FailUnder     []Bound              // in the order of the file
	Ignore        []string             // paths of arguments that never matter
	Off           []Off                // rules that are turned off
	Table         mutation.Table       // nil for none
	Vocabulary    *boundary.Vocabulary // nil for none
	Map           *mapping.Map         // for traces in no known format; nil for none
	Plugins       map[string]string    // version ranges by name, not parsed
}

// Bound is the value that a corpus figure must reach, so that the command does not fail.
type Bound struct {
	Metric string
	Value  float64
}

// Off turns rules off for the files that match Paths, or for all files if Paths is empty.
type Off struct{ Rules, Paths []string }

// Members returns the names of the members that Read accepts, in the order in which the
// help lists them.
func Members() []string {
	return []string{"traces", "references", "profile", "fail-on", "min-confidence", "fail-under", "tools", "aliases", "compositions", "ignore", "rules", "map", "plugins"}
}

// Read converts parsed JSON to a configuration. JSON null is an empty configuration. The
// error names the member that is unknown or has a wrong type.
func Read(v jsonval.Value) (*Config, error) {
	var r reader
	if v.Kind() == jsonval.Null {
		return &r.Config, nil
	}
	if v.Kind() != jsonval.Object {
		return nil, fmt.Errorf("want members such as references and fail-on, got %s", v.Kind())
	}
	err := r.readMembers(v)
	if err != nil {
		return nil, err
	}
	return &r.Config, nil
}

// reader collects the settings while Read goes through the members.
type reader struct {
	Config
	tools []string // the texts of tools, aliases and compositions, which are read together
}

func (r *reader) readMembers(v jsonval.Value) (err error) {
	v.Each(func(key string, m jsonval.Value) bool {
		if err = r.setMember(key, m); err != nil {
			err = fmt.Errorf("%s: %w", key, err)
		}
		return err == nil
	})
	if err != nil || r.tools == nil {
		return err
	}
	all, err := jsonval.Parse("{" + strings.Join(r.tools, ",") + "}")
	if err != nil {
		return err
	}
	if r.Vocabulary, err = boundary.ReadVocabulary(all); err == nil && all.Get("tools").Exists() {
		r.Table, err = mutation.ReadTable(all)
	}
	return err
}

func (r *reader) setMember(key string, m jsonval.Value) (err error) {
	switch key {
	case "traces":
		r.Traces, err = readFolder(m)
	case "references":
		r.References, err = readFolder(m)
	case "profile":
		r.Profile, err = oneOf(m, "auto", "outcome", "sop")
	case "fail-on":
		r.FailOn, err = oneOf(m, "violation", "certain", "likely", "hint", "warning", "not-passed", "never")
	case "min-confidence":
		p, ok := m.Float()
		if r.MinConfidence = p; !ok || !(p >= 0 && p <= 1) {
			err = errors.New("want a number from 0 to 1")
		}
	case "fail-under":
		err = r.readBounds(m)
	case "tools":
		r.tools = append(r.tools, jsonval.Quoted(key)+":"+yesNo(m))
	case "aliases", "compositions":
		r.tools = append(r.tools, jsonval.Quoted(key)+":"+m.Raw())
	case "ignore":
		r.Ignore, err = readPlaces(m)
	case "rules":
		err = r.readRules(m)
	case "map":
		err = r.readMap(m)
	case "plugins":
		err = r.readPlugins(m)
	case "$schema", "title":
	default:
		err = fmt.Errorf("unknown member. The known members are %s", strings.Join(Members(), ", "))
	}
	return err
}

// yesNo returns the JSON of an object, with true replaced by "yes" and false by "no". The
// user wrote yes or no, but some YAML parsers convert these words to true and false.
func yesNo(m jsonval.Value) string {
	var parts []string
	m.Each(func(key string, v jsonval.Value) bool {
		text := v.Raw()
		if b, ok := v.Bool(); ok {
			text = map[bool]string{true: `"yes"`, false: `"no"`}[b]
		}
		parts = append(parts, jsonval.Quoted(key)+":"+text)
		return true
	})
	if m.Kind() != jsonval.Object {
		return m.Raw()
	}
	return "{" + strings.Join(parts, ",") + "}"
}

func (r *reader) readBounds(m jsonval.Value) (err error) {
	if m.Kind() != jsonval.Object {
		return errors.New("want metrics with numbers, as in abs.max: 0.8")
	}
	m.Each(func(key string, v jsonval.Value) bool {
		bound, ok := v.Float()
		if !ok {
			err = fmt.Errorf("%s: want a number, got %s", key, v.Raw())
		}
		r.FailUnder = append(r.FailUnder, Bound{key, bound})
		return err == nil
	})
	return err
}

func (r *reader) readRules(m jsonval.Value) error {
	if m.Kind() != jsonval.Array {
		return errors.New("want a list of {off: [rules], paths: [patterns]}")
	}
	for i, e := range m.Elements() {
		off, err := readOff(e)
		if err != nil {
			return fmt.Errorf("%d: %w", i+1, err)
		}
		r.Off = append(r.Off, off)
	}
	return nil
}

func readOff(v jsonval.Value) (off Off, err error) {
	v.Each(func(key string, m jsonval.Value) bool {
		switch key {
		case "off":
			off.Rules, err = readWords(m)
		case "paths":
			off.Paths, err = readWords(m)
		case "title":
		default:
			err = fmt.Errorf("unknown member %q. The known members are \"off\", \"paths\" and \"title\"", key)
		}
		return err == nil
	})
	if err == nil && len(off.Rules) == 0 {
		err = errors.New("missing \"off\": want the rules that are switched off")
	}
	for _, rule := range off.Rules {
		if !slices.Contains(violation.Rules(), rule) && err == nil {
			err = fmt.Errorf(`off: unknown rule %q. The member "rule" of a finding shows the id of the rule`, rule)
		}
	}
	for _, p := range off.Paths {
		if _, bad := path.Match(p, ""); bad != nil && err == nil {
			err = fmt.Errorf("invalid pattern %q", p)
		}
	}
	return off, err
}

func (r *reader) readMap(m jsonval.Value) (err error) {
	if m.Kind() != jsonval.Object {
		return errors.New("want members with paths, as in calls: steps.#.toolCalls")
	}
	r.Map = &mapping.Map{}
	m.Each(func(key string, v jsonval.Value) bool {
		var path string
		if path, err = readWord(v); err == nil {
			err = r.Map.Set(key, path)
		}
		return err == nil
	})
	if err != nil {
		return err
	}
	return r.Map.Check()
}

func (r *reader) readPlugins(m jsonval.Value) (err error) {
	if m.Kind() != jsonval.Object {
		return errors.New("want a version range for each plugin, as in calbench: ^1.2")
	}
	r.Plugins = map[string]string{}
	m.Each(func(name string, v jsonval.Value) bool {
		if r.Plugins[name], err = readWord(v); err != nil {
			err = fmt.Errorf("%s: %w", name, err)
		}
		return err == nil
	})
	return err
}

func readWord(v jsonval.Value) (string, error) {
	s, ok := v.Str()
	if !ok {
		return "", fmt.Errorf("want a text, got %s", v.Kind())
	}
	return s, nil
}

// readFolder reads a path with slashes. It must not leave the folder of the file: the file
// may be a stranger's, and what is read may be printed to a public log.
func readFolder(v jsonval.Value) (string, error) {
	s, err := readWord(v)
	if err == nil && (path.IsAbs(s) || strings.ContainsAny(s, `\:`) || strings.HasPrefix(path.Clean(s)+"/", "../")) {
		err = fmt.Errorf("%q leads out of the folder of this file. Write a folder below it, with slashes", s)
	}
	return s, err
}

func oneOf(v jsonval.Value, known ...string) (string, error) {
	s, err := readWord(v)
	if err == nil && !slices.Contains(known, s) {
		err = fmt.Errorf("unknown word %q. The known words are %s", s, strings.Join(known, ", "))
	}
	return s, err
}

func readWords(v jsonval.Value) ([]string, error) {
	if s, ok := v.Str(); ok {
		return []string{s}, nil
	}
	if v.Kind() != jsonval.Array {
		return nil, fmt.Errorf("want a list of texts, got %s", v.Kind())
	}
	var out []string
	for _, e := range v.Elements() {
		s, err := readWord(e)
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}

// readPlaces converts a JSON list to argument paths and checks them.
func readPlaces(v jsonval.Value) ([]string, error) {
	out, err := readWords(v)
	for _, text := range out {
		if _, err := arguments.CompilePlaces(text); err != nil {
			return nil, err
		}
	}
	return out, err
}

// IsOff reports whether a rule is turned off for a file. file is the path relative to the
// configuration file, with slashes. A pattern matches this path or a folder above it.
func (c *Config) IsOff(rule, file string) bool {
	for _, off := range c.Off {
		if slices.Contains(off.Rules, rule) && (len(off.Paths) == 0 || matchesAny(off.Paths, file)) {
			return true
		}
	}
	return false
}

func matchesAny(patterns []string, file string) bool {
	for _, p := range patterns {
		for at := path.Clean(file); at != "." && at != "/"; at = path.Dir(at) {
			if ok, _ := path.Match(strings.TrimSuffix(p, "/**"), at); ok {
				return true
			}
		}
	}
	return false
}
