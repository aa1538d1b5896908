// Package playground embeds the page's sources for other programs. The command
// needs them to write a report as a single HTML file.
package playground

import "embed"

// Files contains the page's modules and style sheet, the template of a saved
// report in saved/, and the headers for a static host.
//
//go:embed *.js base form gate lesson run runs *.css *.svg saved _headers
var Files embed.FS
