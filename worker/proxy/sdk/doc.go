// Package sdk holds only tests: the official Go client and its accumulator with a
// model's server, with and without the proxy in between. It is a module of its own,
// because that client takes minutes to compile and must not be linked by the project;
// run it with "go test -C worker/proxy/sdk".
package sdk
