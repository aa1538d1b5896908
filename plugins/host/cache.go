package host

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// What is kept in the user's cache, of compiled code and of modules built from sources
// each: this much, and no file for longer than this after it was written. One that is
// gone is made again when it is wanted.
const (
	cacheBytes = 512 << 20
	cacheAge   = 30 * 24 * time.Hour
)

// clean takes away what is older than age in dir and the folders below it, then the
// oldest files until those that are left have at most size bytes. What cannot be read or
// taken away stays: another process may be at it, or have been faster.
func clean(dir string, size int64, age time.Duration, now time.Time) {
	type file struct {
		path    string
		bytes   int64
		written time.Time
	}
	var all []file
	total := int64(0)
	filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return nil
		}
		info, err := d.Info()
		switch {
		case err != nil:
		case now.Sub(info.ModTime()) > age:
			os.Remove(path)
		default:
			all = append(all, file{path, info.Size(), info.ModTime()})
			total += info.Size()
		}
		return nil
	})
	slices.SortFunc(all, func(a, b file) int {
		return cmp.Or(a.written.Compare(b.written), cmp.Compare(a.path, b.path))
	})
	for _, f := range all {
		if total <= size {
			break
		}
		if os.Remove(f.path) == nil {
			total -= f.bytes
		}
	}
}
