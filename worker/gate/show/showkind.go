package show

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// The functions in this file decide only how a text looks: its font and its colours.
// The text is the same in any case.

// changePair returns the names of two members with a text before and after a change, such
// as old_string and new_string. It returns "" and "" if there are no such members, or if
// their texts are short.
func changePair(v jsonval.Value) (was, is string) {
	for _, p := range [...][2]string{
		{"old_string", "new_string"}, {"old_str", "new_str"}, {"old_text", "new_text"}, {"oldText", "newText"}, {"oldString", "newString"},
		{"old_content", "new_content"}, {"old_source", "new_source"}, {"old", "new"}, {"before", "after"}, {"search", "replace"},
	} {
		a, b := v.Get(p[0]), v.Get(p[1])
		if a.Kind() != jsonval.String || b.Kind() != jsonval.String {
			continue
		}
		x, _ := a.Str()
		y, _ := b.Str()
		if strings.Contains(x+y, "\n") || len(x)+len(y) > 80 {
			return p[0], p[1]
		}
	}
	return "", ""
}

// hasFile reports whether an object has a member that names a file.
func hasFile(v jsonval.Value) bool {
	for _, name := range [...]string{"file_path", "filePath", "path", "filename", "file", "notebook_path", "target_file"} {
		if v.Get(name).Kind() == jsonval.String {
			return true
		}
	}
	return false
}

func contentName(key string) bool {
	switch key {
	case "content", "contents", "file_text", "new_source", "file_content":
		return true
	}
	return false
}

// kindOf returns how a text is shown: "diff" for a patch, "code", or "words" for prose.
// It guesses this from the lines of the text and from the key, which is the name of the
// member with the text.
func kindOf(key string, all []string) Markup {
	hunks, heads, codes := 0, 0, 0
	for _, line := range all {
		switch {
		case strings.HasPrefix(line, "@@"):
			hunks++
		case strings.HasPrefix(line, "--- "), strings.HasPrefix(line, "+++ "), strings.HasPrefix(line, "*** "):
			heads++
		}
		if codeLine(line) {
			codes++
		}
	}
	switch key {
	case "code", "command", "script", "sql", "query", "source", "patch", "diff", "json", "yaml", "config":
		if hunks > 0 && heads > 0 {
			return "diff"
		}
		return "code"
	}
	switch {
	case hunks > 0 && heads > 0:
		return "diff"
	case codes*3 > len(all):
		return "code"
	}
	return "words"
}

// codeLine reports whether a line looks more like code than like prose.
func codeLine(line string) bool {
	trimmed := strings.TrimSpace(line)
	if trimmed == "" {
		return false
	}
	if line[0] == '\t' || strings.HasPrefix(line, "    ") || strings.HasPrefix(trimmed, "//") || strings.HasPrefix(trimmed, "#!") {
		return true
	}
	switch trimmed[len(trimmed)-1] {
	case '{', '}', ';', ']', '[', '\\':
		return true
	}
	return strings.Contains(trimmed, " = ") || strings.Contains(trimmed, "();") || strings.Contains(trimmed, "</")
}
