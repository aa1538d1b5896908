// Package pycall reads the Python that agents write to act on a screen or a page:
// calls, one after another.
//
//	page.get_by_role("button", name="Go").click()
//	pyautogui.moveTo(10, 20); pyautogui.dragTo(30, 40, duration=1.0)
//
// It is a reader and nothing else: no name is looked up, no operator applied, no
// statement run. What is more than calls (loops, definitions, comprehensions) is an
// error that says so, because a guess at what it does would be worth nothing.
//
// The grammar is that of Python 3 for expression statements, assignments and
// imports. Two things are wider, since actions are cut out of larger texts: the
// indentation of a statement is not looked at, and numbers may have leading zeros.
package pycall
