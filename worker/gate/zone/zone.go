//go:build !js

// Package zone is the clock of time zones of a native process.
package zone

import (
	"sync"
	"time"
)

var zones sync.Map // name → *time.Location

// Offset is the clock of time zones of a native process, for machine.Policy.SetZone.
// A program without the system's zones must import time/tzdata.
func Offset(name string, at int64) (offset int, ok bool) {
	kept, known := zones.Load(name)
	if !known {
		if name == "" || name == "Local" {
			return 0, false
		}
		l, err := time.LoadLocation(name)
		if err != nil {
			return 0, false
		}
		kept, _ = zones.LoadOrStore(name, l)
	}
	_, offset = time.UnixMilli(at).In(kept.(*time.Location)).Zone()
	return offset, true
}
