package wire

import "github.com/boundcheck/boundcheck/core/proposal"

// checkCall returns the stateless decision of the gate on one call; see package proposal.
func checkCall(body []byte) (any, error) {
	p, err := proposal.Read(string(body))
	if err != nil {
		return nil, err
	}
	return proposal.Check(p), nil
}
