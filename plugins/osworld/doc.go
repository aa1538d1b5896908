// Package osworld is the bundled checker for OSWorld, and for other runs with mouse and
// keyboard in the same notation.
//
//	gesture.go                the gestures on the machine, in normal form
//	code.go, functions.go     pyautogui and similar code, parsed, never executed
//	computer.go               actions as JSON: computer_13, computer-use tools
//	human.go                  references that people wrote: a verb, and words
//	compose.go                several steps that form one gesture
//	screen.go, phash.go       pictures of the screen, and how similar they are
//	task.go                   the tasks' evaluators, as far as they can be checked
//	follow.go, replay.go      a run followed from screen to screen
//	check.go                  rulings on the rows of an alignment
//
// Files and settings inside the machine are not recorded, so the evaluator's recorded
// score is used. Pictures come as observations: base64 of PNG or JPEG, bare, in a data:
// URL, or as a member of an object. Places that a person describes in words are
// compared only with words. No rule names a task or an application.
package osworld
