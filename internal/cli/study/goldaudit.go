package study

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/boundcheck/boundcheck/core/wire"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/internal/gold"
	"github.com/boundcheck/boundcheck/internal/words"
	"github.com/boundcheck/boundcheck/plugins/abi"
)

// goldAudit is the JSON output of gold audit.
type goldAudit struct {
	Benchmark string        `json:"benchmark"`
	Plugin    string        `json:"plugin"`
	Tasks     []auditedTask `json:"tasks"` // tasks with flags, in the file's order
	Looked    int           `json:"looked"`
	Notes     []string      `json:"notes"`
}

type auditedTask struct {
	Task  string     `json:"task"`
	Flags []abi.Flag `json:"flags"`
}

// auditTasks lets the plugin audit each task, and prints the flags that the plugin
// returns, as a table or as JSON. It omits flags whose confidence is below f.least.
func (f *goldFlags) auditTasks(ctx context.Context, b *goldBench, e cmd.Ends) error {
	out := goldAudit{Benchmark: b.file.Benchmark, Plugin: b.plugin.Description.Name, Tasks: []auditedTask{}, Looked: len(b.file.Tasks), Notes: []string{}}
	for i := range b.file.Tasks {
		t := &b.file.Tasks[i]
		a, err := b.plugin.Audit(ctx, auditRequest(b.file.Benchmark, t))
		if err != nil {
			return fmt.Errorf("task %s: %w", words.Printable(t.ID), err)
		}
		for _, n := range a.Notes {
			out.Notes = append(out.Notes, "task "+t.ID+": "+n)
		}
		a.Flags = slices.DeleteFunc(a.Flags, func(g abi.Flag) bool { return g.Confidence < f.least })
		if len(a.Flags) > 0 {
			out.Tasks = append(out.Tasks, auditedTask{t.ID, a.Flags})
		}
	}
	if f.format == "json" {
		_, err := e.Stdout.Write(wire.Marshal(&out))
		return err
	}
	auditTable(e.Stdout, &out)
	return nil
}

func auditRequest(benchmark string, t *gold.Task) abi.AuditRequest {
	r := abi.AuditRequest{Benchmark: benchmark, Task: t.ID, Instruction: t.Words(), Actions: []abi.Action{}, Outputs: t.Outputs}
	for _, a := range t.Actions {
		r.Actions = append(r.Actions, abi.Action{Name: a.Name, Arguments: a.Arguments})
	}
	return r
}

func auditTable(w io.Writer, a *goldAudit) {
	t := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	fmt.Fprint(t, "task\taction\tkind\tsure\tevidence\tproposed\n")
	kinds := map[string]int{}
	total := 0
	for _, task := range a.Tasks {
		for _, f := range task.Flags {
			kinds[f.Kind]++
			total++
			action := "–"
			if f.Action >= 0 {
				action = fmt.Sprint(f.Action + 1)
			}
			fmt.Fprintf(t, "%s\t%s\t%s\t%.2f\t%s\t%d\n", words.Printable(task.Task), action, words.Printable(f.Kind), f.Confidence, words.Printable(f.Evidence), len(f.Proposed))
		}
	}
	t.Flush()
	var parts []string
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		parts = append(parts, fmt.Sprintf("%d %s", kinds[kind], words.Printable(kind)))
	}
	const most = 3
	for i, n := range a.Notes {
		if i == most {
			fmt.Fprintf(w, "note: … and %d more\n", len(a.Notes)-most)
			break
		}
		fmt.Fprintf(w, "note: %s\n", words.Printable(n))
	}
	fmt.Fprintf(w, "%s audited. The audit found %s in %d of these tasks: %s\n", words.Count(a.Looked, "task", "tasks"), words.Count(total, "flag", "flags"), len(a.Tasks), strings.Join(parts, ", "))
}
