package violation

import "testing"

// TestRefusesOrPostpones checks which sentences of an answer say no or not yet.
func TestRefusesOrPostpones(t *testing.T) {
	for s, want := range map[string]bool{
		"No":                                 true,
		"good grief, no":                     true,
		"Not yet, the auditors come first":   true,
		"no dont order yet, I ask my wife":   true,
		"Please wait for Ben":                true,
		"but hang on till I have looked":     true,
		"No, not at that price":              true,
		"Never mind":                         true,
		"I'd rather not":                     true,
		"":                                   false,
		"No, the blue one":                   false,
		"I can't wait to begin":              false,
		"The wait was long":                  false,
		"No later than Monday":               false,
		"There is no other way to do it now": false,
		"It has not arrived, or not much":    false,
		"Yet another one":                    false,
	} {
		if got := refusesOrPostpones(s); got != want {
			t.Errorf("%q: %v, want %v", s, got, want)
		}
	}
}

// TestRequestsVerb checks that an answer requests a verb only without a negation.
func TestRequestsVerb(t *testing.T) {
	for s, want := range map[string]bool{"Hold on, that is the lamp. Cancel or_5524.": true, "Please don't cancel it": false, "Do not ever cancel": false, "": false} {
		if got := requestsVerb(s, "cancel"); got != want {
			t.Errorf("%q: %v, want %v", s, got, want)
		}
	}
}
