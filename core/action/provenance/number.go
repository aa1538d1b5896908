package provenance

// decimal is the value of a number: digits × 10^-scale, without trailing zeros. Two
// spellings of one number have the same value.
type decimal struct {
	digits uint64
	scale  int8
}

// readNumber reads the number at the beginning of a text, with thousands commas and a
// decimal point. For example, it reads "1,234.50" as 1234.5. end is the index after the
// number. ok is false if there is no digit, or if there are more than 18 digits.
func readNumber(text string) (d decimal, end int, ok bool) {
	i, count := 0, 0
	for i < len(text) && isDigit(text[i]) {
		d.digits = d.digits*10 + uint64(text[i]-'0')
		i, count = i+1, count+1
	}
	if count == 0 {
		return d, 0, false
	}
	for count <= 15 && i+3 < len(text) && text[i] == ',' && count > 0 && isDigit(text[i+1]) && isDigit(text[i+2]) && isDigit(text[i+3]) &&
		(i+4 == len(text) || !isDigit(text[i+4])) {
		for j := 1; j <= 3; j++ {
			d.digits = d.digits*10 + uint64(text[i+j]-'0')
		}
		i, count = i+4, count+3
	}
	if i+1 < len(text) && text[i] == '.' && isDigit(text[i+1]) {
		for i++; i < len(text) && isDigit(text[i]); i++ {
			d.digits, d.scale, count = d.digits*10+uint64(text[i]-'0'), d.scale+1, count+1
			if count > 18 {
				break
			}
		}
	}
	for d.scale > 0 && d.digits%10 == 0 {
		d.digits, d.scale = d.digits/10, d.scale-1
	}
	return d, i, count <= 18
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// toCents returns a number in hundredths. ok is false for a number with more than two
// decimals and for a very large number.
func (d decimal) toCents() (int64, bool) {
	if d.scale > 2 || d.digits > 1e15 {
		return 0, false
	}
	n := int64(d.digits)
	for s := d.scale; s < 2; s++ {
		n *= 10
	}
	return n, true
}
