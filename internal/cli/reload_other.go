//go:build !unix

package cli

import "os"

// reloadSignal is none where there is no SIGHUP; the file is watched everywhere.
var reloadSignal os.Signal
