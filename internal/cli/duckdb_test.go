//go:build unix

package cli

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/cli/clitest"
)

// duckDB returns a function that runs statements in a folder and returns the rows of the
// last one. BOUNDCHECK_DUCKDB names a folder in which @duckdb/node-api is installed.
func duckDB(t *testing.T) func(dir string, sql ...string) ([]map[string]any, error) {
	t.Helper()
	installed := os.Getenv("BOUNDCHECK_DUCKDB")
	node, err := exec.LookPath("node")
	if installed == "" || err != nil {
		t.Skip("SKIPPED: BOUNDCHECK_DUCKDB names no folder with DuckDB for Node (make scale)")
	}
	script := clitest.WriteTemp(t, "run.cjs", `
const { DuckDBInstance } = require("module").createRequire(process.argv[2] + "/index.js")("@duckdb/node-api");
(async () => {
	const connection = await (await DuckDBInstance.create(":memory:")).connect();
	let rows;
	for (const sql of process.argv.slice(3)) rows = (await connection.runAndReadAll(sql)).getRowObjectsJson();
	console.log(JSON.stringify(rows));
})().catch((err) => { console.error(String(err)); process.exit(1); });
`)
	return func(dir string, sql ...string) (rows []map[string]any, err error) {
		c := exec.Command(node, append([]string{script, installed}, sql...)...)
		c.Dir = dir
		var said strings.Builder
		c.Stderr = &said
		out, err := c.Output()
		if err != nil {
			return nil, fmt.Errorf("%w: %s", err, said.String())
		}
		return rows, json.Unmarshal(out, &rows)
	}
}

// TestDuckDB runs the SQL of docs/scale.md on the rows that score writes, and compares
// the figures with those of merge. Rows without a reference, an outcome or a run must
// cause no error.
func TestDuckDB(t *testing.T) {
	query := duckDB(t)
	text, err := os.ReadFile("../../docs/scale.md")
	if err != nil {
		t.Fatal(err)
	}
	d := document{text: string(text)}
	sql := d.codeBlocks("sql")
	if len(sql) != 3 {
		t.Fatalf("%d statements in docs/scale.md, want 3", len(sql))
	}
	files := []string{clitest.WriteTemp(t, "a.jsonl", clitest.JoinLines(clitest.TauRows(t, 30))), clitest.WriteTemp(t, "b.jsonl", clitest.JoinLines(append(clitest.TauRows(t, 4), "not JSON")))}
	dir := t.TempDir()
	os.Mkdir(filepath.Join(dir, "rows"), 0o755)
	var parts []string
	for i := range 3 {
		parts = append(parts, filepath.Join(dir, fmt.Sprint(i)))
		if code, _, errs := runCommand("", append([]string{"score", "--stream", "--shard", fmt.Sprintf("%d/3", i), "--partial", parts[i], "--out", filepath.Join(dir, "rows", fmt.Sprint(i, ".jsonl"))}, files...)...); code != 0 {
			t.Fatal(errs)
		}
	}
	_, merged, _ := runCommand("", append([]string{"merge"}, parts...)...)
	var want struct {
		Corpus struct {
			N, Tasks int
			Metrics  struct {
				ABS struct{ Max struct{ Value float64 } }
				SVR struct{ Value float64 }
				SR  struct{ Value float64 }
			}
		}
	}
	if err := json.Unmarshal([]byte(merged), &want); err != nil || want.Corpus.N == 0 {
		t.Fatalf("%v: %s", err, merged)
	}
	tasks, err := query(dir, sql[0], sql[1])
	if err != nil {
		t.Fatal(err)
	}
	runs := 0.0
	for _, task := range tasks {
		runs += toNumber(task["runs"])
	}
	if int(runs) != want.Corpus.N || len(tasks) != want.Corpus.Tasks {
		t.Errorf("%v runs of %d tasks, want %d of %d", runs, len(tasks), want.Corpus.N, want.Corpus.Tasks)
	}
	figures, err := query(dir, sql[0], sql[2])
	if err != nil || len(figures) != 1 {
		t.Fatalf("%v %v", err, figures)
	}
	for name, value := range map[string]float64{"tasks": float64(want.Corpus.Tasks), "sr": want.Corpus.Metrics.SR.Value, "abs": want.Corpus.Metrics.ABS.Max.Value, "svr": want.Corpus.Metrics.SVR.Value} {
		if got := toNumber(figures[0][name]); math.Abs(got-value) > 1e-9 {
			t.Errorf("%s is %v, want %v", name, got, value)
		}
	}
	t.Logf("%d runs of %d tasks: %v", want.Corpus.N, want.Corpus.Tasks, figures)

	for name, text := range map[string]string{
		"no reference":      `{"trajectory":[{"name":"get_order","arguments":{"id":"A-7"},"result":"{}"}]}` + "\n",
		"no run":            "not JSON\n",
		"runs without task": strings.Repeat(`{"trajectory":[{"name":"get_order"}],"reference":["get_order"],"success":true}`+"\n", 3),
	} {
		rows := filepath.Join(dir, "rows", "0.jsonl")
		for _, old := range []string{"1", "2"} {
			os.Remove(filepath.Join(dir, "rows", old+".jsonl"))
		}
		os.Remove(rows)
		runCommand("", "score", "--stream", "--out", rows, clitest.WriteTemp(t, "runs.jsonl", text))
		out, err := os.ReadFile(rows)
		tasks, err2 := query(dir, sql[0], sql[1])
		if err != nil || err2 != nil || len(tasks) != strings.Count(string(out), `"metrics":`)-1 { // the last line has some too
			t.Errorf("%s: %v %v: %v\n%s", name, err, err2, tasks, out)
		}
	}
}

// toNumber converts a value from JSON to a number. The value may be a string that
// contains a number.
func toNumber(v any) float64 {
	var f float64
	fmt.Sscan(fmt.Sprint(v), &f)
	return f
}
