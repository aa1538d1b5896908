package failure

import (
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

// mostPolls is the largest number of later actions that are asked for the job of one call.
const mostPolls = 256

// JobsOf returns the jobs of actions that failed or were not done yet when they were asked for last, by the
// index of the action. It returns nil if there are none. O(calls that start a job · mostPolls).
func JobsOf(actions []trajectory.Action) map[int]Job {
	var out map[int]Job
	for i := range actions {
		a := &actions[i]
		if a.Observation == nil || a.Failed() || a.Text != "" || asksState(a.Name) {
			continue
		}
		v, ok := readShort(a.Observation.Text)
		if !ok {
			continue
		}
		id := jobID(v, a)
		if id == "" {
			continue
		}
		if job := lastWord(actions[i+1:min(len(actions), i+mostPolls)], id); job.Failed || job.Open {
			if out == nil {
				out = map[int]Job{}
			}
			job.At += i + 1
			out[i] = job
		}
	}
	return out
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

// jobNouns are the nouns of what runs for a while and may fail.
const jobNouns = " job task operation op export import backup snapshot dump build run execution process workflow pipeline deployment migration batch sync synchronization restore restoration replication upload download conversion archive archival scan "

// jobID returns the id of the job that a result names and its call did not, or "".
func jobID(v jsonval.Value, a *trajectory.Action) (id string) {
	v.Each(func(key string, m jsonval.Value) bool {
		noun := wordlist.FoldName(key)
		short := strings.TrimSuffix(strings.TrimSuffix(noun, "id"), "uu")
		isJob := oneOf(short, jobNouns) || oneOf(noun, "id uuid") && oneOf(lastNoun(a.Name), jobNouns)
		switch {
		case m.Kind() == jsonval.Object && (isJob || oneOf(noun, "data result")):
			id = jobID(m, a)
		case isJob && (m.Kind() == jsonval.String || m.Kind() == jsonval.Number) && len(m.Text()) > 1 && !hasLeaf(a.Arguments, m.Text(), 0):
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

// lastWord returns what the last of the actions that asks for a job says of it. At counts from the first action.
func lastWord(actions []trajectory.Action, id string) (job Job) {
	for i := range actions {
		a := &actions[i]
		if a.Observation == nil || a.Proposed || !hasLeaf(a.Arguments, id, 0) {
			continue
		}
		if !asksState(a.Name) {
			job = Job{} // somebody did something with it
			continue
		}
		v, ok := readShort(a.Observation.Text)
		if !ok {
			continue
		}
		if failed, open, said := jobState(v, 0); said {
			job = Job{At: i, Failed: failed, Open: open}
		}
	}
	return job
}

// hasLeaf reports whether a value has a text or a number somewhere in it.
func hasLeaf(v jsonval.Value, text string, depth int) (found bool) {
	if v.Kind() != jsonval.Object && v.Kind() != jsonval.Array {
		return v.Exists() && v.Text() == text
	}
	v.Each(func(_ string, m jsonval.Value) bool {
		found = found || depth < mostWrapped && hasLeaf(m, text, depth+1)
		return !found
	})
	return found
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
		case m.Kind() == jsonval.Object && depth == 0 && (oneOf(word, jobNouns) || oneOf(word, "data result")):
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
	verdictMembers = " valid isvalid passed pass success succeeded ok verified isverified approved isapproved eligible iseligible "
	badVerdicts    = " failed fail failure invalid rejected unverified ineligible "
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
