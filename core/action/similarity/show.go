package similarity

import (
	"strconv"
	"strings"
)

// ShowValue returns a canonical value in usual notation. For example, 2405e-1 becomes
// 240.5.
func ShowValue(value string) string {
	if value == "" || value[0] != '-' && (value[0] < '0' || value[0] > '9') {
		return value
	}
	if mantissa, exponent, ok := strings.Cut(value, "e"); ok {
		return plainNumber(mantissa, exponent)
	}
	return value
}

// plainNumber returns the number mantissa · 10^exponent in decimal notation. Very large
// and very small numbers keep the exponent.
func plainNumber(mantissa, exponent string) string {
	n, err := strconv.Atoi(exponent)
	if err != nil {
		return mantissa + "e" + exponent
	}
	digits := strings.TrimPrefix(mantissa, "-")
	sign := mantissa[:len(mantissa)-len(digits)]
	point := len(digits) + n
	switch {
	case n > 20 || point < -20:
		return mantissa + "e" + exponent
	case n >= 0:
		return mantissa + strings.Repeat("0", n)
	case point > 0:
		return sign + digits[:point] + "." + digits[point:]
	}
	return sign + "0." + strings.Repeat("0", -point) + digits
}
