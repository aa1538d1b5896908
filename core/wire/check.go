package wire

import "github.com/boundcheck/boundcheck/core/proposal"

// checkCall returns the gate's decision on one call, without any stored state (see
// package proposal).
func checkCall(body []byte) (any, error) {
	p, err := proposal.Read(string(body))
	if err != nil {
		return nil, err
	}
	return proposal.Check(p), nil
}
