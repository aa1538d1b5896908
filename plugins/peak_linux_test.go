package plugins_test

import (
	"os"
	"syscall"
)

// peakMemory returns the largest amount of RAM that a process used, in MB.
func peakMemory(s *os.ProcessState) int64 { return s.SysUsage().(*syscall.Rusage).Maxrss >> 10 }
