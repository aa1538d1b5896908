package align

import "fmt"

// Op is the operation of one step of an alignment.
type Op uint8

const (
	// Match pairs two actions whose similarity is above the threshold.
	Match Op = iota
	// Substitution pairs two actions of the same type that do not match.
	Substitution
	// Insertion is an action of the observed side only: an extra one.
	Insertion
	// Deletion is an action of the reference side only: a missing one.
	Deletion
)

var opNames = [...]string{"match", "substitution", "insertion", "deletion"}

// String returns the lower-case name that reports print.
func (o Op) String() string {
	if int(o) < len(opNames) {
		return opNames[o]
	}
	return fmt.Sprintf("op(%d)", uint8(o))
}

// MarshalText returns the same name as String. It returns an error for an unknown Op.
func (o Op) MarshalText() ([]byte, error) {
	if int(o) >= len(opNames) {
		return nil, fmt.Errorf("unknown alignment op %d", uint8(o))
	}
	return []byte(opNames[o]), nil
}
