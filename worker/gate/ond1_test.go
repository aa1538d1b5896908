//go:build !js

package gate_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
	"github.com/boundcheck/boundcheck/worker/gate/d1"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// onEveryStore has the tests of the store and of the API that hold for each database.
var onEveryStore = map[string]func(*testing.T){
	"keeps bytes": TestStoreKeepsBytes, "one winner": TestStoreOneWinner, "settled": TestStoreSettled, "seal": TestSealTogether, "keep": TestKeep,
	"every verdict": TestEveryVerdict, "audit": TestAuditAPI, "retention": TestRetention, "quota": TestQuota, "signed out": TestSignedOut, "paging": TestPaging, "agents": TestAgentsApart,
	"round": TestRound, "deny": TestDenyAndCancel, "batch": TestBatch, "idempotency": TestIdempotency, "page": TestPageDecides, "page batch": TestPageBatch, "events": TestEvents,
	"webhook": TestWebhook, "one deliverer": TestOneDeliverer, "long poll": TestLongPoll, "turns": TestTurns,
	"fatigue": TestFatigue, "hook": TestHookRound, "definitions": TestDefinitionsPage, "spend": TestSpend,
	"revoke": TestRevoke, "revoke race": TestRevokeRace, "freeze": TestFreeze, "freeze in the store": TestFreezeInTheStore, "denied before": TestV07DeniedStaysDenied, "signed in": TestSignedInPages, "sources": TestSources,
	"edit": TestEdit, "edit refused": TestEditRefused, "edit in a batch": TestEditInBatch, "edited never runs": TestEditedNeverRuns, "edit race": TestEditRace, "edited record": TestEditedRecordKept, "answer": TestAnswer,
	"many decisions": TestManyDecisionsRandom, "all on one page": TestAllOnOnePage, "remember": TestRemember, "remember refused": TestRememberRefused, "remembered covers no more": TestRememberedCoversNoMore, "remember race": TestRememberRace,
	"receipt": TestReceipt, "history": TestHistorySearch, "history bounded": TestHistoryIsBounded, "history page": TestHistoryPage, "previews": TestPreviewsKept, "escalated": TestEscalated, "waited for": TestWaitedFor, "bypassed": TestBypassed,
	"delegated": TestDelegated, "delegation audited": TestDelegationAudited, "delegation race": TestDelegationRace, "delegation in the store": TestDelegationInTheStore, "delegate on the page": TestDelegateOnPage,
	"browsers": TestBrowsersPage, "messages wait": TestPushWaits, "messages end": TestMessagesEnd, "twins race": TestTwinsRace, "twins": TestTwinsAreSeen, "denials": TestDenialsAreOfOneCall, "edited twins": TestEditedTwins,
}

// TestOnD1 repeats dozens of tests with the driver for D1, which takes seconds: every second one
// of those of the store and of the API, and with BOUNDCHECK_LONG=1 all of them. The database
// behind the driver is SQLite, but numbers are rounded as JavaScript rounds them (see the
// function sendLikeD1). The Worker's own tests run on D1.
func TestOnD1(t *testing.T) {
	before := open
	defer func() { open = before }()
	open = func(t testing.TB) (*store.Store, string) {
		_, file := before(t)
		db := d1.Open(sendLikeD1(openRaw(t, file)))
		t.Cleanup(func() { db.Close() })
		return store.NewStore(db, db), file
	}
	for i, name := range slices.Sorted(maps.Keys(onEveryStore)) {
		if drawn.InShare(i, 2) {
			t.Run(name, onEveryStore[name])
		}
	}
}

// sendLikeD1 returns a function that sends statements to a database in the way of D1's
// binding. All rows come at once, and whole numbers are converted to float64 and back. Like D1,
// it runs one statement at a time; with more, SQLite lets one wait for seconds on a busy machine.
func sendLikeD1(db *sql.DB) d1.Send {
	db.SetMaxOpenConns(1)
	return func(ctx context.Context, query, params string) (string, error) {
		var args []any
		if err := json.Unmarshal([]byte(params), &args); err != nil {
			return "", err
		}
		rows, err := db.QueryContext(ctx, query, args...)
		if err != nil {
			return "", err
		}
		defer rows.Close()
		names, err := rows.Columns()
		all := [][]any{}
		for err == nil && rows.Next() {
			row := make([]any, len(names))
			to := make([]any, len(names))
			for i := range row {
				to[i] = &row[i]
			}
			if err = rows.Scan(to...); err != nil {
				return "", err
			}
			for i, cell := range row {
				if n, whole := cell.(int64); whole {
					row[i] = float64(n)
				}
			}
			all = append(all, row)
		}
		if err == nil {
			err = rows.Err()
		}
		text, _ := json.Marshal(all)
		return string(text), err
	}
}
