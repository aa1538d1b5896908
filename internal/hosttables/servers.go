package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// server is one entry of servers.json.
type server struct {
	Name       string            // of the table
	Package    string            // in npm; "" if only stored definitions exist
	Version    string            // of the package, or the commit of the definitions
	Repository string            // where the source is
	Licence    string            // of the server
	Bin        string            // the program of the package, if it has several
	Args       []string          // of the program
	Env        map[string]string // of the program: names of accounts that do not exist
}

// definition is the part of a tool's definition that the tables need.
type definition struct {
	Name, Description string
	Annotations       struct{ ReadOnlyHint, DestructiveHint *bool }
	InputSchema       json.RawMessage
}

// writeServers asks each server for its tools and writes serversFile.
func writeServers(file, definitions, installed string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var list []server
	if err := json.Unmarshal(data, &list); err != nil {
		return err
	}
	reviews, err := readReviews()
	if err != nil {
		return err
	}
	old, err := os.ReadFile(serversFile)
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	var b strings.Builder
	b.WriteString("# The tools of public MCP servers that their names alone do not judge rightly. The form\n" +
		"# is that of hosts.txt. Written by go run ./internal/hosttables; see review.txt there.\n")
	answers := askAll(list, definitions, installed)
	for i, s := range list {
		tools, raw, err := answers[i].tools, answers[i].raw, answers[i].err
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v; its rows stay as they are\n", s.Name, err)
			b.WriteString(oldTable(string(old), s.Name))
			continue
		}
		b.WriteString(s.table(tools, raw, reviews))
		s.report(tools, reviews)
	}
	return os.WriteFile(serversFile, []byte(b.String()), 0o644)
}

// answer is what a server said, or why it said nothing.
type answer struct {
	tools []definition
	raw   []byte
	err   error
}

// askAll asks a few servers at a time.
func askAll(list []server, definitions, installed string) []answer {
	answers := make([]answer, len(list))
	var wait sync.WaitGroup
	free := make(chan bool, 3)
	for i := range list {
		wait.Add(1)
		go func() {
			defer wait.Done()
			free <- true
			a := &answers[i]
			a.tools, a.raw, a.err = list[i].tools(definitions, installed)
			<-free
		}()
	}
	wait.Wait()
	return answers
}

// oldTable returns the part of a text with the table of a server, or "".
func oldTable(text, name string) string {
	for _, part := range strings.SplitAfter(text, "\n\n") {
		if strings.HasPrefix(part, "table "+name+" ") {
			return "\n" + strings.TrimSuffix(part, "\n")
		}
	}
	return ""
}

// tools returns the definitions of a server's tools, and the bytes that they were read
// from.
func (s *server) tools(definitions, installed string) (tools []definition, raw []byte, err error) {
	if raw, err = os.ReadFile(filepath.Join(definitions, s.Name+".json")); err != nil || definitions == "" {
		if s.Package == "" {
			return nil, nil, fmt.Errorf("no stored definition")
		}
		if raw, err = s.ask(installed); err != nil {
			return nil, nil, err
		}
	}
	var answer struct{ Tools []definition }
	if err := json.Unmarshal(raw, &answer); err != nil {
		return nil, nil, err
	}
	if len(answer.Tools) == 0 {
		return nil, nil, fmt.Errorf("no tools")
	}
	slices.SortFunc(answer.Tools, func(a, b definition) int { return strings.Compare(a.Name, b.Name) })
	return answer.Tools, raw, nil
}

// table returns the table of a server: a head with its source, and a row for each tool
// that the lexicon does not judge like the review.
func (s *server) table(tools []definition, raw []byte, reviews map[string]string) string {
	var rows strings.Builder
	reads, kept := 0, 0
	for _, d := range tools {
		word, detail, _ := strings.Cut(s.word(&d, reviews), " ")
		if word == "read" {
			reads++
		}
		needed := d.needsRow(word)
		if arguments, ok := d.arguments(); ok && needed {
			kept++
			rows.WriteString(strings.TrimSuffix(d.Name+" "+word+" "+arguments+" "+detail, " ") + "\n")
		}
	}
	if kept == 0 {
		return ""
	}
	source := s.Repository
	if s.Package != "" {
		source = s.Package
	}
	return fmt.Sprintf("\ntable %s anywhere\nsource %s %s, %s, %d tools of which %d read, %s\n%s", s.Name, source, s.Version, s.Licence, len(tools), reads, hashOf(string(raw)), rows.String())
}

// word returns the word of a tool and its detail: the review's, or else the label.
func (s *server) word(d *definition, reviews map[string]string) string {
	if word := reviews[s.Name+" "+d.Name]; word != "" {
		return word
	}
	return d.label()
}

// report prints how the sample calls of a server are judged: by names alone, and with the
// table that this program was built with.
func (s *server) report(tools []definition, reviews map[string]string) {
	var calls, wrong [2][2]int // of reads and changes, by names and with the table
	for _, d := range tools {
		word, _, _ := strings.Cut(s.word(&d, reviews), " ")
		change := 0
		switch word {
		case "read":
		case "change":
			change = 1
		default:
			continue
		}
		for _, sample := range d.samples() {
			v, err := jsonval.Parse(sample)
			if err != nil {
				continue
			}
			for way, c := range []*mutation.Classifier{mutation.New(nil, nil).WithHosts(mutation.OnlyHosts()), mutation.New(nil, nil)} {
				calls[change][way]++
				if c.Classify(d.Name, v).Counts() != (change == 1) {
					wrong[change][way]++
				}
			}
		}
	}
	fmt.Fprintf(os.Stderr, "%-18s %3d tools; reads asked %3d, with the table %3d of %3d calls; changes passed %2d, with the table %2d of %3d calls\n", s.Name, len(tools), wrong[0][0], wrong[0][1], calls[0][0], wrong[1][0], wrong[1][1], calls[1][0])
}

// label returns the word of a tool that no review names: what its server says, or else
// what its name and description say.
func (d *definition) label() string {
	switch d.hint() {
	case "read":
		return "read"
	case "change":
		return "change"
	}
	switch mutation.New([]mutation.Tool{{Name: d.Name, Description: d.Description}}, nil).WithHosts(mutation.OnlyHosts()).Classify(d.Name, jsonval.Value{}).Mutating {
	case mutation.No:
		return "read"
	case mutation.Yes:
		return "change"
	}
	return "ask"
}

func (d *definition) hint() string {
	switch a := d.Annotations; {
	case a.ReadOnlyHint != nil && *a.ReadOnlyHint:
		return "read"
	case a.ReadOnlyHint != nil, a.DestructiveHint != nil && *a.DestructiveHint:
		return "change"
	}
	return "none"
}

// needsRow reports whether the lexicon alone judges one of the sample calls of a tool
// otherwise than the word.
func (d *definition) needsRow(word string) bool {
	switch word {
	case "name":
		return false
	case "act":
		return true
	}
	bare := mutation.New(nil, nil).WithHosts(mutation.OnlyHosts())
	for _, sample := range d.samples() {
		v, err := jsonval.Parse(sample)
		if err == nil && bare.Classify(d.Name, v).Counts() != (word != "read") {
			return true
		}
	}
	return false
}

// schema is the part of a JSON schema that the tables need.
type schema struct {
	Properties map[string]struct {
		Type  any
		Enum  []any
		Items struct{ Type any }
	}
	Required []string
}

func (d *definition) schema() (s schema) {
	_ = json.Unmarshal(d.InputSchema, &s)
	return s
}

// arguments returns the arguments of a tool in the form of hosts.txt. ok is false for
// names that the form cannot hold.
func (d *definition) arguments() (list string, ok bool) {
	s := d.schema()
	var names []string
	for name := range s.Properties {
		if strings.ContainsAny(name, " ,![]*?\n") || name == "" || name == "-" {
			return "", false
		}
		if slices.Contains(s.Required, name) {
			name += "!"
		}
		names = append(names, name)
	}
	slices.Sort(names)
	if len(names) == 0 {
		return "-", true
	}
	return strings.Join(names, ","), !strings.Contains(d.Name, " ")
}

// samples returns arguments of two calls: with the required arguments, and with all.
func (d *definition) samples() []string {
	s := d.schema()
	few, all := map[string]any{}, map[string]any{}
	for name, p := range s.Properties {
		var value any = "a1"
		kind, _ := p.Type.(string)
		switch {
		case len(p.Enum) > 0:
			value = p.Enum[0]
		case kind == "number", kind == "integer":
			value = 7
		case kind == "boolean":
			value = true
		case kind == "array":
			value = []any{"a1"}
		case kind == "object":
			value = map[string]any{}
		case strings.Contains(strings.ToLower(name), "url"):
			value = "https://example.com/a1"
		}
		all[name] = value
		if slices.Contains(s.Required, name) {
			few[name] = value
		}
	}
	a, _ := json.Marshal(few)
	b, _ := json.Marshal(all)
	return []string{string(a), string(b)}
}

// readReviews reads review.txt: lines of SERVER TOOL WORD [DETAIL], which override what a
// server says about its tool.
func readReviews() (map[string]string, error) {
	text, err := os.ReadFile(reviewFile)
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for line := range strings.Lines(string(text)) {
		f := strings.SplitN(strings.TrimSpace(line), " ", 3)
		if len(f) == 3 && f[0] != "#" {
			out[f[0]+" "+f[1]] = f[2]
		}
	}
	return out, nil
}
