//go:build unix

package gate

import (
	"os"
	"syscall"
)

// reloadSignal makes the gate read its policy again.
var reloadSignal os.Signal = syscall.SIGHUP
