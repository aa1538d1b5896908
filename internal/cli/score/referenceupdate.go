package score

import (
	"flag"
	"fmt"

	"github.com/boundcheck/boundcheck/core/ref/reference"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/internal/words"
)

// updateFlags are the flags of "boundcheck reference update".
type updateFlags struct {
	conf       cmd.ConfigFlags
	profile    string
	confidence float64
}

func (f *updateFlags) RegisterFlags(set *flag.FlagSet) {
	f.conf.RegisterFlags(set)
	set.StringVar(&f.profile, "profile", "", "")
	set.Float64Var(&f.confidence, "min-confidence", 0, "")
}

// updateReference updates a reference by the runs of traces, and compares the runs with
// the result. differ reports whether a run still differs.
func (f *updateFlags) updateReference(path string, traces []string, s cmd.Ends) (differ bool, err error) {
	conf := &cmd.ConfigFile{}
	if !f.conf.None {
		if conf, err = cmd.ReadConfig(f.conf.Name, "."); err != nil {
			return false, err
		}
	}
	u := &fileUpdate{path: path}
	for _, file := range traces {
		t, err := readTrace(file, s.Stdin, conf)
		if err == nil {
			err = t.decode()
		}
		if err != nil {
			return false, fmt.Errorf("%s: %w", file, err)
		}
		t.counts = max(t.counts, f.confidence)
		if f.profile != "" {
			t.request.Options.Profile = f.profile
		}
		for i := range t.runs {
			u.add(t, i)
		}
	}
	say := func(word, name, text string) {
		fmt.Fprintf(s.Stdout, "%-5s %s  %s\n", word, words.Printable(name), words.Printable(text))
	}
	if err := u.write(say); err != nil {
		return false, fmt.Errorf("%s: %w", path, err)
	}
	one, _, _, err := readReference(path, nil)
	if err != nil {
		return false, err
	}
	return u.compareAgain(one, say)
}

// compareAgain compares the trials with a reference, and reports whether one differs.
func (u *fileUpdate) compareAgain(ref *reference.Reference, say func(word, name, text string)) (differ bool, err error) {
	reports, err := u.compareAll(ref)
	for i := range reports {
		word, text := "ok", "0 violations"
		if n := len(reports[i].Violations); n > 0 {
			word, text, differ = "FAIL", words.Count(n, "violation", "violations"), true
		}
		say(word, u.trials[i].Name, text)
	}
	return differ, err
}
