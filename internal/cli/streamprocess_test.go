//go:build unix

package cli

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/internal/cli/clitest"
)

// TestStreamChild is not a test. It runs the command for tests that stop it.
func TestStreamChild(t *testing.T) {
	args := os.Getenv("BOUNDCHECK_CHILD")
	if args == "" {
		return // this is not the child process
	}
	code := Run(strings.Split(args, "\n"), os.Stdin, os.Stdout, os.Stderr)
	fmt.Fprintf(os.Stderr, "peak %d\n", peakMemory())
	os.Exit(code)
}

// peakMemory returns the peak memory of this process in bytes. On Linux, it is the peak
// since the start of this program. On other systems, it also includes the memory that the
// parent process had before the start.
func peakMemory() int64 {
	status, _ := os.ReadFile("/proc/self/status")
	if _, rest, ok := strings.Cut(string(status), "VmHWM:"); ok {
		var kb int64
		fmt.Sscan(rest, &kb)
		return kb << 10
	}
	var usage syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	if runtime.GOOS == "darwin" {
		return int64(usage.Maxrss)
	}
	return int64(usage.Maxrss) << 10
}

// childCommand returns the command that runs boundcheck with these arguments in a child
// process.
func childCommand(args ...string) *exec.Cmd {
	c := exec.Command(os.Args[0], "-test.run=^TestStreamChild$")
	c.Env = append(os.Environ(), "BOUNDCHECK_CHILD="+strings.Join(args, "\n"), "GOCOVERDIR="+os.TempDir())
	return c
}

// waitFor waits until a file has more than n bytes.
func waitFor(t *testing.T, path string, n int) {
	t.Helper()
	for range 2000 {
		if info, err := os.Stat(path); err == nil && info.Size() > int64(n) {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatalf("%s does not grow past %d bytes", path, n)
}

// TestInterrupt presses Ctrl-C while the command waits for more input. The output must
// have only whole lines, and the exit code must be 130. A run with --resume must then
// complete the output to the bytes of an uninterrupted run.
func TestInterrupt(t *testing.T) {
	rows := mixedRows(t)
	dir := t.TempDir()
	whole, out := filepath.Join(dir, "whole"), filepath.Join(dir, "out")
	runCommand(clitest.JoinLines(rows), "score", "--stream", "-", "--out", whole)
	want, _ := os.ReadFile(whole)
	for _, n := range []int{2, 20, len(rows)} {
		os.Remove(out)
		c := childCommand("score", "--stream", "-", "--out", out)
		var errs bytes.Buffer
		c.Stderr = &errs
		in, _ := c.StdinPipe()
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		io.WriteString(in, clitest.JoinLines(rows[:n]))
		waitFor(t, out, 1000)
		c.Process.Signal(os.Interrupt)
		c.Wait()
		in.Close()
		got, _ := os.ReadFile(out)
		lines := bytes.SplitAfter(bytes.TrimSuffix(got, []byte("\n")), []byte("\n"))
		last := lines[len(lines)-1]
		if code := c.ProcessState.ExitCode(); code != 130 || !strings.Contains(errs.String(), "--resume continues") {
			t.Errorf("%d rows: exit %d, %s", n, code, errs.String())
		}
		if !bytes.HasPrefix(last, []byte(`{"partial":true,"reason":"interrupted"`)) || !bytes.HasPrefix(want, got[:len(got)-len(last)-1]) {
			t.Errorf("%d rows: what is left is not the beginning of the whole:\n%s", n, got)
		}
		runCommand(clitest.JoinLines(rows), "score", "--stream", "-", "--out", out, "--resume")
		if got, _ = os.ReadFile(out); !bytes.Equal(got, want) {
			t.Errorf("%d rows: resumed to %d bytes, want %d", n, len(got), len(want))
		}
	}
}

// TestKill kills the command several times. A run with --resume must then complete the
// output to the bytes of an uninterrupted run.
func TestKill(t *testing.T) {
	var rows []string
	for range 60 {
		rows = append(rows, mixedRows(t)...)
	}
	file, dir := clitest.WriteTemp(t, "in.jsonl", clitest.JoinLines(rows)), t.TempDir()
	whole, out := filepath.Join(dir, "whole"), filepath.Join(dir, "out")
	runCommand("", "score", "--stream", file, "--out", whole)
	want, _ := os.ReadFile(whole)
	random, killed := rand.New(rand.NewPCG(uint64(len(want)), 1)), 0
	for range 12 {
		c := childCommand("score", "--stream", file, "--out", out, "--resume")
		c.Start()
		size := 0
		if info, err := os.Stat(out); err == nil {
			size = int(info.Size())
		}
		if size < len(want)*3/4 {
			waitFor(t, out, max(size-4096, 0))
		}
		time.Sleep(time.Duration(random.IntN(60)) * time.Millisecond)
		c.Process.Kill()
		if c.Wait(); !c.ProcessState.Exited() {
			killed++
		}
	}
	if killed == 0 {
		t.Error("no run was killed before its end")
	}
	runCommand("", "score", "--stream", file, "--out", out, "--resume")
	if got, _ := os.ReadFile(out); !bytes.Equal(got, want) {
		t.Errorf("resumed to %d bytes, want %d", len(got), len(want))
	}
}

// hasRaceDetector reports whether the race detector is in this binary.
func hasRaceDetector() bool {
	info, _ := debug.ReadBuildInfo()
	for _, s := range info.Settings {
		if s.Key == "-race" {
			return s.Value == "true"
		}
	}
	return false
}

// TestStreamMemory checks that the memory of a stream does not grow with its input: at
// most 112 MiB for 40 MB of input; 64 MB took 74 MiB. With BOUNDCHECK_LONG=1, it checks at most 256 MiB for
// 1 GB.
func TestStreamMemory(t *testing.T) {
	size, bound := int64(40e6), int64(112<<20)
	switch {
	case os.Getenv("BOUNDCHECK_LONG") != "":
		size, bound = 1e9, 256<<20
	case testing.Short():
		t.Skip("NOT MEASURED with -short: whether a stream's memory is constant")
	default:
		t.Log("40 MB; BOUNDCHECK_LONG=1 measures 1 GB")
	}
	c := childCommand("score", "--stream", "-", "--out", os.DevNull)
	var errs bytes.Buffer
	c.Stderr = &errs
	in, _ := c.StdinPipe()
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	chunk := []byte(clitest.JoinLines(clitest.TauRows(t, 100)))
	for n := int64(0); n < size; n += int64(len(chunk)) {
		if _, err := in.Write(chunk); err != nil {
			t.Fatal(err)
		}
	}
	in.Close()
	if err := c.Wait(); err != nil {
		t.Fatal(err)
	}
	var rss int64
	_, last, _ := strings.Cut(errs.String(), "peak ")
	if fmt.Sscan(last, &rss); rss == 0 {
		t.Fatalf("no peak in %q", errs.String())
	}
	if hasRaceDetector() {
		t.Skipf("NOT COMPARED under the race detector, which takes memory of its own: %d MiB", rss>>20)
	}
	t.Logf("%d MB in %.1f s, %d MiB at most", size/1e6, time.Since(begin).Seconds(), rss>>20)
	if rss > bound {
		t.Errorf("%d MiB, want at most %d", rss>>20, bound>>20)
	}
}
