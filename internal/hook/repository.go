package hook

import (
	"os"
	"path/filepath"
)

// isOtherRepository reports whether dir and the session's project are in different git
// repositories. The result is also true if only one of them is in a repository. The
// result is false if project or dir is "".
//
// The configuration of another repository may name programs that git runs.
func isOtherRepository(project, dir string) bool {
	return project != "" && dir != "" && repositoryRoot(dir) != repositoryRoot(project)
}

// repositoryRoot returns the top directory of the git repository that contains dir, or ""
// if there is none. The repository may be bare. O(depth of dir).
func repositoryRoot(dir string) string {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return ""
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	for {
		if fileExists(dir, ".git") || fileExists(dir, "HEAD") && fileExists(dir, "objects") && fileExists(dir, "refs") {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}

func fileExists(dir, name string) bool {
	_, err := os.Lstat(filepath.Join(dir, name))
	return err == nil
}
