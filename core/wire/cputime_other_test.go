//go:build !unix

package wire

import "time"

var started = time.Now()

// cpuTime returns the time since the start of this process.
func cpuTime() time.Duration { return time.Since(started) }
