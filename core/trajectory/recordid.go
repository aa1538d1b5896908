package trajectory

import (
	"strings"
	"unicode"
)

// A record names its run, the task of the run, and the trial. The law of this file: the id of
// a run is that of the run itself, and not that of a score, a batch or an answer about it.

// The members of a record with the id of its run, and with the id of its task.
const (
	runNames  = "run_id runId session_id sessionId conversation_id conversationId trace_id traceId thread_id threadId chat_id chatId custom_id customId execution_id executionId request_id requestId"
	taskNames = "task_id taskId instance_id instanceId task_name taskName example_id exampleId case_id caseId case test_case_id testCaseId test_id testId dataset_item_id datasetItemId datasetItem_id scenario_id scenarioId problem_id problemId"
)

// runID returns the id of the run in a record, or "". The id of a record that belongs to a
// score comes last. The id may be in the object with the record's data.
func runID(o *object) string {
	names := "custom_id customId id " + runNames + " eval_id"
	if o.hasAny("scorer scorerId scorer_id scorerName scorer_name evaluator evaluatorId evaluator_id evaluatorName metricId metric_id metricName metric_name") {
		names = runNames + " id eval_id"
	}
	if id := o.firstText(names); id != "" {
		return id
	}
	if id := conversationOf(o); id != "" {
		return id
	}
	for _, inner := range [...]string{"run", "info", "session", "checkpoint"} {
		if id := o.openMember(inner).firstText("id " + runNames); id != "" {
			return id
		}
	}
	return ""
}

// nameTask gives the run of a test case the case's name as its task, if it has no other.
func nameTask(runs []Trajectory, row *object) {
	if len(runs) == 1 && runs[0].Task == "" && (ownsSettings(row) || ownsOutcome(row)) && !row.hasAny("type kind op role span_id spanId parent_id") {
		runs[0].Task = row.firstString("case_name caseName test_name testName case name")
	}
}

// isTaskName reports whether a task is named, not described.
func isTaskName(task string) bool {
	return task != "" && len(task) <= 64 && !strings.ContainsFunc(task, unicode.IsSpace)
}

// copyMeta copies a run's data, such as id, task and reward, from the object around its
// events.
func (t *Trajectory) copyMeta(o *object) {
	if o == nil {
		return
	}
	t.ID = runID(o)
	t.Task = o.firstText(taskNames)
	if name := o.firstText("task"); isTaskName(name) {
		t.TaskName = name
	}
	t.Model = o.firstString("model model_name")
	if n, ok := o.get("trial trial_index trialIndex trial_number trialNumber attempt epoch rollout").Int(); ok {
		trial := int(n)
		t.Trial = &trial
	}
	t.setReward(o.get("reward"))
	if b, ok := o.get("success").Bool(); ok {
		t.Success = &b
	}
	if o.isObject("info") {
		t.readEnding(o.openMember("info"))
	}
	t.readOutcome(o)
	t.Tools, t.ToolTexts = definedTools(o.get("tools")), toolTexts(o.get("tools"))
}
