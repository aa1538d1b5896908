package sdk

import "github.com/boundcheck/boundcheck/plugins/abi"

// Checker returns the operations state.replay and equivalence.check of a plugin. Each
// operation first calls the function of, which finds the data for a request, for example
// the task. The operation then calls the function replay or check with this data and the
// request.
func Checker[T any](of func(*abi.ReplayRequest) (T, error), replay func(T, *abi.ReplayRequest) (abi.Replay, error), check func(T, *abi.CheckRequest) (abi.Check, error)) map[string]Op {
	return map[string]Op{
		abi.OpStateReplay: Replays(func(r abi.ReplayRequest) (abi.Replay, error) {
			found, err := of(&r)
			if err != nil {
				return abi.Replay{}, err
			}
			return replay(found, &r)
		}),
		abi.OpEquivalenceCheck: Checks(func(r abi.CheckRequest) (abi.Check, error) {
			found, err := of(&r.ReplayRequest)
			if err != nil {
				return abi.Check{}, err
			}
			return check(found, &r)
		}),
	}
}

// Plain returns an error if the request names an environment or an unknown benchmark. It
// is for a checker without environments, whose only benchmark is the parameter benchmark.
func Plain(r *abi.ReplayRequest, benchmark string) error {
	if err := NoEnvironment(r.Environment); err != nil {
		return err
	}
	return OnlyBenchmark(r.Benchmark, benchmark)
}

// OnlyBenchmark returns an error if a request names an unknown benchmark. named is the
// benchmark in the request, or "" if the request names none. known is the only benchmark
// of the plugin.
func OnlyBenchmark(named, known string) error {
	if named == "" || named == known {
		return nil
	}
	return Errorf(abi.CodeUnknownBenchmark, "unknown benchmark %q; the known benchmark is %s", named, known)
}

// NoEnvironment returns an error if the request names an environment. It is for a
// checker without environments.
func NoEnvironment(id string) error {
	if id == "" {
		return nil
	}
	return Errorf(abi.CodeUnknownEnvironment, "unknown environment %q: this plugin does not use environments", id)
}

// CheckRows returns an error if a row of an alignment has no action on either side, or
// if an index is out of range. observed and reference are the numbers of actions.
func CheckRows(rows []abi.Row, observed, reference int) error {
	for i, row := range rows {
		if row.Obs < -1 || row.Obs >= observed || row.Ref < -1 || row.Ref >= reference || row.Obs+row.Ref == -2 {
			return Errorf(abi.CodeInvalidRequest, "invalid alignment[%d]: the indices %d and %d are out of range, or both are -1", i, row.Obs, row.Ref)
		}
	}
	return nil
}
