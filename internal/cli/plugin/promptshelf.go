package plugin

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/internal/words"
	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/host"
)

// shelf holds the available templates: those of the user's own plugin, then those of
// the bundled one.
type shelf struct {
	offers []offer // in the order in which they are listed
}

// offer is a template and the plugin that renders it.
type offer struct {
	template abi.Template
	plugin   *host.Plugin
	bundled  bool
	replaced *host.Plugin // the plugin whose template of the same name it replaces; nil for none
}

// loadShelf opens the bundled plugin. If the user named another plugin, loadShelf opens
// that plugin, too, and its templates replace bundled templates with the same name.
func (f *promptFlags) loadShelf(ctx context.Context, h *host.Host, stderr io.Writer) (*shelf, error) {
	ours, err := f.openPlugin(ctx, h, "prompts", stderr)
	if err != nil {
		return nil, err
	}
	out := &shelf{}
	for _, t := range ours.Description.Templates {
		out.offers = append(out.offers, offer{template: t, plugin: ours, bundled: true})
	}
	if f.plugin == "" {
		return out, nil
	}
	own, err := f.openPlugin(ctx, h, f.plugin, stderr)
	if err != nil {
		return nil, err
	}
	if !slices.Contains(own.Description.Operations, abi.OpPromptRender) || len(own.Description.Templates) == 0 {
		return nil, fmt.Errorf("plugin %q has no prompt templates; its operations are %s", own.Description.Name, words.Printable(strings.Join(own.Description.Operations, ", ")))
	}
	for _, t := range own.Description.Templates {
		o := offer{template: t, plugin: own}
		if i := out.offerIndex(t.ID); i >= 0 {
			o.replaced = out.offers[i].plugin
			out.offers[i] = o
		} else {
			out.offers = append(out.offers, o)
		}
	}
	return out, nil
}

func (f *promptFlags) openPlugin(ctx context.Context, h *host.Host, what string, stderr io.Writer) (*host.Plugin, error) {
	name, wasm, err := cmd.FindPlugin(ctx, what, host.Sources{Dir: f.plugins, Log: stderr})
	if err != nil {
		return nil, err
	}
	return cmd.LoadPinned(ctx, h, wasm, host.Manifest{Name: name}, cmd.LockOf{File: f.lock, Locked: f.locked})
}

func (s *shelf) offerIndex(id string) int {
	return slices.IndexFunc(s.offers, func(o offer) bool { return o.template.ID == id })
}

// findOffer returns the template that the command line asks for. The command line gives
// the whole name of the template, or its family and variant.
func (s *shelf) findOffer(f *promptFlags) (*offer, error) {
	id, variant := f.word, f.variant
	if variant == "" && id == "ebp" {
		variant = "full"
	}
	if variant != "" {
		id += "-" + variant
	}
	if i := s.offerIndex(id); i >= 0 {
		return &s.offers[i], nil
	}
	var variants, all []string
	for _, o := range s.offers {
		all = append(all, o.template.ID)
		if v, ok := strings.CutPrefix(o.template.ID, f.word+"-"); ok {
			variants = append(variants, v)
		}
	}
	switch {
	case len(variants) > 0 && variant == "":
		return nil, promptMisuse{fmt.Sprintf("prompt %s needs --variant; the variants are %s", f.word, strings.Join(variants, ", "))}
	case len(variants) > 0:
		return nil, promptMisuse{fmt.Sprintf("unknown variant %q; the variants are %s", variant, strings.Join(variants, ", "))}
	}
	return nil, promptMisuse{fmt.Sprintf("unknown prompt %q; the prompts are %s", id, strings.Join(all, ", "))}
}

// pluginLabel returns the name and the version of the plugin that renders a template. If
// the template replaces a template of another plugin, the text also names the other
// plugin.
func (o *offer) pluginLabel() string {
	s := o.plugin.Description.Name + " " + o.plugin.Description.Version
	if o.replaced != nil {
		s += ", in place of " + o.replaced.Description.Name + " " + o.replaced.Description.Version
	}
	return s
}

func (s *shelf) listTemplates(format string, stdout io.Writer) error {
	if format == "json" {
		type listed struct {
			Plugin   usedPlugin  `json:"plugin"`
			Replaced *usedPlugin `json:"replaced,omitempty"`
			abi.Template
		}
		out := struct {
			Templates []listed `json:"templates"`
		}{}
		for _, o := range s.offers {
			l := listed{Plugin: usedOf(o.plugin), Template: o.template}
			if o.replaced != nil {
				used := usedOf(o.replaced)
				l.Replaced = &used
			}
			out.Templates = append(out.Templates, l)
		}
		return promptJSON(stdout, out)
	}
	w := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "TEMPLATE\tVERSION\tTOKENS\tVARIABLES (* needed)\tBY\tSUMMARY")
	for _, o := range s.offers {
		var names []string
		for _, v := range o.template.Variables {
			if v.Required {
				v.Name += "*"
			}
			names = append(names, v.Name)
		}
		fmt.Fprintf(w, "%s\t%s\tabout %d\t%s\t%s\t%s\n", o.template.ID, o.template.Version, o.template.Tokens.About, strings.Join(names, ", "), o.pluginLabel(), o.template.Summary)
	}
	return w.Flush()
}
