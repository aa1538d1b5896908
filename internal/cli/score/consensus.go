package score

import (
	"flag"
	"fmt"
	"io"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/wire"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/internal/words"
)

const consensusUsage = `usage: boundcheck consensus [--format table|json] [--limit N] FILE…

Compares the runs of each task with each other, without a reference. The runs may be
trials of one agent, or come from several agents. Runs that made the same changes form a
group. Each smaller group is compared with the largest group, and the table shows the
first change that differs. Agreement is evidence, not proof: most runs may be wrong in
the same way.

  --format NAME          table (default), json
  --limit N              tasks shown in the table (default 20; 0 for all)
` + cmd.MapFlagUsage

// Consensus implements "boundcheck consensus", which groups the runs of each task
// by the changes that they made.
func Consensus(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	f := cmd.ScoreFlags{Profile: "auto", Lint: true}
	set := flag.NewFlagSet("consensus", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.StringVar(&f.Format, "format", "table", "")
	set.IntVar(&f.Limit, "limit", 20, "")
	f.Mapped.RegisterFlags(set)
	err := cmd.ParseInterspersed(set, args, &f.Files)
	if err == nil {
		f.Files, err = cmd.InputFiles(f.Files, stdin)
	}
	if err == nil {
		err = cmd.OneOf("format", f.Format, "table", "json")
	}
	if err != nil {
		return cmd.PrintUsage(stdout, stderr, "consensus", err, consensusUsage)
	}
	report, err := f.ScoreFiles(stdin, stderr)
	if err != nil {
		return f.PrintRefusal(err, stdout, stderr)
	}
	tasks := core.Agree(&report)
	if f.Format == "json" {
		stdout.Write(wire.Marshal(tasks))
	} else {
		writeConsensus(stdout, tasks, f.Limit)
	}
	return f.PluginCode
}

func writeConsensus(w io.Writer, tasks []core.Consensus, limit int) {
	if len(tasks) == 0 {
		fmt.Fprintln(w, "no task has more than one run, so there is nothing to compare")
		return
	}
	unanimous, most := 0, 0
	for i := range tasks {
		share, majority := tasks[i].Support()
		if share == 1 {
			unanimous++
		} else if majority {
			most++
		}
	}
	fmt.Fprintf(w, "%s with several runs: %d where all runs made the same changes, %d where more than half made the same changes\n", words.Count(len(tasks), "task", "tasks"), unanimous, most)
	shown := 0
	for i := range tasks {
		if len(tasks[i].Clusters) == 1 {
			continue
		}
		if limit > 0 && shown == limit {
			fmt.Fprintln(w, "\n… and more; --limit 0 shows all")
			return
		}
		shown++
		writeTask(w, &tasks[i])
	}
}

func writeTask(w io.Writer, c *core.Consensus) {
	fmt.Fprintf(w, "\ntask %s, %d runs\n", words.Printable(c.Task), c.Runs)
	for _, cluster := range c.Clusters {
		fmt.Fprintf(w, "  %s made %s: %s\n", words.Count(len(cluster.Runs), "run", "runs"), changesText(len(cluster.Effects)), words.Printable(fmt.Sprint(cluster.Runs)))
		if p := cluster.Parting; p != nil {
			fmt.Fprintf(w, "    first difference: this group %s; the largest group %s\n", describeDifference(p.Own, p.OwnText), describeDifference(p.Other, p.OtherText))
		}
	}
}

func changesText(n int) string {
	if n == 0 {
		return "no change"
	}
	return words.Count(n, "change", "changes")
}

// describeDifference describes the first action in which a group of runs differs from
// another group. The text shows the action, see core.Parting.
func describeDifference(action int, text string) string {
	if action < 0 {
		return "makes no more changes"
	}
	return fmt.Sprintf("does %s (action %d)", words.Printable(text), action+1)
}
