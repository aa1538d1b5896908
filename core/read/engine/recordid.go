package engine

import (
	"strings"
	"unicode"

	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/read/spent"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// A record names its run, the task of the run, and the trial. The law of this file: the id of
// a run is that of the run itself, and not that of a score, a batch or an answer about it.

// The members of a record with the id of its run, and with the id of its task.
const (
	RunNames  = "run_id runId session_id sessionId conversation_id conversationId trace_id traceId thread_id threadId chat_id chatId custom_id customId execution_id executionId request_id requestId"
	TaskNames = "task_id taskId instance_id instanceId task_name taskName example_id exampleId case_id caseId case test_case_id testCaseId test_id testId dataset_item_id datasetItemId datasetItem_id scenario_id scenarioId problem_id problemId"
)

// runID returns the id of the run in a record, or "". The id of a record that belongs to a
// score comes last. The id may be in the object with the record's data.
func runID(o *shape.Object) string {
	names := "custom_id customId id " + RunNames + " eval_id"
	if o.HasAny("scorer scorerId scorer_id scorerName scorer_name evaluator evaluatorId evaluator_id evaluatorName metricId metric_id metricName metric_name") {
		names = RunNames + " id eval_id"
	}
	if id := o.FirstText(names); id != "" {
		return id
	}
	if id := shape.ConversationOf(o); id != "" {
		return id
	}
	for _, inner := range [...]string{"run", "info", "session", "checkpoint"} {
		if id := o.OpenMember(inner).FirstText("id " + RunNames); id != "" {
			return id
		}
	}
	return ""
}

// nameTask gives the run of a test case the case's name as its task, if it has no other.
func nameTask(runs []trajectory.Trajectory, row *shape.Object) {
	if len(runs) == 1 && runs[0].Task == "" && (shape.OwnsSettings(row) || shape.OwnsOutcome(row)) && !row.HasAny("type kind op role span_id spanId parent_id") {
		runs[0].Task = row.FirstString("case_name caseName test_name testName case name")
	}
}

// isTaskName reports whether a task is named, not described.
func isTaskName(task string) bool {
	return task != "" && len(task) <= 64 && !strings.ContainsFunc(task, unicode.IsSpace)
}

// CopyMeta copies a run's data, such as id, task and reward, from the object around its
// events.
func CopyMeta(t *trajectory.Trajectory, o *shape.Object) {
	if o == nil {
		return
	}
	t.ID = runID(o)
	t.Task = o.FirstText(TaskNames)
	if name := o.FirstText("task"); isTaskName(name) {
		t.TaskName = name
	}
	t.Model = o.FirstString("model model_name")
	if n, ok := o.Get("trial trial_index trialIndex trial_number trialNumber attempt epoch rollout").Int(); ok {
		trial := int(n)
		t.Trial = &trial
	}
	SetReward(t, o.Get("reward"))
	if b, ok := o.Get("success").Bool(); ok {
		t.Success = &b
	}
	if o.IsObject("info") {
		readEnding(t, o.OpenMember("info"))
	}
	readOutcome(t, o)
	t.Tools, t.ToolTexts = shape.DefinedTools(o.Get("tools")), shape.ToolTexts(o.Get("tools"))
	t.Switches = shape.SwitchesIn(o.Get("tools"))
	if len(o.Keys) > 1 { // more than the messages
		if whole := spent.OfRun(o, ""); whole != nil {
			t.Whole = whole
		}
	}
}
