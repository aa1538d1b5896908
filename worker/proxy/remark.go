package proxy

import (
	"context"
	"strings"
	"time"

	"github.com/boundcheck/boundcheck/core/gate/dialogue"
	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
)

// patience is the time that a question waits for a model's sentence about it.
const patience = 10 * time.Second

// callRemark returns a sentence of the auxiliary model about the calls of a question. It
// returns "" if there is no sentence, for example because the model fails. The sentence
// is shown below the question in the conversation. It does not affect the approval.
func (p *Proxy) callRemark(ctx context.Context, spent *spending, records []machine.Record) string {
	if !p.Explain {
		return ""
	}
	var calls, digests strings.Builder
	for i := range records {
		if records[i].Why.Uninspectable { // nobody should trust a remark on a call that cannot be shown
			return ""
		}
		calls.WriteString(records[i].Tool + " " + records[i].Arguments + "\n")
		digests.WriteString(records[i].Digest)
	}
	key := proposal.Digest("remark", digests.String())
	text, known := p.memory.cachedText(key)
	if known {
		return text
	}
	quick := *p.Auxiliary
	quick.Timeout, quick.Idle = min(quick.Timeout, patience), min(quick.Idle, patience)
	text, err := quick.writeText(ctx, spent, dialogue.Explain, calls.String())
	if err == nil {
		p.memory.setText(key, text)
	}
	return text
}
