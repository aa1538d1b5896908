// Package webarena is the bundled checker for WebArena, and for runs in a browser
// that are written as it writes them.
//
//	action.go, bracket.go, call.go   what an agent may do, in three grammars: click [12],
//	                                 click('12'), page.get_by_role("link").click()
//	locator.go, xpath.go             elements by role and name, selectors, paths
//	url.go                           addresses in normal form
//	shape.go                         what is new at every visit, told by its shape
//	node.go, axtree.go, html.go      pages as trees
//	named.go                         what an element is and is called
//	page.go, follow.go               a run followed from page to page
//	compose.go                       several steps that are one
//	compare.go, replay.go            where two runs end differently
//	task.go, outcome.go              the task's own checks, made on the record
//	check.go                         rulings on the rows of an alignment
//
// What a site keeps on its server is not recorded. The fields that were set, the
// pages that were seen and the answer that was given are, and these are compared.
// Where a check of the task needs the live site, a script or a model it is undecided,
// and said to be; the recorded outcome then stands. No rule names a site or a task.
package webarena
