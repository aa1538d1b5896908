package gate

import (
	"bytes"
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/worker/gate/sqlite"
)

// auditDatabase writes a gate's database and returns the name of its file. The database
// has three proposals and four sealed audit rows. The first proposal is denied.
func auditDatabase(t *testing.T) string {
	t.Helper()
	file := unsealedDatabase(t)
	store, err := sqlite.Open(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	if err := store.Seal(t.Context()); err != nil {
		t.Fatal(err)
	}
	return file
}

// unsealedDatabase does the same as auditDatabase, but it seals no row.
func unsealedDatabase(t *testing.T) string {
	t.Helper()
	ctx := context.Background()
	file := filepath.Join(t.TempDir(), "gate.db")
	store, err := sqlite.Open(ctx, file)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	for _, id := range []string{"p_1", "p_2", "p_3"} {
		plan := machine.Propose(machine.Default(), machine.Ask{By: machine.Principal{Tenant: "shop", Name: "bot", Role: machine.Agent},
			Calls: []proposal.Proposal{{Tool: "cancel_order", Arguments: `{"id":"` + id + `"}`}}, IDs: []string{id}}, 1000)
		if err := store.Insert(ctx, plan.Records, plan.Entries); err != nil {
			t.Fatal(err)
		}
	}
	r, _ := store.Load(ctx, "shop", "p_1")
	c := machine.Step([]machine.Record{r}, 0, machine.Event{Kind: machine.Decide, Digest: r.Digest, By: machine.Principal{Tenant: "shop", Name: "alice", Role: machine.Approver}}, 2000)
	if ok, err := store.Update(ctx, c); !ok || err != nil {
		t.Fatal(ok, err)
	}
	return file
}

// TestAuditUnsealed checks a database with rows that are not sealed yet. verify and
// export must read all rows and say how many are not sealed, and --strict must fail. The
// export must have the same bytes as after the sealing.
func TestAuditUnsealed(t *testing.T) {
	db := unsealedDatabase(t)
	check := func(code int, parts []string, args ...string) string {
		t.Helper()
		got, text := runAudit(args...)
		if got != code {
			t.Errorf("%q: %d, want %d: %s", args, got, code, text)
		}
		for _, p := range parts {
			if !strings.Contains(text, p) {
				t.Errorf("%q: no %q in %s", args, p, text)
			}
		}
		return text
	}
	said := "tenant shop: 4 rows not sealed yet; the export seals them\n"
	before := check(cmd.ExitOK, []string{said}, "export", db)
	check(cmd.ExitInput, []string{said, `"end":true,"rows":"4"`, "--strict"}, "export", "--strict", db)
	check(cmd.ExitOK, []string{"4 rows, 4 rows not sealed yet, audit chain intact"}, "verify", db)
	check(cmd.ExitInput, []string{"4 rows not sealed yet"}, "verify", "--strict", db)
	store, err := sqlite.Open(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	if err := store.Seal(t.Context()); err != nil {
		t.Fatal(err)
	}
	if after := check(cmd.ExitOK, nil, "export", "--strict", db); after+said != before {
		t.Errorf("before the sealing:\n%s\nafter it:\n%s", before, after)
	}
	check(cmd.ExitOK, []string{"4 rows, audit chain intact"}, "verify", "--strict", db)
}

func runAudit(args ...string) (int, string) {
	var out, errs bytes.Buffer
	code := Audit(args, strings.NewReader(""), &out, &errs)
	return code, out.String() + errs.String()
}

func TestAuditExport(t *testing.T) {
	db := auditDatabase(t)
	code, text := runAudit("export", db)
	if lines := strings.Count(text, "\n"); code != cmd.ExitOK || lines != 6 {
		t.Fatalf("%d: %s", code, text)
	}
	check := func(name, want string, change func(lines []string) []string) {
		t.Helper()
		file := filepath.Join(t.TempDir(), "audit.jsonl")
		lines := change(strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n"))
		if err := os.WriteFile(file, []byte(strings.Join(lines, "")), 0o600); err != nil {
			t.Fatal(err)
		}
		code, out := runAudit("verify", file)
		if (code == cmd.ExitOK) != (strings.HasSuffix(want, "intact")) || !strings.Contains(out, want) {
			t.Errorf("%s: %d %s", name, code, out)
		}
	}
	check("untouched", "audit chain intact", func(l []string) []string { return l })
	check("removed", "row 2 is missing", func(l []string) []string { return append(l[:2:2], l[3:]...) })
	check("end removed", "row 4 is missing", func(l []string) []string { return append(l[:4:4], l[5]) })
	check("cut", "no last line", func(l []string) []string { return l[:4] })
	check("swapped", "row 3 (line 2) comes before row 2", func(l []string) []string { l[2], l[3] = l[3], l[2]; return l })
	check("changed", "row 4 (line 4) was changed", func(l []string) []string { l[4] = strings.Replace(l[4], "alice", "bob", 1); return l })
	check("other tenant", "row 1 (line 1) was changed", func(l []string) []string { l[0] = strings.Replace(l[0], "shop", "bank", 1); return l })
	check("junk", "is not JSON", func([]string) []string { return []string{"junk"} })
	check("empty", "empty", func([]string) []string { return nil })
}

// TestAuditDatabase checks that a verification finds changes that were made directly in
// the database file. The test first drops the triggers that prevent such changes.
func TestAuditDatabase(t *testing.T) {
	if code, out := runAudit("verify", auditDatabase(t)); code != cmd.ExitOK || !strings.Contains(out, "4 rows, audit chain intact, head sha256:") {
		t.Errorf("untouched: %d %s", code, out)
	}
	check := func(change, want string) {
		t.Helper()
		file := auditDatabase(t)
		db, err := sql.Open("sqlite", file)
		if err != nil {
			t.Fatal(err)
		}
		for _, guard := range []string{"audit_keep", "audit_seal", "proposals_keep", "proposals_fixed", "proposals_terminal", "proposals_claim", "proposals_update"} {
			if _, err := db.Exec("DROP TRIGGER " + guard); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := db.Exec(change); err != nil {
			t.Fatal(err)
		}
		db.Close()
		if code, out := runAudit("verify", file); code != cmd.ExitInput || !strings.Contains(out, want) {
			t.Errorf("%s: %d %s", change, code, out)
		}
	}
	check(`DELETE FROM audit WHERE seq = 2`, "row 2 is missing")
	check(`DELETE FROM audit WHERE seq = 4`, "numbered 4 audit rows but contains only 3 rows; number of removed rows: 1")
	check(`DELETE FROM audit WHERE seq = 4; UPDATE sqlite_sequence SET seq = 3`, "proposal p_1 has the state denied (change 2), but its last audit row has the state pending (change 1)")
	check(`UPDATE audit SET entry = replace(entry, 'alice', 'bob') WHERE seq = 4`, "row 4 (line 4) was changed")
	check(`UPDATE audit SET seq = 9 WHERE seq = 2`, "row 3 (line 2) comes before row 2 (line 4)")
	check(`UPDATE proposals SET state = 'approved' WHERE id = 'p_1'`, "proposal p_1 has the state approved (change 2), but its last audit row has the state denied")
	check(`UPDATE proposals SET arguments = '{}' WHERE id = 'p_2'`, "proposal p_2 does not contain the bytes")
	check(`DELETE FROM proposals WHERE id = 'p_3'`, "proposal p_3 is in the audit, but not in the table of proposals")
}

func TestAuditHeads(t *testing.T) {
	db := auditDatabase(t)
	_, out := runAudit("verify", db)
	head := out[strings.Index(out, "sha256:") : len(out)-1]
	if code, out := runAudit("verify", "--head", "shop="+head, db); code != cmd.ExitOK {
		t.Errorf("the noted head: %s", out)
	}
	if code, out := runAudit("verify", "--head", "shop=sha256:00", db); code != cmd.ExitInput || !strings.Contains(out, "differs from the recorded head") {
		t.Errorf("another head: %s", out)
	}
	if code, out := runAudit("verify", "--head", "gone="+head, db); code != cmd.ExitInput || !strings.Contains(out, "tenant gone: the audit has no rows") {
		t.Errorf("a chain that is gone: %s", out)
	}
	for _, args := range [][]string{{}, {"burn"}, {"verify"}, {"verify", "--head", "x", db}, {"export", "a", "b"}} {
		if code, out := runAudit(args...); code != cmd.ExitUsage || out == "" {
			t.Errorf("%q: %d %s", args, code, out)
		}
	}
	if code, _ := runAudit("verify", "/nowhere"); code != cmd.ExitInput {
		t.Errorf("no file: %d", code)
	}
}

// TestBackupCommand checks what "boundcheck gate backup" prints and its exit codes.
func TestBackupCommand(t *testing.T) {
	file := auditDatabase(t)
	to := filepath.Join(t.TempDir(), "copy.db")
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"--db", file, to}, cmd.ExitOK, to + ": pages whole, 3 proposals, 0 delegations, 0 remembered decisions\ntenant shop: 4 rows, audit chain intact, head sha256:"},
		{[]string{"--db", file, to}, cmd.ExitInput, "file exists"},
		{[]string{"--db", file + "x", to + "x"}, cmd.ExitInput, "no such file"},
		{[]string{"--db", file}, cmd.ExitUsage, "want --db FILE and the name of the copy"},
		{[]string{"--db", "postgres://x/y", to}, cmd.ExitUsage, "use pg_dump"},
	} {
		var out, errs bytes.Buffer
		if code := Gate(append([]string{"backup"}, c.args...), nil, &out, &errs); code != c.code || !strings.Contains(out.String()+errs.String(), c.want) {
			t.Errorf("%q: %d %s%s, want %d %s", c.args, code, &out, &errs, c.code, c.want)
		}
	}
}
