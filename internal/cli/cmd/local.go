//go:build !js

package cmd

import (
	"net/http"

	"github.com/boundcheck/boundcheck/worker/gate/origin"
)

// LocalOnly returns a handler that refuses requests whose Host header does not name this
// machine. A foreign web page could otherwise send requests to the gate (DNS rebinding).
func LocalOnly(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !origin.Loopback(r.Host) {
			http.Error(w, "this address serves only requests for localhost", http.StatusMisdirectedRequest)
			return
		}
		next.ServeHTTP(w, r)
	})
}
