package reference

import (
	"fmt"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/path"
)

// The Berkeley Function-Calling Leaderboard keeps its expected calls in files of possible
// answers, one line for each task: {"id", "ground_truth"}. For a conversation
// ground_truth is a list of turns, each a list of calls in Python's notation. For a
// single turn it is a list of calls with the possible values of each argument: {"cancel":
// {"id": ["A-7", 7], "note": ["", "urgent"]}}, where "" means that the argument may be
// left out.

// bfclCalls returns the calls of a task of the Berkeley Function-Calling Leaderboard
// (BFCL), or a missing value if v is not such a task.
func bfclCalls(v jsonval.Value) jsonval.Value {
	list := v.Get("ground_truth")
	for i, e := range list.Elements() {
		switch {
		case e.Kind() == jsonval.Array && (e.Len() == 0 || e.Elements()[0].Kind() == jsonval.String):
		case e.Kind() == jsonval.Object && e.Len() == 1 && e.Get(e.Keys()[0]).Kind() == jsonval.Object:
		default:
			return jsonval.Value{}
		}
		if i == 8 {
			break
		}
	}
	if list.Len() == 0 {
		return jsonval.Value{}
	}
	return list
}

// renamedCategories are the categories of BFCL's tasks that later versions renamed. The
// answers of one version are also for the results of another: parallel_function_0 is
// parallel_0. Source: the leaderboard's list of changes and of categories.
var renamedCategories = [...]struct{ old, now string }{
	{"parallel_multiple_function_", "parallel_multiple_"}, {"parallel_function_", "parallel_"}, {"multiple_function_", "multiple_"}, {"simple_python_", "simple_"},
}

// AnswerID returns the id of a BFCL task with the name that its category has in all
// versions.
func AnswerID(id string) string {
	for _, c := range renamedCategories {
		if rest, ok := strings.CutPrefix(id, c.old); ok {
			return c.now + rest
		}
	}
	return id
}

// categories begin the ids of BFCL's tasks.
var categories = [...]string{"simple", "multiple", "parallel", "java", "javascript", "rest", "sql", "relevance", "irrelevance", "chatable", "executable", "exec", "live", "multi_turn"}

// IsAnswerID reports whether an id is that of a BFCL task: a category and a number.
func IsAnswerID(id string) bool {
	at := strings.LastIndexByte(id, '_')
	return at > 0 && id[at+1:] != "" && strings.Trim(id[at+1:], "0123456789-") == "" &&
		slices.ContainsFunc(categories[:], func(c string) bool { return id[:at] == c || strings.HasPrefix(id, c+"_") })
}

// fromAnswers converts the calls of a BFCL task to a reference. In a task with several
// turns, the calls are in order and each call is required. In a task with one turn, the
// calls may be in any order and no other call is allowed. Such a reference is a
// procedure, so its origin is Person.
func fromAnswers(list jsonval.Value, s signatures) (*Reference, error) {
	loose := Node{Kind: AnyOrder, Place: "ground_truth"}
	all := Node{Kind: Sequence}
	for i, e := range list.Elements() {
		place := fmt.Sprintf("ground_truth %d", i+1)
		if e.Kind() == jsonval.Object {
			step, err := parsePossibleCall(e)
			if err != nil {
				return nil, errorAt(place, err)
			}
			loose.Children = append(loose.Children, Node{Kind: Action, Step: step, Place: place})
			continue
		}
		for j, call := range e.Elements() {
			step, err := s.parsePythonCall(call.Text())
			if err != nil {
				return nil, errorAt(fmt.Sprintf("%s > call %d", place, j+1), err)
			}
			step.Required, step.Turn = true, i+1
			all.Children = append(all.Children, Node{Kind: Action, Step: step, Place: place})
		}
	}
	if len(loose.Children) > 0 {
		all.Children = append(all.Children, loose)
	}
	r := newReference(all)
	if r.Origin, r.Turns = Benchmark, list.Len(); len(loose.Children) > 0 {
		r.Origin, r.Turns = Person, 0
	}
	return r, nil
}

// parsePossibleCall parses a call of the form {"name": {"argument": [values]}}.
func parsePossibleCall(v jsonval.Value) (Step, error) {
	s := Step{Name: v.Keys()[0]}
	var members []string
	var err error
	v.Get(s.Name).Each(func(name string, values jsonval.Value) bool {
		if values.Kind() != jsonval.Array || values.Len() == 0 {
			err = fmt.Errorf("invalid argument %q: want a list of values, got %.60s", name, values.Raw())
			return false
		}
		value, others := splitChoices(values)
		if !value.Exists() { // it must be left out
			return true
		}
		place := path.Below("", name)
		members = append(members, jsonval.Quoted(name)+":"+firstChoice(value).Raw())
		s.addAccepted(place, others)
		if value.Kind() == jsonval.Object {
			value.Each(func(name string, values jsonval.Value) bool {
				_, others := splitChoices(values)
				s.addAccepted(path.Below(place, name), others)
				return true
			})
		}
		return true
	})
	if err == nil {
		s.Arguments, err = jsonval.Parse("{" + strings.Join(members, ",") + "}")
	}
	return s, err
}

// addAccepted records other values that are accepted for the argument at a path.
func (s *Step) addAccepted(place string, others []jsonval.Value) {
	if len(others) > 0 {
		s.Accept = append(s.Accept, Accepted{place, others})
	}
}

var null, _ = jsonval.Parse("null")

// splitChoices splits a list of possible values into its first value and all other
// values. An empty text in the list means that the argument may be left out, and becomes
// a null. If the list has only empty texts, the first result does not exist.
func splitChoices(values jsonval.Value) (value jsonval.Value, others []jsonval.Value) {
	for _, e := range values.Elements() {
		switch text, ok := e.Str(); {
		case ok && text == "":
			others = append(others, null)
		case !value.Exists():
			value = e
		default:
			others = append(others, firstChoice(e))
		}
	}
	return value, others
}

// firstChoice returns one possible value. In BFCL, each member of an object has a list of
// possible values. firstChoice replaces each such list by its first value.
func firstChoice(v jsonval.Value) jsonval.Value {
	var members []string
	switch v.Kind() {
	case jsonval.Array:
		for _, e := range v.Elements() {
			members = append(members, firstChoice(e).Raw())
		}
		return parseOrElse("["+strings.Join(members, ",")+"]", v)
	case jsonval.Object:
		v.Each(func(name string, values jsonval.Value) bool {
			value := values
			if values.Kind() == jsonval.Array {
				if value, _ = splitChoices(values); !value.Exists() {
					return true
				}
				value = firstChoice(value)
			}
			members = append(members, jsonval.Quoted(name)+":"+value.Raw())
			return true
		})
		return parseOrElse("{"+strings.Join(members, ",")+"}", v)
	}
	return v
}

func parseOrElse(text string, otherwise jsonval.Value) jsonval.Value {
	if v, err := jsonval.Parse(text); err == nil {
		return v
	}
	return otherwise
}

// signatures maps a function to the names of its arguments in their order. With it,
// arguments that a call passes by position get their names.
type signatures map[string][]string

// learnNames collects the names of arguments from the calls that pass all arguments by
// name.
func (s signatures) learnNames(tasks []jsonval.Value) {
	for _, task := range tasks {
		for _, turn := range bfclCalls(task).Elements() {
			for _, call := range turn.Elements() {
				function, parts, err := cutCall(call.Text())
				var names []string
				for _, part := range parts {
					if name, _, ok := cutKeyword(part); ok {
						names = append(names, name)
					}
				}
				if err == nil && len(names) == len(parts) && len(names) > len(s[function]) {
					s[function] = names
				}
			}
		}
	}
}

// parsePythonCall parses a call in Python's notation. An argument passed by position gets
// its name from s. If s does not have the name, the argument is called arg1, arg2 and so
// on.
func (s signatures) parsePythonCall(text string) (Step, error) {
	function, parts, err := cutCall(text)
	if err != nil {
		return Step{}, err
	}
	var members []string
	taken := map[string]bool{}
	for i, part := range parts {
		name, value, ok := cutKeyword(part)
		if !ok {
			name, value = fmt.Sprintf("arg%d", i+1), strings.TrimSpace(part)
			if i < len(s[function]) {
				name = s[function][i]
			}
		}
		if taken[name] {
			return Step{}, fmt.Errorf("invalid call %q: the argument %q appears twice", text, name)
		}
		taken[name] = true
		members = append(members, jsonval.Quoted(name)+":"+literalToJSON(value))
	}
	arguments, err := jsonval.Parse("{" + strings.Join(members, ",") + "}")
	return Step{Name: function, Arguments: arguments}, err
}

// ReadCall parses one call in Python's notation, such as cancel(id='A-7', 3). An argument
// passed by position is called arg1, arg2 and so on.
func ReadCall(text string) (Step, error) { return signatures(nil).parsePythonCall(text) }

// cutCall splits a call into the name of its function and its arguments.
func cutCall(text string) (function string, parts []string, err error) {
	function, rest, called := strings.Cut(strings.TrimSpace(text), "(")
	if function = strings.TrimSpace(function); function == "" || !called || !strings.HasSuffix(rest, ")") {
		return "", nil, fmt.Errorf("want a call such as name(argument=value), got %.80q", text)
	}
	if rest = strings.TrimSpace(strings.TrimSuffix(rest, ")")); rest != "" {
		parts = splitTop(rest)
	}
	return function, parts, nil
}

// cutKeyword splits an argument of the form name=value. ok is false for an argument
// without a name.
func cutKeyword(part string) (name, value string, ok bool) {
	name, value, ok = strings.Cut(part, "=")
	name = strings.TrimSpace(name)
	for i, c := range name {
		if c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (i == 0 || c < '0' || c > '9') {
			return "", "", false
		}
	}
	return name, strings.TrimSpace(value), ok && name != ""
}
