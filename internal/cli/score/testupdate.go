package score

import (
	"path/filepath"
	"regexp"
	"sync"
)

// trialNumber matches the end of the name of a further run of a task, as in cancel.2.
var trialNumber = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\.\d+$`) })

// updateReferences updates each reference by all traces that belong to it, and creates
// the references that are missing. An error about a trace is left to the test that
// follows. A reference that cannot be updated counts as a file that cannot be used.
func (t *suiteTest) updateReferences(files []string) {
	byFile := map[string]*fileUpdate{}
	var order []*fileUpdate
	for _, file := range files {
		trace, err := readTrace(file, nil, t.conf)
		if err == nil {
			err = trace.decode()
		}
		if err != nil {
			continue
		}
		trace.file = t.shownName(file)
		for i := range trace.runs {
			path, task := t.referenceFor(file, trace.runs[i].Task)
			if path == "" || t.byName[pathStem(t.refs, path)] == nil && trace.runs[i].Reference != nil {
				continue // a new reference would hide the run's own
			}
			u := byFile[path+"\x00"+task]
			if u == nil {
				u = &fileUpdate{path: path, task: task}
				byFile[path+"\x00"+task], order = u, append(order, u)
			}
			u.add(trace, i)
		}
	}
	for _, u := range order {
		if err := u.write(t.printWord); err != nil {
			t.reportBroken(u.path, err)
		}
	}
}

// referenceFor returns the file of the reference for a run, and its task if the file is a
// suite. The file may be missing. The path is "" if the run needs a new task of a suite.
func (t *suiteTest) referenceFor(file, task string) (path, taskInSuite string) {
	stem := pathStem(t.traces, file)
	held := t.findReference(stem)
	switch {
	case held != nil && held.one != nil:
		return held.file, held.task
	case t.byTask[task] != nil:
		return t.suiteOf[task], task
	case held != nil || len(t.byTask) > 0:
		return "", ""
	}
	return filepath.Join(t.refs, filepath.FromSlash(trialNumber().ReplaceAllString(stem, ""))+".yaml"), ""
}

// printWord prints a line about a file.
func (t *suiteTest) printWord(word, name, text string) { t.printLine("33", word, name, text) }
