package bench

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"sync"
)

// errBudget ends an experiment: the next request could cost more than is left.
var errBudget = errors.New("the budget is spent")

// Budget bounds what an experiment may use. Zero is no bound.
type Budget struct {
	Tokens  int     `json:"tokens,omitempty"`
	Money   float64 `json:"money,omitempty"`
	In, Out float64 `json:"-"` // price of a million tokens
}

// meter counts what is spent, and lets no request through that could exceed the
// budget: each reserves its bytes as tokens, and the longest answer.
type meter struct {
	Budget
	mu       sync.Mutex
	spent    usage
	reserved usage
}

func (b *Budget) cost(u usage) float64 { return (float64(u.In)*b.In + float64(u.Out)*b.Out) / 1e6 }

// reserve sets tokens aside, and says whether the budget allows it.
func (m *meter) reserve(u usage) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	all := usage{m.spent.In + m.reserved.In + u.In, m.spent.Out + m.reserved.Out + u.Out}
	if m.Tokens > 0 && all.In+all.Out > m.Tokens || m.Money > 0 && m.cost(all) > m.Money {
		return false
	}
	m.reserved.In, m.reserved.Out = m.reserved.In+u.In, m.reserved.Out+u.Out
	return true
}

// settle puts what was used in the place of what was reserved.
func (m *meter) settle(reserved, used usage) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.reserved.In, m.reserved.Out = m.reserved.In-reserved.In, m.reserved.Out-reserved.Out
	m.spent.In, m.spent.Out = m.spent.In+used.In, m.spent.Out+used.Out
}

func (m *meter) total() usage {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.spent
}

// metered is a transport under a meter. A request that fails after its tries counts as
// its bytes: the server may have read them.
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
	most := usage{len(body), m.answer} // a token has at least a byte
	if !m.reserve(most) {
		return nil, errBudget
	}
	r = r.Clone(r.Context())
	r.Body = io.NopCloser(bytes.NewReader(body))
	a, err := m.next.RoundTrip(r)
	if err != nil {
		m.settle(most, usage{In: len(body) / 4})
		return nil, err
	}
	text, err := io.ReadAll(a.Body)
	a.Body.Close()
	m.settle(most, used(text))
	if err != nil {
		return nil, err
	}
	return whole(a.StatusCode, text), nil
}

// used reads the usage of an answer.
func used(answer []byte) usage {
	var r response
	if json.Unmarshal(answer, &r) != nil {
		return usage{}
	}
	return r.Usage
}
