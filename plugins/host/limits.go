package host

import (
	"cmp"
	"runtime"
	"time"

	"github.com/boundcheck/boundcheck/plugins/abi"
)

// Limits bound what one plugin may use. A zero field takes its default.
//
// Deadline holds on this host only: inside js/wasm no timer fires while a guest runs, so there a plugin is stopped by
// the work that package meter counts, and a page ends it by terminating its Web Worker.
type Limits struct {
	MemoryPages  uint32        // 64 KiB each, per instance; default 4096 (256 MiB)
	Deadline     time.Duration // per call, start-up included; default 10 s
	ModuleBytes  int           // of the .wasm file; default 32 MiB
	RequestBytes int           // default and most: abi.MaxMessage
	AnswerBytes  int           // default 16 MiB; at most abi.MaxMessage
	Instances    int           // calls that run at once; default GOMAXPROCS
}

const pageBytes = 64 << 10

func (l Limits) withDefaults() Limits {
	l.MemoryPages = cmp.Or(l.MemoryPages, 4096)
	l.Deadline = cmp.Or(l.Deadline, 10*time.Second)
	l.ModuleBytes = cmp.Or(l.ModuleBytes, 32<<20)
	l.RequestBytes = min(cmp.Or(l.RequestBytes, abi.MaxMessage), abi.MaxMessage)
	l.AnswerBytes = min(cmp.Or(l.AnswerBytes, 16<<20), abi.MaxMessage)
	l.Instances = cmp.Or(l.Instances, runtime.GOMAXPROCS(0))
	return l
}
