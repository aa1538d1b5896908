//go:build !js

package gate_test

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
	"github.com/boundcheck/boundcheck/worker/gate/sqlite"
)

// TestBackupUnderLoad copies the database while agents propose, claim and report. Each copy has all that was answered before
// it began and nothing from after its end, its audit is whole, and each record agrees with the audit.
func TestBackupUnderLoad(t *testing.T) {
	s := newTestService(t, `{"cooldown":"none"}`)
	var begun, answered atomic.Int64
	stop := make(chan struct{})
	var wait sync.WaitGroup
	for k := range 4 {
		wait.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-stop:
					return
				default:
				}
				begun.Add(1)
				id, digest := s.proposeHeld("cancel_order", fmt.Sprintf(`{"n":%d}`, 10_000*k+i))
				answered.Add(1)
				s.sendDecision(aliceKey, id, digest, i%3 > 0)
				if a := s.sendClaim(id); a.status == 200 && i%2 == 0 {
					s.callAPI("POST", "/v1/proposals/"+id+"/outcome", agentKey, `{"grant":"`+a.textField("grant")+`","status":"executed"}`)
				}
			}
		})
	}
	folder := t.TempDir()
	for i := range drawn.Cases(4) {
		before := answered.Load()
		to := filepath.Join(folder, fmt.Sprintf("copy%d.db", i))
		c, err := sqlite.Backup(t.Context(), s.file, to)
		after := begun.Load()
		if err != nil {
			t.Fatal(err)
		}
		if c.Proposals < before || c.Proposals > after {
			t.Errorf("the copy has %d proposals: %d were answered before, and %d begun", c.Proposals, before, after)
		}
		for _, one := range c.Checked {
			if len(one.Faults) > 0 {
				t.Errorf("%q", one.Faults)
			}
		}
		info, err := os.Stat(to)
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Error(info, err)
		}
		if _, err := os.Stat(to + "-wal"); err == nil {
			t.Error("the copy needs another file")
		}
		open, err := sqlite.Open(t.Context(), to)
		if err != nil {
			t.Fatal(err)
		}
		open.Close()
	}
	close(stop)
	wait.Wait()
	s.assertWhole()
}

// TestBackupRefuses checks that no file is written over, that nothing stays of a copy that is not whole, and that the faults
// of an audit are told.
func TestBackupRefuses(t *testing.T) {
	s := newTestService(t, "")
	for i := range 40 {
		id, digest := s.proposeHeld("cancel_order", fmt.Sprintf(`{"n":%d,"text":"%0900d"}`, i, i))
		s.sendDecision(aliceKey, id, digest, true).assertStatus(t, 200)
	}
	folder := t.TempDir()
	there := filepath.Join(folder, "there.db")
	if err := os.WriteFile(there, nil, 0o600); err != nil { // even an empty one
		t.Fatal(err)
	}
	if _, err := sqlite.Backup(t.Context(), s.file, there); err == nil {
		t.Error("a file was written over")
	}
	if _, err := sqlite.Backup(t.Context(), s.file, s.file); err == nil {
		t.Error("the database was written over")
	}
	to := filepath.Join(folder, "copy.db")
	if _, err := sqlite.Backup(t.Context(), filepath.Join(folder, "none.db"), to); err == nil {
		t.Error("a copy of nothing")
	}
	db := openRaw(t, s.file)
	for _, change := range []string{"DROP TRIGGER proposals_fixed", "DROP TRIGGER proposals_update", "DROP TRIGGER proposals_terminal", `UPDATE proposals SET life = replace(life, 'alice', 'carol')`, "PRAGMA wal_checkpoint(TRUNCATE)"} {
		if _, err := db.Exec(change); err != nil {
			t.Fatal(err)
		}
	}
	if c, err := sqlite.Backup(t.Context(), s.file, to); err != nil || len(c.Checked) != 1 || len(c.Checked[0].Faults) == 0 {
		t.Errorf("%+v: %v", c, err)
	}
	bytes, err := os.ReadFile(to)
	if err != nil {
		t.Fatal(err)
	}
	for i := 4096 * 8; i < len(bytes); i += 4096 { // the pages lose their heads
		copy(bytes[i:], "no page at all")
	}
	broken := filepath.Join(folder, "broken.db")
	if err := os.WriteFile(broken, bytes, 0o600); err != nil {
		t.Fatal(err)
	}
	last := filepath.Join(folder, "last.db")
	if _, err := sqlite.Backup(t.Context(), broken, last); err == nil {
		t.Error("a broken database was copied")
	}
	if _, err := os.Stat(last); err == nil {
		t.Error("a part of a copy stays")
	}
}
