//go:build unix

package cli

import (
	"os"
	"syscall"
)

// reloadSignal makes the gate read its policy anew.
var reloadSignal os.Signal = syscall.SIGHUP
