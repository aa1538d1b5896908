package plugins_test

import (
	"os"
	"syscall"
)

// peakMemory returns the most memory that a process had in RAM, in MB.
func peakMemory(s *os.ProcessState) int64 { return s.SysUsage().(*syscall.Rusage).Maxrss >> 10 }
