// Package pycall reads the Python code that agents write to act on a screen or a page:
// calls, one after another.
//
//	page.get_by_role("button", name="Go").click()
//	pyautogui.moveTo(10, 20); pyautogui.dragTo(30, 40, duration=1.0)
//
// It only parses: it resolves no name, applies no operator and runs no statement. Code
// other than calls (loops, definitions, comprehensions) is an error that says so,
// because a guess at its effect would be worthless.
//
// The grammar is that of Python 3 for expression statements, assignments and imports.
// It is more tolerant in two ways, since actions are cut out of larger texts: it
// ignores the indentation of statements, and numbers may have leading zeros.
package pycall
