package dates

import (
	"testing"
	"time"
)

// TestCalendar checks each day that a month can have, over four centuries, beside the standard library.
func TestCalendar(t *testing.T) {
	for year := 1800; year < 2201; year++ {
		for month := 0; month <= 13; month++ {
			for day := 0; day <= 32; day++ {
				at := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
				exists := at.Year() == year && int(at.Month()) == month && at.Day() == day
				if Exists(year, month, day) != exists {
					t.Fatalf("%d-%d-%d exists: %v", year, month, day, !exists)
				}
				if exists && WeekdayOf(year, month, day) != (int(at.Weekday())+6)%7 {
					t.Fatalf("%v has the weekday %d", at, WeekdayOf(year, month, day))
				}
			}
		}
	}
}
