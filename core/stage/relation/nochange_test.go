package relation

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/internal/drawn"
)

func callOf(t *testing.T, name, arguments string) boundary.Action {
	v, err := jsonval.Parse(arguments)
	if err != nil {
		t.Fatal(err)
	}
	return boundary.Action{Call: similarity.NewCall(name, v, "", "")}
}

// TestOnlyAResultSaysNoChange draws calls that ask for a trial in their arguments. Only the
// result of a call says that it changed nothing: no argument does.
func TestOnlyAResultSaysNoChange(t *testing.T) {
	for seed := range drawn.Cases(300) {
		d := rand.New(rand.NewPCG(uint64(seed), 5))
		pick := func(all ...string) string { return all[d.IntN(len(all))] }
		key := pick("dry_run", "preview", "simulate", "what_if", "check_only")
		j := Run{Case: &boundary.Case{Obs: []boundary.Action{callOf(t, pick("delete_rows", "enable_login", "send_mail"), fmt.Sprintf(`{"id":"a1","note":"nothing changed","%s":true}`, key))}}}
		quiet := d.IntN(2) == 0
		answer := pick(`{"deleted":31}`, "ok", "done", "", `{"changed":true}`, "would you like more?", "enabled", `{"dry_run": false, "deleted": 31}`, "10 rows affected", "1,000 rows updated", "this was not a dry run: 3 are gone", "dry_run=0, deleted=3", "The fee would be 2 EUR.", "wrote no-opinion.txt")
		if quiet {
			answer = pick(`{"would_delete":31}`, "Dry run: 3 rows", `{"changed": false}`, "nothing to commit, working tree clean", "0 rows affected", `{"dry_run":true}`, "dry-run: 0 rows would change", "Dry run: no changes were made")
		}
		j.Refusal = func(int) string { return answer }
		if got := j.SaysNoChange(0); got != quiet {
			t.Fatalf("seed %d: %s(%s) with the result %q: %v", seed, j.Obs[0].Name, key, answer, got)
		}
	}
}

// TestTransactions draws statements. A transaction counts as nothing only if it was begun and
// committed around the statements, and not rolled back; a plain state machine says when.
func TestTransactions(t *testing.T) {
	words := []string{"BEGIN", "begin;", "COMMIT", "ROLLBACK", "DELETE FROM t", "START TRANSACTION"}
	for seed := range drawn.Cases(500) {
		d := rand.New(rand.NewPCG(uint64(seed), 6))
		var all []string
		c := &boundary.Case{}
		for range 1 + d.IntN(6) {
			w := words[d.IntN(len(words))]
			all = append(all, w)
			c.Obs = append(c.Obs, callOf(t, "run_sql", fmt.Sprintf(`{"query":%q}`, w)))
		}
		want, open := make([]bool, len(all)), -1
		for i, w := range all {
			switch strings.ToLower(w[:1]) {
			case "b", "s":
				open = i
			case "c":
				if open >= 0 {
					want[open], want[i] = true, true
				}
				open = -1
			case "r":
				open = -1
			}
		}
		j := Run{Case: c}
		for i := range all {
			if got := j.InTransaction(i); got != want[i] {
				t.Fatalf("seed %d: %v, statement %d: %v", seed, all, i, got)
			}
		}
	}
}
