package render

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"html"
	"strings"

	page "github.com/boundcheck/boundcheck/playground"
)

// SavedPage returns the HTML page of a saved report, but without the report. The page has
// the playground's view of a report, with its style and modules, and placeholders that
// internal/export replaces. Its content security policy allows this style and these
// modules, and no requests.
func SavedPage() string {
	style, script := readAsset("style.css"), savedScript()
	return strings.NewReplacer(
		"{{policy}}", html.EscapeString(savedPolicy(style, script)),
		"{{icon}}", "data:image/svg+xml;base64,"+base64.StdEncoding.EncodeToString([]byte(readAsset("icon.svg"))),
		"{{style}}", style,
		"{{script}}", script,
	).Replace(readAsset("saved/page.html"))
}

// savedPolicy returns a content security policy. It allows one style and one script, given
// by their digests, and images in data: URLs for the icon. It allows nothing else.
func savedPolicy(style, script string) string {
	return fmt.Sprintf("default-src 'none'; script-src '%s'; style-src '%s'; img-src data:; base-uri 'none'; form-action 'none'",
		textDigest(script), textDigest(style))
}

func textDigest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// savedScript returns the script of the saved page. It panics if the embedded modules
// cannot be joined to one script. Tests would find such a bug.
func savedScript() string {
	script, err := page.Script("saved/main.js")
	if err != nil {
		panic(err)
	}
	return script
}

// readAsset returns an embedded text file of the playground.
func readAsset(name string) string {
	data, err := page.Files.ReadFile(name)
	if err != nil {
		panic(err) // as in savedScript
	}
	return strings.ReplaceAll(string(data), "\r\n", "\n")
}
