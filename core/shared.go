package core

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

// shareFileData completes runs with data that another file of the same format has: the
// model, the policy and the references. For example, τ² can keep each simulation in a
// separate file, below the folder of the file with the tasks. If only one file has such
// data, all runs get the data, in whatever folders their files are. O(runs · files).
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

// isInFolderOf reports whether one file is in the folder of another file, or in a folder
// below it. The arguments file and of are the numbers of the first and of the second
// file.
func (e *evaluator) isInFolderOf(file, of int) bool {
	folder := path.Dir(e.files[of-1].Name)
	return folder == "." || strings.HasPrefix(e.files[file-1].Name, folder+"/")
}
