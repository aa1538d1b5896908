package failure

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// A call may only start a job, and later calls ask what became of it. The law of this file: a call
// counts as failed, or as not done yet, by its job only if a later result that asks for this job by the id
// that only the call's result brought says so, and no later one says otherwise.

// Job is what the last word about the job of a call says.
type Job struct {
	At     int // the action whose result says so
	Failed bool
	Open   bool // it was not done yet
}

// JobsOf returns the jobs of actions that failed or were not done yet when they were asked for last, by the
// index of the action. It returns nil if there are none. O(calls and their arguments).
func JobsOf(actions []trajectory.Action) (out map[int]Job) {
	if !slices.ContainsFunc(actions, func(a trajectory.Action) bool { return namesJob(a.Name) }) {
		return nil
	}
	var starts map[string]int // by id: the last action that started the job
	for i := range actions {
		a := &actions[i]
		if starts != nil && a.Observation != nil && !a.Proposed {
			eachLeaf(a.Arguments, 0, func(text string) {
				if start, ok := starts[text]; ok {
					out = hearOf(out, start, i, a)
				}
			})
		}
		if a.Observation == nil || a.Failed() || a.Text != "" || !mayStartJob(a.Name, a.Observation.Text) || asksState(a.Name) {
			continue
		}
		if v, ok := readShort(a.Observation.Text); ok {
			if id := jobID(v, a); id != "" {
				if starts == nil {
					starts = map[string]int{}
				}
				starts[id] = i
			}
		}
	}
	return out
}

// namesJob reports whether the name of a tool has a word for a job, or for waiting for one. Nobody asks for a job by
// another name.
func namesJob(name string) bool {
	for name != "" {
		end := 0
		for end < len(name) && name[end] >= 'a' && name[end] <= 'z' {
			end++
		}
		switch word := name[:end]; word {
		case "status", "state", "progress", "wait", "poll":
			return true
		default:
			if isJobNoun(word) {
				return true
			}
		}
		if end == len(name) {
			return false
		}
		if c := name[end] | ' '; end == 0 && c >= 'a' && c <= 'z' && name[end] < 'a' { // getJobStatus
			for k := end + 1; ; k++ {
				if k == len(name) || name[k] < 'a' || name[k] > 'z' {
					if isJobNoun(strings.ToLower(name[:k])) || oneOf(strings.ToLower(name[:k]), "status state progress wait poll") {
						return true
					}
					name = name[k:]
					break
				}
			}
			continue
		}
		if name = name[end:]; name[0] < 'A' || name[0] > 'Z' && name[0] < 'a' || name[0] > 'z' {
			name = name[1:]
		}
	}
	return false
}

// isJobNoun reports whether a noun names what runs for a while and may fail. A switch costs a tenth of a list here.
func isJobNoun(word string) bool {
	switch word {
	case "job", "task", "operation", "op", "export", "import", "backup", "snapshot", "dump", "build", "run", "execution", "process", "workflow", "pipeline", "deployment", "migration", "batch", "sync", "synchronization", "restore", "restoration", "replication", "upload", "download", "conversion", "archive", "archival", "scan":
		return true
	}
	return false
}

// hearOf notes what an action that names a job says of it.
func hearOf(out map[int]Job, start, at int, a *trajectory.Action) map[int]Job {
	if !asksState(a.Name) {
		delete(out, start) // somebody did something with it
		return out
	}
	v, ok := readShort(a.Observation.Text)
	if !ok {
		return out
	}
	failed, open, said := jobState(v, 0)
	if said {
		delete(out, start)
	}
	if failed || open {
		if out == nil {
			out = map[int]Job{}
		}
		out[start] = Job{At: at, Failed: failed, Open: open}
	}
	return out
}

// mayStartJob reports at small cost whether a result of a tool may be a short object with the id of a job.
func mayStartJob(tool, text string) bool {
	if len(text) < 8 || len(text) > longestReport || text[0] != '{' && text[0] != '[' && text[0] > ' ' {
		return false
	}
	for at := 0; ; at++ {
		next := strings.Index(text[at:], `":`)
		if next < 0 {
			return false
		}
		at += next
		if at < 3 || text[at-1] == 'd' && text[at-2]|' ' != 'i' || text[at-1] > 'd' && text[at-1] != 'k' && text[at-1] != 'n' && text[at-1] != 't' {
			continue
		}
		key := text[strings.LastIndexByte(text[:at], '"')+1 : at]
		if noun, isID := strings.CutSuffix(strings.ToLower(key), "id"); isID {
			noun = strings.TrimRight(noun, "_-")
			noun = noun[strings.LastIndexByte(noun, '_')+1:]
			if noun == "" || noun == "uu" || isJobNoun(noun) || len(noun) > 10 {
				return noun != "" && noun != "uu" || strings.Contains(text[:at], `":`) || isJobNoun(lastNoun(tool))
			}
		} else if oneOf(key, "job task operation export") {
			return true
		}
	}
}

// ResultOf returns the result of an action, or what says that its job failed. It returns "" if there is none. jobs is
// the result of JobsOf.
func ResultOf(actions []trajectory.Action, jobs map[int]Job, at int) string {
	if job := jobs[at]; job.Failed {
		at = job.At
	}
	if o := actions[at].Observation; o != nil {
		return o.Text
	}
	return ""
}

// readShort reads a result that is a short object.
func readShort(text string) (jsonval.Value, bool) {
	text = innerText(strings.TrimSpace(text))
	if len(text) < 8 || len(text) > longestReport || text[0] != '{' {
		return jsonval.Value{}, false
	}
	v, err := jsonval.Parse(text)
	return v, err == nil
}

// jobID returns the id of the job that a result names and its call did not, or "".
func jobID(v jsonval.Value, a *trajectory.Action) (id string) {
	v.Each(func(key string, m jsonval.Value) bool {
		noun := wordlist.FoldName(key)
		short := strings.TrimSuffix(strings.TrimSuffix(noun, "id"), "uu")
		isJob := isJobNoun(short) || oneOf(noun, "id uuid") && isJobNoun(lastNoun(a.Name))
		switch {
		case m.Kind() == jsonval.Object && (isJob || oneOf(noun, "data result")):
			id = jobID(m, a)
		case isJob && (m.Kind() == jsonval.String || m.Kind() == jsonval.Number) && len(m.Text()) > 1 && !strings.Contains(a.Arguments.Raw(), m.Text()):
			id = m.Text()
		}
		return id == ""
	})
	return id
}

// lastNoun returns the last word of a tool's name, in lower case.
func lastNoun(name string) string {
	name = strings.ToLower(name)
	return name[strings.LastIndexAny(name, "_-. /")+1:]
}

// asksState reports whether the name of a tool says that it asks how something is.
func asksState(name string) bool {
	name = strings.ToLower(name[strings.LastIndexByte(name, '.')+1:])
	end := 0
	for end < len(name) && name[end] >= 'a' && name[end] <= 'z' {
		end++
	}
	return oneOf(name[:end], "get check poll wait await read describe show fetch query view status monitor watch track find retrieve inspect") ||
		oneOf(lastNoun(name), "status state progress") || strings.HasPrefix(name, "getjob") || strings.HasPrefix(name, "waitfor")
}

// eachLeaf calls a function with each text and number in a value.
func eachLeaf(v jsonval.Value, depth int, do func(text string)) {
	switch v.Kind() {
	case jsonval.String, jsonval.Number:
		do(v.Text())
	case jsonval.Object, jsonval.Array:
		if depth <= mostWrapped {
			v.Each(func(_ string, m jsonval.Value) bool {
				eachLeaf(m, depth+1, do)
				return true
			})
		}
	}
}

const (
	failedJobs = " failed failure error errored timedout timeout crashed aborted rejected denied unsuccessful stalled dead "
	openJobs   = " running pending queued inprogress processing started starting waiting scheduled submitted created new active incomplete paused "
	doneJobs   = " completed complete succeeded success successful done finished ok ready available ended passed "
)

// jobState reads the state of a job from the object that describes it.
func jobState(v jsonval.Value, depth int) (failed, open, said bool) {
	v.Each(func(key string, m jsonval.Value) bool {
		word := wordlist.FoldName(key)
		switch {
		case m.Kind() == jsonval.Object && depth == 0 && (isJobNoun(word) || oneOf(word, "data result")):
			failed, open, said = jobState(m, depth+1)
		case m.Kind() == jsonval.String && (strings.HasSuffix(word, "status") || strings.HasSuffix(word, "state") || oneOf(word, "outcome phase")):
			state := wordlist.FoldName(m.Text())
			failed, open = oneOf(state, failedJobs), oneOf(state, openJobs)
			said = failed || open || oneOf(state, doneJobs)
		}
		return !said
	})
	return failed, open, said
}

const (
	verdictMembers = " valid isvalid passed pass success succeeded ok verified isverified approved isapproved eligible iseligible " +
		"clear isclear complete iscomplete granted permitted allowed isallowed authorized authorised accepted given safe issafe fit satisfied sufficient "
	badVerdicts = " failed fail failure invalid rejected unverified ineligible denied refused declined expired unfit unsafe incomplete insufficient notgranted notok notclear notvalid notfit "
)

// SaysNo returns the member of a short result with which a check says no, as {"valid":false} does, or "".
func SaysNo(text string) (member string) {
	v, ok := readShort(text)
	if !ok {
		return ""
	}
	v.Each(func(key string, m jsonval.Value) bool {
		word := wordlist.FoldName(key)
		if m.Raw() == "false" && oneOf(word, verdictMembers) ||
			m.Kind() == jsonval.String && oneOf(word, "status result outcome verdict state") && oneOf(wordlist.FoldName(m.Text()), badVerdicts) {
			member = key
		}
		return member == ""
	})
	return member
}
