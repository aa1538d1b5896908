package cmd

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/read"
	"github.com/boundcheck/boundcheck/core/stage/checker"
	"github.com/boundcheck/boundcheck/internal/words"
	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/checkers"
	"github.com/boundcheck/boundcheck/plugins/host"
)

// CheckerUsage describes the flags of CheckerFlags.
const CheckerUsage = `
Plugins, which know benchmarks:
  --env-data DIR         the benchmark's database files: runs are replayed on them,
                         and final states compared (loads the checker that applies)
  --plugin NAME          load this plugin, by name or as a file NAME.wasm, with or
                         without --env-data. Some plugins decode input in an unknown
                         format, and some classify tools. Repeatable: each plugin
                         checks the runs of its benchmarks
  --plugin-optional      if a plugin cannot be used, score without it (else exit 1)
  --plugins DIR          read NAME.wasm from DIR
  --plugins-lock FILE    a file with the hashes that plugins must have (default:
                         boundcheck-plugins.lock in this folder, if it exists)
  --locked               refuse a plugin that the lock does not name
  --plugin-log FILE      write each request and answer to FILE, as lines of JSON
  --no-plugins           load no plugins
`

// CheckerFlags select the checkers to load. Without any of these flags no checker is loaded,
// and every front end writes the report with the same bytes.
type CheckerFlags struct {
	EnvData, Dir, Lock, log string
	Plugins                 []string // in the order of the command line
	none, optional, Locked  bool
	Conf                    *ConfigFlags // nil for a command without configuration
	Uses                    []string     // operations that the command calls; nil means those of score
	Every                   bool         // also load those that come with boundcheck, if they apply
}

// RegisterFlags defines the flags.
func (f *CheckerFlags) RegisterFlags(set *flag.FlagSet) {
	set.StringVar(&f.EnvData, "env-data", "", "")
	set.BoolVar(&f.optional, "plugin-optional", false, "")
	set.StringVar(&f.log, "plugin-log", "", "")
	set.BoolVar(&f.none, "no-plugins", false, "")
	f.RegisterNames(set)
}

// ReaderUsage is the usage text for commands that read traces but use no checkers.
const ReaderUsage = `
Plugins:
  --plugin NAME          the name or the file of a plugin. Some plugins decode input in an
                         unknown format. Some plugins classify tools, and can only make
                         verdicts stricter. Repeatable
  --plugins DIR          read NAME.wasm from DIR
  --plugins-lock FILE, --locked
                         FILE lists the hashes of plugins; --locked refuses all other plugins
`

// RegisterNames registers the flags that select plugins, and the flags about the lock file.
func (f *CheckerFlags) RegisterNames(set *flag.FlagSet) {
	set.Func("plugin", "", func(what string) error {
		if what == "" {
			return errors.New("missing the name or file of a plugin")
		}
		f.Plugins = append(f.Plugins, what)
		return nil
	})
	set.BoolVar(&f.Locked, "locked", false, "")
	set.StringVar(&f.Dir, "plugins", "", "")
	set.StringVar(&f.Lock, "plugins-lock", "", "")
}

// WantsPlugins reports whether plugins are to be loaded.
func (f *CheckerFlags) WantsPlugins() bool {
	return !f.none && (f.EnvData != "" || len(f.Plugins) > 0 || f.Every)
}

// CheckFlags returns an error if a plugin is named twice, or in spite of --no-plugins.
func (f *CheckerFlags) CheckFlags() error {
	if f.none && len(f.Plugins) > 0 {
		return errors.New("--plugin and --no-plugins contradict each other")
	}
	for i, what := range f.Plugins {
		if slices.Contains(f.Plugins[:i], what) {
			return fmt.Errorf("--plugin %s is given twice", what)
		}
	}
	return nil
}

// RegisterReader registers the flags for commands that read traces but use no checkers.
func (f *CheckerFlags) RegisterReader(set *flag.FlagSet) {
	f.Uses = []string{abi.OpToolsClassify, abi.OpTraceDecode}
	f.RegisterNames(set)
}

// RegisterReplay registers the flags for commands that can replay runs on databases. Such
// a command uses checkers only if --env-data names the databases.
func (f *CheckerFlags) RegisterReplay(set *flag.FlagSet) {
	f.RegisterFlags(set)
	f.Uses = []string{abi.OpToolsClassify, abi.OpTraceDecode}
	set.Lookup("env-data").Value = replayValue{set.Lookup("env-data").Value, f}
}

// replayValue is the value of --env-data for a command with RegisterReplay. If the flag is
// given, the command calls all plugin operations that score calls.
type replayValue struct {
	flag.Value
	f *CheckerFlags
}

func (v replayValue) Set(dir string) error {
	v.f.Uses = nil
	return v.Value.Set(dir)
}

// Plugins holds the loaded plugins: checkers, and named plugins that decode traces or
// classify tools.
type Plugins struct {
	ctx      context.Context
	Checkers []checker.Checker
	advisors []*advising
	Decoder  *host.Plugin
	decoded  bool // it has decoded a file
	optional bool
	Told     []*toldPlugin // for the named plugins
	Broken   bool          // a run was not scored because of a bug
	stderr   io.Writer
	host     *host.Host
	Stop     func()
}

// LoadPlugins starts the host and its plugins. The caller must call the function stop of
// the result, which ends the plugins.
func (f *CheckerFlags) LoadPlugins(ctx context.Context, stderr io.Writer) (*Plugins, error) {
	return f.loadWith(ctx, host.Options{}, stderr)
}

func (f *CheckerFlags) loadWith(ctx context.Context, o host.Options, stderr io.Writer) (*Plugins, error) {
	if !f.WantsPlugins() {
		return &Plugins{Stop: func() {}, stderr: stderr}, nil
	}
	log, err := openPluginLog(f.log)
	if err != nil {
		return nil, err
	}
	o.Heard = log.writeCall
	h, err := host.New(ctx, o)
	if err != nil {
		log.Close()
		return nil, err
	}
	all := &Plugins{ctx: ctx, host: h, stderr: stderr, optional: f.optional, Stop: func() { h.Close(ctx); log.Close() }}
	for _, what := range f.Plugins {
		if err == nil {
			err = f.loadNamed(ctx, h, what, all, stderr)
		}
	}
	if len(f.Plugins) == 0 {
		err = f.loadUnnamed(ctx, h, all, stderr)
	}
	if err != nil {
		all.Stop()
		return nil, err
	}
	return all, nil
}

// loadNamed loads a plugin that the user named, and adds it to all. It returns an error
// in each of these cases:
//
//   - the plugin cannot be found or built
//   - the plugin cannot be used, and --plugin-optional is not given
//   - the plugin has none of the operations that the command calls
//
// With --plugin-optional, a plugin that cannot be used is added as broken.
func (f *CheckerFlags) loadNamed(ctx context.Context, h *host.Host, what string, all *Plugins, stderr io.Writer) error {
	p, err := f.LoadByName(ctx, h, what, stderr)
	var bad *host.Error
	if f.optional && errors.As(err, &bad) && bad.Code != host.NotFound && bad.Code != host.BuildFailed {
		fmt.Fprintf(stderr, "boundcheck: %v; scored without it\n", err)
		all.Checkers = append(all.Checkers, checkers.Broken{Name: bad.Plugin, Err: err})
		return nil
	}
	if err != nil {
		return err
	}
	d := &p.Description
	t := &toldPlugin{name: d.Name, version: d.Version}
	if f.usesOperation(p, abi.OpTraceDecode) && all.Decoder == nil {
		all.Decoder = p
	}
	if f.usesOperation(p, abi.OpToolsClassify) {
		all.advisors = append(all.advisors, &advising{Plugin: p, told: t})
	}
	if f.usesOperation(p, abi.OpEquivalenceCheck) {
		t.checks = true
		all.Checkers = append(all.Checkers, newChecker(ctx, p, len(f.Plugins) == 1, t))
	}
	if f.usesOperation(p, abi.OpToolsClassify) || t.checks {
		all.Told = append(all.Told, t)
	} else if !f.usesOperation(p, abi.OpTraceDecode) {
		return fmt.Errorf("plugin %q needs one of the operations %s, but the plugin has only %s", d.Name, strings.Join(f.calledOperations(), ", "), words.Printable(strings.Join(d.Operations, ", ")))
	}
	if f.EnvData == "" || d.Environment == nil && len(f.Plugins) > 1 {
		return nil
	}
	return f.UseEnvironment(ctx, p)
}

// calledOperations returns the operations that the command calls.
func (f *CheckerFlags) calledOperations() []string {
	if f.Uses == nil {
		return []string{abi.OpEquivalenceCheck, abi.OpToolsClassify, abi.OpTraceDecode}
	}
	return f.Uses
}

// usesOperation reports whether the command calls the operation op and the plugin has
// this operation.
func (f *CheckerFlags) usesOperation(p *host.Plugin, op string) bool {
	return HasOperation(p, op) && slices.Contains(f.calledOperations(), op)
}

// loadUnnamed loads plugins that the user did not name. These are the bundled plugins,
// and the installed plugins that the lock allows. If f.every is false, loadUnnamed keeps
// only the plugins that find the data of their environment in the folder of --env-data.
func (f *CheckerFlags) loadUnnamed(ctx context.Context, h *host.Host, all *Plugins, stderr io.Writer) error {
	var none []error
	more, err := f.LockedNames()
	if err != nil {
		return err
	}
	for _, name := range append(host.BundledPlugins(), more...) {
		p, err := f.LoadByName(ctx, h, name, stderr)
		if err != nil {
			return err
		}
		takes := p.Description.Environment != nil
		if !HasOperation(p, abi.OpEquivalenceCheck) || !takes && !f.Every {
			continue
		}
		var missing *noEnvironment
		if takes && f.EnvData != "" {
			err = f.UseEnvironment(ctx, p)
		}
		if errors.As(err, &missing) && !f.Every {
			none = append(none, err)
			continue
		} else if err != nil && missing == nil {
			return err
		}
		all.Checkers = append(all.Checkers, newChecker(ctx, p, false, nil))
	}
	if len(all.Checkers) == 0 {
		return errors.Join(none...)
	}
	return nil
}

// LockedNames returns the names of the installed plugins in the lock. Any other installed
// plugin is loaded only if the command line names it.
func (f *CheckerFlags) LockedNames() (names []string, err error) {
	lock, err := host.ReadLock(f.Lock)
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(lock)) {
		if lock[name].Source != "" && !slices.Contains(host.BundledPlugins(), name) {
			names = append(names, name)
		}
	}
	return names, nil
}

// LoadByName loads a plugin by its name or file, and checks it against the lock.
func (f *CheckerFlags) LoadByName(ctx context.Context, h *host.Host, what string, stderr io.Writer) (*host.Plugin, error) {
	sources := host.Sources{Dir: f.Dir, Log: stderr}
	name, wasm, err := FindPlugin(ctx, what, sources)
	if err != nil {
		return nil, err
	}
	return LoadPinned(ctx, h, wasm, host.Manifest{Name: name, Reuse: isBundled(what, sources)}, LockOf{f.Lock, f.Locked, f.Conf})
}

// noEnvironment is the error of a plugin that finds no environment in a folder. Another
// plugin may find one there.
type noEnvironment struct{ error }

// UseEnvironment gives a plugin the environment of its benchmark, from the folder of --env-data if it is given.
func (f *CheckerFlags) UseEnvironment(ctx context.Context, p *host.Plugin) error {
	e, err := p.EnvironmentDir(f.EnvData)
	if err != nil {
		return &noEnvironment{err}
	}
	_, err = p.Use(ctx, e)
	return err
}

// DecodeTrace converts data to a format that the core knows. It returns data unchanged in
// each of these cases:
//
//   - the core already knows the format
//   - no plugin decodes traces
//   - the decoding plugin does not know the format
func (l *Plugins) DecodeTrace(ctx context.Context, name string, data []byte) ([]byte, error) {
	if l.Decoder == nil || IsKnownFormat(data) {
		return data, nil
	}
	d, err := l.Decoder.Decode(ctx, filepath.Base(name), data)
	var bad *host.Error
	if errors.As(err, &bad) && bad.Code == abi.CodeUnknownFormat {
		return data, nil
	}
	if err != nil {
		return nil, err
	}
	l.decoded = true
	return d.Trace, nil
}

// ReadRequest reads a file as a request to the core. If the core does not know the file's
// format, ReadRequest lets a plugin decode it.
func (l *Plugins) ReadRequest(name string, stdin io.Reader, stderr io.Writer) (core.Request, error) {
	data, err := ReadFile(name, stdin)
	if err == nil && l.ctx != nil {
		data, err = l.DecodeTrace(l.ctx, name, data)
	}
	if err != nil {
		return core.Request{}, err
	}
	r, err := core.ReadRequest(data)
	l.applyToOptions(&r.Options)
	if err != nil {
		return r, err
	}
	return r, applyFound(name, &r, stderr)
}

// applyToOptions sets the core's options so that the core asks the plugins, and uses all
// processors that Go uses.
func (l *Plugins) applyToOptions(o *core.Options) {
	o.Checkers, o.Advisor = l.Checkers, l.NewAdvisor()
	o.Cores = runtime.GOMAXPROCS(0)
}

// IsKnownFormat reports whether the core knows the format of data. It returns false if
// the core must guess which parts of data are calls, because a plugin may know the
// format.
func IsKnownFormat(data []byte) bool {
	r, err := core.ReadRequest(data)
	if err != nil || len(r.Inputs) == 0 {
		return err == nil
	}
	doc, err := read.Decode(r.Inputs[0].Data)
	return err == nil && !doc.Guessed()
}

// addUsedPlugins adds the plugins that decoded files or classified tools to the report.
// The core has already added the checkers.
func (l *Plugins) addUsedPlugins(r *core.Report) {
	var used []*host.Plugin
	if l.decoded {
		used = append(used, l.Decoder)
	}
	for _, a := range l.advisors {
		if a.told.mayHaveAdvised() {
			used = append(used, a.Plugin)
		}
	}
	for _, p := range used {
		if about := aboutPlugin(p); !slices.Contains(r.Plugins, about) {
			r.Plugins = append(r.Plugins, about)
		}
	}
}

func aboutPlugin(p *host.Plugin) core.Plugin {
	return core.Plugin{Name: p.Description.Name, Version: p.Description.Version, SHA256: p.SHA256}
}

// newChecker returns a plugin as a checker for the core. If t is not nil, the checker
// counts the plugin's answers in t.
func newChecker(ctx context.Context, p *host.Plugin, force bool, t *toldPlugin) *checkers.Checker {
	return &checkers.Checker{Description: p.Description, SHA256: p.SHA256, Force: force,
		Ask: func(r abi.CheckRequest) (abi.Check, error) {
			a, err := p.Check(ctx, r)
			if t != nil {
				t.countCheck(&a, err)
			}
			return a, err
		},
		Slow: func(err error) bool {
			var bad *host.Error
			return errors.As(err, &bad) && bad.Code == host.Deadline
		}}
}

// Evaluate scores a request. It prints the runs that were not scored because of a bug. Then
// PrintContributions returns ExitInput. All commands that score whole files use evaluate,
// except test, which has a result for each run.
func (l *Plugins) Evaluate(r core.Request) (core.Report, error) {
	report, err := core.Evaluate(r)
	for i := range report.Trajectories {
		if t := &report.Trajectories[i]; t.Error != nil {
			fmt.Fprintf(l.stderr, "boundcheck: run %s was not scored: %s\n", words.Printable(t.ID), words.Printable(t.Error.Message))
			l.Broken = true
		}
	}
	return report, err
}
