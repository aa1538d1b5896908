// Package plugin has the commands for plugins, and prompt, whose templates a plugin has.
package plugin

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/plugins/host"
)

const pluginUsage = `usage: boundcheck plugin list [--format json]
       boundcheck plugin verify FILE.wasm|NAME
       boundcheck plugin run FILE.wasm|NAME --op OP [--env-data DIR] [REQUEST.json|-]
       boundcheck plugin test|bench FILE.wasm|NAME CASES…
       boundcheck plugin lock [NAME…]
       boundcheck plugin add FILE|https://…|oci://… [--sha256 HEX] [--key MINISIGN]
       boundcheck plugin install [--offline]
       boundcheck plugin update NAME [--sha256 HEX] | remove NAME
       boundcheck plugin search INDEX [WORD]
       boundcheck plugin push FILE.wasm oci://REGISTRY/NAME:TAG
       boundcheck plugin new NAME [--lang go|rust|c|assemblyscript] [--dir DIR]

Plugins contain what the core does not know: benchmarks and prompts.

  list    list the plugins that come with boundcheck, and those in --plugins DIR
  verify  check a plugin against the contract (plugins/ABI.md): imports, exports, limits, its
          description of itself, and the conformance cases for every plugin
  run     call a plugin once, and print the bytes of its answer (default request: {})
  test    send the requests of CASES (NAME.txtar files, or folders of them, with request.json
          and answer.json) and compare the answers
  bench   measure the time of loading, and of the answers to CASES
  lock    write the hashes of these plugins, or of all, to boundcheck-plugins.lock; after
          that, a module with this name and other bytes is refused
  add     fetch a module, check it in the sandbox, install it for this user (in
          ~/.local/share/boundcheck/plugins, or the system's folder for such data), and lock it
  install restore the plugins in the lock, from earlier downloads or from their sources
  update  fetch the module again from its source; over HTTPS give its new hash
  remove  delete an installed plugin, and its entry in the lock
  search  list an index of plugins: a folder with index.json
  push    put a module into a registry, with FILE.wasm.minisig if that exists
  new     write the sources of a new plugin, which builds, passes its tests and verifies

boundcheck.yaml may have ranges of versions (plugins: {NAME: ^1.2}); add and update then
use the newest tag in the registry within the range.

  --plugins DIR        look for NAME.wasm in DIR first (or in $BOUNDCHECK_PLUGINS), then among
                       the plugins that come with boundcheck, then the installed ones
  --sha256 HEX         for add and update: the module's hash; required over HTTPS
  --key KEY            for add and update: the minisign key of its signature (SOURCE.minisig)
  --offline            for install: fetch nothing
  --plugins-lock FILE  the lock file (default: boundcheck-plugins.lock in the working directory, if
                       it exists); plugins that it does not name are not pinned
  --locked             for verify and run: refuse a plugin that the lock does not name
  --env-data DIR       for run: first send the plugin its files from DIR; the request names them
  --lang LANGUAGE      for new: go (default), rust, c or assemblyscript
  --dir DIR            for new: the folder to write to (default: NAME)
  --format FORMAT      for list and verify: text (default) or json

Exit codes: 0 done, 1 a plugin is refused or broken, 2 usage.
`

// pluginFlags are the flags and arguments of "boundcheck plugin".
type pluginFlags struct {
	verb, plugins, lock, dir, op, env, format string

	sha256, key     string
	lang            string
	locked, offline bool
	args            []string // the arguments after the verb
}

// pluginVerb is one verb of the command. flags names its flags, separated by spaces.
// least and most limit the number of its arguments, and missing describes them in an
// error message.
type pluginVerb struct {
	run         func(*pluginFlags, pluginStreams) error
	flags       string
	least, most int
	missing     string
}

// pluginStreams holds a command's input and outputs.
type pluginStreams struct {
	stdin          io.Reader
	stdout, stderr io.Writer
}

func pluginVerbs() map[string]pluginVerb {
	const all = 1 << 20
	return map[string]pluginVerb{
		"list":    {run: (*pluginFlags).runList, flags: "plugins plugins-lock format"},
		"verify":  {run: (*pluginFlags).runVerify, flags: "plugins plugins-lock locked format", least: 1, most: 1, missing: "FILE.wasm or NAME"},
		"run":     {run: (*pluginFlags).runOperation, flags: "plugins plugins-lock locked op env-data", least: 1, most: 2, missing: "FILE.wasm or NAME"},
		"test":    {run: (*pluginFlags).runTest, flags: "plugins plugins-lock locked", least: 2, most: all, missing: "FILE.wasm or NAME, and CASES"},
		"bench":   {run: (*pluginFlags).runBench, flags: "plugins plugins-lock locked", least: 2, most: all, missing: "FILE.wasm or NAME, and CASES"},
		"lock":    {run: (*pluginFlags).writeLock, flags: "plugins plugins-lock", most: all},
		"add":     {run: (*pluginFlags).runAdd, flags: "plugins-lock sha256 key", least: 1, most: 1, missing: "FILE.wasm or address"},
		"install": {run: (*pluginFlags).runInstall, flags: "plugins-lock offline"},
		"update":  {run: (*pluginFlags).runUpdate, flags: "plugins-lock sha256 key", least: 1, most: 1, missing: "NAME"},
		"remove":  {run: (*pluginFlags).runRemove, flags: "plugins-lock", least: 1, most: 1, missing: "NAME"},
		"search":  {run: (*pluginFlags).runSearch, flags: "format", least: 1, most: 2, missing: "INDEX"},
		"push":    {run: (*pluginFlags).runPush, least: 2, most: 2, missing: "FILE.wasm and oci://REGISTRY/NAME:TAG"},
		"new":     {run: (*pluginFlags).runNew, flags: "dir lang", least: 1, most: 1, missing: "NAME"},
	}
}

func pluginWords() string {
	return strings.Join(slices.Sorted(maps.Keys(pluginVerbs())), ", ")
}

// pluginMisuse is an error in the command line, as opposed to an error of a plugin.
type pluginMisuse struct{ msg string }

func (e pluginMisuse) Error() string { return e.msg }

// errPluginSaid ends a command that has already printed the error.
var errPluginSaid = errors.New("a plugin is refused or broken")

// Plugin lists, verifies, runs, pins and starts plugins.
func Plugin(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	f, err := parsePlugin(args)
	if err == nil {
		err = pluginVerbs()[f.verb].run(f, pluginStreams{stdin, stdout, stderr})
	}
	var usage pluginMisuse
	switch {
	case err == nil:
		return cmd.ExitOK
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(stdout, pluginUsage)
		return cmd.ExitOK
	case errors.As(err, &usage):
		fmt.Fprintf(stderr, "boundcheck plugin: %v\nrun \"boundcheck plugin --help\" for help\n", err)
		return cmd.ExitUsage
	case !errors.Is(err, errPluginSaid):
		fmt.Fprintf(stderr, "boundcheck plugin: %v\n", err)
	}
	return cmd.ExitInput
}

func parsePlugin(args []string) (*pluginFlags, error) {
	f := &pluginFlags{}
	set := flag.NewFlagSet("plugin", flag.ContinueOnError)
	set.SetOutput(io.Discard) // Plugin itself prints errors and usage
	set.StringVar(&f.plugins, "plugins", "", "")
	set.StringVar(&f.lock, "plugins-lock", "", "")
	set.BoolVar(&f.locked, "locked", false, "")
	set.BoolVar(&f.offline, "offline", false, "")
	set.StringVar(&f.sha256, "sha256", "", "")
	set.StringVar(&f.key, "key", "", "")
	set.StringVar(&f.lang, "lang", "", "")
	set.StringVar(&f.dir, "dir", "", "")
	set.StringVar(&f.op, "op", "", "")
	set.StringVar(&f.env, "env-data", "", "")
	set.StringVar(&f.format, "format", "text", "")
	if err := cmd.ParseInterspersed(set, args, &f.args); errors.Is(err, flag.ErrHelp) {
		return nil, err
	} else if err != nil {
		return nil, pluginMisuse{err.Error()}
	}
	if len(f.args) == 0 {
		return nil, pluginMisuse{"missing subcommand: want one of " + pluginWords()}
	}
	f.verb, f.args = f.args[0], f.args[1:]
	return f, f.CheckFlags(set)
}

func (f *pluginFlags) CheckFlags(set *flag.FlagSet) (err error) {
	verb, known := pluginVerbs()[f.verb]
	switch {
	case f.verb == "help":
		return flag.ErrHelp
	case !known:
		return pluginMisuse{fmt.Sprintf("unknown %q; there are %s", f.verb, pluginWords())}
	case len(f.args) < verb.least:
		return pluginMisuse{"missing " + verb.missing}
	case len(f.args) > verb.most:
		return pluginMisuse{fmt.Sprintf("unexpected argument %q", f.args[verb.most])}
	case f.format != "text" && f.format != "json":
		return pluginMisuse{fmt.Sprintf("unknown format %q: want text or json", f.format)}
	}
	set.Visit(func(given *flag.Flag) {
		if !slices.Contains(strings.Fields(verb.flags), given.Name) {
			err = pluginMisuse{fmt.Sprintf("--%s cannot be used with %s", given.Name, f.verb)}
		}
	})
	return err
}

// searchFolder returns the folder in which NAME.wasm is searched, or "" for the plugins
// that come with boundcheck or are installed.
func (f *pluginFlags) searchFolder() string {
	if f.plugins != "" {
		return f.plugins
	}
	return os.Getenv(host.EnvDir)
}

// findModule reads a module given as a file or by its name.
func (f *pluginFlags) findModule(ctx context.Context, what string, stderr io.Writer) (name string, wasm []byte, err error) {
	return cmd.FindPlugin(ctx, what, host.Sources{Dir: f.plugins, Log: stderr})
}
