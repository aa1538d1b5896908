package store

import (
	"encoding/base64"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/registry"
)

// The manifest of a module is the same bytes for all versions of the program, so that an
// artifact that is pushed again keeps its digest.
const pushedDigest = "sha256:6ad50fefb9f0f5e31215ce375c5623caf2b7e5968c234f99e3e768fbffff6ac3"

func newRegistry(t *testing.T, wrap func(http.Handler) http.Handler) (*httptest.Server, string) {
	t.Helper()
	server := httptest.NewServer(wrap(registry.New(registry.Logger(log.New(io.Discard, "", 0)))))
	t.Cleanup(server.Close)
	return server, strings.TrimPrefix(server.URL, "http://")
}

// writeLogins writes the file of docker login, and a helper that knows one account.
func writeLogins(t *testing.T, config string) {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("DOCKER_CONFIG", dir)
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	helper := "#!/bin/sh\nread -r host\ncase $host in 127.0.0.1:*) echo '{\"Username\":\"ann\",\"Secret\":\"s3cret\"}';; *) echo 'credentials not found in native keychain'; exit 1;; esac\n"
	for name, text := range map[string]string{"config.json": config, "docker-credential-made": helper} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
}

func TestRegistry(t *testing.T) {
	writeLogins(t, `{}`)
	_, host := newRegistry(t, func(h http.Handler) http.Handler { return h })
	f := Fetcher{}
	wasm, signature := []byte("\x00asm module"), []byte("signature")
	for range 2 { // the second push finds the layers
		digest, err := f.Push(t.Context(), "oci://"+host+"/a/plug:1.0.0", wasm, signature)
		if err != nil || digest != pushedDigest {
			t.Fatalf("%s, %v", digest, err)
		}
	}
	for _, address := range []string{":1.0.0", "@" + pushedDigest} {
		got, sign, err := f.pullArtifact(t.Context(), host+"/a/plug"+address)
		if err != nil || string(got.Wasm) != string(wasm) || string(sign) != string(signature) || got.Digest != pushedDigest {
			t.Errorf("%s: %+v, %s, %v", address, got, sign, err)
		}
	}
	if _, err := f.Push(t.Context(), host+"/a/plug", wasm, nil); err != nil {
		t.Error(err)
	}
	if tags, err := f.Tags(t.Context(), host+"/a/plug"); err != nil || fmt.Sprint(tags) != "[1.0.0 latest]" {
		t.Errorf("%v, %v", tags, err)
	}
	for _, address := range []string{"", "x", host + "/", host + "/A", host + "/a/../b", host + "/a:b c", host + "/a@sha256:00", "u:p@" + host + "/a", host + "?x/a", host + "/a/plug:2"} {
		if _, _, err := f.pullArtifact(t.Context(), address); err == nil {
			t.Errorf("%q was read", address)
		}
	}
}

// A registry that changes the bytes of a layer or of a manifest in any way is noticed.
func TestRegistryLies(t *testing.T) {
	writeLogins(t, `{}`)
	random := rand.New(rand.NewPCG(7, 9))
	lie := "" // a part of the paths whose bytes are changed
	_, host := newRegistry(t, func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if lie == "" || r.Method != http.MethodGet || !strings.Contains(r.URL.Path, lie) {
				h.ServeHTTP(w, r)
				return
			}
			rec := httptest.NewRecorder()
			h.ServeHTTP(rec, r)
			body := rec.Body.Bytes()
			switch at := random.IntN(len(body)); random.IntN(3) {
			case 0:
				body[at] ^= byte(1 + random.IntN(255))
			case 1:
				body = body[:at]
			case 2:
				body = append(body, body[:at+1]...)
			}
			w.Write(body)
		})
	})
	f := Fetcher{}
	digest, err := f.Push(t.Context(), host+"/a/plug:1", []byte("module"), []byte("signature"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range 200 {
		lie = []string{"/blobs/", "/manifests/"}[i%2]
		if got, _, err := f.pullArtifact(t.Context(), host+"/a/plug@"+digest); err == nil {
			t.Fatalf("a lie in %s was used: %q", lie, got.Wasm)
		}
	}
	lie = ""
	if _, _, err := f.pullArtifact(t.Context(), host+"/a/plug@"+digest); err != nil {
		t.Error(err)
	}
}

// TestRegistryAsksForLogin pushes to and pulls from a registry that wants a token, with the logins
// of docker in each of their forms.
func TestRegistryAsksForLogin(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("SKIPPED: the helper is a shell script")
	}
	basic := base64.StdEncoding.EncodeToString([]byte("ann:s3cret"))
	tokens := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, password, _ := r.BasicAuth()
		refresh := r.FormValue("grant_type") == "refresh_token" && r.FormValue("refresh_token") == "re fresh"
		if name+password != "anns3cret" && !refresh || r.FormValue("service") != "s, 1" || !strings.HasPrefix(r.FormValue("scope"), "repository:a/plug:") {
			http.Error(w, "no", http.StatusUnauthorized)
			return
		}
		fmt.Fprint(w, `{"access_token":"tok"}`)
	}))
	defer tokens.Close()
	want := ""
	_, host := newRegistry(t, func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Authorization") == want {
				h.ServeHTTP(w, r)
				return
			}
			if want == "Bearer tok" {
				w.Header().Set("WWW-Authenticate", `Bearer realm="`+tokens.URL+`/token",service="s, 1",scope="repository:a/plug:pull,push"`)
			} else {
				w.Header().Set("WWW-Authenticate", `Basic realm="x"`)
			}
			http.Error(w, `{"errors":[{"code":"UNAUTHORIZED","message":"log in"}]}`, http.StatusUnauthorized)
		})
	})
	for _, c := range []struct {
		config string
		ok     bool
		bearer bool
	}{
		{`{"auths":{"` + host + `":{"auth":"` + basic + `"}}}`, true, true},
		{`{"auths":{"http://` + host + `/v1/":{"auth":"` + basic + `"}}}`, true, false},
		{`{"auths":{"` + host + `":{"username":"ann","password":"s3cret"}}}`, true, false},
		{`{"auths":{"` + host + `":{"identitytoken":"re fresh"}}}`, true, true},
		{`{"credHelpers":{"` + host + `":"made"}}`, true, true},
		{`{"credsStore":"made","auths":{"` + host + `":{}}}`, true, false},
		{`{"credsStore":"none"}`, false, true},
		{`{"auths":{"elsewhere.example":{"auth":"` + basic + `"}}}`, false, false},
		{`{}`, false, true},
	} {
		writeLogins(t, c.config)
		want = "Basic " + basic
		if c.bearer {
			want = "Bearer tok"
		}
		f := Fetcher{}
		_, err := f.Push(t.Context(), host+"/a/plug:1", []byte("module"), nil)
		if err == nil {
			_, _, err = f.pullArtifact(t.Context(), host+"/a/plug:1")
		}
		if (err == nil) != c.ok {
			t.Errorf("%s, bearer %v: %v", c.config, c.bearer, err)
		}
	}
}

// The login reaches no other server than the registry's, also if the registry sends uploads or reads
// to one.
func TestLoginStaysHome(t *testing.T) {
	got := 0
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got++
		if a := r.Header.Get("Authorization"); a != "" {
			t.Errorf("%s %s has %q", r.Method, r.URL.Path, a)
		}
		w.WriteHeader(http.StatusCreated)
	}))
	defer other.Close()
	away := strings.Replace(other.URL, "127.0.0.1", "localhost", 1)
	_, host := newRegistry(t, func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch {
			case r.Header.Get("Authorization") == "":
				w.Header().Set("WWW-Authenticate", `Basic realm="x"`)
				w.WriteHeader(http.StatusUnauthorized)
			case r.Method == http.MethodPost:
				w.Header().Set("Location", away+"/upload?state=1")
				w.WriteHeader(http.StatusAccepted)
			case strings.HasSuffix(r.URL.Path, "/tags/list"):
				http.Redirect(w, r, away+"/tags", http.StatusTemporaryRedirect)
			default:
				h.ServeHTTP(w, r)
			}
		})
	})
	writeLogins(t, `{"auths":{"`+host+`":{"username":"ann","password":"s3cret"}}}`)
	f := Fetcher{}
	f.Push(t.Context(), host+"/a/plug:1", []byte("module"), nil)
	f.Tags(t.Context(), host+"/a/plug")
	if got != 3 { // the config, the module and the tags
		t.Errorf("%d requests reached the other server", got)
	}
}
