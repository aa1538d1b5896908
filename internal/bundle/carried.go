//go:build bundled

package bundle

import _ "embed"

//go:embed bundle.zip
var archive []byte

// Tree returns "", because a program that carries its plugins builds none.
func Tree() string { return "" }
