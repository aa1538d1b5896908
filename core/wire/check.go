package wire

import "github.com/boundcheck/boundcheck/core/proposal"

// check returns the gate's stateless decision; see package proposal.
func check(body []byte) (any, error) {
	p, err := proposal.Read(string(body))
	if err != nil {
		return nil, err
	}
	return proposal.Check(p), nil
}
