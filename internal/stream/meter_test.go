package stream

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/internal/render"
)

func TestMeter(t *testing.T) {
	check := func(m meter, want string) {
		t.Helper()
		if got := m.progressText(250e6, 1234, 2*time.Second); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	check(meter{total: 1e9}, "scored 1234 trajectories, 250.0 MB of 1.0 GB, 125.0 MB/s, 6s left")
	check(meter{total: 1e9, passed: 200e6}, "scored 1234 trajectories, 250.0 MB of 1.0 GB, 25.0 MB/s, 30s left")
	check(meter{total: -1}, "scored 1234 trajectories, 250.0 MB, 125.0 MB/s")
	for n, want := range map[int64]string{0: "0 B", 999: "999 B", 1000: "1.0 kB", 5.5e12: "5.5 TB", 5e15: "5000.0 TB"} {
		if got := byteSize(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}

// TestMeterCadence checks that nothing is printed in the first second, and that a line is
// printed every ten seconds later. On a terminal the line is replaced in place, and
// removed at the end.
func TestMeterCadence(t *testing.T) {
	var b bytes.Buffer
	m := meter{bar: render.NewProgress(&b), total: 100}
	m.drawIfDue(10, 1)
	if b.Len() > 0 {
		t.Errorf("at once: %q", b.String())
	}
	m.bar = render.NewProgressSince(&b, false, time.Now().Add(-5*time.Second))
	m.drawIfDue(10, 1)
	m.drawIfDue(20, 2)
	if strings.Count(b.String(), "\n") != 1 || !strings.HasPrefix(b.String(), "scored 1 trajectories") {
		t.Errorf("%q", b.String())
	}
	b.Reset()
	m.bar = render.NewProgressSince(&b, true, time.Now().Add(-5*time.Second))
	m.drawIfDue(20, 2)
	m.bar.Done()
	if got := b.String(); !strings.HasPrefix(got, "\rscored 2 ") || !strings.HasSuffix(got, "\r") || strings.Contains(got, "\n") {
		t.Errorf("%q", got)
	}
}
