// Command beam scores files with boundcheck on Apache Beam: each worker scores shards,
// and one merges their partial results. It is an example for docs/scale.md.
//
//	beam --runner=direct --shards=64 --parts=parts --out=report.json runs.jsonl
//
// All workers need the program boundcheck and the same files. On several machines, files
// and parts are s3 URLs.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"
)

// score scores one shard, and returns the name of its partial result. A runner may call it
// again for the same shard: a shard that is done stays as it is.
type score struct {
	Command, Parts string
	Shards         int
	Files          []string
}

// ProcessElement scores one shard.
func (s *score) ProcessElement(ctx context.Context, shard int) (string, error) {
	part := fmt.Sprintf("%s/%d", s.Parts, shard)
	c := exec.CommandContext(ctx, s.Command, append([]string{"score", "--stream", "--resume", "--partial", part,
		"--shard", fmt.Sprintf("%d/%d", shard, s.Shards)}, s.Files...)...) // --out=URL keeps the rows too
	_, err := c.Output()
	return part, told(err)
}

// merge finishes the partial results.
type merge struct{ Command, Out string }

// ProcessElement merges all partial results, writes the report, and returns its name.
func (m *merge) ProcessElement(ctx context.Context, _ int, parts func(*string) bool) (string, error) {
	args := []string{"merge"}
	for part := ""; parts(&part); {
		args = append(args, part)
	}
	report, err := exec.CommandContext(ctx, m.Command, args...).Output()
	if err != nil {
		return "", told(err)
	}
	return m.Out, os.WriteFile(m.Out, report, 0o644)
}

// told adds the stderr text of a failed program to the program's error.
func told(err error) error {
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		return fmt.Errorf("%w: %s", err, failed.Stderr)
	}
	return err
}

func init() {
	register.DoFn2x2[context.Context, int, string, error](&score{})
	register.DoFn3x2[context.Context, int, func(*string) bool, string, error](&merge{})
	register.Iter1[string]()
}

func main() {
	command := flag.String("command", "boundcheck", "the program, as the workers find it")
	shards := flag.Int("shards", 64, "number of shards")
	parts := flag.String("parts", "parts", "folder or s3 URL of the partial results")
	out := flag.String("out", "report.json", "file for the report, of the worker that merges")
	flag.Parse()
	beam.Init()
	if flag.NArg() == 0 {
		log.Fatal("missing FILE")
	}
	all := make([]int, *shards)
	for i := range all {
		all[i] = i
	}
	p, s := beam.NewPipelineWithRoot()
	done := beam.ParDo(s, &score{*command, *parts, *shards, flag.Args()}, beam.Reshuffle(s, beam.CreateList(s, all)))
	beam.ParDo(s, &merge{*command, *out}, beam.GroupByKey(s, beam.AddFixedKey(s, done)))
	if err := beamx.Run(context.Background(), p); err != nil {
		log.Fatal(err)
	}
}
