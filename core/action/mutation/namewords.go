package mutation

import (
	"slices"
	"sync"
)

// nameMemo remembers what a function says of names. A trace has few names, and each of
// them many times. It is for use by several goroutines at once.
type nameMemo[T any] struct {
	mu    sync.RWMutex
	known map[string]T
}

// mostKnownName is the length of the longest name that is remembered, in bytes.
const mostKnownName = 128

// of returns what compute returns for a name, which must always be the same.
func (m *nameMemo[T]) of(name string, compute func(name string) T) T {
	if len(name) > mostKnownName {
		return compute(name)
	}
	m.mu.RLock()
	v, known := m.known[name]
	m.mu.RUnlock()
	if known {
		return v
	}
	v = compute(name)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.known == nil || len(m.known) >= cacheLimit { // names come from traces
		m.known = map[string]T{}
	}
	m.known[name] = v
	return v
}

var (
	wordsOfNames   nameMemo[[]string]
	wordsOfMembers nameMemo[[]string]
	kindsOfMembers nameMemo[kind]
	formsOfWords   nameMemo[string]
)

// NameWords splits a name in snake_case, kebab-case or camelCase into its words, in
// lower case and singular. It drops namespaces. The caller must not change the words.
func NameWords(name string) []string { return wordsOfNames.of(name, splitName) }

func splitName(name string) []string {
	parts := splitSegments(name)
	if len(parts) == 0 {
		return nil
	}
	all := parts[len(parts)-1]
	for i, w := range all {
		all[i] = singularForm(w)
	}
	return slices.Clip(all)
}

// memberWords is like splitWords, for the names of members. The caller must not change the
// words.
func memberWords(key string) []string { return wordsOfMembers.of(key, splitMember) }

func splitMember(key string) []string { return slices.Clip(splitWords(key)) }
