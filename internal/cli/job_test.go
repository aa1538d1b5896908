//go:build unix

package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/internal/cli/clitest"
	"github.com/boundcheck/boundcheck/internal/yamljson"
)

// generated writes runs as lines of JSON: ten trials of each task, with a given number
// of bytes of text in each.
type generated struct {
	rows []string // with placeholders for a task and a trial
	fill string
}

func newGenerated(t *testing.T, size int) *generated {
	g := &generated{fill: strings.Repeat("The desk is open until six. ", size/28)}
	for _, row := range clitest.TauRows(t, 1) {
		var v map[string]json.RawMessage
		if err := json.Unmarshal([]byte(row), &v); err != nil {
			t.Fatal(err)
		}
		delete(v, "task_id")
		delete(v, "trial")
		rest, _ := json.Marshal(v)
		g.rows = append(g.rows, `{"task_id":%d,"trial":%d,`+strings.Replace(strings.ReplaceAll(string(rest[1:]), "%", "%%"), `"content":"`, `"content":"`+g.fill, 1)+"\n")
	}
	return g
}

func (g *generated) writeRows(w io.Writer, from, to int) error {
	for i := from; i < to; i++ {
		if _, err := fmt.Fprintf(w, g.rows[(i+i/10)%len(g.rows)], i/10, i%10); err != nil {
			return err
		}
	}
	return nil
}

// TestJob scores 4,000 runs in some 30 processes, which takes seconds. It runs the command
// of the Kubernetes Job in docs/scale.md in local processes. Some processes are killed and
// started again, and some are started twice. The figures must have the same bytes as the
// figures of a single process.
func TestJob(t *testing.T) {
	t.Parallel()
	d := readDocument(t, "docs/scale.md")
	text, err := yamljson.ToJSON(d.codeBlocks("yaml")[0])
	var job struct {
		Spec struct {
			Completions, Parallelism int
			Template                 struct {
				Spec struct {
					Containers []struct{ Args []string }
				}
			}
		}
	}
	if err == nil {
		err = json.Unmarshal([]byte(text), &job)
	}
	n := job.Spec.Completions
	if err != nil || n < 2 || len(job.Spec.Template.Spec.Containers) != 1 {
		t.Fatalf("%v: %+v", err, job)
	}
	dir := t.TempDir()
	for _, folder := range []string{"parts", "rows"} {
		os.Mkdir(filepath.Join(dir, folder), 0o755)
	}
	var all bytes.Buffer
	if err := newGenerated(t, 4000).writeRows(&all, 0, 4000); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "runs.jsonl")
	if err := os.WriteFile(file, all.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	var pods, killed, twice atomic.Int32
	pod := func(index int) *exec.Cmd {
		replace := strings.NewReplacer("$(JOB_COMPLETION_INDEX)", strconv.Itoa(index), "$(POD_NAME)", fmt.Sprint("pod-", pods.Add(1)), "/data/", dir+"/")
		var args []string
		for _, a := range job.Spec.Template.Spec.Containers[0].Args {
			args = append(args, replace.Replace(a))
		}
		return exec.Command(d.command, args...)
	}
	// complete runs pods of an index until one succeeds.
	complete := func(index int, random *rand.Rand) {
		for try := 0; ; try++ {
			c := pod(index)
			var said bytes.Buffer
			c.Stderr = &said
			if err := c.Start(); err != nil {
				t.Error(err)
				return
			}
			if try < 3 && random.IntN(3) == 0 {
				time.Sleep(time.Duration(random.IntN(60)) * time.Millisecond)
				c.Process.Kill()
			}
			if err := c.Wait(); err == nil {
				return
			} else if c.ProcessState.ExitCode() >= 0 {
				t.Errorf("shard %d: %v %s", index, err, said.String())
				return
			}
			killed.Add(1)
		}
	}
	slots := make(chan bool, job.Spec.Parallelism)
	var wait sync.WaitGroup
	for i := range n {
		random := rand.New(rand.NewPCG(18, uint64(i)))
		starts := 1
		if i%5 == 0 {
			starts = 2
			twice.Add(1)
		}
		for range starts {
			seeded := rand.New(rand.NewPCG(random.Uint64(), 1))
			wait.Go(func() {
				slots <- true
				complete(i, seeded)
				<-slots
			})
		}
	}
	wait.Wait()
	want, err := exec.Command(d.command, "score", "--stream", file).Output()
	if err != nil {
		t.Fatal(err)
	}
	parts, _ := filepath.Glob(filepath.Join(dir, "parts", "[^.]*")) // as in a shell; a killed pod may leave .new-…
	copied := filepath.Join(dir, "again")
	again, _ := os.ReadFile(parts[3])
	os.WriteFile(copied, again, 0o644)
	got, err := exec.Command(d.command, append([]string{"merge", copied}, parts...)...).Output()
	if err != nil || string(got) != clitest.LastLine(string(want)) {
		t.Errorf("%v\n%s%s", err, got, clitest.LastLine(string(want)))
	}
	whole, rows := 0, 0
	outs, _ := filepath.Glob(filepath.Join(dir, "rows", "*"))
	seen := map[string]bool{}
	for _, out := range outs {
		text, _ := os.ReadFile(out)
		index, _, _ := strings.Cut(filepath.Base(out), ".")
		if bytes.HasSuffix(text, []byte("\"partial\":false}\n")) && !seen[index] {
			seen[index] = true
			whole++
			rows += bytes.Count(text, []byte("\n")) - 2
		}
	}
	if len(parts) != n || whole != n || rows != 4000 {
		t.Errorf("%d partial results and %d whole files with %d rows, of %d shards", len(parts), whole, rows, n)
	}
	t.Logf("%d shards, %d pods, %d killed, %d shards twice", n, pods.Load(), killed.Load(), twice.Load())
	if killed.Load() == 0 {
		t.Error("none was killed")
	}
}

// TestMillions measures how many generated runs 1, 2, 4 and 8 worker processes score in a
// second. Then it kills some of the eight workers and scores some shards twice, and the
// last line must be that of a single process. BOUNDCHECK_RUNS sets the number of runs. If
// it is 0, the test is skipped.
func TestMillions(t *testing.T) {
	runs, _ := strconv.Atoi(os.Getenv("BOUNDCHECK_RUNS"))
	if runs == 0 {
		t.Skip("SKIPPED: BOUNDCHECK_RUNS is not set (make bench)")
	}
	g := newGenerated(t, 17_200)
	var sample bytes.Buffer
	g.writeRows(&sample, 0, 1000)
	const shards = 64
	runs -= runs % (10 * shards)
	var killed, twice atomic.Int32
	score := func(from, to int, kill bool, args ...string) error {
		c := childCommand(append([]string{"score", "--stream", "--out", os.DevNull}, append(args, "-")...)...)
		c.Env = append(c.Env, "GOMAXPROCS=1")
		in, err := c.StdinPipe()
		if err == nil {
			err = c.Start()
		}
		if err != nil {
			return err
		}
		stop := to
		if kill {
			stop = from + rand.IntN(to-from)
		}
		g.writeRows(in, from, stop)
		if kill {
			c.Process.Kill()
		}
		in.Close()
		return c.Wait()
	}
	dir := t.TempDir()
	work := func(total, workers int, faults bool) (parts []string, took time.Duration) {
		began := time.Now()
		jobs := make(chan int, 2*shards)
		var wait sync.WaitGroup
		for i := range shards {
			jobs <- i
			if faults && i%8 == 0 {
				jobs <- i
				twice.Add(1)
			}
		}
		close(jobs)
		var lock sync.Mutex
		for range workers {
			wait.Go(func() {
				for i := range jobs {
					lock.Lock()
					part := filepath.Join(dir, fmt.Sprintf("%d-%d-%d", total, workers, len(parts)))
					parts = append(parts, part)
					lock.Unlock()
					for {
						kill := faults && rand.IntN(4) == 0
						err := score(total/shards*i, total/shards*(i+1), kill, "--partial", part, "--as", "runs", "--shard", fmt.Sprintf("%d/%d", i, shards))
						if err == nil {
							break
						}
						if !kill {
							t.Error(err)
							return
						}
						killed.Add(1)
					}
				}
			})
		}
		wait.Wait()
		return parts, time.Since(began)
	}
	for _, workers := range []int{1, 2, 4, 8} {
		total := max(runs/10-runs/10%(10*shards), 10*shards)
		_, took := work(total, workers, false)
		t.Logf("%d workers: %.0f runs a second", workers, float64(total)/took.Seconds())
	}
	parts, took := work(runs, 8, true)
	began := time.Now()
	c := childCommand(append([]string{"merge"}, parts...)...)
	merged, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	merging := time.Since(began)
	one := childCommand("score", "--stream", "--shard", "0/1", "--as", "runs", "--partial", filepath.Join(dir, "whole"), "-")
	in, _ := one.StdinPipe()
	var last tail
	one.Stdout = &last
	began = time.Now()
	if err := one.Start(); err != nil {
		t.Fatal(err)
	}
	g.writeRows(in, 0, runs)
	in.Close()
	if err := one.Wait(); err != nil {
		t.Fatal(err)
	}
	size := 0
	for _, p := range parts {
		info, _ := os.Stat(p)
		size += int(info.Size())
	}
	t.Logf("%d runs of %d bytes, %.1f GB: 8 workers, %d killed and %d shards twice, %.0f s; %d MB of partial results merge in %.1f s; one process %.0f s",
		runs, sample.Len()/1000, float64(runs)*float64(sample.Len())/1e12, killed.Load(), twice.Load(), took.Seconds(), size>>20, merging.Seconds(), time.Since(began).Seconds())
	if got := clitest.LastLine(last.String()); string(merged) != got {
		t.Errorf("%s%s", merged, got)
	}
}

// tail keeps the end of a text that is written to it.
type tail struct{ text []byte }

func (w *tail) Write(b []byte) (int, error) {
	const most = 1 << 20
	w.text = append(w.text, b...)
	if len(w.text) > 2*most {
		w.text = append(w.text[:0], w.text[len(w.text)-most:]...)
	}
	return len(b), nil
}

func (w *tail) String() string { return string(w.text) }

// TestRecipe runs the command 60 times and Python 4 times, so only make nightly runs it.
// It runs the Python code of docs/scale.md with small substitutes for Ray and Spark. A
// second run must find that all shards are scored, and must not change their rows.
func TestRecipe(t *testing.T) {
	if os.Getenv("BOUNDCHECK_LONG") == "" {
		t.Skip("SKIPPED: takes up to a minute; make nightly runs it (BOUNDCHECK_LONG=1)")
	}
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("SKIPPED: no python3 to run the recipes of docs/scale.md with")
	}
	d := readDocument(t, "docs/scale.md")
	shims := map[string]string{
		"ray.py": "def remote(**_):\n    def made(f):\n        f.remote = lambda *a: f(*a)\n        return f\n    return made\n\nget = list\n",
		"pyspark.py": "class SparkContext:\n    def __init__(self, appName):\n        pass\n    def parallelize(self, values, n):\n        self.values = list(values)\n        assert len(self.values) == n\n        return self\n" +
			"    def map(self, f):\n        self.values = [f(v) for v in self.values]\n        return self\n    def collect(self):\n        return self.values\n",
	}
	recipes := d.codeBlocks("python")
	if len(recipes) != len(shims) {
		t.Fatalf("%d recipes in docs/scale.md, want %d", len(recipes), len(shims))
	}
	for i, recipe := range recipes {
		dir := t.TempDir()
		for _, folder := range []string{"parts", "rows"} {
			os.Mkdir(filepath.Join(dir, folder), 0o755)
		}
		rows := clitest.TauRows(t, 30)
		for name, text := range shims {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		for name, text := range map[string]string{"score.py": recipe, "runs.jsonl": clitest.JoinLines(rows)} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err2 := d.runScript(dir, "boundcheck score --stream runs.jsonl | tail -n 1")
		for range 2 {
			out, err := d.runScript(dir, python+" score.py runs.jsonl 2>errors")
			if strings.Contains(recipe, "abspath") { // it names the file in full
				out = strings.ReplaceAll(out, filepath.Join(dir, "runs.jsonl"), "runs.jsonl")
			}
			if err != nil || err2 != nil || strings.TrimSpace(out) != strings.TrimSpace(want) {
				said, _ := os.ReadFile(filepath.Join(dir, "errors"))
				t.Errorf("recipe %d: %v %v\n%s%s%s", i, err, err2, said, out, want)
			}
			lines, err := d.runScript(dir, `cat rows/*.jsonl | grep -c '^{"id"'`)
			if err != nil || strings.TrimSpace(lines) != fmt.Sprint(len(rows)) {
				t.Errorf("recipe %d: %v %s rows, want %d", i, err, lines, len(rows))
			}
		}
	}
}
