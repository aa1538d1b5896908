package cli

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// progress draws a bar on stderr for work that takes more than a second: on a
// terminal in place, elsewhere a line every ten seconds.
type progress struct {
	w        io.Writer
	terminal bool
	start    time.Time
	last     time.Time
	drawn    bool
}

func newProgress(w io.Writer) *progress {
	return &progress{w: w, terminal: isTerminal(w), start: time.Now()}
}

func (p *progress) step(done, total int) {
	now := time.Now()
	pause := 10 * time.Second
	if p.terminal {
		pause = 100 * time.Millisecond
	}
	if now.Sub(p.start) < time.Second || (p.drawn && now.Sub(p.last) < pause) {
		return
	}
	p.last, p.drawn = now, true
	if !p.terminal {
		fmt.Fprintf(p.w, "scored %d of %d trajectories\n", done, total)
		return
	}
	const width = 30
	full := width * done / max(total, 1)
	fmt.Fprintf(p.w, "\r[%s%s] %d of %d trajectories", strings.Repeat("#", full), strings.Repeat("·", width-full), done, total)
}

func (p *progress) done() {
	if p.drawn && p.terminal {
		fmt.Fprintf(p.w, "\r%s\r", strings.Repeat(" ", 72))
	}
}
