package metric_test

import (
	"fmt"

	"github.com/boundcheck/boundcheck/core/math/metric"
)

// This example shows the figures of a run that took two correct actions, while the
// reference has four.
func ExampleRun() {
	r := metric.Run{Observed: 2, Reference: 4, Correct: 2, Kept: 2, Lacking: 2, Under: 2}
	fmt.Printf("ABS %.2f (agent) %.2f (max), GAR %.2f, SVR %.2f\n", r.ABSAgent().Value, r.ABSMax().Value, r.GAR().Value, r.SVR().Value)
	fmt.Println(metric.Run{Reference: 4, Lacking: 4, Under: 4}.ABSAgent().Reason)
	// Output:
	// ABS 1.00 (agent) 0.50 (max), GAR 0.50, SVR 1.00
	// no action was taken, but actions were required
}
