package core_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestListOrder draws lists in another order, of two to 300 elements. The test knows by construction whether the order means
// something: by the deed, or because another list of the call belongs to the list. Then the order is said, and else it is
// excused. An element that only one list has is said alone, however long the lists are.
func TestListOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 13))
	sets := [][2]string{{"delete_files", "paths"}, {"close_tickets", "tickets"}, {"invite_users", "names"}, {"upload_files", "files"}, {"archive_photos", "photos"}, {"install_packages", "packages"}}
	ordered := [][2]string{{"merge_pdfs", "files"}, {"concat_videos", "clips"}, {"run_migrations", "migrations"}, {"apply_patches", "patches"}, {"create_slideshow", "images"}, {"create_playlist", "tracks"}, {"stitch_images", "images"}, {"install_in_order", "packages"}}
	for range 100 {
		n := 2 + r.IntN(6)
		if r.IntN(3) == 0 {
			n = 60 + r.IntN(240)
		}
		a := make([]any, n)
		for i := range a {
			a[i] = fmt.Sprintf("part%d.x", i)
		}
		b := slices.Clone(a)
		for slices.Equal(a, b) {
			r.Shuffle(n, func(i, k int) { b[i], b[k] = b[k], b[i] })
		}
		check := func(tool string, x, y obj, flagged bool) {
			t.Helper()
			got := scoreCalls(t, "sop", [][3]any{{tool, y, ok}}, [3]any{tool, x, nil})
			if (len(got.Violations) > 0) != flagged {
				t.Fatalf("%s of %d elements: flagged %v, want %v", tool, n, !flagged, flagged)
			}
		}
		set, sequence := sets[r.IntN(len(sets))], ordered[r.IntN(len(ordered))]
		check(set[0], obj{set[1]: a}, obj{set[1]: b}, false)
		check(sequence[0], obj{sequence[1]: a}, obj{sequence[1]: b}, true)
		c := slices.Clone(b)
		c[r.IntN(n)] = "other.x"
		got := scoreCalls(t, "sop", [][3]any{{set[0], obj{set[1]: c}, ok}}, [3]any{set[0], obj{set[1]: a}, nil})
		if len(got.Violations) != 1 || len(got.Violations[0].Reason) > 200 {
			t.Fatalf("%s with one other element of %d: %+v", set[0], n, got.Violations)
		}
		rows := make([]any, n)
		objects, moved := make([]any, n), make([]any, n)
		for i := range rows {
			rows[i] = i + 1
			objects[i] = obj{"sku": a[i], "qty": i%5 + 1}
		}
		other := slices.Clone(rows)
		for i := range b {
			at := slices.Index(a, b[i])
			other[i], moved[i] = rows[at], objects[at]
		}
		check("book_seats", obj{"passengers": a, "seats": rows}, obj{"passengers": b, "seats": other}, false)
		check("book_seats", obj{"passengers": a, "seats": rows}, obj{"passengers": b, "seats": rows}, true)
		check("create_order", obj{"items": objects}, obj{"items": moved}, false)
	}
}
