package score

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/ref/reference"
	"github.com/boundcheck/boundcheck/core/trajectory"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/internal/snapshot"
	"github.com/boundcheck/boundcheck/internal/words"
)

const referenceUsage = `usage: boundcheck reference new [--format yaml|json] [--out FILE] GOOD…
       boundcheck reference update [--profile NAME] [--min-confidence N] REF TRACE…
       boundcheck reference check FILE…
       boundcheck reference explain FILE

Runs are compared with references. They are files to edit and commit.

  new      write a reference from runs that went well (- is standard input). It omits failed
           attempts, allows any order for parallel calls, makes reads optional if only some
           runs made them, and ignores texts and ids that a run invents; comments give the
           reasons. Runs of several tasks become a suite, with a reference for each task
  update   change REF so that it describes the runs in TRACE…, as "boundcheck test --update" does.
           Create REF if it is not there. Then compare the runs with it: the exit code is 3 if one
           of them still differs
  check    report whether files can be used as references
  explain  describe in words the steps that a reference requires

  --format FORMAT  for new: yaml (default) or json
  --out FILE       for new: write to FILE (default: standard output)
  --map MAPPING    for new: read JSON of any form (boundcheck map FILE proposes a mapping)
  --profile NAME   for update: auto (default), outcome or sop
  --min-confidence N  for update: findings below N do not count
  --config FILE    for update: the settings of the project; --no-config reads none
                   (default: boundcheck.yaml in this folder, if there)

"boundcheck test" compares traces with references.
Exit codes: 0 done, 1 a file cannot be used, 2 usage, 3 a run differs from the updated reference.
`

// Reference writes, checks and explains references.
func Reference(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	var format, out string
	var words []string
	var mapped cmd.MapFlag
	var update updateFlags
	set := flag.NewFlagSet("reference", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.StringVar(&format, "format", "yaml", "")
	set.StringVar(&out, "out", "", "")
	mapped.RegisterFlags(set)
	update.RegisterFlags(set)
	err := cmd.ParseInterspersed(set, args, &words)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(stdout, referenceUsage)
		return cmd.ExitOK
	}
	if err == nil {
		err = cmd.OneOf("format", format, "yaml", "json")
	}
	if err == nil && mapped.From != "" {
		err = errors.New("--from cannot be used here; run boundcheck convert first")
	}
	switch {
	case err != nil:
	case len(words) == 0:
		err = errors.New("missing subcommand: want new, update, check or explain")
	case !slices.Contains([]string{"new", "update", "check", "explain"}, words[0]):
		err = fmt.Errorf("unknown subcommand %q: want new, update, check or explain", words[0])
	case len(words) == 1:
		err = errors.New("missing FILE")
	case words[0] == "update" && len(words) == 2:
		err = errors.New("update needs REF and at least one TRACE")
	case words[0] == "explain" && len(words) > 2:
		err = errors.New("explain needs exactly one FILE")
	}
	if err != nil {
		fmt.Fprintf(stderr, "boundcheck reference: %v\nrun \"boundcheck reference --help\" for help\n", err)
		return cmd.ExitUsage
	}
	differ := false
	switch words[0] {
	case "update":
		differ, err = update.updateReference(words[1], words[2:], cmd.Ends{Stdin: stdin, Stdout: stdout, Stderr: stderr})
	case "new":
		err = newReference(words[1:], format, out, &mapped, cmd.Ends{Stdin: stdin, Stdout: stdout, Stderr: stderr})
	case "check":
		err = checkReferences(words[1:], stdin, stdout)
	default:
		err = explainReference(words[1], stdin, stdout)
	}
	if err != nil {
		fmt.Fprintf(stderr, "boundcheck reference: %v\n", err)
		return cmd.ExitInput
	}
	if differ {
		return cmd.ExitFailed
	}
	return cmd.ExitOK
}

func newReference(files []string, format, out string, mapped *cmd.MapFlag, s cmd.Ends) error {
	conf, err := cmd.ReadConfig("", ".")
	if err != nil {
		return err
	}
	runs, err := goodRuns(files, s, mapped, conf)
	if err != nil {
		return err
	}
	suite, err := snapshot.Of(runs, files)
	if err != nil {
		return err
	}
	write := suite.YAML
	if format == "json" {
		write = suite.JSON
	}
	data, err := write()
	if err != nil {
		return err
	}
	if out == "" {
		_, err = s.Stdout.Write(data)
		return err
	}
	return cmd.WriteWhole(out, data)
}

// goodRuns reads the runs from which a reference is made. It omits each run that is known
// to have failed, and prints a message about the run. It returns an error if no run is
// left.
func goodRuns(files []string, s cmd.Ends, mapped *cmd.MapFlag, conf *cmd.ConfigFile) (runs []*trajectory.Trajectory, err error) {
	failed := 0
	for _, name := range files {
		data, err := cmd.ReadFile(name, s.Stdin)
		if err == nil {
			data, err = mapped.ApplyMapping(name, data)
		}
		if err != nil {
			return nil, err
		}
		doc, err := decodeRuns(name, data, conf)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		unread := doc.Unread()
		for i := range doc.Trajectories {
			t := &doc.Trajectories[i]
			if t.Success != nil && !*t.Success {
				failed++
				fmt.Fprintf(s.Stderr, "boundcheck reference: %s: run %s failed and is not used\n", name, words.Printable(t.ID))
				continue
			}
			if why := snapshot.Unusable(t, unread[t.ID]); why != "" {
				return nil, fmt.Errorf("%s: run %s cannot make a reference: %s", name, words.Printable(t.ID), why)
			}
			if why := snapshot.FailedChange(t); why != "" {
				fmt.Fprintf(s.Stderr, "boundcheck reference: %s: run %s: %s, so the reference does not have it; if it must be tried and refused, add the step with \"fails: true\"\n", name, words.Printable(t.ID), words.Printable(why))
			}
			runs = append(runs, t)
		}
	}
	if len(runs) == 0 {
		return nil, fmt.Errorf("no usable run for the reference: %s", words.Count(failed, "run failed", "runs failed"))
	}
	return runs, nil
}

// decodeRuns reads the runs of a trace, or of a request that contains a trace.
func decodeRuns(name string, data []byte, conf *cmd.ConfigFile) (*trajectory.Document, error) {
	r, err := core.ReadRequest(data)
	if err != nil {
		return nil, err
	}
	r.Inputs[0].Name = name
	conf.ApplyToRequest(&r)
	doc, err := r.Options.Decode(&r.Inputs[0])
	return &doc, err
}

// readReference reads a reference file of any form. The result is either one reference or
// a map of references by task. The result data has the bytes of the file.
func readReference(name string, stdin io.Reader) (one *reference.Reference, byTask map[string]*reference.Reference, data []byte, err error) {
	if data, err = cmd.ReadFile(name, stdin); err != nil {
		return nil, nil, nil, err
	}
	if one, byTask, err = snapshot.Read(name, data); err != nil {
		return nil, nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	return one, byTask, data, nil
}

func checkReferences(files []string, stdin io.Reader, stdout io.Writer) error {
	var all []error
	for _, name := range files {
		one, byTask, _, err := readReference(name, stdin)
		if err != nil {
			all = append(all, err)
			continue
		}
		if one != nil {
			fmt.Fprintf(stdout, "%s: %s\n", name, snapshot.Size(one))
			continue
		}
		fmt.Fprintf(stdout, "%s: %s\n", name, words.Count(len(byTask), "task", "tasks"))
		for _, id := range slices.Sorted(maps.Keys(byTask)) {
			fmt.Fprintf(stdout, "  %s: %s\n", words.Printable(id), snapshot.Size(byTask[id]))
		}
	}
	return errors.Join(all...)
}

func explainReference(name string, stdin io.Reader, stdout io.Writer) error {
	one, byTask, _, err := readReference(name, stdin)
	if err != nil {
		return err
	}
	if one != nil {
		explainOne(stdout, one)
		return nil
	}
	for _, id := range slices.Sorted(maps.Keys(byTask)) {
		fmt.Fprintf(stdout, "task %s\n", words.Printable(id))
		explainOne(stdout, byTask[id])
	}
	return nil
}

func explainOne(w io.Writer, r *reference.Reference) {
	e := explained{w: w}
	if r.Process != nil {
		e.printNode(r.Process, 0, true)
	} else {
		for i := range r.Steps {
			if !r.Steps[i].MustNot {
				e.printStep(&r.Steps[i], 0)
			}
		}
	}
	for i := range r.Steps {
		if s := &r.Steps[i]; s.MustNot {
			e.printStep(s, 0)
		}
	}
	switch {
	case r.Only != nil && len(r.Only) == 0:
		e.printLine(0, "no tool may be called")
	case r.Only != nil:
		e.printLine(0, "only these tools: "+r.OnlyText())
	}
	for _, s := range r.Says {
		e.printLine(0, fmt.Sprintf("the user is told %q", s))
	}
	if e.n == 0 {
		e.printLine(0, "no action is required")
	}
	if v := r.Vocabulary; v != nil {
		for _, group := range v.Aliases {
			e.printLine(0, strings.Join(group, ", ")+" mean the same")
		}
		for _, c := range v.Compositions {
			e.printLine(0, c.Whole+" is made of "+strings.Join(c.Parts, ", "))
		}
	}
}

type explained struct {
	w io.Writer
	n int
}

func (e *explained) printLine(depth int, text string) {
	e.n++
	fmt.Fprintf(e.w, "%s%s\n", strings.Repeat("  ", depth+1), words.Printable(text))
}

func (e *explained) printNode(n *reference.Node, depth int, outermost bool) {
	words := map[reference.Kind]string{reference.AnyOrder: "in any order:", reference.OneOf: "one of:", reference.Optional: "perhaps:", reference.Sequence: "in this order:"}
	if n.Kind == reference.Action {
		e.printStep(&n.Step, depth)
		return
	}
	if !outermost || n.Kind != reference.Sequence {
		e.printLine(depth, words[n.Kind])
		depth++
	}
	for i := range n.Children {
		e.printNode(&n.Children[i], depth, false)
	}
}

func (e *explained) printStep(s *reference.Step, depth int) {
	text := stepText(s)
	if s.Text == "" && s.Arguments.Len() == 0 && len(s.Expect) == 0 && (s.MustNot || s.Compare != nil && len(s.Compare) == 0) {
		text = s.Name + ", with any arguments"
	}
	if s.MustNot {
		text = "never: " + text
	}
	e.printLine(depth, text)
	var about []string
	if s.Required {
		about = append(about, "required under every profile")
	}
	for _, a := range s.Accept {
		var values []string
		for _, v := range a.Values {
			values = append(values, v.Raw())
		}
		about = append(about, a.Path+" may also be "+strings.Join(values, " or "))
	}
	if len(s.Ignore) > 0 {
		about = append(about, strings.Join(s.Ignore, ", ")+" may be anything")
	}
	for i := range s.Expect {
		about = append(about, s.Expect[i].Path+" must be "+s.Expect[i].Matcher.String())
	}
	if s.Times != nil {
		about = append(about, timesText(s.Times))
	}
	if s.Fails {
		about = append(about, "must be refused if it is tried")
	}
	if len(s.Compare) > 0 {
		about = append(about, "only "+strings.Join(s.Compare, ", ")+" is compared")
	}
	for _, a := range about {
		e.printLine(depth+1, "· "+a)
	}
}

// timesText returns in words how often a step is done.
func timesText(t *reference.Times) string {
	switch {
	case t.Max < 0:
		return fmt.Sprintf("at least %d times", t.Min)
	case t.Min == t.Max:
		return fmt.Sprintf("exactly %d times", t.Min)
	}
	return fmt.Sprintf("%d to %d times", t.Min, t.Max)
}

// stepText returns the text of a step in the reference file. If the step has no text, it
// returns the step as a call in one line.
func stepText(s *reference.Step) string {
	if s.Text != "" {
		return s.Text
	}
	return cmd.CallText(s.Name, s.Arguments.Raw())
}
