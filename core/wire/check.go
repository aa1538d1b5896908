package wire

import "github.com/boundcheck/boundcheck/core/gate/proposal"

// checkCall returns the gate's decision on one call, without any stored state (see
// package proposal).
func checkCall(body []byte) (any, error) {
	p, err := proposal.Read(string(body))
	if err != nil {
		return nil, err
	}
	p.Guidance = p.Policy // the caller of this method is the operator
	return proposal.Check(p), nil
}
