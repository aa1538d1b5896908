// Package example is a plugin without a checker: it has a prompt template, and
// classifies the tools of a calendar that change something. guest is its module.
package example

import (
	"strings"

	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/sdk"
)

// Plugin returns the plugin that the guest serves.
func Plugin() *sdk.Plugin {
	templates, render := sdk.Renders(sdk.Template{
		ID:      "calendar-rules",
		Version: "1.0.0",
		Summary: "rules for an agent that changes a calendar",
		Variables: []abi.Variable{
			{Name: "owner", Kind: abi.KindText, Summary: "the owner of the calendar"},
			{Name: "rules", Kind: abi.KindTexts, Summary: "your own rules, one per line"},
		},
		Text: rulesText,
	})
	return &sdk.Plugin{
		Description: abi.Description{
			Name:      "example",
			Version:   "0.1.0",
			Summary:   "a prompt with the rules of a calendar, and verdicts that say which calendar tools change something",
			Templates: templates,
		},
		Ops: map[string]sdk.Op{
			abi.OpPromptRender:  render,
			abi.OpToolsClassify: sdk.Typed(Classify),
		},
	}
}

func rulesText(v sdk.Values) string {
	lines := []string{"Before you create, move or delete an event, say which event, from when to when, and who is told."}
	if owner := v.Text("owner"); owner != "" {
		lines = append(lines, "The calendar is "+owner+"'s. Nobody else's may be changed.")
	}
	for _, rule := range v.Texts("rules") {
		lines = append(lines, "- "+rule)
	}
	return strings.Join(lines, "\n")
}

// Classify returns verdicts on the tools of a calendar. For example, it knows that a
// proposal for a date is sent to other people. It leaves out tools that it does not know.
func Classify(r abi.ClassifyRequest) (abi.Classified, error) {
	out := abi.Classified{Tools: []abi.Classification{}} // an empty list, not null
	for _, t := range r.Tools {
		word, reason := "", ""
		switch t.Name {
		case "propose_slot", "rsvp":
			word, reason = "yes", "it sends something to the guests"
		case "sync_calendar":
			word, reason = "unknown", "the changes depend on the other calendar"
		case "list_events", "free_busy":
			word, reason = "no", "it only reads"
		default:
			continue
		}
		out.Tools = append(out.Tools, abi.Classification{Name: t.Name, Mutating: word, Reason: reason})
	}
	return out, nil
}
