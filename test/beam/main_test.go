package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestPipeline runs the example on Beam's direct runner and on Prism. The report must
// equal, byte for byte, the last line that a single process writes. If a pipeline fails
// in the middle and is started again, it must not score the finished shards again.
func TestPipeline(t *testing.T) {
	dir := t.TempDir()
	command, pipeline, runs := filepath.Join(dir, "boundcheck"), filepath.Join(dir, "beam"), filepath.Join(dir, "runs.jsonl")
	build := exec.Command("go", "build", "-o", command, "./cmd/boundcheck")
	build.Dir = "../.."
	for _, c := range []*exec.Cmd{build, exec.Command("go", "build", "-o", pipeline, ".")} {
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%v %s", err, out)
		}
	}
	var rows strings.Builder
	for i := range 500 {
		fmt.Fprintf(&rows, `{"task_id":"%d","trajectory":[{"name":"get_order","arguments":{"id":"%d"}},{"name":"cancel_order","arguments":{"id":"%d"}}],"reference":["cancel_order(id=\"%d\")"],"success":%v}`+"\n",
			i%50, i%50, i%50+i%3, i%50, i%3 == 0)
	}
	if err := os.WriteFile(runs, []byte(rows.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	whole, err := exec.Command(command, "score", "--stream", runs).Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(bytes.TrimSuffix(whole, []byte("\n")), []byte("\n"))
	want := string(lines[len(lines)-1]) + "\n"
	if !strings.HasPrefix(want, `{"corpus":{"n":500,"tasks":50,`) {
		t.Fatalf("nothing to compare in %s", want)
	}
	// A program that dies in shard 5.
	dies := filepath.Join(dir, "dies")
	script := "#!/bin/sh\ncase \"$*\" in *--shard\\ 5/8*) kill -9 $$;; esac\nexec '" + command + "' \"$@\"\n"
	if err := os.WriteFile(dies, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, runner := range []string{"direct", "prism"} {
		parts, report := filepath.Join(dir, runner), filepath.Join(dir, runner+".json")
		if err := os.Mkdir(parts, 0o755); err != nil {
			t.Fatal(err)
		}
		args := func(command string) []string {
			return []string{"--runner=" + runner, "--command=" + command, "--shards=8", "--parts=" + parts, "--out=" + report, runs}
		}
		if out, err := exec.Command(pipeline, args(dies)...).CombinedOutput(); err == nil || !bytes.Contains(out, []byte("signal: killed")) {
			t.Errorf("%s: a shard that dies: %v %s", runner, err, out)
		}
		if _, err := os.Stat(report); err == nil {
			t.Errorf("%s: there is a report though a shard died", runner)
		}
		done, _ := filepath.Glob(filepath.Join(parts, "*"))
		before := map[string]os.FileInfo{}
		for _, part := range done {
			before[part], _ = os.Stat(part)
		}
		if out, err := exec.Command(pipeline, args(command)...).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v %s", runner, err, out)
		}
		if got, err := os.ReadFile(report); err != nil || string(got) != want {
			t.Errorf("%s: %v\n%s%s", runner, err, got, want)
		}
		for part, info := range before {
			if now, err := os.Stat(part); err != nil || !now.ModTime().Equal(info.ModTime()) {
				t.Errorf("%s: %s was scored again", runner, part)
			}
		}
		t.Logf("%s: %d of 8 shards were done when one died", runner, len(done))
	}
}
