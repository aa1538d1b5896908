// Package sdk holds only tests: the policies of worker/gate/testdata/policies in Rego and in
// Cedar, decided over the same histories by the official engines, and the sign-in at the
// OpenID Provider of a certified library. It is a module of its own,
// so that the project's go.mod does not contain their dependencies.
package sdk
