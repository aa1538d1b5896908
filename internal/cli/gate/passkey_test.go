//go:build !js

package gate

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/worker/gate/database"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// TestGatePasskey checks the operator's commands: a link is made only for an approver of the
// key file, and a passkey is listed and removed once.
func TestGatePasskey(t *testing.T) {
	dir := t.TempDir()
	keys, db := filepath.Join(dir, "keys"), filepath.Join(dir, "gate.db")
	writeTo(t, keys, childKeys+"u approver alice carol-key-0123456789abcdefgh\n")
	t.Setenv("BOUNDCHECK_SECRET", strings.Repeat("ab", 32))
	run := func(want int, args ...string) string {
		t.Helper()
		var out, errs bytes.Buffer
		if code := Gate(append([]string{"passkey"}, args...), nil, &out, &errs); code != want {
			t.Fatalf("%v: %d %s%s", args, code, out.String(), errs.String())
		}
		return out.String() + errs.String()
	}
	at := []string{"add", "--keys", keys, "--url", "https://gate.example"}
	if out := run(cmd.ExitOK, append(at, "bob")...); !strings.HasPrefix(out, "https://gate.example/once/") || !strings.HasSuffix(out, "?next=/passkeys\n") {
		t.Error(out)
	}
	run(cmd.ExitOK, append(at, "--tenant", "u", "alice")...)
	for want, args := range map[string][]string{
		"several tenants": append(at, "alice"), "no approver named": append(at, "bot"), "an address with a name": {"add", "--keys", keys, "--url", "https://10.0.0.7", "bob"},
		"no such file": {"list", "--db", db}, "no such": {"remove", "--db", db, "x"},
	} {
		if out := run(cmd.ExitInput, args...); !strings.Contains(out, want) {
			t.Errorf("%v: %s", args, out)
		}
	}
	for _, args := range [][]string{{}, {"revoke"}, {"add", "bob"}, append(at, "--for", "48h", "bob"), {"list"}, {"remove", "--db", db}} {
		run(cmd.ExitUsage, args...)
	}
	t.Setenv("BOUNDCHECK_SECRET", "")
	if out := run(cmd.ExitInput, append(at, "bob")...); !strings.Contains(out, "BOUNDCHECK_SECRET") {
		t.Error(out)
	}

	writeTo(t, db, "")
	s, err := database.Change(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	p := &store.Passkey{ID: "0a", Tenant: "t", Name: "bob", Label: "key\nring", Created: 1, Credential: "{}"}
	if ok, err := s.AddPasskey(t.Context(), p, machine.Entry{Version: 1, Tenant: "t", Event: "passkey", Text: "added"}); !ok || err != nil {
		t.Fatal(ok, err)
	}
	if out := run(cmd.ExitOK, "list", "--db", db); out != "0a t bob added 1970-01-01T00:00:00Z used never \"key\\nring\"\n" {
		t.Errorf("%q", out)
	}
	if out := run(cmd.ExitOK, "remove", "--db", db, "0a"); out != "removed 0a of bob\n" {
		t.Error(out)
	}
	if out := run(cmd.ExitInput, "remove", "--db", db, "0a"); !strings.Contains(out, "no passkey has the id") {
		t.Error(out)
	}
	if out := run(cmd.ExitOK, "list", "--db", db); out != "" {
		t.Error(out)
	}
}
