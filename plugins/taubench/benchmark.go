package taubench

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/sdk"
	"github.com/boundcheck/boundcheck/plugins/taubench/env"
)

// benchmark is one of the two benchmarks that this plugin knows.
type benchmark struct {
	id      string
	dialect env.Dialect
	formats []string
	whole   bool // the reward depends only on the state and the outputs
}

func allBenchmarks() []benchmark {
	return []benchmark{
		{"tau-bench", env.Tau, []string{"tau-bench"}, true},
		{"tau2-bench", env.Tau2, []string{"tau2"}, false},
	}
}

func describeBenchmarks() []abi.Benchmark {
	var out []abi.Benchmark
	for _, b := range allBenchmarks() {
		out = append(out, abi.Benchmark{ID: b.id, Formats: b.formats, Tools: env.Tools(b.dialect, env.Airline, env.Retail)})
	}
	return out
}

// benchmarkOf returns the benchmark that the request names. If the request names none,
// the result is the first benchmark.
func benchmarkOf(r *abi.ReplayRequest) (benchmark, error) {
	all := allBenchmarks()
	if r.Benchmark == "" {
		return all[0], nil
	}
	ids := make([]string, len(all))
	for i, b := range all {
		if b.id == r.Benchmark {
			return b, nil
		}
		ids[i] = b.id
	}
	return benchmark{}, sdk.Errorf(abi.CodeUnknownBenchmark, "unknown benchmark %q; the known benchmarks are %s", r.Benchmark, strings.Join(ids, ", "))
}

// domainOf returns the domain of the run by the names of both sides' calls. The result is
// "" if the names do not show the domain.
func domainOf(r *abi.ReplayRequest) env.Domain {
	var names []string
	for _, a := range slices.Concat(r.Observed, r.Reference) {
		names = append(names, a.Name)
	}
	return env.DomainOf(names)
}

// databaseOf returns the run's database, or nil if this database was not given. If domain
// is "", either database can answer the calls. The airline's database is then preferred.
func databaseOf(w *env.World, domain env.Domain, dialect env.Dialect) *env.Database {
	if domain != "" {
		return w.Database(domain, dialect)
	}
	if d := w.Database(env.Airline, dialect); d != nil {
		return d
	}
	return w.Database(env.Retail, dialect)
}
