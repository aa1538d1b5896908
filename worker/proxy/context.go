package proxy

import (
	"context"
	"fmt"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/gate/dialogue"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
)

// Filter configures block-based context filtering. If a conversation is over the
// budget, its earlier blocks are replaced by the summaries of those that are most
// relevant now. The operator's messages and the last block are not changed.
type Filter struct {
	Blocks int // largest number of summaries, up to dialogue.MaxBlocks; 0 is off
	Budget int // bytes of messages; 0 means 64 KiB
}

func (f *Filter) checkSettings() error {
	if f.Blocks < 0 || f.Blocks > dialogue.MaxBlocks || f.Budget < 0 {
		return fmt.Errorf("invalid filter: the number of blocks must be from 0 (off) to %d, and the budget must not be negative", dialogue.MaxBlocks)
	}
	if f.Budget == 0 {
		f.Budget = 64 << 10
	}
	return nil
}

// filterMessages returns the messages that are sent to the model. It sets changed to true
// if it has replaced any message.
func (p *Proxy) filterMessages(ctx context.Context, q *query, messages []string, changed *bool) ([]string, error) {
	if p.Filter.Blocks == 0 || len(strings.Join(messages, ",")) <= p.Filter.Budget {
		return messages, nil
	}
	var steering, turns []string
	var read []dialogue.Said
	size := 0
	for _, raw := range messages {
		v, err := jsonval.Parse(raw)
		if err != nil {
			return nil, err
		}
		if m := readMessage(v); m.isOperators() {
			steering = append(steering, raw)
			size += len(raw)
		} else {
			turns, read = append(turns, raw), append(read, summaryParts(&m))
		}
	}
	starts := dialogue.Blocks(read)
	if len(starts) < 2 {
		return messages, nil
	}
	last := starts[len(starts)-1]
	for _, raw := range turns[last:] {
		size += len(raw)
	}
	summaries := make([]string, len(starts)-1)
	for i := range summaries {
		summaries[i] = dialogue.Summary(read[starts[i]:starts[i+1]])
	}
	query := read[last].Text
	if n := len(read); n-1 > last {
		query += "\n" + dialogue.Summary(read[max(last+1, n-4):])
	}
	chosen := dialogue.Relevant(query, summaries, p.Filter.Blocks, p.compareByVectors(ctx, append([]string{query}, summaries...)))
	for _, i := range chosen {
		summaries[i] = p.blockSummary(ctx, q.spent, turns[starts[i]:starts[i+1]], summaries[i])
	}
	*changed = true
	out := append(steering, textMessage("system", dialogue.Digested(summaries, chosen, p.Filter.Budget-size)))
	return append(out, turns[last:]...), nil
}

// summaryParts returns the parts of a message that summaries need.
func summaryParts(m *message) dialogue.Said {
	s := dialogue.Said{Role: m.role, Text: m.text}
	for i := range m.calls {
		s.Calls = append(s.Calls, dialogue.Called{Name: m.calls[i].Name, Arguments: m.calls[i].Text})
	}
	return s
}

// blockSummary returns the auxiliary model's summary of a block. If the model is missing
// or fails, the result is the given extract. The summary of a block is requested once and
// then cached.
func (p *Proxy) blockSummary(ctx context.Context, spent *spending, raws []string, extract string) string {
	if p.Auxiliary == nil {
		return extract
	}
	key := proposal.Digest("summary", strings.Join(raws, "\n"))
	if s, ok := p.memory.cachedText(key); ok {
		return s
	}
	written, err := p.Auxiliary.writeText(ctx, spent, dialogue.Shorten, strings.Join(raws, "\n"))
	if err != nil {
		return extract // the next request tries again
	}
	p.memory.setText(key, written+"\n")
	return written + "\n"
}

// compareByVectors returns a comparison of texts by vectors from the embeddings server.
// If the server is missing or fails, the texts are compared by their words.
func (p *Proxy) compareByVectors(ctx context.Context, texts []string) similarity.Texts {
	if p.Embeddings == nil {
		return similarity.Texts{}
	}
	t, err := similarity.Embed(embedder{p, ctx}, texts)
	if err != nil {
		return similarity.Texts{}
	}
	return t
}
