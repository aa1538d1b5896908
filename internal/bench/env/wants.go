package env

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
)

// Wants reports whether a question is about a change that the task's gold makes: it
// names the tool, and all values of the change. It is the scripted user's judgement.
func Wants(e Environment, t *Task, question string) bool {
	courses, err := Courses(t.Steps)
	if err != nil {
		return false
	}
	tools := e.Tools()
	for _, c := range slices.Concat(courses...) {
		mutates := slices.ContainsFunc(tools, func(tool Tool) bool { return tool.Name == c.Name && tool.Mutating })
		if mutates && names(question, c.Name) && !slices.ContainsFunc(values(c), func(v string) bool { return !names(question, v) }) {
			return true
		}
	}
	return false
}

// names reports whether a text holds a word that is not a part of a longer one.
func names(text, word string) bool {
	return regexp.MustCompile(`(^|[^\pL\pN_])` + regexp.QuoteMeta(word) + `($|[^\pL\pN_])`).MatchString(text)
}

// values are the arguments of a call that are not free, as words.
func values(c Call) (all []string) {
	for name, v := range c.Arguments {
		if slices.Contains(c.Ignore, name) {
			continue
		}
		list, ok := v.([]any)
		if !ok {
			list = []any{v}
		}
		for _, e := range list {
			s, ok := e.(string)
			if !ok {
				text, err := json.Marshal(e)
				if err != nil {
					text = []byte(fmt.Sprint(e))
				}
				s = string(text)
			} else if i := regexp.MustCompile(`\s`).FindStringIndex(s); i != nil {
				s = s[:i[0]] // line ends and spaces may be shown in another way
			}
			all = append(all, s)
		}
	}
	return all
}
