package hook

import (
	"os"
	"path/filepath"
)

// elsewhere reports whether git would read another repository's configuration in dir
// than in the session's project. Such a configuration may name programs that git runs,
// and a shell that stays open keeps the directory that an earlier call went to. It is
// false where the host tells neither.
func elsewhere(project, dir string) bool {
	return project != "" && dir != "" && repository(dir) != repository(project)
}

// repository returns the directory in which git would find the repository of dir, a
// bare one included; "" for none. O(depth of dir).
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
