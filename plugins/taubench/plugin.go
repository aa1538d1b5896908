package taubench

import (
	"sync"

	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/sdk"
	"github.com/boundcheck/boundcheck/plugins/taubench/env"
)

// Version is the plugin's.
const Version = "0.1.0"

// Plugin gives the plugin as its guest serves it. Each has environments of its own.
func Plugin() *sdk.Plugin {
	s := &store{worlds: map[string]*env.World{}}
	return &sdk.Plugin{
		Description: abi.Description{
			Name:       "taubench",
			Version:    Version,
			Summary:    "τ-bench and τ²-bench, airline and retail: runs replayed on the benchmark's own database",
			Benchmarks: describe(),
			Environment: &abi.EnvironmentFiles{
				Summary: "the benchmark's databases: a directory with a file for each table, or with a db.json, for each domain",
				Names:   env.FileNames(),
			},
		},
		Ops: map[string]sdk.Op{
			abi.OpStateReplay: sdk.Replays(func(r abi.ReplayRequest) (abi.Replay, error) {
				w, err := s.world(r.Environment)
				if err != nil {
					return abi.Replay{}, err
				}
				return Replay(w, &r)
			}),
			abi.OpEquivalenceCheck: sdk.Checks(func(r abi.CheckRequest) (abi.Check, error) {
				w, err := s.world(r.Environment)
				if err != nil {
					return abi.Check{}, err
				}
				return Check(w, &r)
			}),
		},
		Load: s.load,
	}
}

// store is the environments that an instance was given. The mutex is for native
// callers; a guest has one thread.
type store struct {
	mu     sync.Mutex
	worlds map[string]*env.World
}

// world finds an environment; none is named where the user gave none.
func (s *store) world(id string) (*env.World, error) {
	if id == "" {
		return nil, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if w := s.worlds[id]; w != nil {
		return w, nil
	}
	return nil, sdk.Errorf(abi.CodeUnknownEnvironment, "unknown environment %q: it was not given to this instance", id)
}

// load replaces what was given before: databases are large.
func (s *store) load(id string, files []abi.File) ([]string, error) {
	texts := make([]env.File, len(files))
	for i, f := range files {
		texts[i] = env.File{Name: f.Name, Data: string(f.Data)}
	}
	w, err := env.Open(texts)
	if err != nil {
		return nil, sdk.Errorf(CodeInvalidDatabase, "%v", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.worlds = map[string]*env.World{id: w}
	return w.Summary(), nil
}

// CodeInvalidDatabase is this plugin's error for files that hold no database.
const CodeInvalidDatabase = "invalid-database"
