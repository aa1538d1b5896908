// Package py implements the small part of Python that the verdicts of two benchmarks
// depend on: JSON values and their texts, numbers, and the texts of exceptions. The
// tools of an environment answer json.dumps(row) or f"Error: {e}". A replay equals
// these answers byte for byte only if 5 and 5.0, 'x' and "x", and a missing key and
// None stay distinct.
//
// A value is nil, bool, int64, Long, float64, string, *List or *Dict.
package py
