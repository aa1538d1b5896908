package tau

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/internal/bench/env"
	desk "github.com/boundcheck/boundcheck/plugins/taubench/env"
)

// found holds the paths of a domain's files in a folder, with slashes.
type found struct {
	dir, domain string
	paths       []string // text files, the nearest to the folder first
	databases   []desk.File
}

// Limits for the depth of the search and for the size of a file in bytes.
const (
	maxDepth = 9
	maxFile  = 64 << 20
)

// other maps each domain to the other one.
var other = map[string]string{"airline": "retail", "retail": "airline"}

// findFiles searches a folder for the files of one domain (airline or retail). It skips
// every folder that has the name of the other domain.
func findFiles(dir, domain string) (*found, error) {
	f := &found{dir: dir, domain: domain}
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, p)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if d.IsDir() {
			if hidden := rel != "." && strings.HasPrefix(d.Name(), "."); hidden || strings.Count(rel, "/") >= maxDepth || d.Name() == other[domain] {
				return fs.SkipDir
			}
			return nil
		}
		return f.takeFile(p, rel)
	})
	if err != nil {
		return nil, err
	}
	if len(f.databases) == 0 {
		return nil, fmt.Errorf("folder %s contains no %s database. Want (a) flights.json, reservations.json and users.json, or (b) orders.json, products.json and users.json, or (c) db.json", dir, domain)
	}
	slices.SortFunc(f.paths, func(a, b string) int {
		return cmp.Or(cmp.Compare(f.pathRank(a), f.pathRank(b)), cmp.Compare(a, b))
	})
	return f, nil
}

// pathRank returns the rank of a path, where a lower rank is better. The rank is the
// number of folders in the path. If the path is outside the domain's folder, the rank is
// higher by 100.
func (f *found) pathRank(p string) int {
	n := strings.Count(p, "/")
	if !slices.Contains(strings.Split(p, "/"), f.domain) {
		n += 100
	}
	return n
}

func (f *found) takeFile(file, rel string) error {
	base := path.Base(rel)
	switch {
	case slices.Contains(desk.FileNames(), base):
		text, err := loadFile(file)
		if err != nil {
			return err
		}
		f.databases = append(f.databases, desk.File{Name: rel, Data: text})
	case base == "wiki.md", base == "policy.md", base == "tasks.json", strings.HasSuffix(base, ".py"):
		f.paths = append(f.paths, rel)
	}
	return nil
}

func loadFile(file string) (string, error) {
	info, err := os.Stat(file)
	if err != nil {
		return "", err
	}
	if info.Size() > maxFile {
		return "", fmt.Errorf("file %s is too large: %d MiB, but the limit is %d MiB", file, info.Size()>>20, maxFile>>20)
	}
	text, err := os.ReadFile(file)
	return string(text), err
}

// nearestFile returns the path with the best rank that ends in the first name. If no path
// ends in the first name, it tries the next names in order. It returns "" if no path ends
// in any of the names.
func (f *found) nearestFile(names ...string) string {
	for _, name := range names {
		for _, p := range f.paths {
			if p == name || strings.HasSuffix(p, "/"+name) {
				return filepath.Join(f.dir, filepath.FromSlash(p))
			}
		}
	}
	return ""
}

// readPolicy reads the domain's policy.
func (f *found) readPolicy(dialect desk.Dialect) (string, error) {
	names := []string{"wiki.md", "policy.md"}
	if dialect == desk.Tau2 {
		slices.Reverse(names)
	}
	file := f.nearestFile(names...)
	if file == "" {
		return "", fmt.Errorf("folder %s contains no policy for %s: want wiki.md (τ-bench) or policy.md (τ²)", f.dir, f.domain)
	}
	return loadFile(file)
}

// tasksFile returns the file of tasks in the folder.
func (f *found) tasksFile(dialect desk.Dialect) (string, error) {
	names := []string{"tasks_test.py", "tasks.json"}
	if dialect == desk.Tau2 {
		slices.Reverse(names)
	}
	if file := f.nearestFile(names...); file != "" {
		return file, nil
	}
	return "", fmt.Errorf("folder %s contains no tasks for %s. Want tasks_test.py or tasks.json, or a file of tasks in --env-tasks", f.dir, f.domain)
}

// readTools reads the definitions of the tools from the folder. For τ-bench, the
// definitions are in classes, and for τ² they are in the docstrings of functions. A tool
// that the folder does not describe gets this package's description.
func (f *found) readTools(domain desk.Domain, dialect desk.Dialect) ([]env.Tool, error) {
	own := ownTools(domain, dialect)
	if dialect == desk.Tau2 {
		if file := f.nearestFile(string(domain) + "/tools.py"); file != "" {
			text, err := loadFile(file)
			if err != nil {
				return nil, err
			}
			describeTools(own, domain, text)
		}
		return own, nil
	}
	for i := range own {
		file := f.nearestFile("tools/" + own[i].Name + ".py")
		if file == "" {
			continue
		}
		text, err := loadFile(file)
		if err != nil {
			return nil, err
		}
		if err := readTool(&own[i], text); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
	}
	return own, nil
}
