// Package playground holds the page's sources for programs that carry them
// along, as the command does for reports that are one HTML file.
package playground

import "embed"

// Files are the page's modules and style as they stand here, the skeleton of a
// saved report in saved/, and the headers for a static host.
//
//go:embed *.js *.css *.svg saved _headers
var Files embed.FS
