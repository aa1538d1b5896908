// Command release builds the files that users download, into dist/release:
//
//	release [-version vX.Y.Z] [-out DIR] [-targets linux/amd64,…] [-packages]
//
// For each platform it builds one program that contains the page and the plugins, an
// archive of it with the licences, completions and the manual page, and a Python wheel.
// It also writes a list of materials for each program, packages for Debian and RPM
// (-packages), files for Homebrew and Scoop, and checksums. All times in
// the files are the commit's time, so that the same commit and the same Go version produce
// the same bytes.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

const module = "github.com/boundcheck/boundcheck"

// everywhere lists the platforms of a release.
const everywhere = "linux/amd64,linux/arm64,darwin/amd64,darwin/arm64,windows/amd64,windows/arm64"

// release is one run of this command.
type release struct {
	version, commit string // the version as v1.2.3, and the commit's full hash
	at              time.Time
	out             string
	targets         []target
	packages        bool
	made            []string // files in out, in the order in which they were made
	extras          []member // added to every archive
}

type target struct{ os, arch string }

func (t target) String() string { return t.os + "_" + t.arch }

// programName returns the file name of the command.
func (t target) programName() string {
	if t.os == "windows" {
		return "boundcheck.exe"
	}
	return "boundcheck"
}

func main() {
	r := &release{}
	platforms := flag.String("targets", everywhere, "platforms, as GOOS/GOARCH, separated by commas")
	flag.StringVar(&r.version, "version", "", "the version; default: the commit's tag, or v0.0.0-COMMIT without a tag")
	flag.StringVar(&r.out, "out", filepath.Join("dist", "release"), "folder for the files")
	flag.BoolVar(&r.packages, "packages", false, "make .deb and .rpm packages, too, with the pinned version of nfpm")
	flag.Parse()
	for _, p := range strings.Split(*platforms, ",") {
		goos, arch, ok := strings.Cut(p, "/")
		if !ok {
			fmt.Fprintf(os.Stderr, "release: invalid target %q: want GOOS/GOARCH\n", p)
			os.Exit(2)
		}
		r.targets = append(r.targets, target{goos, arch})
	}
	if err := r.makeAll(); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func (r *release) makeAll() error {
	steps := []func() error{r.readStamp, r.buildBundle, r.collectDocuments, r.buildPrograms, r.writeFormulas, r.writeChecksums}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	fmt.Printf("%d files in %s, version %s\n", len(r.made), r.out, r.version)
	return nil
}

// readStamp reads the commit, its time and the version from git.
func (r *release) readStamp() (err error) {
	if r.commit, err = commandOutput("git", "rev-parse", "HEAD"); err != nil {
		return err
	}
	when, err := commandOutput("git", "show", "-s", "--format=%cI", "HEAD")
	if err != nil {
		return err
	}
	if r.at, err = time.Parse(time.RFC3339, when); err != nil {
		return err
	}
	r.at = r.at.UTC()
	tag, _ := commandOutput("git", "describe", "--tags", "--exact-match", "--match", "v*")
	r.version = cmp.Or(r.version, tag, "v0.0.0-"+r.commit[:12])
	if dirty, err := commandOutput("git", "status", "--porcelain"); err != nil || dirty != "" {
		fmt.Fprintf(os.Stderr, "release: the work tree has changes that are not committed: do not publish these files\n")
	}
	if err := os.RemoveAll(r.out); err != nil {
		return err
	}
	return os.MkdirAll(r.out, 0o755)
}

// buildBundle builds the page and the plugins, and packs them into one file. The command
// embeds this file if it is built with the build tag bundled.
func (r *release) buildBundle() error {
	for _, c := range [][]string{{"sh", "plugins/build.sh"}, {"sh", "playground/build.sh"}, {"go", "run", "./internal/bundle/make", "dist", "internal/bundle/bundle.zip"}} {
		if err := runCommand(nil, c...); err != nil {
			return err
		}
	}
	return nil
}

// buildPrograms builds the program for each platform, packs it, and writes its list of
// materials.
func (r *release) buildPrograms() error {
	for _, t := range r.targets {
		dir, err := os.MkdirTemp("", "boundcheck-release-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		program := filepath.Join(dir, t.programName())
		if err := r.compileProgram(t, program); err != nil {
			return err
		}
		if err := r.writeArchive(t, program); err != nil {
			return err
		}
		if err := r.writeMaterials(t, program); err != nil {
			return err
		}
		if err := r.writeWheel(t, program); err != nil {
			return err
		}
		if t.os == "linux" && r.packages {
			if err := r.systemPackages(t, program); err != nil {
				return err
			}
		}
	}
	return nil
}

// compileProgram builds the command with the embedded page and plugins.
func (r *release) compileProgram(t target, out string) error {
	const stamped = module + "/internal/cli.stamped"
	flags := fmt.Sprintf("-s -w -buildid= -X %sVersion=%s -X %sCommit=%s -X %sDate=%s", stamped, r.version, stamped, r.commit, stamped, r.at.Format(time.RFC3339))
	return runCommand([]string{"CGO_ENABLED=0", "GOOS=" + t.os, "GOARCH=" + t.arch, "GOAMD64=v1", "GOFLAGS=", "GOWORK=off"},
		"go", "build", "-tags=bundled", "-trimpath", "-buildvcs=false", "-ldflags="+flags, "-o", out, "./cmd/boundcheck")
}

// fileName returns the name of a file of the release.
func (r *release) fileName(t target, ending string) string {
	return fmt.Sprintf("boundcheck_%s_%s%s", strings.TrimPrefix(r.version, "v"), t, ending)
}

// writeFile writes a file of the release.
func (r *release) writeFile(name string, data []byte) error {
	r.made = append(r.made, name)
	fmt.Printf("%-50s %9d bytes\n", name, len(data))
	return os.WriteFile(filepath.Join(r.out, name), data, 0o644)
}

// hostTarget returns the platform on which this program runs.
func hostTarget() target { return target{runtime.GOOS, runtime.GOARCH} }

func commandOutput(name string, args ...string) (string, error) {
	b, err := exec.Command(name, args...).Output()
	return strings.TrimSpace(string(b)), err
}

func runCommand(env []string, args ...string) error {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = append(os.Environ(), env...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w", strings.Join(args, " "), err)
	}
	return nil
}
