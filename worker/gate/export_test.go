package gate

// KeptForTest makes an answer as it is kept under an idempotency key.
func KeptForTest(body string, status int, answer string) kept {
	return kept{Body: body, Status: status, Answer: answer}
}
