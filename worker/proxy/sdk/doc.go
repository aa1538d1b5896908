// Package sdk holds tests only: the official Go client and its accumulator before
// a model's server, with the proxy in between and without. It is a module of its
// own, because that client takes minutes to compile and must never be linked by
// anything of ours; run it with "go test -C worker/proxy/sdk".
package sdk
