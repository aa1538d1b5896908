//go:build !js

package tally

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"time"
)

// TestMillionTasks checks that a separate process can finish partial results with at most
// 512 MB of memory. In one case the trials of a task are in the same shard, and in the
// other case they are spread over the shards. There are a hundred thousand runs of ten
// thousand tasks. With BOUNDCHECK_TASKS=1000000 there are ten million runs of a million
// tasks, and the process must finish within 60 s.
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
		if peak>>10 > 512 {
			t.Errorf("peak memory is %d MB, want at most 512 MB", peak>>10)
		}
		if tasks >= 1_000_000 && took > 60*time.Second {
			t.Errorf("finishing took %v, want at most 60 s", took)
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
