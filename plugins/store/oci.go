package store

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// Media types of a plugin in an OCI registry: one artifact with the module as its first
// layer and, if it is signed, a minisign signature as another.
const (
	ArtifactType  = "application/vnd.boundcheck.plugin.v1"
	ModuleType    = "application/wasm"
	SignatureType = "application/vnd.boundcheck.minisign.v1"
	manifestType  = "application/vnd.oci.image.manifest.v1+json"
	maxManifest   = 1 << 20
	maxSignature  = 1 << 16
	mostLayers    = 16
)

// manifest lists the layers of an artifact. The order of its members is that of its bytes.
type manifest struct {
	SchemaVersion int               `json:"schemaVersion"`
	MediaType     string            `json:"mediaType"`
	ArtifactType  string            `json:"artifactType"`
	Config        descriptor        `json:"config"`
	Layers        []descriptor      `json:"layers"`
	Annotations   map[string]string `json:"annotations,omitempty"`
}

// descriptor names a content by its hash.
type descriptor struct {
	MediaType string `json:"mediaType"`
	Digest    string `json:"digest"`
	Size      int64  `json:"size"`
	Data      []byte `json:"data,omitempty"`
}

func describeContent(media string, content []byte) descriptor {
	return descriptor{MediaType: media, Digest: digestOf(content), Size: int64(len(content))}
}

func digestOf(content []byte) string { return fmt.Sprintf("sha256:%x", sha256.Sum256(content)) }

// mostTags is the largest number of tags that are read from a repository.
const mostTags = 1000

// Tags returns the tags of the repository REGISTRY/NAME, in the registry's order.
func (f *Fetcher) Tags(ctx context.Context, reference string) (tags []string, err error) {
	repo, err := f.openRepository(reference)
	if err != nil {
		return nil, err
	}
	next := "tags/list"
	for range mostTags {
		text, header, err := repo.readBody(ctx, next, nil, maxManifest)
		var page struct{ Tags []string }
		if err == nil {
			err = json.Unmarshal(text, &page)
		}
		if tags = append(tags, page.Tags...); err == nil && len(tags) > mostTags {
			err = fmt.Errorf("the repository has more than %d tags", mostTags)
		}
		if err != nil {
			return nil, fmt.Errorf("oci://%s: %w", reference, err)
		}
		link, _, more := strings.Cut(strings.TrimPrefix(header.Get("Link"), "<"), ">")
		to, err := url.Parse(link)
		if !more || err != nil {
			break
		}
		next = "tags/list?" + to.RawQuery
	}
	return tags, nil
}

// pullArtifact fetches an artifact and returns its module and its signature, which are
// layers of the artifact.
func (f *Fetcher) pullArtifact(ctx context.Context, reference string) (*Fetched, []byte, error) {
	fail := func(err error) (*Fetched, []byte, error) {
		return nil, nil, fmt.Errorf("oci://%s: %w", reference, err)
	}
	repo, err := f.openRepository(reference)
	if err != nil {
		return nil, nil, err
	}
	text, _, err := repo.readBody(ctx, "manifests/"+repo.tag, http.Header{"Accept": {manifestType}}, maxManifest)
	if err != nil {
		return fail(err)
	}
	out := &Fetched{Digest: digestOf(text)}
	if isDigest(repo.tag) && repo.tag != out.Digest {
		return fail(fmt.Errorf("the registry returned another manifest, with digest %s", out.Digest))
	}
	var listed manifest
	if err := json.Unmarshal(text, &listed); err != nil {
		return fail(fmt.Errorf("invalid manifest: %w", err))
	}
	if listed.ArtifactType != ArtifactType && listed.Config.MediaType != ArtifactType {
		return fail(fmt.Errorf("the artifact is not a plugin: the artifact type is %q, want %s", listed.ArtifactType, ArtifactType))
	}
	var signature []byte
	for i, layer := range listed.Layers {
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
		if *into, err = repo.fetchBlob(ctx, layer); err != nil {
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
	none := []byte("{}")
	of := manifest{SchemaVersion: 2, MediaType: manifestType, ArtifactType: ArtifactType, Config: describeContent("application/vnd.oci.empty.v1+json", none),
		Annotations: map[string]string{"org.opencontainers.image.created": "1970-01-01T00:00:00Z"}} // so that the bytes are the same each time
	of.Config.Data = none
	contents := [][]byte{none, wasm}
	of.Layers = append(of.Layers, describeContent(ModuleType, wasm))
	if signature != nil {
		contents = append(contents, signature)
		of.Layers = append(of.Layers, describeContent(SignatureType, signature))
	}
	for _, c := range contents {
		if err := repo.pushBlob(ctx, c); err != nil {
			return "", fmt.Errorf("oci://%s: %w", reference, err)
		}
	}
	text, err := json.Marshal(of)
	if err != nil {
		return "", err
	}
	done, err := repo.sendRequest(ctx, http.MethodPut, "manifests/"+repo.tag, http.Header{"Content-Type": {manifestType}}, text, http.StatusCreated)
	if err != nil {
		return "", fmt.Errorf("oci://%s: %w", reference, err)
	}
	done.Body.Close()
	return digestOf(text), nil
}
