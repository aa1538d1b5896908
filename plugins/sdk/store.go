package sdk

import (
	"sync"

	"github.com/boundcheck/boundcheck/plugins/abi"
)

// Store holds what a plugin made of the environment that an instance was given
// last: environments are large, and a new one replaces the one before. The zero
// value is empty. It is safe for several goroutines, which native callers may
// have; a guest has one thread.
type Store[T any] struct {
	mu    sync.Mutex
	id    string
	value T
}

// Put keeps the environment of an id.
func (s *Store[T]) Put(id string, value T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.id, s.value = id, value
}

// Get gives the environment that a request names: the zero value for none, and an
// error for one that this instance was not given.
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
