package format

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// readCheckpoints reads the points of each checkpoint, and the points that were possible.
// A boolean result counts as all points or none. The text has what they check, each under its
// heading or in its line; it may be empty.
func readCheckpoints(t *trajectory.Trajectory, score *shape.Object, text string) {
	all := score.FirstList("checkpoints")
	totals := make([]float64, len(all))
	for i, c := range all {
		totals[i], _ = c.Get("total").Float()
	}
	says := checkpointTexts(text, totals)
	for i, c := range all {
		total, ok := c.Get("total").Float()
		result, points := c.Get("result").Float()
		if given, is := c.Get("result").Bool(); is {
			points = true
			if given {
				result = total
			}
		}
		if ok && points && !math.IsInf(result, 0) && !math.IsInf(total, 0) {
			name := fmt.Sprintf("checkpoint %d", i+1)
			if says[i] != "" {
				name += ": " + says[i]
			}
			t.Assertions = append(t.Assertions, trajectory.Assertion{Name: name, Result: result, Total: total})
		}
	}
}

// checkpoint is what a text says of one checkpoint.
type checkpoint struct {
	head, says string
	points     float64
}

// checkpointTexts returns what each checkpoint checks, "" where it is not known: the first line
// under a heading with points, such as "Checkpoint 2 (1pt)", or the rest of the line, such as
// "1. [1pt] The file is there". They are in order if there is one for each, with its points.
// Otherwise they count only with their own number, or as the final one.
func checkpointTexts(text string, totals []float64) []string {
	var all []checkpoint
	open := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		points, rest, has := cutPoints(line)
		switch {
		case strings.HasPrefix(line, "#"):
			if open = has || namesCheckpoint(strings.ToLower(line)); open {
				all = append(all, checkpoint{head: strings.ToLower(line), points: points})
			}
		case open && line != "" && all[len(all)-1].says == "":
			all[len(all)-1].says = line
		case !open && has && rest != "":
			all = append(all, checkpoint{head: line, says: rest, points: points})
		}
	}
	inOrder := len(all) == len(totals)
	for i := range all {
		inOrder = inOrder && all[i].points == totals[i]
	}
	out := make([]string, len(totals))
	for i, c := range all {
		at := i
		if digits := strings.TrimLeft(c.head, "# chekpoint"); !inOrder {
			end := len(digits) - len(strings.TrimLeft(digits, "0123456789"))
			if at, _ = strconv.Atoi(digits[:end]); strings.Contains(c.head, "final") || strings.Contains(c.head, "last") {
				at = len(totals)
			}
			at--
		}
		if at >= 0 && at < len(totals) && (c.points == 0 || c.points == totals[at]) {
			out[at] = c.says
		}
	}
	return out
}

// namesCheckpoint reports whether a heading is that of one checkpoint.
func namesCheckpoint(heading string) bool {
	return strings.Contains(strings.ReplaceAll(heading, "checkpoints", ""), "checkpoint")
}

// cutPoints returns the points of a line with "(2pts)" or "[2 points]", and what follows.
func cutPoints(line string) (points float64, rest string, has bool) {
	for at := range len(line) {
		if line[at] != '(' && line[at] != '[' {
			continue
		}
		inner, after, closed := strings.Cut(line[at+1:], map[byte]string{'(': ")", '[': "]"}[line[at]])
		number := strings.TrimRight(strings.TrimRight(inner, "pointsPOINTS"), " ")
		if n, err := strconv.Atoi(number); closed && err == nil && len(inner) > len(number) {
			return float64(n), strings.TrimSpace(after), true
		}
	}
	return 0, "", false
}
