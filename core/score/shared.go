package score

import (
	"path"
	"strings"

	"github.com/boundcheck/boundcheck/core/trajectory"
)

// sharedFile is a file with data about runs in other files.
type sharedFile struct {
	*trajectory.Shared
	file int // 1 for the first
}

// shareFileData gives runs the model, the policy and the references from another file of
// the same format. If only one file has such data, all runs of its format get the data.
// If several files have such data, a run gets only the data of files whose folder
// contains the run's file. O(runs · files).
func (e *evaluator) shareFileData() {
	for i := range e.runs {
		r := &e.runs[i]
		for _, s := range e.shared {
			if e.files[s.file-1].Format != e.files[r.file-1].Format || len(e.shared) > 1 && !e.isInFolderOf(r.file, s.file) {
				continue
			}
			t := r.Trajectory
			if t.Model == "" {
				t.Model = s.Model
			}
			if t.Policy == "" {
				t.Policy = s.Policy
			}
			o := &e.request
			if t.Reference == nil {
				t.Reference = s.References[t.Task]
				if r.held == nil && o.Reference == nil && len(o.References) == 0 && !o.Options.Unreferenced {
					r.held = e.withIgnoredArguments(t.Reference)
				}
			}
		}
	}
}

// isInFolderOf reports whether a file is in the folder of another file, or in a folder
// below it. The parameter file is the number of the first file, and the parameter of is
// the number of the other file. Numbers count from 1.
func (e *evaluator) isInFolderOf(file, of int) bool {
	folder := path.Dir(e.files[of-1].Name)
	return folder == "." || strings.HasPrefix(e.files[file-1].Name, folder+"/")
}
