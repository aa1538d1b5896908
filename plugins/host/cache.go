package host

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Limits of each of the user's two caches, one for compiled code and one for modules
// built from sources: the size in bytes, and the age of a file since it was written. A
// deleted file is made again when it is needed.
const (
	cacheBytes = 512 << 20
	cacheAge   = 30 * 24 * time.Hour
)

// cleanCache deletes all files below dir that are older than age. If the other files have
// more than size bytes together, it also deletes the oldest of these files. It skips
// files that cannot be read or deleted.
func cleanCache(dir string, size int64, age time.Duration, now time.Time) {
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
