package tally

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math/rand/v2"
	"testing"

	"github.com/boundcheck/boundcheck/core/wire"
)

// TestDamagedTally: bytes that were changed are an error or another tally, never a panic,
// also where the checksum was made to fit.
func TestDamagedTally(t *testing.T) {
	good := largeShard(0, 2, 40, 6, true)
	line := bytes.IndexByte(good, '\n') + 1
	refused := 0
	for try := range uint64(1000) {
		random := rand.New(rand.NewPCG(try, 4))
		text := bytes.Clone(good)
		for range 1 + random.IntN(4) {
			text[random.IntN(len(text))] = byte(random.IntN(256))
		}
		if try%2 == 0 { // the body alone, and a checksum that fits
			copy(text, good[:line])
			var h head
			if err := json.Unmarshal(good[:line], &h); err != nil {
				t.Fatal(err)
			}
			body := text[line : len(text)-1]
			sum := sha256.Sum256(body)
			h.SHA256 = hex.EncodeToString(sum[:])
			text = append(append(wire.Marshal(h), body...), '\n')
		}
		var set Set
		err := set.Read("damaged", bytes.NewReader(text), int64(len(text)))
		if err == nil {
			_, err = set.Finish(0)
		}
		if err != nil {
			refused++
		}
	}
	if refused < 500 {
		t.Errorf("%d of 1000 were refused", refused)
	}
	for n := 0; n < len(good); n += 7 {
		var set Set
		if set.Read("cut", bytes.NewReader(good[:n]), int64(n)) == nil {
			t.Fatalf("%d of %d bytes were taken", n, len(good))
		}
	}
}
