//go:build !unix && !js

package cli

import (
	"os/exec"
	"syscall"
)

// ownGroup does nothing on this system.
func ownGroup(*exec.Cmd) {}

// signalGroup kills a command.
func signalGroup(cmd *exec.Cmd, _ syscall.Signal) { cmd.Process.Kill() }
