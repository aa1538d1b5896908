package taubench

import (
	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/sdk"
	"github.com/boundcheck/boundcheck/plugins/taubench/env"
)

// Version is the version of the plugin.
const Version = "0.1.0"

// Plugin returns the plugin that the guest serves. Each call returns a plugin with its
// own environments.
func Plugin() *sdk.Plugin {
	s := &store{}
	return &sdk.Plugin{
		Description: abi.Description{
			Name:       "taubench",
			Version:    Version,
			Summary:    "τ-bench and τ²-bench, airline and retail: replays runs on the benchmark's own database",
			Benchmarks: describeBenchmarks(),
			Environment: &abi.EnvironmentFiles{
				Summary: "the benchmark's databases: one directory for each domain, with one file for each table or with db.json",
				Names:   env.FileNames(),
			},
		},
		Ops: map[string]sdk.Op{
			abi.OpStateReplay: sdk.Replays(func(r abi.ReplayRequest) (abi.Replay, error) {
				w, err := s.Get(r.Environment)
				if err != nil {
					return abi.Replay{}, err
				}
				return Replay(w, &r)
			}),
			abi.OpEquivalenceCheck: sdk.Checks(func(r abi.CheckRequest) (abi.Check, error) {
				w, err := s.Get(r.Environment)
				if err != nil {
					return abi.Check{}, err
				}
				return Check(w, &r)
			}),
			abi.OpGoldAudit: sdk.Typed(func(r abi.AuditRequest) (abi.Audit, error) {
				w, err := s.Get(r.Environment)
				if err != nil {
					return abi.Audit{}, err
				}
				return Audit(w, &r)
			}),
		},
		Load: s.loadDatabases,
	}
}

// store holds the databases that an instance was given.
type store struct{ sdk.Store[*env.World] }

// loadDatabases opens the databases in files and stores them under the environment id.
// The new databases replace all databases that were loaded before. The result has a line
// of text about each database.
func (s *store) loadDatabases(id string, files []abi.File) ([]string, error) {
	texts := make([]env.File, len(files))
	for i, f := range files {
		texts[i] = env.File{Name: f.Name, Data: string(f.Data)}
	}
	w, err := env.Open(texts)
	if err != nil {
		return nil, sdk.Errorf(CodeInvalidDatabase, "%v", err)
	}
	s.Put(id, w)
	return w.Summary(), nil
}

// CodeInvalidDatabase is this plugin's error code for files without a database.
const CodeInvalidDatabase = "invalid-database"
