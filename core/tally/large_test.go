package tally

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/lines"
)

// TestMillionTasks finishes the partial results of ten million runs of a million tasks, in
// a process of its own, within 60 s and 512 MB: with the trials of a task side by side, and
// spread over the shards. BOUNDCHECK_TASKS=1000000 asks for all of them; else it is a
// hundredth, within a hundredth of the time.
func TestMillionTasks(t *testing.T) {
	if dir := os.Getenv("BOUNDCHECK_FINISH"); dir != "" {
		finishAll(t, dir)
		return
	}
	tasks := 10_000
	if n, err := strconv.Atoi(os.Getenv("BOUNDCHECK_TASKS")); err == nil {
		tasks = n
	}
	const trials, shards = 10, 50
	for _, spread := range []bool{false, true} {
		dir := t.TempDir()
		size := int64(0)
		for i := range shards {
			text := largeShard(i, shards, tasks, trials, spread)
			size += int64(len(text))
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(i)), text, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		child := exec.Command(os.Args[0], "-test.run=TestMillionTasks$", "-test.v")
		child.Env = append(os.Environ(), "BOUNDCHECK_FINISH="+dir, "GOGC=30")
		began := time.Now()
		out, err := child.CombinedOutput()
		took := time.Since(began)
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		figures := regexp.MustCompile(`N (\d+), tasks (\d+), peak (\d+) kB`).FindSubmatch(out)
		if figures == nil || string(figures[1]) != fmt.Sprint(tasks*trials) || string(figures[2]) != fmt.Sprint(tasks) {
			t.Fatalf("%s", out)
		}
		peak, _ := strconv.Atoi(string(figures[3]))
		t.Logf("%d runs of %d tasks, spread %v: %d MB of partial results finish in %.1f s and %d MB", tasks*trials, tasks, spread, size>>20, took.Seconds(), peak>>10)
		if peak>>10 > 512 || took > 60*time.Second {
			t.Error("over 60 s or 512 MB")
		}
	}
}

func finishAll(t *testing.T, dir string) {
	var set Set
	names, _ := filepath.Glob(filepath.Join(dir, "*"))
	for _, name := range names {
		file, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		info, _ := file.Stat()
		if err := set.Read(name, file, info.Size()); err != nil {
			t.Fatal(err)
		}
	}
	s, err := set.Finish(0)
	if err != nil {
		t.Fatal(err)
	}
	status, _ := os.ReadFile("/proc/self/status")
	peak := regexp.MustCompile(`VmHWM:\s+(\d+)`).FindSubmatch(append(status, "VmHWM: 0"...))
	fmt.Printf("N %d, tasks %d, peak %s kB, %+v\n", s.Corpus.N, s.Corpus.Tasks, peak[1], s.Corpus.Metrics.SR.Interval)
}

// largeShard is a shard of runs whose figures are those of random counts.
func largeShard(index, shards, tasks, trials int, spread bool) []byte {
	origin := &Origin{Files: []File{{Path: "runs.jsonl", Name: "runs.jsonl", Bytes: -1}}, Shards: shards, Profile: "auto", Seed: 42}
	t := New(origin, index, true)
	random := rand.New(rand.NewPCG(uint64(index), 18))
	var figures [6]float64
	score := func(i int) core.Score { return core.Score{Value: &figures[i], Scored: true} }
	run := core.Trajectory{Reference: []core.Action{}, Profile: "outcome"}
	m := &run.Metrics
	m.ABS.Agent, m.ABS.Max, m.GAR, m.SVR, m.GranularityRate, m.ScopeAndGranularityRate = score(0), score(1), score(2), score(3), score(4), score(5)
	n := tasks * trials / shards
	for i := range n {
		at := index*n + i
		task := at / trials
		if spread {
			task = at % tasks
		}
		run.Task, run.ID = strconv.Itoa(task), fmt.Sprintf("%d/%d", task, at)
		for j := range figures {
			d := 1 + random.IntN(20)
			figures[j] = float64(random.IntN(d+1)) / float64(d)
		}
		won := random.IntN(3) == 0
		run.Success = &won
		t.Element(0, false)
		t.Add(0, &run, lines.Own{ID: run.ID, Task: true})
	}
	t.Lines(0, n)
	return t.Encode()
}
