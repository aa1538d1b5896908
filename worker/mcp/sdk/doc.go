// Package sdk holds only tests: the official Go SDK's client and server on both sides
// of the proxy, and the official conformance suite. It is a module of its own, so that
// the project's go.mod does not contain their dependencies.
package sdk
