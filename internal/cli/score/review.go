package score

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"syscall"

	"github.com/boundcheck/boundcheck/core/stage/judge"
	"github.com/boundcheck/boundcheck/core/stage/violation"
	"github.com/boundcheck/boundcheck/core/study/label"
	"github.com/boundcheck/boundcheck/core/wire"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/internal/render"
	"github.com/boundcheck/boundcheck/internal/words"
)

const reviewUsage = `usage: boundcheck review REPORT.json --labels FILE [--rater NAME] [--below X | --sample N]
       boundcheck review REPORT.json --labels FILE... --agreement [--format NAME]

Asks you about the uncertain findings of a report (boundcheck score --format json)
and appends each answer to the labels file at once. You can stop at any time: the
next review continues there. With --agreement, reports how far the rule and the judge
agree with the labels, and how far people agree with each other. Findings that were
marked on the page are labelled already, as by "person": right is the finding's own label,
wrong is NONE until a labels file says more.

  --labels FILE          the labels file, one JSON object a line; with --agreement it
                         may be repeated
  --rater NAME           your name (default "person"); you do not see the labels
                         of other raters
  --below X              ask about findings with less confidence than X (default
                         0.9; 1.01 for all), and those that the judge left to a person
  --sample N             ask about N random findings, stratified by label and band
                         of confidence
  --seed S               the seed of --sample (default 1): all raters use the same one
  --agreement            do not ask; print the agreement: shares, Cohen's κ, by band of
                         confidence and by label; Fleiss' κ among people
  --format NAME          for --agreement: table (default), json, markdown (with a paragraph on
                         methods), html (one file with plots)
`

type reviewFlags struct {
	report, rater, format string
	labels                []string
	below                 float64
	sample                int
	seed                  uint64
	agreement             bool
}

// Review asks a person about uncertain findings, or compares the labels
// that a person gave with the findings.
func Review(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	f, err := parseReview(args)
	if err != nil {
		return cmd.PrintUsage(stdout, stderr, "review", err, reviewUsage)
	}
	if err := f.run(stdin, stdout, stderr); err != nil {
		return cmd.PrintFailure(stdout, stderr, "review", f.format, err)
	}
	return cmd.ExitOK
}

func parseReview(args []string) (*reviewFlags, error) {
	var f reviewFlags
	set := flag.NewFlagSet("review", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.Func("labels", "", func(s string) error { f.labels = append(f.labels, s); return nil })
	set.StringVar(&f.rater, "rater", label.Person, "")
	set.IntVar(&f.sample, "sample", 0, "")
	set.Uint64Var(&f.seed, "seed", 1, "")
	set.Float64Var(&f.below, "below", judge.DefaultBelow, "")
	set.BoolVar(&f.agreement, "agreement", false, "")
	set.StringVar(&f.format, "format", "table", "")
	files, err := cmd.ParseMixed(set, args)
	given := map[string]bool{}
	set.Visit(func(of *flag.Flag) { given[of.Name] = true })
	switch {
	case err != nil:
		return nil, err
	case len(files) == 0:
		return nil, errors.New("missing REPORT.json")
	case len(files) > 1:
		return nil, fmt.Errorf("want one REPORT.json, got %d", len(files))
	case len(f.labels) == 0 || slices.Contains(f.labels, "") || slices.Contains(f.labels, "-"):
		return nil, errors.New("missing --labels FILE")
	case len(f.labels) > 1 && !f.agreement:
		return nil, errors.New("want one --labels FILE; several --labels need --agreement")
	case f.agreement && (given["rater"] || given["sample"] || given["seed"] || given["below"]):
		return nil, errors.New("--rater, --sample, --seed and --below cannot be used with --agreement, which compares all labels")
	case strings.TrimSpace(f.rater) == "" || words.Printable(f.rater) != f.rater:
		return nil, errors.New("invalid --rater: want a name")
	case given["sample"] && f.sample < 1:
		return nil, errors.New("invalid --sample: want a number above 0")
	case given["sample"] && given["below"]:
		return nil, errors.New("--below cannot be used with --sample, which draws from all findings")
	case given["seed"] && !given["sample"]:
		return nil, errors.New("--seed can be used only with --sample")
	case files[0] == "-" && !f.agreement:
		return nil, errors.New("the report cannot be standard input, because your answers are read from it")
	case f.format != "table" && !f.agreement:
		return nil, errors.New("--format can be used only with --agreement")
	}
	f.report = files[0]
	return &f, cmd.OneOf("format", f.format, cmd.PaperFormats...)
}

func (f *reviewFlags) run(stdin io.Reader, stdout, stderr io.Writer) error {
	data, err := cmd.ReadFile(f.report, stdin)
	if err != nil {
		return err
	}
	findings, err := label.Findings(data)
	if err != nil {
		return fmt.Errorf("%s: %w", f.report, err)
	}
	if f.agreement {
		return f.compareRaters(findings, stdout, stderr)
	}
	labels, old, err := f.readLabels(f.labels[0], stderr)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if f.rater == label.Person {
		if labels == nil {
			labels = label.Labels{}
		}
		labels.AddMarks(findings)
	}
	r := reviewer{labels: labels.Of(f.rater), rater: f.rater, in: bufio.NewScanner(stdin), out: stdout}
	if f.sample > 0 {
		r.findings = label.Sample(findings, f.sample, f.seed)
	} else {
		for i := range findings {
			if findings[i].Uncertain(f.below) {
				r.findings = append(r.findings, &findings[i])
			}
		}
	}
	file := reviewFile{name: f.labels[0], whole: label.Whole(old)}
	defer file.Close()
	return r.askFindings(&file)
}

// readLabels returns the labels of a file and its bytes, and prints the errors in it.
func (f *reviewFlags) readLabels(name string, stderr io.Writer) (label.Labels, []byte, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return label.Labels{}, nil, err
	}
	labels, complaints, err := label.Read(data)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	for _, c := range complaints {
		fmt.Fprintf(stderr, "boundcheck review: %s: %s\n", words.Printable(name), words.Printable(c))
	}
	return labels, data, nil
}

// compareRaters prints the agreement between people, rules and the judge.
func (f *reviewFlags) compareRaters(findings []label.Finding, stdout, stderr io.Writer) error {
	all := label.Labels{}
	for _, name := range f.labels {
		labels, _, err := f.readLabels(name, stderr)
		if err != nil {
			return err
		}
		all.Add(labels, name)
	}
	all.AddMarks(findings)
	c := label.Compare(findings, all)
	switch f.format {
	case "json":
		stdout.Write(wire.Marshal(&c))
	case "markdown":
		render.AgreementPaper(&c).Markdown(stdout)
	case "html":
		return render.AgreementPaper(&c).HTML(stdout)
	default:
		render.Agreement(stdout, &c)
	}
	return nil
}

// reviewFile appends labels; the file is created with the first one.
type reviewFile struct {
	name  string
	whole bool // the file ends with a line feed
	f     *os.File
}

// appendLine appends one line to the file, and returns after the line is on the disk.
func (w *reviewFile) appendLine(l label.Line) error {
	if w.f == nil {
		f, err := os.OpenFile(w.name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
		if err != nil {
			return err
		}
		w.f = f
	}
	line := l.Bytes()
	if !w.whole {
		line = append([]byte("\n"), line...)
	}
	if _, err := w.f.Write(line); err != nil {
		return err
	}
	w.whole = true
	err := w.f.Sync()
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EINVAL) { // a pipe or a device cannot be synced
		return nil
	}
	return err
}

func (w *reviewFile) Close() {
	if w.f != nil {
		w.f.Close() // every label is synced already
	}
}

// reviewer walks through findings, one question each.
type reviewer struct {
	findings []*label.Finding
	labels   map[string]judge.Label // labels of this rater, by finding
	rater    string
	in       *bufio.Scanner
	out      io.Writer
}

func (r *reviewer) printf(format string, a ...any) { fmt.Fprintf(r.out, format, a...) }

// nextUnlabeled returns the index of the first finding without a label, at index i or
// after it. If there is none, it returns the number of findings.
func (r *reviewer) nextUnlabeled(i int) int {
	for i < len(r.findings) && r.labels[r.findings[i].ID] != "" {
		i++
	}
	return i
}

// askFindings asks about each finding without a label. It stops after the last one, at
// the end of the input, and when the person quits.
func (r *reviewer) askFindings(file *reviewFile) error {
	for i := r.nextUnlabeled(0); i < len(r.findings); {
		r.showFinding(i)
		key, ok := r.readKey()
		if !ok || key == "q" {
			break
		}
		switch given := r.keyLabel(key, r.findings[i]); {
		case given != "":
			if err := file.appendLine(label.NewLine(r.findings[i], given, r.rater)); err != nil {
				return err
			}
			r.labels[r.findings[i].ID] = given
			r.printf("  %s\n", given)
			i = r.nextUnlabeled(i + 1)
		case key == "s":
			i = r.nextUnlabeled(i + 1)
		case key == "b" && i > 0:
			i--
		case key == "b":
			r.printf("  this is the first finding\n")
		default:
			r.printf("  please answer with one of c, n, 1 to 6, s, b, q\n")
		}
	}
	return r.printRemaining()
}

func (r *reviewer) printRemaining() error {
	left := 0
	for _, f := range r.findings {
		if r.labels[f.ID] == "" {
			left++
		}
	}
	switch {
	case len(r.findings) == 0:
		r.printf("nothing to review: every finding is certain enough\n")
	case left == 0:
		r.printf("\n%s: all labelled\n", words.Count(len(r.findings), "finding", "findings"))
	default:
		r.printf("\n%d of %s labelled; run the same command again to continue\n", len(r.findings)-left, words.Count(len(r.findings), "finding", "findings"))
	}
	return r.in.Err()
}

// readKey reads one answer. It returns false at the end of the input.
func (r *reviewer) readKey() (string, bool) {
	r.printf("> ")
	if !r.in.Scan() {
		r.printf("\n")
		return "", false
	}
	return strings.ToLower(strings.TrimSpace(r.in.Text())), true
}

// keyLabel returns the label for a key, or "" if the key means no label.
func (r *reviewer) keyLabel(key string, f *label.Finding) judge.Label {
	switch {
	case key == "c":
		return judge.LabelOf(violation.Type(f.Type))
	case key == "n":
		return judge.None
	case len(key) == 1 && key[0] >= '1' && key[0] <= '6':
		return judge.Labels()[key[0]-'1']
	}
	return ""
}
