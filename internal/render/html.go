package render

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"html"
	"io"
	"strings"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/wire"
	page "github.com/boundcheck/boundcheck/playground"
)

// HTML prints a report as one page that needs nothing else, not even a server. It holds
// the playground's own view with its style, its modules and the report. Its content
// security policy allows exactly these and no request.
func HTML(w io.Writer, r *core.Report, files []string) {
	style, script := asset("style.css"), savedScript()
	strings.NewReplacer(
		"{{policy}}", html.EscapeString(savedPolicy(style, script)),
		"{{source}}", html.EscapeString(Printable(title(r, files))),
		"{{icon}}", "data:image/svg+xml;base64,"+base64.StdEncoding.EncodeToString([]byte(asset("icon.svg"))),
		"{{style}}", style,
		"{{script}}", script,
		"{{report}}", inert(wire.Marshal(r)),
	).WriteString(w, asset("saved/page.html"))
}

// title names what was scored.
func title(r *core.Report, files []string) string {
	all := sources(r, files)
	if len(all) > 1 {
		return fmt.Sprintf("%d files, %s", len(all), r.Input.Format)
	}
	return fmt.Sprintf("%s, %s", all[0].name, r.Input.Format)
}

// inert spells "<" as JSON may, so that no text of a trace can end the element
// that holds the report. In JSON "<" stands in strings only.
func inert(report []byte) string {
	return string(bytes.ReplaceAll(report, []byte("<"), []byte(`\u003c`)))
}

// savedPolicy allows the page's own style and script by their digests, its icon,
// and nothing else.
func savedPolicy(style, script string) string {
	return fmt.Sprintf("default-src 'none'; script-src '%s'; style-src '%s'; img-src data:; base-uri 'none'; form-action 'none'",
		digest(script), digest(style))
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// savedScript is the saved page's program. That it cannot be put together is a
// bug of ours, which a test would have met.
func savedScript() string {
	script, err := page.Script("saved/main.js")
	if err != nil {
		panic(err)
	}
	return script
}

// asset is one of the playground's texts.
func asset(name string) string {
	data, err := page.Files.ReadFile(name)
	if err != nil {
		panic(err) // as above
	}
	return strings.ReplaceAll(string(data), "\r\n", "\n")
}
