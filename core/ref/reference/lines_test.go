package reference

import "testing"

// TestCommentsAfterCalls checks that a comment may follow a call or a mark, and that a #
// inside a text is not a comment.
func TestCommentsAfterCalls(t *testing.T) {
	check := func(line, want string) {
		t.Helper()
		r, err := Read(line)
		if err != nil || len(r.Steps) != 1 || r.Steps[0].Name+r.Steps[0].Arguments.Raw()+r.Steps[0].Text != want {
			t.Errorf("%q: got %+v, %v, want %s", line, r, err, want)
		}
	}
	check(`a(id=7) # once`, `a{"id":7}`)
	check(`a(text="x) # y") # once`, `a{"text":"x) # y"}`)
	check(`a(text="x # y")`, `a{"text":"x # y"}`)
	check(`- required: a() # the policy says so`, `a`)
	check("optional: # perhaps\n  a(id=7)\nb()", `b`)
	check(`fix issue #7`, `fixfix issue #7`)
}
