package effect

import (
	"encoding/json"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/plugins/internal/shell"
)

// request is an HTTP request that a command makes.
type request struct {
	method, url string
	body        []string
	output      string // a file for the answer; "" for none, "-" for the output
	named       bool   // the file is named after the last part of the URL
	unsure      bool   // something about it is not known
}

// curlQuiet holds options without a value that do not change the request's effect on the
// server. curlValued holds such options with a value, for example the user agent.
var (
	curlQuiet  = wordSet("-s --silent -S --show-error -v --verbose -i --include -k --insecure -L --location -f --fail --compressed -g --globoff -# --progress-bar -4 -6 -N --no-buffer -sS -sL -sk -si -fsSL -sSL -sSf -sf -kL -ks -sv -Ls -is -Lk -sI -IL -Lo -sSk")
	curlValued = wordSet("-u --user -A --user-agent -e --referer -m --max-time --connect-timeout -b --cookie -w --write-out --retry --retry-delay -x --proxy --cacert -E --cert")
)

func curlEffects(s *Session, args []shell.Word, c *shell.Command) (produced, []Effect, bool) {
	var r request
	for i := 0; i < len(args); i++ {
		a, value := args[i].Text, shell.Word{}
		if i+1 < len(args) {
			value = args[i+1]
		}
		if !args[i].Known {
			r.setURL(args[i])
			continue
		}
		switch {
		case a == "-I" || a == "--head" || a == "-sI" || a == "-IL":
			r.method = "HEAD"
		case a == "-G" || a == "--get":
			r.method = "GET"
		case curlQuiet[a]:
		case curlValued[a] || a == "-H" || a == "--header":
			i++
		case a == "-X" || a == "--request":
			r.setMethod(value)
			i++
		case len(a) > 2 && strings.HasPrefix(a, "-X"):
			r.method = strings.ToUpper(a[2:])
		case slices.Contains([]string{"-d", "--data", "--data-raw", "--data-binary", "--data-urlencode", "-F", "--form", "--json", "-T", "--upload-file"}, a):
			r.addData(a, value)
			i++
		case a == "-o" || a == "--output":
			r.output, r.unsure = value.Text, r.unsure || !value.Known
			i++
		case a == "-O" || a == "--remote-name":
			r.named = true
		case strings.HasPrefix(a, "-"):
			return produced{}, nil, false
		default:
			r.setURL(args[i])
		}
	}
	return s.requestEffects(&r, c)
}

func (r *request) setMethod(w shell.Word) {
	r.method, r.unsure = strings.ToUpper(w.Text), r.unsure || !w.Known
}

func (r *request) setURL(w shell.Word) {
	if r.url != "" { // several URLs: only one is supported
		r.unsure = true
	}
	r.url, r.unsure = w.Text, r.unsure || !w.Known
}

func (r *request) addData(option string, w shell.Word) {
	text := w.Text
	if strings.HasPrefix(option, "-F") || strings.HasPrefix(option, "--form") || strings.HasPrefix(option, "-T") || strings.HasPrefix(option, "--up") {
		text = option + " " + text
	}
	if r.method == "" {
		r.method = "POST"
		if option == "-T" || option == "--upload-file" {
			r.method = "PUT"
		}
	}
	r.unsure = r.unsure || !w.Known || strings.HasPrefix(w.Text, "@") || strings.Contains(w.Text, "=@")
	r.body = append(r.body, text)
}

func wgetEffects(s *Session, args []shell.Word, c *shell.Command) (produced, []Effect, bool) {
	r := request{named: true}
	for i := 0; i < len(args); i++ {
		a := args[i].Text
		switch {
		case !args[i].Known:
			r.setURL(args[i])
		case (a == "-O" || a == "--output-document") && i+1 < len(args):
			i++
			r.output, r.named, r.unsure = args[i].Text, false, r.unsure || !args[i].Known
		case strings.HasPrefix(a, "--post-") || strings.HasPrefix(a, "--method") || strings.HasPrefix(a, "--body") || a == "-r" || a == "-m" || a == "-i" || a == "-P":
			return produced{}, nil, false
		case a == "--spider":
			r.named = false
		case strings.HasPrefix(a, "-"):
		default:
			r.setURL(args[i])
		}
	}
	return s.requestEffects(&r, c)
}

// requestEffects returns the effects of a request. Methods that only read, for example
// GET, have no effect on the server. If the answer is written to a file, this file
// changes. The bool is false if an effect is not known exactly.
func (s *Session) requestEffects(r *request, _ *shell.Command) (produced, []Effect, bool) {
	var effects []Effect
	switch r.method {
	case "", "GET", "HEAD", "OPTIONS", "PROPFIND":
	default:
		if r.unsure {
			return produced{}, nil, false
		}
		effects = append(effects, Event(Requests, r.method+" "+URL(r.url), Body(r.body)))
	}
	if r.named && r.output == "" {
		u, err := url.Parse(r.url)
		if err != nil || u.Path == "" || r.unsure {
			return produced{}, nil, false
		}
		r.output = path.Base(u.Path)
	}
	if r.output == "" || r.output == "-" || strings.HasPrefix(r.output, "/dev/") {
		return produced{}, effects, true
	}
	name, ok := s.Path(r.output)
	if !ok || r.unsure {
		return produced{}, nil, false
	}
	return produced{}, append(effects, OnFile(name, Op{Verb: Label, New: "fetched from " + URL(r.url)})), true
}

// URL returns an address in normal form:
//
//   - The scheme and the host are in lower case.
//   - The parameters are sorted.
//   - A default port, a user name, a fragment and a slash at the end are removed.
//   - An address without a scheme gets the scheme http.
func URL(s string) string {
	if !strings.Contains(s, "://") {
		s = "http://" + s
	}
	u, err := url.Parse(s)
	if err != nil {
		return s
	}
	u.Scheme, u.Host, u.Fragment, u.User = strings.ToLower(u.Scheme), strings.ToLower(u.Host), "", nil
	if p := u.Port(); p == "80" && u.Scheme == "http" || p == "443" && u.Scheme == "https" {
		u.Host = strings.TrimSuffix(u.Host, ":"+p)
	}
	if u.RawQuery != "" {
		if q, err := url.ParseQuery(u.RawQuery); err == nil {
			u.RawQuery = q.Encode()
		}
	}
	u.Path = strings.TrimRight(u.Path, "/")
	u.RawPath = ""
	return u.String()
}

// Body joins the parts of a request's body and returns them in normal form. The members
// of a JSON body are sorted by name, and its numbers are unchanged. The fields of a form
// are sorted.
func Body(parts []string) string {
	if len(parts) == 1 {
		d := json.NewDecoder(strings.NewReader(parts[0]))
		d.UseNumber()
		var v any
		if d.Decode(&v) == nil && !d.More() {
			if b, err := json.Marshal(v); err == nil {
				return string(b)
			}
		}
	}
	sorted := slices.Sorted(slices.Values(parts))
	if !slices.ContainsFunc(parts, func(p string) bool { return strings.HasPrefix(p, "-") }) {
		sorted = strings.Split(strings.Join(parts, "&"), "&")
		slices.Sort(sorted)
	}
	return strings.Join(sorted, "&")
}
