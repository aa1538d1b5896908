package render

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// Progress shows the progress of work that takes more than a second, on stderr. On a
// terminal it redraws a bar in place. Elsewhere it prints a line every ten seconds.
type Progress struct {
	Also func() string // more text after the number of trajectories; nil for none

	w        io.Writer
	terminal bool
	start    time.Time
	last     time.Time
	drawn    bool
	done     int // trajectories scored at the last step
	all      int
}

// NewProgress returns a Progress for work that starts now.
func NewProgress(w io.Writer) *Progress { return NewProgressSince(w, IsTerminal(w), time.Now()) }

// NewProgressSince returns a Progress for work that began at the given time. The
// parameter terminal says whether w is a terminal.
func NewProgressSince(w io.Writer, terminal bool, start time.Time) *Progress {
	return &Progress{w: w, terminal: terminal, start: start}
}

// Step sets the number of scored trajectories and the number of all trajectories. It
// draws the new numbers only if Due returns true.
func (p *Progress) Step(done, total int) {
	p.done, p.all = done, total
	if !p.Due(time.Now()) {
		return
	}
	if !p.terminal {
		p.Show(fmt.Sprintf("scored %d of %d trajectories%s", done, total, p.alsoText()))
		return
	}
	const width = 30
	full := width * done / max(total, 1)
	p.Show(fmt.Sprintf("[%s%s] %d of %d trajectories%s", strings.Repeat("#", full), strings.Repeat("·", width-full), done, total, p.alsoText()))
}

func (p *Progress) alsoText() string {
	if p.Also == nil {
		return ""
	}
	return ", " + p.Also()
}

// Due reports whether it is time to draw again. If Due returns true, the caller must draw.
func (p *Progress) Due(now time.Time) bool {
	pause := 10 * time.Second
	if p.terminal {
		pause = 100 * time.Millisecond
	}
	if now.Sub(p.start) < time.Second || p.drawn && now.Sub(p.last) < pause {
		return false
	}
	p.last, p.drawn = now, true
	return true
}

// Show draws a text. On a terminal, the new text replaces the previous text. On any other
// writer, Show prints the text as a new line.
func (p *Progress) Show(text string) {
	if p.terminal {
		fmt.Fprintf(p.w, "\r%-72s", text)
	} else {
		fmt.Fprintln(p.w, text)
	}
}

// Taken returns the time since the work began.
func (p *Progress) Taken(now time.Time) time.Duration { return now.Sub(p.start) }

// Done removes the progress bar from a terminal. If w is not a terminal and all
// trajectories are scored, Done prints the last line.
func (p *Progress) Done() {
	if p.drawn && !p.terminal && p.all > 0 && p.done == p.all {
		p.Show(fmt.Sprintf("scored %d of %d trajectories", p.all, p.all))
	}
	if p.drawn && p.terminal {
		fmt.Fprintf(p.w, "\r%s\r", strings.Repeat(" ", 72))
	}
}
