package main

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"
)

// printReport prints the skips, the failures, the slow tests and the table of the suites.
// It returns the sum of all tallies.
func printReport(before tally, results []result, wall time.Duration) tally {
	total := before
	for _, r := range results {
		total.add(r.tally)
	}
	fmt.Println()
	for _, s := range total.skips {
		fmt.Println("SKIPPED", s)
	}
	slices.SortFunc(total.slow, func(a, b slowTest) int { return cmp.Compare(b.wall, a.wall) })
	for _, s := range total.slow {
		fmt.Printf("SLOW    %4.0f s  %s\n", s.wall.Seconds(), s.name)
	}
	for _, f := range total.failures {
		fmt.Println("FAILED ", f)
	}
	fmt.Printf("\n%s", suiteTable(results, wall))
	fmt.Printf("\nall suites in %.0f s\n%d passed, %d failed, %d skipped\n", wall.Seconds(), total.passed, total.failed, total.skipped)
	return total
}

// suiteTable returns a Markdown table with a row for each suite: seconds of wall clock
// and of CPU, and the tests that ran. The last row is the whole run.
func suiteTable(results []result, wall time.Duration) string {
	var b strings.Builder
	b.WriteString("| suite | seconds | CPU seconds | tests |\n|---|---:|---:|---:|\n")
	tests, cpu := 0, time.Duration(0)
	for _, r := range results {
		fmt.Fprintf(&b, "| %s | %.0f | %.0f | %d |\n", r.name, r.wall.Seconds(), r.tally.cpu.Seconds(), r.tally.ran())
		tests, cpu = tests+r.tally.ran(), cpu+r.tally.cpu
	}
	fmt.Fprintf(&b, "| all | %.0f | %.0f | %d |\n", wall.Seconds(), cpu.Seconds(), tests)
	return b.String()
}

// tableFile is the file that keeps the table, after the line tableHead.
const (
	tableFile = "CONTRIBUTING.md"
	tableHead = "| suite | seconds | CPU seconds | tests |\n"
)

// keepTable replaces the table in a document. The document must have one.
func keepTable(path, table string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	at := bytes.Index(text, []byte(tableHead))
	if at < 0 {
		return fmt.Errorf("no table in %s: no line %q", path, strings.TrimSpace(tableHead))
	}
	end := at
	for end < len(text) && text[end] == '|' {
		end += bytes.IndexByte(text[end:], '\n') + 1
	}
	return os.WriteFile(path, slices.Concat(text[:at], []byte(table), text[end:]), 0o644)
}
