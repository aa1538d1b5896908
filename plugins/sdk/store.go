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

// Put stores the data of the environment with this id. They replace the data that were
// stored before.
func (s *Store[T]) Put(id string, value T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.id, s.value = id, value
}

// Get returns the data of the environment that a request names. If id is "", the
// request names none, and Get returns the zero value. Get returns an error if this
// instance does not have the environment.
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
