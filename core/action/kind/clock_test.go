package kind

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/base/zones"
	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestClocks is the law that a zone's clock shows what the time zone database of Go's installation says, or
// is not known: no instant is wrong. It draws zones and local times.
func TestClocks(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 23))
	names := []string{"Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Sydney", "Europe/London", "America/Sao_Paulo", "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Auckland", "America/Santiago", "Europe/Dublin", "Africa/Cairo", "Asia/Tokyo", "America/St_Johns"}
	unknown := 0
	for range drawn.Cases(4000) {
		name := names[r.IntN(len(names))]
		zone, err := time.LoadLocation(name)
		if err != nil {
			t.Skipf("no time zones here: %v", err)
		}
		at := time.Date(2025+r.IntN(10), 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(r.IntN(365*24*4)) * 15 * time.Minute)
		if r.IntN(3) == 0 { // near the turns of spring and autumn
			at = time.Date(at.Year(), time.Month([]int{3, 4, 9, 10, 11}[r.IntN(5)]), 1+r.IntN(31), r.IntN(5), 30*r.IntN(2), 0, 0, time.UTC)
		}
		got, ok := zones.Instant(at, zones.Plain(name))
		if !ok {
			unknown++
			continue
		}
		want := time.Date(at.Year(), at.Month(), at.Day(), at.Hour(), at.Minute(), 0, 0, zone)
		if !got.Equal(want) {
			t.Fatalf("%s in %s: %s, want %s", at.Format(time.DateTime), name, got, want.UTC())
		}
	}
	if unknown > 400 {
		t.Errorf("%d times are not known", unknown)
	}
	if _, ok := zones.Instant(time.Date(2019, 1, 1, 0, 0, 0, 0, time.UTC), "europe/berlin"); ok {
		t.Error("the rules of earlier years are not in the table")
	}
}

// compareBesides compares two values of an argument with one other beside it.
func compareBesides(tool, key, a, b, besideKey, beside string) Outcome {
	leaves := []similarity.Leaf{{Path: besideKey, Key: besideKey, Raw: beside}}
	_, o := Compare(NewTool(tool), key, Side{Raw: a, Path: key, Leaves: leaves}, Side{Raw: b, Path: key, Leaves: leaves})
	return o
}

// TestBesides checks values that only the argument beside them makes one value.
func TestBesides(t *testing.T) {
	for _, c := range []struct {
		key, a, b, besideKey, beside string
		want                         Outcome
	}{
		{"start", `"2026-07-01 09:00"`, `"2026-07-01T07:00:00Z"`, "timezone", `"Europe/Madrid"`, Same},
		{"start", `"2026-07-01 09:00"`, `"2026-07-01T08:00:00Z"`, "timezone", `"Europe/Madrid"`, Differs},
		{"start", `"2026-01-01 09:00"`, `"2026-01-01T14:00:00Z"`, "timezone", `"US/Eastern"`, Same},
		{"start", `"2012-07-01 09:00"`, `"2012-07-01T08:00:00Z"`, "timezone", `"Europe/Madrid"`, Unsure},
		{"phone", `"030 901820"`, `"+49 30 901820"`, "country", `"Germany"`, Same},
		{"phone", `"(415) 555-0132"`, `"+1 415 555 0132"`, "country", `"US"`, Same},
		{"phone", `"030 901820"`, `"+43 30 901820"`, "country", `"DE"`, Differs},
		{"phone", `"(415) 555-0132"`, `"+1 415 555 0132"`, "city", `"US"`, Unsure},
		{"phone", `"(415) 555-0133"`, `"+1 415 555 0132"`, "country", `"US"`, Differs},
	} {
		if got := compareBesides("update_contact", c.key, c.a, c.b, c.besideKey, c.beside); got != c.want {
			t.Errorf("%s: %s and %s beside %s: %d, want %d", c.key, c.a, c.b, c.beside, got, c.want)
		}
		if got := compareBesides("update_contact", c.key, c.b, c.a, c.besideKey, c.beside); got != c.want {
			t.Errorf("%s: %s and %s beside %s: %d, want %d", c.key, c.b, c.a, c.beside, got, c.want)
		}
	}
}
