package taubench

import (
	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/sdk"
	"github.com/boundcheck/boundcheck/plugins/taubench/audit"
	"github.com/boundcheck/boundcheck/plugins/taubench/env"
)

// Audit finds faults in a task's gold, which is the list of its reference actions. world
// may be nil. If the domain has no database, no rule is checked, and a note says so.
func Audit(world *env.World, r *abi.AuditRequest) (abi.Audit, error) {
	replay := &abi.ReplayRequest{Benchmark: r.Benchmark, Reference: r.Actions}
	b, err := benchmarkOf(replay)
	if err != nil {
		return abi.Audit{}, err
	}
	domain := domainOf(replay)
	out := abi.Audit{Benchmark: b.id, Domain: string(domain), Basis: abi.BasisDatabase, Flags: []abi.Flag{}, Notes: []string{}}
	db := databaseOf(world, domain, b.dialect)
	if db == nil {
		out.Basis = abi.BasisWrites
		out.Notes = append(out.Notes, "no database was given for this domain, so no rule can be checked")
		return out, nil
	}
	flags, err := audit.Audit(db, b.dialect, r)
	if err != nil {
		return abi.Audit{}, sdk.Errorf(CodeInvalidDatabase, "%v", err)
	}
	out.Flags = append(out.Flags, flags...)
	return out, nil
}
