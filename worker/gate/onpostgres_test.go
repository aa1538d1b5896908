//go:build !js

package gate_test

import (
	"context"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/pgserver"
	"github.com/boundcheck/boundcheck/worker/gate/postgres"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// usePostgres lets open return stores in a PostgreSQL database until the test ends.
func usePostgres(t *testing.T) {
	server := pgserver.Shared(t)
	before := open
	t.Cleanup(func() { open = before })
	open = func(t testing.TB) (*store.Store, string) {
		t.Helper()
		address := server.Address(t)
		s, err := postgres.Open(context.Background(), address, false)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		return s, address
	}
}

// TestOnPostgres repeats tests of the store, the API and the rules on a real PostgreSQL
// server, which takes seconds, because the server starts and makes tables for each test.
// With BOUNDCHECK_LONG=1, it repeats all tests that are repeated on D1.
func TestOnPostgres(t *testing.T) {
	usePostgres(t)
	short := strings.Fields("keeps-bytes refuses one-winner settled seal keep audit retention quota paging round batch idempotency one-deliverer turns spend freeze-in-the-store delegated delegation-in-the-store edited-never-runs edited-record sources denied-before late tallies twins-race twins denials history history-bounded previews")
	tests := maps.Clone(onEveryStore)
	maps.Copy(tests, map[string]func(*testing.T){
		"refuses": TestStoreRefuses, "policies": TestPolicies, "parallel": TestParallelClaims, "clock": TestRuleClock, "late": TestFailedThenExecuted, "claim": TestRulesAtClaim, "from": TestRuleFrom, "agents in rules": TestRuleAgents, "log": TestRuleLog, "tallies": TestTallies,
	})
	for name, test := range tests {
		if os.Getenv("BOUNDCHECK_LONG") == "" && !slices.Contains(short, strings.ReplaceAll(name, " ", "-")) {
			continue
		}
		t.Run(name, test)
	}
}
