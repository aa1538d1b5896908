package gate

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/boundcheck/boundcheck/internal/bundle"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/plugins/host"
)

// findPage returns the page, or nil if there is none. It looks in these places, in this
// order:
//
//   - in this program
//   - in a folder next to the program
//   - in the sources from which the program was compiled
//
// It never looks in the working directory, because another person may have put scripts
// there.
func findPage() fs.FS {
	if files, err := bundle.Page(); err == nil {
		return carriedPage{files}
	}
	if exe, err := os.Executable(); err == nil {
		if files := pageIn(filepath.Join(filepath.Dir(exe), "playground")); files != nil {
			return files
		}
	}
	if root := bundle.Tree(); root != "" {
		return pageIn(filepath.Join(root, "dist", "playground"))
	}
	return nil
}

// pageIn returns the page in a folder, or nil if the folder has no index.html.
func pageIn(dir string) fs.FS {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil
	}
	if !hasIndex(root.FS(), ".") {
		root.Close()
		return nil
	}
	return root.FS()
}

// whereIsPage returns a message that says how to get the page. It is for a program that
// does not contain the page.
func whereIsPage() string {
	if root := bundle.Tree(); root != "" && !strings.Contains(root, "@") { // a path with @ is in the module cache
		return fmt.Sprintf(`run "make playground" in %s to build the playground; the API works without the playground`, root)
	}
	return fmt.Sprintf("this program does not contain the playground. Install a release (%s), or give a built playground with --playground DIR; the API works without the playground", host.Releases)
}

// carriedPage is the page that this program contains. It adds the counters to a plugin's
// module at the first request (see meteredModules). Modules that have counters already
// would make the program larger by a third.
type carriedPage struct{ fs.FS }

func (c carriedPage) Open(name string) (fs.File, error) {
	if bundle.IsPageModule(name) {
		data, err := bundle.PageModuleBytes(name)
		if err != nil {
			return nil, &fs.PathError{Op: "open", Path: name, Err: err}
		}
		return &memoryFile{bytes.NewBuffer(data), path.Base(name), int64(len(data))}, nil
	}
	module, plugin := strings.CutPrefix(name, "plugins/")
	module, wasm := strings.CutSuffix(module, ".wasm")
	if !plugin || !wasm || !fs.ValidPath(name) {
		return c.FS.Open(name)
	}
	data, err := meteredModules(module)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return &memoryFile{bytes.NewBuffer(data), path.Base(name), int64(len(data))}, nil
}

// meteredModules returns a plugin module with added counters and a memory limit
// (host.ForPage). This is the form that the page's catalog describes. Each module is
// converted only once, and requests for other modules do not wait.
func meteredModules(module string) ([]byte, error) {
	metered.Lock()
	made := metered.of[module]
	if made == nil {
		made = sync.OnceValues(func() ([]byte, error) {
			wasm, err := bundle.Plugin(module)
			if err != nil {
				return nil, err
			}
			return host.ForPage(wasm)
		})
		metered.of[module] = made
	}
	metered.Unlock()
	data, err := made()
	if err != nil { // an unknown name is not kept
		metered.Lock()
		delete(metered.of, module)
		metered.Unlock()
	}
	return data, err
}

// metered holds the page's modules that were requested.
var metered = struct {
	sync.Mutex
	of map[string]func() ([]byte, error)
}{of: map[string]func() ([]byte, error){}}

// memoryFile is a regular file in memory. It cannot seek and has no time, so its tag is
// the hash of its content (see contentAndTag).
type memoryFile struct {
	io.Reader
	name string
	size int64
}

func (f *memoryFile) Close() error               { return nil }
func (f *memoryFile) Stat() (fs.FileInfo, error) { return f, nil }
func (f *memoryFile) Name() string               { return f.name }
func (f *memoryFile) Size() int64                { return f.size }
func (f *memoryFile) Mode() fs.FileMode          { return 0o444 }
func (f *memoryFile) ModTime() time.Time         { return time.Time{} }
func (f *memoryFile) IsDir() bool                { return false }
func (f *memoryFile) Sys() any                   { return nil }

// playground serves the page's files. To browsers that accept Brotli, it sends the file
// NAME.br for NAME. It lists no folder, and follows no symbolic link out of the page's
// folder. If a file does not exist, the handler other answers the request.
type playground struct {
	files fs.FS // nil if there is no page
	other http.Handler
}

func (p playground) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		p.other.ServeHTTP(w, r)
		return
	}
	name := strings.TrimPrefix(path.Clean("/"+r.URL.Path), "/")
	if name == "" && p.files == nil {
		notBuilt(w, r)
		return
	}
	if name == "" || strings.HasSuffix(r.URL.Path, "/") {
		name = path.Join(name, "index.html")
	}
	accepted := r.Header.Get("Accept-Encoding")
	if r.Header.Get("Range") != "" {
		accepted = "" // ranges are of the file itself
	}
	file, info, coding, err := p.openAccepted(name, accepted)
	if err != nil {
		p.other.ServeHTTP(w, r)
		return
	}
	defer file.Close()
	h := w.Header()
	if info.IsDir() {
		h.Set("Location", path.Base(name)+"/") // relative, so that it cannot lead to another site
		w.WriteHeader(http.StatusTemporaryRedirect)
		return
	}
	content, tag, err := contentAndTag(file, info)
	if err != nil {
		p.other.ServeHTTP(w, r)
		return
	}
	h.Set("Content-Type", contentType(name))
	h.Set("Cache-Control", "no-cache") // browsers must revalidate, or a rebuilt page would use an old core
	h.Set("Vary", "Accept-Encoding")
	if accepted != "" && coding == "" && !(info.Size() > largestWait && isHere(r)) {
		data, err := io.ReadAll(content)
		if err != nil {
			p.other.ServeHTTP(w, r)
			return
		}
		content = bytes.NewReader(data)
		if data, coding = cmd.CompressFile(name, tag, accepted, data); coding != "" {
			content = bytes.NewReader(data)
			tag = tag[:len(tag)-1] + "-" + coding + `"`
		}
	}
	if coding != "" {
		h.Set("Content-Encoding", coding)
	}
	h.Set("ETag", tag)
	http.ServeContent(w, r, name, info.ModTime(), content)
}

// largestWait is the size of a file, in bytes, that a browser on this machine gets uncompressed: it
// has it before it would be compressed.
const largestWait = 1 << 20

// isHere reports whether a request comes from this machine, and not through a proxy.
func isHere(r *http.Request) bool {
	host, _, _ := net.SplitHostPort(r.RemoteAddr)
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback() && namesLoopback(r.Host) && r.Header.Get("X-Forwarded-For")+r.Header.Get("Forwarded")+r.Header.Get("Via") == ""
}

// namesLoopback reports whether a Host header, with or without a port, means this machine.
func namesLoopback(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// contentAndTag returns a file's content, and a tag that changes with the content. The
// tag consists of the time and the size of the file. For a file that is embedded in this
// program, the tag is a hash of the content.
func contentAndTag(file fs.File, info fs.FileInfo) (io.ReadSeeker, string, error) {
	if s, ok := file.(io.ReadSeeker); ok {
		return s, fmt.Sprintf(`"%x-%x"`, info.ModTime().UnixNano(), info.Size()), nil
	}
	data, err := io.ReadAll(file)
	return bytes.NewReader(data), fmt.Sprintf(`"%.16x"`, sha256.Sum256(data)), err
}

// openAccepted opens a file or a folder, as open does. If the browser accepts Brotli and
// the file NAME.br exists, openAccepted opens NAME.br instead. In this case, coding is
// "br".
func (p playground) openAccepted(name, accepted string) (file fs.File, info fs.FileInfo, coding string, err error) {
	if cmd.AcceptsCoding(accepted, "br") {
		file, info, err = p.open(name + bundle.Brotli)
		if err == nil && info.Mode().IsRegular() {
			return file, info, "br", nil
		}
		if err == nil {
			file.Close()
		}
	}
	file, info, err = p.open(name)
	return file, info, "", err
}

// open opens a file, or a folder that has an index.html.
func (p playground) open(name string) (fs.File, fs.FileInfo, error) {
	if p.files == nil || strings.HasPrefix(name, ".") || strings.Contains(name, "/.") {
		return nil, nil, fs.ErrNotExist
	}
	file, err := p.files.Open(name)
	if err != nil {
		return nil, nil, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() && !(info.IsDir() && hasIndex(p.files, name)) {
		err = fs.ErrNotExist
	}
	if err != nil {
		file.Close()
		return nil, nil, err
	}
	return file, info, nil
}

func hasIndex(files fs.FS, dir string) bool {
	info, err := fs.Stat(files, path.Join(dir, "index.html"))
	return err == nil && info.Mode().IsRegular()
}

// contentType returns the content type for the name of a file. It does not use the
// machine's own table of types, because browsers refuse modules and wasm with a wrong
// type.
func contentType(name string) string {
	switch path.Ext(name) {
	case ".html":
		return "text/html; charset=utf-8"
	case ".js", ".mjs":
		return "text/javascript; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".txt", ".md", ".ts", ".jsonl":
		return "text/plain; charset=utf-8"
	case ".json", ".map":
		return "application/json"
	case ".webmanifest":
		return "application/manifest+json"
	case ".wasm":
		return "application/wasm"
	case ".svg":
		return "image/svg+xml"
	case ".png":
		return "image/png"
	case ".ico":
		return "image/x-icon"
	case ".woff2":
		return "font/woff2"
	}
	return "application/octet-stream"
}

func notBuilt(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusServiceUnavailable)
	if r.Method != http.MethodHead {
		io.WriteString(w, notBuiltPage)
	}
}

const notBuiltPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Boundcheck</title>
<main>
<h1>The playground is not built</h1>
<p>A release contains the playground. In the repository, build the playground. Then load this page again:</p>
<pre>make playground</pre>
<p>The API works without the playground: <code>POST /v1/score</code>, <code>POST /v1/check</code>, <a href="/healthz"><code>GET /healthz</code></a>.</p>
</main>
</html>
`
