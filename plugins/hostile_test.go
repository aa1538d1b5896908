package plugins_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/internal/hostile"
)

// TestHostileTable gives every hostile module to the command and to the npm package in
// Node, each in a process of its own, and prints the error, time and peak memory. It
// takes minutes, and runs where BOUNDCHECK_HOSTILE is set.
func TestHostileTable(t *testing.T) {
	if os.Getenv("BOUNDCHECK_HOSTILE") == "" {
		t.Skip("SKIPPED: the table of hostile modules is made by make fuzz")
	}
	dir := t.TempDir()
	command, npm := filepath.Join(dir, "boundcheck"), filepath.Join(dir, "npm")
	for _, args := range [][]string{{"go", "build", "-o", command, "../cmd/boundcheck"}, {"sh", "../wasm/build.sh", "--core", npm}} {
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
	var table strings.Builder
	fmt.Fprintf(&table, "%-50s %-20s %22s %22s\n", "module", "error", "native", "Node")
	for _, c := range hostile.Cases() {
		file := filepath.Join(dir, "bad.wasm")
		if err := os.WriteFile(file, c.Wasm, 0o600); err != nil {
			t.Fatal(err)
		}
		native := measured(t, command, "plugin", "run", file, "--op", "describe")
		node := measured(t, "node", script, file)
		if native.code != c.Code || node.code != c.Code || native.exit != 1 || !node.alive {
			t.Errorf("%s: native %+v, Node %+v, want %s", c.Name, native, node, c.Code)
		}
		fmt.Fprintf(&table, "%-50s %-20s %9.2f s %6d MB %9.2f s %6d MB\n", c.Name, c.Code, native.took.Seconds(), native.peak, node.took.Seconds(), node.peak)
	}
	t.Logf("each in a process of its own; what a start takes is in it\n%s", table.String())
	if path := os.Getenv("BOUNDCHECK_HOSTILE_OUT"); path != "" {
		if err := os.WriteFile(path, []byte(table.String()), 0o644); err != nil {
			t.Error(err)
		}
	}
}

// outcome is what became of one process.
type outcome struct {
	code  string
	exit  int
	alive bool
	took  time.Duration
	peak  int64 // MB resident
}

var codeAtEnd = regexp.MustCompile(`\(([a-z-]+)\)\s*$`)

func measured(t *testing.T, name string, args ...string) (o outcome) {
	t.Helper()
	cmd := exec.Command(name, args...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	began := time.Now()
	cmd.Run()
	o.took = time.Since(began)
	o.exit = cmd.ProcessState.ExitCode()
	o.peak = cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss >> 10
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
