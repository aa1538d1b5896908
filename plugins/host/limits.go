package host

import (
	"cmp"
	"fmt"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/boundcheck/boundcheck/plugins/abi"
)

// Limits bound what one plugin may use. A zero field means the default.
//
// Deadline works on this host only. In js/wasm no timer fires while a guest runs. There
// the work that package meter counts stops a plugin, and a page ends it by terminating
// its Web Worker.
type Limits struct {
	MemoryPages  uint32        // 64 KiB each, per instance; default 4096 (256 MiB)
	Deadline     time.Duration // per call, start-up included; default 10 s
	Compile      time.Duration // of a module; default 30 s
	ModuleBytes  int           // of the .wasm file; default 32 MiB
	RequestBytes int           // default and maximum: abi.MaxMessage
	AnswerBytes  int           // default 16 MiB; at most abi.MaxMessage
	Instances    int           // calls that run at once; default GOMAXPROCS
}

const pageBytes = 64 << 10

func (l Limits) withDefaults() Limits {
	l.MemoryPages = cmp.Or(l.MemoryPages, 4096)
	l.Deadline = cmp.Or(l.Deadline, 10*time.Second)
	l.Compile = cmp.Or(l.Compile, 30*time.Second)
	l.ModuleBytes = cmp.Or(l.ModuleBytes, 32<<20)
	l.RequestBytes = min(cmp.Or(l.RequestBytes, abi.MaxMessage), abi.MaxMessage)
	l.AnswerBytes = min(cmp.Or(l.AnswerBytes, 16<<20), abi.MaxMessage)
	l.Instances = cmp.Or(l.Instances, runtime.GOMAXPROCS(0))
	return l
}

// Budget bounds what all plugins of a host, such as those of one command, use together.
// A zero field means the default.
type Budget struct {
	Time        time.Duration // sum of all calls; default 10 min
	AnswerBytes int64         // sum of all answers; default 1 GiB
	Memory      int64         // bytes of linear memory of all instances at one time; default 1 GiB
}

func (b Budget) withDefaults() Budget {
	b.Time = cmp.Or(b.Time, 10*time.Minute)
	b.AnswerBytes = cmp.Or(b.AnswerBytes, 1<<30)
	b.Memory = cmp.Or(b.Memory, 1<<30)
	return b
}

// spending counts what has been used of a Budget.
type spending struct {
	time, answers, memory, calls atomic.Int64
}

// Spent is what the plugins of a host have used so far.
type Spent struct {
	Calls       int64
	Time        time.Duration
	AnswerBytes int64
	Memory      int64 // of the instances that exist now
	Of          Budget
}

// Spent returns how much of the budget has been used.
func (h *Host) Spent() Spent {
	s := &h.spent
	return Spent{Calls: s.calls.Load(), Time: time.Duration(s.time.Load()), AnswerBytes: s.answers.Load(), Memory: s.memory.Load(), Of: h.budget}
}

// String returns a short text for a progress line.
func (s Spent) String() string {
	return fmt.Sprintf("plugins: %d calls took %v of the allowed %v", s.Calls, s.Time.Round(100*time.Millisecond), s.Of.Time)
}

// exhaustedBudget returns a sentence about the part of the budget that is used up, or ""
// if no part is.
func (h *Host) exhaustedBudget() string {
	s := h.Spent()
	switch {
	case s.Time >= s.Of.Time:
		return fmt.Sprintf("the plugin calls of this command have used their total time of %v", s.Of.Time)
	case s.AnswerBytes >= s.Of.AnswerBytes:
		return fmt.Sprintf("the plugin answers of this command have used their total size of %d bytes", s.Of.AnswerBytes)
	}
	return ""
}
