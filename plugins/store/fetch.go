package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"aead.dev/minisign"
)

// MaxModule is the largest module, in bytes, that is fetched. It equals the hosts'
// limit.
const MaxModule = 32 << 20

// Fetcher fetches modules. The zero value is right for the command.
type Fetcher struct {
	Client *http.Client // nil uses a client with time-outs
	Limit  int          // bytes of a module; 0 means MaxModule
}

// ErrHash means that a module does not have the requested hash.
var ErrHash = errors.New("hash-mismatch")

// ErrSignature means that a module's signature was not made with the key.
var ErrSignature = errors.New("signature-mismatch")

// Fetched is a module and where it came from. For a registry, Source has the tag as it
// was given, and Digest is what the tag pointed to.
type Fetched struct {
	Wasm   []byte
	Digest string // of the manifest, for a registry
}

// Fetch fetches a module from source, which is a file, an https:// address or an oci://
// address. If sum is not "", it must be the SHA-256 hash of the module. An https://
// address needs this hash.
//
// If key is not "", it is a minisign public key, and the module must be signed with it.
// The signature of a file or an https:// address has the name of the module with .minisig
// at its end. The signature in an oci:// registry is a layer of the module's artifact.
func (f *Fetcher) Fetch(ctx context.Context, source, sum, key string) (*Fetched, error) {
	var out *Fetched
	var signature []byte
	var err error
	switch scheme, rest, _ := strings.Cut(source, "://"); {
	case scheme == "oci":
		out, signature, err = f.pullArtifact(ctx, rest)
	case scheme == "https" || scheme == "http":
		out, signature, err = f.downloadModule(ctx, source, sum, key != "")
	case strings.Contains(source, "://"):
		err = fmt.Errorf("unknown kind of address %q: want https, oci or a file", scheme)
	default:
		out, signature, err = f.readFile(source, key != "")
	}
	if err != nil {
		return nil, err
	}
	if got := Sum(out.Wasm); sum != "" && got != sum {
		return nil, fmt.Errorf("%s: sha256 is %s, want %s (%w)", source, got, sum, ErrHash)
	}
	if key == "" {
		return out, nil
	}
	return out, verifySignature(source, out.Wasm, signature, key)
}

func verifySignature(source string, wasm, signature []byte, key string) error {
	var public minisign.PublicKey
	if err := public.UnmarshalText([]byte(key)); err != nil {
		return fmt.Errorf("invalid minisign key: %w", err)
	}
	if !minisign.Verify(public, wasm, signature) {
		return fmt.Errorf("%s: its signature is not from key %X (%w)", source, public.ID(), ErrSignature)
	}
	return nil
}

func (f *Fetcher) moduleLimit() int64 {
	if f.Limit > 0 {
		return int64(f.Limit)
	}
	return MaxModule
}

// readBounded reads all of r. It returns an error if r has more than limit bytes.
func readBounded(r io.Reader, limit int64) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err == nil && int64(len(b)) > limit {
		err = fmt.Errorf("the file has more than %d bytes", limit)
	}
	return b, err
}

func (f *Fetcher) readFile(path string, signed bool) (*Fetched, []byte, error) {
	read := func(path string, limit int64) ([]byte, error) {
		file, err := os.Open(path)
		if err != nil {
			var p *fs.PathError
			if errors.As(err, &p) {
				err = p.Err
			}
			return nil, fmt.Errorf("cannot read %s: %w", path, err)
		}
		defer file.Close()
		b, err := readBounded(file, limit)
		if err != nil {
			return nil, fmt.Errorf("cannot read %s: %w", path, err)
		}
		return b, nil
	}
	wasm, err := read(path, f.moduleLimit())
	if err != nil || !signed {
		return &Fetched{Wasm: wasm}, nil, err
	}
	signature, err := read(path+".minisig", 1<<16)
	return &Fetched{Wasm: wasm}, signature, err
}

func (f *Fetcher) downloadModule(ctx context.Context, source, sum string, signed bool) (*Fetched, []byte, error) {
	if sum == "" {
		return nil, nil, errors.New("an address over HTTPS needs the hash of the module: --sha256 HEX")
	}
	wasm, err := f.fetchBytes(ctx, source, f.moduleLimit())
	if err != nil || !signed {
		return &Fetched{Wasm: wasm}, nil, err
	}
	at, err := url.Parse(source)
	if err != nil {
		return nil, nil, err
	}
	at.Path += ".minisig"
	signature, err := f.fetchBytes(ctx, at.String(), 1<<16)
	return &Fetched{Wasm: wasm}, signature, err
}

func (f *Fetcher) fetchBytes(ctx context.Context, source string, limit int64) ([]byte, error) {
	if !strings.HasPrefix(source, "https://") {
		return nil, fmt.Errorf("%s: want https", source)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, source, nil)
	if err != nil {
		return nil, err
	}
	answer, err := f.newClient().Do(request)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s: %s", source, answer.Status)
	}
	b, err := readBounded(answer.Body, limit)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", source, err)
	}
	return b, nil
}

// newClient returns a client that has a time-out and follows only redirects to https.
func (f *Fetcher) newClient() *http.Client {
	c := &http.Client{Timeout: 2 * time.Minute}
	if f.Client != nil {
		c.Transport = f.Client.Transport
	}
	c.CheckRedirect = func(to *http.Request, via []*http.Request) error {
		if to.URL.Scheme != "https" || len(via) > 5 {
			return fmt.Errorf("the redirect to %s is not allowed; want https and at most 5 redirects", to.URL)
		}
		return nil
	}
	return c
}
