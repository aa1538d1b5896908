//go:build !(linux || darwin)

// Package pgserver runs a PostgreSQL server for tests.
package pgserver

import "testing"

// Server is a running server.
type Server struct{}

// Shared skips the test.
func Shared(t testing.TB) *Server {
	t.Skip("SKIPPED: tests with PostgreSQL need Linux or macOS")
	return nil
}

// Address returns the address of an empty schema.
func (*Server) Address(testing.TB) string { return "" }

// AddressAt returns the address of a schema at another host.
func (*Server) AddressAt(host, schema string) string { return "" }

// Host returns the host and port.
func (*Server) Host() string { return "" }

// Run runs SQL.
func (*Server) Run(testing.TB, string) string { return "" }

// Stop stops the server.
func (*Server) Stop(testing.TB) {}

// Start starts the server.
func (*Server) Start(testing.TB) {}
