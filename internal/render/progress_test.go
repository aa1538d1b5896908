package render

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

// TestProgress checks that nothing is drawn in the first second, and that Done removes
// the bar.
func TestProgress(t *testing.T) {
	var out bytes.Buffer
	p := &Progress{w: &out, terminal: true, start: time.Now()}
	p.Step(1, 200)
	if out.Len() != 0 {
		t.Errorf("short work drew %q", out.String())
	}
	p.start = p.start.Add(-2 * time.Second)
	p.Step(100, 200)
	if !strings.Contains(out.String(), "100 of 200") || !strings.Contains(out.String(), strings.Repeat("#", 15)+"·") {
		t.Errorf("half way drew %q", out.String())
	}
	before := out.Len()
	p.Step(101, 200)
	if out.Len() != before {
		t.Error("it draws more often than ten times a second")
	}
	p.Done()
	if !strings.HasSuffix(out.String(), "\r") {
		t.Error("the bar stays on the terminal")
	}
}

func TestProgressWithoutTerminal(t *testing.T) {
	var out bytes.Buffer
	p := &Progress{w: &out, start: time.Now().Add(-2 * time.Second)}
	p.Step(5, 10)
	p.Step(6, 10)
	p.Done()
	if out.String() != "scored 5 of 10 trajectories\n" {
		t.Errorf("got %q", out.String())
	}
}

// TestProgressEnds checks that Done prints a line with the final numbers if the output is
// not a terminal.
func TestProgressEnds(t *testing.T) {
	var out bytes.Buffer
	p := &Progress{w: &out, start: time.Now().Add(-2 * time.Second)}
	p.Step(1, 10)
	p.Step(10, 10)
	p.Done()
	if out.String() != "scored 1 of 10 trajectories\nscored 10 of 10 trajectories\n" {
		t.Errorf("it said %q", out.String())
	}
}
