// Package drawn says how many cases a test with generated input tries.
package drawn

import (
	"os"
	"strconv"
)

// Variable is the environment variable that multiplies the number of cases of each test.
// "make laws" sets it to 100 for the tests that LAWS.md names.
const Variable = "BOUNDCHECK_CASES"

// Cases returns n times $BOUNDCHECK_CASES, or n if the variable is not a positive number.
func Cases(n int) int {
	if times, err := strconv.Atoi(os.Getenv(Variable)); err == nil && times > 0 {
		return n * times
	}
	return n
}
