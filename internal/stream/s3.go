package stream

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
)

const (
	s3Scheme  = "s3://"
	noPayload = "UNSIGNED-PAYLOAD"
)

// s3Client follows no redirect, because a signature is valid for one host only.
var s3Client = &http.Client{Transport: objectTransport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}

// s3Address returns the address for s3://BUCKET/KEY. It reads the access key, the region
// and the endpoint from the environment variables that the AWS command line uses.
func s3Address(text string) (*address, error) {
	bucket, key, _ := strings.Cut(strings.TrimPrefix(text, s3Scheme), "/")
	if !s3Bucket().MatchString(bucket) || key == "" {
		return nil, fmt.Errorf("invalid URL %q; want s3://BUCKET/KEY", text)
	}
	keys := aws.Credentials{AccessKeyID: os.Getenv("AWS_ACCESS_KEY_ID"), SecretAccessKey: os.Getenv("AWS_SECRET_ACCESS_KEY"), SessionToken: os.Getenv("AWS_SESSION_TOKEN")}
	if keys.AccessKeyID == "" || keys.SecretAccessKey == "" {
		return nil, fmt.Errorf("%s: an s3 URL needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment", text)
	}
	region := cmp.Or(os.Getenv("AWS_REGION"), os.Getenv("AWS_DEFAULT_REGION"), "us-east-1")
	u := &url.URL{Scheme: "https", Host: bucket + ".s3." + region + ".amazonaws.com"}
	path := "/"
	if endpoint := cmp.Or(os.Getenv("AWS_ENDPOINT_URL_S3"), os.Getenv("AWS_ENDPOINT_URL")); endpoint != "" {
		var err error
		if u, err = url.Parse(endpoint); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			return nil, errors.New("AWS_ENDPOINT_URL is not an http or https URL")
		}
		path = strings.TrimSuffix(u.Path, "/") + "/" + bucket + "/"
	} else if strings.Contains(bucket, ".") { // no certificate is valid for such a host
		u.Host, path = "s3."+region+".amazonaws.com", "/"+bucket+"/"
	}
	u.Path, u.RawPath, u.RawQuery, u.Fragment = path+key, escapeKey(path+key), "", ""
	signer := v4.NewSigner(func(o *v4.SignerOptions) { o.DisableURIPathEscaping = true }) // not shared, because it keeps keys by their id
	sign := func(r *http.Request, payload string) error {
		r.Header.Set("X-Amz-Content-Sha256", payload)
		return signer.SignHTTP(r.Context(), keys, r, payload, "s3", region, time.Now())
	}
	return &address{url: u.String(), name: text, sign: sign, client: s3Client}, nil
}

// checkWritable returns an error if an s3 URL cannot be written. It begins a multipart
// upload and aborts this upload, so no object changes. For any other name, it returns nil
// without a check.
func checkWritable(name string) error {
	if !strings.HasPrefix(name, s3Scheme) {
		return nil
	}
	a, err := s3Address(name)
	if err != nil {
		return fmt.Errorf("cannot write: %w", err)
	}
	id := ""
	err = withRetries(context.Background(), func(ctx context.Context) error {
		answer, err := a.sendQuery(ctx, http.MethodPost, "uploads=")
		if err != nil {
			return err
		}
		defer answer.Body.Close()
		switch {
		case answer.StatusCode == http.StatusMethodNotAllowed, answer.StatusCode == http.StatusNotImplemented:
			return nil // the server has no multipart uploads, so this cannot be checked
		case answer.StatusCode/100 != 2:
			return refusalError(answer)
		}
		text, err := io.ReadAll(io.LimitReader(answer.Body, 1<<16))
		if found := s3Upload().FindSubmatch(text); found != nil {
			id = html.UnescapeString(string(found[1]))
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("writing %s: %w", a.name, err)
	}
	if id == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if answer, err := a.sendQuery(ctx, http.MethodDelete, "uploadId="+url.QueryEscape(id)); err == nil {
		answer.Body.Close() // if this was refused, an upload without parts is left, which has no size
	}
	return nil
}

// sendQuery sends a request without a body. Its URL is the object's URL with the given
// query.
func (a *address) sendQuery(ctx context.Context, method, query string) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, method, a.url+"?"+query, nil)
	if err != nil {
		return nil, fatal{withoutURL(err)}
	}
	return a.signAndSend(r, noPayload)
}

// escapeKey escapes a key for an S3 signature. It keeps letters, digits, the characters
// -._~ and the slash, and escapes all other bytes.
func escapeKey(key string) string {
	var b strings.Builder
	for i := range len(key) {
		switch c := key[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', strings.IndexByte("-._~/", c) >= 0:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

var (
	s3Bucket = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`) })
	s3Code   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`<Code>([A-Za-z0-9.]{1,64})</Code>`) })
	s3Upload = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`<UploadId>([^<]+)</UploadId>`) })
	s3Region = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z0-9-]{1,32}$`) })
)

// s3Reason returns the S3 error code in an answer, as the end of an error message. If the
// answer says that the bucket is in another region, s3Reason adds that region. It returns
// "" if the answer contains neither a code nor a region.
func s3Reason(r *http.Response) (why string) {
	text, _ := io.ReadAll(io.LimitReader(r.Body, 4096))
	if found := s3Code().FindSubmatch(text); found != nil {
		why = fmt.Sprintf(" (%s)", found[1])
	}
	if region := r.Header.Get("X-Amz-Bucket-Region"); r.StatusCode < 403 && s3Region().MatchString(region) {
		why += fmt.Sprintf(": the bucket is in %s; set AWS_REGION", region)
	}
	return why
}
