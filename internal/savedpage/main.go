// Command savedpage writes {"page": …}: the page of a saved report, with placeholders for the
// report's data. The playground fetches it when a reader saves a report as HTML.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/boundcheck/boundcheck/internal/render"
)

func main() {
	e := json.NewEncoder(os.Stdout)
	e.SetEscapeHTML(false)
	if err := e.Encode(map[string]string{"page": render.SavedPage()}); err != nil {
		fmt.Fprintln(os.Stderr, "savedpage:", err)
		os.Exit(1)
	}
}
