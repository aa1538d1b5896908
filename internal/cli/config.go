package cli

import (
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	gopath "path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/jsonval"
	"github.com/boundcheck/boundcheck/core/path"
	"github.com/boundcheck/boundcheck/internal/mapping"
	"github.com/boundcheck/boundcheck/internal/snapshot"
)

// configName is the file that says how a project's traces are judged. It holds no
// code and loads none: plugins are asked for on the command line alone, and held here to
// versions.
const configName = "boundcheck.yaml"

const configUsage = `
  --config FILE          what this project's traces are held to (default: boundcheck.yaml here,
                         if there; its members: internal/cli/config.schema.json)
  --no-config            read none
`

// configFlags say which configuration file holds.
type configFlags struct {
	name string
	none bool
	read config // what it says
}

func (f *configFlags) register(set *flag.FlagSet) {
	set.StringVar(&f.name, "config", "", "")
	set.BoolVar(&f.none, "no-config", false, "")
}

// configure reads the configuration, and takes from it what no flag says.
func (f *scoreFlags) configure() error {
	if f.conf.none {
		return nil
	}
	c, err := readConfig(f.conf.name, ".")
	if err != nil {
		return err
	}
	f.conf.read = *c
	if f.fail.on == "" && c.failOn != "never" {
		f.fail.on = c.failOn
	}
	if f.fail.confidence == 0 && f.fail.on != "" {
		f.fail.confidence = c.minConfidence
	}
	if f.thresholds == nil && !f.lint {
		f.thresholds = c.failUnder
	}
	return nil
}

// config is boundcheck.yaml. Its zero value changes nothing.
type config struct {
	path, hash    string // of its text; "" where there is none
	traces, refs  string // folders of "boundcheck test", beside the file
	profile       string
	failOn        string
	minConfidence float64
	failUnder     thresholds
	ignore        []string      // argument paths that never matter
	off           []offRule     // rules that find nothing
	tools         jsonval.Value // the members tools, aliases and compositions; Missing for none
	toolsMembers  []string      // their texts
	mapping       *mapping.Map  // of traces in no known format; nil for none
	plugins       ranges        // versions that plugins may have, where they are loaded
}

// offRule turns rules off for files; no paths are all files.
type offRule struct{ rules, paths []string }

// readConfig reads a configuration file. With name "" it is the one in dir, if there.
func readConfig(name, dir string) (*config, error) {
	path := name
	if name == "" {
		path = filepath.Join(dir, configName)
	}
	data, err := os.ReadFile(path)
	if name == "" && errors.Is(err, fs.ErrNotExist) {
		return &config{}, nil
	}
	if err != nil {
		return nil, err
	}
	c := &config{path: path, hash: fmt.Sprintf("%x", sha256.Sum256(data))}
	if err := c.parse(string(data)); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return c, nil
}

func (c *config) parse(text string) error {
	json, err := snapshot.ToJSON(text)
	if errors.Is(err, snapshot.ErrEmpty) {
		return nil
	}
	if err != nil {
		return err
	}
	v, err := jsonval.Parse(json)
	if err != nil {
		return err
	}
	if v.Kind() == jsonval.Null {
		return nil
	}
	if v.Kind() != jsonval.Object {
		return fmt.Errorf("want members such as references and fail-on, got %s", v.Kind())
	}
	v.Each(func(key string, m jsonval.Value) bool {
		if err = c.set(key, m); err != nil {
			err = fmt.Errorf("%s: %w", key, err)
		}
		return err == nil
	})
	if err == nil && c.toolsMembers != nil {
		if c.tools, err = jsonval.Parse("{" + strings.Join(c.toolsMembers, ",") + "}"); err == nil {
			err = new(core.Options).ReadTools(c.tools)
		}
	}
	return err
}

const configMembers = "traces, references, profile, fail-on, min-confidence, fail-under, tools, aliases, compositions, ignore, rules, map, plugins"

func (c *config) set(key string, m jsonval.Value) (err error) {
	switch key {
	case "traces":
		c.traces, err = word(m)
	case "references":
		c.refs, err = word(m)
	case "profile":
		if c.profile, err = word(m); err == nil {
			err = oneOf(key, c.profile, "auto", "outcome", "sop")
		}
	case "fail-on":
		if c.failOn, err = word(m); err == nil {
			err = oneOf(key, c.failOn, "violation", "certain", "likely", "hint", "warning", "never")
		}
	case "min-confidence":
		p, ok := m.Float()
		if c.minConfidence = p; !ok || !(p >= 0 && p <= 1) {
			err = errors.New("want a number from 0 to 1")
		}
	case "fail-under":
		err = c.bounds(m)
	case "tools":
		c.toolsMembers = append(c.toolsMembers, jsonval.Quoted(key)+":"+yesNo(m))
	case "aliases", "compositions":
		c.toolsMembers = append(c.toolsMembers, jsonval.Quoted(key)+":"+m.Raw())
	case "ignore":
		c.ignore, err = pathList(m)
	case "rules":
		err = c.rules(m)
	case "map":
		err = c.readMap(m)
	case "plugins":
		c.plugins, err = readRanges(m)
	case "$schema", "title":
	default:
		err = fmt.Errorf("unknown member; known are %s", configMembers)
	}
	return err
}

// yesNo lets true and false stand for yes and no, as YAML's people write them.
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

func (c *config) bounds(m jsonval.Value) (err error) {
	if m.Kind() != jsonval.Object {
		return errors.New("want metrics with numbers, as in abs.max: 0.8")
	}
	m.Each(func(key string, v jsonval.Value) bool {
		err = c.failUnder.Set(key + "=" + v.Raw())
		return err == nil
	})
	return err
}

func (c *config) rules(m jsonval.Value) error {
	if m.Kind() != jsonval.Array {
		return errors.New("want a list of {off: [rules], paths: [patterns]}")
	}
	for i, e := range m.Elements() {
		var r offRule
		var err error
		e.Each(func(key string, v jsonval.Value) bool {
			switch key {
			case "off":
				r.rules, err = wordList(v)
			case "paths":
				r.paths, err = wordList(v)
			case "title":
			default:
				err = fmt.Errorf("unknown member %q; known are off, paths and title", key)
			}
			return err == nil
		})
		if err == nil && len(r.rules) == 0 {
			err = errors.New("missing off: the rules that find nothing")
		}
		for _, p := range r.paths {
			if _, bad := gopath.Match(p, ""); bad != nil && err == nil {
				err = fmt.Errorf("invalid pattern %q", p)
			}
		}
		if err != nil {
			return fmt.Errorf("%d: %w", i+1, err)
		}
		c.off = append(c.off, r)
	}
	return nil
}

func (c *config) readMap(m jsonval.Value) (err error) {
	if m.Kind() != jsonval.Object {
		return errors.New("want members with paths, as in calls: steps.#.toolCalls")
	}
	c.mapping = &mapping.Map{}
	m.Each(func(key string, v jsonval.Value) bool {
		var path string
		if path, err = word(v); err == nil {
			err = c.mapping.Set(key, path)
		}
		return err == nil
	})
	if err != nil {
		return err
	}
	return c.mapping.Check()
}

func word(v jsonval.Value) (string, error) {
	s, ok := v.Str()
	if !ok {
		return "", fmt.Errorf("want a text, got %s", v.Kind())
	}
	return s, nil
}

func wordList(v jsonval.Value) ([]string, error) {
	if s, ok := v.Str(); ok {
		return []string{s}, nil
	}
	if v.Kind() != jsonval.Array {
		return nil, fmt.Errorf("want a list of texts, got %s", v.Kind())
	}
	var out []string
	for _, e := range v.Elements() {
		s, ok := e.Str()
		if !ok {
			return nil, fmt.Errorf("want texts, got %s", e.Kind())
		}
		out = append(out, s)
	}
	return out, nil
}

// pathList reads paths of arguments.
func pathList(v jsonval.Value) ([]string, error) {
	out, err := wordList(v)
	for _, text := range out {
		if _, err := path.CompilePlaces(text); err != nil {
			return nil, err
		}
	}
	return out, err
}

// isOff reports whether a rule finds nothing in a file. A pattern is for the path
// beside the configuration file, or for a folder above it.
func (c *config) isOff(rule, file string) bool {
	for _, r := range c.off {
		if !slices.Contains(r.rules, rule) {
			continue
		}
		if len(r.paths) == 0 {
			return true
		}
		rel := c.relative(file)
		for _, p := range r.paths {
			for at := rel; at != "." && at != "/"; at = gopath.Dir(at) {
				if ok, _ := gopath.Match(strings.TrimSuffix(p, "/**"), at); ok {
					return true
				}
			}
		}
	}
	return false
}

// relative is a file's path beside the configuration file, with slashes.
func (c *config) relative(file string) string {
	dir, err := filepath.Abs(filepath.Dir(c.path))
	if err == nil {
		if abs, err := filepath.Abs(file); err == nil {
			if rel, err := filepath.Rel(dir, abs); err == nil {
				return filepath.ToSlash(rel)
			}
		}
	}
	return filepath.ToSlash(file)
}

// apply puts what the configuration says of scoring under what the input or the
// command line say.
func (c *config) apply(r *core.Request) error {
	if r.Options.Profile == "" && c.profile != "" && c.profile != "auto" {
		r.Options.Profile = c.profile
	}
	if c.tools.Exists() && r.Options.Table == nil && r.Options.Vocabulary == nil {
		if err := r.Options.ReadTools(c.tools); err != nil {
			return err
		}
	}
	r.Options.Ignore = c.ignore
	return nil
}

// quietAll is quiet for a report of files, whose runs follow each other.
func (c *config) quietAll(r *core.Report, files []string) {
	if len(c.off) == 0 || len(files) == 0 {
		return
	}
	left, at := len(r.Trajectories), 0
	if len(r.Input.Files) > 0 {
		left = r.Input.Files[0].Trajectories
	}
	for i := range r.Trajectories {
		for left == 0 && at+1 < len(r.Input.Files) {
			at++
			left = r.Input.Files[at].Trajectories
		}
		c.quiet(&r.Trajectories[i], files[min(at, len(files)-1)])
		left--
	}
}

// quieter is quiet for runs that come one by one; nil where no rule is off.
func (c *config) quieter() func(*core.Trajectory, string) {
	if len(c.off) == 0 {
		return nil
	}
	return func(t *core.Trajectory, file string) { c.quiet(t, file) }
}

// quiet takes findings of rules that are off out of a report whose runs are all of one
// file. The figures are of all findings.
func (c *config) quiet(t *core.Trajectory, file string) (hidden int) {
	kept := t.Violations[:0:0]
	for _, v := range t.Violations {
		if c.isOff(v.Rule, file) {
			hidden++
			continue
		}
		kept = append(kept, v)
	}
	if hidden > 0 {
		t.Violations, t.Flagged = kept, len(kept) > 0 && t.Flagged
		if len(kept) == 0 {
			t.Verdict = "What was found is of rules that " + configName + " turns off."
		}
	}
	return hidden
}
