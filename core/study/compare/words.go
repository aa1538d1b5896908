package compare

import (
	"fmt"

	"github.com/boundcheck/boundcheck/core/stage/sentences"
)

// rowWords are the words of the rows of a comparison, in their order.
var rowWords = []struct{ what, word string }{
	{"broken", "broken"}, {"fixed", "fixed"}, {"both-fail", "both fail"}, {"unknown", "not known"}, {"unchanged", "unchanged"},
}

// sayRow returns what happened to a task in words: "both-fail" is "both fail".
func sayRow(what string) string {
	for _, w := range rowWords {
		if w.what == what {
			return w.word
		}
	}
	return what
}

// saySuccess says which pairs of runs kept their outcome.
func saySuccess(s *Success) string {
	runs := "runs"
	if s.Gained == 1 {
		runs = "run"
	}
	return fmt.Sprintf("Success: %d %s succeeded only with the treatment, %d only with the baseline, %d with both, and %d with none. McNemar's exact test gives p = %.4f.", s.Gained, runs, s.Lost, s.Both, s.Neither, s.P)
}

// countRows says how many tasks were broken, fixed and so on.
func countRows(rows []Row) string {
	var parts []string
	for _, w := range rowWords {
		n := 0
		for i := range rows {
			if rows[i].What == w.what {
				n++
			}
		}
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, w.word))
		}
	}
	return sentences.List(parts)
}
