package stats

import "math"

// matrix is a small dense square matrix, stored row by row.
type matrix [][]float64

func newSquare(n int) matrix {
	m := make(matrix, n)
	for i := range m {
		m[i] = make([]float64, n)
	}
	return m
}

// cholesky factors a symmetric positive definite matrix as L·Lᵀ. It reads only the lower
// half. ok is false if a pivot is not positive. O(n³).
func cholesky(a matrix) (l matrix, ok bool) {
	l = newSquare(len(a))
	for i := range a {
		for j := 0; j <= i; j++ {
			rest := a[i][j] - dot(l[i][:j], l[j][:j])
			switch {
			case j < i:
				l[i][j] = rest / l[j][j]
			case rest > 0: // false for NaN too
				l[i][i] = math.Sqrt(rest)
			default:
				return l, false
			}
		}
	}
	return l, true
}

// solve returns x with L·Lᵀ·x = b. O(n²).
func (l matrix) solve(b []float64) []float64 {
	x := make([]float64, len(b))
	for i := range x {
		x[i] = (b[i] - dot(l[i][:i], x[:i])) / l[i][i]
	}
	for i := len(x) - 1; i >= 0; i-- {
		for j := i + 1; j < len(x); j++ {
			x[i] -= float64(l[j][i] * x[j])
		}
		x[i] /= l[i][i]
	}
	return x
}

// inverse returns (L·Lᵀ)⁻¹. O(n³).
func (l matrix) inverse() matrix {
	out := make(matrix, len(l))
	for i := range out {
		unit := make([]float64, len(l))
		unit[i] = 1
		out[i] = l.solve(unit) // symmetric, so a column is a row
	}
	return out
}

// logDet returns log |L·Lᵀ|.
func (l matrix) logDet() float64 {
	sum := 0.0
	for i := range l {
		sum += 2 * math.Log(l[i][i])
	}
	return sum
}

// dot returns the dot product. It rounds each product before the addition, so that the
// result has the same bits on all platforms.
func dot(a, b []float64) float64 {
	sum := 0.0
	for i := range a {
		sum += float64(a[i] * b[i])
	}
	return sum
}
