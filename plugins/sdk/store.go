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

// Put stores the data of the environment with this id. The new data replace the data of
// any environment that was stored before.
func (s *Store[T]) Put(id string, value T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.id, s.value = id, value
}

// Get returns the data of the environment with this id. If id is "", Get returns the zero
// value and no error. Get returns an error if the store does not have this environment.
func (s *Store[T]) Get(id string) (value T, err error) {
	if id == "" {
		return value, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.id != id {
		return value, Errorf(abi.CodeUnknownEnvironment, "unknown environment %q: this plugin instance has not loaded this environment", id)
	}
	return s.value, nil
}
