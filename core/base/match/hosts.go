package match

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// Hosts are the only hosts that a call may reach. ReadHosts makes it.
type Hosts struct {
	list []jsonval.Value
	text string
}

// ReadHosts reads a list of hosts, such as ["api.example.com", "*.example.org"]. The error
// is an *Error.
func ReadHosts(v jsonval.Value) (*Hosts, error) {
	t := test{word: "hosts", value: v}
	if err := t.readHosts(); err != nil {
		return nil, err
	}
	names := make([]string, len(t.values))
	for i, h := range t.values {
		names[i] = h.Text()
	}
	return &Hosts{t.values, strings.Join(names, ", ")}, nil
}

// String returns the hosts, with commas.
func (h *Hosts) String() string { return h.text }

// Stray returns the place of a value that may be, or may hold, an address of another host;
// "" if the arguments of a call surely have an address, and all are of these hosts. A text
// is an address of another host if some program reads one in it: with escapes, blanks or
// signs that browsers repair, as a parameter of another address, as the number of a
// computer, or as a bare name. Without any address it is not known what the call reaches.
// O(size of the arguments).
func (h *Hosts) Stray(arguments jsonval.Value) string {
	w := hostWalk{hosts: h}
	if arguments.Exists() {
		w.walk("", "", arguments, 0)
	}
	switch {
	case w.stray != "":
		return w.stray + " may be an address of another host"
	case !w.sure:
		return "no argument is surely an address"
	}
	return ""
}

// hostWalk looks through the arguments of one call.
type hostWalk struct {
	hosts *Hosts
	sure  bool // an address of the hosts was found
	stray string
}

func (w *hostWalk) walk(at, name string, v jsonval.Value, depth int) {
	const deepest = 64
	if depth > deepest {
		w.stray = at
	}
	if w.stray != "" {
		return
	}
	switch v.Kind() {
	case jsonval.Object:
		v.Each(func(key string, m jsonval.Value) bool {
			if place := jsonval.Join(at, key); w.mayStray("", key) {
				w.stray = place
			} else {
				w.walk(place, key, m, depth+1)
			}
			return w.stray == ""
		})
	case jsonval.Array:
		for _, e := range v.Elements() {
			w.walk(at, name, e, depth+1)
		}
	case jsonval.Number:
		if namesHost(name) {
			w.stray = at
		}
	case jsonval.String:
		if inner, ok := insideText(v); ok {
			w.walk(at, name, inner, depth+1)
		} else if w.mayStray(name, v.Text()) {
			w.stray = at
		}
	}
}

// mayStray reports whether a text of a member may be, or may hold, an address of another
// host.
func (w *hostWalk) mayStray(name, text string) bool {
	switch {
	case IsProgram(name):
		return true // a command line can build an address in many ways
	case w.isOurs(text):
		w.sure = true
		return w.restMayStray(text)
	case w.isBare(text):
		w.sure = w.sure || namesHost(name)
		return false
	case namesHost(name) && strings.TrimSpace(text) != "":
		return true
	}
	plain := foldAddress(text)
	return strings.Contains(plain, "//") && !w.holdsOnlyOurs(plain) || isHostLike(plain) || hasWebScheme(plain) || w.namesInside(name, text)
}

// isBare reports whether a text is plainly the name of one of the hosts, perhaps with a port.
func (w *hostWalk) isBare(text string) bool {
	host, port, found := strings.Cut(strings.ToLower(text), ":")
	return isAmong(host, w.hosts.list) && strings.Trim(host, "abcdefghijklmnopqrstuvwxyz0123456789.-") == "" && !strings.Contains(host, "..") &&
		!strings.HasSuffix(host, ".") && found == (port != "") && strings.Trim(port, "0123456789") == ""
}

// restMayStray looks for further addresses behind the host of an address.
func (w *hostWalk) restMayStray(address string) bool {
	_, rest, _ := strings.Cut(address, "://")
	at := strings.IndexAny(rest, "/?#")
	if at < 0 {
		return false
	}
	rest = rest[at:]
	plain := foldAddress(rest)
	if strings.Contains(plain, "//") && !w.holdsOnlyOurs(plain) || strings.ContainsAny(plain, ",;|") && strings.Contains(plain, "//") {
		return true
	}
	_, query, _ := strings.Cut(plain, "?")
	for _, pair := range strings.FieldsFunc(query, func(r rune) bool { return r == '&' || r == ';' || r == '#' || r == '?' }) {
		name, value, _ := strings.Cut(pair, "=")
		if namesHost(name) && strings.TrimSpace(value) != "" && !w.isBare(value) && !w.isOurs(value) || hasWebScheme(value) {
			return true
		}
	}
	return w.hasParameter(plain)
}

// isOurs reports whether a text is plainly an address of the hosts.
func (w *hostWalk) isOurs(text string) bool { return hasHost(text, w.hosts.list) == Yes }

// longestHost is more than a name with its port has, so that no text is searched twice.
const longestHost = 300

// holdsOnlyOurs reports whether each // in a text is that of a plain address of the hosts, or
// of none.
func (w *hostWalk) holdsOnlyOurs(text string) bool {
	for {
		at := strings.Index(text, "//")
		if at < 0 {
			return true
		}
		if begin, after := at, text[at+2:]; (begin == 0 || text[begin-1] != ':') && (after == "" || after[0] == ' ') {
			text = after // a comment or a sign
			continue
		}
		begin := at
		for begin > 0 && (isWord(rune(text[begin-1])) || strings.IndexByte(":+-.", text[begin-1]) >= 0) {
			begin--
		}
		end := at + 2
		for end < len(text) && end-at < longestHost && strings.IndexByte(" \t\r\n\"'<>`/?#&", text[end]) < 0 {
			end++
		}
		if !w.isOurs(strings.TrimRight(text[begin:end], ".,;:!?)")) {
			return false
		}
		text = text[at+2:]
	}
}

// foldAddress returns a text as the most careless program may read an address: without
// escapes, with / for \, and without what does not show. Each round makes the text shorter,
// and after the last one what is left counts as an address.
func foldAddress(text string) string {
	const rounds = 16
	for range rounds {
		before := text
		if !strings.Contains(text, " ") { // browsers leave these out; in prose they are blanks
			text = addressBreaks.Replace(text)
		}
		text = readEscapes(foldText(text))
		text = addressSigns.Replace(text)
		if text = readPercents(text); text == before {
			return text
		}
	}
	return "//" + text
}

var (
	addressBreaks = strings.NewReplacer("\t", "", "\n", "", "\r", "")
	addressSigns  = strings.NewReplacer(`\/`, "/", `\`, "/", "。", ".", "．", ".", "｡", ".", "∕", "/", "⁄", "/")
)

// readPercents returns a text with the bytes that its escapes such as %2F stand for.
func readPercents(text string) string {
	var out strings.Builder
	for {
		before, after, found := strings.Cut(text, "%")
		out.WriteString(before)
		if !found {
			return out.String()
		}
		n, err := strconv.ParseUint(after[:min(2, len(after))], 16, 8)
		if text = after; err != nil || len(after) < 2 {
			out.WriteByte('%')
			continue
		}
		out.WriteByte(byte(n))
		text = after[2:]
	}
}

// webSchemes begin addresses also without //, as in http:example.com. localSchemes do so only
// at the beginning of a text.
var (
	webSchemes   = []string{"http:", "https:", "ws:", "wss:", "ftp:", "ftps:", "sftp:", "gopher:", "ldap:", "ldaps:", "ssh:", "git:"}
	localSchemes = []string{"file:", "data:", "javascript:", "blob:", "mailto:"}
)

// hasWebScheme reports whether a text has such a scheme, apart from those before //.
func hasWebScheme(plain string) bool {
	low := strings.ToLower(strings.TrimSpace(plain))
	if slices.ContainsFunc(localSchemes, func(s string) bool { return strings.HasPrefix(low, s) && len(low) > len(s) && low[len(s)] != ' ' }) {
		return true
	}
	return slices.ContainsFunc(webSchemes, func(s string) bool {
		for rest, before := low, byte(' '); ; {
			at := strings.Index(rest, s)
			if at < 0 {
				return false
			}
			if at > 0 {
				before = rest[at-1]
			}
			rest = rest[at+len(s):]
			if !isWord(rune(before)) && rest != "" && rest[0] != ' ' && !strings.HasPrefix(rest, "//") {
				return true
			}
			before = ':'
		}
	})
}

// isHostLike reports whether a whole text may be the bare name or number of a computer,
// perhaps with a user, a port and a path. An e-mail address and prose are none.
func isHostLike(plain string) bool {
	host := strings.TrimSpace(plain)
	if strings.ContainsFunc(host, unicode.IsSpace) || strings.Contains(host, "@") && !strings.ContainsAny(host, ":/") {
		return false
	}
	if end := strings.IndexAny(host, "/?#"); end >= 0 {
		host = host[:end]
	}
	if at := strings.LastIndexByte(host, '@'); at >= 0 {
		host = host[at+1:]
	}
	if strings.HasPrefix(host, "[") || strings.Count(host, ":") > 1 && isNumber(host) {
		return strings.Contains(host, ":")
	}
	host, _, _ = strings.Cut(host, ":")
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if host == "localhost" || isNumber(host) {
		return true
	}
	labels := strings.Split(host, ".")
	last := labels[len(labels)-1]
	if len(labels) < 2 || strings.ContainsFunc(host, func(r rune) bool {
		return unicode.IsSpace(r) || r <= unicode.MaxASCII && !isWord(r) && r != '.' && r != '-'
	}) || slices.Contains(labels, "") {
		return false
	}
	letters := !strings.ContainsFunc(last, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }) || strings.HasPrefix(last, "xn--")
	return letters && len(last) > 1 && !slices.Contains(fileEndings, last)
}

// isNumber reports whether a text is the address of a computer in numbers: four with points,
// one in hexadecimal digits, or one of IPv6.
func isNumber(host string) bool {
	if strings.Count(host, ":") > 1 {
		return strings.Trim(host, "0123456789abcdefABCDEF:.%") == ""
	}
	return strings.Contains(host, "0x") && strings.Trim(host, "0123456789abcdefx.") == "" || strings.Count(host, ".") == 3 && strings.Trim(host, "0123456789.") == ""
}

// fileEndings are endings of files that are no top-level domain of the Internet, so that
// report.csv is no host.
var fileEndings = []string{"avif", "bin", "bmp", "bz2", "cfg", "conf", "css", "csv", "doc", "docx", "exe", "gif", "go", "gz", "htm", "html", "ico", "ini", "ipynb", "jar", "jpeg", "jpg", "js", "json", "jsonl", "log",
	"mp3", "mp4", "ods", "odt", "parquet", "pdf", "png", "ppt", "pptx", "sql", "svg", "tar", "tgz", "toml", "ts", "tsv", "txt", "wav", "webp", "xls", "xlsx", "xml", "yaml", "yml"}

// hostWords end the names of members that say where a call goes.
var hostWords = []string{"url", "urls", "uri", "uris", "href", "host", "hosts", "hostname", "fqdn", "domain", "domains", "endpoint", "webhook", "callback", "proxy", "website", "netloc", "ip"}

// namesHost reports whether a member's name says that its value is an address or a host.
func namesHost(name string) bool {
	return slices.Contains(hostWords, FoldName(name)) || slices.Contains(hostWords, lastWord(name))
}

// IsProgram reports whether a member's name says that its value is a command line or code.
func IsProgram(name string) bool {
	return slices.Contains([]string{"command", "commands", "cmd", "commandline", "script", "code", "shell", "bash"}, FoldName(name))
}

// lastWord returns the last word of a member's name, in lower case and without digits
// behind it.
func lastWord(name string) string {
	var b strings.Builder
	lower := false
	for _, r := range foldText(name) {
		if lower && unicode.IsUpper(r) {
			b.WriteByte(' ')
		}
		lower = unicode.IsLower(r)
		b.WriteRune(unicode.ToLower(r))
	}
	words := strings.FieldsFunc(b.String(), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if len(words) == 0 {
		return ""
	}
	return strings.TrimRight(words[len(words)-1], "0123456789")
}
