package cli

import (
	"cmp"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"github.com/boundcheck/boundcheck/core/wire"
	"github.com/boundcheck/boundcheck/internal/bundle"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
)

// The release sets these values (-ldflags -X). Empty ones are taken from Go's own build
// information.
var (
	stampedVersion string // as in v1.2.3
	stampedCommit  string // the whole hash
	stampedDate    string // of the commit, RFC 3339 in UTC
)

// build describes the sources that this program was built from. Unknown members are "".
type build struct{ version, commit, date string }

func thisBuild() build {
	b := build{stampedVersion, stampedCommit, stampedDate}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	b.version = cmp.Or(b.version, info.Main.Version)
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.commit = cmp.Or(b.commit, s.Value)
		case "vcs.time":
			b.date = cmp.Or(b.date, s.Value)
		}
	}
	return b
}

// String returns the line that --version prints.
func (b build) String() string {
	carried := "playground page and plugins not included"
	if bundle.Carried() {
		carried = "playground page and plugins included"
	}
	return fmt.Sprintf("boundcheck %s (commit %.12s, %s, %s/%s, %s)", cmp.Or(b.version, "(devel)"), cmp.Or(b.commit, "unknown"),
		cmp.Or(b.date, "date unknown"), runtime.GOOS, runtime.GOARCH, carried)
}

// versionCommand prints the versions of the formats. All front ends print the same text.
func versionCommand(_ []string, _ io.Reader, stdout, _ io.Writer) int {
	answer, _ := wire.Handle("version", nil)
	stdout.Write(answer)
	return cmd.ExitOK
}
