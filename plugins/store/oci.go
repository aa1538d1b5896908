package store

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strings"

	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	"oras.land/oras-go/v2"
	"oras.land/oras-go/v2/content"
	"oras.land/oras-go/v2/registry/remote"
	"oras.land/oras-go/v2/registry/remote/auth"
	"oras.land/oras-go/v2/registry/remote/credentials"
)

// Media types of a plugin in an OCI registry: one artifact with the module as its first
// layer and, if it is signed, a minisign signature as another.
const (
	ArtifactType  = "application/vnd.boundcheck.plugin.v1"
	ModuleType    = "application/wasm"
	SignatureType = "application/vnd.boundcheck.minisign.v1"
	maxManifest   = 1 << 20
	maxSignature  = 1 << 16
	mostLayers    = 16
)

// openRepository opens a repository of the form REGISTRY/NAME[:TAG|@DIGEST]. It uses
// plain HTTP if the registry is on this machine. It uses the credentials of docker login
// if there are any.
func (f *Fetcher) openRepository(reference string) (*remote.Repository, error) {
	repo, err := remote.NewRepository(reference)
	if err != nil {
		return nil, fmt.Errorf("oci://%s: %w", reference, err)
	}
	host, _, err := net.SplitHostPort(repo.Reference.Registry)
	if err != nil {
		host = repo.Reference.Registry
	}
	ip := net.ParseIP(host)
	repo.PlainHTTP = host == "localhost" || ip != nil && ip.IsLoopback()
	client := &auth.Client{Client: http.DefaultClient, Cache: auth.NewCache()}
	if f.Client != nil {
		client.Client = f.Client
	}
	if logins, err := credentials.NewStoreFromDocker(credentials.StoreOptions{}); err == nil {
		client.Credential = credentials.Credential(logins)
	}
	repo.Client = client
	return repo, nil
}

// mostTags is the largest number of tags that are read from a repository.
const mostTags = 1000

// Tags returns the tags of the repository REGISTRY/NAME, in the registry's order.
func (f *Fetcher) Tags(ctx context.Context, reference string) (tags []string, err error) {
	repo, err := f.openRepository(reference)
	if err != nil {
		return nil, err
	}
	err = repo.Tags(ctx, "", func(some []string) error {
		if tags = append(tags, some...); len(tags) > mostTags {
			return fmt.Errorf("the repository has more than %d tags", mostTags)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("oci://%s: %w", reference, err)
	}
	return tags, nil
}

// pullArtifact fetches an artifact and returns its module and its signature, which are
// layers of the artifact. The package oras checks the hashes of the layers.
func (f *Fetcher) pullArtifact(ctx context.Context, reference string) (*Fetched, []byte, error) {
	fail := func(err error) (*Fetched, []byte, error) {
		return nil, nil, fmt.Errorf("oci://%s: %w", reference, err)
	}
	repo, err := f.openRepository(reference)
	if err != nil {
		return nil, nil, err
	}
	tag := repo.Reference.ReferenceOrDefault()
	about, text, err := oras.FetchBytes(ctx, repo, tag, oras.FetchBytesOptions{MaxBytes: maxManifest})
	if err != nil {
		return fail(err)
	}
	var manifest ocispec.Manifest
	if err := json.Unmarshal(text, &manifest); err != nil {
		return fail(fmt.Errorf("invalid manifest: %w", err))
	}
	if manifest.ArtifactType != ArtifactType && manifest.Config.MediaType != ArtifactType {
		return fail(fmt.Errorf("the artifact is not a plugin: the artifact type is %q, want %s", manifest.ArtifactType, ArtifactType))
	}
	out := &Fetched{Digest: about.Digest.String()}
	var signature []byte
	for i, layer := range manifest.Layers {
		var into *[]byte
		most := int64(maxSignature)
		switch {
		case i >= mostLayers:
		case layer.MediaType == ModuleType && out.Wasm == nil:
			into, most = &out.Wasm, f.moduleLimit()
		case layer.MediaType == SignatureType && signature == nil:
			into = &signature
		}
		if into == nil {
			continue
		}
		if layer.Size > most {
			return fail(fmt.Errorf("a layer has %d bytes, limit %d", layer.Size, most))
		}
		if *into, err = content.FetchAll(ctx, repo.Blobs(), layer); err != nil {
			return fail(err)
		}
	}
	if out.Wasm == nil {
		return fail(fmt.Errorf("the artifact has no layer of type %s", ModuleType))
	}
	return out, signature, nil
}

// Push uploads a module to a registry under REGISTRY/NAME:TAG and returns the digest of
// its manifest. If signature is not nil, the signature is uploaded too.
func (f *Fetcher) Push(ctx context.Context, reference string, wasm, signature []byte) (digest string, err error) {
	reference = strings.TrimPrefix(reference, "oci://")
	repo, err := f.openRepository(reference)
	if err != nil {
		return "", err
	}
	layers := []struct {
		media string
		bytes []byte
	}{{ModuleType, wasm}, {SignatureType, signature}}
	var options oras.PackManifestOptions
	for _, l := range layers {
		if l.bytes == nil {
			continue
		}
		d, err := oras.PushBytes(ctx, repo, l.media, l.bytes)
		if err != nil {
			return "", fmt.Errorf("oci://%s: %w", reference, err)
		}
		options.Layers = append(options.Layers, d)
	}
	options.ManifestAnnotations = map[string]string{ocispec.AnnotationCreated: "1970-01-01T00:00:00Z"} // so that the bytes are the same each time
	d, err := oras.PackManifest(ctx, repo, oras.PackManifestVersion1_1, ArtifactType, options)
	if err == nil {
		err = repo.Tag(ctx, d, repo.Reference.ReferenceOrDefault())
	}
	if err != nil {
		return "", fmt.Errorf("oci://%s: %w", reference, err)
	}
	return d.Digest.String(), nil
}
