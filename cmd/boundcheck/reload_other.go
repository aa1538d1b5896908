//go:build !unix

package main

import "os"

// reloadSignal is none where there is no SIGHUP; the file is watched everywhere.
var reloadSignal os.Signal
