package bench_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

// TestReflexion checks that a task gets exactly one second attempt if the judge is not
// satisfied. The prompt of the second attempt contains the judge's lesson, and only the
// second attempt counts.
func TestReflexion(t *testing.T) {
	var judged, first, second atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		answer := "First words."
		switch q := string(body); {
		case !strings.Contains(q, `"tools"`):
			judged.Add(1)
			answer = "RETRY: look before you leap."
		case strings.Contains(q, "An attempt before this one failed. What to do otherwise: look before you leap."):
			second.Add(1)
			answer = "Second words."
		default:
			first.Add(1)
		}
		io.WriteString(w, `{"choices":[{"message":{"role":"assistant","content":"`+answer+`"}}],"usage":{"prompt_tokens":1,"completion_tokens":1}}`)
	}))
	defer server.Close()
	x := newExperiment(server.URL+"/v1", "model")
	x.Framework, x.Tasks = "reflexion", []int{0}
	rows := string(runExperiment(t, x, newOptions("")))
	if judged.Load() != 1 || first.Load() != 1 || second.Load() != 1 {
		t.Errorf("%d first attempts, %d verdicts, %d second attempts", first.Load(), judged.Load(), second.Load())
	}
	if !strings.Contains(rows, "Second words.") || strings.Contains(rows, "First words.") {
		t.Errorf("the second attempt is not the one that counts: %s", rows)
	}
}
