package hook

import (
	"os"
	"path/filepath"
)

// elsewhere reports whether dir and the session's project are in different git
// repositories. The configuration of the other repository may name programs that git runs.
// The directories can differ because a shell that stays open keeps the directory of an
// earlier call. elsewhere returns false if the host does not name both directories.
func elsewhere(project, dir string) bool {
	return project != "" && dir != "" && repository(dir) != repository(project)
}

// repository returns the top directory of the git repository that contains dir, or "" if
// there is none. The repository may be bare. O(depth of dir).
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
