package score

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/wire"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
)

const tablesUsage = `usage: boundcheck tools tables [--format table|json] [NAME]

Prints the reviewed tables of the tools in well-known hosts. With NAME, prints only that
table. Each table names its source, and each row says whether one tool changes something.
By default, a gate uses all tables. To use only some tables, write hosts: [NAME, …] in the
policy of the gate.
`

// hostTable is one table in its JSON form.
type hostTable struct {
	Name     string    `json:"name"`
	Source   string    `json:"source"`
	Anywhere bool      `json:"anywhere"` // also matches the last part of a namespaced name
	Rows     []hostRow `json:"rows"`
}

type hostRow struct {
	Tool      string `json:"tool"`
	Word      string `json:"word"`
	Arguments string `json:"arguments"` // in the form of the tables' file
	Detail    string `json:"detail,omitempty"`
}

// tablesCommand implements "tools tables", which prints the reviewed tables of the tools
// that hosts provide.
func tablesCommand(args []string, stdout, stderr io.Writer) int {
	format, name := "table", ""
	for len(args) > 0 {
		switch {
		case args[0] == "--help" || args[0] == "-h":
			fmt.Fprint(stdout, tablesUsage)
			return cmd.ExitOK
		case args[0] == "--format" && len(args) > 1 && (args[1] == "table" || args[1] == "json"):
			format, args = args[1], args[2:]
		case args[0] != "" && args[0][0] != '-' && name == "":
			name, args = args[0], args[1:]
		default:
			fmt.Fprintf(stderr, "boundcheck tools tables: unexpected %q\n\n%s", args[0], tablesUsage)
			return cmd.ExitUsage
		}
	}
	tables, known := hostTables(name)
	if len(tables) == 0 {
		fmt.Fprintf(stderr, "boundcheck tools tables: unknown table %q; known tables are %s\n", name, known)
		return cmd.ExitUsage
	}
	if format == "json" {
		stdout.Write(wire.Marshal(map[string][]hostTable{"tables": tables}))
		return cmd.ExitOK
	}
	w := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', 0)
	for _, t := range tables {
		fmt.Fprintf(w, "%s\n  source: %s\n", t.Name, t.Source)
		for _, r := range t.Rows {
			fmt.Fprintf(w, "  %s\t%s\t%s\n", r.Tool, r.Word, r.Detail)
		}
		fmt.Fprintln(w)
	}
	w.Flush()
	return cmd.ExitOK
}

// hostTables returns the table with the given name, or all tables if the name is "". The
// result known lists the names of all tables.
func hostTables(name string) (tables []hostTable, known string) {
	for i, t := range mutation.HostTables() {
		if i > 0 {
			known += ", "
		}
		known += t.Name
		if name != "" && name != t.Name {
			continue
		}
		out := hostTable{Name: t.Name, Source: t.Source, Anywhere: t.Anywhere}
		for _, r := range t.Rows {
			out.Rows = append(out.Rows, hostRow(r))
		}
		tables = append(tables, out)
	}
	return tables, known
}
