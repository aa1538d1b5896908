package env

// Dialect says which of the two benchmarks' semantics apply. They differ in the wording
// of errors, in types (τ² casts what it stores), and in what booking and changing a
// flight write.
type Dialect uint8

// The dialects.
const (
	Tau  Dialect = iota // τ-bench
	Tau2                // τ²-bench
)

// unknown returns the answer to a call of a tool that the environment does not have.
func (d Dialect) unknown(name string) string {
	if d == Tau2 {
		return "Error: Tool '" + name + "' not found."
	}
	return "Unknown action " + name
}

// function returns the name of a tool's function in a TypeError.
func (d Dialect) function(domain Domain, name string) string {
	if d == Tau2 {
		return camel(string(domain)) + "Tools." + name
	}
	return camel(name) + ".invoke"
}
