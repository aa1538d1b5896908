package tau

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/internal/bench/env"
	desk "github.com/boundcheck/boundcheck/plugins/taubench/env"
)

// Names are the environments, in order.
var Names = []string{"tau-airline", "tau-retail", "tau2-airline", "tau2-retail"}

// world is one domain with the user's data. It is immutable after Open.
type world struct {
	name     string
	domain   desk.Domain
	dialect  desk.Dialect
	policy   string
	tools    []env.Tool
	tasks    []env.Task
	criteria []criteria        // by task
	raw      []json.RawMessage // by task, in τ²'s form
	database *desk.Database
	digest   string
}

// Open reads the environment with the given name from the folder dir. The folder is a
// checkout of τ-bench or τ²-bench, or has the same files. If the folder has no definition
// of a tool, the tool gets the schema of this package.
//
// The parameter tasks is the path of a file. If tasks is "", Open reads the tasks in the
// folder. The file contains one of:
//
//   - the tasks of τ-bench, as in tasks_*.py
//   - a list of τ²'s tasks
//   - results of τ-bench with the gold (the expected actions)
func Open(name, dir, tasks string) (env.Benchmark, error) {
	if !slices.Contains(Names, name) {
		return nil, fmt.Errorf("unknown environment %q: want one of %s", name, strings.Join(Names, ", "))
	}
	if dir == "" {
		return nil, fmt.Errorf("missing --env-data: environment %s needs the folder with a copy of the benchmark's repository", name)
	}
	benchmark, domain, _ := strings.Cut(name, "-")
	w := &world{name: name, domain: desk.Domain(domain)}
	if benchmark == "tau2" {
		w.dialect = desk.Tau2
	}
	f, err := findFiles(dir, domain)
	if err != nil {
		return nil, err
	}
	if err := w.readFiles(f, tasks); err != nil {
		return nil, err
	}
	w.digest = w.dataHash(f.databases)
	return w, nil
}

// readFiles fills a world from the files that were found.
func (w *world) readFiles(f *found, tasks string) (err error) {
	opened, err := desk.Open(f.databases)
	if err != nil {
		return fmt.Errorf("%s: %w", f.dir, err)
	}
	if w.database = opened.Database(w.domain, w.dialect); w.database == nil {
		return fmt.Errorf("%s contains no %s database", f.dir, w.domain)
	}
	if w.policy, err = f.readPolicy(w.dialect); err != nil {
		return err
	}
	if w.tools, err = f.readTools(w.domain, w.dialect); err != nil {
		return err
	}
	if tasks == "" {
		if tasks, err = f.tasksFile(w.dialect); err != nil {
			return err
		}
	}
	return w.readTasks(tasks)
}

// dataHash returns the hash of all data that can influence a run.
func (w *world) dataHash(databases []desk.File) string {
	h := sha256.New()
	text, err := json.Marshal([]any{w.name, w.policy, w.tools, w.tasks, w.raw})
	if err != nil {
		panic(err) // strings, and JSON that was read
	}
	h.Write(text)
	for _, d := range databases {
		fmt.Fprintf(h, "%d %s", len(d.Data), d.Data)
	}
	return hex.EncodeToString(h.Sum(nil))
}

func (w *world) Name() string      { return w.name }
func (w *world) Policy() string    { return w.policy }
func (w *world) Tools() []env.Tool { return w.tools }
func (w *world) Tasks() []env.Task { return w.tasks }
func (w *world) Digest() string    { return w.digest }

// Conduct returns the benchmark's rules for a run. In τ-bench, only the first call of a
// message is executed, and a run ends when it is handed over to a person. In τ², all
// calls are executed, and the user ends the run.
func (w *world) Conduct() env.Conduct {
	if w.dialect == desk.Tau2 {
		return env.Conduct{Tau2: true, Tasks: w.raw}
	}
	return env.Conduct{OneCall: true, Ends: []string{handover}}
}

const handover = "transfer_to_human_agents"
