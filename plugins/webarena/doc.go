// Package webarena is the bundled checker for WebArena, and for other runs in a browser
// in the same notation.
//
//	action.go, bracket.go, call.go   the agents' actions, in three grammars: click [12],
//	                                 click('12'), page.get_by_role("link").click()
//	locator.go, xpath.go             elements by role and name, selectors, paths
//	url.go                           addresses in normal form
//	shape.go                         values that change at every visit, by their shape
//	node.go, axtree.go, html.go      pages as trees
//	named.go                         the role and the name of an element
//	page.go, follow.go               a run followed from page to page
//	compose.go                       several steps that form one action
//	compare.go, replay.go            where two runs end differently
//	task.go, outcome.go              the task's own checks, made on the record
//	check.go                         rulings on the rows of an alignment
//
// The data on a site's server is not recorded. The fields that were set, the pages that
// were seen and the answer that was given are recorded, and these are compared. If a
// check of the task needs the live site, a script or a model, it is undecided, and a
// note says so; the recorded outcome then counts. No rule names a site or a task.
package webarena
