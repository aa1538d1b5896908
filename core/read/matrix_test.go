package read

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/ref/reference"
	"github.com/boundcheck/boundcheck/core/trajectory"
	"github.com/boundcheck/boundcheck/internal/drawn"
	"github.com/boundcheck/boundcheck/internal/made"
)

// TestRecordsComeBack writes generated records of tests in each notation and each vocabulary, and reads them
// again: each is one run, with its calls, its reference and its verdict.
func TestRecordsComeBack(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 66))
	files, lost := 0, map[string]int{}
	examples := map[string]string{}
	for range drawn.Cases(1) {
		for _, form := range made.Notations() {
			for _, names := range made.Vocabularies {
				if strings.HasPrefix(form.Name, "console") && names.Language != "en" {
					continue
				}
				list := made.Records(r)
				data := form.Write(list, names)
				files++
				if fault := compareRecords(list, data, !hasAny(form.Name, "csv", "markdown", "console", "attempts", "models")); fault != "" {
					lost[form.Name+", "+names.Language+" "+names.Expected]++
					examples[form.Name+", "+names.Language+" "+names.Expected] = fault
					if dir := os.Getenv("MATRIX_DIR"); dir != "" {
						_ = os.WriteFile(dir+"/"+strings.NewReplacer(" ", "_", "/", "_", `"`, "").Replace(form.Name+"_"+names.Expected), data, 0o600)
					}
				}
			}
		}
	}
	t.Logf("%d files, %d not read equal", files, total(lost))
	keys := []string{}
	for key := range lost {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for _, key := range keys {
		t.Errorf("%d × %s: %s", lost[key], key, examples[key])
	}
}

func hasAny(name string, words ...string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(name, word) })
}

func total(m map[string]int) (n int) {
	for _, k := range m {
		n += k
	}
	return n
}

// compareRecords returns what is lost of records in a file, or "". saysNothing is whether an empty side of a
// record says there that nothing was expected. An empty cell does not, and neither does a list of a case around
// several runs.
func compareRecords(list []made.Record, data []byte, saysNothing bool) string {
	doc, err := Decode(data)
	if err != nil {
		return err.Error()
	}
	if len(doc.Trajectories) != len(list) {
		return fmt.Sprintf("%d runs, want %d", len(doc.Trajectories), len(list))
	}
	for i, rec := range list {
		got := &doc.Trajectories[i]
		if a, b := showActions(got), showDeeds(rec.Actual); a != b {
			return fmt.Sprintf("run %d did %s, want %s", i, a, b)
		}
		if a, b := showReference(got.Reference), showDeeds(rec.Expected); a != b {
			return fmt.Sprintf("run %d should %s, want %s", i, a, b)
		}
		if got.Reference == nil && saysNothing {
			return fmt.Sprintf("run %d has no reference, want %d steps", i, len(rec.Expected))
		}
		if got.Success == nil || *got.Success != rec.Passed {
			return fmt.Sprintf("run %d passed: %s, want %v", i, showBool(got.Success), rec.Passed)
		}
	}
	return ""
}

func showBool(b *bool) string {
	if b == nil {
		return "not said"
	}
	return fmt.Sprint(*b)
}

func showDeeds(list []made.Deed) string {
	var out []string
	for _, d := range list {
		text, _ := json.Marshal(d.Arguments())
		v, _ := jsonval.Parse(string(text))
		out = append(out, d.Tool+v.Canonical())
	}
	return strings.Join(out, " ")
}

func showActions(t *trajectory.Trajectory) string {
	var out []string
	for _, a := range t.Actions {
		out = append(out, a.Name+argumentsText(a.Arguments.Canonical()))
	}
	return strings.Join(out, " ")
}

func argumentsText(arguments string) string {
	if arguments == "" {
		return "{}"
	}
	return arguments
}

func showReference(ref *reference.Reference) string {
	if ref == nil {
		return ""
	}
	var out []string
	for _, s := range ref.Steps {
		out = append(out, s.Name+argumentsText(s.Arguments.Canonical()))
	}
	return strings.Join(out, " ")
}
