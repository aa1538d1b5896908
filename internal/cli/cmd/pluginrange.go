package cmd

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/Masterminds/semver/v3"

	"github.com/boundcheck/boundcheck/core/config"
	"github.com/boundcheck/boundcheck/internal/words"
	"github.com/boundcheck/boundcheck/plugins/abi"
)

// ranges holds the permitted versions of plugins, by name.
type ranges map[string]*semver.Constraints

func readRanges(texts map[string]string) (all ranges, err error) {
	all = ranges{}
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		if all[name], err = semver.NewConstraint(texts[name]); err != nil {
			return nil, fmt.Errorf(`%s: invalid version range: %w; valid examples are ^1.2, ~1.2.3 and ">=1.2, <3"`, name, err)
		}
	}
	return all, nil
}

// checkVersion returns an error if a version of the named plugin is outside the range in
// the configuration.
func (r ranges) checkVersion(name, version string) error {
	within, named := r[name]
	if !named {
		return nil
	}
	v, err := semver.StrictNewVersion(version)
	if err != nil || !within.Check(v) {
		return fmt.Errorf("version %s is outside the range %q that %s requires", version, within, config.Name)
	}
	return nil
}

// VersionChecker returns a function that checks a plugin's version against the
// configuration.
func (o LockOf) VersionChecker() (func(abi.Description) error, error) {
	if o.conf == nil {
		o.conf = &ConfigFlags{}
	}
	if o.conf.None {
		return nil, nil
	}
	c, err := ReadConfig(o.conf.Name, ".")
	if err != nil || len(c.plugins) == 0 {
		return nil, err
	}
	return func(d abi.Description) error { return c.plugins.checkVersion(d.Name, d.Version) }, nil
}

// ResolveNewest replaces the tag in a registry's address by the highest version in the
// plugin's range. The range comes from the configuration. If there is no range or source
// is not in a registry, the result is source.
//
// For a new plugin, name is "". The plugin's name is then the last part of the address,
// and an address that already has a tag stays unchanged.
func ResolveNewest(source, name string) (string, error) {
	reference, oci := strings.CutPrefix(source, "oci://")
	bare, _, _ := strings.Cut(ReplaceTag(reference, ""), "@")
	if !oci || name == "" && bare != reference {
		return source, nil
	}
	c, err := ReadConfig("", ".")
	if err != nil {
		return "", err
	}
	within := c.plugins[cmp.Or(name, path.Base(bare))]
	if within == nil {
		return source, nil
	}
	tags, err := Fetcher.Tags(context.Background(), bare)
	if err != nil {
		return "", err
	}
	var best *semver.Version
	for _, tag := range tags {
		if v, err := semver.StrictNewVersion(tag); err == nil && within.Check(v) && (best == nil || v.GreaterThan(best)) {
			best = v
		}
	}
	if best == nil {
		return "", fmt.Errorf("oci://%s has no version in the range %q that %s requires; available versions are %s", bare, within, config.Name, words.Printable(strings.Join(tags, ", ")))
	}
	return "oci://" + bare + ":" + best.Original(), nil
}
