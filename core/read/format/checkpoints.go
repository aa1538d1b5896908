package format

import (
	"fmt"
	"math"
	"slices"
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
	says, otherwise := checkpointTexts(text, totals)
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
			if otherwise { // its number would be that of another check of the text
				name = nameByPoints(total)
			}
			if says[i] != "" {
				name += ": " + says[i]
			}
			t.Assertions = append(t.Assertions, trajectory.Assertion{Name: name, Result: result, Total: total})
		}
	}
}

// nameByPoints names a check of which only the points are known.
func nameByPoints(points float64) string {
	if points == 1 {
		return "a check worth 1 point"
	}
	return fmt.Sprintf("a check worth %v points", points)
}

// checkpoint is what a text says of one checkpoint.
type checkpoint struct {
	head, says string
	points     float64
}

// checkpointTexts returns what each checkpoint checks, "" where it is not known: the first line
// under a heading with points, such as "Checkpoint 2 (1pt)", or the rest of the line, such as
// "1. [1pt] The file is there". They are in order if there is one for each, with its points, or
// if all stand at the places that they name themselves. Otherwise a check is known only if no
// other of the text or of the record has its points; otherwise says that this is so.
func checkpointTexts(text string, totals []float64) (says []string, otherwise bool) {
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
	out := make([]string, len(totals))
	count := map[float64]int{} // of the checks with some points; 0 are not known
	ordered, numbered := len(all) == len(totals), len(all) > 0
	for i, c := range all {
		count[c.points]++
		at := c.ownPlace(len(totals))
		ordered = ordered && c.points == totals[i]
		numbered = numbered && at >= 0 && at < len(totals) && (c.points == 0 || c.points == totals[at])
	}
	for i, c := range all {
		switch at := c.ownPlace(len(totals)); {
		case ordered:
			out[i] = c.says
		case numbered:
			out[at] = c.says
		default:
			at = slices.Index(totals, c.points)
			if at >= 0 && !slices.Contains(totals[at+1:], c.points) && count[c.points] == 1 && count[0] == 0 && len(all) == len(totals) {
				out[at] = c.says
			}
		}
	}
	return out, len(all) > 0 && !ordered && !numbered
}

// ownPlace returns the place of a checkpoint by its own words, from 0, among a number of them.
func (c *checkpoint) ownPlace(n int) int {
	if strings.Contains(c.head, "final") || strings.Contains(c.head, "last") {
		return n - 1
	}
	digits := strings.TrimLeft(c.head, "# chekpoint")
	at, _ := strconv.Atoi(digits[:len(digits)-len(strings.TrimLeft(digits, "0123456789"))])
	return at - 1
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
