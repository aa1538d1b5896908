//go:build !js

package gate_test

import (
	"context"
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
	short := strings.Fields("keeps-bytes refuses one-winner settled seal keep audit retention quota paging round batch idempotency one-deliverer turns spend freeze-in-the-store edited-never-runs edited-record sources denied-before late tallies")
	for name, test := range map[string]func(*testing.T){
		"keeps bytes": TestStoreKeepsBytes, "refuses": TestStoreRefuses, "one winner": TestStoreOneWinner, "settled": TestStoreSettled, "seal": TestSealTogether, "keep": TestKeep,
		"every verdict": TestEveryVerdict, "audit": TestAuditAPI, "retention": TestRetention, "quota": TestQuota, "signed out": TestSignedOut, "paging": TestPaging, "agents": TestAgentsApart,
		"round": TestRound, "deny": TestDenyAndCancel, "batch": TestBatch, "idempotency": TestIdempotency, "page": TestPageDecides, "page batch": TestPageBatch, "events": TestEvents,
		"webhook": TestWebhook, "one deliverer": TestOneDeliverer, "long poll": TestLongPoll, "turns": TestTurns,
		"fatigue": TestFatigue, "hook": TestHookRound, "definitions": TestDefinitionsPage, "spend": TestSpend,
		"revoke": TestRevoke, "revoke race": TestRevokeRace, "freeze": TestFreeze, "freeze in the store": TestFreezeInTheStore, "denied before": TestV07DeniedStaysDenied, "signed in": TestSignedInPages, "sources": TestSources,
		"edit": TestEdit, "edit refused": TestEditRefused, "edit in a batch": TestEditInBatch, "edited never runs": TestEditedNeverRuns, "edit race": TestEditRace, "edited record": TestEditedRecordKept, "answer": TestAnswer,
		"many decisions": TestManyDecisionsRandom, "all on one page": TestAllOnOnePage, "remember": TestRemember, "remember refused": TestRememberRefused, "remembered covers no more": TestRememberedCoversNoMore, "remember race": TestRememberRace,
		"receipt":  TestReceipt,
		"policies": TestPolicies, "parallel": TestParallelClaims, "clock": TestRuleClock, "late": TestFailedThenExecuted, "claim": TestRulesAtClaim, "from": TestRuleFrom, "agents in rules": TestRuleAgents, "log": TestRuleLog, "tallies": TestTallies,
	} {
		if os.Getenv("BOUNDCHECK_LONG") == "" && !slices.Contains(short, strings.ReplaceAll(name, " ", "-")) {
			continue
		}
		t.Run(name, test)
	}
}
