package store

import (
	"errors"
	"io/fs"
	"path/filepath"
	"testing"
)

func TestDataDir(t *testing.T) {
	check := func(system, want string, env map[string]string) {
		t.Helper()
		got, err := dataDir(system, func(name string) string { return env[name] }, func() (string, error) { return "/home/a", nil })
		if err != nil || filepath.ToSlash(got) != want {
			t.Errorf("%s %v: %s, %v, want %s", system, env, got, err, want)
		}
	}
	check("linux", "/home/a/.local/share", nil)
	check("linux", "/data", map[string]string{"XDG_DATA_HOME": "/data"})
	check("linux", "/home/a/.local/share", map[string]string{"XDG_DATA_HOME": "data"})
	check("darwin", "/home/a/Library/Application Support", map[string]string{"XDG_DATA_HOME": "/data"})
	check("windows", "/home/a/AppData/Local", nil)
	check("windows", "C:/Local", map[string]string{"LocalAppData": "C:/Local"})
}

func TestStore(t *testing.T) {
	s := Store{filepath.Join(t.TempDir(), "new")}
	if names, err := s.Names(); names != nil || err != nil {
		t.Errorf("%v, %v", names, err)
	}
	for _, name := range []string{"", "../x", "A", "x.y", `x\y`} {
		if err := s.Install(name, nil); err == nil {
			t.Errorf("%q installed", name)
		}
		if _, err := s.Read(name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%q: %v", name, err)
		}
	}
	if err := s.Install("x", []byte("one")); err != nil {
		t.Fatal(err)
	}
	if b, err := s.Read("x"); string(b) != "one" || err != nil {
		t.Errorf("%s, %v", b, err)
	}
	if b, ok := s.Cached(Sum([]byte("one"))); !ok || string(b) != "one" {
		t.Errorf("%s, %v", b, ok)
	}
	if _, ok := s.Cached("../../etc/passwd"); ok {
		t.Error("a hash that is none")
	}
	if names, _ := s.Names(); len(names) != 1 || names[0] != "x" {
		t.Errorf("%v", names)
	}
	if err := s.Remove("x", Sum([]byte("one"))); err != nil {
		t.Error(err)
	}
	if _, ok := s.Cached(Sum([]byte("one"))); ok {
		t.Error("kept after it was removed")
	}
}
