// Package py holds the little of Python that two benchmarks' verdicts hang on:
// its JSON values and their texts, its numbers, and its exceptions as words. An
// environment whose tools answer json.dumps(row) or f"Error: {e}" is replayed to
// the byte only if 5 and 5.0, 'x' and "x", a missing key and None stay apart.
//
// A value is nil, bool, int64, Long, float64, string, *List or *Dict.
package py
