// Package shellread splits command lines for the core's classifier, with the shell
// grammar that the plugins use. It is linked where its size does not matter: by the
// command's gate and hook. The page and the Worker do not link it and call more lines
// unknown.
package shellread

import (
	"errors"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/plugins/internal/shell"
)

// Reader is a mutation.ShellReader for bash. The zero value is ready; it is safe
// for use from several goroutines.
type Reader struct{}

// Commands implements mutation.ShellReader. It returns an error for a line that defines
// functions or aliases, because their later use is not tracked. The time is O(len(line)).
func (Reader) Commands(line string) ([]mutation.Command, error) {
	script, err := shell.Parse(line)
	if err != nil {
		return nil, err
	}
	if len(script.Defined) > 0 {
		return nil, errors.New("the script defines its own function or alias: " + script.Defined[0])
	}
	all := make([]mutation.Command, len(script.Commands))
	for i := range script.Commands {
		all[i] = toCommand(&script.Commands[i])
	}
	return all, nil
}

func toCommand(c *shell.Command) mutation.Command {
	out := mutation.Command{Words: make([]mutation.Word, len(c.Words))}
	for i, w := range c.Words {
		out.Words[i] = mutation.Word(w)
	}
	switch {
	case c.Open:
		out.Problem = "shell syntax that is not analysed"
	case len(c.Assigned) > 0:
		out.Problem = "a command with a variable assignment"
	}
	for i := range c.Redirects {
		recordRedirect(&out, &c.Redirects[i])
	}
	return out
}

// recordRedirect records the effect of a redirection in out. A redirection that only
// reads a file changes nothing. A redirection to another descriptor or to /dev/null also
// changes nothing.
func recordRedirect(out *mutation.Command, r *shell.Redirect) {
	to := r.Target
	switch {
	case strings.HasPrefix(to.Text, "/dev/tcp/"), strings.HasPrefix(to.Text, "/dev/udp/"):
		out.Problem = "a connection to the network"
	case !to.Known:
		out.Problem = "a redirection whose target is known only to the shell"
	case r.Op == "<", to.Text == "/dev/null", to.Text == "/dev/stdout", to.Text == "/dev/stderr":
	case (r.Op == ">&" || r.Op == "<&") && isDescriptor(to.Text):
	default:
		out.Writes = to.Text
	}
}

func isDescriptor(s string) bool {
	return s == "-" || s != "" && strings.Trim(s, "0123456789") == ""
}
