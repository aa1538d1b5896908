package proxy

// KeyOf returns the name of a request's conversation up to its message number i.
func KeyOf(body string, i int) (string, error) {
	q, err := readQuery(body)
	if err != nil {
		return "", err
	}
	return q.messages[i].key, nil
}
