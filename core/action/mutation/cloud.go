package mutation

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/action/readcmd"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// namedProgram returns the program whose command lines a tool runs, according to the words
// of its name, or "". Examples are call_aws and run_gcloud_command. All other words only
// say that a command runs.
func namedProgram(t []string) (program string) {
	for _, w := range t {
		switch {
		case oneOf(w, "run call execute exec invoke command commands cmd cli"):
		case program == "" && wordClass(w) == 0 && readcmd.Known(w) && !readcmd.IsShell(w):
			program = w
		default:
			return ""
		}
	}
	if len(t) < 2 {
		return ""
	}
	return program
}

// proveProgram judges a call of a tool that namedProgram knows. The line may begin with the
// name of the program or after it: either way the tool can only run this program with the
// rest of the line. Each line of a list must read.
func proveProgram(program string, arguments jsonval.Value, in session) (Tri, string) {
	worst, why := No, ""
	judge := func(line string) {
		m, reason := judgeCommandCall(program, programCall(program, arguments, line), in)
		if why == "" || m.rank() > worst.rank() {
			worst, why = m, reason
		}
	}
	arguments.Each(func(name string, v jsonval.Value) bool {
		if v.Kind() == jsonval.Array && isLineMember(program, name) {
			if lines, ok := valueWords(v); ok {
				for _, line := range lines {
					judge(jsonval.Quoted(line))
				}
			}
		}
		return true
	})
	if why == "" {
		judge("")
	}
	return worst, why
}

// isLineMember reports whether a member holds a command line of the program. Examples are
// cli_command and aws_command.
func isLineMember(program, name string) bool {
	words := strings.Join(splitWords(name), "")
	return oneOf(words, "command cmd clicommand") || words == program+"command"
}

// programCall writes the arguments of a call with the names that judgeCommandCall knows,
// and without the name of the program at the beginning of its line. If line is not "", it
// stands for the list of lines, as JSON.
func programCall(program string, arguments jsonval.Value, line string) jsonval.Value {
	var members []string
	arguments.Each(func(name string, v jsonval.Value) bool {
		raw := v.Raw()
		switch s, text := v.Str(); {
		case isLineMember(program, name) && line != "" && v.Kind() == jsonval.Array:
			name, raw = "command", cutProgram(program, line)
		case isLineMember(program, name) && text:
			name, raw = "command", cutProgram(program, jsonval.Quoted(s))
		case strings.Join(splitWords(name), "") == "maxresults" && v.Kind() == jsonval.Number:
			return true
		}
		members = append(members, jsonval.Quoted(name)+":"+raw)
		return true
	})
	call, err := jsonval.Parse("{" + strings.Join(members, ",") + "}")
	if err != nil {
		return jsonval.Value{}
	}
	return call
}

// cutProgram removes the name of the program from the beginning of a line in JSON.
func cutProgram(program, line string) string {
	if rest, found := strings.CutPrefix(line, `"`+program+" "); found {
		return `"` + rest
	}
	return line
}
