package embed

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestDisk(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "vectors")
	texts := []string{"a b", "abc", "../../etc/passwd"}
	f := &fake{}
	first, err := newTestClient(t, f, Options{Cache: folder}).Embed(texts)
	if err != nil || len(f.batches) != 1 {
		t.Fatal(err, f.batches)
	}
	again, err := newTestClient(t, f, Options{Cache: folder}).Embed(texts)
	if err != nil || len(f.batches) != 1 || fmt.Sprint(first) != fmt.Sprint(again) {
		t.Errorf("%v: asked again for %v", err, f.batches)
	}
	n := 0
	filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			n++
			if len(d.Name()) != 64 {
				t.Errorf("left %s behind", path)
			}
		}
		return err
	})
	if n != len(texts) {
		t.Errorf("%d files", n)
	}
}

// TestDiskDamage checks that a file without a valid vector is requested again and
// replaced.
func TestDiskDamage(t *testing.T) {
	d, err := openDisk(t.TempDir(), "mini")
	if err != nil {
		t.Fatal(err)
	}
	v := []float32{0.6, 0.8}
	d.saveVector("x", v)
	whole, err := os.ReadFile(d.vectorPath("x"))
	if err != nil {
		t.Fatal(err)
	}
	for _, damaged := range [][]byte{nil, whole[:4], whole[:8], whole[:9], []byte("bce2" + string(whole[4:])),
		append([]byte(magic), 0, 0, 0xc0, 0x7f), bytes.Repeat(whole, 2)} {
		if err := os.WriteFile(d.vectorPath("x"), damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		if got := d.loadVector("x"); got != nil {
			t.Errorf("%x was read as %v", damaged, got)
		}
	}
	d.saveVector("x", v)
	if got := d.loadVector("x"); fmt.Sprint(got) != fmt.Sprint(v) {
		t.Errorf("got %v", got)
	}
	var none disk
	none.saveVector("x", v)
	if none.loadVector("x") != nil || d.loadVector("y") != nil {
		t.Error("a vector out of nothing")
	}
}

func TestDiskKeys(t *testing.T) {
	a, b := disk{"f", "m"}, disk{"f", "mt"}
	if a.vectorPath("text") == b.vectorPath("ext") || a.vectorPath("text") == b.vectorPath("text") {
		t.Error("two pairs of model and text share a file")
	}
}

// TestDiskOtherDimension checks that cached vectors of another dimension are an error
// that says what to do.
func TestDiskOtherDimension(t *testing.T) {
	folder := t.TempDir()
	d, _ := openDisk(folder, "mini")
	d.saveVector("old", []float32{1})
	c := newTestClient(t, &fake{}, Options{Cache: folder})
	if _, err := c.Embed([]string{"new one"}); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Embed([]string{"old"}); err == nil || !strings.Contains(err.Error(), "delete the files in the cache folder") {
		t.Errorf("%v", err)
	}
	os.Chmod(folder, 0o500) // a cache that cannot be written is not an error
	defer os.Chmod(folder, 0o700)
	if _, err := c.Embed([]string{"newer"}); err != nil {
		t.Error(err)
	}
}
