package sdk

import (
	"sync"

	"github.com/boundcheck/boundcheck/plugins/abi"
)

// Store holds the data that a plugin made from the last environment of an instance.
// Environments are large, so a new one replaces the old one. The zero value is empty.
// It is safe for several goroutines, which native callers may have; a guest has one
// thread.
type Store[T any] struct {
	mu    sync.Mutex
	id    string
	value T
}

// Put stores the environment with an id.
func (s *Store[T]) Put(id string, value T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.id, s.value = id, value
}

// Get returns the environment that a request names. It returns the zero value if the
// request names none, and an error if this instance does not have it.
func (s *Store[T]) Get(id string) (value T, err error) {
	if id == "" {
		return value, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.id != id {
		return value, Errorf(abi.CodeUnknownEnvironment, "unknown environment %q: it was not given to this instance", id)
	}
	return s.value, nil
}
