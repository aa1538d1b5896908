//go:build !unix

package pace

import "time"

var started = time.Now()

// computed returns the time since the start of this process.
func computed() time.Duration { return time.Since(started) }
