//go:build unix

package cmd

import (
	"os/exec"
	"syscall"
)

// OwnGroup makes a command the leader of its own group of processes.
func OwnGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// SignalGroup sends a signal to a command and to what it has started.
func SignalGroup(cmd *exec.Cmd, sig syscall.Signal) { syscall.Kill(-cmd.Process.Pid, sig) }
