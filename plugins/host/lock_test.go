package host

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/hostile"
)

func TestLock(t *testing.T) {
	t.Chdir(t.TempDir())
	if l, err := ReadLock(""); err != nil || len(l) != 0 {
		t.Errorf("without a lock: %v, %v", l, err)
	}
	if _, err := ReadLock("mine.lock"); err == nil || !strings.Contains(err.Error(), "cannot read mine.lock: no such file") {
		t.Errorf("a lock that was named: %v", err)
	}
	ctx, h := context.Background(), newTestHost(t, Limits{})
	p, err := h.Load(ctx, hostile.Honest(hostile.Describe("good")), Manifest{Name: "good"})
	if err != nil {
		t.Fatal(err)
	}
	l := Lock{"other": {SHA256: strings.Repeat("0", 64), Version: "2.0.0"}}
	l.Add(p)
	if err := l.Write(LockFile); err != nil {
		t.Fatal(err)
	}
	b, _ := os.ReadFile(LockFile)
	want := "{\n  \"good\": {\n    \"sha256\": \"" + p.SHA256 + "\",\n    \"version\": \"1.0.0\",\n    \"abi\": 1\n  },\n  \"other\": {"
	if !strings.HasPrefix(string(b), want) || !strings.HasSuffix(string(b), "}\n") {
		t.Errorf("written\n%s", b)
	}
	if l, err = ReadLock(""); err != nil {
		t.Fatal(err)
	}
	if m := l.Pin(Manifest{Name: "good"}); m.SHA256 != p.SHA256 || m.Name != "good" {
		t.Errorf("pinned %+v", m)
	}
	if m := l.Pin(Manifest{Name: "unheard"}); m.SHA256 != "" {
		t.Errorf("pinned without an entry: %+v", m)
	}
	_, err = h.Load(ctx, hostile.Honest(hostile.Describe("evil")), l.Pin(Manifest{Name: "good"}))
	wantError(t, err, "good", HashMismatch)
	if err := l.Write(filepath.Join("no", "such", "lock")); err == nil {
		t.Error("written where there is no directory")
	}
	if left, _ := filepath.Glob(".lock-*"); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestLockInvalid checks that an invalid lock is an error. Otherwise a person could
// believe that the lock pins a plugin.
func TestLockInvalid(t *testing.T) {
	sum := strings.Repeat("a", 64)
	entry := `{"sha256":"` + sum + `","version":"1"}`
	for _, text := range []string{"", "[]", "{", `{"a":` + entry, `{"a":1}`, `{"a":{}}`, `{"a":{"sha265":"x"}}`,
		`{"a":` + entry + `,"a":` + entry + `}`, `{"a":` + entry + `} {}`, `{"A":` + entry + `}`,
		`{"a":{"sha256":"` + strings.ToUpper(sum) + `"}}`, "<<<<<<< HEAD\n{}"} {
		if l, err := parseLock([]byte(text)); err == nil || !strings.HasPrefix(err.Error(), "invalid lock: ") {
			t.Errorf("%s: %v, %v", text, l, err)
		}
	}
	if l, err := parseLock([]byte(` {"a": ` + entry + "}\n")); err != nil || l["a"].SHA256 != sum {
		t.Errorf("%v, %v", l, err)
	}
}
