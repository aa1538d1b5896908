package tally

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/core/study/lines"
	"github.com/boundcheck/boundcheck/core/wire"
)

// TestDamagedTally changes bytes of a tally. It checks that the result causes an error or
// is read as a different tally, and never causes a panic. In half of the cases, the
// checksum is corrected.
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
		if try%2 == 0 { // change the body alone, and correct the checksum
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
		err := set.Read("cut", bytes.NewReader(good[:n]), int64(n))
		if _, unfinished := set.Finish(0); err == nil && unfinished == nil {
			t.Fatalf("%d of %d bytes were taken", n, len(good))
		}
	}
}

// largeShard returns a written shard of runs whose figures come from random counts. If
// spread is true, the trials of a task are spread over the shards. Otherwise they are
// next to each other.
func largeShard(index, shards, tasks, trials int, spread bool) []byte {
	origin := &Origin{Files: []File{{Path: "runs.jsonl", Name: "runs.jsonl", Bytes: -1}}, Shards: shards, Profile: "auto", Seed: 42}
	t := New(origin, index, true)
	random := rand.New(rand.NewPCG(uint64(index), 18))
	var figures [7]float64
	score := func(i int) report.Score { return report.Score{Value: &figures[i], Scored: true} }
	run := report.Trajectory{Reference: []report.Action{}, Profile: "outcome"}
	m := &run.Metrics
	m.ABS.Agent, m.ABS.Max, m.GAR, m.SVR, m.GranularityRate, m.ScopeAndGranularityRate, m.WithinBounds = score(0), score(1), score(2), score(3), score(4), score(5), score(6)
	n := tasks * trials / shards
	for i := range n {
		at := index*n + i
		task := at / trials
		if spread {
			task = at % tasks
		}
		run.Task, run.ID = strconv.Itoa(task), fmt.Sprintf("%d/%d", task, at)
		for j := range figures {
			d := 1 + random.IntN(20)
			figures[j] = float64(random.IntN(d+1)) / float64(d)
		}
		won := random.IntN(3) == 0
		run.Success = &won
		t.Element(0, false)
		t.Add(0, &run, lines.Own{ID: run.ID, Task: true})
	}
	t.Lines(0, n)
	return t.Encode()
}
