package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/internal/recordings"
)

// The budgets of the command's work in instructions for each byte of a file of runs with
// references, from the start of the process to its end. A change that needs more than 2 %
// more says so in CHANGELOG.md, and changes the budget here. The commit 9cbc7161 needed 53.2
// and 154.5.
const (
	recordedBudget = 48.6  // tau-bench/gpt-4o-airline.json, 4.1 MB: 203.3 million, of which the library for OCI registries needs 7.1 when it starts
	madeBudget     = 138.8 // see makeRuns
)

// pipelineBudget is the budget of the pipeline alone for the recorded file: from its bytes to the report,
// without the start of the process and the writing. The commit 9cbc7161 needed 42.0.
const pipelineBudget = 43.7

// TestInstructionBudget counts the instructions of "boundcheck score" for two files with
// valgrind, on one core and without garbage collection. Unlike the time, this count does
// not depend on the machine's load, or on where the linker places the code. It takes about
// half a minute, so "make bench INSTRUCTIONS=1" runs it.
func TestInstructionBudget(t *testing.T) {
	if file := os.Getenv(pipelineVariable); file != "" {
		evaluateAlone(t, file)
		return
	}
	if os.Getenv("BOUNDCHECK_INSTRUCTIONS") == "" {
		t.Skip("SKIPPED: takes half a minute; make bench INSTRUCTIONS=1 runs it (BOUNDCHECK_INSTRUCTIONS=1)")
	}
	if _, err := exec.LookPath("valgrind"); err != nil {
		t.Fatal("install valgrind")
	}
	command := filepath.Join(t.TempDir(), "boundcheck")
	build := exec.Command("go", "build", "-o", command, "./cmd/boundcheck")
	build.Dir = recordings.Root()
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	made := filepath.Join(t.TempDir(), "made.json")
	if err := os.WriteFile(made, makeRuns(), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Run("made", func(t *testing.T) {
		whole, _ := countInstructions(t, nil, command, "score", made, "--format", "json")
		checkInstructions(t, whole, made, madeBudget*slack)
	})
	t.Run("recorded", func(t *testing.T) {
		recorded := recordings.Path(t, "tau-bench/gpt-4o-airline.json")
		whole, _ := countInstructions(t, nil, command, "score", recorded, "--format", "json")
		checkInstructions(t, whole, recorded, recordedBudget*slack)
	})
	t.Run("pipeline", func(t *testing.T) {
		recorded := recordings.Path(t, "tau-bench/gpt-4o-airline.json")
		alone := filepath.Join(t.TempDir(), "alone.test") // go test strips the names of the functions from the binary that it runs
		build := exec.Command("go", "test", "-c", "-o", alone, ".")
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		_, pipeline := countInstructions(t, []string{pipelineVariable + "=" + recorded}, alone, "-test.run=^TestInstructionBudget$")
		checkInstructions(t, pipeline, recorded, pipelineBudget)
	})
}

// slack is by how much a change may exceed a budget of the whole process without a word.
const slack = 1.02

// checkInstructions compares a number of instructions with a budget for each byte of a file.
func checkInstructions(t *testing.T, n int, file string, budget float64) {
	t.Helper()
	about, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	if n == 0 {
		t.Fatal("callgrind saw no call of the pipeline")
	}
	each := float64(n) / float64(about.Size())
	t.Logf("%.1f instructions a byte, budget %.1f (%d for %d bytes)", each, budget, n, about.Size())
	if each > budget {
		t.Errorf("%.1f instructions a byte, want at most %.1f", each, budget)
	}
}

// pipelineVariable makes the test binary evaluate a file, so that valgrind counts the pipeline's instructions.
const pipelineVariable = "BOUNDCHECK_PIPELINE"

// evaluateAlone evaluates a file on a stack that is large enough. When Go moves a stack, callgrind takes all
// functions on it for ended, and their cost is that of what they have done so far.
func evaluateAlone(t *testing.T, file string) {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	growStack(2000)
	r, err := core.Evaluate(core.Request{Inputs: []core.Source{{Name: file, Data: data}}})
	if err != nil || len(r.Trajectories) == 0 {
		t.Fatalf("%d runs, %v", len(r.Trajectories), err)
	}
}

// growStack needs a kilobyte of the stack for each level.
//
//go:noinline
func growStack(levels int) byte {
	var room [1 << 10]byte
	if levels > 0 {
		room[levels%len(room)] = growStack(levels - 1)
	}
	return room[levels%7]
}

// countInstructions runs a command in valgrind. It returns the number of instructions of the whole process, and of
// the pipeline with all that it calls, 0 if callgrind saw no call of it.
func countInstructions(t *testing.T, env []string, command ...string) (whole, pipeline int) {
	t.Helper()
	profile := filepath.Join(t.TempDir(), "profile")
	var out []byte
	for range 3 { // valgrind 3.19 sometimes ends with an error of its own
		cmd := exec.Command("valgrind", slices.Concat([]string{"--tool=callgrind", "--callgrind-out-file=" + profile}, command)...)
		cmd.Env = slices.Concat(os.Environ(), env, []string{"GOMAXPROCS=1", "GOGC=off", "GODEBUG=asyncpreemptoff=1,cpu.rdtscp=off"}) // it does not know rdtscp
		var report bytes.Buffer
		cmd.Stderr = &report
		err := cmd.Run()
		if out = report.Bytes(); err != nil {
			continue
		}
		functions, err := exec.Command("callgrind_annotate", "--inclusive=yes", "--threshold=100", profile).CombinedOutput()
		if err != nil {
			t.Fatalf("callgrind_annotate: %v\n%.2000s", err, functions)
		}
		whole, pipeline = countBefore(out, `Collected : ([\d,]+)`), countBefore(functions, `([\d,]+) .*core/score\.Evaluate \[`)
		if whole > 0 {
			return whole, pipeline
		}
	}
	t.Fatalf("valgrind counted nothing:\n%.2000s", out)
	return 0, 0
}

// countBefore returns the number that a pattern finds in a text, or 0.
func countBefore(text []byte, pattern string) int {
	found := regexp.MustCompile(pattern).FindSubmatch(text)
	if found == nil {
		return 0
	}
	n, _ := strconv.Atoi(strings.ReplaceAll(string(found[1]), ",", ""))
	return n
}

// makeRuns returns 300 runs in the form of τ-bench, 1.05 MB. Each has a policy, a talk
// with results, and a reference from which a third of the runs deviates. All calls differ.
func makeRuns() []byte {
	type object = map[string]any
	r := rand.New(rand.NewPCG(11, 13))
	policy := strings.Repeat("Ask the user for the order before you change it. Refunds go to the way of payment. ", 12)
	var rows []object
	for i := range 300 {
		order, amount := fmt.Sprintf("#W%07d", r.IntN(1e7)), 5+r.IntN(200)
		steps := []object{
			{"name": "get_order_details", "kwargs": object{"order_id": order}},
			{"name": "modify_order_items", "kwargs": object{"order_id": order, "item_ids": []string{fmt.Sprint(r.IntN(1e9))}, "payment_method_id": "gift_card_17"}},
			{"name": "refund_payment", "kwargs": object{"order_id": order, "amount": amount}},
		}
		traj := []object{{"role": "system", "content": policy}, {"role": "user", "content": "Please change order " + order + " and give " + fmt.Sprint(amount) + " back."}}
		for k, s := range steps {
			given := s["kwargs"].(object)
			if k == 2 && i%3 == 0 {
				given = object{"order_id": order, "amount": amount + 1}
			}
			arguments, _ := json.Marshal(given)
			id := fmt.Sprintf("call_%d_%d", i, k)
			traj = append(traj,
				object{"role": "assistant", "content": nil, "tool_calls": []object{{"id": id, "type": "function", "function": object{"name": s["name"], "arguments": string(arguments)}}}},
				object{"role": "tool", "tool_call_id": id, "name": s["name"], "content": fmt.Sprintf(`{"order_id": %q, "status": "pending", "items": [{"name": "lamp", "price": %d, "options": {"color": "red", "size": "M"}}], "address": "12 Elm Street", "total": %d}`, order, amount, amount*2)},
				object{"role": "assistant", "content": "I have looked at the order and will go on with the next step that you asked for."},
				object{"role": "user", "content": "Thank you, please go on with order " + order + "."})
		}
		rows = append(rows, object{"task_id": i / 2, "trial": i % 2, "reward": 1.0, "traj": traj, "info": object{"task": object{"actions": steps, "instruction": "Change the order.", "outputs": []string{}}}})
	}
	text, _ := json.Marshal(rows)
	return text
}
