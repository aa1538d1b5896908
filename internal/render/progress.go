package render

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// Progress draws a bar on stderr for work that takes more than a second: on a
// terminal in place, elsewhere a line every ten seconds.
type Progress struct {
	Also func() string // more to say beside the trajectories; nil is nothing

	w        io.Writer
	terminal bool
	start    time.Time
	last     time.Time
	drawn    bool
	done     int // of the last step
	all      int
}

// NewProgress returns a progress that starts now.
func NewProgress(w io.Writer) *Progress { return NewProgressSince(w, IsTerminal(w), time.Now()) }

// NewProgressSince is of work that began at a time, told on a terminal or not.
func NewProgressSince(w io.Writer, terminal bool, start time.Time) *Progress {
	return &Progress{w: w, terminal: terminal, start: start}
}

// Step draws how many of the trajectories are scored.
func (p *Progress) Step(done, total int) {
	p.done, p.all = done, total
	if !p.Due(time.Now()) {
		return
	}
	if !p.terminal {
		p.Show(fmt.Sprintf("scored %d of %d trajectories%s", done, total, p.also()))
		return
	}
	const width = 30
	full := width * done / max(total, 1)
	p.Show(fmt.Sprintf("[%s%s] %d of %d trajectories%s", strings.Repeat("#", full), strings.Repeat("·", width-full), done, total, p.also()))
}

func (p *Progress) also() string {
	if p.Also == nil {
		return ""
	}
	return ", " + p.Also()
}

// Due reports whether it is time to draw again. The caller must then draw.
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

// Show writes a text over the previous one, or on a line of its own.
func (p *Progress) Show(text string) {
	if p.terminal {
		fmt.Fprintf(p.w, "\r%-72s", text)
	} else {
		fmt.Fprintln(p.w, text)
	}
}

// Taken returns the time since the work began.
func (p *Progress) Taken(now time.Time) time.Duration { return now.Sub(p.start) }

// Done removes the bar, or prints the last line.
func (p *Progress) Done() {
	if p.drawn && !p.terminal && p.all > 0 && p.done == p.all {
		p.Show(fmt.Sprintf("scored %d of %d trajectories", p.all, p.all))
	}
	if p.drawn && p.terminal {
		fmt.Fprintf(p.w, "\r%s\r", strings.Repeat(" ", 72))
	}
}
