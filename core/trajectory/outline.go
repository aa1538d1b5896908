package trajectory

import "github.com/boundcheck/boundcheck/core/ref/reference"

// Outline says how a text holds its records, before any format is looked at.
type Outline struct {
	Packing string // gzip or zip; "" for none
	// Envelope is how the records are put together: lines (or other values after each
	// other), list, inside (of one object), object, columns (of a table), csv, text or archive.
	Envelope string
	Records  int    // 0 if they are not known before a format is
	Parts    bool   // the records are the messages, events or steps of a run
	Sides    []Side // of the records, in the order of the first record that has the member
}

// Side is a member of records, and what it is read as: run, reference, outcome, id, task,
// trial or profile. Records is the number of records that have it.
type Side struct {
	Member  string `json:"member"`
	As      string `json:"as"`
	Records int    `json:"records"`
}

// Expectation is what should have been done in one record.
type Expectation struct {
	ID        string // "" if the record has none
	Reference *reference.Reference
}
