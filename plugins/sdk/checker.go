package sdk

import "github.com/boundcheck/boundcheck/plugins/abi"

// OnlyBenchmark refuses a benchmark other than the one that a checker knows; none
// named is that one.
func OnlyBenchmark(named, known string) error {
	if named == "" || named == known {
		return nil
	}
	return Errorf(abi.CodeUnknownBenchmark, "unknown benchmark %q; there is %s", named, known)
}

// NoEnvironment refuses an environment, for a checker that takes none.
func NoEnvironment(id string) error {
	if id == "" {
		return nil
	}
	return Errorf(abi.CodeUnknownEnvironment, "unknown environment %q: this plugin takes none", id)
}

// CheckRows refuses an alignment with a row of neither side, or beside the actions.
func CheckRows(rows []abi.Row, observed, reference int) error {
	for i, row := range rows {
		if row.Obs < -1 || row.Obs >= observed || row.Ref < -1 || row.Ref >= reference || row.Obs+row.Ref == -2 {
			return Errorf(abi.CodeInvalidRequest, "invalid alignment[%d]: indices %d and %d", i, row.Obs, row.Ref)
		}
	}
	return nil
}
