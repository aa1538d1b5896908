//go:build unix

package pace

import (
	"syscall"
	"time"
)

// computed returns the time that this process has computed.
func computed() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
