package core

import (
	"bytes"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/recordings"
	"github.com/tidwall/gjson"
)

// countedWork makes this binary do a piece of work N times and exit, so that its
// instructions can be counted: "valid 3", "score 3".
const countedWork = "BOUNDCHECK_COUNTED_WORK"

// BenchmarkInstructions is like BenchmarkPipeline, but it measures instructions instead
// of time. valgrind counts the instructions, including those of the garbage collection.
// Unlike the time, this count does not depend on where the linker places the code.
func BenchmarkInstructions(b *testing.B) {
	if work, n, ok := strings.Cut(os.Getenv(countedWork), " "); ok {
		times, _ := strconv.Atoi(n)
		doWork(b, work, times)
		return
	}
	if _, err := exec.LookPath("valgrind"); err != nil {
		b.Skip("no valgrind on this machine")
	}
	recordings.Read(b, "tau-bench/gpt-4o-airline.json")
	each := func(work string) float64 {
		return float64(countInstructions(b, work+" 3")-countInstructions(b, work+" 1")) / 2
	}
	var ratio float64
	for b.Loop() {
		ratio = each("score") / each("valid")
	}
	b.ReportMetric(ratio, "×valid")
}

func doWork(b *testing.B, work string, times int) {
	data := recordings.Read(b, "tau-bench/gpt-4o-airline.json")
	text := string(data)
	for range times {
		if work == "valid" {
			gjson.Valid(text)
		} else if _, err := Evaluate(Request{Inputs: []Source{{Data: data}}}); err != nil {
			b.Fatal(err)
		}
	}
	os.Exit(0) // the testing package's later work does not count
}

// countInstructions runs this binary with the given work in valgrind. It returns the
// number of instructions, including those for the start of the program.
func countInstructions(b *testing.B, work string) int {
	cmd := exec.Command("valgrind", "--tool=lackey", "--basic-counts=yes", os.Args[0], "-test.run=^$", "-test.bench=^BenchmarkInstructions$", "-test.benchtime=1x")
	cmd.Env = append(os.Environ(), countedWork+"="+work, "GOMAXPROCS=1", "GODEBUG=cpu.rdtscp=off") // valgrind 3.19 does not know rdtscp
	out, err := cmd.CombinedOutput()
	found := regexp.MustCompile(`guest instrs:\s+([\d,]+)`).FindSubmatch(out)
	if err != nil || found == nil {
		b.Fatalf("valgrind: %v\n%.2000s", err, out)
	}
	n, err := strconv.Atoi(string(bytes.ReplaceAll(found[1], []byte(","), nil)))
	if err != nil {
		b.Fatal(err)
	}
	return n
}
