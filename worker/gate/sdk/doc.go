// Package sdk holds only tests: the policies of worker/gate/testdata/policies in Rego and in
// Cedar, decided over the same histories by the official engines. It is a module of its own,
// so that the project's go.mod does not contain their dependencies.
package sdk
