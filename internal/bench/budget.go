package bench

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"sync"
)

// errBudget is the error for a request that could cost more than the rest of the budget. It
// ends the experiment.
var errBudget = errors.New("the budget is spent")

// Budget limits the tokens and the money that an experiment may use. Zero means no limit.
type Budget struct {
	Tokens  int     `json:"tokens,omitempty"`
	Money   float64 `json:"money,omitempty"`
	In, Out float64 `json:"-"` // price of a million tokens
}

// meter counts the tokens that were used, and refuses a request that could exceed the
// budget. For each request it reserves one token per byte and the longest possible answer.
type meter struct {
	Budget
	mu       sync.Mutex
	spent    usage
	reserved usage
}

func (b *Budget) usageCost(u usage) float64 { return (float64(u.In)*b.In + float64(u.Out)*b.Out) / 1e6 }

// reserveTokens reserves tokens if the budget allows it, and reports whether it did.
func (m *meter) reserveTokens(u usage) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	all := usage{m.spent.In + m.reserved.In + u.In, m.spent.Out + m.reserved.Out + u.Out}
	if m.Tokens > 0 && all.In+all.Out > m.Tokens || m.Money > 0 && m.usageCost(all) > m.Money {
		return false
	}
	m.reserved.In, m.reserved.Out = m.reserved.In+u.In, m.reserved.Out+u.Out
	return true
}

// settleTokens replaces reserved tokens by the tokens that a request really used.
func (m *meter) settleTokens(reserved, used usage) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.reserved.In, m.reserved.Out = m.reserved.In-reserved.In, m.reserved.Out-reserved.Out
	m.spent.In, m.spent.Out = m.spent.In+used.In, m.spent.Out+used.Out
}

func (m *meter) totalSpent() usage {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.spent
}

// metered is a transport with a meter. A request whose last attempt fails counts as one
// token per four bytes, because the server may have read it.
type metered struct {
	*meter
	answer int // tokens of the longest answer
	next   http.RoundTripper
}

func (m *metered) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	most := usage{len(body), m.answer} // a token has at least one byte
	if !m.reserveTokens(most) {
		return nil, errBudget
	}
	r = r.Clone(r.Context())
	r.Body = io.NopCloser(bytes.NewReader(body))
	a, err := m.next.RoundTrip(r)
	if err != nil {
		m.settleTokens(most, usage{In: len(body) / 4})
		return nil, err
	}
	text, err := io.ReadAll(a.Body)
	a.Body.Close()
	m.settleTokens(most, usedTokens(text))
	if err != nil {
		return nil, err
	}
	return newResponse(a.StatusCode, text), nil
}

// usedTokens returns the tokens that an answer of the model's server reports as used.
func usedTokens(answer []byte) usage {
	var r response
	if json.Unmarshal(answer, &r) != nil {
		return usage{}
	}
	return r.Usage
}
