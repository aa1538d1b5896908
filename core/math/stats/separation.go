package stats

import "sort"

// isSeparated reports whether one or two covariates separate the outcomes, completely or
// quasi-completely (Albert and Anderson 1984). Aliased columns are left out. It returns
// false if there is no covariate, or if there are more than two. The result is exact if
// products of coordinates are exact, for example for counts.
func isSeparated(d *design) bool {
	switch len(d.column) {
	case 2:
		return intervalsApart(d.convexHull(0), d.convexHull(1))
	case 3:
		return lineSeparates(d.convexHull(0), d.convexHull(1))
	}
	return false
}

// spot is an observation as a point in the plane of the covariates. Y is 0 if there is
// only one covariate.
type spot struct{ X, Y float64 }

// intervalsApart reports whether the ranges of the X values of a and b do not overlap, or
// have only an end in common. a and b must be in ascending order, and all their Y values
// must be 0.
func intervalsApart(a, b []spot) bool {
	return a[len(a)-1].X <= b[0].X || b[len(b)-1].X <= a[0].X
}

// lineSeparates reports whether a line weakly separates two convex polygons. It tries
// only the directions at right angles to the line between two corners, one of each
// polygon. If the polygons can be separated, then one of these directions separates them.
// O(corners of a · corners of b).
func lineSeparates(a, b []spot) bool {
	for i, p := range a {
		for j, q := range b {
			if p == q {
				continue
			}
			w := spot{p.Y - q.Y, q.X - p.X}
			if isHighest(a, i, w) && isLowest(b, j, w) || isLowest(a, i, w) && isHighest(b, j, w) {
				return true
			}
		}
	}
	return false
}

func neighborSpots(s []spot, i int) []spot {
	return []spot{s[(i+1)%len(s)], s[(i+len(s)-1)%len(s)]}
}

func isHighest(s []spot, i int, w spot) bool { return isLowest(s, i, spot{-w.X, -w.Y}) }

func isLowest(s []spot, i int, w spot) bool {
	for _, n := range neighborSpots(s, i) {
		if float64(w.X*(n.X-s[i].X))+float64(w.Y*(n.Y-s[i].Y)) < 0 {
			return false
		}
	}
	return true
}

// convexHull returns the convex hull of the observations with outcome y. The corners are
// in counter-clockwise order and begin with the leftmost corner. Spots on a straight edge
// are not corners.
func (d *design) convexHull(y float64) []spot {
	var all []spot
	for i, row := range d.rows {
		if d.y[i] == y {
			s := spot{X: row[1]}
			if len(row) > 2 {
				s.Y = row[2]
			}
			all = append(all, s)
		}
	}
	sort.Slice(all, func(i, j int) bool { return all[i].X < all[j].X || all[i].X == all[j].X && all[i].Y < all[j].Y })
	lower := halfHull(all)
	for i, j := 0, len(all)-1; i < j; i, j = i+1, j-1 {
		all[i], all[j] = all[j], all[i]
	}
	upper := halfHull(all)
	if len(lower) == 1 {
		return lower
	}
	return append(lower[:len(lower)-1], upper[:len(upper)-1]...)
}

// halfHull returns half of a convex hull. These are the spots at which a path along the
// sorted spots turns left.
func halfHull(sorted []spot) []spot {
	var out []spot
	for _, s := range sorted {
		if len(out) > 0 && out[len(out)-1] == s {
			continue
		}
		for len(out) > 1 && crossProduct(out[len(out)-2], out[len(out)-1], s) <= 0 {
			out = out[:len(out)-1]
		}
		out = append(out, s)
	}
	return out
}

func crossProduct(a, b, c spot) float64 {
	return float64((b.X-a.X)*(c.Y-a.Y)) - float64((b.Y-a.Y)*(c.X-a.X))
}
