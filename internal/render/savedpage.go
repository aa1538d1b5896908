package render

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"html"
	"strings"

	page "github.com/boundcheck/boundcheck/playground"
)

// SavedPage returns the HTML page of a saved report, without the report. The page has
// placeholders for the report, which internal/export replaces. The page's content
// security policy allows only its own style and script, and no requests.
func SavedPage() string {
	style, script := readAsset("style.css"), savedScript()
	return strings.NewReplacer(
		"{{policy}}", html.EscapeString(savedPolicy(style, script)),
		"{{icon}}", "data:image/svg+xml;base64,"+base64.StdEncoding.EncodeToString([]byte(readAsset("icon.svg"))),
		"{{style}}", style,
		"{{script}}", script,
	).Replace(readAsset("saved/page.html"))
}

// savedPolicy returns a content security policy that allows exactly one style and one
// script. The parameters are the texts of the style and the script. The policy also
// allows images in data: URLs, and nothing else.
func savedPolicy(style, script string) string {
	return fmt.Sprintf("default-src 'none'; script-src '%s'; style-src '%s'; img-src data:; base-uri 'none'; form-action 'none'",
		textDigest(script), textDigest(style))
}

func textDigest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// savedScript returns the script of the saved page. It panics if the embedded modules
// cannot be joined to one script.
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
