//go:build unix

package cli

import (
	"os/exec"
	"syscall"
)

// ownGroup makes a command the leader of its own group of processes.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// signalGroup sends a signal to a command and to what it has started.
func signalGroup(cmd *exec.Cmd, sig syscall.Signal) { syscall.Kill(-cmd.Process.Pid, sig) }
