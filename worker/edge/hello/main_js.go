// Command hello is the smallest Worker in Go on the stock shim, for the bench to
// measure the Worker against: GET / answers, GET /stream sends a line a second.
package main

import (
	"net/http"
	"time"

	"github.com/syumai/workers"
)

func main() {
	workers.Serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/stream" {
			w.Header().Set("Content-Type", "application/json")
			w.Write([]byte("{\"ok\":true}\n"))
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		for range 60 {
			w.Write([]byte("data: x\n\n"))
			time.Sleep(time.Second)
		}
	}))
}
