package cmd

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

// ConfigUsage describes the flags of ConfigFlags.
const ConfigUsage = `
  --config FILE          settings for this project's traces. The default is boundcheck.yaml in this
                         folder, if the file exists. internal/cli/cmd/config.schema.json lists the settings
  --no-config            read no configuration file
`

// ConfigFlags select the configuration file.
type ConfigFlags struct {
	Name string
	None bool
	Read ConfigFile
}

// RegisterFlags defines the flags.
func (f *ConfigFlags) RegisterFlags(set *flag.FlagSet) {
	set.StringVar(&f.Name, "config", "", "")
	set.BoolVar(&f.None, "no-config", false, "")
}

// ApplyConfig reads the configuration file, and uses its values for flags that were not
// given.
func (f *ScoreFlags) ApplyConfig() error {
	if f.Conf.None {
		return nil
	}
	c, err := ReadConfig(f.Conf.Name, ".")
	if err != nil {
		return err
	}
	f.Conf.Read = *c
	if f.Fail.On == "" && c.FailOn != "never" {
		f.Fail.On = c.FailOn
	}
	if f.Fail.confidence == 0 && f.Fail.On != "" {
		f.Fail.confidence = c.MinConfidence
	}
	if f.Thresholds == nil && !f.Lint {
		f.Thresholds = c.failUnder
	}
	return nil
}

// ConfigFile is a project's boundcheck.yaml. It cannot load code. It may restrict the
// versions of plugins, but only the command line selects plugins.
type ConfigFile struct {
	config.Config
	Path, Hash string     // of its text; "" if there is no file
	failUnder  Thresholds // of FailUnder
	plugins    ranges     // of Plugins
}

// ReadConfig reads the configuration file with the given name. If name is "", it reads
// boundcheck.yaml in the folder dir. If dir has no such file, the result is an empty
// configuration.
func ReadConfig(name, dir string) (*ConfigFile, error) {
	path := name
	if name == "" {
		path = filepath.Join(dir, config.Name)
	}
	data, err := os.ReadFile(path)
	if name == "" && errors.Is(err, fs.ErrNotExist) {
		return &ConfigFile{}, nil
	}
	if err != nil {
		return nil, err
	}
	c := &ConfigFile{Path: path, Hash: fmt.Sprintf("%x", sha256.Sum256(data))}
	if err := c.parse(string(data)); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return c, nil
}

func (c *ConfigFile) parse(text string) error {
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

// ApplyToRequest replaces the configuration of a request by the configuration in the
// file, and sets the path of each input. It does nothing if there is no configuration
// file.
func (c *ConfigFile) ApplyToRequest(r *core.Request) {
	if c.Path == "" {
		return
	}
	r.Options.Config = &c.Config
	for i := range r.Inputs {
		r.Inputs[i].Path = c.relativePath(r.Inputs[i].Name)
	}
}

// relativePath returns a file's path relative to the configuration file's folder, with
// slashes.
func (c *ConfigFile) relativePath(file string) string {
	dir, err := filepath.Abs(filepath.Dir(c.Path))
	if err == nil {
		if abs, err := filepath.Abs(file); err == nil {
			if rel, err := filepath.Rel(dir, abs); err == nil {
				return filepath.ToSlash(rel)
			}
		}
	}
	return filepath.ToSlash(file)
}
