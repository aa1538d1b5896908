package plugins_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/internal/hostile"
	"github.com/boundcheck/boundcheck/plugins/meter"
)

// TestHostileTable runs every hostile module in four hosts and prints the error, the time
// and the peak memory of each run. It takes a quarter of an hour and runs only if
// BOUNDCHECK_HOSTILE is set. BOUNDCHECK_HOSTILE_OUT names a file for the table. These are
// the hosts:
//
//   - the command;
//   - the npm package in Node;
//   - the npm package in a page in Chromium;
//   - a Worker in workerd.
func TestHostileTable(t *testing.T) {
	if os.Getenv("BOUNDCHECK_HOSTILE") == "" {
		t.Skip("SKIPPED: the table of hostile modules is made by make fuzz")
	}
	dir := t.TempDir()
	command, npm := filepath.Join(dir, "boundcheck"), filepath.Join(dir, "npm")
	for _, args := range [][]string{{"go", "build", "-o", command, "../cmd/boundcheck"}, {"sh", "../wasm/build.sh", npm}} {
		if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
	}
	script := filepath.Join(dir, "load.mjs")
	text := fmt.Sprintf(`import { readFileSync } from "node:fs";
import { open } from %q;
const client = await open();
try { await client.load({ name: "bad", wasm: readFileSync(process.argv[2]) }); console.log("(none)"); } catch (e) { console.log(e.message); }
const { trajectories } = await client.score('[{"name":"a","arguments":{}}]');
console.log(trajectories.length === 1 ? "alive" : "broken");
await client.close();
`, npm+"/client.js")
	if err := os.WriteFile(script, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	all := hostile.Cases()
	if only := os.Getenv("BOUNDCHECK_HOSTILE"); only != "1" { // only the cases whose names contain it
		all = slices.DeleteFunc(all, func(c hostile.Case) bool { return !strings.Contains(c.Name, only) })
	}
	page, edge := onPages(t, all, npm), inWorkers(t, all)
	var table strings.Builder
	fmt.Fprintf(&table, "| module | error | native | Node | page | workerd |\n|---|---|---|---|---|---|\n")
	for i, c := range all {
		file := filepath.Join(dir, "bad.wasm")
		if err := os.WriteFile(file, c.Wasm, 0o600); err != nil {
			t.Fatal(err)
		}
		native := measureCommand(t, command, "plugin", "run", file, "--op", "describe")
		native.alive = native.exit == 1
		hosts := []outcome{native, measureCommand(t, "node", script, file), page[i], edge[i]}
		fmt.Fprintf(&table, "| %s | `%s`", c.Name, c.Code)
		for j, o := range hosts {
			if o.code == "" {
				table.WriteString(" | –")
				continue
			}
			if o.code != c.Code || !o.alive {
				t.Errorf("%s: host %d: %+v, want %s", c.Name, j, o, c.Code)
			}
			fmt.Fprintf(&table, " | %s", o)
		}
		table.WriteString(" |\n")
	}
	t.Logf("each in a process of its own; what a start takes is in it\n%s", table.String())
	if path := os.Getenv("BOUNDCHECK_HOSTILE_OUT"); path != "" {
		if err := os.WriteFile(path, []byte(table.String()), 0o644); err != nil {
			t.Error(err)
		}
	}
}

// onPages runs each module with the npm package in a page of a browser. It returns
// empty outcomes if there is no browser.
func onPages(t *testing.T, all []hostile.Case, npm string) []outcome {
	t.Helper()
	return runTable(t, allEngines()[1], all, npm, func(c hostile.Case) ([]byte, error) { return c.Wasm, nil })
}

// inWorkers runs each module in a Worker. The build of a Worker adds the meter to a
// module or refuses the module.
func inWorkers(t *testing.T, all []hostile.Case) []outcome {
	t.Helper()
	return runTable(t, allEngines()[2], all, "", func(c hostile.Case) ([]byte, error) {
		return meter.Rewrite(c.Wasm, meter.Options{Pages: 1024, Plugin: true})
	})
}

// runTable builds each module with the function built and runs the built modules with
// hostjs/test/table.mjs. A module that is refused during the build does not run. Its
// outcome is measured in this process.
func runTable(t *testing.T, e engine, all []hostile.Case, npm string, built func(hostile.Case) ([]byte, error)) []outcome {
	t.Helper()
	out := make([]outcome, len(all))
	if why := e.missingPart(); why != "" {
		t.Logf("SKIPPED: %s, no hostile module is tried in %s", why, e.name)
		return out
	}
	type entry struct {
		Name string `json:"name"`
		File string `json:"file"`
	}
	dir := t.TempDir()
	put := func(name string, wasm []byte) {
		if err := os.WriteFile(filepath.Join(dir, name), wasm, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	good, err := built(hostile.Case{Wasm: hostile.Bare("good")})
	if err != nil {
		t.Fatal(err)
	}
	put("good.wasm", good)
	list, at := []entry{{"good", "good.wasm"}}, []int{}
	for i, c := range all {
		began := time.Now()
		wasm, err := built(c)
		if err != nil {
			out[i] = outcome{code: meter.Code(err), alive: true, took: time.Since(began), built: true}
			continue
		}
		name := fmt.Sprintf("%d.wasm", i)
		put(name, wasm)
		list, at = append(list, entry{c.Name, name}), append(at, i)
	}
	text, _ := json.Marshal(list)
	put("jobs.json", text)
	cmd := exec.Command("node", "hostjs/test/table.mjs", map[bool]string{true: "page", false: "workerd"}[npm != ""], dir, npm)
	var said bytes.Buffer
	cmd.Stderr = &said
	b, err := cmd.Output()
	var got []struct {
		Code   string
		Alive  bool
		Ms, MB float64
	}
	if err == nil {
		err = json.Unmarshal(b, &got)
	}
	if err != nil || len(got) != len(at) {
		t.Fatalf("%s: %d outcomes of %d, %v\n%s%s", e.name, len(got), len(at), err, b, said.Bytes())
	}
	for i, g := range got {
		out[at[i]] = outcome{code: g.Code, alive: g.Alive, took: time.Duration(g.Ms * 1e6), peak: int64(g.MB)}
	}
	return out
}

// outcome is the result of one process.
type outcome struct {
	code  string
	exit  int
	alive bool
	took  time.Duration
	peak  int64 // MB resident
	built bool  // it was refused by the build
}

// String formats the outcome as a cell of the table.
func (o outcome) String() string {
	if o.built {
		return "when it is built"
	}
	return fmt.Sprintf("%.1f s, %d MB", o.took.Seconds(), o.peak)
}

var codeAtEnd = regexp.MustCompile(`\(([a-z-]+)\)\s*$`)

func measureCommand(t *testing.T, name string, args ...string) (o outcome) {
	t.Helper()
	cmd := exec.Command(name, args...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	began := time.Now()
	cmd.Run()
	o.took = time.Since(began)
	o.exit = cmd.ProcessState.ExitCode()
	o.peak = peakMemory(cmd.ProcessState)
	for _, line := range strings.Split(out.String(), "\n") {
		if m := codeAtEnd.FindStringSubmatch(line); m != nil {
			o.code = m[1]
		}
		o.alive = o.alive || line == "alive"
	}
	if o.code == "" {
		b, _ := json.Marshal(out.String())
		t.Logf("%s %v: %.300s", name, args, b)
	}
	return o
}
