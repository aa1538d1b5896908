package mutation

import (
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// TestServerTables checks each row of the tables of public MCP servers: it has the form
// that the generator writes, its table has a licence and a hash, and a call with the
// required arguments is judged as the row says if the server is known.
func TestServerTables(t *testing.T) {
	index := readHosts(serversText)
	if len(index.tables) < 15 {
		t.Fatalf("%d tables", len(index.tables))
	}
	for _, table := range index.tables {
		if !strings.Contains(table.Source, "sha256:") || strings.Count(table.Source, ", ") < 3 {
			t.Errorf("%s: the source lacks a version, a licence or a hash: %s", table.Name, table.Source)
		}
		for _, row := range table.Rows {
			var members []string
			row.eachArgument(func(name, _ string, required bool) {
				if required {
					members = append(members, jsonval.Quoted(name)+`:"a1"`)
				}
			})
			arguments := "{" + strings.Join(members, ",") + "}"
			v := New(nil, nil).WithHosts(Hosts{}.Knowing(table.Name)).Classify("mcp__any__"+row.Tool, mustParse(t, arguments))
			switch {
			case row.Word == "read" && v.Counts() && v.Layer != LayerSQL: // a pipeline must be read
				t.Errorf("%s: the read %s %s is asked about: %s", table.Name, row.Tool, arguments, v.Reason)
			case row.Word == "change" && !v.Counts():
				t.Errorf("%s: the change %s passes: %s", table.Name, row.Tool, v.Reason)
			case row.Word != "read" && row.Word != "change" && row.Word != "act" && row.Word != "ask":
				t.Errorf("%s %s: unknown word %s", table.Name, row.Tool, row.Word)
			}
		}
	}
}
