// Package sdk holds only tests: OpenAI's official Go client and its accumulator, and
// Anthropic's official TypeScript client, with a model's server, with and without the
// proxy in between. It is a module of its own, because the Go client takes minutes to
// compile and must not be linked by the project; run it with
// "go test -C worker/proxy/sdk".
package sdk
