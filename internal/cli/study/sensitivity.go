package study

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/wire"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/internal/render"
	"github.com/boundcheck/boundcheck/internal/words"
)

const sensitivityUsage = `usage: boundcheck study sensitivity [FLAGS] FILE…   (- is standard input)

Measures how much the figures depend on two thresholds: τ, the similarity that a match
must pass, and θ, the threshold: a success counts only if its ABS is above this value to count in BASR. One line for each pair.

  --tau LIST             values of τ (default 0.75,0.8,0.85,0.9,0.95)
  --theta LIST           values of θ (default 0.7,0.8,0.9)
  --profile NAME         auto (default), outcome or sop
  --format NAME          table (default), json, markdown (with a paragraph on methods),
                         html (one file with plots)
` + cmd.ReaderUsage

// sensitivityRow holds the figures of one file for one pair of parameters.
type sensitivityRow struct {
	File    string       `json:"file"`
	Tau     float64      `json:"tau"`
	Theta   float64      `json:"theta"`
	Flagged int          `json:"flagged"`
	N       int          `json:"n"`
	Metrics core.Metrics `json:"metrics"`
}

func sensitivityCommand(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	set := flag.NewFlagSet("sensitivity", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	format, profile := set.String("format", "table", ""), set.String("profile", "auto", "")
	taus, thetas := []float64{0.75, 0.8, 0.85, 0.9, 0.95}, []float64{0.7, 0.8, 0.9}
	set.Func("tau", "", numbersInto(&taus))
	set.Func("theta", "", numbersInto(&thetas))
	var plugins cmd.CheckerFlags
	plugins.RegisterReader(set)
	files, err := cmd.ParseMixed(set, args)
	if err == nil && len(files) == 0 {
		err = errors.New("missing FILE")
	}
	if err == nil {
		err = errors.Join(cmd.OneOf("format", *format, cmd.PaperFormats...), cmd.OneOf("profile", *profile, "auto", "outcome", "sop"), plugins.CheckFlags())
	}
	if err != nil {
		return cmd.PrintUsage(stdout, stderr, "study sensitivity", err, sensitivityUsage)
	}
	loaded, labels, ok := loadFor(&plugins, files, stderr)
	if !ok {
		return cmd.ExitInput
	}
	defer loaded.Stop()
	rows := []sensitivityRow{}
	for _, name := range files {
		more, err := sensitivityRows(name, *profile, taus, thetas, loaded, stdin, stderr)
		if err != nil {
			fmt.Fprintf(stderr, "boundcheck study: %s: %s\n", words.Printable(name), words.Printable(studyReason(name, err)))
			return cmd.ExitInput
		}
		for i := range more {
			more[i].File = labels[name]
		}
		rows = append(rows, more...)
	}
	switch *format {
	case "json":
		stdout.Write(wire.Marshal(map[string][]sensitivityRow{"rows": rows}))
	case "table":
		sensitivityTable(stdout, rows)
	}
	if !cmd.WritePaper(*format, sensitivityPaper(rows), "study", stdout, stderr) {
		return cmd.ExitInput
	}
	return loaded.PrintContributions("study", "", stderr)
}

// numbersInto returns a function that parses a list of numbers separated by commas, and
// stores the numbers in *at.
func numbersInto(at *[]float64) func(string) error {
	return func(s string) error {
		*at = nil
		for part := range strings.SplitSeq(s, ",") {
			v, err := strconv.ParseFloat(strings.TrimSpace(part), 64)
			if err != nil {
				return fmt.Errorf("want numbers separated by commas, such as 0.8,0.85")
			}
			*at = append(*at, v)
		}
		return nil
	}
}

func sensitivityRows(name, profile string, taus, thetas []float64, loaded *cmd.Plugins, stdin io.Reader, stderr io.Writer) ([]sensitivityRow, error) {
	request, err := loaded.ReadRequest(name, stdin, stderr)
	if err != nil {
		return nil, err
	}
	if profile != "auto" {
		request.Options.Profile = profile
	}
	var rows []sensitivityRow
	for _, tau := range taus {
		request.Options.Params.Tau = &tau
		report, err := loaded.Evaluate(request)
		if err != nil {
			return nil, err
		}
		for _, theta := range thetas { // θ only affects the counts, so the same report is counted again
			o := request.Options
			o.Params.Theta = &theta
			corpus, err := core.Recount(&report, &o)
			if err != nil {
				return nil, err
			}
			rows = append(rows, sensitivityRow{Tau: tau, Theta: theta, Flagged: corpus.Flagged, N: corpus.N, Metrics: corpus.Metrics})
		}
	}
	return rows, nil
}

func sensitivityTable(w io.Writer, rows []sensitivityRow) {
	t := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	fmt.Fprint(t, "  file\tτ\tθ\tflagged\tABS (max)\tABS (agent)\tSVR\tgranularity\tSR\tBASR (max)\tBASR (agent)\n")
	for i := range rows {
		r := &rows[i]
		m := &r.Metrics
		fmt.Fprintf(t, "  %s\t%v\t%v\t%d of %d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", words.Printable(r.File), r.Tau, r.Theta, r.Flagged, r.N,
			scoreText(m.ABS.Max), scoreText(m.ABS.Agent), scoreText(m.SVR), scoreText(m.GranularityRate), scoreText(*m.SR), scoreText(m.BASR.Max), scoreText(m.BASR.Agent))
	}
	t.Flush()
}

// sensitivityPaper returns a document with the figures for all pairs of τ and θ, a
// picture of ABS by τ, and a picture of BASR by τ and θ.
func sensitivityPaper(rows []sensitivityRow) *render.Paper {
	abs := render.Sheet{Title: "ABS by τ", Shows: "ABS (max)", Head: []string{"file", "τ", "flagged", "ABS (max)", "ABS (agent)", "SVR", "granularity", "SR"}}
	basr := render.Sheet{Title: "BASR by τ and θ", Shows: "BASR (max)", Head: []string{"file", "τ", "θ", "BASR (max)", "BASR (agent)"}}
	p := &render.Paper{Title: "Sensitivity to τ and θ", Methods: "Runs were aligned to their references (Needleman and Wunsch, 1970) with each value of τ, the similarity that a match must exceed. BASR was counted with each value of θ. " +
		"A success counts only if its ABS is above θ. Figures are means over tasks, and the value of a task is the mean of its trials. Figures have 95 % percentile intervals of a seeded bootstrap over tasks (Efron and Tibshirani, 1993)."}
	seen, small := map[string]bool{}, map[string]bool{}
	for i := range rows {
		r := &rows[i]
		m := &r.Metrics
		name := fmt.Sprintf("τ %v: %s", r.Tau, r.File)
		if !seen[name] {
			seen[name] = true
			abs.Add(name, &m.ABS.Max, r.File, fmt.Sprint(r.Tau), fmt.Sprintf("%d of %d", r.Flagged, r.N), render.Interval(&m.ABS.Max), render.Interval(&m.ABS.Agent), render.Interval(&m.SVR),
				render.Interval(&m.GranularityRate), render.Interval(m.SR))
		}
		if m.BASR != nil {
			basr.Add(fmt.Sprintf("τ %v, θ %v: %s", r.Tau, r.Theta, r.File), &m.BASR.Max, r.File, fmt.Sprint(r.Tau), fmt.Sprint(r.Theta), render.Interval(&m.BASR.Max), render.Interval(&m.BASR.Agent))
		}
		if r.N < 20 && !small[r.File] {
			small[r.File] = true
			p.Notes = append(p.Notes, fmt.Sprintf("%s: the number of runs is small (%d), so one changed run moves the figures by %.0f points", r.File, r.N, 100/float64(max(1, r.N))))
		}
	}
	p.Sheets = []render.Sheet{abs, basr}
	return p
}

func scoreText(s core.Score) string {
	if !s.Scored {
		return "–"
	}
	return fmt.Sprintf("%.3f", *s.Value)
}
