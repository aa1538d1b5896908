//go:build !js

package gate

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	_ "time/tzdata" // for policies with times, on systems without zones

	"go.yaml.in/yaml/v3"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/plugins/shellread"
	"github.com/boundcheck/boundcheck/worker/gate"
	"github.com/boundcheck/boundcheck/worker/gate/zone"
)

// gateCheck implements "gate check". It reads policies as the gate does, and prints the
// errors, and a summary of each policy or, with --json, the policy in JSON, in which each
// value is on the line that it has in the file.
func gateCheck(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("gate check", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	asJSON, keyFile := flags.Bool("json", false, ""), flags.String("keys", "", "")
	if err := flags.Parse(args); err != nil || flags.NArg() == 0 || *asJSON && flags.NArg() > 1 {
		fmt.Fprintln(stderr, "usage: boundcheck gate check [--json] [--keys FILE] POLICY…")
		return cmd.ExitUsage
	}
	code := cmd.ExitOK
	for _, file := range flags.Args() {
		p, text, err := readPolicyText(file)
		if err == nil && *keyFile != "" {
			err = checkApprovers(file, p, *keyFile)
		}
		switch {
		case err != nil:
			for line := range strings.Lines(err.Error() + "\n") {
				fmt.Fprintf(stderr, "boundcheck gate check: %s", line)
			}
			code = cmd.ExitInput
		case *asJSON:
			fmt.Fprintln(stdout, strings.TrimSpace(text))
		default:
			describePolicy(stdout, file, p, time.Now())
		}
	}
	return code
}

// checkApprovers returns an error for each approver of a policy who has no key in a file.
func checkApprovers(file string, p *machine.Policy, keyFile string) error {
	text, err := os.ReadFile(keyFile)
	if err != nil {
		return err
	}
	keys, err := gate.ReadKeys(string(text))
	if err != nil {
		return fmt.Errorf("%s: %w", keyFile, err)
	}
	if strangers := p.Strangers(approverNames(keys)); len(strangers) > 0 {
		return namedFaults(file, strangers)
	}
	return nil
}

// approverNames returns the names of the approvers who have keys, sorted.
func approverNames(keys []gate.Key) (names []string) {
	for _, k := range keys {
		if k.Role == machine.Approver {
			names = append(names, k.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func describePolicy(w io.Writer, file string, p *machine.Policy, now time.Time) {
	fmt.Fprintf(w, "%s: valid, mode %s, %d tools, %d allow rules, expires after %v, version %s\n",
		file, p.Mode, len(p.Tools), len(p.Allow), time.Duration(p.Expiry)*time.Millisecond, p.Version)
	for _, a := range p.Allow {
		until := time.UnixMilli(a.Until).UTC()
		if !now.Before(until) {
			fmt.Fprintf(w, "  note: the rule %q expired at %s and allows nothing\n", a.Name, until.Format(time.RFC3339))
		}
		if a.Destructive {
			fmt.Fprintf(w, "  note: the rule %q also allows calls that perhaps cannot be undone\n", a.Name)
		}
	}
	for i := range p.Rules {
		r := &p.Rules[i]
		title := fmt.Sprintf("the rule %q (line %d)", r.Name, r.Line)
		if isAboutAll(r) {
			does := map[string]string{machine.DenyCall: "denies", machine.HoldCall: "holds"}[r.Effect]
			if r.Log {
				does = "logs"
			}
			fmt.Fprintf(w, "  note: %s has neither a tool nor a condition, so it %s every call, also those that only read\n", title, does)
		}
		if l := r.AtMost; l != nil && l.Currency != "" && (len(l.Currency) != 3 || strings.Trim(l.Currency, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "") {
			fmt.Fprintf(w, "  note: %s counts only calls whose currency is %q letter by letter, and every other one fails it; codes of currencies have three capital letters, such as EUR\n", title, l.Currency)
		}
	}
}

// isAboutAll reports whether a rule applies to every call at any time.
func isAboutAll(r *machine.Rule) bool {
	selects := strings.Trim(r.Tool+r.Agent, "*") != "" || len(r.When) > 0 || r.Changes || r.Asked != "" || r.Time != nil
	return !selects && !r.Requires()
}

// readPolicy reads a policy file, or returns the default policy if file is "". It gives
// the policy a complete shell parser for command lines.
func readPolicy(file string) (p *machine.Policy, err error) {
	p = machine.Default()
	if file != "" {
		if p, err = readPolicyFile(file); err != nil {
			return nil, err
		}
	}
	p.Shell = shellread.Reader{}
	return p, nil
}

// readPolicyFile reads a policy in JSON or YAML, depending on the file's name. Errors
// contain the file and the line.
func readPolicyFile(file string) (*machine.Policy, error) {
	p, _, err := readPolicyText(file)
	return p, err
}

// readPolicyText also returns the policy's text in JSON.
func readPolicyText(file string) (p *machine.Policy, text string, err error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, "", err
	}
	text = string(data)
	switch ext := strings.ToLower(filepath.Ext(file)); ext {
	case ".json":
	case ".yaml", ".yml":
		if text, err = yamlToJSON(data); err != nil {
			return nil, "", fmt.Errorf("%s: %w", file, err)
		}
	default:
		return nil, "", fmt.Errorf("unknown extension of policy file %s: want .yaml, .yml or .json", file)
	}
	if p, err = machine.ReadPolicyIn(text, zone.Offset); err != nil {
		return nil, "", namedFaults(file, err)
	}
	return p, text, nil
}

// namedFaults returns the errors of a policy with the name of its file and the line of each.
func namedFaults(file string, err error) error {
	var all machine.Faults
	var one *jsonval.SyntaxError
	if !errors.As(err, &all) && errors.As(err, &one) {
		all = machine.Faults{one}
	}
	if len(all) == 0 {
		return fmt.Errorf("%s: %w", file, err)
	}
	out := make([]error, len(all))
	for i, e := range all {
		out[i] = fmt.Errorf("%s: line %d: %s", file, e.Line, e.Msg)
	}
	return errors.Join(out...)
}

// yamlToJSON converts one YAML document to JSON. Each value stays on its line, so that
// errors of the policy reader contain the right line. It returns an error for:
//
//   - anchors and aliases
//   - custom tags
//   - numbers that JSON does not have
//   - an empty file, or a file with more than one document
func yamlToJSON(data []byte) (string, error) {
	d := yaml.NewDecoder(bytes.NewReader(data))
	var doc, more yaml.Node
	if err := d.Decode(&doc); err != nil {
		if errors.Is(err, io.EOF) {
			err = errors.New("the file is empty: write {} for an empty policy")
		}
		return "", err
	}
	if err := d.Decode(&more); !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("line %d: a second YAML document begins here, but the file must have only one document", more.Line)
	}
	w := liner{line: 1}
	err := w.writeValue(doc.Content[0])
	return w.b.String(), err
}

// liner writes JSON, and puts each value on the line that it has in the YAML source.
type liner struct {
	b    strings.Builder
	line int
}

func (w *liner) advanceLine(n *yaml.Node) {
	for ; w.line < n.Line; w.line++ {
		w.b.WriteByte('\n')
	}
}

func (w *liner) writeValue(n *yaml.Node) error {
	if n.Anchor != "" || n.Kind == yaml.AliasNode {
		return fmt.Errorf("line %d: anchors and aliases are not supported: write the value itself", n.Line)
	}
	w.advanceLine(n)
	switch n.Kind {
	case yaml.MappingNode:
		return w.writeList(n, '{', '}', 2)
	case yaml.SequenceNode:
		return w.writeList(n, '[', ']', 1)
	}
	return w.writeScalar(n)
}

func (w *liner) writeList(n *yaml.Node, open, shut byte, step int) error {
	w.b.WriteByte(open)
	for i := 0; i < len(n.Content); i += step {
		if i > 0 {
			w.b.WriteByte(',')
		}
		if step == 2 {
			key := n.Content[i]
			if key.Kind != yaml.ScalarNode || key.Anchor != "" || key.ShortTag() == "!!merge" {
				return fmt.Errorf("line %d: write a simple name before the colon, not a list, a mapping or an anchor", key.Line)
			}
			w.advanceLine(key)
			w.writeString(key.Value)
			w.b.WriteByte(':')
		}
		if err := w.writeValue(n.Content[i+step-1]); err != nil {
			return err
		}
	}
	w.b.WriteByte(shut)
	return nil
}

func (w *liner) writeScalar(n *yaml.Node) error {
	switch tag := n.ShortTag(); tag {
	case "!!str", "!!timestamp":
		w.writeString(n.Value)
	case "!!null":
		w.b.WriteString("null")
	case "!!bool", "!!int", "!!float":
		if !jsonval.Valid(n.Value) {
			return fmt.Errorf("line %d: cannot read the value %s: write a number as in JSON, or a text in quotes", n.Line, n.Value)
		}
		w.b.WriteString(n.Value)
	default:
		return fmt.Errorf("line %d: unknown tag %s", n.Line, tag)
	}
	return nil
}

func (w *liner) writeString(s string) {
	quoted, _ := json.Marshal(s)
	w.b.Write(quoted)
}
