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

// HTML prints a report as one self-contained page that also works without a server. It
// contains the playground's own view, its style and modules, and the report. Its content
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

// title names the files that were scored.
func title(r *core.Report, files []string) string {
	all := sources(r, files)
	if len(all) > 1 {
		return fmt.Sprintf("%d files, %s", len(all), r.Input.Format)
	}
	return fmt.Sprintf("%s, %s", all[0].name, r.Input.Format)
}

// inert escapes "<" as JSON allows, so that no text of a trace can close the element that
// holds the report. In JSON, "<" occurs only in strings.
func inert(report []byte) string {
	return string(bytes.ReplaceAll(report, []byte("<"), []byte(`\u003c`)))
}

// savedPolicy returns a content security policy that allows the page's own style and
// script by their digests, data: images for its icon, and nothing else.
func savedPolicy(style, script string) string {
	return fmt.Sprintf("default-src 'none'; script-src '%s'; style-src '%s'; img-src data:; base-uri 'none'; form-action 'none'",
		digest(script), digest(style))
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// savedScript returns the script of the saved page. It panics if the embedded modules
// cannot be joined, which is a bug that tests find.
func savedScript() string {
	script, err := page.Script("saved/main.js")
	if err != nil {
		panic(err)
	}
	return script
}

// asset returns an embedded text file of the playground.
func asset(name string) string {
	data, err := page.Files.ReadFile(name)
	if err != nil {
		panic(err) // as in savedScript
	}
	return strings.ReplaceAll(string(data), "\r\n", "\n")
}
