package wordlist

import "testing"

func TestContains(t *testing.T) {
	const list = "on off aab ab turn_off"
	for word, want := range map[string]bool{"on": true, "off": true, "ab": true, "turn_off": true, "aab": true,
		"": false, " ": false, "o": false, "aa": false, "b": false, "turn": false, "on off": false, "offf": false, "off ": false} {
		if got := Contains(list, word); got != want {
			t.Errorf("%q: %v, want %v", word, got, want)
		}
	}
	if Contains("", "on") || Contains("", "") {
		t.Error("an empty list contains a word")
	}
}
