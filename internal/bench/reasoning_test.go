package bench_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/boundcheck/boundcheck/internal/bench"
	"github.com/boundcheck/boundcheck/internal/bench/scripted"
)

// TestReasoning checks the setting for reasoning models on a server that refuses
// max_tokens and temperature, as OpenAI's server does for such models. With the setting,
// runs must succeed both with and without the gate. Without the setting, the server must
// refuse them.
func TestReasoning(t *testing.T) {
	inner := (&scripted.Server{}).ServeHTTP
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if bytes.Contains(body, []byte(`"max_tokens"`)) || bytes.Contains(body, []byte(`"temperature"`)) || !bytes.Contains(body, []byte(`"max_completion_tokens":9000`)) {
			http.Error(w, "unsupported parameter", 400)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		inner(w, r)
	}))
	defer server.Close()
	for _, saber := range []bench.Saber{{}, {Verify: true, Reflect: true}} {
		x := newExperiment(server.URL+"/v1", "scripted:careful")
		x.Saber, x.Reasoning, x.Answer = saber, true, 9000
		rows := runExperiment(t, x, newOptions(""))
		if report := scoreRows(t, x.Env, rows); *report.Corpus.Metrics.SR.Value != 1 {
			t.Errorf("SABER %v: SR %v", saber, *report.Corpus.Metrics.SR.Value)
		}
		x.Reasoning = false
		if err := bench.Start(t.Context(), x, newOptions(t.TempDir())); err == nil {
			t.Errorf("SABER %v: max_tokens was not sent", saber)
		}
	}
}
