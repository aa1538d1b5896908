package env

// Dialect says which of the two benchmarks' semantics apply. The benchmarks differ in the
// wording of errors and in the types of stored values, because τ² casts them. They also
// store different values when a flight is booked or changed.
type Dialect uint8

// The dialects.
const (
	Tau  Dialect = iota // τ-bench
	Tau2                // τ²-bench
)

// unknownTool returns the answer to a call of a tool that the environment does not have.
func (d Dialect) unknownTool(name string) string {
	if d == Tau2 {
		return "Error: Tool '" + name + "' not found."
	}
	return "Unknown action " + name
}

// functionName returns the name that Python writes for a tool's function in the message
// of a TypeError.
func (d Dialect) functionName(domain Domain, name string) string {
	if d == Tau2 {
		return camelCase(string(domain)) + "Tools." + name
	}
	return camelCase(name) + ".invoke"
}
