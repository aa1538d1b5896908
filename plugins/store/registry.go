package store

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
)

// repository is a place in a registry that speaks the distribution protocol of OCI.
type repository struct {
	client        *http.Client
	base          *url.URL // of the registry's API for this repository: …/v2/NAME/
	host          string   // as the user wrote it, for which docker keeps logins
	tag           string   // a tag or a digest
	authorization string   // the header that the registry accepted; "" before it asks
}

// patterns are compiled when they are needed, because each command would pay for them.
var patterns = sync.OnceValue(func() [3]*regexp.Regexp {
	return [3]*regexp.Regexp{
		regexp.MustCompile(`^[a-z0-9]+((\.|_|__|-+)[a-z0-9]+)*(/[a-z0-9]+((\.|_|__|-+)[a-z0-9]+)*)*$`),
		regexp.MustCompile(`^[a-zA-Z0-9_][a-zA-Z0-9._-]{0,127}$`),
		regexp.MustCompile(`^sha256:[0-9a-f]{64}$`),
	}
})

func isDigest(s string) bool { return patterns()[2].MatchString(s) }

// openRepository opens a repository of the form REGISTRY/NAME[:TAG|@DIGEST]; without a tag, the tag
// is latest. It uses plain HTTP if the registry is on this machine.
func (f *Fetcher) openRepository(reference string) (*repository, error) {
	host, name, _ := strings.Cut(reference, "/")
	name, digest, byDigest := strings.Cut(name, "@")
	name, tag, tagged := strings.Cut(name, ":")
	at, err := url.Parse("https://" + host)
	valid := err == nil && host != "" && at.Host == host && patterns()[0].MatchString(name) && (!tagged || patterns()[1].MatchString(tag)) && (!byDigest || isDigest(digest))
	if !valid {
		return nil, fmt.Errorf("oci://%s: not an address of a registry; want REGISTRY/NAME with :TAG or @sha256:DIGEST", reference)
	}
	switch {
	case byDigest:
		tag = digest
	case !tagged:
		tag = "latest"
	}
	if ip := net.ParseIP(at.Hostname()); at.Hostname() == "localhost" || ip != nil && ip.IsLoopback() {
		at.Scheme = "http"
	}
	if host == "docker.io" {
		at.Host = "registry-1.docker.io"
	}
	client := http.Client{}
	if f.Client != nil {
		client = *f.Client
	}
	client.CheckRedirect = func(to *http.Request, via []*http.Request) error {
		if to.URL.Scheme != "https" && via[0].URL.Scheme == "https" || len(via) > 5 {
			return fmt.Errorf("the redirect to %s is not allowed", to.URL.Redacted())
		}
		return nil
	}
	return &repository{client: &client, base: at.JoinPath("v2", name+"/"), host: host, tag: tag}, nil
}

// sendRequest sends a request and returns the answer, whose status must be one of want; the caller closes
// the body. address is relative to the base. If the registry asks for a login, sendRequest logs in and
// sends the request again. No other host gets the login.
func (r *repository) sendRequest(ctx context.Context, method, address string, header http.Header, body []byte, want ...int) (*http.Response, error) {
	at, err := r.base.Parse(address)
	if err != nil {
		return nil, err
	}
	for attempt := 0; ; attempt++ {
		request, err := http.NewRequestWithContext(ctx, method, at.String(), bytes.NewReader(body))
		if err != nil {
			return nil, err
		}
		for name := range header {
			request.Header.Set(name, header.Get(name))
		}
		home := at.Host == r.base.Host && at.Scheme == r.base.Scheme
		if home && r.authorization != "" {
			request.Header.Set("Authorization", r.authorization)
		}
		answer, err := r.client.Do(request)
		if err != nil {
			return nil, err
		}
		for _, status := range want {
			if answer.StatusCode == status {
				return answer, nil
			}
		}
		refused := readRefusal(answer)
		if answer.StatusCode != http.StatusUnauthorized || attempt > 0 || !home {
			return nil, refused
		}
		if err := r.logIn(ctx, answer.Header.Get("WWW-Authenticate")); err != nil {
			return nil, fmt.Errorf("%w: %w", refused, err)
		}
	}
}

// readRefusal returns what a registry says in an answer with an error, and closes the answer.
func readRefusal(answer *http.Response) error {
	defer answer.Body.Close()
	var said struct {
		Errors []struct{ Code, Message string }
	}
	text, _ := readBounded(answer.Body, maxSignature)
	out := answer.Status
	if json.Unmarshal(text, &said) == nil && len(said.Errors) > 0 {
		out += ": " + said.Errors[0].Code + " " + said.Errors[0].Message
	}
	return fmt.Errorf("%s %s: %s", answer.Request.Method, answer.Request.URL.Redacted(), out)
}

// readBody returns the body of an address, of at most limit bytes, and its header.
func (r *repository) readBody(ctx context.Context, address string, header http.Header, limit int64) ([]byte, http.Header, error) {
	answer, err := r.sendRequest(ctx, http.MethodGet, address, header, nil, http.StatusOK)
	if err != nil {
		return nil, nil, err
	}
	defer answer.Body.Close()
	text, err := readBounded(answer.Body, limit)
	return text, answer.Header, err
}

// fetchBlob returns the content of a layer.
func (r *repository) fetchBlob(ctx context.Context, d descriptor) ([]byte, error) {
	if !isDigest(d.Digest) {
		return nil, fmt.Errorf("the digest %q of a layer is no SHA-256", d.Digest)
	}
	text, _, err := r.readBody(ctx, "blobs/"+d.Digest, nil, d.Size)
	if err == nil && (int64(len(text)) != d.Size || digestOf(text) != d.Digest) {
		err = errors.New("the registry returned other bytes than the digest of a layer demands")
	}
	return text, err
}

// pushBlob uploads content unless the registry has it.
func (r *repository) pushBlob(ctx context.Context, content []byte) error {
	digest := digestOf(content)
	if there, err := r.sendRequest(ctx, http.MethodHead, "blobs/"+digest, nil, nil, http.StatusOK, http.StatusNotFound); err != nil {
		return err
	} else if there.Body.Close(); there.StatusCode == http.StatusOK {
		return nil
	}
	begun, err := r.sendRequest(ctx, http.MethodPost, "blobs/uploads/", nil, nil, http.StatusAccepted)
	if err != nil {
		return err
	}
	begun.Body.Close()
	to, err := begun.Location()
	if err != nil {
		return err
	}
	query := to.Query()
	query.Set("digest", digest)
	to.RawQuery = query.Encode()
	done, err := r.sendRequest(ctx, http.MethodPut, to.String(), http.Header{"Content-Type": {"application/octet-stream"}}, content, http.StatusCreated)
	if err == nil {
		done.Body.Close()
	}
	return err
}

// logIn answers a challenge: with the login itself, or with a token for it. The host of the token
// must be reached over https, unless the registry is on this machine.
func (r *repository) logIn(ctx context.Context, challenge string) error {
	scheme, rest, _ := strings.Cut(challenge, " ")
	own, err := dockerLogin(ctx, r.host)
	if err != nil {
		return err
	}
	if strings.EqualFold(scheme, "Basic") && own.Username != "" {
		r.authorization = own.basicHeader()
		return nil
	}
	if !strings.EqualFold(scheme, "Bearer") {
		return errors.New("log in with docker login " + r.host)
	}
	params := readParams(rest)
	at, err := url.Parse(params["realm"])
	if err != nil || at.Host == "" || at.Scheme != "https" && r.base.Scheme == "https" {
		return fmt.Errorf("invalid address of tokens %q", params["realm"])
	}
	query := at.Query()
	for _, name := range []string{"service", "scope"} {
		if params[name] != "" {
			query.Set(name, params[name])
		}
	}
	method, body := http.MethodGet, io.Reader(nil)
	if own.IdentityToken != "" {
		query.Set("grant_type", "refresh_token")
		query.Set("refresh_token", own.IdentityToken)
		query.Set("client_id", "boundcheck")
		method, body = http.MethodPost, strings.NewReader(query.Encode())
	} else {
		at.RawQuery = query.Encode()
	}
	request, err := http.NewRequestWithContext(ctx, method, at.String(), body)
	if err != nil {
		return err
	}
	if body != nil {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	} else if own.Username != "" {
		request.Header.Set("Authorization", own.basicHeader())
	}
	answer, err := r.client.Do(request)
	if err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK {
		return readRefusal(answer)
	}
	defer answer.Body.Close()
	text, err := readBounded(answer.Body, maxManifest)
	var given struct {
		Token       string
		AccessToken string `json:"access_token"`
	}
	if err == nil {
		err = json.Unmarshal(text, &given)
	}
	if given.Token == "" {
		given.Token = given.AccessToken
	}
	if err == nil && given.Token == "" {
		err = errors.New("the registry gave no token")
	}
	r.authorization = "Bearer " + given.Token
	return err
}

// readParams reads the parameters of a challenge: NAME="VALUE", separated by commas.
func readParams(text string) map[string]string {
	out := map[string]string{}
	for text != "" {
		name, rest, _ := strings.Cut(text, "=")
		var value string
		if quoted, ok := strings.CutPrefix(rest, `"`); ok {
			value, rest, _ = strings.Cut(quoted, `"`)
			_, text, _ = strings.Cut(rest, ",")
		} else {
			value, text, _ = strings.Cut(rest, ",")
		}
		out[strings.ToLower(strings.TrimSpace(name))] = strings.TrimSpace(value)
	}
	return out
}
