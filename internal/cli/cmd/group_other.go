//go:build !unix && !js

package cmd

import (
	"os/exec"
	"syscall"
)

// OwnGroup does nothing on this system.
func OwnGroup(*exec.Cmd) {}

// SignalGroup kills a command.
func SignalGroup(cmd *exec.Cmd, _ syscall.Signal) { cmd.Process.Kill() }
