//go:build unix

package main

import (
	"os"
	"syscall"
)

// reloadSignal makes the gate read its policy anew.
var reloadSignal os.Signal = syscall.SIGHUP
