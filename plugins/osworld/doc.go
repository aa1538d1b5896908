// Package osworld is the bundled checker for OSWorld, and for runs with mouse and
// keyboard that are written as it writes them.
//
//	gesture.go                what can be done to the machine, in normal form
//	code.go, functions.go     pyautogui and its kin, read by a grammar, never run
//	computer.go               actions as JSON: computer_13, computer-use tools
//	human.go                  the references that people wrote: a verb, and words
//	compose.go                several steps that are one
//	screen.go, phash.go       pictures of the screen, and how alike they are
//	task.go                   the tasks' evaluators, as far as they can be asked
//	follow.go, replay.go      a run followed from screen to screen
//	check.go                  rulings on the rows of an alignment
//
// Files and settings inside the machine are not recorded, so that the evaluator's
// score is taken as it stands. Pictures come as observations: base64 of PNG or JPEG,
// bare, in a data: URL, or as a member of an object. Places that a person describes
// in words are compared with words alone. No rule names a task or an application.
package osworld
