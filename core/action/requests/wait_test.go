package requests

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestWaitHoldsUntilReleased tries to break the law about what was taken back: what a text asks for and then puts off is not
// traced to the user until he says to go on.
func TestWaitHoldsUntilReleased(t *testing.T) {
	random := rand.New(rand.NewPCG(44, 63))
	asks := []string{"Drop the old one.", "Delete users_old.", "Please drop the old table."}
	waits := []string{"Wait, hold on until I've checked the backup.", "Wait, I have not seen the backup yet.", "Wait.", "Stop, not before I've seen the backup."}
	stays := []string{"Hm, the backup is from last year. I'm asking Rui whether he has a newer one.", "The backup is from last year.", "Rui says the backup is older than that."}
	goes := []string{"Backup is there and restores. Go on.", "It is all there. Go ahead.", "Ok, go on."}
	for range drawn.Cases(300) {
		lines := []string{"u Which tables are there?", `d ["users","users_old"]`, "a users and users_old.", fmt.Sprintf("u %s %s", asks[random.IntN(3)], waits[random.IntN(4)]), "a I'll wait."}
		stay, release := append(lines[:5:5], "u "+stays[random.IntN(3)]), append(lines[:5:5], "u "+goes[random.IntN(3)])
		for k, talk := range [][]string{lines, stay, release} {
			if got := traceLast(t, NoMeans, "drop_table", `{"name":"users_old"}`, talk...); got.By.Traced() != (k == 2) {
				t.Errorf("%s, %s, %q: %q", got.By, got.Why, got.Words, talk)
			}
		}
	}
}
