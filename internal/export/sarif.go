package export

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/explain"
	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/internal/words"
)

// sarifLog is the part of a SARIF 2.1.0 log that a report needs. Each violation is a
// result, and so is the doubt about a run. Each warning is a notification of the only invocation.
type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool        sarifTool         `json:"tool"`
	Invocations []sarifInvocation `json:"invocations"`
	Artifacts   []sarifArtifact   `json:"artifacts"`
	Results     []sarifResult     `json:"results"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name           string      `json:"name"`
	InformationURI string      `json:"informationUri"`
	Rules          []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID    string    `json:"id"`
	Short sarifText `json:"shortDescription"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifInvocation struct {
	Successful    bool                `json:"executionSuccessful"`
	Notifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
}

type sarifNotification struct {
	Descriptor sarifID         `json:"descriptor"`
	Level      string          `json:"level"`
	Message    sarifText       `json:"message"`
	Locations  []sarifLocation `json:"locations,omitempty"`
}

type sarifID struct {
	ID string `json:"id"`
}

type sarifArtifact struct {
	Location sarifURI `json:"location"`
}

type sarifURI struct {
	URI   string `json:"uri"`
	Index *int   `json:"index,omitempty"` // into the run's artifacts
}

type sarifResult struct {
	RuleID       string             `json:"ruleId"`
	RuleIndex    int                `json:"ruleIndex"`
	Level        string             `json:"level"`
	Message      sarifText          `json:"message"`
	Locations    []sarifLocation    `json:"locations"`
	Fingerprints map[string]string  `json:"partialFingerprints"`
	Rank         float64            `json:"rank"` // the confidence, from 0 to 100
	Properties   sarifProperties    `json:"properties"`
	Suppressions []sarifSuppression `json:"suppressions,omitempty"` // for a finding that the judge excused
}

type sarifSuppression struct {
	Kind          string `json:"kind"`
	Justification string `json:"justification"`
}

type sarifProperties struct {
	Type        string `json:"type"`
	Pattern     string `json:"pattern,omitempty"`
	By          string `json:"by"`
	Attribution string `json:"attribution,omitempty"` // the primary mode, at the first failure point
}

type sarifLocation struct {
	Physical sarifPhysical  `json:"physicalLocation"`
	Logical  []sarifLogical `json:"logicalLocations,omitempty"`
}

type sarifPhysical struct {
	Artifact sarifURI     `json:"artifactLocation"`
	Region   *sarifRegion `json:"region,omitempty"` // nil if the line is unknown
}

type sarifRegion struct {
	StartLine int `json:"startLine"`
}

type sarifLogical struct {
	Name string `json:"name"`
	Full string `json:"fullyQualifiedName"`
	Kind string `json:"kind"`
}

// writeSARIF prints a report as SARIF, for tools that show code scanning results.
func writeSARIF(w io.Writer, r *report.Report, files []string) {
	all := reportSources(r, files)
	run := sarifRun{
		Tool:        sarifTool{sarifDriver{Name: "Boundcheck", InformationURI: "https://github.com/boundcheck/boundcheck", Rules: rulesOf(r)}},
		Invocations: []sarifInvocation{{Successful: readAll(r), Notifications: sarifNotifications(r.Warnings, all)}},
		Results:     []sarifResult{},
	}
	index := map[string]int{}
	for i, rule := range run.Tool.Driver.Rules {
		index[rule.ID] = i
	}
	for i := range all {
		run.Artifacts = append(run.Artifacts, sarifArtifact{sarifURI{URI: artifactURI(all[i].name)}})
		at := sarifURI{artifactURI(all[i].name), &i}
		for k := range all[i].runs {
			run.Results = append(run.Results, sarifResults(&all[i].runs[k], at, index)...)
			run.Results = append(run.Results, sarifDoubt(&all[i].runs[k], at, index)...)
		}
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.Encode(sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}})
}

// rulesOf returns the rules that found something in the report, sorted by id.
func rulesOf(r *report.Report) []sarifRule {
	short := map[string]string{}
	for i := range r.Trajectories {
		for _, v := range allFindings(&r.Trajectories[i]) {
			if short[v.Rule] != "" {
				continue // explain.Short is slow, so it is called once for each rule
			}
			if short[v.Rule] = explain.Short(v.Rule); short[v.Rule] == "" {
				short[v.Rule] = "A boundary broke: " + string(v.Type) + "."
			}
		}
	}
	for i := range r.Trajectories {
		if kind, _ := words.Doubt(&r.Trajectories[i]); kind != "" {
			short[kind] = doubtRules[kind]
		}
	}
	rules := make([]sarifRule, 0, len(short))
	for id, text := range short {
		rules = append(rules, sarifRule{id, sarifText{text}})
	}
	sort.Slice(rules, func(i, j int) bool { return rules[i].ID < rules[j].ID })
	return rules
}

// doubtRules are the descriptions of the kinds of doubt, which stand beside the rules.
var doubtRules = map[string]string{
	words.RecordedFailure: "The source says that the run failed, and no finding says why.",
	words.NotKnown:        "It is not known whether the run is good.",
}

// sarifDoubt returns the doubt about a run as a result, or nil if there is none.
func sarifDoubt(t *report.Trajectory, at sarifURI, index map[string]int) []sarifResult {
	kind, verdict := words.Doubt(t)
	if kind == "" {
		return nil
	}
	level := "note"
	if words.Unproven(t) {
		level = "warning"
	}
	id := words.Printable(t.ID)
	return []sarifResult{{
		RuleID: kind, RuleIndex: index[kind], Level: level, Message: sarifText{escapeMessage(verdict)},
		Locations:    []sarifLocation{{Physical: sarifPhysical{Artifact: at}, Logical: []sarifLogical{{id, id, "trajectory"}}}},
		Fingerprints: map[string]string{"boundcheckViolation/v1": violationFingerprint(t, &report.Violation{Rule: kind}) + ":1"},
		Properties:   sarifProperties{Type: kind, By: "record"},
	}}
}

// allFindings returns a run's violations, followed by the findings that the judge
// excused.
func allFindings(t *report.Trajectory) []report.Violation {
	return slices.Concat(t.Violations, t.Excused)
}

// sarifResults returns a run's findings as SARIF results. A finding that the judge
// excused is marked as suppressed. Findings with equal fingerprints are numbered in the
// order of the results.
func sarifResults(t *report.Trajectory, at sarifURI, index map[string]int) []sarifResult {
	seen := map[string]int{}
	all := allFindings(t)
	found := make([]sarifResult, len(all))
	for i := range all {
		v := &all[i]
		print := violationFingerprint(t, v)
		said := v.Reason
		if i < len(t.Violations) {
			said = words.Finding(t, i)
		}
		seen[print]++
		found[i] = sarifResult{
			RuleID: v.Rule, RuleIndex: index[v.Rule], Level: severityLevel(v), Message: sarifText{escapeMessage(words.Beside(said, words.Opinion(v)))},
			Locations:    []sarifLocation{{Physical: sarifPhysical{Artifact: at, Region: callRegion(t, v)}, Logical: logicalLocations(t, v)}},
			Fingerprints: map[string]string{"boundcheckViolation/v1": fmt.Sprintf("%s:%d", print, seen[print])},
			Rank:         v.Confidence * 100,
			Properties:   sarifProperties{Type: string(v.Type), Pattern: string(v.Pattern), By: v.By},
		}
		if i >= len(t.Violations) {
			found[i].Message = sarifText{escapeMessage(v.Reason)}
			found[i].Suppressions = []sarifSuppression{{"external", escapeMessage(words.Opinion(v))}}
		} else if a := t.Attribution; a != nil && a.First == i {
			found[i].Properties.Attribution = a.Primary.Mode
		}
	}
	return found
}

// callRegion returns the line of the call that a violation is about. It returns nil if
// the line is unknown, or if the violation is about a missing call.
func callRegion(t *report.Trajectory, v *report.Violation) *sarifRegion {
	if v.Obs == nil || t.Observed[*v.Obs].Line == 0 {
		return nil
	}
	return &sarifRegion{t.Observed[*v.Obs].Line}
}

// severityLevel returns the severity of a violation:
//
//   - "note" if its confidence is below 0.7
//   - "warning" if its confidence is below 0.9, or if it is a violation of granularity
//   - "error" in all other cases
func severityLevel(v *report.Violation) string {
	switch granular := strings.HasSuffix(string(v.Type), "-granular"); {
	case v.Confidence < 0.7:
		return "note"
	case v.Confidence < 0.9 || granular:
		return "warning"
	}
	return "error"
}

// logicalLocations returns the logical locations of a violation. They are its run, and
// the actions that the violation is about.
func logicalLocations(t *report.Trajectory, v *report.Violation) []sarifLogical {
	id := words.Printable(t.ID)
	places := []sarifLogical{{id, id, "trajectory"}}
	if v.Obs != nil {
		places = append(places, sarifLogical{words.Printable(t.Observed[*v.Obs].Name), fmt.Sprintf("%s/observed/%d", id, *v.Obs), "action"})
	}
	if v.Ref != nil {
		places = append(places, sarifLogical{words.Printable(t.Reference[*v.Ref].Name), fmt.Sprintf("%s/reference/%d", id, *v.Ref), "reference-step"})
	}
	return places
}

// violationFingerprint returns a hash that identifies a violation. The hash does not
// depend on the indices of the actions. Therefore it stays the same if steps are added
// elsewhere in the run.
func violationFingerprint(t *report.Trajectory, v *report.Violation) string {
	parts := []string{t.ID, v.Rule, string(v.Type)}
	if v.Obs != nil {
		a := &t.Observed[*v.Obs]
		parts = append(parts, "observed", a.Name, a.Arguments, a.Text)
	}
	if v.Ref != nil {
		a := &t.Reference[*v.Ref]
		parts = append(parts, "reference", a.Name, a.Arguments, a.Text)
	}
	text, _ := json.Marshal(parts) // quoted, so that two lists never look alike
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}

// readAll reports whether every file could be read, and every run was scored.
func readAll(r *report.Report) bool {
	return !slices.ContainsFunc(r.Input.Files, func(f report.File) bool { return f.Error != "" }) &&
		!slices.ContainsFunc(r.Trajectories, func(t report.Trajectory) bool { return t.Error != nil })
}

// sarifNotifications returns the report's warnings as SARIF notifications. A notification
// has a location only if exactly one file was scored. The location has a line but no
// column, because Boundcheck counts columns in bytes and SARIF in characters.
func sarifNotifications(warnings []report.Warning, all []source) []sarifNotification {
	var said []sarifNotification
	for i := range warnings {
		w := &warnings[i]
		level := "warning"
		if w.Code == "file-not-read" || w.Code == core.Internal {
			level = "error"
		}
		n := sarifNotification{Descriptor: sarifID{w.Code}, Level: level, Message: sarifText{escapeMessage(words.Warning(w))}}
		if len(all) == 1 && w.Line > 0 {
			region := sarifRegion{w.Line}
			n.Locations = []sarifLocation{{Physical: sarifPhysical{Artifact: sarifURI{URI: artifactURI(all[0].name)}, Region: &region}}}
		}
		said = append(said, n)
	}
	return said
}

// artifactURI returns a file's name as a URI reference, which is relative if the name is
// relative. It does not use net/url, because browsers download this code.
func artifactURI(name string) string {
	path, scheme := filepath.ToSlash(name), ""
	if filepath.IsAbs(name) {
		path, scheme = "/"+strings.TrimPrefix(path, "/"), "file://"
	}
	var b strings.Builder
	b.WriteString(scheme)
	if first, _, _ := strings.Cut(path, "/"); scheme == "" && strings.Contains(first, ":") {
		b.WriteString("./") // or else the text before the colon would be a scheme
	}
	for _, c := range []byte(path) {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-_.~$&+,/:;=@", c) >= 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// escapeMessage makes text from a trace safe for a SARIF message. It breaks up
// [words](target), which viewers would show as a link, and makes control characters
// visible.
func escapeMessage(s string) string { return strings.ReplaceAll(words.Printable(s), "](", "] (") }
