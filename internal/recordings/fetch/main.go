// Command fetch downloads the public recorded runs that docs/data.md lists, and checks the
// size and SHA-256 of every listed file. The folder is the one in BOUNDCHECK_DATA. It exits with 1 if a download failed or a file differs from the list. Files that
// are not public may be missing.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"time"

	"github.com/boundcheck/boundcheck/internal/recordings"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, filepath.Join(recordings.Root(), "docs", "data.md"), recordings.Dir()))
}

func run(ctx context.Context, listPath, dir string) int {
	text, err := os.ReadFile(listPath)
	if err != nil {
		fmt.Fprintln(os.Stderr, "fetch:", err)
		return 1
	}
	files, err := recordings.ReadList(string(text))
	if err != nil {
		fmt.Fprintln(os.Stderr, "fetch:", err)
		return 1
	}
	s := store{dir: dir, client: &http.Client{Timeout: 5 * time.Minute}, tries: 3, wait: time.Second}
	fmt.Println("recorded runs in", dir)
	results := s.fetchFiles(ctx, files)
	return printReport(os.Stdout, results)
}
