//go:build unix

package cli

import (
	"os"
	"syscall"
)

// reloadSignal makes the gate read its policy again.
var reloadSignal os.Signal = syscall.SIGHUP
