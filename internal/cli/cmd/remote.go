package cmd

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/stage/judge"
	"github.com/boundcheck/boundcheck/core/study/causes"
	"github.com/boundcheck/boundcheck/internal/words"
	remoteembed "github.com/boundcheck/boundcheck/remote/embed"
	remotejudge "github.com/boundcheck/boundcheck/remote/judge"
	"github.com/boundcheck/boundcheck/remote/openai"
)

// RemoteUsage describes the flags of judges and embeddings.
const RemoteUsage = `
Models are called only with these flags. URL is a server with OpenAI's API
(Ollama: http://localhost:11434). The contents of traces are sent to it.

  --embeddings URL       compare free texts by sentence vectors from URL, and join
                         similar causes of several runs
  --embeddings-model M   the model (default all-minilm)
  --embeddings-fallback lexical
                         compare words, with a warning, when URL fails
  --embeddings-cache DIR keep vectors in DIR
  --embeddings-key ENV   the environment variable that holds the key
  --judge URL            ask about findings that the rules are not sure of
  --judge-model M        the model; required with --judge. Several of either flag, or
                         of both, form an ensemble: the majority decides, and the
                         reason gives the numbers
  --judge-below X        ask below this confidence (default 0.9)
  --judge-key ENV        the environment variable that holds the key
`

// remoteFlags select the models.
type remoteFlags struct {
	embeddings, embeddingsModel, fallback, cache, embeddingsKey string
	judgeKey                                                    string
	judges, judgeModels                                         []string
	judgeBelow                                                  float64
}

func (f *remoteFlags) RegisterFlags(set *flag.FlagSet) {
	set.StringVar(&f.embeddings, "embeddings", "", "")
	set.StringVar(&f.embeddingsModel, "embeddings-model", "", "")
	set.StringVar(&f.fallback, "embeddings-fallback", "", "")
	set.StringVar(&f.cache, "embeddings-cache", "", "")
	set.StringVar(&f.embeddingsKey, "embeddings-key", "", "")
	several := func(at *[]string) func(string) error {
		return func(s string) error {
			*at = append(*at, s)
			return nil
		}
	}
	set.Func("judge", "", several(&f.judges))
	set.Func("judge-model", "", several(&f.judgeModels))
	set.StringVar(&f.judgeKey, "judge-key", "", "")
	set.Float64Var(&f.judgeBelow, "judge-below", judge.DefaultBelow, "")
}

// usesModels reports whether any model is used.
func (f *remoteFlags) usesModels() bool { return f.embeddings != "" || len(f.judges) > 0 }

// CheckFlags returns an error for flags that contradict each other. It also returns an
// error if a model is used with a stream.
func (f *remoteFlags) CheckFlags(stream bool) error {
	switch {
	case stream && f.usesModels():
		return errors.New("--embeddings and --judge cannot be used with --stream")
	case f.embeddings == "" && f.embeddingsModel+f.fallback+f.cache+f.embeddingsKey != "":
		return errors.New("missing --embeddings URL")
	case len(f.judges) == 0 && (len(f.judgeModels) > 0 || f.judgeKey != ""):
		return errors.New("missing --judge URL")
	case len(f.judges) > 0 && len(f.judgeModels) == 0:
		return errors.New("missing --judge-model")
	case len(f.judges) > 1 && len(f.judgeModels) > 1 && len(f.judges) != len(f.judgeModels):
		return fmt.Errorf("got %d --judge and %d --judge-model flags; give the same number of both, or one of them exactly once", len(f.judges), len(f.judgeModels))
	case !(f.judgeBelow > 0 && f.judgeBelow <= 1):
		return errors.New("invalid --judge-below: want a number above 0 and up to 1")
	case f.fallback != "":
		return OneOf("embeddings-fallback", f.fallback, "lexical")
	}
	return nil
}

// interruptibleContext returns a context that ends when the user presses Ctrl-C. A second
// Ctrl-C ends the program. If no models are used, Ctrl-C ends the program at once.
func (f *remoteFlags) interruptibleContext() (ctx context.Context, stop func()) {
	if !f.usesModels() {
		return context.Background(), func() {}
	}
	ctx, stop = signal.NotifyContext(context.Background(), os.Interrupt)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}

// newEmbedder creates the client for the vectors of sentences.
func (f *remoteFlags) newEmbedder(ctx context.Context) (*remoteembed.Client, error) {
	return remoteembed.New(remoteembed.Options{Model: cmp.Or(f.embeddingsModel, "all-minilm"), Cache: f.cache,
		Options: openai.Options{BaseURL: f.embeddings, KeyEnv: f.embeddingsKey, Context: ctx}})
}

// FindCauses groups the runs of a report that went wrong. With --embeddings, similar sentences
// join.
func (f *remoteFlags) FindCauses(r *core.Report, stderr io.Writer) ([]causes.Group, error) {
	if f.embeddings == "" {
		return causes.Find(r), nil
	}
	ctx, stop := f.interruptibleContext()
	defer stop()
	e, err := f.newEmbedder(ctx)
	if err != nil {
		return nil, err
	}
	groups, err := causes.FindAlike(r, e)
	if err != nil && f.fallback == "lexical" {
		fmt.Fprintf(stderr, "boundcheck: similar causes were not joined: %s\n", words.Printable(err.Error()))
		return groups, nil
	}
	return groups, err
}

// addClients creates the clients for the models, and adds the clients to the options. The
// requests of the clients end when ctx ends.
func (f *remoteFlags) addClients(ctx context.Context, o *core.Options) error {
	if f.embeddings != "" {
		c, err := f.newEmbedder(ctx)
		if err != nil {
			return err
		}
		o.Embedder, o.Lexical = c, f.fallback == "lexical"
	}
	var all judge.Ensemble
	for i := range max(len(f.judges), len(f.judgeModels)) {
		c, err := remotejudge.New(remotejudge.Options{Model: f.judgeModels[min(i, len(f.judgeModels)-1)],
			Options: openai.Options{BaseURL: f.judges[min(i, len(f.judges)-1)], KeyEnv: f.judgeKey, Context: ctx}})
		if err != nil {
			return err
		}
		all = append(all, c)
	}
	switch len(all) {
	case 0:
	case 1:
		o.Judge, o.JudgeBelow = all[0], f.judgeBelow
	default:
		o.Judge, o.JudgeBelow = all, f.judgeBelow
	}
	return nil
}
