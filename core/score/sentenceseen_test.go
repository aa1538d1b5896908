package score

import (
	"encoding/json"
	"fmt"
	"github.com/boundcheck/boundcheck/core/report"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// sightings counts where each sentence of the table was seen.
type sightings struct {
	table []template
	count map[string]int
}

// countText counts the sentences of a text. A sentence with more fixed words takes them from the
// others, so that one text counts for one sentence and for those in its parts.
func (s *sightings) countText(text string) {
	for i := range s.table {
		p := &s.table[i]
		at := p.inside.FindStringSubmatchIndex(text)
		if at == nil {
			continue
		}
		s.count[p.name]++
		var parts []string
		for g := 2; g < len(at); g += 2 {
			parts = append(parts, text[at[g]:at[g+1]])
		}
		text = text[:at[0]] + "\x00" + strings.Join(parts, "\x00") + "\x00" + text[at[1]:]
	}
}

// lookAt counts the sentences in all texts of a JSON value.
func (s *sightings) lookAt(v any) {
	switch v := v.(type) {
	case string:
		s.countText(v)
	case []any:
		for _, e := range v {
			s.lookAt(e)
		}
	case map[string]any:
		for _, key := range []string{"reason", "reasons", "violations", "alignment", "trajectories", "hints", "suspects", "report", "groups", "result", "reports"} {
			if e, ok := v[key]; ok {
				s.lookAt(e)
			}
		}
	}
}

// lookAtReport counts the sentences of a report.
func (s *sightings) lookAtReport(t *testing.T, report any) {
	t.Helper()
	data, err := json.Marshal(report)
	if err != nil {
		t.Fatal(err)
	}
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	s.lookAt(v)
}

// lookAtGolden counts the sentences of the golden reports, whose bytes core/wire checks.
func (s *sightings) lookAtGolden(t *testing.T) {
	t.Helper()
	err := filepath.WalkDir("../../testdata/golden", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var v any
		if json.Unmarshal(data, &v) == nil {
			s.lookAt(v)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// unansweredCall is a run whose last call has no result.
const unansweredCall = `{"messages":[{"role":"user","content":"go"},{"role":"assistant","tool_calls":[{"id":"1","type":"function","function":{"name":"set_a","arguments":"{\"id\":\"a1\"}"}}]},{"role":"tool","tool_call_id":"1","content":"ok"},{"role":"assistant","tool_calls":[{"id":"2","type":"function","function":{"name":"set_b","arguments":"{\"id\":\"b1\"}"}}]}]}`

// sentenceExamples are requests for sentences that no golden report and no reviewed pair has:
// the calls of the run, the reference, and more members of the envelope.
var sentenceExamples = []struct{ sentence, trace, reference, more string }{
	{"BySum", `[{"name":"restock_item","arguments":{"sku":"s1","quantity":4},"result":"ok"},{"name":"restock_item","arguments":{"sku":"s1","quantity":6},"result":"ok"}]`, `["restock_item(sku=s1, quantity=10)"]`, `"profile":"outcome"`},
	{"SameCode", `[{"name":"create_job","arguments":{"name":"vacuum","schedule":"@daily"},"result":"ok"}]`, `[{"name":"create_job","arguments":{"name":"vacuum","schedule":"0 0 * * *"}}]`, `"profile":"sop"`},
	{"ReadOtherwise", `[{"name":"get_contacts","arguments":{"contact_ids":["c-1","c-2"]},"result":"ok"},{"name":"merge_contacts","arguments":{"id":"c-1","other":"c-2"},"result":"ok"}]`, `["get_contact(contact_id=c-1)", "get_contact(contact_id=c-2)", "merge_contacts(id=c-1, other=c-2)"]`, `"profile":"sop"`},
	{"ReadDiffers", `[{"name":"get_order","arguments":{"id":"o1"},"result":"ok"}]`, `["get_order(id=o2)"]`, `"profile":"sop"`},
	{"OtherRead", `[{"name":"get_order","arguments":{"id":"o1"},"result":"ok"}]`, `["get_order(id=o2)"]`, `"profile":"outcome"`},
	{"WiderRead", `[{"name":"get_order","arguments":{"id":"o1","page":2},"result":"ok"}]`, `["get_order(id=o1)"]`, `"profile":"sop"`},
	{"FreeWording", `[{"name":"think","arguments":{"thought":"so"},"result":"ok"}]`, `["think(thought=not)"]`, `"profile":"sop"`},
	{"PartlyDone", `[{"name":"delete_users","arguments":{"ids":["u1","u2"]},"result":{"deleted":1,"failed":1}}]`, `[{"name":"delete_users","arguments":{"ids":["u1","u2"]}}]`, `"profile":"sop"`},
	{"Forbidden", `[{"name":"delete_user","arguments":{"id":"u1"},"result":"ok"}]`, `[{"name":"delete_user","mustNot":true}]`, `"profile":"sop"`},
	{"StatedBefore", `[{"name":"frobnicate","arguments":{"id":"a1"},"result":"ok"}]`, `[{"name":"frobnicate","arguments":{"id":"a1"},"pre":["warm_up"]}]`, `"profile":"sop"`},
	{"StageDisabled", `[{"name":"get_order","arguments":{"id":"o1"},"result":"ok"},{"name":"get_user","arguments":{"id":"u1"},"result":"ok"}]`, `["get_order(id=o1)"]`, `"profile":"outcome","options":{"without":["state"]}`},
	{"Forced", `[{"name":"push_branch","arguments":{"branch":"b-1","force":true},"result":"ok"}]`, `[{"name":"push_branch","arguments":{"branch":"b-1"}}]`, `"profile":"sop"`},
	{"HeldBack", `[{"name":"copy_tree","arguments":{"path":"/a","recursive":false},"result":"ok"}]`, `[{"name":"copy_tree","arguments":{"path":"/a","recursive":true}}]`, `"profile":"sop"`},
	{"DoesNotDo", `[{"name":"bash","arguments":{"command":"cp a /b/"},"result":"ok"}]`, `[{"name":"bash","arguments":{"command":"cp a /b/; rm a"}}]`, `"profile":"sop"`},
	{"PartForWhole", `[{"name":"delete_folder","arguments":{"path":"/a/b"},"result":"ok"}]`, `[{"name":"delete_folder","arguments":{"path":"/a"}}]`, `"profile":"sop"`},
	{"SameExact", `[{"name":"set_book","arguments":{"isbn":"978-3-16-148410-0"},"result":"ok"}]`, `[{"name":"set_book","arguments":{"isbn":"9783161484100"}}]`, `"profile":"sop"`},
	{"ByUser", `[{"name":"set_mode","arguments":{"mode":"x"},"result":"ok","requestor":"user"}]`, `["open_case(id=c1)"]`, `"profile":"sop"`},
	{"TriedOften", `[{"name":"book_room","arguments":{"room":"a"},"result":"Error: no card"},{"name":"book_room","arguments":{"room":"b"},"result":"Error: card expired"}]`, `["book_room(room=c)"]`, `"profile":"sop"`},
	{"TriedSame", `[{"name":"book_room","arguments":{"room":"a"},"result":"Error: no card"},{"name":"book_room","arguments":{"room":"a"},"result":"Error: card expired"}]`, `["book_room(room=a)"]`, `"profile":"sop"`},
	{"SameText", `[{"name":"create_guest","arguments":{"name":"Maeve O’Hara"},"result":"ok"}]`, `[{"name":"create_guest","arguments":{"name":"Maeve O'Hara"}}]`, `"profile":"sop"`},
	{"SameNotation", `[{"name":"write_file","arguments":{"path":"a.yaml","content":"a: 1\nb: 2\n"},"result":"ok"}]`, `[{"name":"write_file","arguments":{"path":"a.yaml","content":"b: 2\na: 1\n"}}]`, `"profile":"sop"`},
	{"ResultsHeld", `[{"name":"get_order","arguments":{"id":"W-7"},"result":{"customer":"C-1"}},{"name":"refund","arguments":{"id":"W-7","customer":"C-2"},"result":"ok"}]`, `[{"name":"get_order","arguments":{"id":"W-7"}},{"name":"refund","arguments":{"id":"W-7"},"expect":{"customer":{"sameAs":"get_order.customer"}}}]`, `"profile":"sop"`},
	{"ResultsWithout", `[{"name":"get_order","arguments":{"id":"W-7"},"result":{"id":"W-7"}},{"name":"refund","arguments":{"id":"W-7","customer":"C-2"},"result":"ok"}]`, `[{"name":"get_order","arguments":{"id":"W-7"}},{"name":"refund","arguments":{"id":"W-7"},"expect":{"customer":{"sameAs":"get_order.customer"}}}]`, `"profile":"sop"`},
	{"NoResults", `[{"name":"refund","arguments":{"id":"W-7","customer":"C-2"},"result":"ok"}]`, `[{"name":"get_order","arguments":{"id":"W-7"}},{"name":"refund","arguments":{"id":"W-7"},"expect":{"customer":{"sameAs":"get_order.customer"}}}]`, `"profile":"sop"`},
	{"ValueWanted", `[{"name":"pay","arguments":{"id":"I-1","amount":4},"result":"ok"}]`, `[{"name":"pay","arguments":{"id":"I-1"},"expect":{"amount":{"min":5}}}]`, `"profile":"sop"`},
	{"ValueAbsent", `[{"name":"pay","arguments":{"id":"I-1"},"result":"ok"}]`, `[{"name":"pay","arguments":{"id":"I-1"},"expect":{"amount":{"min":5}}}]`, `"profile":"sop"`},
	{"NotTried", `[{"name":"get_x","result":"ok"}]`, `["get_x()",{"name":"pay","arguments":{"id":"I-1"},"fails":true}]`, `"profile":"outcome"`},
	{"TooEarly", `[{"name":"send_item","arguments":{"id":"a1"},"result":"ok"},{"name":"delete_item","arguments":{"id":"a1"},"result":"ok"},{"name":"set_item","arguments":{"id":"a1"},"result":"ok"}]`,
		`["delete_item(id=a1)","set_item(id=a1)","send_item(id=a1)"]`, `"profile":"sop"`},
	{"CameBefore", `[{"name":"set_tag","arguments":{"post_id":"p1","tag":"b"},"result":"ok"},{"name":"set_tag","arguments":{"post_id":"p1","tag":"a"},"result":"ok"}]`,
		`["set_tag(post_id=p1, tag=a)","set_tag(post_id=p1, tag=b)"]`, `"profile":"outcome"`},
	{"MayPrepare", `[{"name":"run_payroll","arguments":{"month":"2026-03"},"result":"ok"},{"name":"freeze_list","arguments":{"month":"2026-03"},"result":"ok"}]`,
		`["freeze_list(month=2026-03)","run_payroll(month=2026-03)"]`, `"profile":"outcome"`},
	{"AskedBefore", `[{"messages":[{"role":"user","content":"Delete the queue, but mute the channel before you delete it."},
		{"role":"assistant","tool_calls":[{"id":"1","type":"function","function":{"name":"delete_queue","arguments":"{\"queue\":\"q-1\"}"}}]},{"role":"tool","tool_call_id":"1","content":"ok"},
		{"role":"assistant","tool_calls":[{"id":"2","type":"function","function":{"name":"mute_channel","arguments":"{\"channel\":\"ops\"}"}}]},{"role":"tool","tool_call_id":"2","content":"ok"}]}]`,
		`["mute_channel(channel=ops)","delete_queue(queue=q-1)"]`, `"profile":"outcome"`},
	{"TooLate", `[{"name":"pay","arguments":{"n":1},"result":"ok"},{"name":"get_y","result":"ok"},{"name":"get_x","result":"ok"}]`, `["get_x()","get_y()","pay(n=1)"]`, `"profile":"sop"`},
	{"Undone", `[{"name":"add_tag","arguments":{"post_id":"p-2","tag":"x"},"result":"ok"},{"name":"remove_tag","arguments":{"post_id":"p-2","tag":"x"},"result":"ok"},{"name":"add_tag","arguments":{"post_id":"p-1","tag":"x"},"result":"ok"}]`,
		`["add_tag(post_id=p-1, tag=x)"]`, `"profile":"outcome"`},
	{"Undoes", `[{"name":"create_memo","arguments":{"title":"Plan"},"result":{"memo_id":"m-7"}},{"name":"delete_memo","arguments":{"memo_id":"m-7"},"result":"ok"},{"name":"create_memo","arguments":{"title":"List"},"result":{"memo_id":"m-8"}}]`,
		`["create_memo(title=List)"]`, `"profile":"outcome"`},
	{"NotInReference", `[{"name":"add_tag","arguments":{"post_id":"p-2","tag":"x"},"result":"ok"},{"name":"remove_tag","arguments":{"post_id":"p-2","tag":"x"},"result":"ok"},{"name":"add_tag","arguments":{"post_id":"p-1","tag":"x"},"result":"ok"}]`,
		`["add_tag(post_id=p-1, tag=x)"]`, `"profile":"sop"`},
	{"UnprovenUndo", `[{"name":"create_shift","arguments":{"shift":"s-1","day":"Monday"},"result":"ok"},{"name":"delete_shift","arguments":{"shift":"s-1"}},{"name":"create_shift","arguments":{"shift":"s-2","day":"Monday"},"result":"ok"}]`,
		`["create_shift(shift=s-2, day=Monday)"]`, `"profile":"outcome"`},
	{"MayHaveActed", `[{"name":"grant_access","arguments":{"badge_id":"k-1","door":"vault"},"result":"ok"},{"name":"revoke_access","arguments":{"badge_id":"k-1","door":"vault"},"result":"ok"},{"name":"grant_access","arguments":{"badge_id":"k-1","door":"lab"},"result":"ok"}]`,
		`["grant_access(badge_id=k-1, door=lab)"]`, `"profile":"outcome"`},
	{"SetAgain", `[{"name":"set_level","arguments":{"game":"g-1","level":"easy"},"result":"ok"},{"name":"set_level","arguments":{"game":"g-1","level":"easy"},"result":"ok"}]`,
		`["set_level(game=g-1, level=easy)"]`, `"profile":"outcome"`},
	{"StepGone", `[{"name":"set_level","arguments":{"game":"g-1","level":"easy"},"result":"ok"},{"name":"set_level","arguments":{"game":"g-1","level":"hard"},"result":"ok"},{"name":"set_level","arguments":{"game":"g-1","level":"odd"},"result":"ok"},{"name":"set_level","arguments":{"game":"g-1","level":"wild"},"result":"ok"}]`,
		`["set_level(game=g-1, level=easy)"]`, `"profile":"outcome"`},
	{"ByTogether", `[{"name":"register_item","arguments":{"job":"j1","item":"sofa and fridge"},"result":"ok"}]`,
		`["register_item(job=j1, item=sofa)", "register_item(job=j1, item=fridge)"]`, `"profile":"sop"`},
	{"ByStretch", `[{"name":"book_hall","arguments":{"hall":"h1","start":"09:00","end":"10:00"},"result":"ok"},{"name":"book_hall","arguments":{"hall":"h1","start":"10:00","end":"12:00"},"result":"ok"}]`,
		`[{"name":"book_hall","arguments":{"hall":"h1","start":"09:00","end":"12:00"}}]`, `"profile":"sop"`},
	{"StepSetAgain", `[{"name":"set_level","arguments":{"game":"g-1","level":"easy"},"result":"ok"}]`,
		`["set_level(game=g-1, level=hard)","set_level(game=g-1, level=easy)"]`, `"profile":"outcome"`},
	{"ByMending", `[{"name":"create_folder","arguments":{"path":"/team/New folder"},"result":"ok"},{"name":"rename_folder","arguments":{"path":"/team/New folder","new_path":"/team/Plans"},"result":"ok"}]`,
		`["create_folder(path=/team/Plans)"]`, `"profile":"outcome"`},
	{"Overwritten", `[{"name":"set_level","arguments":{"game":"g-1","level":"easy"},"result":"ok"},{"name":"set_level","arguments":{"game":"g-1","level":"hard"},"result":"ok"}]`,
		`["set_level(game=g-1, level=hard)"]`, `"profile":"outcome"`},
	{"Transaction", `[{"name":"run_sql","arguments":{"query":"BEGIN"},"result":"ok"},{"name":"run_sql","arguments":{"query":"DELETE FROM t WHERE id = 1"},"result":"ok"},{"name":"run_sql","arguments":{"query":"COMMIT"},"result":"ok"}]`,
		`[{"name":"run_sql","arguments":{"query":"DELETE FROM t WHERE id = 1"}}]`, `"profile":"outcome"`},
	{"TriedOut", `[{"name":"run_sql","arguments":{"query":"EXPLAIN DELETE FROM t WHERE id = 1"},"result":"cost=0"},{"name":"run_sql","arguments":{"query":"DELETE FROM t WHERE id = 1"},"result":"ok"}]`,
		`[{"name":"run_sql","arguments":{"query":"DELETE FROM t WHERE id = 1"}}]`, `"profile":"outcome"`},
	{"Scratch", `[{"name":"write_file","arguments":{"path":"/tmp/w/a","content":"x"},"result":"ok"},{"name":"set_a","arguments":{"id":"a1"},"result":"ok"},{"name":"delete_file","arguments":{"path":"/tmp/w/a"},"result":"ok"}]`,
		`["set_a(id=a1)"]`, `"profile":"outcome"`},
	{"OwnSession", `[{"name":"refresh_session","result":"ok"},{"name":"set_a","arguments":{"id":"a1"},"result":"ok"}]`, `["set_a(id=a1)"]`, `"profile":"outcome"`},
	{"Filled", `[{"name":"create_folder","arguments":{"name":"Plans"},"result":"ok"},{"name":"move_file","arguments":{"file":"a.txt","folder":"Plans"},"result":"ok"}]`, `["move_file(file=a.txt, folder=Plans)"]`, `"profile":"outcome"`},
	{"OtherTool", `[{"name":"bash","arguments":{"command":"rm /srv/old.html"},"result":"ok"}]`, `["delete_file(path=\"/srv/old.html\")"]`, `"profile":"outcome"`},
	{"DoneByTool", `[{"name":"bash","arguments":{"command":"rm /srv/old.html"},"result":"ok"}]`, `["get_a(id=a1)","get_b(id=a1)","delete_file(path=\"/srv/old.html\")"]`, `"profile":"outcome"`},
	{"MayBeOtherTool", `[{"name":"bash","arguments":{"command":"kubectl scale deployment web --replicas=3"},"result":"ok"}]`, `["scale_deployment(name=web, replicas=3)"]`, `"profile":"outcome"`},
	{"MayBeDoneByTool", `[{"name":"bash","arguments":{"command":"kubectl scale deployment web --replicas=3"},"result":"ok"}]`, `["get_a(id=a1)","get_b(id=a1)","scale_deployment(name=web, replicas=3)"]`, `"profile":"outcome"`},
	{"ChoosesPlace", `[{"name":"select_database","arguments":{"database":"club"},"result":"ok"},{"name":"set_a","arguments":{"id":"a1"},"result":"ok"}]`, `["set_a(id=a1)"]`, `"profile":"outcome"`},
	{"Completes", `[{"name":"delete_users","arguments":{"ids":["u1","u2"]},"result":{"deleted":["u1"],"failed":["u2"]}},{"name":"delete_users","arguments":{"ids":["u2"]},"result":"ok"}]`, `[{"name":"delete_users","arguments":{"ids":["u1","u2"]}}]`, `"profile":"outcome"`},
	{"JobOpen", `[{"name":"start_backup","arguments":{"volume":"v-1"},"result":{"job_id":"j-7"}},{"name":"get_job","arguments":{"job_id":"j-7"},"result":{"status":"running"}},{"name":"delete_volume","arguments":{"volume":"v-1"},"result":"ok"}]`,
		`["start_backup(volume=v-1)","delete_volume(volume=v-1)"]`, `"profile":"outcome"`},
	{"CheckSaidNo", `[{"name":"verify_invoice","arguments":{"invoice_id":"i-7"},"result":{"valid":false}},{"name":"pay_invoice","arguments":{"invoice_id":"i-7"},"result":"ok"}]`,
		`["verify_invoice(invoice_id=i-7)","pay_invoice(invoice_id=i-7)"]`, `"profile":"outcome"`},
	{"NoChange", `[{"name":"delete_rows","arguments":{"table":"t","dry_run":true},"result":"{\"would_delete\": 4}"},{"name":"delete_rows","arguments":{"table":"t"},"result":"ok"}]`,
		`["delete_rows(table=t)"]`, `"profile":"outcome"`},
	{"CameBeforeSame", `[{"name":"drop_table","arguments":{"table":"t1"},"result":"ok"},{"name":"export_table","arguments":{"table":"t1","to":"f.csv"},"result":"ok"}]`,
		`["export_table(table=t1, to=f.csv)","drop_table(table=t1)"]`, `"profile":"outcome"`},
	{"DoneInPart", `[{"name":"delete_files","arguments":{"file_ids":["a1"]},"result":"ok"},{"name":"delete_files","arguments":{"file_ids":["b2"]},"result":"ok"}]`,
		`[{"name":"delete_files","arguments":{"file_ids":["a1","b2","c3"]}}]`, `"profile":"outcome"`},
	{"AliasTable", `[{"name":"kill_widget","arguments":{"id":"a1"},"result":"ok"}]`, `["zap_thing(id=a1)"]`, `"profile":"sop","tools":{"aliases":[["zap_thing","kill_widget"]]}`},
	{"ByTable", `[{"name":"deliver_crate","arguments":{"id":"b2"},"result":"ok"}]`, `["grab(id=b2)","pack(id=b2)","ship_off(id=b2)"]`, `"profile":"sop","tools":{"compositions":[{"whole":"deliver_crate","parts":["grab","pack","ship_off"]}]}`},
	{"NotExecuted", unansweredCall, `["set_a(id=a1)"]`, `"profile":"sop"`},
	{"TriedProposed", unansweredCall, `["set_a(id=a1)","set_b(id=b1)"]`, `"profile":"sop"`},
	{"MoreDifferences", `[{"name":"set_form","arguments":{"a":"one","b":"two","c":"three","d":"four","e":"five"},"result":"ok"}]`,
		`[{"name":"set_form","arguments":{"a":"six","b":"seven","c":"eight","d":"nine","e":"ten"}}]`, `"profile":"sop"`},
}

// seenElsewhere names the test whose input leads to a sentence that needs more than a run and
// a reference: turns, an encoder, a plugin, other runs, a conversation.
var seenElsewhere = map[string]string{
	"ReadsSecretItem": "TestSecretItems",
	"BothElsewhere":   "TestReasons",
	"ByLevel":         "TestLevels",
	"ByPlace":         "TestInItsPlace",
	"Guessed":         "TestGuessesForSkippedSteps",
	"NoCallInTurn":    "TestCallInASilentTurn",
	"BeforeTurn":      "TestNoChangeBeforeItsTurn",
	"NoAgreement":     "TestNoAgreement",
	"Invents":         "TestSuspects",
	"SaysNew":         "TestSuspects",
	"BringsCode":      "TestSuspects",
	"NotAgreed":       "TestConsentInOtherWords",
	"Restated":        "TestRestatedFactsInsideEntities",
	"StandsApart":     "TestSentencesOfTrials",
	"AliasEncoder":    "TestAliasSaysHow",
	"AliasPlugin":     "TestAliasSaysHow",
	"CutOff":          "TestLintTellsOfACutOffRun",
	"MayOnlyLook":     "TestUnknownLooksAreHints",
	"SaysLook":        "TestReadingsAreHints",
	"TookAnyway":      "TestTookAnyway",
}

// unseenSentences are those to which no test is known to lead. Each one that gets a test leaves
// this list.
var unseenSentences = []string{"TextDiffers", "ToolReturnedNear", "Tried"}

// TestEverySentenceIsSeen checks that each sentence of the table is in a golden report, in the
// report of a reviewed pair, in that of an example, or in those of a test that is named here.
// It logs which are seen how
// often.
func TestEverySentenceIsSeen(t *testing.T) {
	s := sightings{table: sentenceTable(t), count: map[string]int{}}
	s.lookAtGolden(t)
	for _, name := range []string{"equal", "different", "fresh-equal", "fresh-different"} {
		for _, r := range readAside(t, name, " | ", 3) {
			s.lookAtReport(t, evaluateTrace(t, fmt.Sprintf(`[{"name":%q,"arguments":%s,"result":"ok"}]`, r.cells[0], r.cells[1]),
				fmt.Sprintf(`[{"name":%q,"arguments":%s}]`, r.cells[0], r.cells[2]), "outcome"))
		}
	}
	for _, e := range sentenceExamples {
		r, err := ReadRequest([]byte(`{"trace":` + e.trace + `,"reference":` + e.reference + `,` + e.more + `}`))
		if err != nil {
			t.Fatal(e.sentence, err)
		}
		report, err := Evaluate(r)
		if err != nil {
			t.Fatal(e.sentence, err)
		}
		before := s.count[e.sentence]
		if s.lookAtReport(t, report); s.count[e.sentence] == before {
			t.Errorf("%s is not in the report of its example: %s", e.sentence, reasonsOf(&report.Trajectories[0]))
		}
	}
	for _, p := range s.table {
		known := slices.Contains(unseenSentences, p.name)
		if known && s.count[p.name] > 0 {
			t.Errorf("the sentence %s is seen now: take it from the list of unseen ones", p.name)
		}
		if test := seenElsewhere[p.name]; s.count[p.name] == 0 && !known && !isTest(t, test) {
			t.Errorf("no input leads to the sentence %s; its test %q does not exist", p.name, test)
		}
	}
	t.Logf("%d of %d sentences are seen, %d in other tests: %v", len(s.count), len(s.table), len(seenElsewhere), s.count)
}

// reasonsOf lists the reasons of a run.
func reasonsOf(run *report.Trajectory) (all []string) {
	for i := range run.Violations {
		all = append(all, run.Violations[i].Reason)
	}
	for i := range run.Alignment {
		all = append(all, run.Alignment[i].Reason)
	}
	return all
}

// isTest reports whether core or a package of it has a test with this name.
func isTest(t *testing.T, name string) bool {
	t.Helper()
	var files []string
	for _, pattern := range []string{"*_test.go", "../*_test.go", "../*/*_test.go", "../*/*/*_test.go"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	return name != "" && slices.ContainsFunc(files, func(file string) bool {
		text, err := os.ReadFile(file)
		return err == nil && strings.Contains(string(text), "func "+name+"(")
	})
}
