package hook

import (
	"os"
	"path/filepath"
)

// elsewhere reports whether git in dir would read the configuration of another repository
// than in the session's project. Such a configuration may name programs that git runs.
// The two can differ because a shell that stays open keeps the directory of an earlier
// call. elsewhere returns false if the host does not name both directories.
func elsewhere(project, dir string) bool {
	return project != "" && dir != "" && repository(dir) != repository(project)
}

// repository returns the directory of the git repository that contains dir, which may be
// a bare one; "" if there is none. O(depth of dir).
func repository(dir string) string {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return ""
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	for {
		if there(dir, ".git") || there(dir, "HEAD") && there(dir, "objects") && there(dir, "refs") {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}

func there(dir, name string) bool {
	_, err := os.Lstat(filepath.Join(dir, name))
	return err == nil
}
