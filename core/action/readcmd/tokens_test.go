package readcmd

import (
	"slices"
	"testing"
)

// TestTokens checks which command lines have the same tokens.
func TestTokens(t *testing.T) {
	for _, c := range []struct {
		a, b       string
		same, read bool
	}{
		{"cp  a.txt   /b/", "cp 'a.txt' /b/ ", true, true},
		{"cp a b&&ls", "cp a b && ls", true, true},
		{"echo a>b", "echo a > b", true, true},
		{"echo 2>b", "echo 2 >b", false, true},
		{"cp a b", "cp a b && rm c", false, true},
		{"echo $HOME", "echo '$HOME'", false, true},
		{"ls *.go", "ls '*.go'", false, true},
		{"A=1 env", "'A=1' env", false, true},
		{"if", "'if'", false, true},
		{"echo 'a b'", "echo a b", false, true},
		{"echo a; ls", "echo a\nls", false, true},
		{"cat <<X\na  b\nX", "cat <<X\na b\nX", false, false},
		{"echo $(rm a)", "echo  $(rm a)", false, false},
	} {
		a, ok := Tokens(c.a)
		b, ok2 := Tokens(c.b)
		if ok != ok2 || ok != c.read || ok && slices.Equal(a, b) != c.same {
			t.Errorf("%q: %q %v, %q: %q %v", c.a, a, ok, c.b, b, ok2)
		}
	}
}
