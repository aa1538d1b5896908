package readcmd

import (
	_ "embed"
	"strings"
	"sync"
)

// group holds the rows that come from one source, the documents of a set of commands. A
// row leaves out an option if a document says that it writes a file, runs a program or
// changes a setting. The document may be that of another common implementation.
type group struct {
	source string
	rows   string
}

//go:embed table.txt
var tableText string

// tableFile returns table.txt. No other function reads it: in the page's core, the file is in the
// second module with this function (wasm/build.sh).
//
//go:noinline
func tableFile() string { return tableText }

// table has the groups of table.txt, where the source of each stands behind "# " before its rows.
var table = sync.OnceValue(func() (out []group) {
	for part := range strings.SplitSeq(strings.TrimSuffix("\n"+tableFile(), "\n"), "\n# ") {
		if source, rows, ok := strings.Cut(part, "\n"); ok {
			out = append(out, group{source, rows})
		}
	}
	return out
})
