package gate

import "github.com/boundcheck/boundcheck/worker/gate/store"

// KeptForTest returns an answer in the form in which it is stored under an idempotency
// key.
func KeptForTest(digest string, status int, answer string) store.Kept {
	return store.Kept{Digest: digest, Status: status, Answer: answer}
}

// PatternsForTest lists the patterns of all paths that the gate serves.
func PatternsForTest() (all []string) {
	for _, r := range apiRoutes() {
		all = append(all, r.path)
	}
	for _, s := range pageSheets() {
		all = append(all, s.pattern)
	}
	return all
}
