package show

// edit is one line of a difference.
type edit struct {
	sign byte // ' ', '-' or '+'
	line string
}

// mostCells bounds the table of a difference. For larger texts, all old lines are shown
// as removed and all new ones as added.
const mostCells = 1 << 20

// diffLines returns the lines of two texts as one list of unchanged, removed and added
// lines, with as many unchanged lines as possible. It takes time O(n·m), where n and m
// are the numbers of lines between the common beginning and the common end. If n·m is
// larger than mostCells, it shows all of these lines as removed and added.
func diffLines(was, is []string) (out []edit) {
	head, tail := 0, 0
	for head < len(was) && head < len(is) && was[head] == is[head] {
		head++
	}
	for tail < len(was)-head && tail < len(is)-head && was[len(was)-1-tail] == is[len(is)-1-tail] {
		tail++
	}
	for _, line := range was[:head] {
		out = append(out, edit{' ', line})
	}
	out = diffMiddle(out, was[head:len(was)-tail], is[head:len(is)-tail])
	for _, line := range was[len(was)-tail:] {
		out = append(out, edit{' ', line})
	}
	return out
}

func diffMiddle(out []edit, was, is []string) []edit {
	wide := len(is) + 1
	var longest []int32 // number of common lines from (i, j)
	if len(was)*len(is) <= mostCells {
		longest = make([]int32, (len(was)+1)*wide)
		for i := len(was) - 1; i >= 0; i-- {
			for j := len(is) - 1; j >= 0; j-- {
				if was[i] == is[j] {
					longest[i*wide+j] = longest[(i+1)*wide+j+1] + 1
				} else {
					longest[i*wide+j] = max(longest[(i+1)*wide+j], longest[i*wide+j+1])
				}
			}
		}
	}
	i, j := 0, 0
	for i < len(was) || j < len(is) {
		switch {
		case longest != nil && i < len(was) && j < len(is) && was[i] == is[j]:
			out = append(out, edit{' ', was[i]})
			i, j = i+1, j+1
		case i < len(was) && (j == len(is) || longest == nil || longest[(i+1)*wide+j] >= longest[i*wide+j+1]):
			out = append(out, edit{'-', was[i]})
			i++
		default:
			out = append(out, edit{'+', is[j]})
			j++
		}
	}
	return out
}

// near is the number of unchanged lines that are shown around a change. folded is the
// smallest number of lines that are folded; fewer are not worth a click.
const (
	near   = 3
	folded = 2*near + 6
)

// Changes writes the difference between two texts. Long runs of unchanged lines are
// folded. If the difference is long, only its beginning is shown, followed by the folded
// whole.
func Changes(h *HTML, was, is []string) {
	all := diffLines(was, is)
	gone, come, size := 0, 0, 0
	for _, e := range all {
		size += len(e.line)
		switch e.sign {
		case '-':
			gone++
		case '+':
			come++
		}
	}
	h.Element(`<p class="size">`, linesOf(gone)+" removed, "+linesOf(come)+" added", `</p>`)
	if len(all) > 3*openLines || size > 4*openBytes {
		h.Markup(`<pre class="diff">`)
		codeRows(h, all[:min(len(all), openLines)])
		h.Element(`</pre><details><summary>All `, linesOf(len(all))+", "+Size(size), `</summary><pre class="diff">`)
		codeRows(h, all)
		h.Markup(`</pre></details>`)
		return
	}
	for len(all) > 0 {
		n := countUnchanged(all)
		switch {
		case n > folded:
			h.Markup(`<pre class="diff">`)
			codeRows(h, all[:near])
			h.Element(`</pre><details><summary>`, linesOf(n-2*near)+" that stay", `</summary><pre class="diff">`)
			codeRows(h, all[near:n-near])
			h.Markup(`</pre></details><pre class="diff">`)
			codeRows(h, all[n-near:n])
			h.Markup(`</pre>`)
		default:
			for n < len(all) && (all[n].sign != ' ' || countUnchanged(all[n:]) <= folded) {
				n++
			}
			h.Markup(`<pre class="diff">`)
			codeRows(h, all[:n])
			h.Markup(`</pre>`)
		}
		all = all[n:]
	}
}

// countUnchanged returns the number of unchanged lines at the beginning of a difference.
func countUnchanged(all []edit) (n int) {
	for n < len(all) && all[n].sign == ' ' {
		n++
	}
	return n
}

func codeRows(h *HTML, all []edit) {
	for _, e := range all {
		switch e.sign {
		case '-':
			codeRow(h, "del", "- ", e.line)
		case '+':
			codeRow(h, "add", "+ ", e.line)
		default:
			codeRow(h, "", "  ", e.line)
		}
	}
}
