//go:build !unix

package gate

import "os"

// reloadSignal is nil on systems without SIGHUP. The file is watched on every system.
var reloadSignal os.Signal
