// Package sdk holds tests only: the official Go SDK's client and server on both
// sides of the proxy, and the official conformance suite against it. It is a
// module of its own, so that the project's go.mod has none of what they need.
package sdk
