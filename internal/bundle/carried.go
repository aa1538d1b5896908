//go:build bundled

package bundle

import _ "embed"

//go:embed bundle.zip
var archive []byte

// Tree returns "", because a program that contains its plugins does not build any.
func Tree() string { return "" }
