package requests

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestWished draws talks of which it is known by construction whether they want something done with a thing, in words that no list of
// deeds has, and calls on this thing or another one: the call is traced to the user if he wants something, on this thing, if nothing
// of another form was done for it, and if neither he nor the instructions set limits to it. The gate traces none so.
func TestWished(t *testing.T) {
	random := rand.New(rand.NewPCG(44, 71))
	wishes := [...]string{
		"Put me down for the %s on Friday.", "Provided the teacher is well, see to the %s.", "Grab the %s slot on Friday.", "See to the %s for me.",
		"Let Rosa into the %s.", "The %s on Friday ought to have my name on it.", "The %s you can fix up.",
	}
	other := [...]string{
		"When is the %s on Friday?", "I was at the %s last week.", "Tell me how the %s is.", "Do not touch the %s.", "I put my name down for the %s myself.",
		"There should be a %s on Friday.", "Hand the %s list to me.", "Rosa still runs the %s.", "We had a %s on Friday.",
	}
	things := [...]string{"pottery", "yoga", "archery", "choir"}
	for range drawn.Cases(3000) {
		wants := random.IntN(2) == 0
		words := other[random.IntN(len(other))]
		if wants {
			words = wishes[random.IntN(len(wishes))]
		}
		thing, on := things[random.IntN(4)], things[random.IntN(4)]
		if random.IntN(2) == 0 {
			on = thing
		}
		limited, denied, second := random.IntN(5) == 0, random.IntN(5) == 0, random.IntN(4) == 0
		said, rule := fmt.Sprintf(words, thing), "s You help the members of a club."
		if denied {
			said += " No badges, please."
		}
		if limited {
			rule += [...]string{" Enroll nobody unless he is on the list.", " Guests get only the yoga.", " Never speak of prices."}[random.IntN(3)]
		}
		texts := newChat(rule, "u "+said, `d {"classes":[{"class":"pottery"},{"class":"yoga"},{"class":"archery"},{"class":"choir"}]}`)
		r := NewReader(texts, nil, NoMeans, nil)
		if second {
			r.Trace(&Action{Call: newCall(t, "tag_member", fmt.Sprintf(`{"who":"Rosa","class":%q}`, thing)), Before: len(texts), Sure: true})
		}
		act := &Action{Call: newCall(t, "enroll", fmt.Sprintf(`{"class":%q,"badges":true}`, on)), Before: len(texts), Sure: true}
		got := r.Trace(act)
		if want := wants && on == thing && !limited && !denied && !second; got.By.Traced() != want {
			t.Fatalf("%s (%s %q), want traced %v\n%s\n%s on %s", got.By, got.Why, got.Words, want, rule, said, on)
		}
		gate := NewReader(texts, nil, NoMeans, nil)
		if gate.Strict = true; gate.Trace(act).By.Traced() {
			t.Fatalf("the gate traces %q", said)
		}
	}
}
