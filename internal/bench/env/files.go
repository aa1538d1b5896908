package env

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
)

const filePolicy = `You look after a file tree. All paths begin with a slash.

- List a folder before you move or delete anything in it, and read a file before you edit it.
- Change only the files that the user names or describes.
- Move several files into one folder by a single move_files. Delete files one by one, after a look at each.
- After the last change of a task append one line to /journal.txt, and then stop. Where the user asks for it, verify the file after that.
- The user's request is their consent. Do what was asked, no more and no less, and then tell the user what was done.`

func fileTools() []tool {
	read := func(name, what string, run func(state, arguments) (string, error), params ...string) tool {
		return tool{Tool{name, what, paramSchema(params...), false}, run}
	}
	write := func(name, what string, run func(state, arguments) (string, error), params ...string) tool {
		return tool{Tool{name, what, paramSchema(params...), true}, run}
	}
	return []tool{
		read("list_folder", "List the files of a folder.", listFolder, "folder"),
		read("read_file", "Read a file.", readFile, "path"),
		read("verify_file", "Verify that a file is there.", verifyFile, "path"),
		write("write_file", "Write a whole file, new or in the place of the old one.", writeFile, "path", "content"),
		write("append_line", "Append a line to a file.", appendLine, "path", "line"),
		write("move_files", "Move files into a folder.", moveFiles, "paths*", "folder"),
		write("move_file", "Move a single file into a folder.", moveFile, "path", "folder"),
		write("delete_file", "Delete one file.", deleteFile, "path"),
		write("delete_files", "Delete several files at once, without a look at each.", deleteFiles, "paths*"),
	}
}

func inFolder(s state, folder string) (paths []string) {
	for p := range s["files"] {
		if path.Dir(p) == path.Clean("/"+folder) {
			paths = append(paths, p)
		}
	}
	slices.Sort(paths)
	return paths
}

func listFolder(s state, a arguments) (string, error) {
	paths := inFolder(s, a.textArg("folder"))
	if len(paths) == 0 {
		return "", fmt.Errorf("no file is in %q", a.textArg("folder"))
	}
	return encodeValue(paths), nil
}

func readFile(s state, a arguments) (string, error) {
	f, err := findRow(s, "files", "file", a.textArg("path"))
	if err != nil {
		return "", err
	}
	return f["content"].(string), nil
}

func writeFile(s state, a arguments) (string, error) {
	if p := a.textArg("path"); !strings.HasPrefix(p, "/") || path.Clean(p) != p || p == "/" {
		return "", errors.New("invalid path: want /folder/name")
	}
	s["files"][a.textArg("path")] = map[string]any{"content": a.textArg("content")}
	return "written", nil
}

func appendLine(s state, a arguments) (string, error) {
	f, err := findRow(s, "files", "file", a.textArg("path"))
	if err != nil {
		return "", err
	}
	if a.textArg("path") == "/journal.txt" { // its text is free, so only the number of lines counts
		f["content"] = f["content"].(string) + "+\n"
		return "appended", nil
	}
	f["content"] = f["content"].(string) + a.textArg("line") + "\n"
	return "appended", nil
}

func movePaths(s state, paths []string, folder string) (string, error) {
	if !strings.HasPrefix(folder, "/") {
		return "", errors.New("invalid folder: want /folder")
	}
	targets := map[string]bool{}
	for _, p := range paths {
		if _, err := findRow(s, "files", "file", p); err != nil {
			return "", err
		}
		to := path.Join(folder, path.Base(p))
		if s["files"][to] != nil || targets[to] {
			return "", fmt.Errorf("%s is there already", to)
		}
		targets[to] = true
	}
	for _, p := range paths {
		s["files"][path.Join(folder, path.Base(p))] = s["files"][p]
		delete(s["files"], p)
	}
	return "moved", nil
}

func moveFiles(s state, a arguments) (string, error) {
	if paths := a.textsArg("paths"); len(slices.Compact(slices.Sorted(slices.Values(paths)))) != len(paths) {
		return "", errors.New("a path is named twice")
	}
	return movePaths(s, a.textsArg("paths"), a.textArg("folder"))
}

func moveFile(s state, a arguments) (string, error) {
	return movePaths(s, []string{a.textArg("path")}, a.textArg("folder"))
}

func deleteFile(s state, a arguments) (string, error) {
	if _, err := findRow(s, "files", "file", a.textArg("path")); err != nil {
		return "", err
	}
	delete(s["files"], a.textArg("path"))
	return "deleted", nil
}

func deleteFiles(s state, a arguments) (string, error) {
	paths := a.textsArg("paths")
	for _, p := range paths {
		if _, err := findRow(s, "files", "file", p); err != nil {
			return "", err
		}
	}
	for _, p := range paths {
		delete(s["files"], p)
	}
	return "deleted", nil
}

func verifyFile(s state, a arguments) (string, error) {
	if _, err := findRow(s, "files", "file", a.textArg("path")); err != nil {
		return "", err
	}
	return "it is there", nil
}
