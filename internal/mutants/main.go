// Command mutants is a mutation tester. It changes one operator, condition or result at a
// time in a package's code, runs the tests, and lists the changes that no test notices.
// It never writes into the source tree: it passes each changed file to the go command as
// an overlay.
//
// It first runs the tests of the changed package, and if they pass, those of -also. -seed
// decides which changes are tried, so the same sources and seed produce the same list.
// The file equivalent.txt lists changes that are known to keep the behaviour, each with
// the reason. The exit code is 1 if there is another change that no test notices.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
)

// defaults are the packages that determine verdicts.
var defaults = []string{"./core/math/align", "./core/stage/attribution", "./core/stage/equivalence", "./core/stage/relation", "./core/gate/machine", "./core/math/metric", "./core/action/mutation", "./core/gate/proposal", "./core/stage/violation"}

func main() {
	count := flag.Int("count", 25, "changes to try in each package; 0 tries all")
	seed := flag.Uint64("seed", 1, "number that selects which changes are tried")
	also := flag.String("also", "./core/score ./core/wire", "packages whose tests also run if the changed package's tests pass; empty for none")
	known := flag.String("known", "internal/mutants/equivalent.txt", "file with the changes that are known to keep the behaviour")
	verbose := flag.Bool("v", false, "print every change and its outcome")
	flag.Parse()
	packages := flag.Args()
	if len(packages) == 0 {
		packages = defaults
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	r := runner{count: *count, seed: *seed, also: strings.Fields(*also), verbose: *verbose, out: os.Stdout}
	left, err := r.run(ctx, *known, packages)
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(2)
	}
	if left > 0 {
		os.Exit(1)
	}
}
