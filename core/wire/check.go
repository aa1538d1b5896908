package wire

import "github.com/boundcheck/boundcheck/core/saber"

// check answers the gate's stateless decision; see package saber.
func check(body []byte) (any, error) {
	p, err := saber.ReadProposal(string(body))
	if err != nil {
		return nil, err
	}
	return saber.Check(p), nil
}
