package gate

// KeptForTest makes an answer as it is kept under an idempotency key.
func KeptForTest(digest string, status int, answer string) kept {
	return kept{Digest: digest, Status: status, Answer: answer}
}
