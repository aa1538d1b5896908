package cli

import (
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/config"
	"github.com/boundcheck/boundcheck/internal/yamljson"
)

const configUsage = `
  --config FILE          settings for this project's traces. The default is boundcheck.yaml in this
                         folder, if the file exists. internal/cli/config.schema.json lists the settings
  --no-config            read no configuration file
`

// configFlags select the configuration file.
type configFlags struct {
	name string
	none bool
	read configFile
}

func (f *configFlags) registerFlags(set *flag.FlagSet) {
	set.StringVar(&f.name, "config", "", "")
	set.BoolVar(&f.none, "no-config", false, "")
}

// applyConfig reads the configuration file, and uses its values for flags that were not
// given.
func (f *scoreFlags) applyConfig() error {
	if f.conf.none {
		return nil
	}
	c, err := readConfig(f.conf.name, ".")
	if err != nil {
		return err
	}
	f.conf.read = *c
	if f.fail.on == "" && c.FailOn != "never" {
		f.fail.on = c.FailOn
	}
	if f.fail.confidence == 0 && f.fail.on != "" {
		f.fail.confidence = c.MinConfidence
	}
	if f.thresholds == nil && !f.lint {
		f.thresholds = c.failUnder
	}
	return nil
}

// configFile is a project's boundcheck.yaml. It cannot load code. It may restrict the
// versions of plugins, but only the command line selects plugins.
type configFile struct {
	config.Config
	path, hash string     // of its text; "" if there is no file
	failUnder  thresholds // of FailUnder
	plugins    ranges     // of Plugins
}

// readConfig reads the configuration file with the given name. If name is "", it reads
// boundcheck.yaml in the folder dir. If dir has no such file, the result is an empty
// configuration.
func readConfig(name, dir string) (*configFile, error) {
	path := name
	if name == "" {
		path = filepath.Join(dir, config.Name)
	}
	data, err := os.ReadFile(path)
	if name == "" && errors.Is(err, fs.ErrNotExist) {
		return &configFile{}, nil
	}
	if err != nil {
		return nil, err
	}
	c := &configFile{path: path, hash: fmt.Sprintf("%x", sha256.Sum256(data))}
	if err := c.parse(string(data)); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return c, nil
}

func (c *configFile) parse(text string) error {
	json, err := yamljson.ToJSON(text)
	if errors.Is(err, yamljson.ErrEmpty) {
		return nil
	}
	if err != nil {
		return err
	}
	v, err := jsonval.Parse(json)
	if err != nil {
		return err
	}
	read, err := config.Read(v)
	if err != nil {
		return err
	}
	c.Config = *read
	for _, b := range c.FailUnder {
		if err := c.failUnder.Set(b.Metric + "=" + strconv.FormatFloat(b.Value, 'g', -1, 64)); err != nil {
			return fmt.Errorf("fail-under: %w", err)
		}
	}
	if c.plugins, err = readRanges(c.Plugins); err != nil {
		return fmt.Errorf("plugins: %w", err)
	}
	return nil
}

// applyToRequest replaces the configuration of a request by the configuration in the
// file, and sets the path of each input. It does nothing if there is no configuration
// file.
func (c *configFile) applyToRequest(r *core.Request) {
	if c.path == "" {
		return
	}
	r.Options.Config = &c.Config
	for i := range r.Inputs {
		r.Inputs[i].Path = c.relativePath(r.Inputs[i].Name)
	}
}

// relativePath returns a file's path relative to the configuration file's folder, with
// slashes.
func (c *configFile) relativePath(file string) string {
	dir, err := filepath.Abs(filepath.Dir(c.path))
	if err == nil {
		if abs, err := filepath.Abs(file); err == nil {
			if rel, err := filepath.Rel(dir, abs); err == nil {
				return filepath.ToSlash(rel)
			}
		}
	}
	return filepath.ToSlash(file)
}
