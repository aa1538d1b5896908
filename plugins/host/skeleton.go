package host

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/internal/bundle"
	"github.com/boundcheck/boundcheck/plugins/skeleton"
)

// Skeleton writes a new plugin into dir and returns the names of its files. lang is the
// programming language, and "" means Go. dir must be empty or must not exist.
//
// The go.mod of a Go plugin uses this program's sources if they are on this machine, and
// otherwise this program's version. released is false if this version cannot be fetched.
func Skeleton(name, lang, dir string) (files []string, released bool, err error) {
	if !pluginName().MatchString(name) {
		return nil, false, newError(name, NotFound, "invalid plugin name: want lower-case letters, digits and -")
	}
	dir, err = filepath.Abs(dir)
	if err != nil {
		return nil, false, err
	}
	if there, _ := os.ReadDir(dir); len(there) > 0 {
		return nil, false, fmt.Errorf("%s is not empty", dir)
	}
	v := skeleton.Values{Name: name, Lang: cmp.Or(lang, "go")}
	if !slices.Contains(skeleton.Languages(), v.Lang) {
		return nil, false, fmt.Errorf("unknown language %q; the known languages are %s", lang, strings.Join(skeleton.Languages(), ", "))
	}
	if v.Lang != "go" {
		v.Version = unreleased
	} else if v.Version, v.Replace, err = moduleRequirement(dir, cmp.Or(findModuleRoot(dir), bundle.Tree()), programVersion()); err != nil {
		return nil, false, err
	}
	all, err := skeleton.Files(v)
	if err != nil {
		return nil, false, err
	}
	for _, f := range all {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return nil, false, err
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			return nil, false, err
		}
		files = append(files, f.Name)
	}
	return files, v.Lang != "go" || v.Replace != "" || v.Version != unreleased, nil
}

// unreleased is used as the version of a program that was built from a work tree.
const unreleased = "v0.0.0"

// programVersion returns the released version of this program's module. It returns "" if
// the module was not released.
func programVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Path != modulePath || strings.Contains(info.Main.Version, "-") || !strings.HasPrefix(info.Main.Version, "v") {
		return "" // a pseudo-version names a commit that may never have been published
	}
	return info.Main.Version
}

// moduleRequirement returns the version and the replace path of Boundcheck for a go.mod
// in the folder dir. root is the folder of Boundcheck's sources, or "" if they are not on
// this machine. replace is "" if go.mod needs no replace line. If dir is below root,
// replace is a relative path, so that both folders can be moved together.
func moduleRequirement(dir, root, version string) (v, replace string, err error) {
	if root == "" || strings.Contains(root, "@") { // sources in the module cache have a version
		return cmp.Or(version, unreleased), "", nil
	}
	rel, err := filepath.Rel(root, dir)
	inside := err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
	if inside && (rel == "." || strings.HasPrefix(filepath.ToSlash(rel)+"/", "plugins/")) {
		return "", "", fmt.Errorf("%s contains Boundcheck's own packages; give another folder with --dir", filepath.Dir(dir))
	}
	if !inside {
		return unreleased, quotePath(filepath.ToSlash(root)), nil
	}
	back, err := filepath.Rel(dir, root)
	return unreleased, filepath.ToSlash(back), err
}

// quotePath returns a path in the form that go.mod needs. A path with special characters
// is quoted.
func quotePath(path string) string {
	if strings.ContainsAny(path, " \t\"'`(),") {
		return fmt.Sprintf("%q", path)
	}
	return path
}

// SkeletonBuild returns the command that builds a new plugin in its folder.
func SkeletonBuild(name, lang string) string {
	return skeleton.Values{Name: name, Lang: cmp.Or(lang, "go")}.Build()
}
