package kind

import (
	"fmt"
	"testing"
)

// TestSpokenClocks is the law of times in words: each is the time of its half of the day, and no other one.
func TestSpokenClocks(t *testing.T) {
	hours := []string{"one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"}
	clock := func(minutes int) string {
		minutes = (minutes + 1440) % 1440
		return fmt.Sprintf("%02d:%02d", minutes/60, minutes%60)
	}
	for i, hour := range hours {
		for _, form := range []struct {
			words   string
			minutes int
		}{{"half past ", 30}, {"quarter past ", 15}, {"quarter to ", -15}} {
			morning := (i+1)%12*60 + form.minutes
			for _, x := range []struct {
				half    string
				minutes int
			}{{" am", morning}, {" in the morning", morning}, {" p.m.", morning + 720}, {" in the afternoon", morning + 720}} {
				text := form.words + hour + x.half
				if o := outcomeFor("ring_bell", "time", text, clock(x.minutes)); o != Same {
					t.Errorf("%q and %s: outcome %d", text, clock(x.minutes), o)
				}
				if o := outcomeFor("ring_bell", "time", text, clock(x.minutes+720)); o == Same || o == Unsure {
					t.Errorf("%q and %s: outcome %d", text, clock(x.minutes+720), o)
				}
				if o := outcomeFor("ring_bell", "time", text, clock(x.minutes+30)); o == Same || o == Unsure {
					t.Errorf("%q and %s: outcome %d", text, clock(x.minutes+30), o)
				}
			}
		}
	}
	for text, want := range map[string]string{"half past noon": "12:30", "quarter to midnight": "23:45", "half past midnight": "00:30", "half past twelve at night": "00:30", "9.05 p.m.": "21:05", "0730 hrs": "07:30"} {
		if o := outcomeFor("ring_bell", "time", text, want); o != Same {
			t.Errorf("%q and %s: outcome %d", text, want, o)
		}
	}
}
