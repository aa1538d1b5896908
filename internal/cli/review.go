package cli

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"

	"github.com/boundcheck/boundcheck/core/judge"
	"github.com/boundcheck/boundcheck/core/label"
	"github.com/boundcheck/boundcheck/core/violation"
	"github.com/boundcheck/boundcheck/core/wire"
	"github.com/boundcheck/boundcheck/internal/render"
)

const reviewUsage = `usage: boundcheck review REPORT.json --labels FILE [--below X]
       boundcheck review REPORT.json --labels FILE --agreement [--format NAME]

Walks you through the findings of a report (boundcheck score --format json) that
are not sure, and appends what you say of each to the labels file at once: stop
when you like, the next time goes on where you stopped. With --agreement, tells
how far the rule and the judge agree with your labels.

  --labels FILE          the labels, one JSON object a line
  --below X              findings with less confidence than X (default 0.9; 1.01
                         for all), and those that the judge left to a person
  --agreement            compare instead of asking: shares, Cohen's κ, by label
  --format NAME          of --agreement: table (default), json
`

type reviewFlags struct {
	report, labels, format string
	below                  float64
	agreement              bool
}

// reviewCommand asks a person about uncertain findings, or compares the labels
// that a person gave with the findings.
func reviewCommand(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	f, err := parseReview(args)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(stdout, reviewUsage)
		return exitOK
	}
	if err != nil {
		return misuse(stderr, "review", err, reviewUsage)
	}
	if err := f.run(stdin, stdout, stderr); err != nil {
		fmt.Fprintf(stderr, "boundcheck review: %s\n", render.Printable(err.Error()))
		if f.format == "json" {
			stdout.Write(wire.FailWith(err))
		}
		return exitInput
	}
	return exitOK
}

func parseReview(args []string) (*reviewFlags, error) {
	var f reviewFlags
	set := flag.NewFlagSet("review", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.StringVar(&f.labels, "labels", "", "")
	set.Float64Var(&f.below, "below", judge.DefaultBelow, "")
	set.BoolVar(&f.agreement, "agreement", false, "")
	set.StringVar(&f.format, "format", "table", "")
	files, err := parseMixed(set, args)
	switch {
	case err != nil:
		return nil, err
	case len(files) == 0:
		return nil, errors.New("missing REPORT.json")
	case len(files) > 1:
		return nil, fmt.Errorf("want one REPORT.json, got %d", len(files))
	case f.labels == "" || f.labels == "-":
		return nil, errors.New("missing --labels FILE")
	case files[0] == "-" && !f.agreement:
		return nil, errors.New("the report cannot come from standard input: your answers do")
	case f.format != "table" && !f.agreement:
		return nil, errors.New("--format has no meaning without --agreement")
	}
	f.report = files[0]
	return &f, oneOf("format", f.format, "table", "json")
}

func (f *reviewFlags) run(stdin io.Reader, stdout, stderr io.Writer) error {
	data, err := readFile(f.report, stdin)
	if err != nil {
		return err
	}
	findings, err := label.Findings(data)
	if err != nil {
		return fmt.Errorf("%s: %w", f.report, err)
	}
	old, err := os.ReadFile(f.labels)
	if err != nil && (f.agreement || !errors.Is(err, os.ErrNotExist)) {
		return err
	}
	labels, complaints, err := label.Read(old)
	if err != nil {
		return fmt.Errorf("%s: %w", f.labels, err)
	}
	for _, c := range complaints {
		fmt.Fprintf(stderr, "boundcheck review: %s: %s\n", render.Printable(f.labels), render.Printable(c))
	}
	if f.agreement {
		c := label.Compare(findings, labels)
		if f.format == "json" {
			stdout.Write(wire.Marshal(&c))
		} else {
			render.Agreement(stdout, &c)
		}
		return nil
	}
	r := reviewer{labels: labels, in: bufio.NewScanner(stdin), out: stdout}
	for i := range findings {
		if findings[i].Uncertain(f.below) {
			r.findings = append(r.findings, &findings[i])
		}
	}
	file := reviewFile{name: f.labels, whole: label.Whole(old)}
	defer file.close()
	return r.walk(&file)
}

// reviewFile appends labels; the file is made with the first one.
type reviewFile struct {
	name  string
	whole bool // ends with a line feed
	f     *os.File
}

// add appends one line and does not return before it is on the disk.
func (w *reviewFile) add(l label.Line) error {
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
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EINVAL) { // a pipe or a device has no disk
		return nil
	}
	return err
}

func (w *reviewFile) close() {
	if w.f != nil {
		w.f.Close() // every label is synced already
	}
}

// reviewer walks through findings, one question each.
type reviewer struct {
	findings []*label.Finding
	labels   label.Labels
	in       *bufio.Scanner
	out      io.Writer
}

func (r *reviewer) f(format string, a ...any) { fmt.Fprintf(r.out, format, a...) }

// next gives the first finding from i on that has no label.
func (r *reviewer) next(i int) int {
	for i < len(r.findings) && r.labels[r.findings[i].ID] != "" {
		i++
	}
	return i
}

// walk asks until the findings, the answers or the patience end.
func (r *reviewer) walk(file *reviewFile) error {
	for i := r.next(0); i < len(r.findings); {
		r.show(i)
		key, ok := r.key()
		if !ok || key == "q" {
			break
		}
		switch given := r.meaning(key, r.findings[i]); {
		case given != "":
			if err := file.add(label.NewLine(r.findings[i], given)); err != nil {
				return err
			}
			r.labels[r.findings[i].ID] = given
			r.f("  %s\n", given)
			i = r.next(i + 1)
		case key == "s":
			i = r.next(i + 1)
		case key == "b" && i > 0:
			i--
		case key == "b":
			r.f("  this is the first one\n")
		default:
			r.f("  please answer with one of c, n, 1 to 6, s, b, q\n")
		}
	}
	return r.end()
}

func (r *reviewer) end() error {
	left := 0
	for _, f := range r.findings {
		if r.labels[f.ID] == "" {
			left++
		}
	}
	switch {
	case len(r.findings) == 0:
		r.f("nothing to review: every finding is sure enough\n")
	case left == 0:
		r.f("\n%s: all labelled\n", render.Count(len(r.findings), "finding", "findings"))
	default:
		r.f("\n%d of %s labelled; run it again to go on\n", len(r.findings)-left, render.Count(len(r.findings), "finding", "findings"))
	}
	return r.in.Err()
}

// key reads one answer; false at the end of the input.
func (r *reviewer) key() (string, bool) {
	r.f("> ")
	if !r.in.Scan() {
		r.f("\n")
		return "", false
	}
	return strings.ToLower(strings.TrimSpace(r.in.Text())), true
}

// meaning gives the label that a key stands for; "" for the other keys.
func (r *reviewer) meaning(key string, f *label.Finding) judge.Label {
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
