// Package drawn says how many cases a test with generated input tries.
package drawn

import (
	"os"
	"strconv"
	"strings"
)

// Variable is the environment variable that multiplies the number of cases of each test.
// "make laws" sets it to 100 for the tests that LAWS.md names. "make test" sets it to a
// fraction, such as 1/10, where it runs tests a second time on another platform.
const Variable = "BOUNDCHECK_CASES"

// Cases returns n times $BOUNDCHECK_CASES, at least 1, or n if the variable is neither a
// positive number nor a fraction 1/k.
func Cases(n int) int {
	value := os.Getenv(Variable)
	if parts, ok := strings.CutPrefix(value, "1/"); ok {
		if k, err := strconv.Atoi(parts); err == nil && k > 0 {
			return max(1, n/k)
		}
	} else if times, err := strconv.Atoi(value); err == nil && times > 0 {
		return n * times
	}
	return n
}

// LongVariable is the environment variable with which "make nightly" runs tests in their long
// form.
const LongVariable = "BOUNDCHECK_LONG"

// InShare reports whether a test tries case i of a list of like cases: every k-th one, or each
// of them with $BOUNDCHECK_LONG.
func InShare(i, k int) bool { return os.Getenv(LongVariable) != "" || i%k == 0 }
