package read

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/internal/recordings"
	"github.com/tidwall/gjson"
)

// walkObjects visits every object in any number of JSON values. It uses encoding/json and
// shares nothing with the decoders.
func walkObjects(t *testing.T, data []byte, visit func(o map[string]any)) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(data))
	for d.More() {
		var v any
		if err := d.Decode(&v); err != nil {
			t.Fatal(err)
		}
		walkValue(v, visit)
	}
}

func walkValue(v any, visit func(o map[string]any)) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			walkValue(e, visit)
		}
	case map[string]any:
		visit(v)
		for _, e := range v {
			walkValue(e, visit)
		}
	}
}

func listOf(o map[string]any, name string) []any { l, _ := o[name].([]any); return l }

// TestRealFilesLoseNoCall compares the number of calls that Decode finds in each file
// with the number that a few independent lines of code count.
func TestRealFilesLoseNoCall(t *testing.T) {
	messages := func(o map[string]any) int { // of one run
		n := 0
		for _, m := range append(listOf(o, "traj"), listOf(o, "messages")...) {
			n += len(listOf(m.(map[string]any), "tool_calls"))
		}
		return n
	}
	steps := func(member string) func(o map[string]any) int {
		return func(o map[string]any) int {
			n := 0
			for _, s := range listOf(o, member) {
				s, _ := s.(map[string]any)
				over := s["terminated"] == true || s["truncated"] == true
				if action, _ := s["action"].(string); action != "" && !over {
					n++
				}
			}
			return n
		}
	}
	typed := func(o map[string]any) int {
		text, _ := o["traj"].(string)
		n := 0
		for _, line := range strings.Split(text, "\n") {
			low := strings.ToLower(line)
			if strings.HasPrefix(line, "> ") && strings.TrimSpace(line[2:]) != "" && !strings.HasPrefix(low, "> think") && !strings.HasPrefix(low, "> actionpath:") && !strings.HasPrefix(low, "> thought") {
				n++
			}
		}
		return n
	}
	human := func(o map[string]any) int { return len(listOf(o, "single-action")) }
	events := func(o map[string]any) int {
		action, _ := o["action"].(string)
		if _, ok := o["source"]; !ok || action == "" || action == "message" {
			return 0
		}
		return 1
	}
	company := func(o map[string]any) int {
		kind, _ := o["kind"].(string)
		message, _ := o["message"].(string)
		if kind == "run" || kind == "read" || kind == "edit" || kind == "browse_interactive" || strings.HasPrefix(message, "Running Python") || strings.HasPrefix(message, "I am thinking") {
			return 1
		}
		return 0
	}
	raw := "theagentcompany/openhands_raw/traj_"
	for _, c := range []struct {
		file, format string
		count        func(o map[string]any) int
		least        int
	}{
		{"tau-bench/gpt-4o-airline.json", "tau-bench", messages, 1164},
		{"tau-bench/gpt-4o-retail.json", "tau-bench", messages, 1},
		{"tau-bench/preconditions-retail.json", "tau-bench", messages, 1},
		{"tau2/azure-airline-full.json", "tau2", messages, 1},
		{"tau2/gpt-4.1_airline_default_gpt-4.1_1trials.json", "tau2", messages, 1},
		{"tau2/gpt-4.1_retail_default_gpt-4.1_1trials.json", "tau2", messages, 1},
		{"tau2/gpt-4.1_telecom_default_gpt-4.1_1trials.json", "tau2", messages, 1},
		{"tau2/langchain_agent_airline_gpt-oss-120b.json", "tau2", messages, 1},
		{"tau2/whissle_airline_run1.json", "tau2", messages, 1},
		{"alfworld/KnowAgentALFWorld_llama-2-13b_D0.jsonl", "alfworld-react", typed, 1},
		{"webarena/colorbrowseragent_gpt5_webarena812.slim.jsonl", "webarena-browsergym", steps("steps"), 1},
		{"osworld/osworld-verified-ui-tars-361.jsonl", "osworld-traj", steps("steps"), 1},
		{"osworld/osworld_human_369.jsonl", "osworld-human", human, 1},
		{"swe-bench/swe-agent-claude-3.5-sonnet-verified-150.jsonl", "swe-agent-traj", steps("steps"), 1},
		{"swe-bench/demos/ctf__crypto__BabyEncryption.traj", "swe-agent-traj", steps("trajectory"), 16},
		{"theagentcompany/openhands_mcp_175.jsonl", "theagentcompany", company, 1},
		{raw + "pm-send-hello-message-image.json", "openhands-v0", events, 1},
		{raw + "pm-schedule-meeting-1-image.json", "openhands-v0", events, 1},
		{raw + "sde-create-new-repo-image.json", "openhands-v0", events, 1},
		{"other/inspect_ai/2025-05-12T20-27-36-04-00_browser.json", "inspect-log", func(o map[string]any) int {
			if _, sample := o["epoch"]; !sample {
				return 0
			}
			return messages(o)
		}, 4},
	} {
		t.Run(c.file, func(t *testing.T) {
			data := recordings.Read(t, c.file)
			wanted := 0
			walkObjects(t, data, func(o map[string]any) { wanted += c.count(o) })
			checkReal(t, data, c.format, wanted, c.least)
		})
	}
}

func checkReal(t *testing.T, data []byte, format string, wanted, least int) {
	t.Helper()
	doc, err := Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	got := 0
	for i := range doc.Trajectories {
		got += len(doc.Trajectories[i].Actions)
	}
	if doc.Format != format || got != wanted || got < least {
		t.Errorf("%s with %d calls; want %s with %d", doc.Format, got, format, wanted)
	}
	checkWarnings(t, format, doc)
}

func TestZippedInspectLog(t *testing.T) {
	doc := mustDecode(t, string(recordings.Read(t, "other/inspect_ai/log_message_deduplication.eval")))
	if doc.Format != "inspect-log" || len(doc.Trajectories) != 1 || len(doc.Trajectories[0].Actions) != 5 {
		t.Errorf("%s, %d runs", doc.Format, len(doc.Trajectories))
	}
}

func TestZip(t *testing.T) {
	pack := func(name, body string) string {
		var b bytes.Buffer
		w := zip.NewWriter(&b)
		f, err := w.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		f.Write([]byte(body))
		w.Close()
		return b.String()
	}
	doc := mustDecode(t, pack("samples/1_epoch_1.json", `{"id":1,"epoch":1,"input":"x","target":"","messages":[{"role":"assistant","tool_calls":[{"id":"1","function":"cancel","arguments":{}}]}]}`))
	if doc.Format != "inspect-log" || doc.Trajectories[0].Actions[0].Name != "cancel" {
		t.Errorf("zip read as %s", doc.Format)
	}
	for _, bad := range []string{pack("readme.txt", "x"), pack("samples/1.json", "x")[:60], "PK\x03\x04xx"} {
		if _, err := Decode([]byte(bad)); err == nil {
			t.Errorf("a zip that is not a log was read")
		}
	}
}

// BenchmarkDecode decodes a file of 4 MB. The metric x/valid is the time for decoding,
// divided by the time for validating the same bytes.
func BenchmarkDecode(b *testing.B) {
	data := recordings.Read(b, "tau-bench/gpt-4o-airline.json")
	text := string(data)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Decode(data); err != nil {
			b.Fatal(err)
		}
	}
	decoding := b.Elapsed() / time.Duration(b.N)
	start := time.Now()
	for range b.N {
		if !gjson.Valid(text) {
			b.Fatal("invalid")
		}
	}
	b.ReportMetric(float64(decoding)/float64(time.Since(start)/time.Duration(b.N)), "x/valid")
}
