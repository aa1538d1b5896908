//go:build !js

package score

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/internal/words"
)

// recordFresh runs the user's command and records its traces in a new folder, which
// becomes the folder of the traces. The law: no trace of an earlier run is tested. If a
// word of the command contains {task}, the command runs once for each task, and a task for
// which it wrote nothing has no trace. done removes the folder, except if the user keeps
// it.
func (t *suiteTest) recordFresh() (done func(), err error) {
	target, err := upstreamURL(t.upstream)
	if err != nil {
		return nil, err
	}
	if t.traces, done, err = t.freshFolder(); err != nil {
		return nil, err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	tasks := t.tasks()
	perTask := slices.ContainsFunc(t.command, func(word string) bool { return strings.Contains(word, "{task}") })
	switch {
	case perTask && len(tasks) == 0:
		err = fmt.Errorf("no references in folder %s, so there is no {task}", t.refs)
	case perTask:
		for i := range tasks {
			if err = t.recordTask(ctx, target, &tasks[i]); err != nil {
				break
			}
		}
	default:
		all := testTask{name: "all tasks"}
		if len(tasks) == 1 {
			all.folder = tasks[0].folder
		}
		err = t.recordTask(ctx, target, &all)
	}
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		done()
	}
	return done, err
}

// freshFolder returns a new folder for traces.
func (t *suiteTest) freshFolder() (dir string, done func(), err error) {
	if t.keep == "" {
		dir, err = os.MkdirTemp("", "boundcheck-traces-")
		return dir, func() { os.RemoveAll(dir) }, err
	}
	files, err := os.ReadDir(t.keep)
	if err == nil && len(files) > 0 {
		return "", nil, fmt.Errorf("the folder %s of --keep is not empty", t.keep)
	}
	return t.keep, func() {}, os.MkdirAll(t.keep, 0o755)
}

// recordTask runs the command for a task. What the command writes into the folder
// $BOUNDCHECK_TRACES counts. If it writes nothing, its conversations with the model count.
func (t *suiteTest) recordTask(ctx context.Context, target *url.URL, task *testTask) error {
	dir := t.traces
	if task.held != nil {
		dir = filepath.Join(t.traces, filepath.FromSlash(task.folder))
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	var args []string
	for _, word := range t.command {
		args = append(args, strings.ReplaceAll(word, "{task}", task.name))
	}
	env := []string{"BOUNDCHECK_TASK=" + task.name, "BOUNDCHECK_TRACES=" + dir}
	log, code, err := runRecorded(ctx, target, args, env, cmd.Ends{Stdin: strings.NewReader(""), Stdout: t.stderr, Stderr: t.stderr})
	if err != nil {
		return err
	}
	if code != 0 {
		t.fail(task.name, fmt.Sprintf("the command ended with exit code %d", code))
	}
	files, err := cmd.FilesIn(dir, dir)
	if err != nil || len(files) > 0 || task.folder == "" {
		return err
	}
	data, odd := log.Trace()
	for _, text := range odd {
		fmt.Fprintf(t.stderr, "boundcheck test: %s\n", words.Printable(text))
	}
	if len(data) == 0 {
		return nil
	}
	return cmd.WriteWhole(filepath.Join(t.traces, filepath.FromSlash(task.folder)+".recorded.jsonl"), data)
}
