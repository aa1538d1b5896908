package mcp

// WaitingRequests returns the number of requests that wait for a person.
func (h *Handler) WaitingRequests() (n int) {
	h.requests.mu.Lock()
	defer h.requests.mu.Unlock()
	for _, k := range h.requests.waiting {
		n += k
	}
	return n
}
