package env

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
)

// Wants reports whether a question asks about a change that the task requires. The
// question must contain the name of the tool and all values of the change. The scripted
// user says yes to such questions.
func Wants(e Environment, t *Task, question string) bool {
	courses, err := Courses(t.Steps)
	if err != nil {
		return false
	}
	tools := e.Tools()
	for _, c := range slices.Concat(courses...) {
		mutates := slices.ContainsFunc(tools, func(tool Tool) bool { return tool.Name == c.Name && tool.Mutating })
		if mutates && containsWord(question, c.Name) && !slices.ContainsFunc(argumentWords(c), func(v string) bool { return !containsWord(question, v) }) {
			return true
		}
	}
	return false
}

// containsWord reports whether the given word occurs in a text as a whole word.
func containsWord(text, word string) bool {
	return regexp.MustCompile(`(^|[^\pL\pN_])` + regexp.QuoteMeta(word) + `($|[^\pL\pN_])`).MatchString(text)
}

// argumentWords returns the values of a call's arguments as words. From lists and objects
// it takes the values inside. It leaves out arguments that may have any value.
func argumentWords(c Call) (all []string) {
	for name, v := range c.Arguments {
		if !slices.Contains(c.Ignore, name) {
			all = appendLeaves(all, v)
		}
	}
	return all
}

func appendLeaves(all []string, v any) []string {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			all = appendLeaves(all, e)
		}
	case map[string]any:
		for _, e := range v {
			all = appendLeaves(all, e)
		}
	case string:
		if i := regexp.MustCompile(`\s`).FindStringIndex(v); i != nil {
			v = v[:i[0]] // line ends and spaces may be shown differently
		}
		all = append(all, v)
	default:
		text, err := json.Marshal(v)
		if err != nil {
			text = []byte(fmt.Sprint(v))
		}
		all = append(all, string(text))
	}
	return all
}
