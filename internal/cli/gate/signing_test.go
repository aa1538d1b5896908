package gate

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/worker/gate/sqlite"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// drawnKey creates a key pair with "boundcheck audit key". It returns the name of a file
// with the private key, and the public key.
func drawnKey(t *testing.T) (file, public string) {
	t.Helper()
	code, text := runAudit("key")
	private, public, ok := strings.Cut(strings.TrimSpace(text), " ")
	if code != cmd.ExitOK || !ok {
		t.Fatalf("%d %q", code, text)
	}
	file = filepath.Join(t.TempDir(), "audit.key")
	if err := os.WriteFile(file, []byte(private+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return file, public
}

// TestAuditSigned forges an export of the audit by removing the last row and changing the
// end line to match. The export must be valid without the public key, and invalid with
// the key.
func TestAuditSigned(t *testing.T) {
	t.Setenv(auditKeyVariable, "")
	db := auditDatabase(t)
	key, public := drawnKey(t)
	_, other := drawnKey(t)
	_, text := runAudit("export", "--key", key, db)
	check := func(name, want string, lines []string, more ...string) {
		t.Helper()
		file := filepath.Join(t.TempDir(), "audit.jsonl")
		os.WriteFile(file, []byte(strings.Join(lines, "")), 0o600)
		code, out := runAudit(append(append([]string{"verify"}, more...), file)...)
		if (code == cmd.ExitOK) != strings.Contains(want, ", audit chain intact") || !strings.Contains(out, want) {
			t.Errorf("%s: %d %s, want %s", name, code, out, want)
		}
	}
	lines := strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n")
	check("untouched", "4 rows, signed, audit chain intact", lines, "--public", public)
	check("another key", "was not made with the operator's key", lines, "--public", other)
	check("no key", "no public key is given", lines)

	// The last row is removed, and the end line is changed accordingly.
	var last struct{ Hash string }
	json.Unmarshal([]byte(lines[3]), &last)
	forged := append(append([]string{}, lines[:4]...), `{"end":true,"rows":"3","head":"`+last.Hash+`"}`+"\n")
	check("cut and forged", "3 rows, audit chain intact", forged)
	check("cut and forged, with the key", "the audit chain has no signed head", forged, "--public", public)

	_, heads := runAudit("head", "--key", key, db)
	file := filepath.Join(t.TempDir(), "heads.jsonl")
	os.WriteFile(file, []byte(heads), 0o600)
	check("cut, beside a head of before", "row 4 differs from the row that was signed", forged, "--public", public, "--heads", file)
	var h store.SignedHead
	if err := json.Unmarshal([]byte(heads), &h); err != nil || h.Rows != 4 || h.Tenant != "shop" || h.Key != public {
		t.Errorf("%s", heads)
	}
	if code, out := runAudit("verify", "--public", public, "--heads", file, db); code != cmd.ExitOK || !strings.Contains(out, "signed, audit chain intact") {
		t.Errorf("the database: %d %s", code, out)
	}
	os.WriteFile(file, []byte(strings.Replace(heads, `"rows":4`, `"rows":3`, 1)), 0o600)
	if code, out := runAudit("verify", "--public", public, "--heads", file, db); code != cmd.ExitInput || !strings.Contains(out, "not made with the operator's key") {
		t.Errorf("a head that was changed: %d %s", code, out)
	}
	for _, args := range [][]string{{"export", "--key", "/nowhere", db}, {"export", "--key", db, db}, {"verify", "--public", "x", db}, {"verify", "--heads", db, db}} {
		if code, out := runAudit(args...); code != cmd.ExitInput {
			t.Errorf("%q: %d %s", args, code, out)
		}
	}
}

// TestAuditEvents checks that "audit events" prints one event on each line, and that its
// flags select one tenant and the rows after a given number.
func TestAuditEvents(t *testing.T) {
	db := auditDatabase(t)
	code, text := runAudit("events", db)
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if code != cmd.ExitOK || len(lines) != 4 {
		t.Fatalf("%d %s", code, text)
	}
	var e store.AuditEvent
	if err := json.Unmarshal([]byte(lines[3]), &e); err != nil || e.Schema != store.EventSchema || e.N != 4 || e.Event != "decide" || e.By != "alice" || e.To != "denied" || e.Time != "1970-01-01T00:00:02.000Z" {
		t.Errorf("%s", lines[3])
	}
	if _, text := runAudit("events", "--after", "3", "--tenant", "shop", db); strings.TrimSpace(text) != lines[3] {
		t.Errorf("%s", text)
	}
	if _, text := runAudit("events", "--tenant", "bank", db); text != "" {
		t.Errorf("%s", text)
	}
}

// TestLastHead checks that a gate does not lose a head when it ends. A row that is
// written while keepHeads writes heads must get a head, even if the context ends at the
// same time.
func TestLastHead(t *testing.T) {
	file := auditDatabase(t)
	ctx, end := context.WithCancel(context.Background())
	db, err := sqlite.Open(context.Background(), file)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var rows []int64
	sign := func(h *store.SignedHead) {
		rows = append(rows, h.Rows)
		if len(rows) > 1 {
			return
		}
		r, _ := db.Load(context.Background(), "shop", "p_2")
		c := machine.Step([]machine.Record{r}, 0, machine.Event{Kind: machine.Decide, Digest: r.Digest, By: machine.Principal{Tenant: "shop", Name: "alice", Role: machine.Approver}}, 3000)
		if ok, err := db.Update(context.Background(), c); !ok || err != nil {
			t.Fatal(ok, err)
		}
		if err := db.Seal(context.Background()); err != nil {
			t.Fatal(err)
		}
		end()
	}
	heads := filepath.Join(t.TempDir(), "heads.jsonl")
	if err := keepHeads(ctx, db, sign, heads, time.Hour, func(err error) { t.Error(err) }); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(rows, []int64{4, 5}) {
		t.Errorf("heads of %v rows, want 4 and 5", rows)
	}
}
